// Limits and properties of devices by Vulkan's names (device_limits.def): how a value
// is compared with what a device has, and two values with each other.
#ifndef GV_DEVICE_LIMITS_H
#define GV_DEVICE_LIMITS_H

enum gv_limit_sense {
    GV_LIMIT_AT_LEAST,
    GV_LIMIT_AT_MOST, // alignments, low ends of ranges
    GV_LIMIT_BITS,    // all bits of the value
};

// Of the limit of that name; AT_LEAST of one that is not listed.
enum gv_limit_sense gv_device_limit_sense(const char *name);

#endif
