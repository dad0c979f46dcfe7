// From bindings to descriptors: what each descriptor of a pipeline's layout holds,
// checked against what its shaders want.
#include "runtime/vk/context.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/work/draw_state.h"
#include "vm/formats.h"
#include "vm/spirv/spirv_image_format.h"

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
    struct gv_vk_use *use; // to be filled in, where an object is used
};

static bool refuse(const struct spot *s, const char *why, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "set %u binding %u element %u: %s",
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
    return s->rt->device->features.robustness2.nullDescriptor ||
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
    *s->use = (struct gv_vk_use){ .image = image,
                                  .mips = 1,
                                  .layers = image->layers,
                                  .write = storage && s->need->writable,
                                  .stages = s->need->stages };
    return true;
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
    if (!*view &&
        !gv_vk_ok(vkCreateBufferView(s->rt->device->handle, &info, NULL, view),
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

static bool use_buffer(const struct spot *s, bool write)
{
    *s->use = (struct gv_vk_use){ .buffer = s->bound->buffer,
                                  .write = write,
                                  .stages = s->need->stages };
    return true;
}

static bool fill_buffer(const struct spot *s, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(s->rt->device);
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
    return use_buffer(s, storage && s->need->writable);
}

static bool fill_texels(const struct spot *s, struct gv_error *err)
{
    struct gv_vk_bound *b = s->bound;
    bool storage = s->row->type == GV_BINDING_STORAGE_TEXEL_BUFFER;
    VkBufferView *view = &b->texel_views[storage];
    if (gv_storage_numeric(b->format, GV_ASPECT_COLOR) != s->need->numeric)
        return refuse(s, "the shader reads texels of another kind", err);
    if (storage && !gv_storage_format_fits(s->need->image_format, b->format))
        return refuse(s, "the shader declares another format", err);
    if (!*view)
        *view = gv_vk_buffer_view(s->rt->views,
                                  (struct gv_vk_bytes){ b->buffer, b->offset, b->size },
                                  (VkFormat)b->format, storage, err);
    if (!*view)
        return false;
    s->out->texels = *view;
    set_key(s, b->buffer->id, (uint64_t)(uintptr_t)s->out->texels, 0,
            GV_VK_BOUND_TEXELS);
    return use_buffer(s, storage && s->need->writable);
}

// ---- images ----

static bool use_image(const struct spot *s, bool write)
{
    const struct gv_vk_bound *b = s->bound;
    const struct gv_view_shape *v = &b->view;
    *s->use = (struct gv_vk_use){
        .image = b->image,
        .mip = v->mip,
        .mips = v->mips ? v->mips : b->image->mips - v->mip,
        .layer = v->layer,
        .layers = v->layers ? v->layers : b->image->layers - v->layer,
        .write = write,
        .stages = s->need->stages,
    };
    return true;
}

static bool check_view(const struct spot *s, uint32_t format, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    uint32_t numeric = gv_storage_numeric(format, b->view.aspect);
    if (b->view.type != s->need->view_type)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
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

// A sampler that compares is none for a shader that has no depth reference: drivers
// compile code for both that dies (llvmpipe) or compares with what it finds.
static bool takes_texels(const struct spot *s, const struct gv_vk_sampler *sampler)
{
    return sampler->compare && !s->need->compares;
}

static VkSampler handle_of(const struct spot *s, const struct gv_vk_sampler *sampler)
{
    return takes_texels(s, sampler) ? sampler->texels : sampler->handle;
}

static uint64_t id_of(const struct spot *s, const struct gv_vk_sampler *sampler)
{
    return takes_texels(s, sampler) ? sampler->texels_id : sampler->id;
}

static bool check_sampler(const struct spot *s, const struct gv_vk_sampler *sampler,
                          uint32_t format, struct gv_error *err)
{
    const struct gv_vk_bound *b = s->bound;
    VkFormatFeatureFlags features =
        gv_vk_format_features(s->rt->device, (VkFormat)format);
    if (s->need->compares && !sampler->compare)
        return refuse(s, "the shader compares depths, the sampler does not", err);
    // Of comparisons Vulkan asks for no more than that they can be made.
    if (sampler->linear && !s->need->compares && b->image->samples == 1 &&
        !(features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "set %u binding %u element %u: the device cannot filter %s",
                       s->set, s->row->binding, s->element,
                       gv_format_info(format)->name);
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
    s->out->image = (VkDescriptorImageInfo){
        .sampler = !combined    ? VK_NULL_HANDLE
                   : b->sampler ? handle_of(s, b->sampler)
                                : zero_sampler(s),
        .imageView = b->image_view,
        .imageLayout = b->image->rest_layout,
    };
    set_key(s, b->image->id, (uint64_t)(uintptr_t)b->image_view,
            combined && b->sampler ? id_of(s, b->sampler) : 0, GV_VK_BOUND_TEXTURE);
    return use_image(s, storage && s->need->writable);
}

// ---- uniform bytes ----

bool gv_vk_stage_bytes(struct gv_runtime *rt, struct gv_vk_bound *b,
                       struct gv_error *err)
{
    if (b->slice_serial == rt->commands->serial)
        return true;
    size_t padded = (b->byte_count + 15) & ~(size_t)15;
    if (padded > GV_VK_LIMITS(rt->device)->maxUniformBufferRange)
        padded = b->byte_count;
    if (!gv_vk_staging_uniform(rt, padded, &b->slice, err))
        return false;
    memcpy(b->slice.data, b->bytes, b->byte_count);
    memset(b->slice.data + b->byte_count, 0, padded - b->byte_count);
    b->slice_serial = rt->commands->serial;
    return true;
}

static bool fill_bytes(const struct spot *s, struct gv_error *err)
{
    struct gv_vk_bound *b = s->bound;
    if (!gv_vk_stage_bytes(s->rt, b, err))
        return false;
    uint64_t range = (b->byte_count + 15) & ~(uint64_t)15;
    if (range > GV_VK_LIMITS(s->rt->device)->maxUniformBufferRange)
        range = b->byte_count;
    uint64_t offset = s->row->dynamic ? 0 : b->slice.offset;
    s->out->buffer = (VkDescriptorBufferInfo){ b->slice.buffer, offset, range };
    set_key(s, b->slice.id, offset, range, GV_VK_BOUND_BYTES);
    return true;
}

static bool fill_sampler(const struct spot *s, struct gv_error *err)
{
    if (s->need->compares && !s->bound->sampler->compare)
        return refuse(s, "the shader compares depths, the sampler does not", err);
    s->out->image.sampler = handle_of(s, s->bound->sampler);
    set_key(s, id_of(s, s->bound->sampler), 0, 0, GV_VK_BOUND_SAMPLER);
    return true;
}

// ---- sets ----

static bool fill(const struct spot *s, struct gv_error *err)
{
    *s->out = (struct gv_vk_descriptor){ .key = { 0 } };
    *s->use = (struct gv_vk_use){ .stages = 0 };
    if (!s->need->used) {
        // Unwritten would do, but lavapipe looks at all samplers of a set.
        s->out->skip = !s->rt->device->features.robustness2.nullDescriptor;
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

// Fills one descriptor anew; the set changes where its key does.
static bool refill(const struct spot *s, struct gv_vk_content *content,
                   struct gv_error *err)
{
    uint32_t index = (uint32_t)(s->out - content->items);
    const struct gv_vk_descriptor was = *s->out;
    if (!fill(s, err))
        return false;
    if (content->built && memcmp(was.key, s->out->key, sizeof was.key) == 0)
        return true;
    if (content->built)
        content->hash -= gv_vk_descriptor_hash(&was, index);
    content->hash += gv_vk_descriptor_hash(s->out, index);
    content->handle = VK_NULL_HANDLE;
    return true;
}

// The elements of one row that have changed; of uniform bytes, which are staged anew
// for each submission, the only one always.
static bool refill_row(struct spot *s, struct gv_vk_content *content,
                       const struct gv_vk_elements *elements, struct gv_error *err)
{
    bool bytes = s->row->type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC;
    bool all = !content->built || bytes;
    struct gv_vk_descriptor *first = s->out;
    struct gv_vk_use *first_use = s->use;
    if (!all && (!elements || elements->version <= content->built))
        return true;
    for (s->element = 0; s->element < s->row->count; s->element++) {
        s->bound = elements && s->element < elements->count
                       ? &elements->items[s->element]
                       : NULL;
        s->out = first + s->element;
        s->use = first_use + s->element;
        bool changed = s->bound && s->bound->version > content->built;
        if ((all || changed) && !refill(s, content, err))
            return false;
    }
    s->out = first;
    s->use = first_use;
    return true;
}

bool gv_vk_content_update(struct gv_runtime *rt, uint32_t set,
                          struct gv_vk_content *content, struct gv_error *err)
{
    const struct gv_vk_set_layout *layout = content->layout;
    const struct gv_vk_elements *bindings = rt->draw_state->sets[set].bindings;
    struct spot s = { .rt = rt, .set = set };
    uint64_t now = rt->heaps->next_id;
    s.out = content->items;
    s.use = content->uses;
    for (uint32_t r = 0; r < layout->row_count; r++) {
        s.row = &layout->rows[r];
        s.need = &content->needs->rows[r];
        if (!refill_row(&s, content, bindings ? &bindings[s.row->binding] : NULL,
                        err)) {
            content->layout = NULL; // half of it is new
            return false;
        }
        s.out += s.row->count;
        s.use += s.row->count;
    }
    content->built = now;
    return true;
}
