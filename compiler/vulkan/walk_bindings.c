// What pipelines read and write: descriptors of the sets that are bound, vertices,
// indices, push constants.
#include "compiler/vulkan/walk_pipeline.h"

#include "vm/formats.h"

#include <string.h>

static struct gv_walk_point *point(struct gv_walk *w, VkPipelineBindPoint at)
{
    switch ((int)at) {
    case VK_PIPELINE_BIND_POINT_GRAPHICS:
        return &w->state->graphics;
    case VK_PIPELINE_BIND_POINT_COMPUTE:
        return &w->state->compute;
    default:
        gv_walk_unsupported(w, "bind point %d", (int)at);
        return NULL;
    }
}

GV_WALK_COMMAND(vkCmdBindPipeline)
{
    struct gv_walk_point *at = point(w, a->pipelineBindPoint);
    if (!at) // and nobody made a pipeline for it
        return true;
    struct gv_walk_pipeline *p =
        gv_cap_need(w->cap, GV_VK_ID(a->pipeline), GV_CAP_PIPELINE, err);
    if (!p)
        return false;
    if ((at == &w->state->compute) != (p->compute != NULL))
        return gv_cap_fail(w->cap, err, "a pipeline of another bind point");
    at->pipeline = p;
    return true;
}

GV_WALK_COMMAND(vkCmdBindDescriptorSets)
{
    struct gv_walk_point *p = point(w, a->pipelineBindPoint);
    uint32_t offset = 0;
    if (!p)
        return true;
    if (a->firstSet > GV_WALK_SETS ||
        a->descriptorSetCount > GV_WALK_SETS - a->firstSet)
        return gv_cap_fail(w->cap, err, "sets %u+%u", a->firstSet,
                           a->descriptorSetCount);
    for (uint32_t i = 0; i < a->descriptorSetCount; i++) {
        struct gv_walk_set *to = &p->sets[a->firstSet + i];
        const uint64_t id = GV_VK_ID(a->pDescriptorSets[i]);
        const struct gv_cap_set *set =
            id ? gv_cap_need(w->cap, id, GV_CAP_SET, err) : NULL;
        if (id && !set)
            return false;
        const uint32_t takes = set ? set->layout->dynamic : 0;
        if (takes > a->dynamicOffsetCount - offset)
            return gv_cap_fail(w->cap, err, "%u dynamic offsets",
                               a->dynamicOffsetCount);
        *to =
            (struct gv_walk_set){ .ref = gv_cap_refer(w->cap, id, GV_CAP_SET),
                                  .offsets = takes ? a->pDynamicOffsets + offset : NULL,
                                  .offset_count = takes };
        offset += takes;
    }
    return true;
}

// The set that descriptors are pushed to: what was pushed before stays, if the layout
// does.
static bool find_pushed(struct gv_walk *w, VkPipelineBindPoint at,
                        VkPipelineLayout layout, uint32_t set, struct gv_cap_set **out,
                        struct gv_error *err)
{
    const struct gv_cap_pipeline_layout *l =
        gv_cap_need(w->cap, GV_VK_ID(layout), GV_CAP_PIPELINE_LAYOUT, err);
    struct gv_walk_point *p = point(w, at);
    *out = NULL;
    if (!l || !p)
        return l != NULL;
    if (set >= l->set_count || !l->sets[set])
        return gv_cap_fail(w->cap, err, "its layout has no set %u", set);
    struct gv_walk_set *to = &p->sets[set];
    if (!to->pushed || to->pushed->layout != l->sets[set]) {
        struct gv_cap_set *pushed = gv_arena_alloc(
            &w->submission,
            sizeof *pushed + l->sets[set]->elements * sizeof(struct gv_cap_descriptor));
        if (!pushed)
            return gv_cap_no_memory(w->cap, err);
        pushed->layout = l->sets[set];
        *to = (struct gv_walk_set){ .pushed = pushed };
    }
    *out = to->pushed;
    return true;
}

GV_WALK_COMMAND(vkCmdPushDescriptorSetKHR)
{
    struct gv_cap_set *set;
    if (!find_pushed(w, a->pipelineBindPoint, a->layout, a->set, &set, err))
        return false;
    for (uint32_t i = 0; set && i < a->descriptorWriteCount; i++)
        if (!gv_cap_write_set(w->cap, set, &a->pDescriptorWrites[i], err))
            return false;
    return true;
}

GV_WALK_COMMAND(vkCmdPushDescriptorSetWithTemplateKHR)
{
    struct gv_cap_set *set;
    VkPipelineBindPoint at;
    const uint64_t id = GV_VK_ID(a->descriptorUpdateTemplate);
    return gv_cap_template_point(w->cap, id, &at, err) &&
           find_pushed(w, at, a->layout, a->set, &set, err) &&
           (!set || gv_cap_write_with_template(w->cap, set, id, a->pData, err));
}

GV_WALK_COMMAND(vkCmdPushConstants)
{
    if (a->offset > GV_WALK_PUSH_BYTES || a->size > GV_WALK_PUSH_BYTES - a->offset)
        return gv_cap_fail(w->cap, err, "%u bytes at %u", a->size, a->offset);
    memcpy(w->state->push + a->offset, a->pValues, a->size);
    return true;
}

// ---- vertices and indices ----

struct vertex_range {
    uint32_t first, count;
    const VkBuffer *buffers;
    const VkDeviceSize *offsets, *sizes, *strides; // sizes, strides: NULL, as before
};

static bool bind_vertices(struct gv_walk *w, const struct vertex_range *r,
                          struct gv_error *err)
{
    if (r->first > GV_MAX_VERTEX_BINDINGS ||
        r->count > GV_MAX_VERTEX_BINDINGS - r->first)
        return gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset, "%s: bindings %u+%u",
                       w->cap->name, r->first, r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        struct gv_walk_vertices *v = &w->state->vertices[r->first + i];
        const uint64_t id = r->buffers ? GV_VK_ID(r->buffers[i]) : 0;
        if (id && !gv_cap_need(w->cap, id, GV_CAP_BUFFER, err))
            return false;
        v->buffer = gv_cap_refer(w->cap, id, GV_CAP_BUFFER);
        v->offset = r->offsets ? r->offsets[i] : 0;
        v->size = r->sizes ? r->sizes[i] : VK_WHOLE_SIZE;
        if (r->strides)
            v->stride =
                (uint32_t)(r->strides[i] < UINT16_MAX ? r->strides[i] : UINT16_MAX);
    }
    return true;
}

GV_WALK_COMMAND(vkCmdBindVertexBuffers)
{
    return bind_vertices(w,
                         &(struct vertex_range){ .first = a->firstBinding,
                                                 .count = a->bindingCount,
                                                 .buffers = a->pBuffers,
                                                 .offsets = a->pOffsets },
                         err);
}

GV_WALK_COMMAND(vkCmdBindVertexBuffers2)
{
    return bind_vertices(w,
                         &(struct vertex_range){ .first = a->firstBinding,
                                                 .count = a->bindingCount,
                                                 .buffers = a->pBuffers,
                                                 .offsets = a->pOffsets,
                                                 .sizes = a->pSizes,
                                                 .strides = a->pStrides },
                         err);
}

GV_WALK_COMMAND(vkCmdBindIndexBuffer)
{
    const uint64_t id = GV_VK_ID(a->buffer);
    if (!gv_cap_need(w->cap, id, GV_CAP_BUFFER, err))
        return false;
    w->state->index_buffer = gv_cap_refer(w->cap, id, GV_CAP_BUFFER);
    w->state->index_offset = a->offset;
    w->state->index_type = a->indexType;
    return true;
}

bool gv_walk_emit_vertices(struct gv_walk *w, const struct gv_walk_variant *v)
{
    for (uint32_t i = 0; i < v->slot_count; i++) {
        const struct gv_walk_slot *s = &v->slots[i];
        const struct gv_walk_vertices *from = &w->state->vertices[s->binding];
        struct gv_cap_buffer *buffer = gv_cap_ref_content(&from->buffer, GV_CAP_BUFFER);
        const struct gv_buffer lowered =
            buffer ? gv_walk_buffer(w, buffer) : GV_NO_BUFFER;
        const uint64_t offset = from->offset + s->offset;
        // One vertex past the end reads zeros, as from no buffer.
        const bool there = lowered.id && offset < buffer->size;
        uint64_t size = from->size == VK_WHOLE_SIZE || from->size <= s->offset
                            ? 0
                            : from->size - s->offset;
        if (there && size > buffer->size - offset)
            size = 0;
        if (there)
            gv_walk_reads(w, &buffer->base, offset, size ? size : UINT64_MAX);
        gv_emit(w->b, bind_vertex_buffer, .slot = i,
                .buffer = there ? lowered : GV_NO_BUFFER, .offset = there ? offset : 0,
                .size = there ? size : 0, .stride = s->stride);
    }
    return true;
}

bool gv_walk_emit_indices(struct gv_walk *w)
{
    const struct gv_walk_state *s = w->state;
    struct gv_cap_buffer *buffer = gv_cap_ref_content(&s->index_buffer, GV_CAP_BUFFER);
    const struct gv_buffer lowered = buffer ? gv_walk_buffer(w, buffer) : GV_NO_BUFFER;
    if (!lowered.id)
        return false;
    gv_walk_reads(w, &buffer->base, s->index_offset, UINT64_MAX);
    gv_emit(w->b, bind_index_buffer, .buffer = lowered, .offset = s->index_offset,
            .type = (uint32_t)s->index_type);
    return true;
}

// ---- descriptors ----

// One element to bind.
struct spot {
    struct gv_walk *w;
    const struct gv_walk_used *used;
    const struct gv_cap_descriptor *d; // NULL: never written
    uint32_t element;
    uint32_t dynamic; // bytes added to the offset
};

static void bind_buffer(const struct spot *s)
{
    const struct gv_binding_desc *to = &s->used->desc;
    struct gv_cap_buffer *buffer =
        s->d ? gv_cap_ref_content(&s->d->buffer, GV_CAP_BUFFER) : NULL;
    const struct gv_buffer lowered =
        buffer ? gv_walk_buffer(s->w, buffer) : GV_NO_BUFFER;
    uint64_t offset = s->d ? s->d->offset + s->dynamic : 0;
    const bool there = lowered.id && offset < buffer->size;
    uint64_t size = there ? buffer->size - offset : 0;
    if (there && s->d->range < size)
        size = s->d->range;
    if (there)
        gv_walk_reads(s->w, &buffer->base, offset, size);
    const struct gv_buffer bound = !there ? GV_NO_BUFFER
                                   : to->type == GV_BINDING_UNIFORM_BUFFER
                                       ? gv_walk_aligned(s->w, buffer, &offset, size)
                                       : lowered;
    gv_emit(s->w->b, bind_buffer, .set = to->set, .binding = to->binding,
            .element = s->element, .buffer = bound, .offset = there ? offset : 0,
            .size = size);
    if (there && to->type == GV_BINDING_STORAGE_BUFFER)
        gv_cap_device_wrote(&buffer->base, offset, size);
}

static void bind_texels(const struct spot *s)
{
    const struct gv_binding_desc *to = &s->used->desc;
    const struct gv_walk_buffer_view *view =
        s->d ? gv_cap_ref_content(&s->d->view, GV_CAP_BUFFER_VIEW) : NULL;
    struct gv_cap_buffer *buffer =
        view ? gv_cap_ref_content(&view->buffer, GV_CAP_BUFFER) : NULL;
    const struct gv_buffer lowered =
        buffer ? gv_walk_buffer(s->w, buffer) : GV_NO_BUFFER;
    const bool there = lowered.id && view->offset < buffer->size;
    uint64_t size = there ? buffer->size - view->offset : 0;
    if (there && view->range < size)
        size = view->range;
    if (there)
        gv_walk_reads(s->w, &buffer->base, view->offset, size);
    gv_emit(s->w->b, bind_texel_buffer, .set = to->set, .binding = to->binding,
            .element = s->element, .buffer = there ? lowered : GV_NO_BUFFER,
            .offset = there ? view->offset : 0, .size = size,
            .format = there ? (uint32_t)view->format : GV_FORMAT_R8G8B8A8_UNORM);
    if (there && to->type == GV_BINDING_STORAGE_TEXEL_BUFFER)
        gv_cap_device_wrote(&buffer->base, view->offset, size);
}

static uint32_t swizzle_of(const VkComponentMapping *m)
{
    return (uint32_t)m->r | (uint32_t)m->g << 4 | (uint32_t)m->b << 8 |
           (uint32_t)m->a << 12;
}

// Of cubes or not: drivers of OpenGL ask for edges between faces on every sampler,
// which is nothing to other images, and not every device can.
static struct gv_sampler sampler_of(const struct spot *s, bool cube)
{
    const struct gv_cap_binding *b = s->used->binding;
    const struct gv_cap_ref *ref = b->samplers ? &b->samplers[s->element]
                                   : s->d      ? &s->d->sampler
                                               : NULL;
    const struct gv_walk_sampler *sampler =
        ref ? gv_cap_ref_content(ref, GV_CAP_SAMPLER) : NULL;
    if (!sampler)
        return GV_NO_SAMPLER;
    if (sampler->unsupported)
        gv_walk_unsupported(s->w, "%s", sampler->unsupported);
    struct gv_sampler_desc desc = sampler->desc;
    desc.non_seamless_cube = desc.non_seamless_cube && cube;
    return gv_builder_sampler(s->w->b, &desc);
}

// False: it cannot be bound.
static bool bind_image(const struct spot *s)
{
    const struct gv_binding_desc *to = &s->used->desc;
    const struct gv_walk_view *view =
        s->d ? gv_cap_ref_content(&s->d->view, GV_CAP_IMAGE_VIEW) : NULL;
    struct gv_cap_image *image =
        view ? gv_cap_ref_content(&view->image, GV_CAP_IMAGE) : NULL;
    const bool stored = to->type == GV_BINDING_STORAGE_IMAGE;
    struct gv_image lowered = image ? gv_walk_image(s->w, image) : GV_NO_IMAGE;
    const bool there = lowered.id;
    if (there)
        gv_walk_reads(s->w, &image->base, 0, UINT64_MAX);
    if (there && !gv_walk_read_image(s->w, image, view, stored, &lowered))
        return false;
    const VkImageSubresourceRange none = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT };
    const VkImageSubresourceRange *r = there ? &view->range : &none;
    const uint32_t format =
        there && view->format != image->info.format ? (uint32_t)view->format : 0;
    // An input attachment is read where it would be written.
    const bool input = s->used->binding->type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    if (input && s->w->pass.layers > 1) {
        gv_walk_unsupported(s->w, "input attachments of several layers");
        return false;
    }
    const uint32_t type =
        there && !input ? (uint32_t)view->type : (uint32_t)GV_VIEW_TYPE_2D;
    const bool cube = type == GV_VIEW_TYPE_CUBE || type == GV_VIEW_TYPE_CUBE_ARRAY;
    if (stored) {
        gv_emit(s->w->b, bind_storage_image, .set = to->set, .binding = to->binding,
                .element = s->element, .image = lowered, .type = type, .format = format,
                .mip = r->baseMipLevel, .layer = r->baseArrayLayer,
                .layers = r->layerCount);
        if (there)
            gv_cap_device_wrote(&image->base, 0, UINT64_MAX);
        return true;
    }
    gv_emit(
        s->w->b, bind_texture, .set = to->set, .binding = to->binding,
        .element = s->element, .image = lowered, .type = type, .format = format,
        .aspect = r->aspectMask & 7, .swizzle = there ? swizzle_of(&view->swizzle) : 0,
        .mip = r->baseMipLevel, .mips = r->levelCount,
        .layer = r->baseArrayLayer + (input ? s->w->pass.view : 0),
        .layers = input ? 1 : r->layerCount,
        .sampler = to->type == GV_BINDING_COMBINED_IMAGE_SAMPLER ? sampler_of(s, cube)
                                                                 : GV_NO_SAMPLER);
    return true;
}

static bool bind_spot(const struct spot *s)
{
    const struct gv_binding_desc *to = &s->used->desc;
    switch ((enum gv_of_BINDING)to->type) {
    case GV_BINDING_SAMPLER:
        gv_emit(s->w->b, bind_sampler, .set = to->set, .binding = to->binding,
                .element = s->element, .sampler = sampler_of(s, true));
        return true;
    case GV_BINDING_COMBINED_IMAGE_SAMPLER:
    case GV_BINDING_SAMPLED_IMAGE:
    case GV_BINDING_STORAGE_IMAGE:
        return bind_image(s);
    case GV_BINDING_UNIFORM_TEXEL_BUFFER:
    case GV_BINDING_STORAGE_TEXEL_BUFFER:
        bind_texels(s);
        return true;
    case GV_BINDING_UNIFORM_BUFFER:
    case GV_BINDING_STORAGE_BUFFER:
    case GV_BINDING_UNIFORM_BUFFER_DYNAMIC:
        bind_buffer(s);
        return true;
    }
    return true;
}

static bool bind_used(struct gv_walk *w, const struct gv_walk_point *p,
                      const struct gv_walk_used *used)
{
    const struct gv_walk_set *bound = &p->sets[used->set];
    const struct gv_cap_set *set =
        bound->pushed ? bound->pushed : gv_cap_ref_content(&bound->ref, GV_CAP_SET);
    // Sets of compatible layouts have the same bindings.
    const struct gv_cap_binding *b =
        set ? gv_cap_layout_find(set->layout, used->binding->binding) : NULL;
    for (uint32_t i = 0; i < used->desc.count; i++) {
        const struct gv_cap_descriptor *d =
            b && i < b->count ? &set->elements[b->first + i] : NULL;
        const uint32_t dynamic =
            b && gv_cap_is_dynamic(b->type) && b->dynamic + i < bound->offset_count
                ? bound->offsets[b->dynamic + i]
                : 0;
        if (!bind_spot(&(struct spot){ .w = w,
                                       .used = used,
                                       .d = d && d->written ? d : NULL,
                                       .element = i,
                                       .dynamic = dynamic }))
            return false;
    }
    return true;
}

bool gv_walk_emit_bindings(struct gv_walk *w, const struct gv_walk_point *p)
{
    const struct gv_walk_pipeline *pipeline = p->pipeline;
    gv_builder_binds_anew(w->b);
    for (uint32_t i = 0; i < pipeline->used_count; i++)
        if (!bind_used(w, p, &pipeline->used[i]))
            return false;
    if (pipeline->push_bytes)
        gv_emit(w->b, bind_uniform_bytes, .set = GV_WALK_PUSH_SET,
                .binding = GV_WALK_PUSH_BINDING, .data = gv_data(w->state->push),
                .size = pipeline->push_bytes);
    return true;
}
