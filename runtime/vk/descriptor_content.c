// From bindings to descriptor sets: what each descriptor of a pipeline's layout holds,
// checked against what its shaders want.
#include "runtime/vk/draw_state.h"
#include "runtime/vk/pass.h"
#include "runtime/vk/storage_format.h"
#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

// One descriptor being filled.
struct spot {
    struct gv_runtime *rt;
    uint32_t set, element;
    const struct gv_vk_row *row;
    const struct gv_vk_need *need;
    struct gv_vk_bound *bound; // NULL = nothing was ever bound
    struct gv_vk_descriptor *out;
    struct gv_vk_uses *uses;
};

static bool refuse(const struct spot *s, const char *why, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "set %u binding %u element %u: %s",
                   s->set, s->row->binding, s->element, why);
}

static void set_key(const struct spot *s, uint64_t a, uint64_t b, uint64_t c,
                    uint64_t d)
{
    s->out->key[0] = a;
    s->out->key[1] = b;
    s->out->key[2] = c;
    s->out->key[3] = d;
}

// ---- nothing bound ----

static bool null_allowed(const struct spot *s, struct gv_error *err)
{
    return s->rt->device.features.robustness2.nullDescriptor ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "set %u binding %u: nothing is bound, and the device lacks "
                   "nullDescriptor",
                   s->set, s->row->binding);
}

static VkSampler zero_sampler(const struct spot *s)
{
    const struct gv_vk_draw_state *state = s->rt->draw_state;
    return s->need->compares ? state->zero_compare_sampler : state->zero_sampler;
}

static bool fill_dummy(const struct spot *s, struct gv_error *err)
{
    struct gv_vk_draw_state *state = s->rt->draw_state;
    struct gv_vk_image *image;
    bool storage = s->row->type == GV_BINDING_STORAGE_IMAGE;
    VkImageView view =
        gv_vk_dummy_view(s->rt, &state->dummies, s->need, storage, &image, err);
    if (!view)
        return false;
    s->out->image =
        (VkDescriptorImageInfo){ zero_sampler(s), view, image->rest_layout };
    set_key(s, image->id, (uint64_t)(uintptr_t)view, 0, GV_VK_BOUND_NONE);
    const struct gv_vk_use use = { .image = image,
                                   .mips = 1,
                                   .layers = image->layers,
                                   .write = storage && s->need->writable,
                                   .stages = s->need->stages };
    return gv_vk_uses_add(s->uses, &use, err);
}

static bool fill_zero_texels(const struct spot *s, struct gv_error *err)
{
    static const VkFormat formats[] = {
        [GV_SPIRV_FLOAT] = VK_FORMAT_R32G32B32A32_SFLOAT,
        [GV_SPIRV_SINT] = VK_FORMAT_R32G32B32A32_SINT,
        [GV_SPIRV_UINT] = VK_FORMAT_R32G32B32A32_UINT,
    };
    struct gv_vk_draw_state *state = s->rt->draw_state;
    VkBufferView *view = &state->zero_texels[s->need->numeric];
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = state->zero_buffer,
        .format = formats[s->need->numeric],
        .range = 16,
    };
    if (!*view && !gv_vk_ok(vkCreateBufferView(s->rt->device.handle, &info, NULL, view),
                            "vkCreateBufferView", err))
        return false;
    s->out->texels = *view;
    set_key(s, s->need->numeric, 0, 0, GV_VK_BOUND_NONE);
    return true;
}

// Nothing at all, for descriptors no shader looks at.
static bool fill_null(const struct spot *s)
{
    s->out->image.sampler = zero_sampler(s);
    s->out->image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    s->out->buffer.range = VK_WHOLE_SIZE;
    return true;
}

static bool fill_nothing(const struct spot *s, struct gv_error *err)
{
    struct gv_vk_draw_state *state = s->rt->draw_state;
    switch (s->row->type) {
    case GV_BINDING_COMBINED_IMAGE_SAMPLER:
    case GV_BINDING_SAMPLED_IMAGE:
    case GV_BINDING_STORAGE_IMAGE:
        return fill_dummy(s, err);
    case GV_BINDING_UNIFORM_TEXEL_BUFFER:
        return fill_zero_texels(s, err);
    case GV_BINDING_UNIFORM_BUFFER:
    case GV_BINDING_UNIFORM_BUFFER_DYNAMIC:
        s->out->buffer =
            (VkDescriptorBufferInfo){ state->zero_buffer, 0, state->zero_size };
        return true;
    case GV_BINDING_SAMPLER:
        set_key(s, s->need->compares, 0, 0, GV_VK_BOUND_NONE);
        return fill_null(s);
    default:
        return fill_null(s) && null_allowed(s, err);
    }
}

// ---- buffers ----

static bool add_buffer_use(const struct spot *s, struct gv_vk_buffer *buffer,
                           bool write, struct gv_error *err)
{
    const struct gv_vk_use use = { .buffer = buffer,
                                   .write = write,
                                   .stages = s->need->stages };
    return gv_vk_uses_add(s->uses, &use, err);
}

static bool fill_buffer(const struct spot *s, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(&s->rt->device);
    const struct gv_vk_bound *b = s->bound;
    bool storage = s->row->type == GV_BINDING_STORAGE_BUFFER;
    uint32_t usage = storage ? GV_BUFFER_USAGE_STORAGE : GV_BUFFER_USAGE_UNIFORM;
    uint64_t alignment = storage ? l->minStorageBufferOffsetAlignment
                                 : l->minUniformBufferOffsetAlignment;
    uint64_t most = storage ? l->maxStorageBufferRange : l->maxUniformBufferRange;
    if (!(b->buffer->usage & usage))
        return refuse(s, "the buffer was made without the usage", err);
    if (b->offset % alignment)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "set %u binding %u: offset %llu, the device wants a multiple "
                       "of %llu",
                       s->set, s->row->binding, (unsigned long long)b->offset,
                       (unsigned long long)alignment);
    // More than a uniform range no shader can name; of storage it would be lost.
    if (storage && b->size > most)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "set %u binding %u: %llu bytes, the device allows %llu", s->set,
                       s->row->binding, (unsigned long long)b->size,
                       (unsigned long long)most);
    uint64_t range = b->size < most ? b->size : most;
    s->out->buffer = (VkDescriptorBufferInfo){ b->buffer->handle, b->offset, range };
    set_key(s, b->buffer->id, b->offset, range, GV_VK_BOUND_BUFFER);
    return add_buffer_use(s, b->buffer, storage && s->need->writable, err);
}

static bool fill_texels(const struct spot *s, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    bool storage = s->row->type == GV_BINDING_STORAGE_TEXEL_BUFFER;
    if (gv_storage_numeric(b->format, GV_ASPECT_COLOR) != s->need->numeric)
        return refuse(s, "the shader reads texels of another kind", err);
    if (storage && !gv_storage_format_fits(s->need->image_format, b->format))
        return refuse(s, "the shader declares another format", err);
    s->out->texels = gv_vk_buffer_view(s->rt, b->buffer, (VkFormat)b->format, b->offset,
                                       b->size, storage, err);
    if (!s->out->texels)
        return false;
    set_key(s, b->buffer->id, (uint64_t)(uintptr_t)s->out->texels, 0,
            GV_VK_BOUND_TEXELS);
    return add_buffer_use(s, b->buffer, storage && s->need->writable, err);
}

// ---- images ----

static bool add_image_use(const struct spot *s, bool write, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    const struct gv_vk_view_key *v = &b->view;
    const struct gv_vk_use use = {
        .image = b->image,
        .mip = v->mip,
        .mips = v->mips ? v->mips : b->image->mips - v->mip,
        .layer = v->layer,
        .layers = v->layers ? v->layers : b->image->layers - v->layer,
        .write = write,
        .stages = s->need->stages,
    };
    if (gv_vk_pass_attached(s->rt->pass, use.image, use.mip, use.mips, use.layer,
                            use.layers) &&
        s->rt->in_pass)
        return refuse(s, "feedback loop: the image is an attachment of the pass", err);
    return gv_vk_uses_add(s->uses, &use, err);
}

static bool check_view(const struct spot *s, uint32_t format, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    uint32_t numeric = gv_storage_numeric(format, b->view.aspect);
    if (b->view.type != s->need->view_type)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "set %u binding %u element %u: the view is %s, the shader "
                       "wants %s",
                       s->set, s->row->binding, s->element,
                       gv_enum_value_name(GV_ENUM_ID_VIEW_TYPE, b->view.type),
                       gv_enum_value_name(GV_ENUM_ID_VIEW_TYPE, s->need->view_type));
    if (numeric != s->need->numeric)
        return refuse(s, "the shader reads texels of another kind", err);
    if (s->need->compares && b->view.aspect != GV_ASPECT_DEPTH)
        return refuse(s, "the shader compares depths, the view has none", err);
    if ((b->image->samples > 1) != s->need->multisampled)
        return refuse(s, "the shader wants another number of samples", err);
    return true;
}

static bool check_sampler(const struct spot *s, const struct gv_vk_sampler *sampler,
                          uint32_t format, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    VkFormatFeatureFlags features =
        gv_vk_format_features(&s->rt->device, (VkFormat)format);
    if (s->need->compares && !sampler->compare)
        return refuse(s, "the shader compares depths, the sampler does not", err);
    if (sampler->linear && b->image->samples == 1 &&
        !(features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        return refuse(s, "the device cannot filter the format", err);
    uint32_t mips = b->view.mips ? b->view.mips : b->image->mips - b->view.mip;
    if (sampler->unnormalized && (b->view.type > GV_VIEW_TYPE_2D || mips != 1))
        return refuse(s, "unnormalised coordinates need one mip, 1D or 2D", err);
    return true;
}

static bool fill_image(const struct spot *s, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    uint32_t format = b->view.format ? b->view.format : (uint32_t)b->image->format;
    bool storage = s->row->type == GV_BINDING_STORAGE_IMAGE;
    bool combined = s->row->type == GV_BINDING_COMBINED_IMAGE_SAMPLER;
    if (!check_view(s, format, err))
        return false;
    if (storage && !gv_storage_format_fits(s->need->image_format, format))
        return refuse(s, "the shader declares another format", err);
    if (combined && b->sampler && !check_sampler(s, b->sampler, format, err))
        return false;
    VkImageView view = gv_vk_image_view(s->rt, b->image, &b->view, err);
    if (!view)
        return false;
    s->out->image = (VkDescriptorImageInfo){
        .sampler = !combined    ? VK_NULL_HANDLE
                   : b->sampler ? b->sampler->handle
                                : zero_sampler(s),
        .imageView = view,
        .imageLayout = b->image->rest_layout,
    };
    set_key(s, b->image->id, (uint64_t)(uintptr_t)view,
            combined && b->sampler ? b->sampler->id : 0, GV_VK_BOUND_TEXTURE);
    return add_image_use(s, storage && s->need->writable, err);
}

// ---- uniform bytes ----

// Puts the bytes where this submission's work can read them.
static bool stage_bytes(struct gv_runtime *rt, struct gv_vk_bound *b,
                        struct gv_error *err)
{
    if (b->slice_serial == rt->commands.serial)
        return true;
    size_t padded = (b->byte_count + 15) & ~(size_t)15;
    if (padded > GV_VK_LIMITS(&rt->device)->maxUniformBufferRange)
        padded = b->byte_count;
    if (!gv_vk_staging_uniform(rt, padded, &b->slice, err))
        return false;
    memcpy(b->slice.data, b->bytes, b->byte_count);
    memset(b->slice.data + b->byte_count, 0, padded - b->byte_count);
    b->slice_serial = rt->commands.serial;
    return true;
}

static bool fill_bytes(const struct spot *s, struct gv_error *err)
{
    struct gv_vk_bound *b = s->bound;
    if (!stage_bytes(s->rt, b, err))
        return false;
    uint64_t range = (b->byte_count + 15) & ~(uint64_t)15;
    if (range > GV_VK_LIMITS(&s->rt->device)->maxUniformBufferRange)
        range = b->byte_count;
    uint64_t offset = s->row->dynamic ? 0 : b->slice.offset;
    s->out->buffer = (VkDescriptorBufferInfo){ b->slice.buffer, offset, range };
    set_key(s, (uint64_t)(uintptr_t)b->slice.buffer, offset, range, GV_VK_BOUND_BYTES);
    return true;
}

static bool fill_sampler(const struct spot *s, struct gv_error *err)
{
    if (s->need->compares && !s->bound->sampler->compare)
        return refuse(s, "the shader compares depths, the sampler does not", err);
    s->out->image.sampler = s->bound->sampler->handle;
    set_key(s, s->bound->sampler->id, 0, 0, GV_VK_BOUND_SAMPLER);
    return true;
}

// ---- sets ----

static bool fill(const struct spot *s, struct gv_error *err)
{
    *s->out = (struct gv_vk_descriptor){ .key = { 0 } };
    if (!s->need->used) {
        // Unwritten would do, but lavapipe looks at all samplers of a set.
        s->out->skip = !s->rt->device.features.robustness2.nullDescriptor;
        s->out->key[3] = UINT64_MAX;
        return fill_null(s);
    }
    uint8_t kind = s->bound ? s->bound->kind : GV_VK_BOUND_NONE;
    // A combined binding without its image has nothing to sample.
    if (kind == GV_VK_BOUND_SAMPLER &&
        s->row->type == GV_BINDING_COMBINED_IMAGE_SAMPLER)
        kind = GV_VK_BOUND_NONE;
    if (kind == GV_VK_BOUND_NONE)
        return fill_nothing(s, err);
    bool fits = false;
    switch (s->row->type) {
    case GV_BINDING_UNIFORM_BUFFER_DYNAMIC:
        fits = kind == GV_VK_BOUND_BYTES;
        return fits ? fill_bytes(s, err)
                    : refuse(s, "holds an object, the pipeline wants bytes", err);
    case GV_BINDING_UNIFORM_BUFFER:
    case GV_BINDING_STORAGE_BUFFER:
        fits = kind == GV_VK_BOUND_BUFFER;
        return fits ? fill_buffer(s, err) : refuse(s, "does not hold a buffer", err);
    case GV_BINDING_UNIFORM_TEXEL_BUFFER:
    case GV_BINDING_STORAGE_TEXEL_BUFFER:
        fits = kind == GV_VK_BOUND_TEXELS;
        return fits ? fill_texels(s, err)
                    : refuse(s, "does not hold a texel buffer", err);
    case GV_BINDING_SAMPLER:
        fits = s->bound->sampler != NULL;
        return fits ? fill_sampler(s, err) : refuse(s, "does not hold a sampler", err);
    case GV_BINDING_STORAGE_IMAGE:
        fits = kind == GV_VK_BOUND_STORAGE_IMAGE;
        return fits ? fill_image(s, err)
                    : refuse(s, "does not hold a storage image", err);
    default:
        fits = kind == GV_VK_BOUND_TEXTURE;
        return fits ? fill_image(s, err) : refuse(s, "does not hold a texture", err);
    }
}

static bool build(struct gv_runtime *rt, struct gv_vk_point *point, uint32_t set,
                  const struct gv_vk_need *needs, struct gv_vk_descriptor *contents,
                  struct gv_error *err)
{
    const struct gv_vk_set_layout *layout = point->pipeline->layout->sets[set];
    struct spot s = { .rt = rt, .set = set };
    s.out = contents;
    s.uses = gv_vk_uses_of(rt->draw_state, point, set);
    s.uses->count = 0;
    for (uint32_t r = 0; r < layout->row_count; r++) {
        s.row = &layout->rows[r];
        s.need = &needs[r];
        for (s.element = 0; s.element < s.row->count; s.element++) {
            s.bound =
                gv_vk_bound_at(rt->draw_state, set, s.row->binding, s.element, false);
            if (!fill(&s, err))
                return false;
            s.out++;
        }
    }
    return true;
}

static bool rebuild(struct gv_runtime *rt, struct gv_vk_point *point, uint32_t set,
                    const struct gv_vk_need *needs, VkDescriptorSet *handle,
                    struct gv_error *err)
{
    const struct gv_vk_set_layout *layout = point->pipeline->layout->sets[set];
    struct gv_vk_descriptor few[32], *contents = few;
    if (layout->descriptor_count > 32) {
        contents = malloc(layout->descriptor_count * sizeof *contents);
        if (!contents)
            return gv_out_of_memory(err);
    }
    bool ok = build(rt, point, set, needs, contents, err);
    if (ok) {
        *handle = gv_vk_descriptors_get(rt, &rt->draw_state->descriptors, layout,
                                        contents, err);
        ok = *handle != VK_NULL_HANDLE;
    }
    if (contents != few)
        free(contents);
    return ok;
}

static uint64_t mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) * 0x9e3779b97f4a7c15u;
    return state ^ state >> 29;
}

// Stages bytes and collects dynamic offsets. `out->bytes` sums up what of them a set
// holds itself.
static bool place_bytes(struct gv_runtime *rt, const struct gv_vk_set_layout *layout,
                        uint32_t set, const struct gv_vk_need *needs,
                        struct gv_vk_emitted_set *out, struct gv_error *err)
{
    out->offset_count = 0;
    out->bytes = 0;
    for (uint32_t r = 0; r < layout->row_count; r++) {
        const struct gv_vk_row *row = &layout->rows[r];
        if (row->type != GV_BINDING_UNIFORM_BUFFER_DYNAMIC)
            continue;
        struct gv_vk_bound *b =
            gv_vk_bound_at(rt->draw_state, set, row->binding, 0, false);
        bool bytes = needs[r].used && b && b->kind == GV_VK_BOUND_BYTES;
        if (bytes) {
            if (!stage_bytes(rt, b, err))
                return false;
            out->bytes = mix(out->bytes, (uint64_t)(uintptr_t)b->slice.buffer);
            out->bytes = mix(out->bytes, b->byte_count);
            out->bytes = mix(out->bytes, row->dynamic ? 0 : b->slice.offset);
        }
        if (row->dynamic)
            out->offsets[out->offset_count++] = bytes ? (uint32_t)b->slice.offset : 0;
    }
    return true;
}

static bool emit_set(struct gv_runtime *rt, struct gv_vk_point *point, uint32_t set,
                     const struct gv_vk_need *needs, struct gv_error *err)
{
    struct gv_vk_draw_state *state = rt->draw_state;
    const struct gv_vk_layout *layout = point->pipeline->layout;
    struct gv_vk_emitted_set *was = &point->sets[set];
    struct gv_vk_emitted_set now = *was;
    if (!place_bytes(rt, layout->sets[set], set, needs, &now, err))
        return false;
    now.layout = layout->sets[set];
    now.version = state->sets[set].version;
    now.pipeline = point->pipeline->id;
    now.generation = state->descriptors.generation;
    now.pass_instance = rt->in_pass ? rt->pass->instance : 0;
    bool stale = was->bytes != now.bytes || was->layout != now.layout ||
                 was->version != now.version || was->pipeline != now.pipeline ||
                 was->generation != now.generation ||
                 was->pass_instance != now.pass_instance;
    if (stale && !rebuild(rt, point, set, needs, &now.handle, err))
        return false;
    now.generation = state->descriptors.generation;
    bool same = was->layout == now.layout && was->handle == now.handle &&
                was->offset_count == now.offset_count &&
                memcmp(was->offsets, now.offsets,
                       now.offset_count * sizeof now.offsets[0]) == 0;
    // A set bound with another layout disturbs those after it.
    for (uint32_t later = set + 1; was->layout != now.layout && later < GV_MAX_SETS;
         later++)
        point->sets[later] = (struct gv_vk_emitted_set){ 0 };
    *was = now;
    if (!same && layout->sets[set]->row_count)
        vkCmdBindDescriptorSets(rt->commands.buffer, point->pipeline->bind_point,
                                layout->handle, set, 1, &now.handle, now.offset_count,
                                now.offsets);
    return true;
}

bool gv_vk_emit_sets(struct gv_runtime *rt, struct gv_vk_point *point,
                     struct gv_error *err)
{
    const struct gv_vk_layout *layout = point->pipeline->layout;
    const struct gv_vk_need *needs = point->pipeline->needs;
    for (uint32_t set = 0; set < layout->set_count; set++) {
        if (!emit_set(rt, point, set, needs, err))
            return false;
        needs += layout->sets[set]->row_count;
    }
    return true;
}
