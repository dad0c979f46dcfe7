// Direct3D 9 render and sampler states. Numbers are D3DRS_* and D3DSAMP_*; unknown
// values leave the state alone, as the reference does.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#define MAX_STATE 4096u // ids from here are ignored

// D3DRS_* that have an effect. FRONT_CCW is the project's own number.
enum {
    RS_Z_ENABLE = 7,
    RS_Z_WRITE = 14,
    RS_ALPHA_TEST = 15,
    RS_FRONT_CCW = 18,
    RS_SRC_BLEND = 19,
    RS_DST_BLEND = 20,
    RS_CULL = 22,
    RS_Z_FUNC = 23,
    RS_ALPHA_REF = 24,
    RS_ALPHA_FUNC = 25,
    RS_ALPHA_BLEND = 27,
    RS_STENCIL = 52,
    RS_STENCIL_FAIL = 53,
    RS_STENCIL_Z_FAIL = 54,
    RS_STENCIL_PASS = 55,
    RS_STENCIL_FUNC = 56,
    RS_STENCIL_REF = 57,
    RS_STENCIL_READ = 58,
    RS_STENCIL_WRITE = 59,
    RS_COLOR_MASK = 168,
    RS_BLEND_OP = 171,
    RS_SCISSOR = 174,
    RS_TWO_SIDED = 185,
    RS_CCW_FAIL = 186,
    RS_CCW_Z_FAIL = 187,
    RS_CCW_PASS = 188,
    RS_CCW_FUNC = 189,
    RS_COLOR_MASK1 = 190, // to 192
    RS_BLEND_FACTOR = 193,
    RS_SRGB_WRITE = 194,
    RS_SEPARATE_ALPHA = 206,
    RS_SRC_ALPHA = 207,
    RS_DST_ALPHA = 208,
    RS_ALPHA_OP = 209,
};

enum {
    BLEND_BOTH_SRC_ALPHA = 12,
    BLEND_BOTH_INV_SRC_ALPHA = 13,
};

// D3DBLEND by number. `zero` is what 0 means.
static void set_blend(uint8_t *factor, uint32_t value, uint8_t zero)
{
    static const uint8_t factors[] = {
        0,
        GV_BLEND_FACTOR_ZERO,
        GV_BLEND_FACTOR_ONE,
        GV_BLEND_FACTOR_SRC_COLOR,
        GV_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
        GV_BLEND_FACTOR_SRC_ALPHA,
        GV_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        GV_BLEND_FACTOR_DST_ALPHA,
        GV_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
        GV_BLEND_FACTOR_DST_COLOR,
        GV_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
        GV_BLEND_FACTOR_SRC_ALPHA_SATURATE,
        GV_BLEND_FACTOR_SRC_ALPHA,
        GV_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        GV_BLEND_FACTOR_CONSTANT_COLOR,
        GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR,
    };
    if (!value)
        *factor = zero;
    else if (value < sizeof factors)
        *factor = factors[value];
}

static void set_color_blend(struct gv_aero_blend *b, bool source, uint32_t value)
{
    if (source && value == BLEND_BOTH_SRC_ALPHA)
        b->dst = GV_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    else if (source && value == BLEND_BOTH_INV_SRC_ALPHA)
        b->dst = GV_BLEND_FACTOR_SRC_ALPHA;
    if (source)
        set_blend(&b->src, value, b->src);
    else
        set_blend(&b->dst, value, b->dst);
}

static void set_blend_op(uint8_t *op, uint32_t value)
{
    if (value >= 1 && value <= 5) // ADD, SUBTRACT, REVSUBTRACT, MIN, MAX
        *op = (uint8_t)(GV_BLEND_OP_ADD + value - 1);
}

static void set_compare(uint8_t *compare, uint32_t value, uint8_t zero)
{
    if (!value)
        *compare = zero;
    else if (value <= 8)
        *compare = (uint8_t)(value - 1); // D3DCMP is ours plus 1
}

static void set_stencil_op(uint8_t *op, uint32_t value)
{
    if (!value)
        *op = GV_STENCIL_OP_KEEP;
    else if (value <= 8)
        *op = (uint8_t)(value - 1); // D3DSTENCILOP is ours plus 1
}

static void set_cull(struct gv_aero_context *x, uint32_t value)
{
    // 2 culls clockwise triangles, 3 the others, whatever is the front.
    bool front_is_cw = !x->raster.front_ccw;
    if (value > 3)
        return;
    x->cull9 = (uint8_t)value;
    if (x->cull9 <= 1)
        x->raster.cull = 0;
    else
        x->raster.cull = (x->cull9 == 2) == front_is_cw ? GV_CULL_FRONT : GV_CULL_BACK;
}

static bool set_blend_render_state(struct gv_aero_context *x, uint32_t state,
                                   uint32_t value)
{
    struct gv_aero_blend *b = &x->blend;
    switch (state) {
    case RS_ALPHA_BLEND:
        b->enable = value != 0;
        return true;
    case RS_SRC_BLEND:
    case RS_DST_BLEND:
        set_color_blend(b, state == RS_SRC_BLEND, value);
        return true;
    case RS_BLEND_OP:
        set_blend_op(&b->op, value);
        return true;
    case RS_SEPARATE_ALPHA:
        b->separate_alpha = value != 0;
        return true;
    case RS_SRC_ALPHA:
        set_blend(&b->src_alpha, value, GV_BLEND_FACTOR_ONE);
        return true;
    case RS_DST_ALPHA:
        set_blend(&b->dst_alpha, value, GV_BLEND_FACTOR_ZERO);
        return true;
    case RS_ALPHA_OP:
        set_blend_op(&b->op_alpha, value);
        return true;
    case RS_COLOR_MASK:
        b->write_mask[0] = value & 0xF;
        return true;
    case RS_COLOR_MASK1:
    case RS_COLOR_MASK1 + 1:
    case RS_COLOR_MASK1 + 2:
        b->write_mask[state - RS_COLOR_MASK1 + 1] = value & 0xF;
        return true;
    case RS_BLEND_FACTOR: // ARGB
        for (uint32_t i = 0; i < 4; i++)
            b->constant[i] =
                (float)(value >> (i == 3 ? 24 : 16 - 8 * i) & 0xFF) / 255.0f;
        x->dirty |= GV_AERO_DIRTY_BLEND_CONSTANT;
        return true;
    default:
        return false;
    }
}

static bool set_stencil_render_state(struct gv_aero_context *x, uint32_t state,
                                     uint32_t value)
{
    struct gv_aero_depth *d = &x->depth;
    switch (state) {
    case RS_STENCIL:
        d->stencil_enable = value != 0;
        return true;
    case RS_STENCIL_FAIL:
        set_stencil_op(&d->front.fail, value);
        return true;
    case RS_STENCIL_Z_FAIL:
        set_stencil_op(&d->front.depth_fail, value);
        return true;
    case RS_STENCIL_PASS:
        set_stencil_op(&d->front.pass, value);
        return true;
    case RS_STENCIL_FUNC:
        set_compare(&d->front.compare, value, GV_COMPARE_ALWAYS);
        return true;
    case RS_STENCIL_REF:
        d->reference = value & 0xFF;
        break;
    case RS_STENCIL_READ:
        d->read_mask = value & 0xFF;
        break;
    case RS_STENCIL_WRITE:
        d->write_mask = value & 0xFF;
        break;
    case RS_TWO_SIDED:
        d->two_sided = value != 0;
        return true;
    case RS_CCW_FAIL:
        set_stencil_op(&d->back.fail, value);
        return true;
    case RS_CCW_Z_FAIL:
        set_stencil_op(&d->back.depth_fail, value);
        return true;
    case RS_CCW_PASS:
        set_stencil_op(&d->back.pass, value);
        return true;
    case RS_CCW_FUNC:
        set_compare(&d->back.compare, value, GV_COMPARE_ALWAYS);
        return true;
    default:
        return false;
    }
    x->dirty |= GV_AERO_DIRTY_STENCIL;
    return true;
}

static void set_other_render_state(struct gv_aero_context *x, uint32_t state,
                                   uint32_t value)
{
    switch (state) {
    case RS_Z_ENABLE:
        x->depth.enable = value != 0;
        break;
    case RS_Z_WRITE:
        x->depth.write = value != 0;
        break;
    case RS_Z_FUNC:
        set_compare(&x->depth.compare, value, x->depth.compare);
        x->explicit_depth = true;
        break;
    case RS_ALPHA_TEST:
        x->alpha_test.enable = value != 0;
        break;
    case RS_ALPHA_REF:
        x->alpha_test.reference = value & 0xFF;
        x->stages[GV_DXBC_PIXEL].dirty_constants |= 1u << GV_DXBC_EXTRA_SLOT;
        break;
    case RS_ALPHA_FUNC:
        set_compare(&x->alpha_test.compare, value, GV_COMPARE_ALWAYS);
        break;
    case RS_CULL:
        set_cull(x, value);
        break;
    case RS_FRONT_CCW:
        x->raster.front_ccw = value != 0;
        if (x->cull9)
            set_cull(x, x->cull9); // by winding, whatever is the front
        break;
    case RS_SCISSOR:
        x->raster.scissor_enable = value != 0;
        x->dirty |= GV_AERO_DIRTY_VIEWPORT;
        break;
    case RS_SRGB_WRITE:
        x->srgb_write = value != 0;
        x->dirty |= GV_AERO_DIRTY_TARGETS;
        break;
    default:
        break; // depth bias, fog, fill mode and all else: no effect in the reference
    }
}

GV_AERO_HANDLER(gv_aero_set_render_state)
{
    (void)a, (void)err;
    uint32_t state = GV_CMD_U32(c, SET_RENDER_STATE, state);
    uint32_t value = GV_CMD_U32(c, SET_RENDER_STATE, value);
    gv_aero_use_d3d9(x);
    if (state >= MAX_STATE)
        return true;
    if (!set_blend_render_state(x, state, value) &&
        !set_stencil_render_state(x, state, value))
        set_other_render_state(x, state, value);
    x->dirty |= GV_AERO_DIRTY_PIPELINE;
    return true;
}

// D3DSAMP_*.
enum {
    SAMP_ADDRESS_U = 1,
    SAMP_ADDRESS_W = 3,
    SAMP_BORDER = 4,
    SAMP_MAG = 5,
    SAMP_MIP = 7,
    SAMP_MAX_MIP = 9,
    SAMP_ANISOTROPY = 10,
    SAMP_SRGB = 11,
};

GV_AERO_HANDLER(gv_aero_set_sampler_state)
{
    uint32_t stage, slot = GV_CMD_U32(c, SET_SAMPLER_STATE, slot);
    uint32_t state = GV_CMD_U32(c, SET_SAMPLER_STATE, state);
    uint32_t value = GV_CMD_U32(c, SET_SAMPLER_STATE, value);
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, SET_SAMPLER_STATE, stage), 0, &stage, err))
        return false;
    gv_aero_use_d3d9(x);
    if (slot >= GV_AERO_SAMPLERS)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "sampler %u", slot);
    if (stage != GV_DXBC_VERTEX && stage != GV_DXBC_PIXEL)
        return true;
    struct gv_aero_sampler_state *s =
        &x->samplers9[stage == GV_DXBC_VERTEX ? 0 : 1][slot];
    uint8_t byte = value > 0xFF ? 0xFF : (uint8_t)value;
    if (state >= SAMP_ADDRESS_U && state <= SAMP_ADDRESS_W && value <= 5)
        s->address[state - SAMP_ADDRESS_U] = byte;
    else if (state >= SAMP_MAG && state <= SAMP_MIP)
        s->filter[state - SAMP_MAG] = byte > 3 ? 2 : byte; // unknown filters: linear
    else if (state == SAMP_BORDER)
        s->border = value;
    else if (state == SAMP_MAX_MIP)
        s->max_mip = byte < GV_AERO_MAX_MIPS ? byte : GV_AERO_MAX_MIPS;
    else if (state == SAMP_ANISOTROPY)
        s->max_anisotropy = byte;
    else if (state == SAMP_SRGB)
        s->srgb = value != 0;
    x->stages[stage].dirty_samplers = x->stages[stage].dirty_textures = true;
    return true;
}
