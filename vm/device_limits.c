#include "vm/device_limits.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    enum gv_limit_sense sense;
} limits[] = {
#define GV_LIMIT(field, kind, sense) { #field, GV_LIMIT_##sense },
#define GV_PROPERTY(member, field, sense) { #field, GV_LIMIT_##sense },
#include "vm/device_limits.def"
};

enum gv_limit_sense gv_device_limit_sense(const char *name)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (strcmp(limits[i].name, name) == 0)
            return limits[i].sense;
    return GV_LIMIT_AT_LEAST;
}
