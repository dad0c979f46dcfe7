#include "runtime/vk/device/driver_choice.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

// The loader opens every driver that is installed, Mesa's with 4 to 14 MB each. Those
// of hardware find it by the nodes of the kernel's DRM and by nothing else.
#define NODES "/dev/dri"
#define OF_HARDWARE "intel_*,radeon_*,nouveau_*,broadcom_*,asahi_*,panfrost_*,powervr_*"
#define DISABLE "VK_LOADER_DRIVERS_DISABLE"

// The first one that is set counts, as the loader has it.
static const char *const choices[] = {
    "VK_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "VK_LOADER_DRIVERS_SELECT",
    DISABLE,
};
static bool skipped; // of the process, as its environment is: DISABLE is ours

const char *gv_vk_driver_choice(void)
{
    for (size_t i = 0; !skipped && i < sizeof choices / sizeof *choices; i++)
        if (getenv(choices[i]))
            return choices[i];
    return NULL;
}

void gv_vk_skip_drivers(const struct gv_log *log)
{
    if (gv_vk_driver_choice() || access(NODES, F_OK) == 0 || errno != ENOENT)
        return;
    gv_log(log, GV_LOG_DEBUG, "no " NODES ": drivers of hardware are not loaded");
    skipped = setenv(DISABLE, OF_HARDWARE, 1) == 0;
}
