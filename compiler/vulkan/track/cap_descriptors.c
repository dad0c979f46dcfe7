#include "compiler/vulkan/track/cap_descriptors.h"

#include <stdlib.h>

#define MOST_SETS 32u
#define MOST_PUSH_BYTES 4096u

// ---- layouts ----

static int by_binding(const void *a, const void *b)
{
    const struct gv_cap_binding *x = a, *y = b;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

bool gv_cap_is_dynamic(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

static bool takes_samplers(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER ||
           type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static bool read_binding(struct gv_cap *cap, const VkDescriptorSetLayoutBinding *from,
                         struct gv_cap_binding *to, struct gv_error *err)
{
    *to = (struct gv_cap_binding){ .binding = from->binding,
                                   .type = from->descriptorType,
                                   .count = from->descriptorCount,
                                   .stages = from->stageFlags };
    // Of an inline uniform block it counts bytes.
    if (to->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        to->count = 1;
    if (to->count > GV_CAP_MAX_ELEMENTS)
        return gv_fail(err, GV_ERR_LIMIT, cap->place.offset,
                       "a descriptor array of %u elements", to->count);
    if (!from->pImmutableSamplers || !to->count || !takes_samplers(to->type))
        return true;
    struct gv_cap_ref *samplers =
        gv_arena_array(cap->arena, to->count, sizeof *samplers);
    if (!samplers)
        return gv_cap_no_memory(cap, err);
    for (uint32_t i = 0; i < to->count; i++) {
        samplers[i] =
            gv_cap_refer(cap, GV_VK_ID(from->pImmutableSamplers[i]), GV_CAP_SAMPLER);
        if (!samplers[i].object)
            return gv_cap_fail(cap, err, "binding %u: no immutable sampler %u",
                               from->binding, i);
    }
    to->samplers = samplers;
    return true;
}

bool gv_cap_set_layout(struct gv_cap *cap,
                       const struct gv_vk_args_vkCreateDescriptorSetLayout *args,
                       struct gv_error *err)
{
    const VkDescriptorSetLayoutCreateInfo *info = args->pCreateInfo;
    if (info->bindingCount > GV_CAP_MAX_BINDINGS)
        return gv_fail(err, GV_ERR_LIMIT, cap->place.offset, "%u bindings of a set",
                       info->bindingCount);
    struct gv_cap_set_layout *l = gv_arena_alloc(cap->arena, sizeof *l);
    struct gv_cap_binding *bindings =
        gv_arena_array(cap->arena, info->bindingCount, sizeof *bindings);
    if (!l || !bindings)
        return gv_cap_no_memory(cap, err);
    for (uint32_t i = 0; i < info->bindingCount; i++)
        if (!read_binding(cap, &info->pBindings[i], &bindings[i], err))
            return false;
    qsort(bindings, info->bindingCount, sizeof *bindings, by_binding);
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        if (i && bindings[i].binding == bindings[i - 1].binding)
            return gv_cap_fail(cap, err, "binding %u twice", bindings[i].binding);
        bindings[i].first = l->elements;
        bindings[i].dynamic = l->dynamic;
        if (gv_cap_is_dynamic(bindings[i].type))
            l->dynamic += bindings[i].count;
        l->elements += bindings[i].count;
        if (l->elements > GV_CAP_MAX_ELEMENTS)
            return gv_fail(err, GV_ERR_LIMIT, cap->place.offset,
                           "more than %u descriptors", GV_CAP_MAX_ELEMENTS);
    }
    l->count = info->bindingCount;
    l->bindings = bindings;
    return gv_cap_keep(cap, GV_VK_ID(*args->pSetLayout), GV_CAP_SET_LAYOUT, l, err);
}

const struct gv_cap_binding *gv_cap_layout_find(const struct gv_cap_set_layout *l,
                                                uint32_t binding)
{
    const struct gv_cap_binding key = { .binding = binding };
    return l && l->count ? bsearch(&key, l->bindings, l->count, sizeof key, by_binding)
                         : NULL;
}

static bool push_bytes(const struct gv_cap *cap, const VkPipelineLayoutCreateInfo *info,
                       uint32_t *bytes, struct gv_error *err)
{
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *r = &info->pPushConstantRanges[i];
        if (r->offset > MOST_PUSH_BYTES || r->size > MOST_PUSH_BYTES - r->offset)
            return gv_fail(err, GV_ERR_LIMIT, cap->place.offset,
                           "%u push constants at %u", r->size, r->offset);
        if (r->offset + r->size > *bytes)
            *bytes = r->offset + r->size;
    }
    return true;
}

bool gv_cap_pipeline_layout(struct gv_cap *cap,
                            const struct gv_vk_args_vkCreatePipelineLayout *args,
                            struct gv_error *err)
{
    const VkPipelineLayoutCreateInfo *info = args->pCreateInfo;
    if (info->setLayoutCount > MOST_SETS)
        return gv_fail(err, GV_ERR_LIMIT, cap->place.offset, "%u descriptor sets",
                       info->setLayoutCount);
    struct gv_cap_pipeline_layout *l = gv_arena_alloc(cap->arena, sizeof *l);
    const struct gv_cap_set_layout **sets =
        gv_arena_array(cap->arena, info->setLayoutCount, sizeof(void *));
    if (!l || !sets)
        return gv_cap_no_memory(cap, err);
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const uint64_t id = GV_VK_ID(info->pSetLayouts[i]);
        if (id && !(sets[i] = gv_cap_need(cap, id, GV_CAP_SET_LAYOUT, err)))
            return false;
    }
    l->set_count = info->setLayoutCount;
    l->sets = sets;
    return push_bytes(cap, info, &l->push_bytes, err) &&
           gv_cap_keep(cap, GV_VK_ID(*args->pPipelineLayout), GV_CAP_PIPELINE_LAYOUT, l,
                       err);
}

// ---- sets ----

bool gv_cap_allocate_sets(struct gv_cap *cap,
                          const struct gv_vk_args_vkAllocateDescriptorSets *args,
                          struct gv_error *err)
{
    const VkDescriptorSetAllocateInfo *info = args->pAllocateInfo;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        const struct gv_cap_set_layout *l =
            gv_cap_need(cap, GV_VK_ID(info->pSetLayouts[i]), GV_CAP_SET_LAYOUT, err);
        if (!l)
            return false;
        struct gv_cap_set *set = calloc(
            1, sizeof *set + (size_t)l->elements * sizeof(struct gv_cap_descriptor));
        if (set)
            set->layout = l;
        const struct gv_cap_new n = { .id = GV_VK_ID(args->pDescriptorSets[i]),
                                      .kind = GV_CAP_SET,
                                      .content = set,
                                      .finish = free,
                                      .pool = GV_VK_ID(info->descriptorPool) };
        if (!gv_cap_add(cap, &n, err))
            return false;
    }
    return true;
}

// Where writes go: updates go on in the next binding where one ends.
struct place {
    struct gv_cap_set *set;
    const struct gv_cap_binding *binding;
    uint32_t element;
};

static bool find_place(const struct gv_cap *cap, struct gv_cap_set *set,
                       uint32_t binding, uint32_t element, struct place *out,
                       struct gv_error *err)
{
    *out = (struct place){ .set = set, .element = element };
    if (!set)
        return false;
    out->binding = gv_cap_layout_find(set->layout, binding);
    return out->binding || gv_cap_fail(cap, err, "the set has no binding %u", binding);
}

static struct gv_cap_set *find_set(const struct gv_cap *cap, VkDescriptorSet set,
                                   struct gv_error *err)
{
    return gv_cap_need(cap, GV_VK_ID(set), GV_CAP_SET, err);
}

static struct gv_cap_descriptor *next_place(const struct gv_cap *cap, struct place *p,
                                            struct gv_error *err)
{
    const struct gv_cap_set_layout *l = p->set->layout;
    while (p->element >= p->binding->count) {
        p->element -= p->binding->count;
        p->binding++;
        if (p->binding == l->bindings + l->count) {
            gv_cap_fail(cap, err, "descriptors past the end of their set");
            return NULL;
        }
    }
    return &p->set->elements[p->binding->first + p->element++];
}

static struct gv_cap_descriptor read_image(const struct gv_cap *cap,
                                           const VkDescriptorImageInfo *info,
                                           VkDescriptorType type)
{
    struct gv_cap_descriptor d = { .written = true };
    if (takes_samplers(type))
        d.sampler = gv_cap_refer(cap, GV_VK_ID(info->sampler), GV_CAP_SAMPLER);
    if (type != VK_DESCRIPTOR_TYPE_SAMPLER)
        d.view = gv_cap_refer(cap, GV_VK_ID(info->imageView), GV_CAP_IMAGE_VIEW);
    return d;
}

// The n-th element of a write; false: the write has no data for it.
static bool read_element(const struct gv_cap *cap, const VkWriteDescriptorSet *w,
                         uint32_t n, struct gv_cap_descriptor *out)
{
    switch ((int)w->descriptorType) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        if (w->pImageInfo)
            *out = read_image(cap, &w->pImageInfo[n], w->descriptorType);
        return w->pImageInfo;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (w->pTexelBufferView)
            *out = (struct gv_cap_descriptor){
                .written = true,
                .view = gv_cap_refer(cap, GV_VK_ID(w->pTexelBufferView[n]),
                                     GV_CAP_BUFFER_VIEW)
            };
        return w->pTexelBufferView;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        if (w->pBufferInfo)
            *out = (struct gv_cap_descriptor){
                .written = true,
                .buffer = gv_cap_refer(cap, GV_VK_ID(w->pBufferInfo[n].buffer),
                                       GV_CAP_BUFFER),
                .offset = w->pBufferInfo[n].offset,
                .range = w->pBufferInfo[n].range
            };
        return w->pBufferInfo;
    default: // an inline uniform block, an acceleration structure: not kept
        *out = (struct gv_cap_descriptor){ 0 };
        return true;
    }
}

bool gv_cap_write_set(const struct gv_cap *cap, struct gv_cap_set *set,
                      const VkWriteDescriptorSet *w, struct gv_error *err)
{
    struct place p;
    if (!find_place(cap, set, w->dstBinding, w->dstArrayElement, &p, err))
        return false;
    if (w->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        return true;
    for (uint32_t i = 0; i < w->descriptorCount; i++) {
        struct gv_cap_descriptor *d = next_place(cap, &p, err);
        if (!d)
            return false;
        if (!read_element(cap, w, i, d))
            return gv_cap_fail(cap, err, "a write without its descriptors");
    }
    return true;
}

static bool copy_set(struct gv_cap *cap, const VkCopyDescriptorSet *c,
                     struct gv_error *err)
{
    struct place to, from;
    if (!find_place(cap, find_set(cap, c->srcSet, err), c->srcBinding,
                    c->srcArrayElement, &from, err) ||
        !find_place(cap, find_set(cap, c->dstSet, err), c->dstBinding,
                    c->dstArrayElement, &to, err))
        return false;
    for (uint32_t i = 0; i < c->descriptorCount; i++) {
        const struct gv_cap_descriptor *source = next_place(cap, &from, err);
        struct gv_cap_descriptor *d = source ? next_place(cap, &to, err) : NULL;
        if (!d)
            return false;
        *d = *source;
    }
    return true;
}

bool gv_cap_update_sets(struct gv_cap *cap,
                        const struct gv_vk_args_vkUpdateDescriptorSets *args,
                        struct gv_error *err)
{
    for (uint32_t i = 0; i < args->descriptorWriteCount; i++)
        if (!gv_cap_write_set(cap,
                              find_set(cap, args->pDescriptorWrites[i].dstSet, err),
                              &args->pDescriptorWrites[i], err))
            return false;
    for (uint32_t i = 0; i < args->descriptorCopyCount; i++)
        if (!copy_set(cap, &args->pDescriptorCopies[i], err))
            return false;
    return true;
}

// ---- templates ----

struct template
{
    VkPipelineBindPoint point; // of one for descriptors that are pushed
    uint32_t count;
    const VkDescriptorUpdateTemplateEntry *entries; // [count]
};

bool gv_cap_create_template(
    struct gv_cap *cap, const struct gv_vk_args_vkCreateDescriptorUpdateTemplate *args,
    struct gv_error *err)
{
    const VkDescriptorUpdateTemplateCreateInfo *info = args->pCreateInfo;
    struct template *t = gv_arena_alloc(cap->arena, sizeof *t);
    if (t) {
        t->point = info->pipelineBindPoint;
        t->count = info->descriptorUpdateEntryCount;
        t->entries = gv_arena_copy(cap->arena, info->pDescriptorUpdateEntries,
                                   t->count * sizeof *t->entries);
        t = t->entries ? t : NULL;
    }
    return gv_cap_keep(cap, GV_VK_ID(*args->pDescriptorUpdateTemplate), GV_CAP_TEMPLATE,
                       t, err);
}

bool gv_cap_template_point(const struct gv_cap *cap, uint64_t id,
                           VkPipelineBindPoint *point, struct gv_error *err)
{
    const struct template *t = gv_cap_need(cap, id, GV_CAP_TEMPLATE, err);
    if (t)
        *point = t->point;
    return t;
}

// Takes `count` elements of what a class has left.
#define TAKE(data, name, count)                                          \
    ((count) <= (data)->name##_count                                     \
         ? ((data)->name##_count -= (count), (data)->name##s += (count), \
            (data)->name##s - (count))                                   \
         : NULL)

bool gv_cap_write_with_template(const struct gv_cap *cap, struct gv_cap_set *set,
                                uint64_t id, const struct gv_vk_template_data *data,
                                struct gv_error *err)
{
    const struct template *t = gv_cap_need(cap, id, GV_CAP_TEMPLATE, err);
    if (!t || !set)
        return false;
    if (!data || !data->known)
        return gv_cap_fail(cap, err, "the recorder did not know the template");
    struct gv_vk_template_data left = *data;
    for (uint32_t i = 0; i < t->count; i++) {
        const VkDescriptorUpdateTemplateEntry *e = &t->entries[i];
        VkWriteDescriptorSet w = { .dstBinding = e->dstBinding,
                                   .dstArrayElement = e->dstArrayElement,
                                   .descriptorCount = e->descriptorCount,
                                   .descriptorType = e->descriptorType };
        if (e->descriptorType <= VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
            e->descriptorType == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
            w.pImageInfo = TAKE(&left, image, e->descriptorCount);
        else if (e->descriptorType <= VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
            w.pTexelBufferView = TAKE(&left, texel, e->descriptorCount);
        else if (e->descriptorType <= VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
            w.pBufferInfo = TAKE(&left, buffer, e->descriptorCount);
        if (e->descriptorCount && !gv_cap_write_set(cap, set, &w, err))
            return false;
    }
    return true;
}

bool gv_cap_update_with_template(
    struct gv_cap *cap, const struct gv_vk_args_vkUpdateDescriptorSetWithTemplate *args,
    struct gv_error *err)
{
    return gv_cap_write_with_template(cap, find_set(cap, args->descriptorSet, err),
                                      GV_VK_ID(args->descriptorUpdateTemplate),
                                      args->pData, err);
}
