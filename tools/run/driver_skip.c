#include "tools/run/driver_skip.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// The loader opens every driver that is installed, Mesa's with 4 to 14 MB each. Those
// of hardware find it by the nodes of the kernel's DRM and by nothing else.
#define NODES "/dev/dri"
#define OF_HARDWARE "intel_*,radeon_*,nouveau_*,broadcom_*,asahi_*,panfrost_*,powervr_*"

static const char *const choices[] = {
    "VK_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
};

void gv_driver_skip(const struct gv_log *log)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (getenv(choices[i]))
            return;
    if (access(NODES, F_OK) == 0 || errno != ENOENT)
        return;
    gv_log(log, GV_LOG_DEBUG, "no " NODES ": drivers of hardware are not loaded");
    setenv("VK_LOADER_DRIVERS_DISABLE", OF_HARDWARE, 1);
}
