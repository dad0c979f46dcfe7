// Fixtures: shaders that ask of the draw what they do not say themselves: inputs nobody
// writes, tessellation modes, shapes of what is bound, constants behind a declaration,
// textures and views that are not there, shaders that no draw may use.
#include "tests/aerogpu/aerogpu_scene9.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/sm9_tokens.h"

#include <stdlib.h>
#include <string.h>

static uint32_t create(struct aero_scene *f, uint32_t stage, uint32_t stage_ex,
                       const void *blob, size_t size)
{
    uint32_t handle = f->next++;
    AERO_CMD(&f->s, CREATE_SHADER_DXBC, handle, stage, (uint32_t)size, stage_ex);
    aero_cmd_data(&f->s, blob, size);
    return handle;
}

static uint32_t assemble(struct aero_scene *f, uint32_t stage, uint32_t stage_ex,
                         const char *text)
{
    struct gv_bytes blob = { 0 };
    if (!dxbc_assemble(text, DXBC_ENCODING_OFFICIAL, &blob, NULL))
        abort(); // the text is wrong
    uint32_t handle = create(f, stage, stage_ex, blob.data, blob.size);
    gv_bytes_finish(&blob);
    return handle;
}

#define TOKENS(...) \
    (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ })

// ---- what nobody writes ----

#define PS_HEAD "ps_5_0\nin SV_Position 0 v0 sv=1\n"

// v2 is not among the vertex shader's outputs: zeros, wherever it is evaluated.
static void make_missing_input(struct aero_scene *f, uint32_t variant)
{
    static const char *const texts[] = {
        PS_HEAD
        "in TEXCOORD 0 v2\nout SV_Target 0 o0\ndcl_flags@1\n"
        "dcl_input_ps@2 v2\ndcl_output o0\nadd o0, v2, l(0.0, 1.0, 0.0, 1.0)\nret\n",
        PS_HEAD "in TEXCOORD 0 v2\nout SV_Target 0 o0\ndcl_flags@1\n"
                "dcl_input_ps@2 v2\ndcl_output o0\ndcl_temps 1\neval_centroid r0, v2\n"
                "add o0, r0, l(0.0, 1.0, 0.0, 1.0)\nret\n",
        PS_HEAD
        "in COLOR 0 v1\nin TEXCOORD 0 v2\nout SV_Target 0 o0\ndcl_flags@1\n"
        "dcl_input_ps@2 v1\ndcl_input_ps@2 v2\ndcl_output o0\nadd o0, v1, v2\nret\n",
    };
    aero_scene_begin(f);
    uint32_t ps = assemble(f, 1, 0, texts[variant]);
    aero_bind_shaders(&f->s, AERO_VS, ps);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// The geometry shader writes a colour and no more; the vertex shader's is not passed
// on.
static void make_missing_geometry(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t gs = assemble(
        f, 2, 2,
        "gs_5_0\nin SV_Position 0 v0 sv=1\nin TEXCOORD 0 v5\nout SV_Position 0 o0 "
        "sv=1\n"
        "out COLOR 0 o2\ndcl_flags@1\ndcl_input_siv v3[0], 1\ndcl_input v3[5]\n"
        "dcl_gs_primitive@3\ndcl_gs_topology@5\ndcl_output_siv o0, 1\ndcl_output o2\n"
        "dcl_maxout 3\nmov o0, v0[0]\nadd o2, v0[5], l(0.0, 1.0, 0.0, 1.0)\nemit\n"
        "mov o0, v1[0]\nadd o2, v1[5], l(0.0, 1.0, 0.0, 1.0)\nemit\n"
        "mov o0, v2[0]\nadd o2, v2[5], l(0.0, 1.0, 0.0, 1.0)\nemit\ncut\nret\n");
    uint32_t ps = assemble(
        f, 1, 0,
        PS_HEAD
        "in COLOR 1 v1\nin COLOR 0 v2\nout SV_Target 0 o0\ndcl_flags@1\n"
        "dcl_input_ps@2 v1\ndcl_input_ps@2 v2\ndcl_output o0\nadd o0, v1, v2\nret\n");
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, ps, 0, 99, gs, 0, 0);
    aero_fill(f, 0, 1, 0, 1, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

static void begin9(struct aero_scene *f)
{
    aero_scene_bare(f);
    aero_layout9(f, f->next++, 3);
    aero_create_texture(&f->s, AERO_TARGET, AERO_RENDER_TARGET, AERO_R8G8B8A8, 64, 64,
                        1, 1);
}

static void bind9(struct aero_scene *f, uint32_t vs, uint32_t ps)
{
    aero_bind_shaders(&f->s, vs, ps);
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_clear(&f->s, 1, 0.5f, 0.5f, 0.5f, 0.5f, 1, 0);
}

#define DCL(usage) OP(31, 2), 0x80000000u | (usage)
#define TEXCOORD0 5u
#define COLOR0 10u
#define COLOR1 (10u | 1u << 16)

// A vertex shader that writes a position alone: COLOR0 is white, all else 0.
static void make_missing_9(struct aero_scene *f, uint32_t variant)
{
    begin9(f);
    uint32_t vs = create(
        f, 0, 0,
        TOKENS(0xfffe0200, DCL(0), DST(V, 0), OP(1, 2), DST(RAST, 0), SRC(V, 0), END));
    uint32_t ps = 0;
    switch (variant) {
    case 0: // v0
        ps = create(f, 1, 0,
                    TOKENS(0xffff0200, DCL(0), DST(V, 0), OP(1, 2), DST(OC, 0),
                           SRC(V, 0), END));
        break;
    case 1: // v1
        ps = create(f, 1, 0,
                    TOKENS(0xffff0200, DCL(0), DST(V, 1), OP(1, 2), DST(OC, 0),
                           SRC(V, 1), END));
        break;
    case 2: // t3
        ps = create(f, 1, 0,
                    TOKENS(0xffff0200, DCL(0), DST(A, 3), OP(1, 2), DST(OC, 0),
                           SRC(A, 3), END));
        break;
    case 3: // dcl_color0 v4 of model 3
        ps = create(f, 1, 0,
                    TOKENS(0xffff0300, DCL(COLOR0), DST(V, 4), OP(1, 2), DST(OC, 0),
                           SRC(V, 4), END));
        break;
    case 4: // dcl_color1 v0 of model 3
        ps = create(f, 1, 0,
                    TOKENS(0xffff0300, DCL(COLOR1), DST(V, 0), OP(1, 2), DST(OC, 0),
                           SRC(V, 0), END));
        break;
    default: // ps_1_1: mov r0, v0
        ps = create(f, 1, 0, TOKENS(0xffff0101, 1, DST(R, 0), SRC(V, 0), END));
        break;
    }
    bool white = variant == 0 || variant == 3 || variant == 5;
    int value = white ? 255 : 0;
    bind9(f, vs, ps);
    aero_fill(f, 0.5f, 0.2f, 0.4f, 0.6f, 0.8f);
    aero_expect_all(f, value, value, value, value);
    aero_scene_done(f);
}

// ---- tessellation ----

#define HULL_QUADS                                                                     \
    "hs_5_0\nin SV_Position 0 v0 sv=1\nout POSITION 0 o0\npatch SV_TessFactor 0 "      \
    "o0.x sv=11\npatch SV_TessFactor 1 o1.x sv=11\npatch SV_TessFactor 2 o2.x sv=11\n" \
    "patch SV_TessFactor 3 o3.x sv=11\npatch SV_InsideTessFactor 0 o4.x sv=12\n"       \
    "patch SV_InsideTessFactor 1 o5.x sv=12\nhs_decls\ndcl_input_points@4\n"           \
    "dcl_output_points@4\ndcl_tess_domain@3\n"
#define FACTORS(n)                                                                \
    "hs_fork_phase\nmov o0.x, l(" n ")\nmov o1.x, l(" n ")\nmov o2.x, l(" n ")\n" \
    "mov o3.x, l(" n ")\nmov o4.x, l(" n ")\nmov o5.x, l(" n ")\nret\n"

// (u, v) over the target, v down; the colour is what `color` makes it.
#define DOMAIN_QUADS(patch, color)                                              \
    "ds_5_0\nin POSITION 0 v0\npatch SV_TessFactor 0 v0.x sv=11\n" patch        \
    "out SV_Position 0 o0 sv=1\nout COLOR 0 o1\ndcl_flags@1\n"                  \
    "dcl_input_points@4\ndcl_tess_domain@3\ndcl_input vDomain.xy\n"             \
    "dcl_output_siv o0, 1\ndcl_output o1\ndcl_temps 1\n"                        \
    "mad o0.xy, vDomain.xyxx, l(2.0, -2.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\n" \
    "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\n" color "ret\n"
#define SQUARED   \
    DOMAIN_QUADS( \
        "", "mul o1.x, vDomain.x, vDomain.x\nmov o1.yzw, l(0.0, 0.0, 0.0, 1.0)\n")
#define FROM_PATCH \
    DOMAIN_QUADS("patch EXTRA 0 v6\n", "add o1, vpc6, l(0.0, 1.0, 0.0, 1.0)\n")

static void draw_quad(struct aero_scene *f, const char *hull, const char *domain)
{
    struct aero_vertex v[4] = { { 0 } };
    uint32_t vs = assemble(f, 0, 0,
                           "vs_5_0\nin POSITION 0 v0\nout SV_Position 0 o0 sv=1\n"
                           "dcl_flags@1\ndcl_input v0\ndcl_output_siv o0, 1\n"
                           "mov o0, v0\nret\n");
    uint32_t hs = assemble(f, 2, 3, hull);
    uint32_t ds = assemble(f, 2, 4, domain);
    AERO_CMD(&f->s, BIND_SHADERS, vs, AERO_PS, 0, 0, 0, hs, ds);
    aero_vertices(f, v, 4);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 36, 0);
    aero_draw(&f->s, 4);
}

// u * u at u = 0.508, drawn in a line between the nearest points of division.
static void make_partitioning(struct aero_scene *f, uint32_t variant)
{
    static const struct {
        const char *hull;
        int red;
    } rows[] = {
        { HULL_QUADS "dcl_tess_partitioning@1\ndcl_tess_primitive@3\n" FACTORS("2.0"),
          67 }, // 0, 1/2, 1
        { HULL_QUADS "dcl_tess_partitioning@3\ndcl_tess_primitive@3\n" FACTORS("2.0"),
          88 }, // 0, 1/6 to 1/4, 3/4 to 5/6, 1: the device decides
        { HULL_QUADS "dcl_tess_partitioning@1\ndcl_tess_primitive@3\n" FACTORS("2.5"),
          73 }, // thirds
        { HULL_QUADS "dcl_tess_partitioning@4\ndcl_tess_primitive@3\n" FACTORS("2.5"),
          67 }, // 1/2 among others
    };
    aero_scene_begin(f);
    f->tolerance = variant == 1 ? 8 : 2;
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, 0);
    draw_quad(f, rows[variant].hull, SQUARED);
    aero_expect(f, 32, 20, rows[variant].red, 0, 0, 255);
    aero_expect(f, 32, 44, rows[variant].red, 0, 0, 255);
    aero_scene_done(f);
}

// Clockwise triangles are the front, counter-clockwise ones are not, points are dots.
static void make_output_primitive(struct aero_scene *f, uint32_t primitive)
{
    static const char *const hulls[] = {
        HULL_QUADS "dcl_tess_partitioning@1\ndcl_tess_primitive@1\n" FACTORS("1.0"),
        HULL_QUADS "dcl_tess_partitioning@1\ndcl_tess_primitive@3\n" FACTORS("1.0"),
        HULL_QUADS "dcl_tess_partitioning@1\ndcl_tess_primitive@4\n" FACTORS("1.0"),
    };
    aero_scene_begin(f); // culls what is not clockwise
    f->tolerance = 2;
    draw_quad(f, hulls[primitive == 1 ? 0 : primitive - 2], SQUARED);
    if (primitive == 3)
        aero_expect(f, 32, 32, 129, 0, 0, 255);
    else
        aero_expect(f, 32, 32, 0, 0, 0, 0);
    aero_scene_done(f);
}

// A patch constant that the hull shader has no word of is zero.
static void make_missing_patch(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    draw_quad(
        f, HULL_QUADS "dcl_tess_partitioning@1\ndcl_tess_primitive@3\n" FACTORS("1.0"),
        FROM_PATCH);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- shapes of what is bound ----

static uint32_t make_cube(struct aero_scene *f)
{
    uint8_t data[6][4];
    uint32_t texture = f->next++;
    for (uint32_t i = 0; i < 6; i++) {
        const uint8_t t[4] = { (uint8_t)(40 * i), (uint8_t)(255 - 40 * i), 7, 255 };
        memcpy(data[i], t, 4);
    }
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 6);
    aero_upload(&f->s, texture, 0, data, sizeof data);
    return texture;
}

static uint32_t make_flat(struct aero_scene *f)
{
    static const uint8_t texel[4] = { 1, 2, 3, 255 };
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texel, sizeof texel);
    return texture;
}

// ps_1_x samples a cube where one is bound (face +z here), a plain texture else, though
// nothing but the binding changes. variant: the model's minor number.
static void make_shape(struct aero_scene *f, uint32_t minor)
{
    begin9(f);
    uint32_t vs = create(f, 0, 0,
                         TOKENS(0xfffe0101, 31, 0x80000000u, DST(V, 0), 31,
                                0x80000000u | COLOR0, DST(V, 1), 1, DST(RAST, 0),
                                SRC(V, 0), 1, DST(OT, 0), SRC(V, 1), END));
    uint32_t ps =
        minor < 4
            ? create(f, 1, 0, TOKENS(0xffff0100u | minor, 66, DT(0), 1, R0, T(0), END))
            : create(f, 1, 0, TOKENS(0xffff0104u, 66, R0, T(0), END));
    uint32_t cube = make_cube(f), flat = make_flat(f);
    bind9(f, vs, ps);
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, flat, 0);
    aero_quad(f, -1, -1, 0, 1, 0.5f, (const float[]){ 0.2f, 0.2f, 0.9f, 1 });
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, cube, 0);
    aero_quad(f, 0, -1, 1, 1, 0.5f, (const float[]){ 0.2f, 0.2f, 0.9f, 1 });
    aero_expect(f, 16, 16, 1, 2, 3, 255);
    aero_expect(f, 48, 48, 160, 95, 7, 255);
    aero_scene_frame(f);
    // Destroyed, nothing is bound: no cube any more.
    AERO_CMD(&f->s, DESTROY_RESOURCE, cube, 0);
    aero_fill(f, 0.5f, 0.2f, 0.2f, 0.9f, 1);
    aero_expect_all(f, 0, 0, 0, 255);
    aero_scene_done(f);
}

// ---- constants behind a declaration ----

#define INDEXED(slot, at)                                                           \
    PS_HEAD "out SV_Target 0 o0\ndcl_flags@1\ndcl_constantbuffer@1 cb" slot "[2]\n" \
            "dcl_output o0\ndcl_temps 1\nmov r0.x, l(" at ")\n"                     \
            "mov o0, cb" slot "[r0.x + 1]\nret\n"

// Eight vectors are bound where two are declared. variant: usage of the buffer | index
// << 8; 0: constants without a buffer.
static void make_constants_behind(struct aero_scene *f, uint32_t variant)
{
    float data[8][4] = { { 0 } };
    uint32_t usage = variant & 0xFF, at = variant >> 8;
    data[6][1] = data[6][3] = 1;
    aero_scene_begin(f);
    uint32_t ps = assemble(f, 1, 0,
                           usage    ? at == 6 ? INDEXED("1", "5") : INDEXED("1", "8")
                              : at < 8 ? INDEXED("0", "5")
                                    : INDEXED("0", "8"));
    aero_bind_shaders(&f->s, AERO_VS, ps);
    if (usage) {
        uint32_t buffer = f->next++;
        aero_make_buffer(&f->s, buffer, usage, data, sizeof data);
        AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 1, 1, 0, buffer, 0, 0, 0);
    } else {
        AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 6, 1, 0, 0, aero_f32(1), 0,
                 aero_f32(1));
    }
    aero_fill(f, 0, 1, 1, 1, 1);
    aero_expect_all(f, 0, at == 6 ? 255 : 0, 0, at == 6 ? 255 : 0);
    aero_scene_frame(f);
    // The same shader with no more than it declares: nothing is behind.
    if (usage) {
        uint32_t small = f->next++;
        aero_make_buffer(&f->s, small, usage, data, 32);
        AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 1, 1, 0, small, 0, 0, 0);
    }
    aero_fill(f, 0, 1, 1, 1, 1);
    aero_expect_all(f, 0, !usage && at == 6 ? 255 : 0, 0, !usage && at == 6 ? 255 : 0);
    aero_scene_done(f);
}

#define TWO_INDEXED                                                              \
    PS_HEAD "out SV_Target 0 o0\ndcl_flags@1\ndcl_constantbuffer@1 cb1[2]\n"     \
            "dcl_constantbuffer@1 cb2[2]\ndcl_output o0\ndcl_temps 2\n"          \
            "mov r0.x, l(5)\nmov r1, cb1[r0.x + 1]\nadd o0, r1, cb2[r0.x + 1]\n" \
            "ret\n"

// Two buffers bound to their ends, from offsets of every pair of sizes: 4 to 4096
// vectors. That makes no form of the shader per pair. variant 1: from small to large;
// else the last ones read behind their buffers, through the largest form.
static void make_constants_sizes(struct aero_scene *f, uint32_t variant)
{
    static float data[4096][4];
    for (uint32_t i = 0; i < 4096; i++)
        data[i][1] = data[i][3] = 0.5f;
    aero_scene_begin(f);
    aero_bind_shaders(&f->s, AERO_VS, assemble(f, 1, 0, TWO_INDEXED));
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, data, sizeof data);
    for (uint32_t i = 0; i < 11 * 11; i++) {
        uint32_t pair = variant ? i : 11 * 11 - 1 - i;
        uint32_t one = 4u << pair % 11, two = 4u << pair / 11;
        uint32_t offsets[2] = { (4096 - one) * 16, (4096 - two) * 16 };
        AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 1, 2, 0, buffer, offsets[0], 0, 0,
                 buffer, offsets[1], 0, 0);
        aero_fill(f, 0, 1, 1, 1, 1);
    }
    aero_expect_all(f, 0, variant ? 255 : 0, 0, variant ? 255 : 0);
    aero_scene_done(f);
}

// ---- textures and views that are not there ----

#define UNBOUND(dcl, code)                                                      \
    PS_HEAD "out SV_Target 0 o0\ndcl_flags@1\n" dcl "dcl_output o0\ndcl_temps " \
            "2\n" code "ret\n"
#define SAMPLED "dcl_sampler s0\n"

// A texture of a shape that nothing can be bound as reads like any unbound one.
static void make_unbound(struct aero_scene *f, uint32_t variant)
{
    static const char *const texts[] = {
        UNBOUND(SAMPLED "dcl_resource@5 t0, 0x5555\n", "sample o0, l(0.5), t0, s0\n"),
        UNBOUND(SAMPLED "dcl_resource@2 t0, 0x5555\n", "sample o0, l(0.5), t0, s0\n"),
        UNBOUND(SAMPLED "dcl_resource@7 t0, 0x5555\n", "sample o0, l(0.5), t0, s0\n"),
        UNBOUND("dcl_resource@4 t0, 0x5555\n", "ldms o0, l(0), t0, l(0)\n"),
        UNBOUND("dcl_resource@9 t0, 0x5555\n", "ldms o0, l(0), t0, l(0)\n"),
        UNBOUND("dcl_resource@3 t0, 0x4444\n", "ld r0, l(0), t0\nutof o0, r0\n"),
        UNBOUND("dcl_resource@5 t0, 0x3333\n", "ld r0, l(0), t0\nitof o0, r0\n"),
    };
    aero_scene_begin(f);
    uint32_t ps = assemble(f, 1, 0, texts[variant]);
    aero_bind_shaders(&f->s, AERO_VS, ps);
    aero_fill(f, 0, 1, 1, 1, 1);
    aero_expect_all(f, 0, 0, 0, 255);
    aero_scene_done(f);
}

// Stores to typed elements, and the size of them, where no buffer is.
static void make_unbound_store(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t cs = assemble(f, 2, 0,
                           "cs_5_0\ndcl_flags@1\ndcl_uav_typed@1 u0, 0x5555\n"
                           "dcl_uav_typed@3 u1, 0x5555\ndcl_temps 1\n"
                           "dcl_thread_group 1, 1, 1\nbufinfo r0, u0\n"
                           "resinfo r0, l(0), u1\nstore_uav_typed u0.xyzw, l(0), r0\n"
                           "store_uav_typed u1.xyzw, l(0), r0\nret\n");
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, cs, 0);
    AERO_CMD(&f->s, DISPATCH, 1, 1, 1, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- shaders that no draw may use ----

// They are created, and bound, and nothing comes of it.
static void make_refused(struct aero_scene *f, uint32_t variant)
{
    static const char *const texts[] = {
        "cs_5_0\ndcl_thread_group 1, 1, 1\nword 0x010000ea\nret\n",
        "cs_5_0\ndcl_thread_group 1, 1, 1\ndcl_uav_raw u8\nret\n",
        "cs_5_1\ndcl_thread_group 1, 1, 1\nret\n",
    };
    aero_scene_begin(f);
    uint32_t cs = assemble(f, 2, 0, texts[variant]);
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, cs, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_shaders[] = {
    { "missing_input", "an input nobody writes is zero", make_missing_input, 0 },
    { "missing_input_evaluated", "at the centroid too", make_missing_input, 1 },
    { "missing_input_of_two", "the other one is there", make_missing_input, 2 },
    { "missing_geometry", "two stages, each lacks one", make_missing_geometry, 0 },
    { "d3d9_missing_color", "COLOR0 is white", make_missing_9, 0 },
    { "d3d9_missing_color_1", "COLOR1 is zero", make_missing_9, 1 },
    { "d3d9_missing_coordinate", "so are coordinates", make_missing_9, 2 },
    { "d3d9_missing_color_3", "COLOR0 by dcl", make_missing_9, 3 },
    { "d3d9_missing_color_1_3", "COLOR1 by dcl", make_missing_9, 4 },
    { "d3d9_missing_color_1_1", "COLOR0 of ps_1_1", make_missing_9, 5 },
    { "tessellation_integer", "whole factors", make_partitioning, 0 },
    { "tessellation_odd", "the hull shader's partitioning", make_partitioning, 1 },
    { "tessellation_integer_3", "2.5 is 3", make_partitioning, 2 },
    { "tessellation_even", "fractional even", make_partitioning, 3 },
    { "tessellation_cw", "the front", make_output_primitive, 3 },
    { "tessellation_ccw", "the back is culled", make_output_primitive, 4 },
    { "tessellation_points", "nothing between the points", make_output_primitive, 1 },
    { "tessellation_missing_patch", "a constant nobody writes", make_missing_patch, 0 },
    { "d3d9_shape_1_1", "ps_1_1 samples what is bound", make_shape, 1 },
    { "d3d9_shape_1_4", "so does ps_1_4", make_shape, 4 },
    { "constants_behind", "an index behind the declaration", make_constants_behind,
      AERO_CONSTANT | 6 << 8 },
    { "constants_behind_untracked", "content unknown", make_constants_behind,
      AERO_VERTEX | 6 << 8 },
    { "constants_behind_legacy", "slot 0 without a buffer", make_constants_behind,
      6 << 8 },
    { "constants_outside", "behind the buffer: zero", make_constants_behind,
      AERO_CONSTANT | 9 << 8 },
    { "constants_outside_legacy", "likewise", make_constants_behind, 9 << 8 },
    { "constants_sizes_down", "every pair of sizes", make_constants_sizes, 0 },
    { "constants_sizes_up", "from the smallest", make_constants_sizes, 1 },
    { "unbound_3d", "a 3D texture that is not there", make_unbound, 0 },
    { "unbound_1d", "1D", make_unbound, 1 },
    { "unbound_1d_array", "1D array", make_unbound, 2 },
    { "unbound_ms", "multisampled", make_unbound, 3 },
    { "unbound_ms_array", "multisampled array", make_unbound, 4 },
    { "unbound_uint", "of unsigned integers", make_unbound, 5 },
    { "unbound_3d_sint", "3D of integers", make_unbound, 6 },
    { "unbound_store", "typed views that are not there", make_unbound_store, 0 },
    { "refused_unused", "a feedback opcode, never drawn with", make_refused, 0 },
    { "refused_register", "u8", make_refused, 1 },
    { "refused_model", "shader model 5.1", make_refused, 2 },
    { NULL, NULL, NULL, 0 },
};
