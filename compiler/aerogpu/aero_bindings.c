// What shaders read: constants, textures, samplers and buffers of one stage, as calls.
#include "compiler/aerogpu/aero.h"

#include <string.h>

// Slots of D3D9's constants: see dxbc_types.h.
enum { D3D9_FLOATS, D3D9_INTEGERS, D3D9_BOOLEANS };

static const uint8_t zero_bytes[GV_LOWER_KNOWN_BYTES];

// ---- constants ----

// Whether the bytes of a constant buffer are known now.
static bool has_bytes(const struct gv_aero_context *x, const struct gv_aero_variant *v,
                      uint32_t stage, uint32_t slot)
{
    if (v->code.model == GV_DXBC_D3D9 || slot >= GV_AERO_CONSTANT_BUFFERS)
        return true;
    const struct gv_aero_object *o = x->stages[stage].constants[slot].buffer;
    return !o || o->buffer.base.known;
}

uint16_t gv_aero_dynamic_constants(const struct gv_aero_context *x,
                                   const struct gv_aero_variant *v, uint32_t stage,
                                   uint32_t limit)
{
    uint16_t mask = 0;
    for (uint32_t i = 0; i < v->code.cbuffer_count && limit; i++) {
        uint32_t slot = v->code.cbuffers[i].slot;
        if (!has_bytes(x, v, stage, slot))
            continue;
        mask |= (uint16_t)(1u << slot);
        limit--;
    }
    return mask;
}

// What a range binds of its buffer.
static struct gv_lower_bound bound_of(const struct gv_aero_range *r)
{
    if (!r->buffer)
        return (struct gv_lower_bound){ 0 };
    struct gv_lower_buffer *b = &r->buffer->buffer.base;
    return (struct gv_lower_bound){ b, r->offset,
                                    r->size ? r->size : b->size - r->offset };
}

// A constant buffer that a stage reads.
struct constants {
    const struct gv_aero_context *x;
    const struct gv_aero_variant *v;
    uint32_t stage, slot, size; // bytes
};

// The bytes of one whose content is known; what is missing is zero.
static const uint8_t *constant_bytes(struct gv_aero *a, const struct constants *k)
{
    const struct gv_aero_context *x = k->x;
    const struct gv_aero_stage *s = &x->stages[k->stage];
    const struct gv_aero_range *r = &s->constants[k->slot];
    bool d3d9 = k->v->code.model == GV_DXBC_D3D9;
    uint32_t size = k->size;
    const void *bytes = NULL;
    if (d3d9 && k->slot == GV_DXBC_EXTRA_SLOT) {
        const struct gv_dxbc_extra extra = {
            .viewport_size = { x->viewport.set ? x->viewport.to.width
                                               : (float)x->target_set.width,
                               x->viewport.set ? x->viewport.to.height
                                               : (float)x->target_set.height },
            .alpha_reference = (float)x->alpha_test.reference / 255.0f,
        };
        memset(a->padded, 0, size);
        memcpy(a->padded, &extra, sizeof extra < size ? sizeof extra : size);
        return a->padded;
    }
    if (!d3d9 && r->buffer) {
        const struct gv_lower_bound bound = bound_of(r);
        return gv_lower_known_bytes(&bound, size, a->padded);
    }
    if (k->slot == D3D9_FLOATS)
        bytes = s->legacy;
    else if (d3d9 && k->slot == D3D9_INTEGERS)
        bytes = s->integers;
    else if (d3d9 && k->slot == D3D9_BOOLEANS)
        bytes = s->booleans;
    return bytes ? bytes : zero_bytes;
}

// Whose bytes those are: a place in a buffer, or the registers of a context's stage.
static uint64_t constant_block(const struct constants *k)
{
    const struct gv_aero_range *r = &k->x->stages[k->stage].constants[k->slot];
    if (k->v->code.model != GV_DXBC_D3D9 && r->buffer)
        return r->buffer->named.serial << 32 | r->offset;
    return UINT64_C(1) << 63 | (uint64_t)k->x->id << 16 | k->stage << 8 | k->slot;
}

static void bind_constants(struct gv_aero *a, struct gv_aero_context *x, uint32_t stage,
                           const struct gv_aero_variant *v, uint16_t dynamic)
{
    struct gv_aero_stage *s = &x->stages[stage];
    for (uint32_t i = 0; i < v->code.cbuffer_count; i++) {
        const struct gv_dxbc_cbuffer *cb = &v->code.cbuffers[i];
        uint32_t size = cb->size ? cb->size * 16 : 16;
        if (!(s->dirty_constants >> cb->slot & 1))
            continue;
        if (size > GV_LOWER_KNOWN_BYTES)
            size = GV_LOWER_KNOWN_BYTES;
        s->dirty_constants &= ~(1u << cb->slot);
        const struct constants k = { x, v, stage, cb->slot, size };
        const struct gv_lower_place at = { cb->set, cb->binding, 0 };
        const struct gv_lower_bound bound = bound_of(&s->constants[cb->slot]);
        if (dynamic >> cb->slot & 1)
            gv_lower_bind_bytes(a->b, &at, constant_block(&k), constant_bytes(a, &k),
                                size);
        else
            gv_lower_bind_uniform(&a->buffers, &at, &bound, size,
                                  &s->scratch[cb->slot]);
    }
}

// ---- textures ----

static enum gv_lower_shape stand_in_shape(uint32_t dimension)
{
    switch ((enum gv_dxbc_dimension)dimension) {
    case GV_DXBC_TEXTURE_CUBE:
    case GV_DXBC_TEXTURE_CUBE_ARRAY:
        return GV_LOWER_SHAPE_CUBE;
    case GV_DXBC_TEXTURE_1D:
    case GV_DXBC_TEXTURE_1D_ARRAY:
        return GV_LOWER_SHAPE_1D;
    case GV_DXBC_TEXTURE_3D:
        return GV_LOWER_SHAPE_3D;
    case GV_DXBC_TEXTURE_2DMS:
    case GV_DXBC_TEXTURE_2DMS_ARRAY:
        return GV_LOWER_SHAPE_SAMPLES;
    case GV_DXBC_TEXTURE_2D_ARRAY:
    case GV_DXBC_TEXTURE_UNKNOWN:
    case GV_DXBC_TEXTURE_2D:
        break;
    }
    return GV_LOWER_SHAPE_2D;
}

// An image of zeros that a view of `t` fits; the view's swizzle gives alpha 1. None,
// which the runtime takes for zeros, where depths are compared.
static struct gv_image stand_in(struct gv_aero *a, const struct gv_dxbc_texture *t)
{
    return t->compare ? GV_NO_IMAGE
                      : gv_lower_stand_in(&a->stand_ins, stand_in_shape(t->dimension),
                                          t->component);
}
_Static_assert((int)GV_DXBC_UINT == GV_LOWER_TEXELS_UINT &&
                   (int)GV_DXBC_SINT == GV_LOWER_TEXELS_SINT,
               "components are numbered alike");

static uint32_t view_type(uint32_t dimension, uint32_t *layers)
{
    switch ((enum gv_dxbc_dimension)dimension) {
    case GV_DXBC_TEXTURE_CUBE:
        *layers = 6;
        return GV_VIEW_TYPE_CUBE;
    case GV_DXBC_TEXTURE_CUBE_ARRAY:
        *layers -= *layers % 6;
        return GV_VIEW_TYPE_CUBE_ARRAY;
    case GV_DXBC_TEXTURE_2D_ARRAY:
    case GV_DXBC_TEXTURE_2DMS_ARRAY:
        return GV_VIEW_TYPE_2D_ARRAY;
    case GV_DXBC_TEXTURE_1D_ARRAY:
        return GV_VIEW_TYPE_1D_ARRAY;
    case GV_DXBC_TEXTURE_1D:
        *layers = 1;
        return GV_VIEW_TYPE_1D;
    case GV_DXBC_TEXTURE_3D:
        *layers = 1;
        return GV_VIEW_TYPE_3D;
    case GV_DXBC_TEXTURE_UNKNOWN:
    case GV_DXBC_TEXTURE_2D:
    case GV_DXBC_TEXTURE_2DMS:
        break;
    }
    *layers = 1;
    return GV_VIEW_TYPE_2D;
}

// No packet makes textures of these shapes: what is bound there is another one.
static bool check_dimension(struct gv_aero *a, const struct gv_aero_stage *s,
                            const struct gv_dxbc_texture *t, struct gv_error *err)
{
    static const char *const names[] = { [GV_DXBC_TEXTURE_1D] = "1D",
                                         [GV_DXBC_TEXTURE_1D_ARRAY] = "1D array",
                                         [GV_DXBC_TEXTURE_2DMS] = "multisample",
                                         [GV_DXBC_TEXTURE_2DMS_ARRAY] =
                                             "multisample array",
                                         [GV_DXBC_TEXTURE_3D] = "3D",
                                         [GV_DXBC_TEXTURE_CUBE_ARRAY] = NULL };
    if (s->textures[t->slot] && t->dimension < sizeof names / sizeof names[0] &&
        names[t->dimension])
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err, "unsupported: %s texture t%u",
                            names[t->dimension], t->slot);
    return true;
}

static uint32_t sampled_format(const struct gv_aero_context *x, uint32_t stage,
                               uint32_t slot, const struct gv_linear_format *f)
{
    if (!x->d3d9 || !f->sibling || slot >= GV_AERO_SAMPLERS)
        return f->format;
    // Direct3D 9 stores sRGB formats as plain ones; a sampler state decodes.
    bool want = x->samplers9[stage == GV_DXBC_VERTEX ? 0 : 1][slot].srgb;
    bool is = f->flags & GV_LINEAR_SRGB;
    return want == is ? f->format : f->sibling;
}

static void bind_texture(struct gv_aero *a, const struct gv_aero_context *x,
                         uint32_t stage, const struct gv_dxbc_texture *t,
                         struct gv_sampler sampler)
{
    struct gv_aero_view v;
    uint32_t swizzle = GV_LOWER_SWIZZLE_OPAQUE, format = 0, aspect = GV_ASPECT_COLOR;
    bool bound = gv_aero_subresources(x->stages[stage].textures[t->slot], &v);
    uint32_t layers = bound ? v.layers : 6, type = view_type(t->dimension, &layers);
    if (type == GV_VIEW_TYPE_CUBE || type == GV_VIEW_TYPE_CUBE_ARRAY)
        bound = bound && v.texture->texture.base.cube && v.layers >= 6;
    if (!bound)
        v = (struct gv_aero_view){ .mips = 1 };
    struct gv_image image = bound ? v.texture->texture.base.gpu : stand_in(a, t);
    if (!bound) {
        layers = type == GV_VIEW_TYPE_CUBE || type == GV_VIEW_TYPE_CUBE_ARRAY ? 6 : 1;
    } else {
        format =
            gv_aero_device_format(a->b, sampled_format(x, stage, t->slot, v.format));
        swizzle = gv_aero_opaque(&v) ? GV_LOWER_SWIZZLE_OPAQUE : 0;
        if (v.format->flags & GV_LINEAR_DEPTH)
            aspect = GV_ASPECT_DEPTH;
    }
    gv_lower_bind_texture(a->b, &(struct gv_lower_place){ t->set, t->binding, 0 },
                          &(struct gv_lower_texture){ .image = image,
                                                      .type = type,
                                                      .format = format,
                                                      .aspect = aspect,
                                                      .swizzle = swizzle,
                                                      .mip = v.mip,
                                                      .mips = v.mips,
                                                      .layer = v.layer,
                                                      .layers = layers,
                                                      .sampler = sampler });
}

// A typed buffer: no packet names its format, so only an unbound one is possible.
static bool bind_texels(struct gv_aero *a, const struct gv_aero_stage *s,
                        const struct gv_dxbc_texture *t, struct gv_error *err)
{
    const struct gv_aero_object *o = s->textures[t->slot];
    if (o && o->kind == GV_AERO_BUFFER)
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err, "unsupported: typed buffer t%u",
                            t->slot);
    gv_emit(a->b, bind_texel_buffer, .set = t->set, .binding = t->binding, .element = 0,
            .buffer = GV_NO_BUFFER, .offset = 0, .size = 0,
            .format = GV_FORMAT_R32G32B32A32_SFLOAT);
    return true;
}

// ---- samplers ----

static struct gv_sampler d3d9_sampler(struct gv_aero *a,
                                      const struct gv_aero_sampler_state *s)
{
    static const uint8_t addresses[] = {
        GV_ADDRESS_MODE_REPEAT,          GV_ADDRESS_MODE_REPEAT,
        GV_ADDRESS_MODE_MIRRORED_REPEAT, GV_ADDRESS_MODE_CLAMP_TO_EDGE,
        GV_ADDRESS_MODE_CLAMP_TO_BORDER, GV_ADDRESS_MODE_MIRRORED_REPEAT,
    };
    enum { NONE, POINT, LINEAR, ANISOTROPIC };
    struct gv_sampler_desc d = {
        .mag_filter = s->filter[0] == POINT ? GV_FILTER_NEAREST : GV_FILTER_LINEAR,
        .min_filter = s->filter[1] == POINT ? GV_FILTER_NEAREST : GV_FILTER_LINEAR,
        .mip_filter = s->filter[2] <= POINT ? GV_FILTER_NEAREST : GV_FILTER_LINEAR,
        .address_u = addresses[s->address[0]],
        .address_v = addresses[s->address[1]],
        .address_w = addresses[s->address[2]],
        // Without a filter of levels the first one it is, whatever the highest may be;
        // a quarter above it, since up to 0 Vulkan magnifies whatever is.
        .min_lod = s->filter[2] == NONE ? 0.0f : (float)s->max_mip,
        .max_lod = s->filter[2] == NONE ? 0.25f : 1000.0f,
        .border = s->border == UINT32_MAX    ? GV_BORDER_COLOR_FLOAT_OPAQUE_WHITE
                  : s->border == 0xFF000000u ? GV_BORDER_COLOR_FLOAT_OPAQUE_BLACK
                                             : GV_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
    };
    if ((s->filter[0] == ANISOTROPIC || s->filter[1] == ANISOTROPIC) &&
        s->max_anisotropy > 1)
        d.max_anisotropy = s->max_anisotropy < 16 ? (float)s->max_anisotropy : 16.0f;
    return gv_builder_sampler(a->b, &d);
}

static struct gv_sampler sampler_of(struct gv_aero *a, const struct gv_aero_context *x,
                                    uint32_t stage, const struct gv_aero_variant *v,
                                    uint32_t slot)
{
    if (slot >= GV_AERO_SAMPLERS)
        slot = 0;
    if (v->code.model == GV_DXBC_D3D9)
        return d3d9_sampler(a, &x->samplers9[stage == GV_DXBC_VERTEX ? 0 : 1][slot]);
    if (x->stages[stage].samplers[slot])
        return x->stages[stage].samplers[slot]->sampler;
    if (!a->default_sampler.id) {
        const struct gv_sampler_desc d = { .address_u = GV_ADDRESS_MODE_CLAMP_TO_EDGE,
                                           .address_v = GV_ADDRESS_MODE_CLAMP_TO_EDGE,
                                           .address_w = GV_ADDRESS_MODE_CLAMP_TO_EDGE,
                                           .max_lod = 1000 };
        a->default_sampler = gv_builder_sampler(a->b, &d);
    }
    return a->default_sampler;
}

// ---- buffers ----

// The copy of a slot's buffer; made when first needed, NULL: no memory.
static struct gv_lower_copy *copy_of(struct gv_aero *a, struct gv_aero_stage *s,
                                     const struct gv_dxbc_buffer *b,
                                     struct gv_error *err)
{
    struct gv_lower_copy **copies = b->uav ? &s->uav_scratch : &s->resource_scratch;
    if (!*copies)
        *copies = gv_arena_array(a->arena, b->uav ? GV_AERO_UAVS : GV_AERO_TEXTURES,
                                 sizeof **copies);
    if (!*copies)
        gv_out_of_memory(err);
    return *copies ? &(*copies)[b->slot] : NULL;
}

// The hidden counter of an append or consume view is a buffer of its own.
static void bind_counter(struct gv_aero *a, const struct gv_dxbc_buffer *b,
                         const struct gv_aero_range *r)
{
    struct gv_aero_buffer *buffer = r->buffer ? &r->buffer->buffer : NULL;
    if (buffer && !buffer->counter.id) {
        buffer->counter = gv_emit(gv_lower_transfer(&a->pass), buffer_create, .size = 4,
                                  .usage = GV_BUFFER_USAGE_STORAGE);
    }
    if (buffer && buffer->counter_pending) {
        uint8_t start[4];
        for (int i = 0; i < 4; i++)
            start[i] = (uint8_t)(buffer->counter_start >> (8 * i));
        gv_emit(gv_lower_transfer(&a->pass), buffer_upload, .buffer = buffer->counter,
                .offset = 0, .data = gv_data(start), .size = 4);
        buffer->counter_pending = false;
    }
    gv_emit(a->b, bind_buffer, .set = b->set, .binding = b->binding, .element = 0,
            .buffer = buffer ? buffer->counter : GV_NO_BUFFER, .offset = 0, .size = 0);
}

static bool bind_buffer(struct gv_aero *a, struct gv_aero_stage *s, uint32_t stage,
                        const struct gv_dxbc_buffer *b, struct gv_error *err)
{
    struct gv_aero_range r = b->uav ? s->uavs[b->slot] : s->resources[b->slot];
    if (!b->uav && s->textures[b->slot] != r.buffer)
        r.buffer = NULL; // dropped since, or a texture
    if (b->counter) {
        bind_counter(a, b, &r);
        return true;
    }
    const struct gv_lower_place at = { b->set, b->binding, 0 };
    const struct gv_lower_bound bound = bound_of(&r);
    struct gv_lower_copy *copy = NULL;
    if (gv_lower_is_unaligned(&bound)) {
        // A draw that writes a copy would have to bring it home (buffers_written).
        if (b->uav && stage != GV_DXBC_COMPUTE)
            return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err,
                                "unsupported: u%u at byte %llu of a buffer in a draw",
                                b->slot, (unsigned long long)bound.offset);
        copy = copy_of(a, s, b, err);
        if (!copy)
            return false;
    }
    gv_lower_bind_storage(&a->buffers, &at, &bound, b->uav && b->written, copy);
    return true;
}

// Typed elements that are only stored: no packet names their format.
static bool check_open_views(struct gv_aero *a, const struct gv_aero_stage *s,
                             const struct gv_aero_variant *v, struct gv_error *err)
{
    for (uint32_t n = 0; n < GV_AERO_UAVS; n++)
        if (v->code.open_uavs >> n & 1 && s->uavs[n].buffer)
            return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err,
                                "unsupported: typed buffer u%u that is not read", n);
    return true;
}

bool gv_aero_bind_stage(struct gv_aero *a, struct gv_aero_context *x, uint32_t stage,
                        const struct gv_aero_variant *v, uint16_t dynamic,
                        struct gv_error *err)
{
    struct gv_aero_stage *s = &x->stages[stage];
    if (s->dirty_constants)
        bind_constants(a, x, stage, v, dynamic);
    if (s->dirty_textures)
        for (uint32_t i = 0; i < v->code.texture_count; i++) {
            const struct gv_dxbc_texture *t = &v->code.textures[i];
            if (t->type == GV_BINDING_UNIFORM_TEXEL_BUFFER) {
                if (!bind_texels(a, s, t, err))
                    return false;
                continue;
            }
            if (!check_dimension(a, s, t, err))
                return false;
            bool combined = t->type == GV_BINDING_COMBINED_IMAGE_SAMPLER;
            bind_texture(a, x, stage, t,
                         combined ? sampler_of(a, x, stage, v, t->slot)
                                  : GV_NO_SAMPLER);
        }
    if (s->dirty_samplers)
        for (uint32_t i = 0; i < v->code.sampler_count; i++) {
            const struct gv_dxbc_sampler *t = &v->code.samplers[i];
            if (t->type == GV_BINDING_SAMPLER)
                gv_emit(a->b, bind_sampler, .set = t->set, .binding = t->binding,
                        .element = 0, .sampler = sampler_of(a, x, stage, v, t->slot));
        }
    if (v->code.open_uavs && !check_open_views(a, s, v, err))
        return false;
    // Buffers may have been written since: they are looked at each time.
    for (uint32_t i = 0; i < v->code.buffer_count; i++)
        if (!bind_buffer(a, s, stage, &v->code.buffers[i], err))
            return false;
    s->dirty_textures = s->dirty_samplers = s->dirty_buffers = false;
    return true;
}
