// The device that runs will get, asked of `gpuvm devices` in a process of its own: a
// driver that dies takes nothing else along.
#ifndef GV_CHECK_DEVICE_H
#define GV_CHECK_DEVICE_H

#include "tools/check/golden_devices.h"

#include <stddef.h>

// `wanted` as of `run --device`, or NULL. GV_ERR_DEVICE: there is none.
bool gv_check_device_find(struct gv_check_device *device, const char *program,
                          const char *wanted, struct gv_error *err);

// How many runs at once suit it: a CPU has cores, a GPU is one.
size_t gv_check_device_jobs(const struct gv_check_device *device);

#endif
