// The structs of all chains in a call's arguments, found by the rules of vk_api.def.
#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

struct visit {
    gv_vk_chain_fn each;
    void *context;
};

static void visit_struct(const struct visit *v, const struct gv_vk_field *fields,
                         uint32_t count, const void *base);

static const void *load_pointer(const void *at)
{
    const void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

// Structs without sType have no chains, nor does what they hold.
static void visit_elements(const struct visit *v, enum gv_vk_type type, uint64_t count,
                           const void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (info->class != GV_VK_CLASS_STRUCT || info->structure_type == GV_VK_NO_TYPE)
        return;
    for (uint64_t i = 0; i < count; i++)
        visit_struct(v, &gv_vk_fields[info->first], info->count,
                     (const char *)at + i * info->size);
}

// A link's own `pNext` leads to the rest.
static void visit_chain(const struct visit *v, const VkBaseInStructure *link)
{
    if (!link)
        return;
    v->each(v->context, (uint32_t)link->sType);
    visit_elements(v, gv_vk_find_struct((uint32_t)link->sType), 1, link);
}

static void visit_field(const struct visit *v, const struct gv_vk_field *field,
                        const void *base)
{
    const void *at = (const char *)base + field->offset;
    uint64_t count;
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        visit_elements(v, field->type, 1, at);
        return;
    case GV_VK_FORM_CHAIN:
        visit_chain(v, load_pointer(at));
        return;
    case GV_VK_FORM_SINGLE:
    case GV_VK_FORM_ARRAY:
        if (load_pointer(at) && field->type != GV_VK_TYPE_COUNT &&
            field->type != GV_VK_TYPE_VkAccelerationStructureGeometryKHR &&
            gv_vk_length_of(field, base, &count))
            visit_elements(v, field->type, count, load_pointer(at));
        return;
    default: // of what has no chains
        return;
    }
}

static void visit_struct(const struct visit *v, const struct gv_vk_field *fields,
                         uint32_t count, const void *base)
{
    for (uint32_t i = 0; i < count; i++)
        visit_field(v, &fields[i], base);
}

void gv_vk_each_chained(const struct gv_vk_call *call, gv_vk_chain_fn each,
                        void *context)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    const struct visit v = { each, context };
    for (uint32_t i = 0; i < info->count; i++)
        if (!gv_vk_is_template_data(call->function, &gv_vk_fields[info->first + i]))
            visit_field(&v, &gv_vk_fields[info->first + i], call->args);
}
