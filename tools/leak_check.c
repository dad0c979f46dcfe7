#include "tools/leak_check.h"

#if defined(__SANITIZE_ADDRESS__)

#include <dlfcn.h>
#include <stddef.h>

// sanitizer/lsan_interface.h
const char *__lsan_default_suppressions(void);
int __lsan_do_recoverable_leak_check(void);

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

bool gv_leak_check_finds(void)
{
    return __lsan_do_recoverable_leak_check() != 0;
}

#else

void gv_leak_check_keep_libraries(void)
{
}

bool gv_leak_check_finds(void)
{
    return false;
}

#endif
