// Direct3D 9 shaders on a device: one pixel is drawn, its colour is what the row's
// instructions left in r0, in each stage and model that has them.
#include "compiler/shader/d3d/dxbc.h"
#include "tests/runtime/runtime_fixture.h"
#include "tests/shader/sm9_tokens.h"

#include <math.h>

// Programs a row runs in.
enum { VS2 = 1, VS3 = 2, PS2 = 4, PS3 = 8, VS1 = 16, VS = VS2 | VS3, PS = PS2 | PS3 };
#define ALL (VS | PS)

// Constants of both stages. c8 + k is (k, k, k, k); i0 = (3, 1, 2), i1 = (4, 0, 1);
// b0 is true.
static const float c[4][4] = {
    { 0.25f, -2, 3, 4 },
    { 1.5f, 0.5f, -0.75f, 2 },
    { 0.5f, 0.25f, 8, -1 },
    { 2, 2.6f, 1.5f, -1.5f },
};
#define C0 SRC(C, 0)
#define C1 SRC(C, 1)
#define C2 SRC(C, 2)
#define C3 SRC(C, 3)

static const struct row {
    const char *name;
    int programs;
    uint32_t tokens[48];
    float expected[4];
} rows[] = {
    { "mov", ALL, { OP(1, 2), R0, C0, END }, { 0.25f, -2, 3, 4 } },
    { "mov_saturated", ALL, { OP(1, 2), R0 | SAT, C0, END }, { 0.25f, 0, 1, 1 } },
    { "mov_masked", ALL, { OP(1, 2), DSTM(R, 0, 6), C0, END }, { 0, -2, 3, 0 } },
    { "add_negated",
      ALL,
      { OP(2, 3), R0, C0, SRCM(C, 1, 1), END },
      { -1.25f, -2.5f, 3.75f, 2 } },
    { "sub", ALL, { OP(3, 3), R0, C0, C1, END }, { -1.25f, -2.5f, 3.75f, 2 } },
    { "mad", ALL, { OP(4, 4), R0, C0, C1, C2, END }, { 0.875f, -0.75f, 5.75f, 7 } },
    { "mul", ALL, { OP(5, 3), R0, C0, C1, END }, { 0.375f, -1, -2.25f, 8 } },
    { "rcp", ALL, { OP(6, 2), R0, SRCY(C, 0), END }, { -0.5f, -0.5f, -0.5f, -0.5f } },
    { "rsq_of_negative",
      ALL,
      { OP(7, 2), R0, SRC(C, 0) | 0xffu << 16, END },
      { 0.5f, 0.5f, 0.5f, 0.5f } },
    { "rsq_abs",
      ALL,
      { OP(1, 2), DST(R, 1), SRCM(C, 0, 1), OP(7, 2), R0, SRC(R, 1) | 0xffu << 16,
        END },
      { 0.5f, 0.5f, 0.5f, 0.5f } },
    { "dp3",
      ALL,
      { OP(8, 3), R0, C0, C1, END },
      { -2.875f, -2.875f, -2.875f, -2.875f } },
    { "dp4", ALL, { OP(9, 3), R0, C0, C1, END }, { 5.125f, 5.125f, 5.125f, 5.125f } },
    { "min", ALL, { OP(10, 3), R0, C0, C1, END }, { 0.25f, -2, -0.75f, 2 } },
    { "max", ALL, { OP(11, 3), R0, C0, C1, END }, { 1.5f, 0.5f, 3, 4 } },
    { "slt", VS, { OP(12, 3), R0, C0, C1, END }, { 1, 1, 0, 0 } },
    { "sge", VS, { OP(13, 3), R0, C0, C1, END }, { 0, 0, 1, 1 } },
    { "exp", ALL, { OP(14, 2), R0, SRCY(C, 0), END }, { 0.25f, 0.25f, 0.25f, 0.25f } },
    { "log", ALL, { OP(15, 2), R0, SRCY(C, 0), END }, { 1, 1, 1, 1 } },
    { "lit",
      VS,
      { OP(1, 2), DST(R, 1), C1, OP(16, 2), R0, SRC(R, 1), END },
      { 1, 1.5f, 0.25f, 1 } },
    { "lit_dark", VS, { OP(16, 2), R0, C0, END }, { 1, 0.25f, 0, 1 } },
    { "dst", VS, { OP(17, 3), R0, C0, C1, END }, { 1, -1, 3, 2 } },
    { "lrp", ALL, { OP(18, 4), R0, C2, C0, C1, END }, { 0.875f, -0.125f, 29.25f, 0 } },
    { "frc", ALL, { OP(19, 2), R0, C1, END }, { 0.5f, 0.5f, 0.25f, 0 } },
    { "m4x4",
      ALL,
      { OP(1, 2), DST(R, 1), C3, OP(20, 3), R0, SRC(R, 1), C0, END },
      { 0.5f - 5.2f + 4.5f - 6, 3 + 1.3f - 1.125f - 3, 1 + 0.65f + 12 + 1.5f,
        4 + 6.76f + 2.25f + 2.25f } },
    { "m3x2",
      ALL,
      { OP(1, 2), DST(R, 1), C3, OP(24, 3), DSTM(R, 0, 3), SRC(R, 1), C0, END },
      { 0.5f - 5.2f + 4.5f, 3 + 1.3f - 1.125f, 0, 0 } },
    { "m4x3_in_place",
      ALL,
      { OP(1, 2), R0, C3, OP(21, 3), DSTM(R, 0, 7), SRC(R, 0), C0, END },
      { 0.5f - 5.2f + 4.5f - 6, 3 + 1.3f - 1.125f - 3, 1 + 0.65f + 12 + 1.5f, -1.5f } },
    { "pow_of_negative",
      ALL,
      { OP(32, 3), R0, SRCY(C, 0), SRCX(C, 3), END },
      { 4, 4, 4, 4 } },
    { "crs",
      ALL,
      { OP(33, 3), DSTM(R, 0, 7), C0, C1, END },
      { -2 * -0.75f - 3 * 0.5f, 3 * 1.5f - 0.25f * -0.75f, 0.25f * 0.5f + 2 * 1.5f,
        0 } },
    { "sgn", VS, { OP(34, 4), R0, C0, SRC(R, 2), SRC(R, 3), END }, { 1, -1, 1, 1 } },
    { "abs", ALL, { OP(35, 2), R0, C0, END }, { 0.25f, 2, 3, 4 } },
    { "nrm",
      ALL,
      { OP(36, 2), R0, SRC(C, 0), END },
      { 0.0691714f, -0.5533711f, 0.8300566f, 1.1067422f } },
    { "sincos_2",
      VS2 | PS2,
      { OP(37, 4), DSTM(R, 0, 3), SRCX(C, 1), SRC(C, 2), SRC(C, 3), END },
      { 0.0707372f, 0.9974950f, 0, 0 } },
    { "sincos_3",
      VS3 | PS3,
      { OP(37, 2), DSTM(R, 0, 3), SRCX(C, 1), END },
      { 0.0707372f, 0.9974950f, 0, 0 } },
    { "cmp",
      PS,
      { OP(88, 4), R0, SRC(C, 0), C1, C2, END },
      { 1.5f, 0.25f, -0.75f, 2 } },
    { "cmp_zero_passes",
      PS,
      { OP(88, 4), R0, SRC(R, 5), C1, C2, END },
      { 1.5f, 0.5f, -0.75f, 2 } },
    { "dp2add",
      PS,
      { OP(90, 4), R0, C0, C1, SRCX(C, 2), END },
      { -0.125f, -0.125f, -0.125f, -0.125f } },
    // Constants of the shader win, through relative addresses too.
    { "def",
      ALL,
      { OP(81, 5), DST(C, 1), 0x3f800000, 0x40000000, 0x40400000, 0x40800000, OP(2, 3),
        R0, C0, C1, END },
      { 1.25f, 0, 6, 8 } },
    { "def_relative",
      VS,
      { OP(81, 5), DST(C, 10), 0x3f800000, 0x40000000, 0x40400000, 0x40800000,
        OP(46, 2), DSTM(A, 0, 1), SRCX(C, 3), OP(2, 4), R0, C0, SRC(C, 8) | RELATIVE,
        SRCX(A, 0), END },
      { 1.25f, 0, 6, 8 } },
    // 2, 2.6, 1.5, -1.5 -> 2, 3, 2 or 1, -1 or -2: halves may go either way.
    { "mova_rounds",
      VS,
      { OP(46, 2), DSTM(A, 0, 3), C3, OP(1, 3), R0, SRC(C, 8) | RELATIVE, SRCY(A, 0),
        END },
      { 3, 3, 3, 3 } },
    { "relative_outside",
      VS,
      { OP(1, 2), DST(R, 1), C2, OP(5, 3), DST(R, 1), SRC(R, 1), C2, OP(5, 3),
        DST(R, 1), SRC(R, 1), C2, OP(46, 2), DSTM(A, 0, 1), SRC(R, 1) | 0xaau << 16,
        OP(1, 3), R0, SRC(C, 8) | RELATIVE, SRCX(A, 0), END },
      { 0, 0, 0, 0 } },
    { "rep",
      ALL,
      { OP(38, 1), SRC(I, 0), OP(2, 3), R0, SRC(R, 0), C0, OP(39, 0), END },
      { 0.75f, -6, 9, 12 } },
    { "loop",
      VS,
      { OP(27, 2), SRC(AL, 0), SRC(I, 0), OP(2, 4), R0, SRC(R, 0), SRC(C, 8) | RELATIVE,
        SRCX(AL, 0), OP(29, 0), END },
      { 1 + 3 + 5, 9, 9, 9 } },
    { "loop_without_counter",
      VS,
      { OP(27, 2), SRC(AL, 0), SRC(I, 0), OP(2, 3), R0, SRC(R, 0), C0, OP(29, 0), END },
      { 0.75f, -6, 9, 12 } },
    { "nested_loops",
      VS,
      { OP(27, 2), SRC(AL, 0), SRC(I, 0), OP(27, 2), SRC(AL, 0), SRC(I, 1), OP(2, 4),
        R0, SRC(R, 0), SRC(C, 8) | RELATIVE, SRCX(AL, 0), OP(29, 0), OP(2, 4),
        DSTM(R, 0, 1), SRC(R, 0), SRC(C, 8) | RELATIVE, SRCX(AL, 0), OP(29, 0), END },
      { 3 * 6 + 9, 18, 18, 18 } },
    { "break",
      VS3 | PS3,
      { OP(38, 1), SRC(I, 1), OP(2, 3), R0, SRC(R, 0), C1, OP(45, 2) | COMPARE(1),
        SRCX(R, 0), SRCX(C, 3), OP(39, 0), END },
      { 3, 1, -1.5f, 4 } },
    { "if_bool",
      VS | PS3,
      { OP(40, 1), SRC(B, 0), OP(1, 2), R0, C0, OP(42, 0), OP(1, 2), R0, C1, OP(43, 0),
        END },
      { 0.25f, -2, 3, 4 } },
    { "if_not_bool",
      VS | PS3,
      { OP(40, 1), SRCM(B, 0, 13), OP(1, 2), R0, C0, OP(42, 0), OP(1, 2), R0, C1,
        OP(43, 0), END },
      { 1.5f, 0.5f, -0.75f, 2 } },
    { "ifc",
      VS3 | PS3,
      { OP(41, 2) | COMPARE(4), SRCX(C, 0), SRCX(C, 1), OP(1, 2), R0, C0, OP(43, 0),
        OP(41, 2) | COMPARE(3), SRCX(C, 0), SRCX(C, 1), OP(1, 2), R0, C1, OP(43, 0),
        END },
      { 0.25f, -2, 3, 4 } },
    { "predicate",
      VS3 | PS3,
      { OP(94, 3) | COMPARE(1), DST(P, 0), C0, C1, OP(1, 2), R0, C2,
        OP(1, 3) | PREDICATED, R0, SRC(P, 0), C0, END },
      { 0.5f, 0.25f, 3, 4 } },
    { "predicate_not",
      VS3 | PS3,
      { OP(94, 3) | COMPARE(1), DST(P, 0), C0, C1, OP(1, 2), R0, C2,
        OP(1, 3) | PREDICATED, R0, SRCM(P, 0, 13), C0, END },
      { 0.25f, -2, 8, -1 } },
    // Scalar operations of the first model read w, or what a swizzle repeats.
    { "rcp_of_w", VS1, { OP(6, 2), R0, C0, END }, { 0.25f, 0.25f, 0.25f, 0.25f } },
    { "rcp_of_x", VS1, { OP(6, 2), R0, SRCX(C, 0), END }, { 4, 4, 4, 4 } },
    { "rcp_of_x_later", VS, { OP(6, 2), R0, C0, END }, { 4, 4, 4, 4 } },
    { "rsq_of_w", VS1, { OP(7, 2), R0, C0, END }, { 0.5f, 0.5f, 0.5f, 0.5f } },
    { "exp_of_w", VS1, { OP(14, 2), R0, C1, END }, { 4, 4, 4, 4 } },
    { "log_of_w", VS1, { OP(15, 2), R0, C0, END }, { 2, 2, 2, 2 } },
    { "expp_of_w", VS1, { OP(78, 2), R0, C1, END }, { 4, 0, 4, 1 } },
    { "logp_of_w", VS1, { OP(79, 2), R0, C0, END }, { 2, 1, 2, 1 } },
    // A discarded pixel keeps the cleared 99s; w counts, whatever the mask.
    { "texkill",
      PS,
      { OP(1, 2), DST(R, 1), C0, OP(1, 2), R0, C1, OP(65, 1), DST(R, 1), END },
      { 99, 99, 99, 99 } },
    { "texkill_passes",
      PS,
      { OP(1, 2), DST(R, 1), SRC(C, 9), OP(1, 2), R0, C1, OP(65, 1), DST(R, 1), END },
      { 1.5f, 0.5f, -0.75f, 2 } },
    { "texkill_w",
      PS,
      { OP(1, 2), DST(R, 1), C3, OP(1, 2), R0, C1, OP(65, 1), DST(R, 1), END },
      { 99, 99, 99, 99 } },
    { "texkill_w_masked",
      PS,
      { OP(1, 2), DST(R, 1), C3, OP(1, 2), R0, C1, OP(65, 1), DSTM(R, 1, 7), END },
      { 99, 99, 99, 99 } },
    // The plain stages have v0 for a position and c2 for texture coordinate 0.
    { "input_relative_of_vertices",
      VS3,
      { OP(46, 2), DSTM(A, 0, 1), SRCX(C, 8), OP(1, 3), R0, SRC(V, 0) | RELATIVE,
        SRCX(A, 0), END },
      { 0, 0, 0, 1 } },
    { "input_relative_of_pixels",
      PS3,
      { OP(31, 2), 0x80000005u, DST(V, 3), OP(27, 2), SRC(AL, 0), SRC(I, 0), OP(2, 4),
        R0, SRC(R, 0), SRC(V, 0) | RELATIVE, SRCX(AL, 0), OP(29, 0), END },
      { 0.5f, 0.25f, 8, -1 } },
    { "output_relative",
      VS3,
      { OP(46, 2), DSTM(A, 0, 1), SRCX(C, 9), OP(1, 2), DST(OT, 0), SRC(V, 0), OP(1, 3),
        DST(OT, 0) | RELATIVE, SRCX(A, 0), C0, OP(1, 3), DSTM(OT, 0, 4) | RELATIVE,
        SRCX(A, 0), C2, OP(28, 0), END },
      { 0.25f, -2, 8, 4 } },
    { "call",
      VS | PS3,
      { OP(25, 1), SRC(L, 0), OP(26, 2), SRC(L, 0), SRC(B, 0), OP(26, 2), SRC(L, 0),
        SRCM(B, 0, 13), END, OP(30, 1), SRC(L, 0), OP(2, 3), R0, SRC(R, 0), C0,
        OP(28, 0), END },
      { 0.5f, -4, 6, 8 } },
};
#define ROWS (sizeof rows / sizeof *rows)

// ---- programs ----

static void put(struct gv_bytes *out, const uint32_t *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gv_bytes_u32(out, tokens[i]);
}
#define PUT(out, ...)                           \
    put(out, (const uint32_t[]){ __VA_ARGS__ }, \
        sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

// Code up to END; 0 behind that, or subroutines up to another END, which then stand
// behind the program's own end.
static void put_code(struct gv_bytes *out, const uint32_t *tokens, const uint32_t *last,
                     size_t last_count)
{
    size_t n = 0;
    while (tokens[n] != END)
        n++;
    put(out, tokens, n);
    put(out, last, last_count);
    if (tokens[n + 1]) {
        PUT(out, OP(28, 0));
        const uint32_t *rest = tokens + n + 1;
        for (n = 0; rest[n] != END; n++)
            gv_bytes_u32(out, rest[n]);
    }
    PUT(out, END);
}

static void put_vertex(const struct row *row, int program, struct gv_bytes *out)
{
    bool model_3 = program & (VS3 | PS3);
    static const uint32_t last_2[] = { OP(1, 2), DST(OT, 0),   SRC(R, 0),
                                       OP(1, 2), DST(RAST, 0), SRC(V, 0) };
    static const uint32_t last_3[] = { OP(1, 2), DST(OT, 1), SRC(R, 0),
                                       OP(1, 2), DST(OT, 0), SRC(V, 0) };
    static const uint32_t nothing[] = { OP(1, 2), R0, C2, END, 0 };
    const uint32_t *code = row ? row->tokens : nothing;
    PUT(out,
        model_3          ? 0xfffe0300u
        : program == VS1 ? 0xfffe0101u
                         : 0xfffe0200u,
        OP(31, 2), 0x80000000u, DST(V, 0));
    if (model_3)
        PUT(out, OP(31, 2), 0x80000000u, DST(OT, 0), OP(31, 2), 0x80000005u,
            DST(OT, 1));
    PUT(out, OP(1, 2), R0, SRCM(R, 7, 0)); // r0 is written first: it starts as zero
    put_code(out, code, model_3 ? last_3 : last_2, 6);
}

static void put_pixel(const struct row *row, bool model_3, struct gv_bytes *out)
{
    static const uint32_t last[] = { OP(1, 2), DST(OC, 0), SRC(R, 0) };
    static const uint32_t pass_2[] = { OP(1, 2), R0, SRC(A, 0), END, 0 };
    static const uint32_t pass_3[] = { OP(1, 2), R0, SRC(V, 0), END, 0 };
    PUT(out, model_3 ? 0xffff0300u : 0xffff0200u);
    if (!row && model_3)
        PUT(out, OP(31, 2), 0x80000005u, DST(V, 0));
    else if (!row)
        PUT(out, OP(31, 2), 0x80000000u, DST(A, 0));
    put_code(out, row ? row->tokens : model_3 ? pass_3 : pass_2, last, 3);
}

// ---- drawing ----

#define TARGET_FORMAT GV_FORMAT_R32G32B32A32_SFLOAT

static uint64_t vertices, constants[3], target, result;

static void upload(uint64_t *buffer, uint32_t usage, const void *data, size_t size)
{
    MAKE(*buffer, buffer_create, num(size), num(usage));
    DO(buffer_upload, num(*buffer), num(0), bytes(data), num(size));
}

static void set_up(void)
{
    static const float corners[3][4] = { { -1, -1, 0, 1 },
                                         { 3, -1, 0, 1 },
                                         { -1, 3, 0, 1 } };
    static float floats[256][4];
    static int32_t integers[256][4] = { { 3, 1, 2, 0 }, { 4, 0, 1, 0 } };
    static uint32_t booleans[256][4] = { { 1 } };
    memcpy(floats, c, sizeof c);
    for (int k = 8; k < 256; k++)
        for (int j = 0; j < 4; j++)
            floats[k][j] = (float)(k - 8);
    upload(&vertices, GV_BUFFER_USAGE_VERTEX, corners, sizeof corners);
    upload(&constants[0], GV_BUFFER_USAGE_UNIFORM, floats, sizeof floats);
    upload(&constants[1], GV_BUFFER_USAGE_UNIFORM, integers, sizeof integers);
    upload(&constants[2], GV_BUFFER_USAGE_UNIFORM, booleans, sizeof booleans);
    target = make_image(TARGET_FORMAT, 1, 1, GV_IMAGE_USAGE_COLOR_ATTACHMENT);
    MAKE(result, buffer_create, num(16), num(GV_BUFFER_USAGE_STORAGE));
}

static void describe(const struct gv_dxbc_shader *vs, const struct gv_dxbc_shader *ps,
                     struct gv_bytes *out)
{
    static struct gv_graphics_desc desc;
    gv_graphics_desc_default(&desc);
    desc.vertex_binding_count = desc.vertex_attribute_count = 1;
    desc.vertex_attributes[0].format = TARGET_FORMAT;
    desc.color_count = 1;
    desc.color_formats[0] = TARGET_FORMAT;
    desc.interface.binding_count = 0;
    for (uint32_t i = 0; i < vs->spirv.binding_count; i++)
        desc.interface.bindings[desc.interface.binding_count++] = vs->spirv.bindings[i];
    for (uint32_t i = 0; i < ps->spirv.binding_count; i++)
        desc.interface.bindings[desc.interface.binding_count++] = ps->spirv.bindings[i];
    gv_graphics_desc_encode(&desc, out);
}

static void bind_constants(const struct gv_dxbc_shader *s)
{
    for (uint32_t i = 0; i < s->cbuffer_count; i++)
        if (s->cbuffers[i].slot < 3)
            DO(bind_buffer, num(s->cbuffers[i].set), num(s->cbuffers[i].binding),
               num(0), num(constants[s->cbuffers[i].slot]), num(0), num(0));
}

static void draw(const struct gv_dxbc_shader *vs, const struct gv_dxbc_shader *ps,
                 float out[4])
{
    struct gv_bytes desc = { 0 };
    uint64_t vertex, pixel, pipeline;
    describe(vs, ps, &desc);
    MAKE(vertex, shader_create, bytes(vs->spirv.words), num(vs->spirv.word_count * 4));
    MAKE(pixel, shader_create, bytes(ps->spirv.words), num(ps->spirv.word_count * 4));
    MAKE(pipeline, pipeline_create_graphics, bytes(desc.data), num(desc.size),
         num(vertex), num(0), num(0), num(0), num(pixel));
    DO(pass_color, num(0), num(target), num(0), num(0), num(0), num(1),
       num(GV_LOAD_OP_CLEAR), num(GV_STORE_OP_STORE), bits(99), bits(99), bits(99),
       bits(99));
    DO(pass_begin, num(1), num(1), num(1));
    DO(set_viewport, num(0), bits(0), bits(0), bits(1), bits(1), bits(0), bits(1));
    DO(set_scissor, num(0), num(0), num(0), num(1), num(1));
    DO(bind_pipeline, num(pipeline));
    DO(bind_vertex_buffer, num(0), num(vertices), num(0), num(0), num(16));
    bind_constants(vs);
    bind_constants(ps);
    DO(draw, num(3), num(1), num(0), num(0));
    DO(pass_end, num(0));
    DO(image_to_buffer, num(result), num(0), num(0), num(0), num(target), num(1),
       num(0), num(0), num(1), num(0), num(0), num(0), num(1), num(1), num(1));
    read_buffer(result, 0, 16, (uint8_t *)out);
    DO(pipeline_destroy, num(pipeline));
    DO(shader_destroy, num(vertex));
    DO(shader_destroy, num(pixel));
    gv_bytes_finish(&desc);
}

static bool translate(const struct gv_bytes *blob, struct gv_arena *arena,
                      struct gv_dxbc_shader *out)
{
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_dxbc_translate(blob->data, blob->size, 0, NULL, arena, out, &err);
    if (!ok)
        fprintf(stderr, "%s at %llu\n", err.message, (unsigned long long)err.offset);
    return ok;
}

static bool check(const struct row *row, int program)
{
    struct gv_bytes vertex = { 0 }, pixel = { 0 };
    struct gv_arena arena = { 0 };
    struct gv_dxbc_shader vs = { 0 }, ps = { 0 };
    float got[4] = { 0 };
    bool model_3 = program & (VS3 | PS3), in_vertex = program & (VS | VS1);
    put_vertex(in_vertex ? row : NULL, program, &vertex);
    put_pixel(in_vertex ? NULL : row, model_3, &pixel);
    bool ok = translate(&vertex, &arena, &vs) && translate(&pixel, &arena, &ps);
    if (ok)
        draw(&vs, &ps, got);
    for (int i = 0; i < 4 && ok; i++)
        ok = fabsf(got[i] - row->expected[i]) <= 2e-4f * fmaxf(1, fabsf(got[i]));
    if (!ok)
        fprintf(stderr, "[%s] program %d: %g %g %g %g\n", row->name, program,
                (double)got[0], (double)got[1], (double)got[2], (double)got[3]);
    if (!ok && getenv("GV_TEST_SHOW"))
        fprintf(stderr, "%s", in_vertex ? vs.glsl : ps.glsl);
    gv_arena_finish(&arena);
    gv_bytes_finish(&vertex);
    gv_bytes_finish(&pixel);
    return ok;
}

int main(void)
{
    size_t count = 0;
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    set_up();
    for (size_t i = 0; i < ROWS; i++)
        for (int program = VS2; program <= VS1; program <<= 1) {
            if (!(rows[i].programs & program))
                continue;
            CHECK_ROW(rows[i].name, check(&rows[i], program));
            count++;
        }
    fixture_close();
    printf("%zu rows, %zu programs\n", ROWS, count);
    return TEST_RESULT();
}
