// Short names of devices: devices.tsv of a golden folder.
#ifndef GV_GOLDEN_DEVICES_H
#define GV_GOLDEN_DEVICES_H

#include "resources/base/error.h"

#include <stdint.h>

#define GV_GOLDEN_DEVICE 64 // bytes of a short name

// A device as Vulkan tells of it.
struct gv_check_device {
    char name[256], driver[256], type[32], api[32], uuid[33];
    uint64_t vendor, device, driver_version, memory_bytes;
};

// Finds the short name of a device, "" if no line is of it. A line has the name, how
// the driver's text begins and VENDOR:DEVICE in hexadecimal, with tabs between; * is
// any. The first line that fits counts. No file is no error. GV_ERR_USAGE names file
// and line.
bool gv_golden_device(char name[GV_GOLDEN_DEVICE], const char *folder,
                      const struct gv_check_device *device, struct gv_error *err);

// Whether some line has that short name.
bool gv_golden_device_known(bool *known, const char *name, const char *folder,
                            struct gv_error *err);

#endif
