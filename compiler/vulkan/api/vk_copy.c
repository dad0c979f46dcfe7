// A call, and all that its arguments point to, copied by the rules of vk_api.def.
#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

static bool copy_struct(const struct gv_vk_field *fields, uint32_t count, void *at,
                        struct gv_arena *arena);

static void *load_pointer(const void *at)
{
    void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static void store_pointer(void *at, const void *pointer)
{
    memcpy(at, &pointer, sizeof pointer);
}

static bool copy_elements(enum gv_vk_type type, uint64_t count, void *at,
                          struct gv_arena *arena)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (info->class != GV_VK_CLASS_STRUCT)
        return true;
    for (uint64_t i = 0; i < count; i++)
        if (!copy_struct(&gv_vk_fields[info->first], info->count,
                         (char *)at + i * info->size, arena))
            return false;
    return true;
}

static bool copy_array(enum gv_vk_type type, uint64_t count, void *at,
                       struct gv_arena *arena)
{
    const size_t bytes = (size_t)count * gv_vk_types[type].size; // as many are there
    void *copy = gv_arena_copy(arena, load_pointer(at), bytes);
    store_pointer(at, copy);
    return copy && copy_elements(type, count, copy, arena);
}

static bool copy_string(void *at, struct gv_arena *arena)
{
    const char *text = load_pointer(at);
    const char *copy = text ? gv_arena_copy(arena, text, strlen(text)) : NULL;
    store_pointer(at, copy);
    return copy || !text;
}

static bool copy_strings(uint64_t count, void *at, struct gv_arena *arena)
{
    char **texts =
        gv_arena_copy(arena, load_pointer(at), (size_t)count * sizeof *texts);
    store_pointer(at, texts);
    for (uint64_t i = 0; texts && i < count; i++)
        if (!copy_string(&texts[i], arena))
            return false;
    return texts != NULL;
}

static bool copy_chain(void *at, struct gv_arena *arena)
{
    const VkBaseInStructure *link = load_pointer(at);
    if (!link)
        return true;
    return copy_array(gv_vk_find_struct((uint32_t)link->sType), 1, at, arena);
}

// `at` is the pointer, in the copy.
static bool copy_pointer(const struct gv_vk_field *field, uint64_t count, void *at,
                         struct gv_arena *arena)
{
    if (field->form == GV_VK_FORM_STRINGS)
        return copy_strings(count, at, arena);
    if (field->form == GV_VK_FORM_ARRAYS ||
        field->type == GV_VK_TYPE_VkAccelerationStructureGeometryKHR) {
        store_pointer(at, NULL);
        return true;
    }
    return copy_array(field->type, count, at, arena);
}

static bool copy_field(const struct gv_vk_field *field, void *base,
                       struct gv_arena *arena)
{
    void *at = (char *)base + field->offset;
    uint64_t count;
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        return copy_elements(field->type, 1, at, arena);
    case GV_VK_FORM_INLINE:
        return copy_elements(field->type, field->size / gv_vk_types[field->type].size,
                             at, arena);
    case GV_VK_FORM_TEXT:
        return true;
    case GV_VK_FORM_STRING:
        return copy_string(at, arena);
    case GV_VK_FORM_CHAIN:
        return copy_chain(at, arena);
    case GV_VK_FORM_SINGLE:
    case GV_VK_FORM_ARRAY:
    case GV_VK_FORM_ARRAYS:
    case GV_VK_FORM_STRINGS:
        return !load_pointer(at) || !gv_vk_length_of(field, base, &count) ||
               copy_pointer(field, count, at, arena);
    }
    return true;
}

static bool copy_struct(const struct gv_vk_field *fields, uint32_t count, void *at,
                        struct gv_arena *arena)
{
    for (uint32_t i = 0; i < count; i++)
        if (!copy_field(&fields[i], at, arena))
            return false;
    return true;
}

static bool copy_template(void *at, struct gv_arena *arena)
{
    struct gv_vk_template_data *data =
        gv_arena_copy(arena, load_pointer(at), sizeof *data);
    store_pointer(at, data);
    return data &&
           copy_array(GV_VK_TYPE_VkDescriptorImageInfo, data->image_count,
                      &data->images, arena) &&
           copy_array(GV_VK_TYPE_VkDescriptorBufferInfo, data->buffer_count,
                      &data->buffers, arena) &&
           copy_array(GV_VK_TYPE_VkBufferView, data->texel_count, &data->texels,
                      arena) &&
           copy_array(GV_VK_TYPE_VkAccelerationStructureKHR, data->acceleration_count,
                      &data->accelerations, arena);
}

const struct gv_vk_call *gv_vk_call_copy(const struct gv_vk_call *call,
                                         struct gv_arena *arena)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    const struct gv_vk_field *fields = &gv_vk_fields[info->first];
    struct gv_vk_call *copy = gv_arena_copy(arena, call, sizeof *copy);
    void *args = copy ? gv_arena_copy(arena, call->args, info->size) : NULL;
    if (!args)
        return NULL;
    copy->args = args;
    for (uint32_t i = 0; i < info->count; i++) {
        void *at = (char *)args + fields[i].offset;
        if (gv_vk_is_template_data(call->function, &fields[i])
                ? !copy_template(at, arena)
                : !copy_field(&fields[i], args, arena))
            return NULL;
    }
    return copy;
}
