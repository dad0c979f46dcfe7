// Direct3D 9 tokens of every model, in the SDK's form and the short form of the
// fixtures.
#include "compiler/shader/d3d/dxbc.h"
#include "resources/base/bytes.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/shader_probe.h"
#include "tests/shader/sm9_tokens.h"
#include "tests/test.h"

#define USAGE(usage, index) (0x80000000u | (usage) | (index) << 16)
#define SAMPLER_2D (0x80000000u | 2u << 27)
#define SAMPLER_CUBE (0x80000000u | 3u << 27)
#define ONE 0x3f800000u

static const struct {
    const char *name;
    uint32_t tokens[48];
    uint64_t inputs, outputs; // locations
    const char *expected;     // lines, in order
} rows[] = {
    { "vs_1_1",
      { 0xfffe0101, 31, USAGE(0, 0), DST(V, 0), 31, USAGE(5, 0), DST(V, 1), 20,
        DST(RAST, 0), SRC(V, 0), SRC(C, 4), 1, DST(OT, 0), SRC(V, 1), 1, DST(OD, 0),
        SRC(C, 0), END },
      0x3,
      0x5,
      "layout(std140, set = 0, binding = 0) uniform CB0 { uvec4 cb0[256]; };\n"
      "  gl_Position = asfloat(o31);\n  out2 = asfloat(o2);\n"
      "  o31.x = asuint(vec4(dot(asfloat(r64), asfloat(cb0[4])))).x;\n"
      "  o31.w = asuint(vec4(dot(asfloat(r64), asfloat(cb0[7])))).w;\n  o2 = v1;\n"
      "  o0 = asuint(d3d_sat(asfloat(cb0[0])));" },
    { "vs_1_1_relative",
      { 0xfffe0101, 31, USAGE(0, 0), DST(V, 0), 1, DSTM(A, 0, 1), SRCX(V, 0), 1,
        DST(RAST, 0), SRC(C, 3) | 1 << 13, END },
      0x1,
      0x0,
      "return uint(i) < 256u ? cb0[i] : uvec4(0u);\n"
      "  a0.x = uvec4(ivec4(floor(asfloat(v0.xxxx)))).x;\n"
      "  o31 = cb0_at(int(a0.x) + 3);" },
    { "vs_2_0_loop",
      { 0xfffe0200,
        OP(31, 2),
        USAGE(0, 0),
        DST(V, 0),
        OP(48, 5),
        DST(I, 0),
        4,
        1,
        2,
        0,
        OP(27, 2),
        SRC(AL, 0),
        SRC(I, 0),
        OP(2, 4),
        DST(R, 0),
        SRC(R, 0),
        SRC(C, 8) | 1 << 13,
        SRCX(AL, 0),
        OP(29, 0),
        OP(38, 1),
        SRC(I, 1),
        OP(44, 0),
        OP(39, 0),
        OP(1, 2),
        DST(RAST, 0),
        SRC(R, 0),
        END },
      0x0,
      0x0,
      "    ivec4 count0 = ivec4(uvec4(0x4u, 0x1u, 0x2u, 0x0u));\n"
      "    aL = uvec4(count0.y);\n"
      "    for (int n0 = min(count0.x, 255); n0 > 0; n0--, aL += uvec4(count0.z)) {\n"
      "      r0 = asuint(asfloat(r0) + asfloat(cb0_at(int(aL.x) + 8)));\n"
      "    aL = outer0;\n    ivec4 count0 = ivec4(cb1[1]);" },
    { "vs_2_0_definition",
      { 0xfffe0200, OP(31, 2), USAGE(0, 0), DST(V, 0), OP(81, 5), DST(C, 5), ONE, 0, 0,
        ONE, OP(1, 2), DST(RAST, 0), SRC(C, 5), END },
      0x0,
      0x0,
      "  o31 = uvec4(0x3f800000u, 0x0u, 0x0u, 0x3f800000u);" },
    { "vs_3_0_usages",
      { 0xfffe0300, OP(31, 2), USAGE(0, 0), DST(V, 0), OP(31, 2), USAGE(0, 0),
        DST(OT, 3), OP(31, 2), USAGE(5, 1), DST(OT, 0), OP(1, 2), DST(OT, 3), SRC(V, 0),
        OP(1, 2), DST(OT, 0), SRC(V, 0), END },
      0x1,
      0x8,
      "  gl_Position = asfloat(o31);\n  o31 = v0;\n  o3 = v0;" },
    { "vs_3_0_branches",
      { 0xfffe0300,  OP(31, 2),  USAGE(0, 0),         DST(V, 0),           OP(31, 2),
        USAGE(0, 0), DST(OT, 0), OP(40, 1),           SRC(B, 2),           OP(1, 2),
        DST(OT, 0),  SRC(V, 0),  OP(42, 0),           OP(94, 3) | 4 << 16, DST(P, 0),
        SRC(V, 0),   SRC(C, 1),  OP(1, 3) | 1u << 28, DST(OT, 0),          SRC(P, 0),
        SRC(C, 2),   OP(43, 0),  OP(41, 2) | 1 << 16, SRCX(C, 0),          SRCX(C, 1),
        OP(1, 2),    DST(OT, 0), SRC(C, 9),           OP(43, 0),           END },
      0x1,
      0x0,
      "  if (cb2[2].x != 0u) {\n    p0 = d3d_mask(lessThan(asfloat(v0), "
      "asfloat(cb0[1])));\n"
      "    o31 = mix(o31, (cb0[2]), notEqual(p0, uvec4(0u)));\n"
      "  if (asfloat(cb0[0].x) > asfloat(cb0[1].x)) {" },
    { "vs_2_0_call",
      { 0xfffe0200, OP(31, 2), USAGE(0, 0), DST(V, 0), OP(25, 1), SRC(L, 0), OP(28, 0),
        OP(30, 1), SRC(L, 0), OP(1, 2), DST(RAST, 0), SRC(V, 0), OP(28, 0), END },
      0x1,
      0x0,
      "  label0();\nvoid label0()\n  o31 = v0;" },
    { "ps_1_1",
      { 0xffff0101, 66, DST(A, 0), 5, DST(R, 0), SRC(A, 0), SRC(V, 0), END },
      0x5,
      0x1,
      "  r32 = v2;\n"
      "  r32 = asuint(texture(sampler2D(t0, s0), asfloat(v2).xy));\n"
      "  r0 = asuint(asfloat(r32) * asfloat(v0));\n  o0 = r0;" },
    { "ps_1_1_modifiers",
      { 0xffff0101, 2, DST(R, 0) | 1u << 20 | 1u << 24, SRCM(V, 0, 2), SRCM(V, 1, 6),
        81, DST(C, 0), ONE, ONE, 0, 0, 80, DST(R, 0), SRC(R, 0), SRC(C, 0),
        SRCM(V, 0, 4), END },
      0x3,
      0x1,
      "  r64 = asuint(asfloat(v0) - vec4(0.5));\n"
      "  r65 = asuint((-asfloat(v1)) + vec4(1.0));\n"
      "  r0 = asuint(asfloat(r64) + asfloat(r65));\n"
      "  r0 = asuint(d3d_sat(asfloat(r0) * vec4(2.0)));\n"
      "  r68 = asuint(asfloat(v0) * vec4(2.0) + vec4(-1.0));" },
    { "ps_1_1_texreg2ar",
      { 0xffff0101, 66, DST(A, 0), 69, DST(A, 1), SRC(A, 0), 1, DST(R, 0), SRC(A, 1),
        END },
      0xc,
      0x1,
      "  r33 = asuint(texture(sampler2D(t1, s1), asfloat(r32.wxxx).xy));" },
    { "ps_1_1_texm3x3tex",
      { 0xffff0101, 66, DST(A, 0), 73, DST(A, 1), SRC(A, 0), 73, DST(A, 2), SRC(A, 0),
        74, DST(A, 3), SRC(A, 0), 1, DST(R, 0), SRC(A, 3), END },
      0x3c,
      0x1,
      "  r63.x = asuint(vec4(dot(asfloat(v3).xyz, asfloat(r32).xyz))).x;\n"
      "  r63.y = asuint(vec4(dot(asfloat(v4).xyz, asfloat(r32).xyz))).y;\n"
      "  r63.z = asuint(vec4(dot(asfloat(v5).xyz, asfloat(r32).xyz))).z;\n"
      "  r35 = asuint(texture(sampler2D(t3, s3), asfloat(r63).xy));" },
    { "ps_1_4",
      { 0xffff0104, 64, DSTM(R, 0, 7), SRC(A, 0), 0xfffd, 66, DST(R, 1), SRC(R, 0), 1,
        DST(R, 0), SRC(R, 1), END },
      0x4,
      0x1,
      "  r0.xyz = (v2).xyz;\n"
      "  r1 = asuint(texture(sampler2D(t1, s1), asfloat(r0).xy));" },
    { "ps_2_0",
      { 0xffff0200, OP(31, 2), 0x80000000, DSTM(A, 0, 3),       OP(31, 2),
        SAMPLER_2D, DST(S, 0), OP(31, 2),  SAMPLER_CUBE,        DST(S, 1),
        OP(66, 3),  DST(R, 0), SRC(A, 0),  SRC(S, 0),           OP(66, 3),
        DST(R, 1),  SRC(A, 0), SRC(S, 1),  OP(66, 3) | 1 << 16, DST(R, 2),
        SRC(A, 0),  SRC(S, 0), OP(5, 3),   DST(R, 0),           SRC(R, 0),
        SRC(R, 1),  OP(1, 2),  DST(OC, 0), SRC(R, 0),           END },
      0x4,
      0x1,
      "uniform texture2D t0;\nuniform textureCube t1;\n"
      "  r0 = asuint(texture(sampler2D(t0, s0), asfloat(v2).xy));\n"
      "  r1 = asuint(texture(samplerCube(t1, s1), asfloat(v2).xyz));\n"
      "  r2 = asuint(texture(sampler2D(t0, s0), asfloat(v2).xy / asfloat(v2.w)));" },
    { "ps_2_0_depth_and_targets",
      { 0xffff0200, OP(1, 2), DST(OC, 1), SRC(V, 0), OP(1, 2), DST(OC, 0), SRC(V, 1),
        OP(1, 2), DSTM(ODEPTH, 0, 1), SRCX(V, 0), END },
      0x3,
      0x3,
      "target1 = asfloat(o1);\n  gl_FragDepth = asfloat(oDepth.x);" },
    { "ps_3_0",
      { 0xffff0300, OP(31, 2),    USAGE(5, 1), DST(V, 4),    OP(31, 2), SAMPLER_2D,
        DST(S, 2),  OP(95, 3),    DST(R, 0),   SRC(V, 4),    SRC(S, 2), OP(88, 4),
        DST(R, 0),  SRC(MISC, 1), SRC(R, 0),   SRC(MISC, 0), OP(93, 5), DST(R, 1),
        SRC(V, 4),  SRC(S, 2),    SRC(V, 4),   SRC(V, 4),    OP(65, 1), DST(R, 1),
        OP(1, 2),   DST(OC, 0),   SRC(R, 0),   END },
      0x8,
      0x1,
      "  r0 = asuint(textureLod(sampler2D(t2, s2), asfloat(v3).xy, asfloat(v3.w)));\n"
      "  r1 = asuint(textureGrad(sampler2D(t2, s2), asfloat(v3).xy, asfloat(v3).xy, "
      "asfloat(v3).xy));\n  if (any(lessThan(asfloat(r1), vec4(0.0))))" },
    { "ps_2_0_arithmetic",
      { 0xffff0200, OP(6, 2),  DST(R, 0),     SRC(V, 0),  OP(7, 2),   DST(R, 0),
        SRC(V, 0),  OP(32, 3), DST(R, 1),     SRCX(V, 0), SRCX(V, 1), OP(18, 4),
        DST(R, 2),  SRC(V, 0), SRC(V, 1),     SRC(R, 0),  OP(36, 2),  DST(R, 3),
        SRC(V, 0),  OP(33, 3), DSTM(R, 4, 7), SRC(V, 0),  SRC(V, 1),  OP(90, 4),
        DST(R, 5),  SRC(V, 0), SRC(V, 1),     SRCX(V, 0), OP(37, 4),  DSTM(R, 6, 3),
        SRCX(V, 0), SRC(C, 0), SRC(C, 1),     OP(1, 2),   DST(OC, 0), SRC(R, 6),
        END },
      0x3,
      0x1,
      "1.0 / asfloat(v0.xxxx)\ninversesqrt(abs(asfloat(v0.xxxx)))\npow(abs(\n"
      "d3d9_nrm(\ncross(\nvec4(dot(asfloat(v0).xy, asfloat(v1).xy)) + "
      "asfloat(v0.xxxx)\n"
      "  r6.xy = asuint(vec4(cos(" },
    // Meanings without a location of their own: both stages find the same one.
    { "vs_3_0_rare_varying",
      { 0xfffe0300, OP(31, 2), USAGE(0, 0), DST(V, 0), OP(31, 2), USAGE(0, 0),
        DST(OT, 0), OP(31, 2), USAGE(3, 5), DST(OT, 1), OP(1, 2), DST(OT, 0), SRC(V, 0),
        OP(1, 2), DST(OT, 1), SRC(V, 0), END },
      0x1,
      0x400000,
      "  out22 = asfloat(o22);" },
    { "ps_3_0_rare_varying",
      { 0xffff0300, OP(31, 2), USAGE(3, 5), DST(V, 0), OP(1, 2), DST(OC, 0), SRC(V, 0),
        END },
      0x400000,
      0x1,
      "in vec4 in22;" },
    { "short_form",
      { 0xfffe0200, 0x0200001f, 0x100f0000, 0x04000014, 0x400f0000, 0x10e40000,
        0x20e40000, 0x03000001, 0x600f0000, 0x10e40001, END },
      0x3,
      0x4,
      "  gl_Position = asfloat(o31);\n  out2 = asfloat(o2);\n  o2 = v1;" },
};

static size_t token_count(const uint32_t *tokens)
{
    size_t n = 0;
    while (tokens[n] != END)
        n++;
    return n + 1;
}

static void put_tokens(const uint32_t *tokens, bool wrapped, struct gv_bytes *out)
{
    size_t count = token_count(tokens);
    if (wrapped)
        dxbc_wrap_tokens(tokens, count, out);
    for (size_t i = 0; i < count && !wrapped; i++)
        gv_bytes_u32(out, tokens[i]);
}

static void test_row(size_t i, bool wrapped)
{
    struct gv_bytes blob = { 0 };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_dxbc_shader shader = { 0 };
    put_tokens(rows[i].tokens, wrapped, &blob);
    CHECK_ROW(rows[i].name, gv_dxbc_is_d3d9(blob.data, blob.size));
    bool ok = gv_dxbc_translate(blob.data, blob.size, 0, NULL, &arena, &shader, &err);
    if (!ok)
        fprintf(stderr, "[%s] at %llu: %s\n%s\n", rows[i].name,
                (unsigned long long)err.offset, err.message,
                shader.glsl ? shader.glsl : "");
    CHECK_ROW(rows[i].name, ok);
    if (ok) {
        const char *missing = gv_test_missing_line(shader.glsl, rows[i].expected);
        if (missing)
            fprintf(stderr, "[%s] lacks: %s\n%s\n", rows[i].name, missing, shader.glsl);
        CHECK_ROW(rows[i].name, !missing);
        CHECK_ROW(rows[i].name, gv_test_valid(&shader.spirv));
        CHECK_ROW(rows[i].name, shader.spirv.input_locations == rows[i].inputs);
        CHECK_ROW(rows[i].name, shader.spirv.output_locations == rows[i].outputs);
    }
    gv_arena_finish(&arena);
    gv_bytes_finish(&blob);
}

static const struct {
    const char *name;
    uint32_t tokens[12];
    enum gv_status status;
    uint64_t offset;
    const char *message;
} faults[] = {
    { "model_4",
      { 0xffff0400, END },
      GV_ERR_UNSUPPORTED,
      0,
      "unsupported: d3d9 shader model 4.0" },
    { "past_end",
      { 0xffff0200, OP(1, 9), DST(R, 0), END },
      GV_ERR_FORMAT,
      4,
      "d3d9 shader: instruction passes the end" },
    { "opcode",
      { 0xffff0200, OP(63, 0), END },
      GV_ERR_UNSUPPORTED,
      4,
      "unsupported: d3d9 opcode 63" },
    { "texbem",
      { 0xffff0101, 67, DST(A, 1), SRC(A, 0), END },
      GV_ERR_UNSUPPORTED,
      4,
      "unsupported: d3d9 texbem" },
    { "texbeml",
      { 0xffff0101, 68, DST(A, 1), SRC(A, 0), END },
      GV_ERR_UNSUPPORTED,
      4,
      "unsupported: d3d9 texbeml" },
    { "bem",
      { 0xffff0104, 89, DSTM(R, 1, 3), SRC(R, 0), SRC(R, 2), END },
      GV_ERR_UNSUPPORTED,
      4,
      "unsupported: d3d9 bem" },
    { "constant",
      { 0xffff0200, OP(1, 2), DST(OC, 0), SRC(C, 300), END },
      GV_ERR_FORMAT,
      4,
      "d3d9 shader: constant register" },
    { "endif", { 0xffff0200, OP(43, 0), END }, GV_ERR_FORMAT, 4, "ENDIF out of place" },
    { "operands",
      { 0xffff0200, OP(2, 2), DST(OC, 0), SRC(V, 0), END },
      GV_ERR_FORMAT,
      4,
      "ADD with 2 operands" },
};

static void test_faults(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct gv_bytes blob = { 0 };
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_dxbc_shader shader;
        put_tokens(faults[i].tokens, false, &blob);
        CHECK_ROW(faults[i].name, !gv_dxbc_translate(blob.data, blob.size, 0, NULL,
                                                     &arena, &shader, &err));
        if (err.offset != faults[i].offset ||
            strncmp(err.message, faults[i].message, strlen(faults[i].message)))
            fprintf(stderr, "[%s] at %llu: %s\n", faults[i].name,
                    (unsigned long long)err.offset, err.message);
        CHECK_ROW(faults[i].name, err.status == faults[i].status);
        CHECK_ROW(faults[i].name, err.offset == faults[i].offset);
        CHECK_ROW(faults[i].name,
                  !strncmp(err.message, faults[i].message, strlen(faults[i].message)));
        gv_arena_finish(&arena);
        gv_bytes_finish(&blob);
    }
}

static void test_options(void)
{
    static const uint32_t vertex[] = { 0xfffe0200, OP(1, 2), DST(RAST, 0), SRC(V, 0),
                                       END };
    static const uint32_t pixel[] = { 0xffff0200, OP(1, 2), DST(OC, 0), SRC(C, 1),
                                      END };
    struct gv_dxbc_options options = { .half_pixel = true,
                                       .alpha_test = GV_COMPARE_GREATER + 1,
                                       .merged_constants = true };
    const uint32_t *const shaders[] = { vertex, pixel };
    static const char *const expected[] = {
        "gl_Position.xy += vec2(-gl_Position.w, gl_Position.w) / extra.xy;",
        "  if (!(target0.w > extra.z))\n    discard;\n  o0 = cb0[257];"
    };
    for (int i = 0; i < 2; i++) {
        struct gv_bytes blob = { 0 };
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_dxbc_shader s;
        put_tokens(shaders[i], false, &blob);
        bool ok =
            gv_dxbc_translate(blob.data, blob.size, 0, &options, &arena, &s, &err);
        CHECK_ROW(err.message, ok);
        if (ok) {
            const char *missing = gv_test_missing_line(s.glsl, expected[i]);
            CHECK_ROW(missing ? missing : "", !missing);
            CHECK(s.uses_extra && gv_test_valid(&s.spirv));
        }
        gv_arena_finish(&arena);
        gv_bytes_finish(&blob);
    }
}

static void test_damage(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_bytes blob = { 0 };
        put_tokens(rows[i].tokens, false, &blob);
        for (size_t at = 0; at < blob.size; at += 5) {
            struct gv_arena arena = { 0 };
            struct gv_error err = GV_ERROR_INIT;
            struct gv_dxbc_shader s = { 0 };
            uint8_t kept = blob.data[at];
            blob.data[at] = (uint8_t)(kept ^ 0x11);
            bool ok =
                gv_dxbc_translate(blob.data, blob.size, 0, NULL, &arena, &s, &err);
            CHECK_ROW(rows[i].name, ok || err.message[0]);
            if (strstr(err.message, "glsl: "))
                fprintf(stderr, "[%s] byte %zu: %s\n%s\n", rows[i].name, at,
                        err.message, s.glsl);
            blob.data[at] = kept;
            gv_arena_finish(&arena);
        }
        gv_bytes_finish(&blob);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_row(i, false);
        test_row(i, true);
    }
    test_faults();
    test_options();
    test_damage();
    return TEST_RESULT();
}
