// Direct3D shaders -> IR -> GLSL -> SPIR-V: what operations become, in both encodings
// of SM4/SM5; malformed tokens with their offsets; the corpus when it is there.
#include "compiler/shader/d3d/dxbc.h"
#include "resources/base/file.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#define A (1 << DXBC_ENCODING_AERO)
#define O (1 << DXBC_ENCODING_OFFICIAL)

#define PS "ps_5_0\nin TEXCOORD 0 v0\nin COLOR 0 v1\nout SV_Target 0 o0\n"
#define VS "vs_4_0\nin POSITION 0 v0.xyz\nin COLOR 0 v1\nout SV_Position 0 o0 sv=1\n"
#define CS "cs_5_0\n"

// `expected`: lines that the GLSL must hold, in this order.
static const struct {
    const char *name;
    int encodings;
    const char *text, *expected;
} rows[] = {
    { "mov", A | O, PS "mov o0.xyzw, v1\nret\n", "  o0 = v1;" },
    { "mov_mask", A | O, PS "mov o0.xz, v1.yxww\nret\n", "  o0.xz = (v1.yxww).xz;" },
    { "mov_negated", A | O, PS "mov o0, -|v1|\nret\n",
      "  o0 = asuint((-abs(asfloat(v1))));" },
    { "add_saturated", A | O, PS "add_sat o0, v0, v1\nret\n",
      "  o0 = asuint(d3d_sat(asfloat(v0) + asfloat(v1)));" },
    { "immediate_float", A | O, PS "mad o0, v0, l(0.5), l(1.0, 2.0, -1.5, 0.0)\nret\n",
      "  o0 = asuint(asfloat(v0) * vec4(0.5) + vec4(1.0, 2.0, -1.5, 0.0));" },
    { "immediate_bits", A | O, PS "mov o0, l(0x7fc00001)\nret\n",
      "  o0 = uvec4(0x7fc00001u);" },
    { "compare", A | O, PS "lt r0, v0.x, l(1.0)\nmovc o0, r0, v0, v1\nret\n",
      "  r0 = d3d_mask(lessThan(asfloat(v0.xxxx), vec4(1.0)));\n"
      "  o0 = mix(v1, v0, notEqual(r0, uvec4(0)));" },
    { "greater_swaps", A, PS "gt o0, v0, v1\nret\n",
      "  o0 = d3d_mask(lessThan(asfloat(v1), asfloat(v0)));" },
    { "integers", A | O, PS "iadd r0, v0, -v1\nishl r0, r0, l(3)\nmov o0, r0\nret\n",
      "  r0 = uvec4(ivec4(v0) + (-ivec4(v1)));\n  r0 = r0 << (uvec4(0x3u) & 31u);" },
    { "constants", A | O, VS "dp4 o0.x, v0, cb0[2]\nmov o0.y, cb1[0].z\nret\n",
      "uniform CB0 { uvec4 cb0[3]; };\n"
      "uniform CB1 { uvec4 cb1[1]; };\n"
      "  o0.x = asuint(vec4(dot(asfloat(v0), asfloat(cb0[2])))).x;" },
    { "sample", A | O, PS "sample o0, v0, t0, s1\nret\n",
      "layout(set = 2, binding = 160) uniform texture2D t0;\n"
      "layout(set = 2, binding = 289) uniform sampler s1;\n"
      "  o0 = asuint(texture(sampler2D(t0, s1), asfloat(v0).xy));" },
    { "sample_l", A | O, PS "sample_l o0, v0, t3, s0, v0.z\nret\n",
      "textureLod(sampler2D(t3, s0), asfloat(v0).xy, asfloat(v0.z))" },
    { "ld_aero_level_is_z", A, PS "ld o0, v0, t0\nret\n",
      "  o0 = asuint(t0_ld(ivec4(v0), int(v0.z)));" },
    { "ld_official_level_is_w", O, PS "dcl_resource@3 t0, 0x5555\nld o0, v0, t0\nret\n",
      "  o0 = asuint(t0_ld(ivec4(v0), int(v0.w)));" },
    { "if", A | O, PS "if_nz v0.x\nmov o0, v0\nelse\nmov o0, v1\nendif\nret\n",
      "  if (v0.x != 0u) {\n    o0 = v0;\n  } else {\n    o0 = v1;\n  }" },
    { "if_z", A | O, PS "if_z v0.y\nret\nendif\nret\n",
      "  if (v0.y == 0u) {\n    return;\n  }" },
    { "ifc", A, PS "if_ge v0.x, v1.y\nmov o0, v0\nendif\nret\n",
      "  if (asfloat(v0.x) >= asfloat(v1.y)) {" },
    { "loop", A, PS "loop\nbreakc_lt v0.x, v1.x\ncontinue\nendloop\nret\n",
      "  while (true) {\n    if (asfloat(v0.x) < asfloat(v1.x))\n      break;\n"
      "    continue;\n  }" },
    { "loop_official", O, PS "loop\nbreakc_nz v0.x\nendloop\nret\n",
      "  while (true) {\n    if (v0.x != 0u)\n      break;\n  }" },
    { "switch", A | O,
      PS "switch v0.x\ncase l(1)\ncase l(2)\nmov o0, v0\nbreak\ndefault\nmov o0, v1\n"
         "break\nendswitch\nret\n",
      "  switch (int(v0.x)) {\n  case 1:\n  case 2:\n    o0 = v0;\n    break;\n"
      "  default:" },
    { "discard", A | O, PS "discard_nz v0.x\nmov o0, v1\nret\n",
      "  if (v0.x != 0u)\n    discard;" },
    { "discard_before_derivatives", A | O,
      PS "discard_z v0.x\nsample o0, v0, t0, s0\nret\n",
      "  if (v0.x == 0u)\n    dead = true;\nvoid main()\n  if (dead)\n    discard;" },
    { "setp", A, PS "setp_lt p0, v0, v1\nmov o0, v1, p0\nret\n",
      "  p0 = d3d_mask(lessThan(asfloat(v0), asfloat(v1)));\n"
      "  o0 = mix(o0, (v1), notEqual(p0, uvec4(0u)));" },
    { "udiv", A | O, PS "udiv r0, r1, v0, v1\nadd o0, r0, r1\nret\n",
      "  scratch = uvec4(d3d_udiv(v0, v1));\n  r0 = scratch;\n  r1 = second;" },
    { "umul_low_only", A, PS "umul r0, v0, v1\nmov o0, r0\nret\n", "  r0 = v0 * v1;" },
    { "umul_low_first", A, PS "umul r0, r1, v0, v1\nmov o0, r1\nret\n",
      "  scratch = uvec4(d3d_umul(v0, v1));\n  r1 = scratch;\n  r0 = second;" },
    { "umul_high_first", O, PS "umul r0, r1, v0, v1\nmov o0, r1\nret\n",
      "  r0 = scratch;\n  r1 = second;" },
    { "imul_null_high", O, PS "imul null, r1, v0, v1\nmov o0, r1\nret\n",
      "  r1 = uvec4(ivec4(v0) * ivec4(v1));" },
    { "bits", A | O,
      PS
      "ubfe r0, l(8), l(4), v0\nibfe r1, l(8), l(4), v0\nbfi r2, l(8), l(4), v0, v1\n"
      "bfrev r3, v0\ncountbits r4, v0\nfirstbit_hi r5, v0\nfirstbit_lo r6, v0\n"
      "firstbit_shi r7, v0\nf32tof16 r8, v0\nf16tof32 r9, v0\nmov o0, r9\nret\n",
      "  r0 = d3d_ubfe(uvec4(0x8u), uvec4(0x4u), v0);\n"
      "  r2 = d3d_bfi(uvec4(0x8u), uvec4(0x4u), v0, v1);\n  r9 = " },
    { "conversions", A | O,
      PS "ftoi r0, v0\nftou r1, v0\nitof r2, r0\nutof r3, r1\nmin r4, r2, r3\n"
         "max o0, r4, v1\nret\n",
      "  r0 = uvec4(d3d_ftoi(asfloat(v0)));\n  r1 = d3d_ftou(asfloat(v0));" },
    { "carry", A | O,
      PS "uaddc r0, r1, v0, v1\nusubb r2, r3, v0, v1\nmov o0, r3\nret\n",
      "  scratch = uvec4(d3d_uaddc(v0, v1));" },
    { "vertex_without_base", A | O,
      "vs_4_0\nin SV_VertexID 0 v0.x sv=6 type=uint\nin SV_InstanceID 0 v1.x sv=8 "
      "type=uint\nout SV_Position 0 o0 sv=1\nmov o0, v0.x\nmov o0.y, v1.x\nret\n",
      "  v0.x = uvec4(gl_VertexIndex - gl_BaseVertex).x;\n"
      "  v1.x = uvec4(gl_InstanceIndex - gl_BaseInstance).x;" },
    { "position_is_o1", A,
      "vs_4_0\nin POSITION 0 v0\nin TEXCOORD 0 v1.xy\nout TEXCOORD 0 o0.xy\n"
      "out SV_POSITION 0 o1\nmov o0.xy, v1\nmov o1, v0\nret\n",
      "layout(location = 0) out vec4 out0;\n  gl_Position = asfloat(o1);" },
    { "pixel_position", A | O,
      "ps_4_0\nin SV_Position 0 v0 sv=1\nout SV_Target 0 o0\nmov o0, v0\nret\n",
      "  v0 = asuint(vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w));" },
    { "targets", A | O,
      "ps_4_0\nin COLOR 0 v0\nout SV_Target 2 o0\nout SV_Target 0 o1\nmov o0, v0\n"
      "mov o1, v0\nret\n",
      "layout(location = 2) out vec4 target2;\nlayout(location = 0) out vec4 "
      "target0;" },
    { "target_types", O,
      "ps_4_0\nin COLOR 0 v0\nout SV_Target 0 o0 type=uint\nmov o0, v0\nret\n",
      "layout(location = 0) out uvec4 target0;\n  target0 = uvec4(o0);" },
    { "depth", A | O,
      "ps_4_0\nin COLOR 0 v0\nout SV_Depth 0 v-\nmov oDepth, v0.x\nret\n",
      "  gl_FragDepth = asfloat(oDepth.x);" },
    { "clip_distance", A | O,
      "vs_4_0\nin POSITION 0 v0\nout SV_Position 0 o0 sv=1\nout SV_ClipDistance 0 "
      "o1.xy "
      "sv=2\nmov o0, v0\nmov o1, v0\nret\n",
      "out float gl_ClipDistance[2];\n  gl_ClipDistance[1] = asfloat(o1.y);" },
    { "raw_buffers", A,
      CS
      "word 0x0000211f 8 2 1\nld_raw r0, l(16), t0\nstore_raw u1, vThreadID.x, r0.x\n"
      "ret\n",
      "layout(std430, set = 3, binding = 800) readonly buffer T0_block { uint t0[]; "
      "};\n"
      "layout(std430, set = 3, binding = 929) buffer U1_block { uint u1[]; };\n"
      "layout(local_size_x = 8, local_size_y = 2, local_size_z = 1) in;\n"
      "  r0 = t0_load(0x10u >> 2);\n    u1_store(word + 0u, data.x);" },
    { "structured", O,
      CS "dcl_resource_structured t0, 16\ndcl_uav_structured u0, 8\n"
         "dcl_thread_group 4 1 1\nld_structured r0.xyzw, vThreadID.x, l(4), t0.xxyz\n"
         "store_structured u0.xy, vThreadID.x, l(0), r0\nret\n",
      "return inside ? index * 4u + (byte >> 2) : 0x3fffffffu;\n"
      "  r0 = t0_load(t0_at(uvec4(gl_GlobalInvocationID, 0u).x, 0x4u)).xxyz;" },
    { "shared_memory", O,
      CS "dcl_tgsm_raw g0, 64\ndcl_uav_raw u0\ndcl_thread_group 16 1 1\n"
         "store_raw g0.x, vThreadIDInGroupFlattened, l(7)\nsync@3\n"
         "atomic_iadd g0, l(0), l(1)\nimm_atomic_imax r0.x, u0, l(0), l(-5)\nret\n",
      "shared uint g0[16];\n  memoryBarrierShared();\n  "
      "barrier();\natomicAdd(g0[word], "
      "0x1u)\n" },
    { "array_register", O,
      PS
      "dcl_indexable 0 4 4\nmov x0[1], v0\nmov r0.x, l(1)\nmov o0, x0[r0.x + 1]\nret\n",
      "uvec4 x0[4] = {};\n  x0[1] = v0;\n  o0 = x0[min(uint(int(r0.x) + 1), 3u)];" },
    { "relative_constant", O,
      VS "dcl_constantbuffer cb0[8]\nmov o0, cb0[v1.x + 2]\nret\n",
      "return uint(i) < 8u ? cb0[i] : uvec4(0u);\n  o0 = cb0_at(int(v1.x) + 2);" },
    { "offsets", O,
      PS "word 0x8a000045 0x00001e01 0x001020f2 0 0x00101046 0 0x00107e46 0 "
         "0x00106000 0\nret\n",
      "textureOffset(sampler2D(t0, s0), asfloat(v0.xyxx).xy, ivec2(-1, 0))" },
    { "dimension_3d", O, PS "dcl_resource@5 t0, 0x5555\nsample o0, v0, t0, s0\nret\n",
      "texture(sampler3D(t0, s0), asfloat(v0).xyz)" },
    { "compare_sampler", O,
      PS "dcl_resource@3 t0, 0x5555\ndcl_sampler@1 s0\nsample_c_lz o0, v0, t0.x, s0, "
         "v1.x\nret\n",
      "uniform samplerShadow s0_compare;\nvec4(textureLod(sampler2DShadow(t0, "
      "s0_compare), vec3(asfloat(v0).xy, asfloat(v1.x)), 0.0))" },
    { "compare_cube_array", O,
      PS "dcl_resource@10 t0, 0x5555\ndcl_sampler@1 s0\nsample_c_lz o0, v0, t0.x, s0, "
         "v1.x\nret\n",
      "vec4(d3d_cube_array_level(samplerCubeArrayShadow(t0, s0_compare), "
      "asfloat(v0).xyzw, "
      "asfloat(v1.x), 2, 0.0))" },
    { "gather", O, PS "dcl_resource@3 t0, 0x5555\ngather4 o0, v0, t0, s0.z\nret\n",
      "textureGather(sampler2D(t0, s0), asfloat(v0).xy, 2)" },
    { "uint_texture", O, PS "dcl_resource@3 t0, 0x4444\nld o0, v0, t0\nret\n",
      "uniform utexture2D t0;\n  o0 = t0_ld(ivec4(v0), int(v0.w));" },
    { "typed_buffer", O, PS "dcl_resource@1 t0, 0x5555\nld o0, v0, t0\nret\n",
      "uniform textureBuffer t0;" },
    { "resinfo", O, PS "dcl_resource@3 t0, 0x5555\nresinfo@2 o0, l(0), t0\nret\n",
      "uvec4 t0_info(int level)\n  o0 = t0_info(int(0x0u));" },
    { "subroutine", O, PS "call label0\nret\nlabel label0\nmov o0, v0\nret\n",
      "void label0();\n  label0();\nvoid label0()\n  o0 = v0;" },
    { "sincos", O, PS "sincos r0, r1, v0\nadd o0, r0, r1\nret\n",
      "  scratch = asuint(d3d_sincos(asfloat(v0)));\n  r0 = "
      "asuint(asfloat(scratch));" },
    { "rounding", O,
      PS
      "round_ne r0, v0\nround_ni r1, v0\nround_pi r2, v0\nround_z r3, v0\nfrc r4, v0\n"
      "sqrt r5, v0\nexp r6, v0\nlog r7, v0\ndiv r8, v0, v1\ndp2 r9, v0, v1\n"
      "deriv_rtx r10, v0\nderiv_rty_fine r11, v0\nmov o0, r11\nret\n",
      "roundEven(\nfloor(\nceil(\ntrunc(\nfract(\nsqrt(\nexp2(\nlog2(\n / \ndFdx(\n"
      "dFdyFine(" },
    { "flat_input", O,
      "ps_4_0\nin A 0 v0 type=uint\nin B 0 v1\nout SV_Target 0 o0\n"
      "dcl_input_ps@4 v1\nadd o0, v0, v1\nret\n",
      "layout(location = 0) flat in vec4 in0;\n"
      "layout(location = 1) noperspective in vec4 in1;" },
    { "indexed_files", O,
      "vs_4_0\nin POSITION 0 v0\nin COLOR 0 v1\nout SV_Position 0 o0 sv=1\n"
      "out COLOR 0 o1\ndcl_indexable 0, 3, 4\nftoi r0.x, v0.x\nmov x0[1], v[r0.x]\n"
      "mov o[r0.x], x0[r0.x]\nmov o0, v0\nret\n",
      "uvec4 x0[3] = {};\nuvec4 v[32] = uvec4[](uvec4(0u, 0u, 0u, 0x3f800000u),\n"
      "uvec4 o[32] = uvec4[](uvec4(0u, 0u, 0u, 0x3f800000u)," },
    { "indexed_targets", O,
      "ps_4_0\nin COLOR 0 v0\nout SV_Target 0 o0\nout SV_Target 1 o1\n"
      "dcl_input_ps@2 v0\nftoi r0.x, v0.x\nmov o[r0.x], v0\nret\n",
      "uvec4 o[32] = uvec4[](uvec4(0u)," },
    { "indexed_vertices", O,
      "gs_4_0\nin SV_Position 0 v0 sv=1\nin COLOR 0 v1\nout SV_Position 0 o0 sv=1\n"
      "out COLOR 0 o1\ndcl_gs_primitive@3\ndcl_gs_topology@5\ndcl_maxout 3\n"
      "mov r0.x, l(1)\nmov o0, v0[0]\nmov o1, v2[r0.x]\nemit\ncut\nret\n",
      "  for (int n = 0; n < 32; n++)\n    for (int i = 0; i < 3; i++)\n"
      "      v[n][i] = uvec4(0u);" },
    { "geometry", O,
      "gs_4_0\nin SV_Position 0 v0 sv=1\nin COLOR 0 v1\nout SV_Position 0 o0 sv=1\n"
      "out COLOR 0 o1\ndcl_gs_primitive@3\ndcl_gs_topology@5\ndcl_maxout 3\n"
      "mov o0, v0[0]\nmov o1, v2[1]\nemit\ncut\nret\n",
      "layout(triangles, invocations = 1) in;\n"
      "layout(triangle_strip, max_vertices = 3) out;\n"
      "layout(location = 1) in vec4 in1[];\n    v0[i] = asuint(gl_in[i].gl_Position);\n"
      "  o0 = v0[0];\n  o1 = v1[2];\n  emit_vertex();\n  EndPrimitive();" },
    { "hull", O,
      "hs_5_0\nin POSITION 0 v0\nout POSITION 0 o0\npatch SV_TessFactor 0 o0.x sv=13\n"
      "patch SV_TessFactor 1 o1.x sv=13\npatch SV_TessFactor 2 o2.x sv=13\n"
      "patch SV_InsideTessFactor 0 o3.x sv=14\npatch COLOR 0 o4\nhs_decls\n"
      "dcl_input_points@3\ndcl_output_points@3\ndcl_tess_domain@2\n"
      "dcl_tess_partitioning@3\ndcl_tess_primitive@3\nhs_control_point_phase\n"
      "mov r0.x, vOutputControlPointID\nmov o0, v[r0.x][0]\nret\nhs_fork_phase\n"
      "dcl_fork_instances 3\nmov r0.x, vForkInstanceID\nmov o[r0.x].x, l(2.0)\nret\n"
      "hs_join_phase\nmov o3.x, l(4.0)\nmov o4, vicp[0][0]\nret\n",
      "layout(vertices = 3) out;\nlayout(location = 0) in vec4 in0[];\n"
      "  o0 = v0[min(uint(int(r0.x)), \n  out0[gl_InvocationID] = asfloat(o0);\n"
      "    for (instance_id = 0u; instance_id < 3u; instance_id++)\n      phase1();\n"
      "    gl_TessLevelOuter[0] = asfloat(pc0.x);\n"
      "    gl_TessLevelInner[0] = asfloat(pc3.x);\n    patch4 = asfloat(pc4);" },
    { "domain", O,
      "ds_5_0\nin POSITION 0 v0\nout SV_Position 0 o0 sv=1\npatch COLOR 0 v4\n"
      "dcl_tess_domain@2\nmul r0, vicp[0][0], vDomain.x\nadd o0, r0, vpc4\nret\n",
      "layout(location = 0) in vec4 in0[];\n"
      "layout(location = 27) patch in vec4 patch4;\n  vpc4 = asuint(patch4);\n"
      "  r0 = asuint(asfloat(v0[0]) * asfloat(asuint(vec4(gl_TessCoord, "
      "0.0)).xxxx));" },
};

// Each module says how its floats behave: OpExecutionMode (16) DenormFlushToZero and
// SignedZeroInfNanPreserve of 32 bits.
static bool says_how_floats_behave(const struct gv_shader_stage *stage)
{
    uint32_t seen = 0;
    for (size_t at = 5; at + 3 < stage->word_count; at += stage->words[at] >> 16) {
        const uint32_t *w = stage->words + at;
        if ((w[0] & 0xffff) == 16 && (w[2] == 4460 || w[2] == 4461) && w[3] == 32)
            seen |= 1u << (w[2] - 4460);
    }
    return seen == 3;
}

static void test_row(size_t i, enum dxbc_encoding encoding)
{
    struct gv_bytes blob = { 0 };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_dxbc_shader shader = { 0 };
    char message[160] = "";
    bool ok = dxbc_assemble(rows[i].text, encoding, &blob, message);
    if (!ok)
        fprintf(stderr, "%s\n", message);
    CHECK_ROW(rows[i].name, ok);
    ok = ok && gv_dxbc_translate(blob.data, blob.size, 0, NULL, &arena, &shader, &err);
    if (!ok)
        fprintf(stderr, "[%s] %s\n%s\n", rows[i].name, err.message,
                shader.glsl ? shader.glsl : "");
    CHECK_ROW(rows[i].name, ok);
    if (ok) {
        const char *missing = gv_test_missing_line(shader.glsl, rows[i].expected);
        if (missing)
            fprintf(stderr, "[%s] lacks: %s\n%s\n", rows[i].name, missing, shader.glsl);
        CHECK_ROW(rows[i].name, !missing);
        CHECK_ROW(rows[i].name, gv_test_valid(&shader.spirv));
        CHECK_ROW(rows[i].name, says_how_floats_behave(&shader.spirv));
        CHECK_ROW(rows[i].name,
                  shader.model ==
                      (encoding == DXBC_ENCODING_AERO ? GV_DXBC_AERO : GV_DXBC_SM4));
    }
    gv_arena_finish(&arena);
    gv_bytes_finish(&blob);
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int e = 0; e < 2; e++)
            if (rows[i].expected && rows[i].encodings >> e & 1)
                test_row(i, (enum dxbc_encoding)e);
}

int main(void)
{
    test_rows();
    return TEST_RESULT();
}
