// Packets that bind things to shader stages: textures, samplers, constants, buffers.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#define STAGE_COMPUTE 2u // of the ABI: may carry another stage in `stage_ex`
#define D3D9_REGISTERS 256u

bool gv_aero_stage_of(struct gv_aero *a, uint32_t stage, uint32_t stage_ex,
                      uint32_t *out, struct gv_error *err)
{
    static const uint8_t plain[] = { GV_DXBC_VERTEX,   GV_DXBC_PIXEL, GV_DXBC_COMPUTE,
                                     GV_DXBC_GEOMETRY, GV_DXBC_HULL,  GV_DXBC_DOMAIN };
    // DXBC program types; 1 (vertex) is invalid, being ambiguous.
    static const uint8_t extended[] = { GV_DXBC_COMPUTE,  GV_DXBC_STAGE_COUNT,
                                        GV_DXBC_GEOMETRY, GV_DXBC_HULL,
                                        GV_DXBC_DOMAIN,   GV_DXBC_COMPUTE };
    bool has_extended = (a->abi & 0xFFFF) >= 3;
    *out = GV_DXBC_STAGE_COUNT;
    if (stage == STAGE_COMPUTE && has_extended)
        *out = stage_ex < sizeof extended ? extended[stage_ex] : GV_DXBC_STAGE_COUNT;
    else if (stage < (has_extended ? 4u : 6u)) // 4 and 5: hull and domain before 1.3
        *out = plain[stage];
    if (*out == GV_DXBC_STAGE_COUNT)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown stage %u (stage_ex %u)",
                            stage, stage_ex);
    return true;
}

// ---- textures ----

bool gv_aero_subresources(struct gv_aero_object *o, struct gv_aero_view *out)
{
    if (o && o->kind == GV_AERO_VIEW) {
        *out = o->view;
        return true;
    }
    if (!o || o->kind != GV_AERO_TEXTURE)
        return false;
    const struct gv_linear_extent *e = &o->texture.base.extent;
    *out = (struct gv_aero_view){ .texture = o,
                                  .format = o->texture.base.format,
                                  .mips = e->mips,
                                  .layers = e->layers };
    return true;
}

bool gv_aero_opaque(const struct gv_aero_view *v)
{
    return v->texture->texture.opaque || v->format->flags & GV_LINEAR_OPAQUE;
}

// Whether reading `source` would read what is rendered through `target`.
static bool conflicts(struct gv_aero_object *source, struct gv_aero_object *target)
{
    struct gv_aero_view s, t;
    if (!gv_aero_subresources(source, &s) || !gv_aero_subresources(target, &t))
        return false;
    return s.texture == t.texture && t.mip >= s.mip && t.mip - s.mip < s.mips &&
           t.layer >= s.layer && t.layer - s.layer < s.layers;
}

void gv_aero_drop_sources(struct gv_aero_context *x, struct gv_aero_object *target)
{
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++)
        for (uint32_t k = 0; k < x->stages[i].texture_limit; k++)
            if (conflicts(x->stages[i].textures[k], target)) {
                x->stages[i].textures[k] = NULL;
                x->stages[i].dirty_textures = true;
            }
}

static void drop_targets(struct gv_aero_context *x, struct gv_aero_object *source)
{
    for (uint32_t i = 0; i < GV_AERO_TARGETS; i++)
        if (conflicts(source, x->targets[i])) {
            x->targets[i] = NULL;
            x->dirty |= GV_AERO_DIRTY_TARGETS;
        }
    if (conflicts(source, x->depth_target)) {
        x->depth_target = NULL;
        x->dirty |= GV_AERO_DIRTY_TARGETS;
    }
}

static void drop_uavs(struct gv_aero_context *x, const struct gv_aero_object *buffer)
{
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++)
        for (uint32_t k = 0; k < GV_AERO_UAVS; k++)
            if (x->stages[i].uavs[k].buffer == buffer) {
                x->stages[i].uavs[k].buffer = NULL;
                x->stages[i].dirty_buffers = true;
            }
}

static void drop_resources(struct gv_aero_context *x,
                           const struct gv_aero_object *buffer)
{
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++)
        for (uint32_t k = 0; k < x->stages[i].texture_limit; k++)
            if (x->stages[i].textures[k] == buffer) {
                x->stages[i].textures[k] = NULL;
                x->stages[i].dirty_buffers = true;
            }
}

// `r`: a texture or view, or a part of a buffer.
static void set_texture_slot(struct gv_aero_context *x, uint32_t stage, uint32_t slot,
                             const struct gv_aero_range *r)
{
    struct gv_aero_stage *s = &x->stages[stage];
    struct gv_aero_object *o = r->buffer;
    s->textures[slot] = o;
    s->resources[slot] = *r;
    s->dirty_textures = s->dirty_buffers = true;
    if (slot >= s->texture_limit)
        s->texture_limit = slot + 1;
    if (!o)
        return;
    o->bound = true;
    if (o->kind == GV_AERO_BUFFER) {
        drop_uavs(x, o);
        return;
    }
    gv_aero_texture_of(o)->bound = true;
    drop_targets(x, o);
}

GV_AERO_HANDLER(gv_aero_set_texture)
{
    uint32_t stage = 0, slot = GV_CMD_U32(c, SET_TEXTURE, slot);
    uint32_t handle = GV_CMD_U32(c, SET_TEXTURE, texture);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_TEXTURE, stage),
                          GV_CMD_U32(c, SET_TEXTURE, stage_ex), &stage, err))
        return false;
    struct gv_aero_object *o = gv_aero_find(a, handle);
    if (slot >= GV_AERO_TEXTURES)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "slot %u", slot);
    if (handle && (!o || (o->kind != GV_AERO_TEXTURE && o->kind != GV_AERO_VIEW &&
                          o->kind != GV_AERO_BUFFER)))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no texture", handle);
    set_texture_slot(x, stage, slot, &(struct gv_aero_range){ o, 0, 0 });
    return true;
}

// ---- samplers ----

GV_AERO_HANDLER(gv_aero_create_sampler)
{
    (void)x;
    struct gv_sampler_desc d = { .max_lod = 1000 };
    uint8_t filter, address[3];
    for (uint32_t i = 0; i < 4; i++) {
        enum gv_aero_enum which = i ? GV_AERO_ENUM_address : GV_AERO_ENUM_filter;
        uint32_t number = gv_cmd_u32(c, GV_AT_CREATE_SAMPLER_filter + 4 * i);
        if (!gv_aero_enum(which, number, i ? &address[i - 1] : &filter))
            return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown %s %u",
                                gv_aero_enum_name(which), number);
    }
    d.mag_filter = d.min_filter = d.mip_filter = filter;
    d.address_u = address[0];
    d.address_v = address[1];
    d.address_w = address[2];
    struct gv_aero_object *o =
        gv_aero_create(a, GV_CMD_U32(c, CREATE_SAMPLER, handle), GV_AERO_SAMPLER, err);
    if (!o)
        return false;
    o->sampler = gv_builder_sampler(a->b, &d);
    return true;
}

// Checks slots [start, start + count) against `limit`.
static bool check_slots(struct gv_aero *a, uint32_t start, uint32_t count,
                        uint32_t limit, struct gv_error *err)
{
    if (start > limit || count > limit - start)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "slots %u+%u pass %u", start, count,
                            limit);
    return true;
}

GV_AERO_HANDLER(gv_aero_set_samplers)
{
    uint32_t stage = 0, start = GV_CMD_U32(c, SET_SAMPLERS, start);
    uint32_t count = GV_CMD_U32(c, SET_SAMPLERS, count);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_SAMPLERS, stage),
                          GV_CMD_U32(c, SET_SAMPLERS, stage_ex), &stage, err) ||
        !check_slots(a, start, count, GV_AERO_SAMPLERS, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t handle = gv_cmd_u32(c, GV_AT_SET_SAMPLERS_tail + 4 * (size_t)i);
        struct gv_aero_object *o = gv_aero_find(a, handle);
        if (handle && (!o || o->kind != GV_AERO_SAMPLER))
            return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no sampler",
                                handle);
        if (o)
            o->bound = true;
        x->stages[stage].samplers[start + i] = o;
    }
    x->stages[stage].dirty_samplers = true;
    return true;
}

// ---- buffers ----

// Entry `i` of {buffer, offset, size, reserved}; the buffer may be none.
static bool read_range(struct gv_aero *a, const struct gv_cmd *c, uint32_t i,
                       struct gv_aero_range *out, struct gv_error *err)
{
    size_t at = GV_AT_SET_CONSTANT_BUFFERS_tail + 16 * (size_t)i;
    uint32_t handle = gv_cmd_u32(c, at);
    struct gv_aero_object *o = gv_aero_find(a, handle);
    if (handle && (!o || o->kind != GV_AERO_BUFFER))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no buffer", handle);
    *out = (struct gv_aero_range){ o, gv_cmd_u32(c, at + 4), gv_cmd_u32(c, at + 8) };
    if (!o)
        return true;
    o->bound = true;
    if (out->offset > o->buffer.base.size ||
        out->size > o->buffer.base.size - out->offset)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "%u bytes at %u pass a buffer of %llu", out->size,
                            out->offset, (unsigned long long)o->buffer.base.size);
    return true;
}

GV_AERO_HANDLER(gv_aero_set_constant_buffers)
{
    uint32_t stage = 0, start = GV_CMD_U32(c, SET_CONSTANT_BUFFERS, start);
    uint32_t count = GV_CMD_U32(c, SET_CONSTANT_BUFFERS, count);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_CONSTANT_BUFFERS, stage),
                          GV_CMD_U32(c, SET_CONSTANT_BUFFERS, stage_ex), &stage, err) ||
        !check_slots(a, start, count, GV_AERO_CONSTANT_BUFFERS, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_range(a, c, i, &x->stages[stage].constants[start + i], err))
            return false;
        x->stages[stage].dirty_constants |= 1u << (start + i);
    }
    return true;
}

GV_AERO_HANDLER(gv_aero_set_shader_resource_buffers)
{
    uint32_t stage = 0, start = GV_CMD_U32(c, SET_SHADER_RESOURCE_BUFFERS, start);
    uint32_t count = GV_CMD_U32(c, SET_SHADER_RESOURCE_BUFFERS, count);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_SHADER_RESOURCE_BUFFERS, stage),
                          GV_CMD_U32(c, SET_SHADER_RESOURCE_BUFFERS, stage_ex), &stage,
                          err) ||
        !check_slots(a, start, count, GV_AERO_TEXTURES, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct gv_aero_range r = { 0 };
        if (!read_range(a, c, i, &r, err))
            return false;
        set_texture_slot(x, stage, start + i, &r);
    }
    return true;
}

// Direct3D 11's initial count: all ones keep what the counter holds.
static void set_counter(const struct gv_aero_range *r, uint32_t initial)
{
    if (!r->buffer || initial == UINT32_MAX)
        return;
    r->buffer->buffer.counter_start = initial;
    r->buffer->buffer.counter_pending = true;
}

GV_AERO_HANDLER(gv_aero_set_unordered_access_buffers)
{
    uint32_t stage = 0, start = GV_CMD_U32(c, SET_UNORDERED_ACCESS_BUFFERS, start);
    uint32_t count = GV_CMD_U32(c, SET_UNORDERED_ACCESS_BUFFERS, count);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_UNORDERED_ACCESS_BUFFERS, stage),
                          GV_CMD_U32(c, SET_UNORDERED_ACCESS_BUFFERS, stage_ex), &stage,
                          err) ||
        !check_slots(a, start, count, GV_AERO_UAVS, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct gv_aero_range r = { 0 };
        if (!read_range(a, c, i, &r, err))
            return false;
        if (r.buffer)
            drop_resources(x, r.buffer);
        set_counter(
            &r, gv_cmd_u32(c, GV_AT_SET_CONSTANT_BUFFERS_tail + 16 * (size_t)i + 12));
        x->stages[stage].uavs[start + i] = r;
    }
    x->stages[stage].dirty_buffers = true;
    return true;
}

// ---- constants without a buffer ----

// The stage and registers of the three constant packets, whose fields agree.
struct registers {
    uint32_t stage, start, count;
};

static bool read_registers(struct gv_aero *a, const struct gv_cmd *c, uint32_t limit,
                           struct registers *out, struct gv_error *err)
{
    out->start = GV_CMD_U32(c, SET_SHADER_CONSTANTS_F, start_register);
    out->count = GV_CMD_U32(c, SET_SHADER_CONSTANTS_F, count);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_SHADER_CONSTANTS_F, stage),
                          GV_CMD_U32(c, SET_SHADER_CONSTANTS_F, stage_ex), &out->stage,
                          err))
        return false;
    if (out->start > limit || out->count > limit - out->start)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "registers %u+%u pass %u",
                            out->start, out->count, limit);
    return true;
}

// Room for `registers` vectors of 16 bytes, made when first written.
static bool vectors(struct gv_aero *a, void **array, uint32_t registers,
                    struct gv_error *err)
{
    if (!*array)
        *array = gv_arena_array(a->arena, registers, 16);
    return *array || gv_out_of_memory(err);
}

GV_AERO_HANDLER(gv_aero_set_shader_constants_f)
{
    struct registers r = { 0 };
    if (!read_registers(a, c, GV_AERO_LEGACY_CONSTANTS, &r, err))
        return false;
    struct gv_aero_stage *s = &x->stages[r.stage];
    void *array = s->legacy;
    if (!vectors(a, &array, GV_AERO_LEGACY_CONSTANTS, err))
        return false;
    s->legacy = array;
    memcpy(s->legacy + 4 * (size_t)r.start, c->p + GV_AT_SET_SHADER_CONSTANTS_F_tail,
           16 * (size_t)r.count);
    s->dirty_constants |= 1;
    if (s->legacy_limit < r.start + r.count)
        s->legacy_limit = r.start + r.count;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_shader_constants_i)
{
    struct registers r = { 0 };
    if (!read_registers(a, c, D3D9_REGISTERS, &r, err))
        return false;
    struct gv_aero_stage *s = &x->stages[r.stage];
    void *array = s->integers;
    if (!vectors(a, &array, D3D9_REGISTERS, err))
        return false;
    s->integers = array;
    memcpy(s->integers + 4 * (size_t)r.start, c->p + GV_AT_SET_SHADER_CONSTANTS_I_tail,
           16 * (size_t)r.count);
    s->dirty_constants |= 2;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_shader_constants_b)
{
    struct registers r = { 0 };
    if (!read_registers(a, c, D3D9_REGISTERS, &r, err))
        return false;
    struct gv_aero_stage *s = &x->stages[r.stage];
    void *array = s->booleans;
    if (!vectors(a, &array, D3D9_REGISTERS, err))
        return false;
    s->booleans = array;
    // Writers disagree: 16 bytes for each register, or 4. The packet's size tells.
    bool wide = (uint64_t)r.count * 16 <= c->size - GV_AT_SET_SHADER_CONSTANTS_B_tail;
    for (uint32_t i = 0; i < r.count; i++)
        s->booleans[4 * (size_t)(r.start + i)] =
            gv_cmd_u32(c, GV_AT_SET_SHADER_CONSTANTS_B_tail +
                              (wide ? 16 : 4) * (size_t)i) != 0;
    s->dirty_constants |= 4;
    return true;
}
