// What the layer hides: the rules of GV_HIDE, read once per instance. README.md beside
// this file has their syntax.
#ifndef GV_HIDE_RULES_H
#define GV_HIDE_RULES_H

#include "tests/layers/hide/hide_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_HIDE_MAX_EXTENSIONS 64

struct gv_hide_extension {
    char name[VK_MAX_EXTENSION_NAME_SIZE];
    bool hidden; // else shown: an exception to `all_extensions`
};

struct gv_hide_limit {
    bool set;
    double value;
};

struct gv_hide_property {
    bool set;
    uint64_t value;
};

// Zero-initialised it hides nothing.
struct gv_hide_rules {
    bool features[GV_HIDE_FEATURES]; // hidden ones, by row
    bool named[GV_HIDE_FEATURES];    // hidden, and not by *
    bool all_extensions;             // hidden, but for exceptions
    struct gv_hide_extension extensions[GV_HIDE_MAX_EXTENSIONS];
    size_t extension_count;
    struct gv_hide_limit limits[GV_HIDE_LIMITS];            // by row
    struct gv_hide_property properties[GV_HIDE_PROPERTIES]; // by row
    uint64_t formats[GV_HIDE_FORMATS]; // hidden bits, by row; buffer bits << 32
    // Memory as it is shown; counts of 0 show the driver's.
    VkMemoryType types[VK_MAX_MEMORY_TYPES];
    uint32_t type_count;
    VkMemoryHeap heaps[VK_MAX_MEMORY_HEAPS];
    uint32_t heap_count;
    uint32_t queue_families; // put before the driver's; none of them draws
    uint32_t submits;        // that a device takes before it is lost; 0: it is not
    bool exhausted;          // no memory for devices
    bool portability;        // VK_KHR_portability_subset, with nothing of it
};

// Reads rules. False: what is wrong was said on stderr.
bool gv_hide_rules_read(struct gv_hide_rules *rules, const char *text);

// Whether an extension of the driver is hidden.
bool gv_hide_extension(const struct gv_hide_rules *rules, const char *name);

#endif
