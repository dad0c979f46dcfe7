#include "tools/leak_check.h"

#if defined(__SANITIZE_ADDRESS__)

#include <dlfcn.h>
#include <stddef.h>

const char *__lsan_default_suppressions(void); // sanitizer/lsan_interface.h

// Libraries that leak by themselves.
const char *__lsan_default_suppressions(void)
{
    return "leak:libVkLayer_\nleak:libvulkan_lvp\nleak:libLLVM\n";
}

void gv_leak_check_keep_libraries(void)
{
    static const char *const names[] = {
        "libvulkan_lvp.so",
        "libVkLayer_khronos_validation.so",
        "libVkLayer_MESA_device_select.so",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        dlopen(names[i], RTLD_NOW); // never closed; where there is none, all the better
}

#else

void gv_leak_check_keep_libraries(void)
{
}

#endif
