// Fixtures: what Direct3D 9 shaders read besides float constants, and cube textures.
#include "tests/aerogpu/aerogpu_scene9.h"

#include <string.h>

enum { VS9 = 40, PS9, DECL9 };

// vs_2_0: dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1; mov oPts, v1.w
static const uint32_t vs9_points[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A,
    0x900F0001, 0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xD00F0000,
    0x90E40001, 0x02000001, 0xC00F0002, 0x90FF0001, END9,
};
// vs_3_0: dcl_position v0; dcl_color v1; dcl_position o0; dcl_color o1; dcl_psize o2.x;
// mov o0, v0; mov o1, v1; mov o2.x, v1.w
static const uint32_t vs9_points3[] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001,
    0x0200001F, 0x80000000, 0xE00F0000, 0x0200001F, 0x8000000A, 0xE00F0001, 0x0200001F,
    0x80000004, 0xE0010002, 0x02000001, 0xE00F0000, 0x90E40000, 0x02000001, 0xE00F0001,
    0x90E40001, 0x02000001, 0xE0010002, 0x90FF0001, END9,
};
// ps_3_0: dcl_color v0; mov oC0, v0
static const uint32_t ps9_color3[] = { 0xFFFF0300, 0x0200001F, 0x8000000A, 0x900F0000,
                                       0x02000001, 0x800F0800, 0x90E40000, END9 };
// ps_2_0: dcl v0; mov oC0, v0
static const uint32_t ps9_color[] = { 0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000,
                                      0x02000001, 0x800F0800, 0x90E40000, END9 };
// ps_3_0: mov r0, c0; rep i2; add r0, r0, c1; endrep; mov oC0, r0
static const uint32_t ps9_loop[] = {
    0xFFFF0300, 0x02000001, 0x800F0000, 0xA0E40000, 0x01000026,
    0xF0E40002, 0x03000002, 0x800F0000, 0x80E40000, 0xA0E40001,
    0x00000027, 0x02000001, 0x800F0800, 0x80E40000, END9,
};
// ps_3_0: if b3; mov r0, c2; else; mov r0, c3; endif; mov oC0, r0
static const uint32_t ps9_branch[] = {
    0xFFFF0300, 0x01000028, 0xE0E40803, 0x02000001, 0x800F0000,
    0xA0E40002, 0x0000002A, 0x02000001, 0x800F0000, 0xA0E40003,
    0x0000002B, 0x02000001, 0x800F0800, 0x80E40000, END9,
};
// ps_2_0: dcl t0.xyz; dcl_cube s0; texld r0, t0, s0; mov oC0, r0
static const uint32_t ps9_cube[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB0070000, 0x0200001F,
    0x98000000, 0xA00F0800, 0x03000042, 0x800F0000, 0xB0E40000,
    0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, END9,
};

static void begin9(struct aero_scene *f, const uint32_t *ps, size_t size)
{
    const struct aero_shader9 shaders[] = {
        { VS9, 0, aero_vs9, sizeof aero_vs9 },
        { PS9, 1, ps, size },
    };
    aero_begin9(f, &(struct aero_begin9){ shaders, 2, DECL9, AERO_R8G8B8A8 });
}

static void make_integers(struct aero_scene *f, uint32_t count)
{
    begin9(f, ps9_loop, sizeof ps9_loop);
    f->tolerance = 1;
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 1, 1, 0, aero_f32(0.2f), 0, 0,
             aero_f32(0.25f));
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_I, 1, 2, 1, 0, count, 0, 1, 0);
    aero_fill(f, 0.5f, 0, 0, 0, 0);
    aero_expect_all(f, (int)count * 51, 0, 0, count == 4 ? 255 : (int)count * 64);
    aero_scene_done(f);
}

// variant: bit 0 = the value, bit 1 = 4 bytes for each register rather than 16.
static void make_booleans(struct aero_scene *f, uint32_t variant)
{
    uint32_t value = variant & 1;
    begin9(f, ps9_branch, sizeof ps9_branch);
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 2, 2, 0, aero_f32(1), 0, 0, aero_f32(1),
             0, aero_f32(1), 0, aero_f32(1));
    if (variant & 2)
        AERO_CMD(&f->s, SET_SHADER_CONSTANTS_B, 1, 2, 2, 0, !value, value);
    else
        AERO_CMD(&f->s, SET_SHADER_CONSTANTS_B, 1, 2, 2, 0, !value, 7, 7, 7, value, 0,
                 0, 0);
    aero_fill(f, 0.5f, 0, 0, 0, 0);
    aero_expect_all(f, value ? 255 : 0, value ? 0 : 255, 0, 255);
    aero_scene_done(f);
}

// Six faces in the order +x, -x, +y, -y, +z, -z, one colour each.
static void make_cube(struct aero_scene *f, uint32_t face)
{
    static const float direction[6][3] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                           { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
    uint8_t data[6][4 * 4];
    begin9(f, ps9_cube, sizeof ps9_cube);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < 4; k++) {
            const uint8_t t[4] = { (uint8_t)(40 * i), (uint8_t)(255 - 40 * i), 7, 255 };
            memcpy(data[i] + 4 * k, t, 4);
        }
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 1, 6);
    aero_upload(&f->s, texture, 0, data, sizeof data);
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    const float *d = direction[face];
    aero_fill(f, 0.5f, d[0], d[1], d[2], 0);
    aero_expect_all(f, (int)(40 * face), (int)(255 - 40 * face), 7, 255);
    aero_scene_done(f);
}

// Clockwise triangles replace with 1, the others with what the CCW states say; then
// only pixels with the value are drawn.
static void make_two_sided(struct aero_scene *f, uint32_t variant)
{
    begin9(f, ps9_color, sizeof ps9_color);
    uint32_t depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 7, 0, 0, 0, 0, 1, 0);
    static const uint32_t states[][2] = {
        { RS_CULL, 1 },         { RS_STENCIL, 1 },      { RS_STENCIL_REF, 9 },
        { RS_STENCIL_PASS, 3 }, { RS_CCW_PASS, 7 },     { RS_TWO_SIDED, 1 },
        { RS_CCW_FUNC, 8 },     { RS_STENCIL_FUNC, 8 },
    };
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        AERO_CMD(&f->s, SET_RENDER_STATE, states[i][0], states[i][1]);
    const struct aero_vertex v[] = {
        { -1, -1, 0, 1, 0, 0, 1 }, { -1, 3, 0, 1, 0, 0, 1 }, { 0, -1, 0, 1, 0, 0, 1 },
        { 1, -1, 0, 1, 0, 0, 1 },  { 1, 3, 0, 1, 0, 0, 1 },  { 0, -1, 0, 1, 0, 0, 1 },
    };
    aero_vertices(f, v, 6);
    aero_draw(&f->s, 6);
    // Left is 9 (replaced), right is 1 (incremented).
    static const uint32_t after[][2] = { { RS_TWO_SIDED, 0 },
                                         { RS_STENCIL_PASS, 1 },
                                         { RS_STENCIL_FUNC, 3 } };
    for (size_t i = 0; i < 3; i++)
        AERO_CMD(&f->s, SET_RENDER_STATE, after[i][0], after[i][1]);
    AERO_CMD(&f->s, SET_RENDER_STATE, RS_STENCIL_REF, variant ? 1 : 9);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect(f, 2, 32, variant ? 255 : 0, variant ? 0 : 255, 0, 255);
    aero_expect(f, 61, 32, variant ? 0 : 255, variant ? 255 : 0, 0, 255);
    aero_scene_done(f);
}

// Points as large as their shader says; variant: its model.
static void make_point_size(struct aero_scene *f, uint32_t variant)
{
    bool three = variant == 3;
    begin9(f, three ? ps9_color3 : ps9_color,
           three ? sizeof ps9_color3 : sizeof ps9_color);
    uint32_t vs = f->next++;
    aero_create_shader(&f->s, vs, 0, three ? vs9_points3 : vs9_points,
                       three ? sizeof vs9_points3 : sizeof vs9_points);
    aero_bind_shaders(&f->s, vs, PS9);
    const struct aero_vertex v[] = {
        { -1 + 21.0f / 64, 1 - 41.0f / 64, 0, 1, 0, 0, 5 }, // the centre of 10, 20
        { -1 + 81.0f / 64, 1 - 61.0f / 64, 0, 0, 1, 0, 3 }, // of 40, 30
        { 1 - 1.0f / 64, -1 + 1.0f / 64, 0, 0, 0, 1, 17 },  // of 63, 63
        { -1 + 11.0f / 64, 1 - 11.0f / 64, 0, 1, 1, 1, 0 }, // of 5, 5: one pixel
    };
    aero_vertices(f, v, 4);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 1, 0);
    aero_draw(&f->s, 4);
    static const struct {
        uint32_t x, y;
        int r, g, b, a;
    } probes[] = {
        { 8, 18, 255, 0, 0, 255 },  { 12, 22, 255, 0, 0, 255 },
        { 7, 20, 0, 0, 0, 0 },      { 13, 20, 0, 0, 0, 0 },
        { 10, 23, 0, 0, 0, 0 },     { 39, 29, 0, 255, 0, 255 },
        { 41, 31, 0, 255, 0, 255 }, { 42, 30, 0, 0, 0, 0 },
        { 55, 55, 0, 0, 255, 255 }, { 63, 55, 0, 0, 255, 255 },
        { 54, 63, 0, 0, 0, 0 },     { 5, 5, 255, 255, 255, 0 },
        { 6, 5, 0, 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++)
        aero_expect(f, probes[i].x, probes[i].y, probes[i].r, probes[i].g, probes[i].b,
                    probes[i].a);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_d3d9_shaders[] = {
    { "d3d9_point_size_2", "oPts", make_point_size, 2 },
    { "d3d9_point_size_3", "dcl_psize", make_point_size, 3 },
    { "d3d9_integers_1", "rep by an integer constant", make_integers, 1 },
    { "d3d9_integers_4", "rep by an integer constant", make_integers, 4 },
    { "d3d9_booleans_true", "if by a boolean, 16 bytes each", make_booleans, 1 },
    { "d3d9_booleans_false", "the other branch", make_booleans, 0 },
    { "d3d9_booleans_short", "4 bytes each", make_booleans, 3 },
    { "d3d9_cube_px", "cube face +x", make_cube, 0 },
    { "d3d9_cube_nx", "cube face -x", make_cube, 1 },
    { "d3d9_cube_py", "cube face +y", make_cube, 2 },
    { "d3d9_cube_ny", "cube face -y", make_cube, 3 },
    { "d3d9_cube_pz", "cube face +z", make_cube, 4 },
    { "d3d9_cube_nz", "cube face -z", make_cube, 5 },
    { "d3d9_two_sided_cw", "stencil of clockwise triangles", make_two_sided, 0 },
    { "d3d9_two_sided_ccw", "stencil of the others", make_two_sided, 1 },
    { NULL, NULL, NULL, 0 },
};
