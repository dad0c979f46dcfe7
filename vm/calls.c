#include "vm/calls.h"

#include <string.h>

#define GV_STATE_0 0
#define GV_CALL(name, code, result, sets, reads, doc) \
    static const struct gv_arg_info args_of_##name[] = {
#define GV_ARG(name, kind, of, role) \
    { #name, GV_ARG_##kind, GV_ENUM_ID_##of, GV_ROLE_##role },
#define GV_CALL_END \
    {               \
        0           \
    }               \
    }               \
    ;
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

const struct gv_call_info gv_call_infos[GV_CALL_LIMIT] = {
#define GV_CALL(name, code, result, sets, reads, doc)                  \
    [code] = { #name,                                                  \
               GV_KIND_##result,                                       \
               sizeof(args_of_##name) / sizeof(args_of_##name[0]) - 1, \
               GV_STATE_##sets,                                        \
               GV_STATE_##reads,                                       \
               doc,                                                    \
               args_of_##name },
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
};

// Nobody has room for more.
#define GV_CALL(name, code, result, sets, reads, doc)                        \
    _Static_assert(sizeof(args_of_##name) / sizeof(args_of_##name[0]) - 1 <= \
                       GV_MAX_ARGS,                                          \
                   "too many arguments of " #name);
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

struct enum_value {
    const char *name;
    uint64_t value;
};

#define GV_ENUM(name) static const struct enum_value values_of_##name[] = {
#define GV_FLAGS(name) static const struct enum_value values_of_##name[] = {
#define GV_VALUE(of, name, value) { #name, value },
#define GV_ENUM_END(name) \
    {                     \
        NULL, 0           \
    }                     \
    }                     \
    ;
#include "vm/enums.def"
#undef GV_ENUM
#undef GV_FLAGS
#undef GV_VALUE
#undef GV_ENUM_END

static const struct {
    const char *name;
    bool flags;
    const struct enum_value *values; // ends with a NULL name
} enums[] = {
    [GV_ENUM_ID_NONE] = { NULL, false, NULL },
#define GV_ENUM(name) [GV_ENUM_ID_##name] = { #name, false, values_of_##name },
#define GV_FLAGS(name) [GV_ENUM_ID_##name] = { #name, true, values_of_##name },
#define GV_VALUE(of, name, value)
#define GV_ENUM_END(name)
#include "vm/enums.def"
#undef GV_ENUM
#undef GV_FLAGS
#undef GV_VALUE
#undef GV_ENUM_END
};

#define ENUM_COUNT (sizeof enums / sizeof enums[0])

int gv_call_find(const char *name)
{
    for (int i = 0; i < GV_CALL_LIMIT; i++)
        if (gv_call_infos[i].name && strcmp(gv_call_infos[i].name, name) == 0)
            return i;
    return -1;
}

static uint64_t fnv1a(uint64_t hash, const void *data, size_t n)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

uint64_t gv_call_signature(enum gv_call call)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    if (!info->name)
        return 0;
    uint64_t hash = 14695981039346656037u;
    hash = fnv1a(hash, info->name, strlen(info->name) + 1);
    hash = fnv1a(hash, &info->result, 1);
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct gv_arg_info *arg = &info->args[i];
        hash = fnv1a(hash, arg->name, strlen(arg->name) + 1);
        hash = fnv1a(hash, (const uint8_t[2]){ arg->kind, arg->of }, 2);
    }
    return hash;
}

enum gv_kind gv_arg_object_kind(enum gv_arg_kind kind, bool *optional)
{
    *optional = kind >= GV_ARG_BUFFER_OPT;
    switch (kind) {
    case GV_ARG_BUFFER:
    case GV_ARG_BUFFER_OPT:
        return GV_KIND_BUFFER;
    case GV_ARG_IMAGE:
    case GV_ARG_IMAGE_OPT:
        return GV_KIND_IMAGE;
    case GV_ARG_SAMPLER:
    case GV_ARG_SAMPLER_OPT:
        return GV_KIND_SAMPLER;
    case GV_ARG_SHADER:
    case GV_ARG_SHADER_OPT:
        return GV_KIND_SHADER;
    case GV_ARG_PIPELINE:
        return GV_KIND_PIPELINE;
    case GV_ARG_QUERY:
        return GV_KIND_QUERY;
    case GV_ARG_MAP:
        return GV_KIND_MAP;
    case GV_ARG_U32:
    case GV_ARG_I32:
    case GV_ARG_U64:
    case GV_ARG_F32:
    case GV_ARG_BOOL:
    case GV_ARG_ENUM:
    case GV_ARG_FLAGS:
    case GV_ARG_FORMAT:
    case GV_ARG_FORMAT_OPT:
    case GV_ARG_BYTES:
    case GV_ARG_SIZE:
        break;
    }
    return GV_KIND_NONE;
}

const char *gv_enum_name(enum gv_enum_id id)
{
    return (size_t)id < ENUM_COUNT ? enums[id].name : NULL;
}

bool gv_enum_is_flags(enum gv_enum_id id)
{
    return (size_t)id < ENUM_COUNT && enums[id].flags;
}

bool gv_enum_valid(enum gv_enum_id id, uint64_t value)
{
    if ((size_t)id >= ENUM_COUNT || !enums[id].values)
        return false;
    if (!enums[id].flags)
        return gv_enum_value_name(id, value) != NULL;
    for (const struct enum_value *v = enums[id].values; v->name; v++)
        value &= ~v->value;
    return value == 0;
}

const char *gv_enum_value_name(enum gv_enum_id id, uint64_t value)
{
    if ((size_t)id >= ENUM_COUNT || !enums[id].values)
        return NULL;
    for (const struct enum_value *v = enums[id].values; v->name; v++)
        if (v->value == value)
            return v->name;
    return NULL;
}

bool gv_enum_value_find(enum gv_enum_id id, const char *name, uint64_t *value)
{
    if ((size_t)id >= ENUM_COUNT || !enums[id].values)
        return false;
    for (const struct enum_value *v = enums[id].values; v->name; v++)
        if (strcmp(v->name, name) == 0) {
            *value = v->value;
            return true;
        }
    return false;
}

float gv_arg_f32(union gv_arg arg)
{
    uint32_t bits = (uint32_t)arg.u;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
