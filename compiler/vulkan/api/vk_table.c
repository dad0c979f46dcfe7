#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

// Names are one block of text, and offsets in it: pointers would cost a relocation
// each, whenever the program starts.
struct names {
    char refused[sizeof "gv_vk_refused"];
#define ROOM(kind, owner, name) char kind##_##owner##_##name[sizeof #name];
#define GV_VK_SCALAR(name, class) ROOM(type, _, name)
#define GV_VK_HANDLE(name) ROOM(type, _, name)
#define GV_VK_ENUM(name, printed) ROOM(type, _, name)
#define GV_VK_FLAGS(name, bits) ROOM(type, _, name)
#define GV_VK_STRUCT(name, s_type) ROOM(type, _, name)
#define GV_VK_UNION(name) ROOM(type, _, name)
#define GV_VK_MEMBER(owner, name, ...) ROOM(member, owner, name)
#define GV_VK_VALUE(name, number) ROOM(value, _, name)
#define GV_VK_FUNCTION(name, result) ROOM(function, _, name)
#define GV_VK_ARGUMENT(owner, c, name, ...) ROOM(member, owner, name)
#define GV_VK_FILE_ID(id, name, core) ROOM(called, _, name)
#define GV_VK_UNKNOWN_ID(id, name) ROOM(called, _, name)
#include "compiler/vulkan/api/vk_api.def"
};

static const struct names names = {
    .refused = "gv_vk_refused",
#define TEXT(kind, owner, name) .kind##_##owner##_##name = #name,
#define GV_VK_SCALAR(name, class) TEXT(type, _, name)
#define GV_VK_HANDLE(name) TEXT(type, _, name)
#define GV_VK_ENUM(name, printed) TEXT(type, _, name)
#define GV_VK_FLAGS(name, bits) TEXT(type, _, name)
#define GV_VK_STRUCT(name, s_type) TEXT(type, _, name)
#define GV_VK_UNION(name) TEXT(type, _, name)
#define GV_VK_MEMBER(owner, name, ...) TEXT(member, owner, name)
#define GV_VK_VALUE(name, number) TEXT(value, _, name)
#define GV_VK_FUNCTION(name, result) TEXT(function, _, name)
#define GV_VK_ARGUMENT(owner, c, name, ...) TEXT(member, owner, name)
#define GV_VK_FILE_ID(id, name, core) TEXT(called, _, name)
#define GV_VK_UNKNOWN_ID(id, name) TEXT(called, _, name)
#include "compiler/vulkan/api/vk_api.def"
};
#define NAME(kind, owner, name) offsetof(struct names, kind##_##owner##_##name)

const char *gv_vk_name(uint32_t name)
{
    return (const char *)&names + name;
}

// Where the fields of each struct and function begin, and those that follow.
enum {
#define GV_VK_STRUCT(name, type) FIRST_##name, BEFORE_##name = FIRST_##name - 1,
#define GV_VK_MEMBER(owner, name, ...) MEMBER_##owner##_##name,
#define GV_VK_FUNCTION(name, result) FIRST_##name, BEFORE_##name = FIRST_##name - 1,
#define GV_VK_ARGUMENT(owner, type, name, ...) MEMBER_##owner##_##name,
#define GV_VK_END_FUNCTION(name) END_##name, UPTO_##name = END_##name - 1,
#define GV_VK_END(name) END_##name, UPTO_##name = END_##name - 1,
#include "compiler/vulkan/api/vk_api.def"
};

// The same of values.
enum {
#define GV_VK_ENUM(name, printed) VALUES_##name, LESS_##name = VALUES_##name - 1,
#define GV_VK_VALUE(name, value) VALUE_##name,
#define GV_VK_END(name) LAST_##name, MORE_##name = LAST_##name - 1,
#include "compiler/vulkan/api/vk_api.def"
};

#define WIDTH(type, member) sizeof(((type *)0)->member)
// Only these are not as large as their type, or a pointer.
#define SIZE_INLINE(owner, member) WIDTH(owner, member)
#define SIZE_TEXT(owner, member) WIDTH(owner, member)
#define SIZE_VALUE(owner, member) 0
#define SIZE_SINGLE(owner, member) 0
#define SIZE_ARRAY(owner, member) 0
#define SIZE_ARRAYS(owner, member) 0
#define SIZE_STRING(owner, member) 0
#define SIZE_STRINGS(owner, member) 0
#define SIZE_CHAIN(owner, member) 0
#define LENGTH_NONE 0, 0, 0
#define LENGTH_OF(member) OF, member, 0
#define LENGTH_AT(member, type) AT, member, type
#define LENGTH_THROUGH(member, type, number) THROUGH, member, type, number
#define LENGTH_QUARTER(member) QUARTER, member, 0
#define LENGTH_PER32(member) PER32, member, 0
#define LENGTH_FIXED(number) FIXED, number, 0
#define RULE(owner, ...) RULE_OF_KIND(owner, __VA_ARGS__)
#define RULE_OF_KIND(owner, kind, ...) RULE_##kind(owner, __VA_ARGS__)
#define RULE_0(owner, ...) \
    {                      \
        0                  \
    }
#define RULE_OF(owner, member, ...)                                     \
    {                                                                   \
        GV_VK_RULE_OF, WIDTH(owner, member), offsetof(owner, member), 0 \
    }
#define RULE_AT(owner, member, type)                            \
    {                                                           \
        GV_VK_RULE_AT, sizeof(type), offsetof(owner, member), 0 \
    }
#define RULE_THROUGH(owner, member, type, number)                         \
    {                                                                     \
        GV_VK_RULE_THROUGH, WIDTH(type, number), offsetof(owner, member), \
            offsetof(type, number)                                        \
    }
#define RULE_QUARTER(owner, member, ...)                                     \
    {                                                                        \
        GV_VK_RULE_QUARTER, WIDTH(owner, member), offsetof(owner, member), 0 \
    }
#define RULE_PER32(owner, member, ...)                                     \
    {                                                                      \
        GV_VK_RULE_PER32, WIDTH(owner, member), offsetof(owner, member), 0 \
    }
#define RULE_FIXED(owner, number, ...) \
    {                                  \
        GV_VK_RULE_FIXED, 0, number, 0 \
    }

#define FIELD(owner, tag, field, held, type_of, counted, present) \
    { .name = NAME(member, tag, field),                           \
      .type = GV_VK_TYPE_##type_of,                               \
      .offset = offsetof(owner, field),                           \
      .size = SIZE_##held(owner, field),                          \
      .form = GV_VK_FORM_##held,                                  \
      .presence = GV_VK_##present,                                \
      .length = RULE(owner, LENGTH_##counted) },

const struct gv_vk_field gv_vk_fields[] = {
#define GV_VK_MEMBER(owner, name, form, type, length, presence) \
    FIELD(owner, owner, name, form, type, length, presence)
#define GV_VK_ARGUMENT(function, c, name, form, type, length, presence) \
    FIELD(struct gv_vk_args_##function, function, name, form, type, length, presence)
#include "compiler/vulkan/api/vk_api.def"
};

const struct gv_vk_value_info gv_vk_values[] = {
#define GV_VK_VALUE(label, number) { NAME(value, _, label), number },
#include "compiler/vulkan/api/vk_api.def"
};

const struct gv_vk_type_info gv_vk_types[GV_VK_TYPE_COUNT] = {
#define TYPE(c_type, kind, ...)                                \
    [GV_VK_TYPE_##c_type] = { .name = NAME(type, _, c_type),   \
                              .size = sizeof(c_type),          \
                              .class = GV_VK_CLASS_##kind,     \
                              .structure_type = GV_VK_NO_TYPE, \
                              __VA_ARGS__ },
#define GV_VK_SCALAR(name, class) TYPE(name, class, .first = 0)
#define GV_VK_HANDLE(name) TYPE(name, HANDLE, .first = 0)
#define GV_VK_ENUM(c, printed)                                    \
    TYPE(c, printed, .bits = GV_VK_TYPE_##c, .first = VALUES_##c, \
         .count = LAST_##c - VALUES_##c)
#define GV_VK_FLAGS(c, names) TYPE(c, FLAGS, .bits = GV_VK_TYPE_##names)
#define GV_VK_STRUCT(struct_name, s_type)                              \
    [GV_VK_TYPE_##struct_name] = { .name = NAME(type, _, struct_name), \
                                   .size = sizeof(struct_name),        \
                                   .class = GV_VK_CLASS_STRUCT,        \
                                   .structure_type = s_type,           \
                                   .first = FIRST_##struct_name,       \
                                   .count = END_##struct_name - FIRST_##struct_name },
#define GV_VK_UNION(name) TYPE(name, UNION, .first = 0)
#include "compiler/vulkan/api/vk_api.def"
    [GV_VK_TYPE_gv_vk_refused] = { .name = offsetof(struct names, refused),
                                   .structure_type = GV_VK_NO_TYPE,
                                   .class = GV_VK_CLASS_REFUSED },
};

const struct gv_vk_function_info gv_vk_functions[GV_VK_FUNCTION_COUNT] = {
#define GV_VK_FUNCTION(function_name, type)                                           \
    [GV_VK_##function_name] = { .name = NAME(function, _, function_name),             \
                                .first = FIRST_##function_name,                       \
                                .count = END_##function_name - FIRST_##function_name, \
                                .size = sizeof(struct gv_vk_args_##function_name),    \
                                .result = GV_VK_TYPE_##type },
#include "compiler/vulkan/api/vk_api.def"
};

static const struct gv_vk_id_info ids[] = {
#define GV_VK_FILE_ID(id, name, core) { id, NAME(called, _, name), GV_VK_##core },
#define GV_VK_UNKNOWN_ID(id, name) { id, NAME(called, _, name), GV_VK_FUNCTION_COUNT },
#include "compiler/vulkan/api/vk_api.def"
};
#define ID_COUNT (sizeof ids / sizeof *ids)

const char *gv_vk_function_name(enum gv_vk_function function)
{
    return gv_vk_name(gv_vk_functions[function].name);
}

const struct gv_vk_id_info *gv_vk_find_id(uint32_t id)
{
    size_t low = 0, high = ID_COUNT;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ids[middle].id == id)
            return &ids[middle];
        if (ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct gv_vk_id_info *gv_vk_find_called(const char *name)
{
    for (size_t i = 0; i < ID_COUNT; i++)
        if (!strcmp(gv_vk_name(ids[i].name), name))
            return &ids[i];
    return NULL;
}

// Structs with a type stand last, in the order of the types.
enum gv_vk_type gv_vk_find_struct(uint32_t structure_type)
{
    size_t low = 0, high = GV_VK_TYPE_gv_vk_refused;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct gv_vk_type_info *type = &gv_vk_types[middle];
        if (type->structure_type == structure_type && structure_type != GV_VK_NO_TYPE)
            return (enum gv_vk_type)middle;
        if (type->structure_type == GV_VK_NO_TYPE ||
            type->structure_type < structure_type)
            low = middle + 1;
        else
            high = middle;
    }
    return GV_VK_TYPE_COUNT;
}

const char *gv_vk_value_name(enum gv_vk_type type, int64_t value)
{
    const struct gv_vk_type_info *names_of = &gv_vk_types[gv_vk_types[type].bits];
    size_t low = names_of->first, high = low + names_of->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (gv_vk_values[middle].value == value)
            return gv_vk_name(gv_vk_values[middle].name);
        if (gv_vk_values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static uint64_t load(const void *at, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, at, size); // little-endian, as everything that reads captures
    return number;
}

bool gv_vk_length_of(const struct gv_vk_field *field, const void *base,
                     uint64_t *length)
{
    const struct gv_vk_length *rule = &field->length;
    const char *at = (const char *)base + rule->offset, *other = NULL;
    *length = 1;
    switch ((enum gv_vk_rule)rule->rule) {
    case GV_VK_RULE_NONE:
        return true;
    case GV_VK_RULE_OF:
        *length = load(at, rule->size);
        return true;
    case GV_VK_RULE_AT:
    case GV_VK_RULE_THROUGH:
        memcpy(&other, at, sizeof other);
        *length = other ? load(other + rule->through, rule->size) : 0;
        return other != NULL;
    case GV_VK_RULE_QUARTER:
        *length = load(at, rule->size) / 4;
        return true;
    case GV_VK_RULE_PER32:
        *length = (load(at, rule->size) + 31) / 32;
        return true;
    case GV_VK_RULE_FIXED:
        *length = rule->offset;
        return true;
    }
    return true;
}

size_t gv_vk_written_array(VkDescriptorType type)
{
    switch ((int)type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return offsetof(VkWriteDescriptorSet, pImageInfo);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return offsetof(VkWriteDescriptorSet, pTexelBufferView);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return offsetof(VkWriteDescriptorSet, pBufferInfo);
    default:
        return 0;
    }
}

static const struct {
    enum gv_vk_function function;
    size_t offset;
} templates[] = {
#define DATA_OF(function)                                               \
    {                                                                   \
        GV_VK_##function, offsetof(struct gv_vk_args_##function, pData) \
    }
    DATA_OF(vkUpdateDescriptorSetWithTemplate),
    DATA_OF(vkCmdPushDescriptorSetWithTemplateKHR),
};

bool gv_vk_is_template_data(enum gv_vk_function function,
                            const struct gv_vk_field *field)
{
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (templates[i].function == function && templates[i].offset == field->offset)
            return true;
    return false;
}
