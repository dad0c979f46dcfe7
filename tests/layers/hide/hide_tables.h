// Names of features, limits, properties and formats, and where they are in their
// structs.
#ifndef GV_HIDE_TABLES_H
#define GV_HIDE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define GV_HIDE_FORMATS 256 // at least the rows of vm/formats.def
#define GV_HIDE_NONE SIZE_MAX

enum {
#define GV_FEATURE(member, field) +1
    GV_HIDE_FEATURES = 0
#include "runtime/vk/device/features.def"
    ,
#define GV_LIMIT(field, kind, sense) +1
    GV_HIDE_LIMITS = 0
#include "vm/device_limits.def"
#undef GV_LIMIT
    ,
#define GV_HIDE_PROPERTY(type, tag, field) +1
    GV_HIDE_PROPERTIES = 0
#include "tests/layers/hide/hide_properties.def"
#undef GV_HIDE_PROPERTY
};

struct gv_hide_feature_info {
    const char *name;
    VkStructureType type; // of the struct it is in
    size_t offset;        // in that struct
};
extern const struct gv_hide_feature_info gv_hide_features[GV_HIDE_FEATURES];

enum gv_hide_sense { GV_HIDE_AT_LEAST, GV_HIDE_AT_MOST, GV_HIDE_BITS };
enum gv_hide_kind {
    GV_HIDE_U32,
    GV_HIDE_I32,
    GV_HIDE_F32,
    GV_HIDE_U64,
    GV_HIDE_SIZE,
};

struct gv_hide_limit_info {
    const char *name;
    size_t offset; // in VkPhysicalDeviceLimits
    enum gv_hide_kind kind;
    enum gv_hide_sense sense;
};
extern const struct gv_hide_limit_info gv_hide_limits[GV_HIDE_LIMITS];

struct gv_hide_property_info {
    const char *name;
    VkStructureType type;
    size_t offset, size;
};
extern const struct gv_hide_property_info gv_hide_properties[GV_HIDE_PROPERTIES];

// Rows by name; GV_HIDE_NONE: there is none.
size_t gv_hide_find_feature(const char *name);
size_t gv_hide_find_limit(const char *name);
size_t gv_hide_find_property(const char *name);
size_t gv_hide_find_format(const char *name);
// Whether it is a device extension of features.def.
bool gv_hide_known_extension(const char *name);
// Row of a VkFormat.
size_t gv_hide_format_row(VkFormat format);

#endif
