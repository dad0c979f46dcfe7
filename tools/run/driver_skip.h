// Drivers that need not be loaded to know that they have no device.
#ifndef GV_DRIVER_SKIP_H
#define GV_DRIVER_SKIP_H

#include "resources/base/log.h"

// To be called before Vulkan's loader is opened; sets an environment variable, unless
// the user has chosen drivers by one of the loader's own.
void gv_driver_skip(const struct gv_log *log);

#endif
