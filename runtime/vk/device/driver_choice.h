// Which drivers the loader opens: those that the user chose by an environment variable,
// else all, but those of hardware where there is none (gv_vk_skip_drivers).
#ifndef GV_DRIVER_CHOICE_H
#define GV_DRIVER_CHOICE_H

#include "resources/base/log.h"

// The environment variable by which the user chose drivers, or NULL.
const char *gv_vk_driver_choice(void);

// gv_runtime_skip_drivers.
void gv_vk_skip_drivers(const struct gv_log *log);

#endif
