// Fixtures: blending, depth, rasteriser, viewport and scissor, target formats.
#include "tests/aerogpu/aerogpu_scene.h"

#include <math.h>

static int byte_of(double v)
{
    return (int)floor(fmin(fmax(v, 0), 1) * 255 + 0.5);
}

// ---- target formats ----

static double srgb(double v)
{
    return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

static double steps(double v, int bits)
{
    double top = (1 << bits) - 1;
    return floor(v * top + 0.5) / top;
}

static void make_clear_format(struct aero_scene *f, uint32_t format)
{
    double c[4] = { 0.2, 0.4, 0.6, 0.5 };
    bool encoded = format >= 7 && format <= 10;
    if (format == 6)
        c[3] = 0.75;
    bool opaque = format == 2 || format == 4 || format == 8 || format == 10;
    uint32_t target = AERO_FREE;
    aero_scene_begin(f);
    f->tolerance = 1;
    aero_create_texture(&f->s, target, AERO_RENDER_TARGET, format, 16, 8, 1, 1);
    aero_set_target(&f->s, target, 0);
    aero_clear(&f->s, 1, (float)c[0], (float)c[1], (float)c[2], (float)c[3], 1, 0);
    f->width[0] = 16;
    f->height[0] = 8;
    for (int i = 0; i < 3; i++) {
        if (encoded)
            c[i] = srgb(c[i]);
        if (format == 5)
            c[i] = steps(c[i], i == 1 ? 6 : 5);
        if (format == 6)
            c[i] = steps(c[i], 5);
    }
    if (opaque || format == 5)
        c[3] = 1;
    if (format == 6)
        c[3] = 1; // of 0.75; which way 0.5 goes in one bit is the driver's affair
    aero_expect_all(f, byte_of(c[0]), byte_of(c[1]), byte_of(c[2]), byte_of(c[3]));
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Draws into X8 keep alpha 1, and destination alpha reads as 1.
static void make_x8_blend(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    uint32_t target = f->next = AERO_FREE;
    aero_scene_begin(f);
    f->next++;
    aero_create_texture(&f->s, target, AERO_RENDER_TARGET, 4, 64, 64, 1, 1);
    aero_set_target(&f->s, target, 0);
    // Never cleared: stored zeros. src * DST_ALPHA must be src * 1.
    AERO_CMD(&f->s, SET_BLEND_STATE, 1, 4, 0, 0, 0xF, 4, 0, 0, 0, 0, 0, 0, UINT32_MAX);
    aero_fill(f, 0, 0.2f, 1, 0, 0);
    aero_expect_all(f, 51, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- blending ----

static const double blend_src[4] = { 0.6, 0.2, 1.0, 0.4 };
static const double blend_dst[4] = { 0.2, 0.8, 0.4, 0.6 };
static const double blend_constant[4] = { 0.25, 0.5, 0.75, 0.2 };

static double factor(uint32_t number, int channel)
{
    switch (number) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return blend_src[3];
    case 3:
        return 1 - blend_src[3];
    case 4:
        return blend_dst[3];
    case 5:
        return 1 - blend_dst[3];
    case 6:
        return blend_constant[channel];
    default:
        return 1 - blend_constant[channel];
    }
}

static double combine(uint32_t op, double s, double d, double fs, double fd)
{
    switch (op) {
    case 0:
        return s * fs + d * fd;
    case 1:
        return s * fs - d * fd;
    case 2:
        return d * fd - s * fs;
    case 3:
        return fmin(s, d);
    default:
        return fmax(s, d);
    }
}

// variant: source factor | destination factor << 4 | operation << 8, and the same for
// alpha from bit 12.
static void make_blend(struct aero_scene *f, uint32_t variant)
{
    uint32_t src = variant & 15, dst = variant >> 4 & 15, op = variant >> 8 & 15;
    uint32_t src_a = variant >> 12 & 15, dst_a = variant >> 16 & 15,
             op_a = variant >> 20 & 15;
    int out[4];
    aero_scene_begin(f);
    f->tolerance = 1;
    aero_clear(&f->s, 1, (float)blend_dst[0], (float)blend_dst[1], (float)blend_dst[2],
               (float)blend_dst[3], 1, 0);
    AERO_CMD(&f->s, SET_BLEND_STATE, 1, src, dst, op, 0xF, src_a, dst_a, op_a,
             aero_f32((float)blend_constant[0]), aero_f32((float)blend_constant[1]),
             aero_f32((float)blend_constant[2]), aero_f32((float)blend_constant[3]),
             UINT32_MAX);
    aero_fill(f, 0, (float)blend_src[0], (float)blend_src[1], (float)blend_src[2],
              (float)blend_src[3]);
    for (int i = 0; i < 4; i++)
        out[i] = byte_of(i < 3 ? combine(op, blend_src[i], blend_dst[i], factor(src, i),
                                         factor(dst, i))
                               : combine(op_a, blend_src[3], blend_dst[3],
                                         factor(src_a, 3), factor(dst_a, 3)));
    aero_expect_all(f, out[0], out[1], out[2], out[3]);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_write_mask(struct aero_scene *f, uint32_t mask)
{
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_BLEND_STATE, 0, 1, 0, 0, mask, 1, 0, 0, 0, 0, 0, 0, UINT32_MAX);
    aero_fill(f, 0, 1, 1, 1, 1);
    aero_expect_all(f, mask & 1 ? 255 : 0, mask & 2 ? 255 : 0, mask & 4 ? 255 : 0,
                    mask & 8 ? 255 : 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_sample_mask(struct aero_scene *f, uint32_t mask)
{
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, mask);
    aero_fill(f, 0, 1, 1, 1, 1);
    int v = mask & 1 ? 255 : 0;
    aero_expect_all(f, v, v, v, v);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- depth ----

// Three bands nearer than, equal to and farther than what is there.
static void make_depth(struct aero_scene *f, uint32_t compare)
{
    uint32_t depth = AERO_FREE;
    static const float z[3] = { 0.25f, 0.5f, 0.75f };
    static const float white[4] = { 1, 1, 1, 1 };
    static const uint8_t passes[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }; // less, equal, greater
    aero_scene_begin(f);
    f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D32, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 0, 0, 0, 0, 0.5f, 0);
    AERO_CMD(&f->s, SET_DEPTH_STENCIL_STATE, 1, 1, compare, 0, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        float x = -1 + (float)i * 0.5f;
        aero_quad(f, x, -1, x + 0.5f, 1, z[i], white);
        int v = passes[compare] >> i & 1 ? 255 : 0;
        aero_expect(f, 8 + 16 * i, 32, v, v, v, v);
    }
    aero_expect(f, 56, 32, 0, 0, 0, 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Without depth write the second, farther quad passes too.
static void make_depth_write(struct aero_scene *f, uint32_t write)
{
    uint32_t depth = AERO_FREE;
    aero_scene_begin(f);
    f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 0, 0, 0, 0, 1, 0);
    AERO_CMD(&f->s, SET_DEPTH_STENCIL_STATE, 1, write, 1, 0, 0, 0);
    aero_fill(f, 0.25f, 1, 0, 0, 1);
    aero_fill(f, 0.5f, 0, 1, 0, 1);
    if (write)
        aero_expect_all(f, 255, 0, 0, 255);
    else
        aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_depth_clip(struct aero_scene *f, uint32_t disabled)
{
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, disabled);
    aero_fill(f, 1.5f, 1, 1, 1, 1);
    int v = disabled ? 255 : 0;
    aero_expect_all(f, v, v, v, v);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A bias towards the viewer lets an equal depth pass LESS. variant 2: 24 bits, at a
// depth where floats have the same unit.
static void make_depth_bias(struct aero_scene *f, uint32_t variant)
{
    uint32_t depth = AERO_FREE;
    aero_scene_begin(f);
    f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL,
                        variant == 2 ? AERO_D24S8 : AERO_D32, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 0, 0, 0, 0, 0.5f, 0);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, variant ? (uint32_t)-64 : 64, 0);
    aero_fill(f, 0.5f, 1, 1, 1, 1);
    int v = variant ? 255 : 0;
    aero_expect_all(f, v, v, v, v);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A bias of 64 units brings what is 32 units of 24 bits behind before it, also where a
// float's unit is smaller; variant 1: in floats it does not.
static void make_depth_bias_near_zero(struct aero_scene *f, uint32_t variant)
{
    uint32_t depth = AERO_FREE;
    aero_scene_begin(f);
    f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL,
                        variant ? AERO_D32 : AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 0, 0, 0, 0, 0.125f, 0);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, (uint32_t)-64, 0);
    aero_fill(f, 0.125f + 0x1p-19f, 1, 1, 1, 1);
    int v = variant ? 0 : 255;
    aero_expect_all(f, v, v, v, v);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- rasteriser ----

// variant: cull mode | front_ccw << 4. Left half clockwise, right half not.
static void make_cull(struct aero_scene *f, uint32_t variant)
{
    uint32_t cull = variant & 15, ccw = variant >> 4;
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, cull, ccw, 0, 0, 0);
    const struct aero_vertex v[] = {
        { -1, -1, 0, 1, 1, 1, 1 }, { -1, 3, 0, 1, 1, 1, 1 }, { 0, -1, 0, 1, 1, 1, 1 },
        { 1, -1, 0, 1, 1, 1, 1 },  { 1, 3, 0, 1, 1, 1, 1 },  { 0, -1, 0, 1, 1, 1, 1 },
    };
    aero_vertices(f, v, 6);
    aero_draw(&f->s, 6);
    bool cw_front = !ccw;
    bool cw_culled = cull && (cull == 1) == cw_front;
    bool ccw_culled = cull && (cull == 1) != cw_front;
    int l = cw_culled ? 0 : 255, r = ccw_culled ? 0 : 255;
    aero_expect(f, 2, 32, l, l, l, l);
    aero_expect(f, 61, 32, r, r, r, r);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_wireframe(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 1, 0, 0, 0, 0, 0);
    // Two edges run through the centres of column 16 and row 48.
    const float x = 33.0f / 64 - 1, y = 1 - 97.0f / 64;
    const struct aero_vertex v[] = { { x, y, 0, 1, 1, 1, 1 },
                                     { x, 0.75f, 0, 1, 1, 1, 1 },
                                     { 0.75f, y, 0, 1, 1, 1, 1 } };
    aero_vertices(f, v, 3);
    aero_draw(&f->s, 3);
    aero_expect(f, 26, 48, 255, 255, 255, 255);
    aero_expect(f, 16, 30, 255, 255, 255, 255);
    aero_expect(f, 26, 38, 0, 0, 0, 0); // inside the outline
    aero_expect(f, 2, 2, 0, 0, 0, 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_scissor(struct aero_scene *f, uint32_t enabled)
{
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_SCISSOR, (uint32_t)-4, 8, 20, 16);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, enabled, 0, 0);
    aero_fill(f, 0, 1, 1, 1, 1);
    int out = enabled ? 0 : 255;
    aero_expect(f, 0, 8, 255, 255, 255, 255);
    aero_expect(f, 15, 23, 255, 255, 255, 255);
    aero_expect(f, 16, 23, out, out, out, out);
    aero_expect(f, 15, 24, out, out, out, out);
    aero_expect(f, 0, 7, out, out, out, out);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// The scissor does not limit a clear (Direct3D 11).
static void make_scissor_clear(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_SCISSOR, 0, 0, 4, 4);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    aero_clear(&f->s, 1, 0, 1, 0, 1, 1, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// The viewport's transform is kept where it hangs over the edge.
static void make_viewport_over(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    static const float white[4] = { 1, 1, 1, 1 };
    aero_scene_begin(f);
    aero_set_viewport(&f->s, 32, 0, 64, 64);
    aero_quad(f, -1, -1, 0, 1, 0, white); // the viewport's left half
    aero_expect(f, 31, 32, 0, 0, 0, 0);
    aero_expect(f, 32, 32, 255, 255, 255, 255);
    aero_expect(f, 63, 32, 255, 255, 255, 255);
    aero_set_viewport(&f->s, 70, 0, 64, 64); // outside: nothing is drawn
    aero_fill(f, 0, 1, 0, 0, 1);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_viewport_depth(struct aero_scene *f, uint32_t variant)
{
    uint32_t depth = AERO_FREE;
    (void)variant;
    aero_scene_begin(f);
    f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D32, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 0, 0, 0, 0, 0.5f, 0);
    // Reversed limits are swapped: z = 0 becomes 0.6, which fails LESS 0.5.
    AERO_CMD(&f->s, SET_VIEWPORT, 0, 0, aero_f32(64), aero_f32(64), aero_f32(0.9f),
             aero_f32(0.6f));
    aero_fill(f, 0, 1, 1, 1, 1);
    aero_expect_all(f, 0, 0, 0, 0);
    aero_scene_frame(f);
    // Near and far as they were swapped: against 0.7 z = 0 passes, z = 1 does not.
    aero_clear(&f->s, 3, 0, 0, 0, 0, 0.7f, 0);
    aero_quad(f, -1, -1, 0, 1, 0, (const float[]){ 0, 1, 0, 1 });
    aero_quad(f, 0, -1, 1, 1, 1, (const float[]){ 1, 0, 0, 1 });
    aero_expect(f, 16, 32, 0, 255, 0, 255);
    aero_expect(f, 48, 32, 0, 0, 0, 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A texture's usage bits are hints: its format says what it can be.
static void make_usage(struct aero_scene *f, uint32_t usage)
{
    aero_scene_begin(f);
    uint32_t target = f->next++, last = f->next++;
    aero_create_texture(&f->s, target, usage, AERO_R8G8B8A8, 64, 64, 1, 1);
    aero_set_target(&f->s, target, 0);
    aero_clear(&f->s, 1, 0, 0, 0, 0, 1, 0);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_create_texture(&f->s, last, usage, AERO_R8G8B8A8, 64, 64, 1, 1);
    aero_set_target(&f->s, last, 0);
    aero_use_texture(f, target);
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

const struct aero_fixture aero_fixtures_state[] = {
    { "usage_0", "no usage", make_usage, 0 },
    { "usage_scanout", "usage 0x40", make_usage, 0x40 },
    { "usage_all", "every usage but DEPTH_STENCIL", make_usage, 0xDF },
    { "clear_b8g8r8a8", "target format 1", make_clear_format, 1 },
    { "clear_b8g8r8x8", "target format 2: alpha 1", make_clear_format, 2 },
    { "clear_r8g8b8a8", "target format 3", make_clear_format, 3 },
    { "clear_r8g8b8x8", "target format 4: alpha 1", make_clear_format, 4 },
    { "clear_b5g6r5", "target format 5", make_clear_format, 5 },
    { "clear_b5g5r5a1", "target format 6", make_clear_format, 6 },
    { "clear_b8g8r8a8_srgb", "target format 7: clear encodes", make_clear_format, 7 },
    { "clear_b8g8r8x8_srgb", "target format 8", make_clear_format, 8 },
    { "clear_r8g8b8a8_srgb", "target format 9", make_clear_format, 9 },
    { "clear_r8g8b8x8_srgb", "target format 10", make_clear_format, 10 },
    { "x8_blend", "X8 destination alpha is 1", make_x8_blend, 0 },
    { "blend_src_zero", "factor ZERO", make_blend, 0x010010 },
    { "blend_src_alpha", "factor SRC_ALPHA", make_blend, 0x012012 },
    { "blend_inv_src_alpha", "factor INV_SRC_ALPHA", make_blend, 0x013013 },
    { "blend_dst_alpha", "factor DST_ALPHA", make_blend, 0x004004 },
    { "blend_inv_dst_alpha", "factor INV_DST_ALPHA", make_blend, 0x005005 },
    { "blend_constant", "factor CONSTANT", make_blend, 0x006006 },
    { "blend_inv_constant", "factor INV_CONSTANT", make_blend, 0x007007 },
    { "blend_dst_is_src_alpha", "destination SRC_ALPHA", make_blend, 0x020020 },
    { "blend_over", "SRC_ALPHA, INV_SRC_ALPHA", make_blend, 0x032032 },
    { "blend_dst_is_dst_alpha", "destination DST_ALPHA", make_blend, 0x040040 },
    { "blend_dst_is_inv_dst", "destination INV_DST_ALPHA", make_blend, 0x050050 },
    { "blend_dst_is_constant", "destination CONSTANT", make_blend, 0x060060 },
    { "blend_dst_is_inv_constant", "destination INV_CONSTANT", make_blend, 0x070070 },
    { "blend_add", "operation ADD", make_blend, 0x011011 },
    { "blend_subtract", "operation SUBTRACT", make_blend, 0x111111 },
    { "blend_reverse", "operation REV_SUBTRACT", make_blend, 0x211211 },
    { "blend_min", "operation MIN", make_blend, 0x311311 },
    { "blend_max", "operation MAX", make_blend, 0x411411 },
    { "blend_separate", "alpha blends apart from colour", make_blend, 0x401032 },
    { "write_mask_g", "write mask 2", make_write_mask, 2 },
    { "write_mask_b", "write mask 4", make_write_mask, 4 },
    { "write_mask_a", "write mask 8", make_write_mask, 8 },
    { "write_mask_none", "write mask 0", make_write_mask, 0 },
    { "sample_mask_0", "sample mask bit 0 clear", make_sample_mask, 2 },
    { "sample_mask_1", "sample mask bit 0 set", make_sample_mask, 1 },
    { "depth_never", "comparison NEVER", make_depth, 0 },
    { "depth_less", "comparison LESS", make_depth, 1 },
    { "depth_equal", "comparison EQUAL", make_depth, 2 },
    { "depth_less_equal", "comparison LESS_EQUAL", make_depth, 3 },
    { "depth_greater", "comparison GREATER", make_depth, 4 },
    { "depth_not_equal", "comparison NOT_EQUAL", make_depth, 5 },
    { "depth_greater_equal", "comparison GREATER_EQUAL", make_depth, 6 },
    { "depth_always", "comparison ALWAYS", make_depth, 7 },
    { "depth_write_on", "depth write", make_depth_write, 1 },
    { "depth_write_off", "no depth write", make_depth_write, 0 },
    { "depth_clip_on", "z above 1 is clipped", make_depth_clip, 0 },
    { "depth_clip_off", "z above 1 is clamped", make_depth_clip, 1 },
    { "depth_bias_away", "bias behind", make_depth_bias, 0 },
    { "depth_bias_near", "bias in front", make_depth_bias, 1 },
    { "depth_bias_same_unit", "in front", make_depth_bias, 2 },
    { "depth_bias_24_bits", "the unit of 24 bits", make_depth_bias_near_zero, 0 },
    { "depth_bias_floats", "the unit of floats", make_depth_bias_near_zero, 1 },
    { "cull_none", "cull 0", make_cull, 0x00 },
    { "cull_front_cw", "cull front, front clockwise", make_cull, 0x01 },
    { "cull_back_cw", "cull back, front clockwise", make_cull, 0x02 },
    { "cull_front_ccw", "cull front, front counter-clockwise", make_cull, 0x11 },
    { "cull_back_ccw", "cull back, front counter-clockwise", make_cull, 0x12 },
    { "fill_wireframe", "fill mode 1", make_wireframe, 0 },
    { "scissor_on", "scissor, negative origin", make_scissor, 1 },
    { "scissor_off", "scissor without its enable", make_scissor, 0 },
    { "scissor_clear", "clear ignores the scissor", make_scissor_clear, 0 },
    { "viewport_over_edge", "viewport keeps its transform", make_viewport_over, 0 },
    { "viewport_depth_swapped", "reversed depth range", make_viewport_depth, 0 },
    { NULL, NULL, NULL, 0 },
};
