// Fixtures: Direct3D 9 render states and sampler states by number, one row for each, in
// tables of what to set and what must then be seen.
#include "tests/aerogpu/aerogpu_scene9.h"

#include <string.h>

enum { VS9 = 70, PS9, PS9_TEX, DECL9 };

// D3DCMP: bit 0 passes below, bit 1 where equal, bit 2 above; 0 is ALWAYS.
static const uint8_t passes9[9] = { 7, 0, 1, 2, 3, 4, 5, 6, 7 };

// ps_2_0: dcl v0; mov oC0, v0; mov oC1, v0; mov oC2, v0; mov oC3, v0
static const uint32_t ps9[] = { 0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000,
                                0x02000001, 0x800F0800, 0x90E40000, 0x02000001,
                                0x800F0801, 0x90E40000, 0x02000001, 0x800F0802,
                                0x90E40000, 0x02000001, 0x800F0803, 0x90E40000,
                                END9 };
static const float red[4] = { 1, 0, 0, 1 }, green[4] = { 0, 1, 0, 1 };

static void begin9(struct aero_scene *f)
{
    const struct aero_shader9 shaders[] = {
        { VS9, 0, aero_vs9, sizeof aero_vs9 },
        { PS9, 1, ps9, sizeof ps9 },
        { PS9_TEX, 1, aero_ps9_tex, sizeof aero_ps9_tex },
    };
    aero_begin9(f, &(struct aero_begin9){ shaders, 3, DECL9, AERO_R8G8B8A8 });
}

static void begin_stencil(struct aero_scene *f, uint32_t stencil)
{
    begin9(f);
    uint32_t depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 7, 0, 0, 0, 0, 0.5f, stencil);
    aero_state9(f, RS_CULL, 1);
    aero_state9(f, RS_STENCIL, 1);
}

// ---- stencil ----

// Left half clockwise, right half not.
static void both_faces(struct aero_scene *f, float z)
{
    aero_quad(f, -1, -1, 0, 1, z, red);
    aero_quad(f, 1, -1, 0, 1, z, red);
}

// One operation of one face is REPLACE: only there and then the value becomes 9.
// variant: the operation's state | D3DSTENCILOP that it becomes after << 16.
static void make_stencil_op(struct aero_scene *f, uint32_t variant)
{
    const uint32_t op = variant & 0xFFFF, again = variant >> 16;
    const bool ccw = op >= RS_CCW_FAIL;
    const uint32_t func = ccw ? RS_CCW_FUNC : RS_STENCIL_FUNC;
    const uint32_t which = op - (ccw ? RS_CCW_FAIL : RS_STENCIL_FAIL);
    begin_stencil(f, 5);
    aero_state9(f, RS_TWO_SIDED, 1);
    aero_state9(f, RS_STENCIL_REF, 9);
    aero_state9(f, op, 3); // REPLACE
    if (again != 3)
        aero_state9(f, op, again);
    aero_state9(f, func, which == 0 ? 1 : 8); // fail: NEVER
    aero_state9(f, RS_COLOR_MASK, 0);
    both_faces(f,
               which == 1 ? 0.75f : 0.25f); // depth fail: LESS_EQUAL 0.5 does not hold
    aero_state9(f, RS_COLOR_MASK, 15);
    for (uint32_t i = 0; i < 3; i++)
        aero_state9(f, RS_STENCIL_FAIL + i, 1);
    aero_state9(f, RS_TWO_SIDED, 0);
    aero_state9(f, RS_STENCIL_FUNC, 3); // EQUAL
    aero_state9(f, RS_Z_ENABLE, 0);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_state9(f, RS_STENCIL_REF, 5); // what was not replaced is still 5
    aero_fill(f, 0, 1, 0, 0, 1);
    for (int i = 0; i < 2; i++) {
        bool replaced = again == 3 && (i == 1) == ccw;
        aero_expect(f, i ? 48 : 16, 32, replaced ? 0 : 255, replaced ? 255 : 0, 0, 255);
    }
    aero_scene_done(f);
}

// Bands of 6, 5 and 4 against the reference 5. variant: func | counter-clockwise << 4.
static void make_stencil_func(struct aero_scene *f, uint32_t variant)
{
    const uint32_t func = variant & 15;
    const bool ccw = variant >> 4;
    begin_stencil(f, 0);
    aero_state9(f, RS_Z_ENABLE, 0);
    aero_state9(f, RS_STENCIL_PASS, 3);
    for (uint32_t i = 0; i < 3; i++) {
        float x = -1 + (float)i * 0.5f;
        aero_state9(f, RS_STENCIL_REF, 6 - i);
        aero_quad(f, x, -1, x + 0.5f, 1, 0, red);
    }
    aero_state9(f, RS_STENCIL_PASS, 1);
    aero_state9(f, RS_STENCIL_REF, 5);
    aero_state9(f, RS_TWO_SIDED, ccw);
    aero_state9(f, RS_STENCIL_FUNC, 1);
    aero_state9(f, RS_CCW_FUNC, 1);
    aero_state9(f, ccw ? RS_CCW_FUNC : RS_STENCIL_FUNC, func);
    aero_quad(f, ccw ? 1 : -1, -1, ccw ? -1 : 1, 1, 0, green);
    for (uint32_t i = 0; i < 3; i++) {
        bool passed = passes9[func] >> i & 1;
        aero_expect(f, 8 + 16 * i, 32, passed ? 0 : 255, passed ? 255 : 0, 0, 255);
    }
    aero_scene_done(f);
}

// ---- blending and masks ----

// Alpha's own operation, 1 to 5, of 0.25 over 0.5, while colours add.
static void make_alpha_op(struct aero_scene *f, uint32_t op)
{
    static const int out[6] = { 0, 191, 0, 64, 64, 128 };
    begin9(f);
    f->tolerance = 1;
    aero_clear(&f->s, 1, 0.5f, 0.5f, 0.5f, 0.5f, 1, 0);
    aero_state9(f, RS_ALPHA_BLEND, 1);
    aero_state9(f, RS_SRC_BLEND, 2);
    aero_state9(f, RS_DST_BLEND, 2);
    aero_state9(f, RS_SEPARATE_ALPHA, 1);
    aero_state9(f, RS_SRC_ALPHA, 2);
    aero_state9(f, RS_DST_ALPHA, 2);
    aero_state9(f, RS_ALPHA_OP, op);
    aero_state9(f, RS_ALPHA_OP, 6); // unknown
    aero_fill(f, 0.5f, 0.25f, 0.25f, 0.25f, 0.25f);
    aero_expect_all(f, 191, 191, 191, out[op]);
    aero_scene_done(f);
}

// Alpha factors of 0 are ONE and ZERO. variant 0: the source's, 1: the destination's.
static void make_alpha_factor_0(struct aero_scene *f, uint32_t destination)
{
    begin9(f);
    f->tolerance = 1;
    aero_clear(&f->s, 1, 0, 0, 0, 0.5f, 1, 0);
    aero_state9(f, RS_ALPHA_BLEND, 1);
    aero_state9(f, RS_SEPARATE_ALPHA, 1);
    aero_state9(f, RS_SRC_ALPHA, destination ? 2 : 1);
    aero_state9(f, RS_DST_ALPHA, destination ? 2 : 1);
    aero_state9(f, destination ? RS_DST_ALPHA : RS_SRC_ALPHA, 0);
    aero_fill(f, 0.5f, 1, 1, 1, 0.25f);
    aero_expect_all(f, 255, 255, 255, 64);
    aero_scene_done(f);
}

// Four targets, each with a channel of its own.
static void make_masks(struct aero_scene *f, uint32_t shown)
{
    uint32_t targets[4] = { AERO_TARGET };
    begin9(f);
    for (uint32_t i = 1; i < 4; i++) {
        targets[i] = f->next++;
        aero_create_texture(&f->s, targets[i], AERO_RENDER_TARGET, AERO_R8G8B8A8, 64,
                            64, 1, 1);
    }
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 4, 0, targets[0], targets[1], targets[2],
             targets[3], 0, 0, 0, 0);
    aero_clear(&f->s, 1, 0, 0, 0, 0, 1, 0);
    aero_state9(f, RS_COLOR_MASK, 1);
    for (uint32_t i = 1; i < 4; i++)
        aero_state9(f, RS_COLOR_MASK1 + i - 1, 1u << i);
    aero_fill(f, 0.5f, 1, 1, 1, 1);
    aero_set_target(&f->s, targets[shown], 0);
    aero_expect_all(f, shown == 0 ? 255 : 0, shown == 1 ? 255 : 0, shown == 2 ? 255 : 0,
                    shown == 3 ? 255 : 0);
    aero_scene_done(f);
}

// ---- samplers ----

static void use_texture(struct aero_scene *f, uint32_t width, uint32_t height,
                        uint32_t mips, const void *data, size_t size)
{
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, width, height,
                        mips, 1);
    aero_upload(&f->s, texture, 0, data, size);
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    aero_bind_shaders(&f->s, VS9, PS9_TEX);
}

// Red and green; the coordinate runs from 0 to 2. variant: D3DTADDRESS | state << 4.
static void make_address(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texels[2][4] = { { 255, 0, 0, 255 }, { 0, 255, 0, 255 } };
    // What lies beyond, by address; 0 is wrap. W of a 2D texture changes nothing.
    static const uint8_t beyond[6][2][3] = {
        { { 255, 0, 0 }, { 0, 255, 0 } },         { { 255, 0, 0 }, { 0, 255, 0 } },
        { { 0, 255, 0 }, { 255, 0, 0 } },         { { 0, 255, 0 }, { 0, 255, 0 } },
        { { 255, 255, 255 }, { 255, 255, 255 } }, { { 0, 255, 0 }, { 255, 0, 0 } },
    };
    const uint32_t address = variant & 15, number = variant >> 4;
    const bool v = number == SAMP_V;
    begin9(f);
    use_texture(f, v ? 1 : 2, v ? 2 : 1, 1, texels, sizeof texels);
    aero_sampler9(f, SAMP_BORDER, 0xFFFFFFFF);
    for (uint32_t i = SAMP_U; i <= SAMP_W; i++)
        aero_sampler9(f, i, i == number ? 4 : 3); // first border, the others clamp
    aero_sampler9(f, number, address);
    aero_sampler9(f, number, 6); // unknown
    aero_fill_texture(f, v ? 1 : 2, v ? 2 : 1);
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t *c =
            i < 2 ? texels[i] : beyond[number == SAMP_W ? 3 : address][i - 2];
        uint32_t at = 8 + 16 * i;
        aero_expect(f, v ? 32 : at, v ? at : 32, c[0], c[1], c[2], 255);
    }
    aero_scene_done(f);
}

// Colours of borders: three there are, all others are transparent black.
static void make_border(struct aero_scene *f, uint32_t color)
{
    static const uint8_t texel[4] = { 255, 0, 0, 255 };
    const int white = color == 0xFFFFFFFF ? 255 : 0;
    begin9(f);
    aero_clear(&f->s, 1, 0, 1, 0, 0.5f, 1, 0);
    use_texture(f, 1, 1, 1, texel, sizeof texel);
    aero_sampler9(f, SAMP_U, 4);
    aero_sampler9(f, SAMP_BORDER, color);
    aero_fill_texture(f, 2, 1);
    aero_expect(f, 16, 32, 255, 0, 0, 255);
    aero_expect(f, 48, 32, white, white, white,
                color == 0xFFFFFFFF || color == 0xFF000000 ? 255 : 0);
    aero_scene_done(f);
}

// variant: D3DTEXF | state << 4. Columns of red and green, two wide where they are
// magnified and 160 where not; the other filter is the opposite.
static void make_filter(struct aero_scene *f, uint32_t variant)
{
    uint8_t texels[160][4];
    const uint32_t filter = variant & 15, number = variant >> 4;
    const bool linear = filter != 1, mag = number == SAMP_MAG;
    for (uint32_t i = 0; i < 160; i++)
        memcpy(texels[i], i % 2 ? "\0\377\0\377" : "\377\0\0\377", 4);
    begin9(f);
    f->tolerance = 3;
    use_texture(f, mag ? 2 : 160, 1, 1, texels, mag ? 8 : sizeof texels);
    aero_sampler9(f, mag ? SAMP_MIN : SAMP_MAG, linear ? 1 : 2);
    aero_sampler9(f, number, linear ? 1 : 2);
    aero_sampler9(f, number, filter);
    aero_fill_texture(f, 1, 1);
    if (mag) { // the pixels about the border of the two, 31/64 and 33/64 of the way
        aero_expect(f, 31, 32, linear ? 131 : 255, linear ? 124 : 0, 0, 255);
        aero_expect(f, 32, 32, linear ? 124 : 0, linear ? 131 : 255, 0, 255);
    } else { // 1.25 and 6.25 texels from the left: three quarters of texels 1 and 6
        aero_expect(f, 0, 32, linear ? 64 : 0, linear ? 191 : 255, 0, 255);
        aero_expect(f, 2, 32, linear ? 191 : 255, linear ? 64 : 0, 0, 255);
    }
    aero_scene_done(f);
}

// 8 x 8 texels with levels of one colour, minified eight times in one direction: with
// anisotropy the first level is fine enough, without it is the last one's turn.
static void make_anisotropy(struct aero_scene *f, uint32_t most)
{
    uint8_t texels[85][4];
    for (uint32_t i = 0; i < 85; i++)
        memcpy(texels[i],
               i < 64   ? "\377\0\0\377"
               : i < 84 ? "\0\377\0\377"
                        : "\0\0\377\377",
               4);
    begin9(f);
    use_texture(f, 8, 8, 4, texels, sizeof texels);
    aero_sampler9(f, SAMP_MIN, 3);
    aero_sampler9(f, SAMP_MIP, 1);
    aero_sampler9(f, SAMP_ANISOTROPY, most);
    aero_fill_texture(f, 64, 8); // 8 texels each pixel, and 1
    aero_expect_all(f, most > 1 ? 255 : 0, 0, most > 1 ? 0 : 255, 255);
    aero_scene_done(f);
}

// Between levels of red and green: linear ones mix, others do not.
static void make_mip_filter(struct aero_scene *f, uint32_t filter)
{
    uint8_t texels[85][4];
    for (uint32_t i = 0; i < 85; i++)
        memcpy(texels[i], i < 64 ? "\377\0\0\377" : "\0\377\0\377", 4);
    begin9(f);
    f->tolerance = 24; // how fine levels are is the device's
    use_texture(f, 8, 8, 4, texels, sizeof texels);
    aero_sampler9(f, SAMP_MIP, 1);
    aero_sampler9(f, SAMP_MIP, filter);
    aero_fill_texture(f, 11.3137f,
                      11.3137f); // the square root of two texels each pixel
    aero_expect_all(f, 128, 128, 0, 255);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_d3d9_states[] = {
    { "d3d9_op_fail", "state 53", make_stencil_op, 53 | 3 << 16 },
    { "d3d9_op_z_fail", "state 54", make_stencil_op, 54 | 3 << 16 },
    { "d3d9_op_pass", "state 55", make_stencil_op, 55 | 3 << 16 },
    { "d3d9_op_ccw_fail", "state 186", make_stencil_op, 186 | 3 << 16 },
    { "d3d9_op_ccw_z_fail", "state 187", make_stencil_op, 187 | 3 << 16 },
    { "d3d9_op_ccw_pass", "state 188", make_stencil_op, 188 | 3 << 16 },
    { "d3d9_op_0", "0 is KEEP", make_stencil_op, 55 },
    { "d3d9_op_ccw_0", "0 is KEEP", make_stencil_op, 188 },
    { "d3d9_func_0", "0 is ALWAYS", make_stencil_func, 0 },
    { "d3d9_func_never", "state 56: 1", make_stencil_func, 1 },
    { "d3d9_func_less", "state 56: 2", make_stencil_func, 2 },
    { "d3d9_func_equal", "state 56: 3", make_stencil_func, 3 },
    { "d3d9_func_less_equal", "state 56: 4", make_stencil_func, 4 },
    { "d3d9_func_greater", "state 56: 5", make_stencil_func, 5 },
    { "d3d9_func_not_equal", "state 56: 6", make_stencil_func, 6 },
    { "d3d9_func_greater_equal", "state 56: 7", make_stencil_func, 7 },
    { "d3d9_func_always", "state 56: 8", make_stencil_func, 8 },
    { "d3d9_func_ccw_0", "0 is ALWAYS", make_stencil_func, 16 | 0 },
    { "d3d9_func_ccw_never", "state 189: 1", make_stencil_func, 16 | 1 },
    { "d3d9_func_ccw_less", "state 189: 2", make_stencil_func, 16 | 2 },
    { "d3d9_func_ccw_equal", "state 189: 3", make_stencil_func, 16 | 3 },
    { "d3d9_func_ccw_less_equal", "state 189: 4", make_stencil_func, 16 | 4 },
    { "d3d9_func_ccw_greater", "state 189: 5", make_stencil_func, 16 | 5 },
    { "d3d9_func_ccw_not_equal", "state 189: 6", make_stencil_func, 16 | 6 },
    { "d3d9_func_ccw_greater_equal", "state 189: 7", make_stencil_func, 16 | 7 },
    { "d3d9_func_ccw_always", "state 189: 8", make_stencil_func, 16 | 8 },
    { "d3d9_alpha_op_add", "state 209: 1", make_alpha_op, 1 },
    { "d3d9_alpha_op_subtract", "state 209: 2", make_alpha_op, 2 },
    { "d3d9_alpha_op_reverse", "state 209: 3", make_alpha_op, 3 },
    { "d3d9_alpha_op_min", "state 209: 4", make_alpha_op, 4 },
    { "d3d9_alpha_op_max", "state 209: 5", make_alpha_op, 5 },
    { "d3d9_alpha_src_0", "0 is ONE", make_alpha_factor_0, 0 },
    { "d3d9_alpha_dst_0", "0 is ZERO", make_alpha_factor_0, 1 },
    { "d3d9_mask_of_0", "state 168", make_masks, 0 },
    { "d3d9_mask_of_1", "state 190", make_masks, 1 },
    { "d3d9_mask_of_2", "state 191", make_masks, 2 },
    { "d3d9_mask_of_3", "state 192", make_masks, 3 },
    { "d3d9_address_u_0", "0 is wrap", make_address, 0 | SAMP_U << 4 },
    { "d3d9_address_v_0", "0 is wrap", make_address, 0 | SAMP_V << 4 },
    { "d3d9_address_v_wrap", "state 2: 1", make_address, 1 | SAMP_V << 4 },
    { "d3d9_address_v_mirror", "state 2: 2", make_address, 2 | SAMP_V << 4 },
    { "d3d9_address_v_clamp", "state 2: 3", make_address, 3 | SAMP_V << 4 },
    { "d3d9_address_v_border", "state 2: 4", make_address, 4 | SAMP_V << 4 },
    { "d3d9_address_v_once", "state 2: 5", make_address, 5 | SAMP_V << 4 },
    { "d3d9_address_w", "state 3 is not V", make_address, 1 | SAMP_W << 4 },
    { "d3d9_border_transparent", "state 4", make_border, 0 },
    { "d3d9_border_black", "state 4", make_border, 0xFF000000 },
    { "d3d9_border_white", "state 4", make_border, 0xFFFFFFFF },
    { "d3d9_border_other", "others are transparent", make_border, 0xFF00FF00 },
    { "d3d9_mag_none", "state 5: 0, as linear", make_filter, 0 | SAMP_MAG << 4 },
    { "d3d9_mag_point", "state 5: 1", make_filter, 1 | SAMP_MAG << 4 },
    { "d3d9_mag_linear", "state 5: 2", make_filter, 2 | SAMP_MAG << 4 },
    { "d3d9_mag_anisotropic", "state 5: 3", make_filter, 3 | SAMP_MAG << 4 },
    { "d3d9_mag_unknown", "state 5: 4, as linear", make_filter, 4 | SAMP_MAG << 4 },
    { "d3d9_min_none", "state 6: 0, as linear", make_filter, 0 | SAMP_MIN << 4 },
    { "d3d9_min_point", "state 6: 1", make_filter, 1 | SAMP_MIN << 4 },
    { "d3d9_min_linear", "state 6: 2", make_filter, 2 | SAMP_MIN << 4 },
    { "d3d9_min_anisotropic", "state 6: 3", make_filter, 3 | SAMP_MIN << 4 },
    { "d3d9_min_unknown", "state 6: 4, as linear", make_filter, 4 | SAMP_MIN << 4 },
    { "d3d9_mip_linear", "state 7: 2", make_mip_filter, 2 },
    { "d3d9_mip_anisotropic", "state 7: 3", make_mip_filter, 3 },
    { "d3d9_anisotropy_1", "state 10: isotropic", make_anisotropy, 1 },
    { "d3d9_anisotropy_16", "state 10", make_anisotropy, 16 },
    { NULL, NULL, NULL, 0 },
};
