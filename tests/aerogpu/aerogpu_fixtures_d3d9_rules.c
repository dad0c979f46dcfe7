// Fixtures: Direct3D 9 states that others are not about, vertex types, sRGB formats.
#include "tests/aerogpu/aerogpu_scene9.h"

#include <math.h>
#include <string.h>

enum { VS9 = 50, PS9, PS9_TEX, DECL9 };

// ps_2_0: dcl v0; mov oC0, v0; mov oC1, v0
static const uint32_t ps9[] = { 0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000,
                                0x02000001, 0x800F0800, 0x90E40000, 0x02000001,
                                0x800F0801, 0x90E40000, END9 };

static void begin9_format(struct aero_scene *f, uint32_t format)
{
    const struct aero_shader9 shaders[] = {
        { VS9, 0, aero_vs9, sizeof aero_vs9 },
        { PS9, 1, ps9, sizeof ps9 },
        { PS9_TEX, 1, aero_ps9_tex, sizeof aero_ps9_tex },
    };
    aero_begin9(f, &(struct aero_begin9){ shaders, 3, DECL9, format });
}

static void begin9(struct aero_scene *f)
{
    begin9_format(f, AERO_R8G8B8A8);
}

static void begin_depth(struct aero_scene *f, uint32_t stencil)
{
    begin9(f);
    uint32_t depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 7, 0, 0, 0, 0, 0.5f, stencil);
}

// A Direct3D 9 shader that was only created makes the context's rules.
static void make_created(struct aero_scene *f, uint32_t declaration)
{
    static const uint8_t end[] = { 0xFF, 0, 0, 0, 17, 0, 0, 0 };
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    AERO_CMD(&f->s, SET_SCISSOR, 0, 0, 8, 8);
    if (declaration) {
        AERO_CMD(&f->s, CREATE_INPUT_LAYOUT, DECL9, sizeof end, 0);
        aero_cmd_data(&f->s, end, sizeof end);
    } else {
        aero_create_shader(&f->s, VS9, 0, aero_vs9, sizeof aero_vs9);
    }
    aero_clear(&f->s, 1, 0, 1, 0, 1, 1, 0);
    aero_expect(f, 7, 7, 0, 255, 0, 255);
    aero_expect(f, 8, 7, 0, 0, 0, 0);
    aero_scene_done(f);
}

// ---- depth and stencil ----

// Unknown comparisons leave the state alone; 0 is one of them here.
static void make_z_func_unknown(struct aero_scene *f, uint32_t value)
{
    begin_depth(f, 0);
    aero_state9(f, RS_Z_FUNC, 5); // GREATER
    aero_state9(f, RS_Z_FUNC, value);
    aero_quad(f, -1, -1, 0, 1, 0.25f, (const float[]){ 1, 0, 0, 1 });
    aero_quad(f, 0, -1, 1, 1, 0.75f, (const float[]){ 0, 1, 0, 1 });
    aero_expect(f, 16, 32, 0, 0, 0, 0);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_done(f);
}

// variant 0: the test is off, nothing is written either; 1: no depth write.
static void make_z_off(struct aero_scene *f, uint32_t write)
{
    begin_depth(f, 0);
    aero_state9(f, write ? RS_Z_WRITE : RS_Z_ENABLE, 0);
    aero_fill(f, 0.25f, 1, 0, 0, 1);
    aero_state9(f, RS_Z_ENABLE, 1);
    aero_state9(f, RS_Z_WRITE, 1);
    aero_fill(f, 0.4f, 0, 1, 0, 1); // the depth is still 0.5
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Read and write masks: 0xF0 of 0x0F is written, 0x0F of the result compared.
static void make_stencil_masks(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin_depth(f, 0x0F);
    aero_state9(f, RS_Z_ENABLE, 0);
    aero_state9(f, RS_STENCIL, 1);
    aero_state9(f, RS_STENCIL_WRITE, 0xFFFFFFF0);
    aero_state9(f, RS_STENCIL_REF, 0xA5);
    aero_state9(f, RS_STENCIL_PASS, 3);
    aero_fill(f, 0, 1, 0, 0, 1); // 0xAF
    aero_state9(f, RS_STENCIL_PASS, 1);
    aero_state9(f, RS_STENCIL_FUNC, 3);
    aero_state9(f, RS_STENCIL_READ, 0x0F);
    aero_state9(f, RS_STENCIL_REF, 0x1F);
    aero_quad(f, -1, -1, 0, 1, 0, (const float[]){ 0, 1, 0, 1 });
    aero_state9(f, RS_STENCIL_READ, 0xFF);
    aero_state9(f, RS_STENCIL_REF, 0xAF);
    aero_quad(f, 0, -1, 1, 1, 0, (const float[]){ 0, 0, 1, 1 });
    aero_expect(f, 16, 32, 0, 255, 0, 255);
    aero_expect(f, 48, 32, 0, 0, 255, 255);
    aero_scene_done(f);
}

// The depth-stencil packet resets operations and functions; two-sidedness stays.
static void make_stencil_reset(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin_depth(f, 5);
    aero_state9(f, RS_CULL, 1);
    aero_state9(f, RS_TWO_SIDED, 1);
    aero_state9(f, RS_STENCIL_FUNC, 1);
    aero_state9(f, RS_STENCIL_PASS, 2);
    AERO_CMD(&f->s, SET_DEPTH_STENCIL_STATE, 0, 0, 7, 1, 0xFFFF);
    aero_fill(f, 0, 1, 0, 0, 1);    // passes, keeps 5
    aero_state9(f, RS_CCW_PASS, 2); // only counter-clockwise triangles zero it
    aero_quad(f, -1, -1, 0, 1, 0, (const float[]){ 1, 0, 0, 1 });
    aero_quad(f, 1, -1, 0, 1, 0, (const float[]){ 1, 0, 0, 1 }); // mirrored
    aero_state9(f, RS_TWO_SIDED, 0);
    aero_state9(f, RS_STENCIL_FUNC, 3);
    aero_state9(f, RS_STENCIL_REF, 5);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect(f, 16, 32, 0, 255, 0, 255);
    aero_expect(f, 48, 32, 255, 0, 0, 255);
    aero_scene_done(f);
}

// ---- the last writer of a state wins ----

// A packet's cull mode after a render state's is that of front and back faces.
static void make_cull_packet(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin9(f);
    aero_state9(f, RS_CULL, 2);                              // clockwise ones
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 2, 0, 0, 0, 0); // back, front is clockwise
    aero_quad(f, -1, -1, 0, 1, 0.5f, (const float[]){ 0, 1, 0, 1 });
    aero_state9(f, RS_FRONT_CCW, 1); // now clockwise ones are the back
    aero_quad(f, 0, -1, 1, 1, 0.5f, (const float[]){ 0, 1, 0, 1 });
    aero_expect(f, 16, 32, 0, 255, 0, 255);
    aero_expect(f, 48, 32, 0, 0, 0, 0);
    aero_scene_done(f);
}

// Unknown cull modes leave the state alone, whoever set it.
static void make_cull_unknown(struct aero_scene *f, uint32_t packet)
{
    begin9(f);
    aero_state9(f, RS_CULL, packet ? 1 : 2); // 2: clockwise ones
    if (packet)
        AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 1, 0, 0, 0, 0); // front: clockwise
    aero_state9(f, RS_CULL, 4);
    aero_fill(f, 0.5f, 0, 1, 0, 1);
    aero_expect_all(f, 0, 0, 0, 0);
    aero_scene_done(f);
}

// ---- strips ----

// Index 0xFFFF is a vertex like any other: here the third of a triangle.
static void make_strip(struct aero_scene *f, uint32_t variant)
{
    static const uint16_t indices[] = { 0xFFFD, 0xFFFE, 0xFFFF, 0 };
    static const struct aero_vertex v[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                             { -1, 3, 0, 0, 1, 0, 1 },
                                             { 3, -1, 0, 0, 1, 0, 1 } };
    (void)variant;
    begin9(f);
    aero_vertices(f, v, 3);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_INDEX, indices, sizeof indices);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, buffer, 0, 0, 0);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 5, 0);
    AERO_CMD(&f->s, DRAW_INDEXED, 3, 1, 0, (uint32_t)-0xFFFD, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- blending and masks ----

// Operations 1 to 5 of 0.25 over 0.5, both factors ONE.
static void make_blend_op(struct aero_scene *f, uint32_t op)
{
    static const int out[6] = { 0, 191, 0, 64, 64, 128 };
    begin9(f);
    f->tolerance = 1;
    aero_clear(&f->s, 1, 0.5f, 0.5f, 0.5f, 0.5f, 1, 0);
    aero_state9(f, RS_ALPHA_BLEND, 1);
    aero_state9(f, RS_SRC_BLEND, 2);
    aero_state9(f, RS_DST_BLEND, 2);
    aero_state9(f, RS_BLEND_OP, op);
    aero_state9(f, RS_BLEND_OP, 6); // unknown
    aero_fill(f, 0.5f, 0.25f, 0.25f, 0.25f, 0.25f);
    aero_expect_all(f, out[op], out[op], out[op], out[op]);
    aero_scene_done(f);
}

// Alpha's factors and operation follow the colour's until state 206 is set.
static void make_separate(struct aero_scene *f, uint32_t separate)
{
    begin9(f);
    aero_clear(&f->s, 1, 1, 0, 0, 1, 1, 0);
    aero_state9(f, RS_ALPHA_BLEND, 1);
    aero_state9(f, RS_SRC_BLEND, 2);
    aero_state9(f, RS_DST_BLEND, 2);
    aero_state9(f, RS_SRC_ALPHA, 1);
    aero_state9(f, RS_DST_ALPHA, 0); // 0 is ZERO here
    aero_state9(f, RS_ALPHA_OP, 3);  // REVSUBTRACT: nothing would be left of two ones
    aero_state9(f, RS_SEPARATE_ALPHA, separate);
    aero_fill(f, 0.5f, 0, 1, 0, 1);
    aero_expect_all(f, 255, 255, 0, separate ? 0 : 255);
    aero_scene_done(f);
}

// A write mask for each target.
static void make_masks(struct aero_scene *f, uint32_t second)
{
    begin9(f);
    uint32_t other = f->next++;
    aero_create_texture(&f->s, other, AERO_RENDER_TARGET, AERO_B8G8R8A8, 64, 64, 1, 1);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 2, 0, AERO_TARGET, other, 0, 0, 0, 0, 0, 0);
    aero_state9(f, RS_COLOR_MASK1, 2 | 8);
    aero_fill(f, 0.5f, 1, 1, 1, 1);
    if (second)
        aero_set_target(&f->s, other, 0);
    if (second)
        aero_expect_all(f, 0, 255, 0, 255);
    else
        aero_expect_all(f, 255, 255, 255, 255);
    aero_scene_done(f);
}

// ---- textures ----

// variant: D3DTEXF of the levels | highest level << 4. Level 1 of the picture would do.
// Without a filter of levels there is only the first.
static void make_mip_filter(struct aero_scene *f, uint32_t variant)
{
    uint8_t data[(64 + 16 + 4 + 1) * 4];
    for (uint32_t i = 0; i < sizeof data / 4; i++) {
        uint32_t mip = i < 64 ? 0 : i < 80 ? 1 : 2;
        const uint8_t t[4] = { mip == 0 ? 255 : 0, mip == 1 ? 255 : 0,
                               mip == 2 ? 255 : 0, 255 };
        memcpy(data + 4 * i, t, 4);
    }
    begin9(f);
    uint32_t texture = f->next++, highest = variant >> 4;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 8, 8, 4, 1);
    aero_upload(&f->s, texture, 0, data, sizeof data);
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, SAMP_MIP, variant & 15);
    AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, SAMP_MAX_MIP, highest);
    AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, 8, 0x40000000); // a bias is ignored
    aero_bind_shaders(&f->s, VS9, PS9_TEX);
    aero_fill_texture(f, 16, 16);
    uint32_t mip = variant & 15 ? 1 : 0;
    mip = mip && highest > mip ? highest : mip;
    aero_expect_all(f, mip == 0 ? 255 : 0, mip == 1 ? 255 : 0, mip == 2 ? 255 : 0, 255);
    aero_scene_done(f);
}

// sRGB formats are stored as plain ones: neither samples nor writes convert.
static void make_srgb_format(struct aero_scene *f, uint32_t target)
{
    static const uint8_t texel[4] = { 100, 150, 200, 255 };
    begin9_format(f, target ? 9 : 3);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, target ? 3 : 9, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texel, sizeof texel);
    if (target) {
        aero_clear(&f->s, 1, 100.0f / 255, 150.0f / 255, 200.0f / 255, 1, 1, 0);
        aero_expect_all(f, 100, 150, 200, 255);
        aero_scene_frame(f);
    }
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    aero_bind_shaders(&f->s, VS9, PS9_TEX);
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, 100, 150, 200, 255);
    aero_scene_done(f);
}

// ---- vertex types ----

// A colour of each D3DDECLTYPE: red, green, blue, alpha as the type holds them.
static void make_type(struct aero_scene *f, uint32_t type)
{
    static const struct {
        uint8_t bytes[16];
        uint8_t rgba[4];
    } rows[17] = {
        { { 0, 0, 0x80, 0x3F }, { 255, 0, 0, 255 } },
        { { 0, 0, 0, 0, 0, 0, 0x80, 0x3F }, { 0, 255, 0, 255 } },
        { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F }, { 0, 0, 255, 255 } },
        { { 0, 0, 0x80, 0x3F }, { 255, 0, 0, 0 } },
        { { 10, 20, 30, 40 }, { 30, 20, 10, 40 } },   // D3DCOLOR
        { { 0, 1, 0, 1 }, { 0, 255, 0, 255 } },       // UBYTE4
        { { 1, 0, 0xFF, 0xFF }, { 255, 0, 0, 255 } }, // SHORT2: 1, -1
        { { 0, 0, 1, 0, 1, 0, 0, 0 }, { 0, 255, 255, 0 } },
        { { 10, 20, 30, 40 }, { 10, 20, 30, 40 } },   // UBYTE4N
        { { 0xFF, 0x7F, 0, 0 }, { 255, 0, 0, 255 } }, // SHORT2N
        { { 0, 0, 0xFF, 0x7F, 0, 0, 0xFF, 0x7F }, { 0, 255, 0, 255 } },
        { { 0, 0, 0xFF, 0xFF }, { 0, 255, 0, 255 } }, // USHORT2N
        { { 0, 0, 0xFF, 0xFF, 0, 0, 0, 0 }, { 0, 255, 0, 0 } },
        { { 1, 4, 0, 0x40 }, { 255, 255, 0, 255 } },    // UDEC3: 1, 1, 0, 1
        { { 0xFF, 1, 0, 0x40 }, { 255, 0, 0, 255 } },   // DEC3N: 1, 0, 0, 1
        { { 0, 0x3C, 0, 0x3C }, { 255, 255, 0, 255 } }, // FLOAT16_2
        { { 0, 0, 0, 0, 0, 0x3C, 0, 0 }, { 0, 0, 255, 0 } },
    };
    struct {
        float position[3];
        uint8_t color[16];
    } v[3] = { { { -1, -1, 0.5f }, { 0 } },
               { { -1, 3, 0.5f }, { 0 } },
               { { 3, -1, 0.5f }, { 0 } } };
    begin9(f);
    uint32_t layout = f->next++, buffer = f->next++;
    aero_layout9(f, layout, (uint8_t)type);
    for (uint32_t i = 0; i < 3; i++)
        memcpy(v[i].color, rows[type].bytes, 16);
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, v, sizeof v);
    aero_set_vertex_buffer(&f->s, 0, buffer, sizeof v[0], 0);
    aero_draw(&f->s, 3);
    const uint8_t *c = rows[type].rgba;
    aero_expect_all(f, c[0], c[1], c[2], c[3]);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_d3d9_rules[] = {
    { "d3d9_created_shader", "a shader is a signal", make_created, 0 },
    { "d3d9_created_declaration", "a declaration is one", make_created, 1 },
    { "d3d9_z_func_0", "unknown z func", make_z_func_unknown, 0 },
    { "d3d9_z_func_9", "unknown z func", make_z_func_unknown, 9 },
    { "d3d9_z_off", "z enable 0", make_z_off, 0 },
    { "d3d9_z_write_off", "z write 0", make_z_off, 1 },
    { "d3d9_stencil_masks", "states 58 and 59", make_stencil_masks, 0 },
    { "d3d9_stencil_reset", "KEEP and ALWAYS", make_stencil_reset, 0 },
    { "d3d9_cull_packet", "the last writer wins", make_cull_packet, 0 },
    { "d3d9_cull_unknown", "cull 4 after cull 2", make_cull_unknown, 0 },
    { "d3d9_cull_unknown_packet", "cull 4 after a packet", make_cull_unknown, 1 },
    { "d3d9_strip_no_restart", "0xFFFF is a vertex", make_strip, 0 },
    { "d3d9_blend_op_add", "blend op 1", make_blend_op, 1 },
    { "d3d9_blend_op_subtract", "blend op 2", make_blend_op, 2 },
    { "d3d9_blend_op_reverse", "blend op 3", make_blend_op, 3 },
    { "d3d9_blend_op_min", "blend op 4", make_blend_op, 4 },
    { "d3d9_blend_op_max", "blend op 5", make_blend_op, 5 },
    { "d3d9_separate_off", "states 207 to 209", make_separate, 0 },
    { "d3d9_separate_on", "state 206", make_separate, 1 },
    { "d3d9_masks_first", "state 168", make_masks, 0 },
    { "d3d9_masks_second", "state 190", make_masks, 1 },
    { "d3d9_mip_none", "mip filter 0", make_mip_filter, 0 },
    { "d3d9_mip_point", "mip filter 1", make_mip_filter, 1 },
    { "d3d9_max_mip", "max mip level", make_mip_filter, 1 | 2 << 4 },
    { "d3d9_max_mip_none", "not without a mip filter", make_mip_filter, 2 << 4 },
    { "d3d9_srgb_format_read", "format 9 is stored plain", make_srgb_format, 0 },
    { "d3d9_srgb_format_write", "format 9 is stored plain", make_srgb_format, 1 },
    { "d3d9_type_float1", "type 0", make_type, 0 },
    { "d3d9_type_float2", "type 1", make_type, 1 },
    { "d3d9_type_float3", "type 2", make_type, 2 },
    { "d3d9_type_float4", "type 3", make_type, 3 },
    { "d3d9_type_color", "type 4: B, G, R, A", make_type, 4 },
    { "d3d9_type_ubyte4", "type 5", make_type, 5 },
    { "d3d9_type_short2", "type 6", make_type, 6 },
    { "d3d9_type_short4", "type 7", make_type, 7 },
    { "d3d9_type_ubyte4n", "type 8", make_type, 8 },
    { "d3d9_type_short2n", "type 9", make_type, 9 },
    { "d3d9_type_short4n", "type 10", make_type, 10 },
    { "d3d9_type_ushort2n", "type 11", make_type, 11 },
    { "d3d9_type_ushort4n", "type 12", make_type, 12 },
    { "d3d9_type_udec3", "type 13", make_type, 13 },
    { "d3d9_type_dec3n", "type 14", make_type, 14 },
    { "d3d9_type_float16_2", "type 15", make_type, 15 },
    { "d3d9_type_float16_4", "type 16", make_type, 16 },
    { NULL, NULL, NULL, 0 },
};
