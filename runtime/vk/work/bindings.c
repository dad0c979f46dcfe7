// The bind_* calls: what the payload says is remembered; work puts it into sets.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/feedback.h"
#include "vm/descs.h"
#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

static struct gv_vk_bound *place(struct gv_vk_draw_state *state, uint64_t set,
                                 uint64_t binding, uint64_t element,
                                 struct gv_error *err)
{
    if (set >= GV_MAX_SETS || binding >= GV_MAX_BINDING_NUMBER ||
        element >= GV_MAX_BINDING_ELEMENTS) {
        gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "set %llu binding %llu element %llu",
                (unsigned long long)set, (unsigned long long)binding,
                (unsigned long long)element);
        return NULL;
    }
    struct gv_vk_bound *b = gv_vk_bound_at(state, (uint32_t)set, (uint32_t)binding,
                                           (uint32_t)element, true);
    if (!b)
        gv_out_of_memory(err);
    return b;
}

// Compares what identifies a binding; bytes are compared elsewhere.
static bool equal(const struct gv_vk_bound *a, const struct gv_vk_bound *b)
{
    return a->kind == b->kind && a->handle == b->handle &&
           a->sampler_handle == b->sampler_handle && a->offset == b->offset &&
           a->size == b->size && a->format == b->format &&
           memcmp(&a->view, &b->view, sizeof a->view) == 0;
}

// Replaces what is bound, unless it is the same.
static bool put(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                struct gv_vk_bound *b, const struct gv_vk_bound *wanted)
{
    if (!equal(b, wanted))
        gv_vk_bound_replace(heaps, draw_state, b, wanted);
    return true;
}

bool gv_do_bind_uniform_bytes(struct gv_runtime *rt,
                              const struct gv_args_bind_uniform_bytes *a,
                              uint64_t *result, struct gv_error *err)
{
    (void)result;
    size_t size = a->size.u;
    struct gv_vk_bound *b = place(rt->draw_state, a->set.u, a->binding.u, 0, err);
    if (!b)
        return false;
    if (size == 0)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "size: no bytes");
    if (size > GV_VK_LIMITS(rt->device)->maxUniformBufferRange)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "size: %zu uniform bytes, the device allows %u", size,
                       GV_VK_LIMITS(rt->device)->maxUniformBufferRange);
    if (b->kind == GV_VK_BOUND_BYTES && b->byte_count == size &&
        memcmp(b->bytes, a->data.data, size) == 0)
        return true;
    if (b->kind != GV_VK_BOUND_BYTES) {
        const struct gv_vk_bound none = { .kind = GV_VK_BOUND_BYTES };
        gv_vk_bound_replace(rt->heaps, rt->draw_state, b, &none);
    }
    if (b->byte_count < size || !b->bytes) {
        uint8_t *grown = realloc(b->bytes, size);
        if (!grown)
            return gv_out_of_memory(err);
        b->bytes = grown;
    }
    memcpy(b->bytes, a->data.data, size);
    b->byte_count = size;
    b->slice_serial = 0;
    gv_vk_bound_changed(rt->heaps, rt->draw_state, b, true);
    return true;
}

bool gv_do_bind_buffer(struct gv_runtime *rt, const struct gv_args_bind_buffer *a,
                       uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_bound wanted = { .kind = GV_VK_BOUND_BUFFER, .handle = a->buffer.u };
    struct gv_vk_bound *b =
        place(rt->draw_state, a->set.u, a->binding.u, a->element.u, err);
    if (!b)
        return false;
    if (!a->buffer.u) {
        wanted.kind = GV_VK_BOUND_NONE;
        return put(rt->heaps, rt->draw_state, b, &wanted);
    }
    wanted.buffer = gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    wanted.offset = a->offset.u;
    wanted.size = a->size.u;
    if (!wanted.buffer || !gv_vk_buffer_check_bind(wanted.buffer, wanted.offset,
                                                   &wanted.size, "buffer", err))
        return false;
    if (!(wanted.buffer->usage & (GV_BUFFER_USAGE_UNIFORM | GV_BUFFER_USAGE_STORAGE)))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "buffer: made for neither uniform nor storage use");
    return put(rt->heaps, rt->draw_state, b, &wanted);
}

bool gv_do_bind_texel_buffer(struct gv_runtime *rt,
                             const struct gv_args_bind_texel_buffer *a,
                             uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_bound wanted = { .kind = GV_VK_BOUND_TEXELS,
                                  .handle = a->buffer.u,
                                  .format = (uint32_t)a->format.u };
    struct gv_vk_bound *b =
        place(rt->draw_state, a->set.u, a->binding.u, a->element.u, err);
    if (!b)
        return false;
    if (!a->buffer.u) {
        wanted = (struct gv_vk_bound){ .kind = GV_VK_BOUND_NONE };
        return put(rt->heaps, rt->draw_state, b, &wanted);
    }
    wanted.buffer = gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    wanted.offset = a->offset.u;
    wanted.size = a->size.u;
    if (!wanted.buffer || !gv_vk_buffer_check_bind(wanted.buffer, wanted.offset,
                                                   &wanted.size, "buffer", err))
        return false;
    // A range that is no whole number of texels loses its end.
    const struct gv_format_info *info = gv_format_info(wanted.format);
    if (!info || wanted.size < info->block_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "size: less than one texel of the format");
    uint64_t most = GV_VK_LIMITS(rt->device)->maxTexelBufferElements;
    uint64_t texels = wanted.size / info->block_bytes;
    wanted.size = (texels < most ? texels : most) * info->block_bytes;
    return put(rt->heaps, rt->draw_state, b, &wanted);
}

static bool find_sampler(const struct gv_handles *handles, uint64_t handle,
                         struct gv_vk_sampler **out, struct gv_error *err)
{
    *out = handle ? gv_handles_find(handles, GV_KIND_SAMPLER, handle, "sampler", err)
                  : NULL;
    return *out || !handle;
}

bool gv_do_bind_texture(struct gv_runtime *rt, const struct gv_args_bind_texture *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_bound wanted = {
        .kind = GV_VK_BOUND_TEXTURE,
        .handle = a->image.u,
        .sampler_handle = a->sampler.u,
        .view = {
            .use = GV_VIEW_USE_SAMPLED,
            .type = (uint32_t)a->type.u,
            .format = (uint32_t)a->format.u,
            .aspect = (uint32_t)a->aspect.u,
            .swizzle = (uint32_t)a->swizzle.u,
            .mip = (uint32_t)a->mip.u,
            .mips = (uint32_t)a->mips.u,
            .layer = (uint32_t)a->layer.u,
            .layers = (uint32_t)a->layers.u,
        },
    };
    struct gv_vk_bound *b =
        place(rt->draw_state, a->set.u, a->binding.u, a->element.u, err);
    if (!b)
        return false;
    if (equal(b, &wanted)) // and so alive: what dies is no longer bound
        return true;
    if (!find_sampler(&rt->handles, a->sampler.u, &wanted.sampler, err))
        return false;
    if (!a->image.u) {
        memset(&wanted.view, 0, sizeof wanted.view);
        wanted.kind = wanted.sampler ? GV_VK_BOUND_SAMPLER : GV_VK_BOUND_NONE;
        return put(rt->heaps, rt->draw_state, b, &wanted);
    }
    wanted.image = gv_vk_image_find(&rt->handles, a->image.u, "image", err);
    // Made now, so that a refusal names this call.
    if (!wanted.image || !(wanted.image_view = gv_vk_image_view(rt->views, wanted.image,
                                                                &wanted.view, err)))
        return false;
    return put(rt->heaps, rt->draw_state, b, &wanted);
}

bool gv_do_bind_sampler(struct gv_runtime *rt, const struct gv_args_bind_sampler *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_bound wanted = { .kind = GV_VK_BOUND_SAMPLER,
                                  .sampler_handle = a->sampler.u };
    struct gv_vk_bound *b =
        place(rt->draw_state, a->set.u, a->binding.u, a->element.u, err);
    if (!b || !find_sampler(&rt->handles, a->sampler.u, &wanted.sampler, err))
        return false;
    if (!wanted.sampler)
        wanted.kind = GV_VK_BOUND_NONE;
    return put(rt->heaps, rt->draw_state, b, &wanted);
}

bool gv_do_bind_storage_image(struct gv_runtime *rt,
                              const struct gv_args_bind_storage_image *a,
                              uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_bound wanted = {
        .kind = GV_VK_BOUND_STORAGE_IMAGE,
        .handle = a->image.u,
        .view = {
            .use = GV_VIEW_USE_STORAGE,
            .type = (uint32_t)a->type.u,
            .format = (uint32_t)a->format.u,
            .aspect = GV_ASPECT_COLOR,
            .mip = (uint32_t)a->mip.u,
            .mips = 1,
            .layer = (uint32_t)a->layer.u,
            .layers = (uint32_t)a->layers.u,
        },
    };
    struct gv_vk_bound *b =
        place(rt->draw_state, a->set.u, a->binding.u, a->element.u, err);
    if (!b)
        return false;
    if (!a->image.u) {
        wanted = (struct gv_vk_bound){ .kind = GV_VK_BOUND_NONE };
        return put(rt->heaps, rt->draw_state, b, &wanted);
    }
    wanted.image = gv_vk_image_find(&rt->handles, a->image.u, "image", err);
    if (!wanted.image || !(wanted.image_view = gv_vk_image_view(rt->views, wanted.image,
                                                                &wanted.view, err)))
        return false;
    return put(rt->heaps, rt->draw_state, b, &wanted);
}

// ---- pipelines, vertices, indices ----

bool gv_do_bind_pipeline(struct gv_runtime *rt, const struct gv_args_bind_pipeline *a,
                         uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_pipeline *p =
        gv_vk_pipeline_find(&rt->handles, a->pipeline.u, "pipeline", err);
    if (!p)
        return false;
    struct gv_vk_point *point = p->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE
                                    ? &rt->draw_state->compute
                                    : &rt->draw_state->graphics;
    point->handle = a->pipeline.u;
    point->pipeline = p;
    return true;
}

bool gv_do_bind_vertex_buffer(struct gv_runtime *rt,
                              const struct gv_args_bind_vertex_buffer *a,
                              uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (a->slot.u >= GV_MAX_VERTEX_BINDINGS)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "slot %llu",
                       (unsigned long long)a->slot.u);
    if (a->stride.u > GV_VK_LIMITS(rt->device)->maxVertexInputBindingStride)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "stride %llu",
                       (unsigned long long)a->stride.u);
    struct gv_vk_vertex_buffer wanted = { .handle = a->buffer.u };
    if (a->buffer.u) {
        wanted.buffer = gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
        wanted.offset = a->offset.u;
        wanted.size = a->size.u;
        wanted.stride = (uint32_t)a->stride.u;
        if (!wanted.buffer ||
            !gv_vk_buffer_check_usage(wanted.buffer, GV_BUFFER_USAGE_VERTEX, "buffer",
                                      err) ||
            !gv_vk_buffer_check_bind(wanted.buffer, wanted.offset, &wanted.size,
                                     "buffer", err))
            return false;
    }
    struct gv_vk_vertex_buffer *v = &rt->draw_state->vertex[a->slot.u];
    if (v->handle == wanted.handle && v->offset == wanted.offset &&
        v->size == wanted.size && v->stride == wanted.stride)
        return true;
    *v = wanted;
    rt->draw_state->vertex_dirty = true;
    return true;
}

bool gv_do_bind_index_buffer(struct gv_runtime *rt,
                             const struct gv_args_bind_index_buffer *a,
                             uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_index_buffer wanted = {
        .handle = a->buffer.u,
        .offset = a->offset.u,
        .type = (VkIndexType)a->type.u,
        .index_bytes = a->type.u == GV_INDEX_TYPE_UINT8    ? 1
                       : a->type.u == GV_INDEX_TYPE_UINT16 ? 2
                                                           : 4,
    };
    uint64_t rest = 0;
    wanted.buffer = gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    if (!wanted.buffer ||
        !gv_vk_buffer_check_usage(wanted.buffer, GV_BUFFER_USAGE_INDEX, "buffer",
                                  err) ||
        !gv_vk_buffer_check_bind(wanted.buffer, wanted.offset, &rest, "buffer", err))
        return false;
    if (wanted.offset % wanted.index_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "offset: not a multiple of the index size");
    struct gv_vk_index_buffer *i = &rt->draw_state->index;
    if (i->handle == wanted.handle && i->offset == wanted.offset &&
        i->type == wanted.type)
        return true;
    *i = wanted;
    rt->draw_state->index_dirty = true;
    return true;
}
