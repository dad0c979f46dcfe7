#include "runtime/vk/device/feature_query.h"

#include <string.h>

// The name of a feature as payloads and messages have it: without its struct.
static const char *plain(const char *field)
{
    const char *dot = strrchr(field, '.');
    return dot ? dot + 1 : field;
}

enum answer { UNKNOWN, ABSENT, ENABLED };

static enum answer ask(const struct gv_vk_device *device, const char *feature)
{
    const struct {
        const char *name;
        bool enabled;
    } rows[] = {
#define GV_FEATURE(member, field) { #field, device->features.member.field },
#define GV_EXTENSION(member, name) { name, device->extensions.member },
#include "runtime/vk/device/features.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(plain(rows[i].name), feature) == 0)
            return rows[i].enabled ? ENABLED : ABSENT;
    return UNKNOWN;
}

bool gv_vk_has(const struct gv_vk_device *device, const char *feature)
{
    return ask(device, feature) == ENABLED;
}

bool gv_vk_lacks(const struct gv_vk_device *device, const char *feature)
{
    return ask(device, feature) == ABSENT;
}

bool gv_vk_require(const struct gv_vk_device *device, const char *feature,
                   struct gv_error *err)
{
    return gv_vk_has(device, feature) ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "the device lacks %s, or the payload does not ask for it", feature);
}
