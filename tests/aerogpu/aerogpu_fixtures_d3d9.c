// Fixtures: Direct3D 9 shaders, render states and sampler states.
#include "tests/aerogpu/aerogpu_scene9.h"

#include <math.h>

// Objects of these scenes.
enum { VS9 = 30, PS9, PS9_TEX, PS9_CONST, DECL9 };

// ps_2_0: dcl v0; mov oC0, v0
static const uint32_t ps9[] = { 0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000,
                                0x02000001, 0x800F0800, 0x90E40000, END9 };
// ps_2_0: mov oC0, c7
static const uint32_t ps9_const[] = { 0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40007,
                                      END9 };

static void begin9(struct aero_scene *f)
{
    const struct aero_shader9 shaders[] = {
        { VS9, 0, aero_vs9, sizeof aero_vs9 },
        { PS9, 1, ps9, sizeof ps9 },
        { PS9_TEX, 1, aero_ps9_tex, sizeof aero_ps9_tex },
        { PS9_CONST, 1, ps9_const, sizeof ps9_const },
    };
    aero_begin9(f, &(struct aero_begin9){ shaders, 4, DECL9, AERO_R8G8B8A8 });
}

static void make_plain(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin9(f);
    aero_fill(f, 0.5f, 1, 0, 1, 1);
    aero_expect_all(f, 255, 0, 255, 255);
    aero_scene_done(f);
}

// Three bands with alpha below, at and above the reference.
static void make_alpha_test(struct aero_scene *f, uint32_t compare)
{
    static const uint8_t passes[9] = { 7, 0, 1, 2, 3, 4, 5, 6, 7 };
    begin9(f);
    aero_state9(f, RS_ALPHA_TEST, 1);
    aero_state9(f, RS_ALPHA_REF, 128);
    aero_state9(f, RS_ALPHA_FUNC, 1);
    aero_state9(f, RS_ALPHA_FUNC, compare);
    for (uint32_t i = 0; i < 3; i++) {
        float x = -1 + (float)i * 0.5f, alpha = (float)(64 * (i + 1)) / 255;
        aero_quad(f, x, -1, x + 0.5f, 1, 0.5f, (const float[]){ 1, 1, 1, alpha });
        bool passed = passes[compare] >> i & 1;
        int v = passed ? 255 : 0;
        aero_expect(f, 8 + 16 * i, 32, v, v, v, passed ? (int)(64 * (i + 1)) : 0);
    }
    aero_scene_done(f);
}

// cull 1 none, 2 clockwise, 3 the others: left half clockwise, right half not.
static void make_cull(struct aero_scene *f, uint32_t cull)
{
    begin9(f);
    aero_state9(f, RS_CULL, 2);
    aero_state9(f, RS_CULL, cull);
    const struct aero_vertex v[] = {
        { -1, -1, 0, 1, 1, 1, 1 }, { -1, 3, 0, 1, 1, 1, 1 }, { 0, -1, 0, 1, 1, 1, 1 },
        { 1, -1, 0, 1, 1, 1, 1 },  { 1, 3, 0, 1, 1, 1, 1 },  { 0, -1, 0, 1, 1, 1, 1 },
    };
    aero_vertices(f, v, 6);
    aero_draw(&f->s, 6);
    int l = cull == 2 ? 0 : 255, r = cull == 3 ? 0 : 255;
    aero_expect(f, 2, 32, l, l, l, l);
    aero_expect(f, 61, 32, r, r, r, r);
    aero_scene_done(f);
}

// ---- blending ----

static const double src9[4] = { 0.6, 0.2, 1.0, 0.4 };
static const double dst9[4] = { 0.2, 0.8, 0.4, 0.6 };
static const double factor9[4] = { 0.2, 0.4, 0.6, 0.8 };

static double d3d9_factor(uint32_t number, int i)
{
    switch (number) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 3:
        return src9[i];
    case 4:
        return 1 - src9[i];
    case 5:
    case 12:
        return src9[3];
    case 6:
    case 13:
        return 1 - src9[3];
    case 7:
        return dst9[3];
    case 8:
        return 1 - dst9[3];
    case 9:
        return dst9[i];
    case 10:
        return 1 - dst9[i];
    case 11:
        return i == 3 ? 1 : fmin(src9[3], 1 - dst9[3]);
    case 14:
        return factor9[i];
    default:
        return 1 - factor9[i];
    }
}

static void make_blend9(struct aero_scene *f, uint32_t number)
{
    int out[4];
    // The BOTH forms set the destination factor too.
    uint32_t dst = number == 12 ? 6 : number == 13 ? 5 : 1;
    begin9(f);
    f->tolerance = 1;
    aero_clear(&f->s, 1, (float)dst9[0], (float)dst9[1], (float)dst9[2], (float)dst9[3],
               1, 0);
    aero_state9(f, RS_BLEND_FACTOR, 204u << 24 | 51u << 16 | 102u << 8 | 153u);
    aero_state9(f, RS_ALPHA_BLEND, 1);
    aero_state9(f, RS_DST_BLEND, 1);
    aero_state9(f, RS_SRC_BLEND, number);
    aero_fill(f, 0.5f, (float)src9[0], (float)src9[1], (float)src9[2], (float)src9[3]);
    for (int i = 0; i < 4; i++)
        out[i] = (int)floor(
            fmin(src9[i] * d3d9_factor(number, i) + dst9[i] * d3d9_factor(dst, i), 1) *
                255 +
            0.5);
    aero_expect_all(f, out[0], out[1], out[2], out[3]);
    aero_scene_done(f);
}

static void make_mask9(struct aero_scene *f, uint32_t mask)
{
    begin9(f);
    aero_state9(f, RS_COLOR_MASK, mask);
    aero_fill(f, 0.5f, 1, 1, 1, 1);
    aero_expect_all(f, mask & 1 ? 255 : 0, mask & 2 ? 255 : 0, mask & 4 ? 255 : 0,
                    mask & 8 ? 255 : 0);
    aero_scene_done(f);
}

// ---- depth and stencil ----

static void begin_depth(struct aero_scene *f, uint32_t stencil)
{
    begin9(f);
    f->next = AERO_FREE + 50;
    aero_create_texture(&f->s, AERO_FREE, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, AERO_FREE);
    aero_clear(&f->s, 7, 0, 0, 0, 0, 0.5f, stencil);
}

// The default comparison is LESS_EQUAL.
static void make_depth_default(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin_depth(f, 0);
    aero_fill(f, 0.5f, 1, 1, 1, 1);
    aero_expect_all(f, 255, 255, 255, 255);
    aero_scene_done(f);
}

static void make_depth_func(struct aero_scene *f, uint32_t func)
{
    static const uint8_t passes[9] = { 7, 0, 1, 2, 3, 4, 5, 6, 7 };
    begin_depth(f, 0);
    aero_state9(f, RS_Z_FUNC, func == 1 ? 8 : 1);
    aero_state9(f, RS_Z_FUNC, func);
    aero_state9(f, RS_Z_WRITE, 0);
    for (uint32_t i = 0; i < 3; i++) {
        float x = -1 + (float)i * 0.5f;
        aero_quad(f, x, -1, x + 0.5f, 1, 0.25f * (float)(i + 1),
                  (const float[]){ 1, 1, 1, 1 });
        int v = passes[func] >> i & 1 ? 255 : 0;
        aero_expect(f, 8 + 16 * i, 32, v, v, v, v);
    }
    aero_scene_done(f);
}

static uint32_t stencil_result(uint32_t op, uint32_t before, uint32_t reference)
{
    switch (op) {
    case 2:
        return 0;
    case 3:
        return reference;
    case 4:
        return before == 255 ? 255 : before + 1;
    case 5:
        return before ? before - 1 : 0;
    case 6:
        return ~before & 255;
    case 7:
        return (before + 1) & 255;
    case 8:
        return (before - 1) & 255;
    default:
        return before;
    }
}

// One draw applies the operation, a second passes only where the value is what it
// must be. variant: operation | value before << 8.
static void make_stencil(struct aero_scene *f, uint32_t variant)
{
    uint32_t op = variant & 15, before = variant >> 8;
    begin_depth(f, before);
    aero_state9(f, RS_Z_ENABLE, 0);
    aero_state9(f, RS_STENCIL, 1);
    aero_state9(f, RS_STENCIL_REF, 77);
    aero_state9(f, RS_STENCIL_PASS, op);
    aero_fill(f, 0, 1, 0, 0, 1);
    aero_state9(f, RS_STENCIL_PASS, 1);
    aero_state9(f, RS_STENCIL_FUNC, 3);
    aero_state9(f, RS_STENCIL_REF, stencil_result(op, before, 77));
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// A failing comparison applies the fail operation and draws nothing.
static void make_stencil_fail(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin_depth(f, 5);
    aero_state9(f, RS_Z_ENABLE, 0);
    aero_state9(f, RS_STENCIL, 1);
    aero_state9(f, RS_STENCIL_REF, 9);
    aero_state9(f, RS_STENCIL_FUNC, 3);
    aero_state9(f, RS_STENCIL_FAIL, 3);
    aero_fill(f, 0, 1, 0, 0, 1); // 5 is not 9: becomes 9
    aero_quad(f, 0, -1, 1, 1, 0, (const float[]){ 0, 1, 0, 1 });
    aero_expect(f, 16, 32, 0, 0, 0, 0);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- the rest ----

// A clear keeps to the scissor while the scissor test is on.
static void make_scissor_clear(struct aero_scene *f, uint32_t enabled)
{
    begin9(f);
    AERO_CMD(&f->s, SET_SCISSOR, 8, 8, 16, 16);
    aero_state9(f, RS_SCISSOR, enabled);
    aero_clear(&f->s, 1, 0, 1, 0, 1, 1, 0);
    int out = enabled ? 0 : 255;
    aero_expect(f, 7, 8, 0, out, 0, out);
    aero_expect(f, 8, 8, 0, 255, 0, 255);
    aero_expect(f, 23, 23, 0, 255, 0, 255);
    aero_expect(f, 24, 23, 0, out, 0, out);
    aero_scene_done(f);
}

static void make_constants(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin9(f);
    aero_bind_shaders(&f->s, VS9, PS9_CONST);
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 7, 1, 0, 0, aero_f32(1), 0, aero_f32(1));
    aero_fill(f, 0.5f, 0, 0, 0, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// variant: D3DTADDRESS of both coordinates; texels red and green, u from 0 to 2.
static void make_address(struct aero_scene *f, uint32_t address)
{
    static const uint8_t texels[2][4] = { { 255, 0, 0, 255 }, { 0, 255, 0, 255 } };
    begin9(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 2, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texels, sizeof texels);
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, 1, address);
    AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, 4, 0xFFFFFFFF); // border: white
    aero_bind_shaders(&f->s, VS9, PS9_TEX);
    aero_fill_texture(f, 2, 1);
    aero_expect(f, 8, 32, 255, 0, 0, 255);
    aero_expect(f, 24, 32, 0, 255, 0, 255);
    static const uint8_t beyond[5][2][3] = { { { 255, 0, 0 }, { 0, 255, 0 } },
                                             { { 0, 255, 0 }, { 255, 0, 0 } },
                                             { { 0, 255, 0 }, { 0, 255, 0 } },
                                             { { 255, 255, 255 }, { 255, 255, 255 } },
                                             { { 0, 255, 0 }, { 255, 0, 0 } } };
    for (uint32_t i = 0; i < 2; i++) {
        const uint8_t *c = beyond[address - 1][i];
        aero_expect(f, 40 + 16 * i, 32, c[0], c[1], c[2], 255);
    }
    aero_scene_done(f);
}

// sRGB by state: variant 1 decodes a texture, 2 encodes what is written.
static void make_srgb(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texel[4] = { 188, 188, 188, 255 };
    begin9(f);
    f->tolerance = 1;
    if (variant == 1) {
        uint32_t texture = f->next++;
        aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
        aero_upload(&f->s, texture, 0, texel, sizeof texel);
        AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
        AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, 11, 1);
        aero_bind_shaders(&f->s, VS9, PS9_TEX);
        aero_fill_texture(f, 1, 1);
        aero_expect_all(f, 128, 128, 128, 255);
    } else {
        aero_state9(f, RS_SRGB_WRITE, 1);
        aero_fill(f, 0.5f, 0.5f, 0.5f, 0.5f, 1);
        aero_expect_all(f, 188, 188, 188, 255);
    }
    aero_scene_done(f);
}

// A quad from 16.75 to 48.75 pixels covers 17 to 48; half a pixel further left and up
// it covers 16 to 47. variant: 1 with the option | 2 in a viewport that starts at 8.
static void make_half_pixel(struct aero_scene *f, uint32_t variant)
{
    static const char *const half_pixel[] = { "aerogpu.half-pixel=1", NULL };
    static const float white[4] = { 1, 1, 1, 1 };
    const bool moved = variant & 1, small = variant & 2;
    const float side = small ? 32 : 64, origin = small ? 8 : 0;
    const uint32_t first = moved ? 16 : 17, last = first + (uint32_t)side / 2 - 1;
    const float low = (16.75f - origin) * 2 / side - 1, high = low + 1;
    begin9(f);
    if (moved)
        f->options = half_pixel;
    if (small)
        aero_set_viewport(&f->s, origin, origin, side, side);
    aero_quad(f, low, -high, high, -low, 0, white);
    aero_expect(f, first, first, 255, 255, 255, 255);
    aero_expect(f, last, last, 255, 255, 255, 255);
    aero_expect(f, first - 1, first, 0, 0, 0, 0);
    aero_expect(f, first, first - 1, 0, 0, 0, 0);
    aero_expect(f, last + 1, last, 0, 0, 0, 0);
    aero_expect(f, last, last + 1, 0, 0, 0, 0);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_d3d9[] = {
    { "d3d9_plain", "SM2 shaders, vertex declaration", make_plain, 0 },
    { "d3d9_alpha_0", "0 is ALWAYS", make_alpha_test, 0 },
    { "d3d9_alpha_never", "alpha test NEVER", make_alpha_test, 1 },
    { "d3d9_alpha_less", "alpha test LESS", make_alpha_test, 2 },
    { "d3d9_alpha_equal", "alpha test EQUAL", make_alpha_test, 3 },
    { "d3d9_alpha_less_equal", "alpha test LESSEQUAL", make_alpha_test, 4 },
    { "d3d9_alpha_greater", "alpha test GREATER", make_alpha_test, 5 },
    { "d3d9_alpha_not_equal", "alpha test NOTEQUAL", make_alpha_test, 6 },
    { "d3d9_alpha_greater_equal", "alpha test GREATEREQUAL", make_alpha_test, 7 },
    { "d3d9_alpha_always", "alpha test ALWAYS", make_alpha_test, 8 },
    { "d3d9_cull_0", "0 is none", make_cull, 0 },
    { "d3d9_cull_none", "cull 1", make_cull, 1 },
    { "d3d9_cull_cw", "cull 2", make_cull, 2 },
    { "d3d9_cull_ccw", "cull 3", make_cull, 3 },
    { "d3d9_blend_zero", "blend 1", make_blend9, 1 },
    { "d3d9_blend_one", "blend 2", make_blend9, 2 },
    { "d3d9_blend_src_color", "blend 3", make_blend9, 3 },
    { "d3d9_blend_inv_src_color", "blend 4", make_blend9, 4 },
    { "d3d9_blend_src_alpha", "blend 5", make_blend9, 5 },
    { "d3d9_blend_inv_src_alpha", "blend 6", make_blend9, 6 },
    { "d3d9_blend_dst_alpha", "blend 7", make_blend9, 7 },
    { "d3d9_blend_inv_dst_alpha", "blend 8", make_blend9, 8 },
    { "d3d9_blend_dst_color", "blend 9", make_blend9, 9 },
    { "d3d9_blend_inv_dst_color", "blend 10", make_blend9, 10 },
    { "d3d9_blend_saturate", "blend 11", make_blend9, 11 },
    { "d3d9_blend_both_src", "blend 12", make_blend9, 12 },
    { "d3d9_blend_both_inv_src", "blend 13", make_blend9, 13 },
    { "d3d9_blend_factor", "blend 14", make_blend9, 14 },
    { "d3d9_blend_inv_factor", "blend 15", make_blend9, 15 },
    { "d3d9_mask_5", "colour write mask", make_mask9, 5 },
    { "d3d9_depth_default", "LESS_EQUAL by default", make_depth_default, 0 },
    { "d3d9_depth_never", "z func 1", make_depth_func, 1 },
    { "d3d9_depth_less", "z func 2", make_depth_func, 2 },
    { "d3d9_depth_equal", "z func 3", make_depth_func, 3 },
    { "d3d9_depth_less_equal", "z func 4", make_depth_func, 4 },
    { "d3d9_depth_greater", "z func 5", make_depth_func, 5 },
    { "d3d9_depth_not_equal", "z func 6", make_depth_func, 6 },
    { "d3d9_depth_greater_equal", "z func 7", make_depth_func, 7 },
    { "d3d9_depth_always", "z func 8", make_depth_func, 8 },
    { "d3d9_stencil_keep", "stencil 1", make_stencil, 1 | 5 << 8 },
    { "d3d9_stencil_zero", "stencil 2", make_stencil, 2 | 5 << 8 },
    { "d3d9_stencil_replace", "stencil 3", make_stencil, 3 | 5 << 8 },
    { "d3d9_stencil_incr_sat", "stencil 4", make_stencil, 4 | 255 << 8 },
    { "d3d9_stencil_decr_sat", "stencil 5", make_stencil, 5 | 0 << 8 },
    { "d3d9_stencil_invert", "stencil 6", make_stencil, 6 | 5 << 8 },
    { "d3d9_stencil_incr", "stencil 7", make_stencil, 7 | 255 << 8 },
    { "d3d9_stencil_decr", "stencil 8", make_stencil, 8 | 0 << 8 },
    { "d3d9_stencil_fail", "stencil fail operation", make_stencil_fail, 0 },
    { "d3d9_scissor_clear", "clear keeps to the scissor", make_scissor_clear, 1 },
    { "d3d9_scissor_off_clear", "unless the test is off", make_scissor_clear, 0 },
    { "d3d9_constants_f", "float constants", make_constants, 0 },
    { "d3d9_whole_pixel", "positions as they are", make_half_pixel, 0 },
    { "d3d9_half_pixel", "half a pixel left and up", make_half_pixel, 1 },
    { "d3d9_half_pixel_viewport", "of the viewport", make_half_pixel, 3 },
    { "d3d9_address_wrap", "address 1", make_address, 1 },
    { "d3d9_address_mirror", "address 2", make_address, 2 },
    { "d3d9_address_clamp", "address 3", make_address, 3 },
    { "d3d9_address_border", "address 4", make_address, 4 },
    { "d3d9_address_mirror_once", "address 5 as mirror", make_address, 5 },
    { "d3d9_srgb_texture", "SRGBTEXTURE decodes", make_srgb, 1 },
    { "d3d9_srgb_write", "SRGBWRITEENABLE encodes", make_srgb, 2 },
    { NULL, NULL, NULL, 0 },
};
