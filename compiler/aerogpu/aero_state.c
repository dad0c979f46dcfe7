// Packets that set state: checked, noted, and emitted only when a draw needs them.
#include "compiler/aerogpu/aero.h"

#include <math.h>
#include <string.h>

// Translates an enumeration field or fails by its name.
static bool field(struct gv_aero *a, enum gv_aero_enum which, uint32_t number,
                  uint8_t *value, struct gv_error *err)
{
    return gv_aero_enum(which, number, value) ||
           gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown %s %u",
                        gv_aero_enum_name(which), number);
}

GV_AERO_HANDLER(gv_aero_nothing)
{
    (void)a, (void)x, (void)c, (void)err;
    return true;
}

static bool blend_alpha(struct gv_aero *a, const struct gv_cmd *c,
                        struct gv_aero_blend *b, struct gv_error *err)
{
    b->src_alpha = b->src;
    b->dst_alpha = b->dst;
    b->op_alpha = b->op;
    const struct {
        uint32_t at;
        enum gv_aero_enum which;
        uint8_t *value;
    } fields[] = {
        { GV_AT_SET_BLEND_STATE_src_alpha, GV_AERO_ENUM_blend_factor, &b->src_alpha },
        { GV_AT_SET_BLEND_STATE_dst_alpha, GV_AERO_ENUM_blend_factor, &b->dst_alpha },
        { GV_AT_SET_BLEND_STATE_op_alpha, GV_AERO_ENUM_blend_op, &b->op_alpha },
    };
    for (size_t i = 0; i < 3; i++)
        if (fields[i].at + 4 <= c->size &&
            !field(a, fields[i].which, gv_cmd_u32(c, fields[i].at), fields[i].value,
                   err))
            return false;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_blend_state)
{
    struct gv_aero_blend b = { .enable = GV_CMD_U32(c, SET_BLEND_STATE, enable) != 0,
                               .separate_alpha = true,
                               .constant = { 1, 1, 1, 1 },
                               .sample_mask = UINT32_MAX };
    if (!field(a, GV_AERO_ENUM_blend_factor, GV_CMD_U32(c, SET_BLEND_STATE, src),
               &b.src, err) ||
        !field(a, GV_AERO_ENUM_blend_factor, GV_CMD_U32(c, SET_BLEND_STATE, dst),
               &b.dst, err) ||
        !field(a, GV_AERO_ENUM_blend_op, GV_CMD_U32(c, SET_BLEND_STATE, op), &b.op,
               err) ||
        !blend_alpha(a, c, &b, err))
        return false;
    // The packet of the first ABI ends behind the write mask; later fields default.
    for (uint32_t i = 0; i < 4; i++)
        if (GV_AT_SET_BLEND_STATE_constant_r + 4 * i + 4 <= c->size)
            b.constant[i] = gv_cmd_f32(c, GV_AT_SET_BLEND_STATE_constant_r + 4 * i);
    if (GV_AT_SET_BLEND_STATE_sample_mask + 4 <= c->size)
        b.sample_mask = GV_CMD_U32(c, SET_BLEND_STATE, sample_mask);
    memset(b.write_mask, c->p[GV_AT_SET_BLEND_STATE_write_mask] & 0xF,
           sizeof b.write_mask);
    x->blend = b;
    x->dirty |= GV_AERO_DIRTY_PIPELINE | GV_AERO_DIRTY_BLEND_CONSTANT;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_depth_stencil_state)
{
    const struct gv_lower_stencil_face keep = { .compare = GV_COMPARE_ALWAYS };
    struct gv_aero_depth d = {
        .enable = GV_CMD_U32(c, SET_DEPTH_STENCIL_STATE, depth_enable) != 0,
        .write = GV_CMD_U32(c, SET_DEPTH_STENCIL_STATE, depth_write) != 0,
        .stencil_enable = GV_CMD_U32(c, SET_DEPTH_STENCIL_STATE, stencil_enable) != 0,
        .read_mask = c->p[GV_AT_SET_DEPTH_STENCIL_STATE_read_mask],
        .write_mask = c->p[GV_AT_SET_DEPTH_STENCIL_STATE_write_mask],
        .two_sided = x->depth.two_sided,
        .reference = x->depth.reference,
        .front = keep,
        .back = keep,
    };
    if (!field(a, GV_AERO_ENUM_compare,
               GV_CMD_U32(c, SET_DEPTH_STENCIL_STATE, depth_func), &d.compare, err))
        return false;
    x->depth = d;
    x->explicit_depth = true;
    x->dirty |= GV_AERO_DIRTY_PIPELINE | GV_AERO_DIRTY_STENCIL;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_rasterizer_state)
{
    uint32_t fill = GV_CMD_U32(c, SET_RASTERIZER_STATE, fill);
    struct gv_aero_raster r = {
        .wireframe = fill == 1,
        .front_ccw = GV_CMD_U32(c, SET_RASTERIZER_STATE, front_ccw) != 0,
        .scissor_enable = GV_CMD_U32(c, SET_RASTERIZER_STATE, scissor_enable) != 0,
        .clamp = GV_CMD_U32(c, SET_RASTERIZER_STATE, flags) & 1, // depth clip disabled
        .depth_bias = (int32_t)GV_CMD_U32(c, SET_RASTERIZER_STATE, depth_bias),
    };
    if (fill > 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown fill mode %u", fill);
    if (!field(a, GV_AERO_ENUM_cull, GV_CMD_U32(c, SET_RASTERIZER_STATE, cull), &r.cull,
               err))
        return false;
    x->raster = r;
    x->cull9 = 0; // the last writer wins
    x->dirty |=
        GV_AERO_DIRTY_PIPELINE | GV_AERO_DIRTY_VIEWPORT | GV_AERO_DIRTY_DEPTH_BIAS;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_viewport)
{
    (void)a, (void)err;
    float v[6];
    bool usable = true;
    for (uint32_t i = 0; i < 6; i++) {
        v[i] = gv_cmd_f32(c, GV_AT_SET_VIEWPORT_x + 4 * i);
        usable = usable && isfinite(v[i]);
    }
    x->viewport.set = usable && v[2] > 0 && v[3] > 0;
    if (x->viewport.set) {
        float lo = fminf(fmaxf(v[4], 0), 1), hi = fminf(fmaxf(v[5], 0), 1);
        x->viewport.to = (struct gv_lower_viewport){
            .x = v[0],
            .y = v[1],
            .width = v[2],
            .height = v[3],
            .min_depth = fminf(lo, hi), // reversed ranges are swapped
            .max_depth = fmaxf(lo, hi),
        };
    }
    x->dirty |= GV_AERO_DIRTY_VIEWPORT;
    // The half-pixel shift of Direct3D 9 vertex shaders depends on the size.
    x->stages[GV_DXBC_VERTEX].dirty_constants |= 1u << GV_DXBC_EXTRA_SLOT;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_scissor)
{
    (void)a, (void)err;
    x->scissor.to = (struct gv_lower_scissor){
        .x = (int32_t)GV_CMD_U32(c, SET_SCISSOR, x),
        .y = (int32_t)GV_CMD_U32(c, SET_SCISSOR, y),
        .width = (int32_t)GV_CMD_U32(c, SET_SCISSOR, width),
        .height = (int32_t)GV_CMD_U32(c, SET_SCISSOR, height),
    };
    x->scissor.set = x->scissor.to.width > 0 && x->scissor.to.height > 0;
    x->dirty |= GV_AERO_DIRTY_VIEWPORT;
    return true;
}

// ---- input assembly ----

GV_AERO_HANDLER(gv_aero_set_vertex_buffers)
{
    uint32_t start = GV_CMD_U32(c, SET_VERTEX_BUFFERS, start_slot);
    uint32_t count = GV_CMD_U32(c, SET_VERTEX_BUFFERS, count);
    if (start > GV_AERO_VERTEX_BUFFERS || count > GV_AERO_VERTEX_BUFFERS - start)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "slots %u+%u pass %u", start, count,
                            GV_AERO_VERTEX_BUFFERS);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = GV_AT_SET_VERTEX_BUFFERS_tail + (size_t)i * 16;
        uint32_t handle = gv_cmd_u32(c, at);
        struct gv_aero_object *o = gv_aero_find(a, handle);
        if (handle && (!o || o->kind != GV_AERO_BUFFER))
            return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no buffer",
                                handle);
        struct gv_aero_vertex_stream *s = &x->streams[start + i];
        if (!s->buffer != !o)
            x->dirty |= GV_AERO_DIRTY_PIPELINE;
        if (o)
            o->bound = true;
        *s = (struct gv_aero_vertex_stream){ o, gv_cmd_u32(c, at + 4),
                                             gv_cmd_u32(c, at + 8) };
        x->dirty_streams |= 1u << (start + i);
    }
    if (!x->shaders[GV_DXBC_VERTEX] && start == 0 && count)
        x->dirty |= GV_AERO_DIRTY_PIPELINE; // the fixed interpretation reads the stride
    return true;
}

GV_AERO_HANDLER(gv_aero_set_index_buffer)
{
    uint32_t handle = GV_CMD_U32(c, SET_INDEX_BUFFER, buffer);
    uint32_t format = GV_CMD_U32(c, SET_INDEX_BUFFER, format);
    struct gv_aero_object *o = gv_aero_find(a, handle);
    if (handle && (!o || o->kind != GV_AERO_BUFFER))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no buffer", handle);
    if (format > 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown index format %u", format);
    if (o)
        o->bound = true;
    x->index_buffer = o;
    x->indices.buffer = o ? &o->buffer.base : NULL;
    x->indices.wide = format == 1;
    x->indices.offset = GV_CMD_U32(c, SET_INDEX_BUFFER, offset);
    x->indices.dirty = true;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_primitive_topology)
{
    uint8_t value;
    uint32_t topology = GV_CMD_U32(c, SET_PRIMITIVE_TOPOLOGY, topology);
    if (!field(a, GV_AERO_ENUM_topology, topology, &value, err))
        return false;
    if (x->topology != topology)
        x->dirty |= GV_AERO_DIRTY_PIPELINE;
    x->topology = topology;
    return true;
}

GV_AERO_HANDLER(gv_aero_set_input_layout)
{
    uint32_t handle = GV_CMD_U32(c, SET_INPUT_LAYOUT, handle);
    struct gv_aero_object *o = gv_aero_find(a, handle);
    if (handle && (!o || o->kind != GV_AERO_LAYOUT))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no input layout",
                            handle);
    if (o)
        o->bound = true;
    if (o && o->layout.d3d9)
        gv_aero_use_d3d9(x);
    x->layout = o;
    x->dirty |= GV_AERO_DIRTY_PIPELINE;
    return true;
}

// ---- shaders ----

static bool bind_shader(struct gv_aero *a, struct gv_aero_context *x,
                        enum gv_dxbc_stage stage, uint32_t handle, struct gv_error *err)
{
    struct gv_aero_object *o = gv_aero_find(a, handle);
    if (handle && (!o || o->kind != GV_AERO_SHADER))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no shader", handle);
    if (o && o->shader.stage != stage)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "shader %u is of another stage",
                            handle);
    if (o)
        o->bound = true;
    if (o && o->shader.code->d3d9)
        gv_aero_use_d3d9(x);
    if (x->shaders[stage] != o)
        x->dirty |= GV_AERO_DIRTY_PIPELINE;
    x->shaders[stage] = o;
    return true;
}

GV_AERO_HANDLER(gv_aero_bind_shaders)
{
    // Exactly 24 bytes is the legacy form: `reserved0` names the geometry shader.
    bool extended = c->size >= GV_AT_BIND_SHADERS_ds + 4u;
    uint32_t gs = 0, hs = 0, ds = 0;
    if (extended) {
        gs = GV_CMD_U32(c, BIND_SHADERS, gs);
        hs = GV_CMD_U32(c, BIND_SHADERS, hs);
        ds = GV_CMD_U32(c, BIND_SHADERS, ds);
    } else if (c->size == GV_AT_BIND_SHADERS_tail) {
        gs = GV_CMD_U32(c, BIND_SHADERS, reserved0);
    }
    return bind_shader(a, x, GV_DXBC_VERTEX, GV_CMD_U32(c, BIND_SHADERS, vs), err) &&
           bind_shader(a, x, GV_DXBC_PIXEL, GV_CMD_U32(c, BIND_SHADERS, ps), err) &&
           bind_shader(a, x, GV_DXBC_COMPUTE, GV_CMD_U32(c, BIND_SHADERS, cs), err) &&
           bind_shader(a, x, GV_DXBC_GEOMETRY, gs, err) &&
           bind_shader(a, x, GV_DXBC_HULL, hs, err) &&
           bind_shader(a, x, GV_DXBC_DOMAIN, ds, err);
}
