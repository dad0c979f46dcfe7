#include "tests/layers/hide/hide_tables.h"

#include "runtime/vk/device/device.h"
#include "vm/formats.h"

#include <assert.h>
#include <string.h>

// The struct of a member of struct gv_vk_features, by the member's name.
enum {
#define GV_FEATURE_STRUCT(member, type, tag, extension) \
    TYPE_OF_##member = VK_STRUCTURE_TYPE_##tag,
#include "runtime/vk/device/features.def"
};

const struct gv_hide_feature_info gv_hide_features[GV_HIDE_FEATURES] = {
#define GV_FEATURE(member, field)                     \
    { #field, (VkStructureType)TYPE_OF_##member,      \
      offsetof(struct gv_vk_features, member.field) - \
          offsetof(struct gv_vk_features, member) },
#include "runtime/vk/device/features.def"
};

const struct gv_hide_limit_info gv_hide_limits[GV_HIDE_LIMITS] = {
#define GV_LIMIT(field, kind, sense)                                   \
    { #field, offsetof(VkPhysicalDeviceLimits, field), GV_HIDE_##kind, \
      GV_HIDE_##sense },
#include "vm/device_limits.def"
#undef GV_LIMIT
};

const struct gv_hide_property_info gv_hide_properties[GV_HIDE_PROPERTIES] = {
#define GV_HIDE_PROPERTY(type, tag, field)                    \
    { #field, VK_STRUCTURE_TYPE_##tag, offsetof(type, field), \
      sizeof(((type *)0)->field) },
#include "tests/layers/hide/hide_properties.def"
#undef GV_HIDE_PROPERTY
};

static const struct {
    const char *name;
    VkFormat format;
} formats[] = {
#define GV_FORMAT(name, value, ...) { #name, (VkFormat)value },
#include "vm/formats.def"
#undef GV_FORMAT
};
#define FORMATS (sizeof formats / sizeof *formats)
static_assert(FORMATS <= GV_HIDE_FORMATS, "room for every format");

size_t gv_hide_find_feature(const char *name)
{
    for (size_t i = 0; i < GV_HIDE_FEATURES; i++) {
        const char *dot = strrchr(gv_hide_features[i].name, '.');
        if (strcmp(dot ? dot + 1 : gv_hide_features[i].name, name) == 0)
            return i;
    }
    return GV_HIDE_NONE;
}

size_t gv_hide_find_limit(const char *name)
{
    for (size_t i = 0; i < GV_HIDE_LIMITS; i++)
        if (strcmp(gv_hide_limits[i].name, name) == 0)
            return i;
    return GV_HIDE_NONE;
}

size_t gv_hide_find_property(const char *name)
{
    for (size_t i = 0; i < GV_HIDE_PROPERTIES; i++)
        if (strcmp(gv_hide_properties[i].name, name) == 0)
            return i;
    return GV_HIDE_NONE;
}

size_t gv_hide_find_format(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return i;
    return GV_HIDE_NONE;
}

size_t gv_hide_format_row(VkFormat format)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].format == format)
            return i;
    return GV_HIDE_NONE;
}

bool gv_hide_known_extension(const char *name)
{
    static const char *const names[] = {
#define GV_EXTENSION(member, extension) extension,
#include "runtime/vk/device/features.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}
