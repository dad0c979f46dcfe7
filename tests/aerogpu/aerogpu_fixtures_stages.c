// Fixtures: geometry, hull and domain shaders.
#include "tests/aerogpu/aerogpu_scene.h"

static uint32_t make_shader(struct aero_scene *f, struct aero_asm *a, uint32_t stage,
                            uint32_t stage_ex)
{
    struct gv_bytes blob = { 0 };
    uint32_t handle = f->next++;
    aero_asm_end(a, &blob);
    AERO_CMD(&f->s, CREATE_SHADER_DXBC, handle, stage, (uint32_t)blob.size, stage_ex);
    aero_cmd_data(&f->s, blob.data, blob.size);
    gv_bytes_finish(&blob);
    return handle;
}

static void declare(struct aero_asm *a, uint32_t opcode, uint32_t value)
{
    aero_decl(a, opcode, &value, 1);
}

// Every point becomes a triangle over the whole target; variant 1 binds in the legacy
// form and names the stage by its own number.
static void make_geometry(struct aero_scene *f, uint32_t variant)
{
    static const float corner[3][2] = { { -1, -1 }, { -1, 3 }, { 3, -1 } };
    struct aero_asm a;
    aero_scene_begin(f);
    aero_asm_begin(&a, AERO_PROGRAM_GS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_input(&a, "COLOR", 0, 1);
    aero_asm_output(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "COLOR", 0, 1);
    declare(&a, 0x10c, 1); // points in
    declare(&a, 0x10d, 5); // triangle strip out
    declare(&a, 0x10e, 3); // vertices at most
    for (uint32_t i = 0; i < 3; i++) {
        AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15),
                aero_imm(corner[i][0], corner[i][1], 0, 1));
        AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(1), 15), aero_v2(0, 1));
        aero_op(&a, AERO_OP_EMIT, NULL, 0);
    }
    aero_op(&a, AERO_OP_CUT, NULL, 0);
    uint32_t gs = make_shader(f, &a, variant ? 3 : 2, variant ? 0 : 2);
    if (variant)
        AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, 0, gs);
    else
        AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, 0, 99, gs, 0, 0);
    const struct aero_vertex v[1] = { { 0, 0, 0, 0, 1, 0, 1 } };
    aero_vertices(f, v, 1);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 1, 0);
    aero_draw(&f->s, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Lines with adjacency: the geometry shader paints with the colour of a neighbour.
static void make_adjacency(struct aero_scene *f, uint32_t variant)
{
    static const float corner[3][2] = { { -1, -1 }, { -1, 3 }, { 3, -1 } };
    struct aero_asm a;
    (void)variant;
    aero_scene_begin(f);
    aero_asm_begin(&a, AERO_PROGRAM_GS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_input(&a, "COLOR", 0, 1);
    aero_asm_output(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "COLOR", 0, 1);
    declare(&a, 0x10c, 6); // lines with adjacency in
    declare(&a, 0x10d, 5);
    declare(&a, 0x10e, 3);
    for (uint32_t i = 0; i < 3; i++) {
        AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15),
                aero_imm(corner[i][0], corner[i][1], 0, 1));
        AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(1), 15), aero_v2(3, 1));
        aero_op(&a, AERO_OP_EMIT, NULL, 0);
    }
    uint32_t gs = make_shader(f, &a, 2, 2);
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, 0, 0, gs, 0, 0);
    const struct aero_vertex v[4] = { { 0, 0, 0, 1, 0, 0, 1 },
                                      { 0, 0, 0, 1, 0, 0, 1 },
                                      { 0.5f, 0, 0, 1, 0, 0, 1 },
                                      { 0.5f, 0, 0, 0, 0, 1, 1 } };
    aero_vertices(f, v, 4);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 10, 0);
    aero_draw(&f->s, 4);
    aero_expect_all(f, 0, 0, 255, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A tessellated triangle whose corners the domain shader knows covers the target.
// variant: factor | control points of a patch << 8.
static void make_patch(struct aero_scene *f, uint32_t variant)
{
    struct aero_asm a;
    struct aero_vertex v[32] = { { 0 } };
    const uint32_t points = variant >> 8;
    const float t = (float)(variant & 0xFF);
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, 0);
    aero_asm_begin(&a, AERO_PROGRAM_VS, 5);
    aero_asm_input(&a, "POSITION", 0, 0);
    aero_asm_output(&a, "SV_Position", 0, 0);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_v(0));
    uint32_t vs = make_shader(f, &a, 0, 0);
    aero_asm_begin(&a, AERO_PROGRAM_HS, 5);
    aero_asm_patch(&a, "SV_TessFactor", 0, 7);
    aero_asm_patch(&a, "SV_InsideTessFactor", 1, 1);
    declare(&a, 0x112, points);    // control points in
    declare(&a, 0x116, points);    // and out
    declare(&a, 0x113, 2);         // triangles
    declare(&a, 0x114, 1);         // whole factors
    declare(&a, 0x115, 3);         // triangles, clockwise
    aero_decl(&a, 0x11b, NULL, 0); // fork phase
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 7), aero_imm(t, t, t, t));
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(1), 1), aero_imm(t, t, t, t));
    uint32_t hs = make_shader(f, &a, 2, 3);
    aero_asm_begin(&a, AERO_PROGRAM_DS, 5);
    aero_asm_input(&a, "SV_DomainLocation", 0, 0);
    aero_asm_output(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "COLOR", 0, 1);
    declare(&a, 0x119, 2); // triangles
    AERO_OP(&a, AERO_OP_MUL, aero_mask(aero_r(0), 15), aero_imm(-1, -1, 0, 1),
            aero_sw(aero_v(0), "xxxx"));
    AERO_OP(&a, AERO_OP_MAD, aero_mask(aero_r(0), 15), aero_imm(-1, 3, 0, 1),
            aero_sw(aero_v(0), "yyyy"), aero_r(0));
    AERO_OP(&a, AERO_OP_MAD, aero_mask(aero_r(0), 15), aero_imm(3, -1, 0, 1),
            aero_sw(aero_v(0), "zzzz"), aero_r(0));
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_r(0));
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(1), 15), aero_imm(1, 0, 1, 1));
    uint32_t ds = make_shader(f, &a, 2, 4);
    AERO_CMD(&f->s, BIND_SHADERS, vs, AERO_PS, 0, 0, 0, hs, ds);
    aero_vertices(f, v, points);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 32 + points, 0);
    aero_draw(&f->s, points);
    aero_expect_all(f, 255, 0, 255, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

const struct aero_fixture aero_fixtures_stages[] = {
    { "geometry", "geometry shader, stage 2 with stage_ex 2", make_geometry, 0 },
    { "geometry_legacy", "stage 3, 24-byte BIND_SHADERS", make_geometry, 1 },
    { "geometry_adjacency", "topology 10", make_adjacency, 0 },
    { "tessellation_1", "hull and domain shaders", make_patch, 1 | 3 << 8 },
    { "tessellation_4", "more triangles", make_patch, 4 | 3 << 8 },
    { "tessellation_patch_1", "topology 33", make_patch, 1 | 1 << 8 },
    { "tessellation_patch_2", "topology 34", make_patch, 1 | 2 << 8 },
    { "tessellation_patch_32", "topology 64", make_patch, 1 | 32 << 8 },
    { NULL, NULL, NULL, 0 },
};
