// What GLSL 4.60 dropped, through whole programs: each compiles, passes the validator
// and has the varyings it should; what is refused has a name or the program's own line.
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#define VS GV_STAGE_VERTEX
#define FS GV_STAGE_FRAGMENT
#define PASS_VERTEX "void main() { gl_Position = gl_Vertex; }"

static const struct {
    const char *name, *vertex, *fragment;
    struct gv_upgrade_options options;
    uint64_t varyings; // that the fragment stage reads
} rows[] = {
    { "colors",
      "void main() { gl_Position = ftransform(); gl_FrontColor = gl_Color;\n"
      "gl_BackColor = vec4(1.0); gl_FrontSecondaryColor = gl_SecondaryColor; }",
      "void main() { gl_FragColor = gl_Color + gl_SecondaryColor; }",
      { 0 },
      0x5 },
    { "words_of_extensions",
      "#version 130\n#extension GL_ARB_explicit_attrib_location : enable\n"
      "layout(location = 2) in vec4 at; in vec4 patch; out vec4 buffer;\n"
      "void main() { buffer = at + patch; gl_Position = at; }",
      "#version 140\n#extension GL_ARB_shader_image_load_store : require\n"
      "#extension GL_ARB_shader_atomic_counters : require\n"
      "#extension GL_ARB_shader_atomic_counter_ops : require\n"
      "layout(binding = 1) uniform atomic_uint n; in vec4 buffer; out vec4 o;\n"
      "layout(rgba8) writeonly uniform image2D i; void main() { o = buffer;\n"
      "  imageStore(i, ivec2(1), vec4(atomicCounterAddARB(n, 2u))); }",
      { 0 },
      0x1 },
    { "two_sided",
      "void main() { gl_Position = ftransform(); gl_FrontColor = gl_Color;\n"
      "gl_BackColor = vec4(1.0); }",
      "void main() { gl_FragColor = gl_Color; }",
      { .two_sided = true, .flat_colors = true },
      0x3 },
    { "color_that_nobody_writes",
      PASS_VERTEX,
      "void main() { gl_FragColor = gl_Color + gl_TexCoord[3] + gl_FogFragCoord; }",
      { 0 },
      0x0 },
    { "tex_coords_by_constant",
      "void main() { gl_Position = gl_Vertex; gl_TexCoord[0] = gl_MultiTexCoord0;\n"
      "gl_TexCoord[1] = gl_TextureMatrix[1] * gl_MultiTexCoord1; }",
      "void main() { gl_FragColor = gl_TexCoord[1]; }",
      { 0 },
      0x3 },
    { "tex_coords_by_loop",
      "#version 120\nvarying vec4 gl_TexCoord[3];\nvoid main() {\n"
      "for (int i = 0; i < 3; i++) gl_TexCoord[i] = gl_MultiTexCoord7;\n"
      "gl_Position = gl_Vertex; gl_FogFragCoord = gl_FogCoord; }",
      "void main() { gl_FragColor = gl_TexCoord[2] + gl_FogFragCoord; }",
      { 0 },
      0x1ff },
    { "coord_replace",
      "void main() { gl_Position = gl_Vertex; gl_TexCoord[0] = gl_Vertex; }",
      "void main() { gl_FragColor = gl_TexCoord[0] + gl_PointCoord.xyxy; }",
      { .coord_replace = 1, .target = GV_GLSL_TARGET_BOTTOM_UP },
      0x1 },
    { "lights",
      "void main() { vec3 n = normalize(gl_NormalMatrix * gl_Normal);\n"
      "gl_LightSourceParameters l = gl_LightSource[1];\n"
      "vec4 c = gl_FrontLightModelProduct.sceneColor;\n"
      "for (int i = 0; i < gl_MaxLights; i++)\n"
      "  c += gl_FrontLightProduct[i].diffuse * max(0.0, dot(n, l.position.xyz));\n"
      "c += gl_FrontMaterial.specular * pow(0.5, gl_FrontMaterial.shininess);\n"
      "c += gl_LightModel.ambient * l.spotCosCutoff + l.halfVector;\n"
      "gl_FrontColor = c; gl_Position = ftransform(); gl_PointSize = gl_Point.size; }",
      "void main() { float f = (gl_Fog.end - gl_FragCoord.z) * gl_Fog.scale;\n"
      "gl_FragColor = mix(gl_Fog.color, gl_Color, f) + gl_TextureEnvColor[2]; }",
      { 0 },
      0x1 },
    { "matrices",
      "void main() { mat4 m = gl_ModelViewMatrixInverse * "
      "gl_ProjectionMatrixTranspose\n"
      "* gl_TextureMatrixInverseTranspose[2] * gl_ModelViewProjectionMatrixInverse;\n"
      "gl_Position = m * gl_Vertex + gl_EyePlaneS[1] * gl_NormalScale\n"
      "+ gl_ObjectPlaneQ[0] + gl_ClipPlane[3] * gl_DepthRange.diff; }",
      "void main() { gl_FragColor = vec4(gl_DepthRange.near); }",
      { 0 },
      0x0 },
    { "clip_vertex",
      "void main() { gl_Position = ftransform();\n"
      "gl_ClipVertex = gl_ModelViewMatrix * gl_Vertex; }",
      "void main() { gl_FragColor = vec4(1.0); }",
      { .clip_planes = 5, .depth_zero_to_one = true },
      0x0 },
    { "state_size",
      "#version 130\nin vec4 p; void main() { gl_Position = p; gl_PointSize = 4.0; }",
      "#version 130\nout vec4 o; void main() { o = vec4(1.0); }",
      { .state_size = true },
      0x0 },
    { "snapped_points",
      "#version 130\nin vec4 p; void main() { gl_Position = p; gl_PointSize = 4.0; }",
      "#version 130\nout vec4 o; void main() { o = vec4(1.0); }",
      { .snapped_points = true },
      0x0 },
    { "lower_edges",
      "#version 130\nin vec4 p; void main() { gl_Position = p; }",
      "#version 130\nout vec4 o; void main() { o = vec4(1.0); }",
      { .lower_edges = GV_LOWER_EDGES_POLYGONS, .multisampled = true },
      0x0 },
    { "lower_edges_of_points",
      "#version 430\n#extension GL_ARB_shader_viewport_layer_array : require\n"
      "in vec4 p; void main() { gl_Position = p; gl_PointSize = 3.0;\n"
      "gl_ViewportIndex = 1; }",
      "#version 430\nout vec4 o; void main() { o = vec4(1.0); }",
      { .lower_edges = GV_LOWER_EDGES_POINTS },
      0x0 },
    { "clip_distances_off",
      "#version 130\nin vec4 p; out float gl_ClipDistance[3];\nvoid main() {\n"
      "gl_Position = p; gl_ClipDistance[0] = gl_ClipDistance[2] = p.x; }",
      "#version 130\nout vec4 o; void main() { o = vec4(1.0); }",
      { .clip_planes = 4, .target = GV_GLSL_TARGET_TOP_DOWN },
      0x0 },
    { "broadcast_and_alpha_test",
      PASS_VERTEX,
      "void main() { gl_FragColor = vec4(0.5); }",
      { .color_outputs = 3, .alpha_test = GV_GLSL_ALPHA_GREATER },
      0x0 },
    { "alpha_test_without_alpha",
      PASS_VERTEX,
      "#version 130\nout vec3 o; void main() { o = vec3(1.0); }",
      { .alpha_test = GV_GLSL_ALPHA_NEVER },
      0x0 },
    { "alpha_test_without_the_first",
      PASS_VERTEX,
      "void main() { gl_FragData[1] = vec4(1.0); }",
      { .alpha_test = GV_GLSL_ALPHA_LESS },
      0x0 },
    { "frag_data",
      PASS_VERTEX,
      "#extension GL_ARB_draw_buffers : require\n"
      "void main() { gl_FragData[gl_MaxDrawBuffers - 1] = vec4(1.0); }",
      { 0 },
      0x0 },
    { "shadows",
      PASS_VERTEX,
      "uniform sampler2DShadow a; uniform sampler1DShadow b;\n"
      "void main() { gl_FragColor = shadow2D(a, gl_FragCoord.xyz) +\n"
      "shadow2DProj(a, gl_FragCoord, 0.5) + shadow1D(b, vec3(0.5)); }",
      { 0 },
      0x0 },
    { "rectangles",
      PASS_VERTEX,
      "#version 140\nuniform sampler2DRect a; uniform isampler2DRect b; uniform "
      "sampler2D c;\n"
      "uniform sampler2DRectShadow d; out vec4 o;\n"
      "vec4 f(sampler2DRect r) { return texture(r, vec2(3.0)); }\n"
      "void main() { o = texture(a, gl_FragCoord.xy) + texture(b, vec2(1.0)) + f(a)\n"
      "+ texture(c, vec2(0.0)) + texelFetch(a, ivec2(1)) + texture(d, vec3(1.0))\n"
      "+ vec4(textureSize(a), 0, 0) + textureProj(a, vec3(1.0)); }",
      { 0 },
      0x0 },
    { "rectangles_of_an_extension",
      PASS_VERTEX,
      "#extension GL_ARB_texture_rectangle : require\nuniform sampler2DRect a;\n"
      "void main() { gl_FragColor = texture2DRect(a, gl_FragCoord.xy)\n"
      "+ texture2DRectProj(a, vec3(1.0)); }",
      { 0 },
      0x0 },
    { "rectangles_gathered",
      PASS_VERTEX,
      "#version 400\nuniform sampler2DRect a; uniform isampler2DRect b;\n"
      "uniform sampler2DRectShadow d; uniform ivec2 p; out vec4 o;\n"
      "void main() { vec2 c = gl_FragCoord.xy;\n"
      "o = textureGather(a, c) + textureGather(a, c, 2) + textureGather(d, c, 0.5)\n"
      "+ vec4(textureGatherOffset(b, c, p, 1)) + textureGatherOffset(a, c, p)\n"
      "+ textureGrad(a, c, c, c) + textureOffset(a, c, ivec2(1)) +\n"
      "textureOffset(d, vec3(c, 0.5), ivec2(1)) + texelFetchOffset(a, p, ivec2(1)); }",
      { 0 },
      0x0 },
    { "rectangles_by_slopes",
      PASS_VERTEX,
      "#extension GL_ARB_shader_texture_lod : require\n"
      "#extension GL_ARB_texture_rectangle : require\n"
      "uniform sampler2DRect a; uniform sampler2DRectShadow d;\n"
      "void main() { vec4 c = gl_FragCoord; vec2 v = c.zw;\n"
      "gl_FragColor = texture2DRectGradARB(a, v, v, v) +\n"
      "texture2DRectProjGradARB(a, c.xyz, v, v) + texture2DRectProjGradARB(a, c, v, "
      "v)\n"
      "+ shadow2DRectGradARB(d, c.xyz, v, v) + shadow2DRectProjGradARB(d, c, v, v); }",
      { 0 },
      0x0 },
    { "arrays_of_matrices",
      "#version 120\nvarying mat3x2[2] m; uniform mat4x4[2] u;\n"
      "void main() { gl_Position = u[1] * gl_Vertex; m[0] = m[1] = mat3x2(2.0); }",
      "#version 120\nvarying mat3x2[2] m; void main() { gl_FragColor.xy = m[1][0]; }",
      { 0 },
      0x3F },
    { "clip_distances_sized",
      "#version 130\nout float gl_ClipDistance[3];\n"
      "void main() { gl_Position = gl_Vertex;\n"
      "for (int i = 0; i < gl_ClipDistance.length(); i++) gl_ClipDistance[i] = 1.0; }",
      "#version 130\nvoid main() { gl_FragColor = vec4(1.0); }",
      { .clip_planes = 1, .target = GV_GLSL_TARGET_BOTTOM_UP },
      0x0 },
    { "variables_of_functions_names",
      PASS_VERTEX,
      "#version 130\nuniform sampler2D s; out vec4 o;\n"
      "float round(float f) { return floor(f); }\n"
      "void main() { ivec2 textureSize = textureSize(s, 0);\n"
      "vec4 texture2D = texture2D(s, vec2(textureSize)); o = texture2D * round(0.5); }",
      { 0 },
      0x0 },
    { "vendors_functions",
      PASS_VERTEX,
      "#version 130\n#extension GL_AMD_shader_trinary_minmax : require\n"
      "#extension GL_AMD_texture_texture4 : require\nuniform sampler2D s;\n"
      "out vec4 o; void main() { ivec2 i = mid3(ivec2(1), ivec2(gl_FragCoord), "
      "ivec2(9));\n"
      "o = texture4(s, vec2(i)) * min3(gl_FragCoord.x, 1.0, 2.0) + max3(1.0, 2.0, "
      "3.0); }",
      { 0 },
      0x0 },
    { "votes",
      "#version 150 compatibility\n#extension GL_ARB_shader_group_vote : require\n"
      "void main() { gl_Position = allInvocationsARB(gl_Vertex.x > 0.0) ? gl_Vertex :\n"
      "vec4(anyInvocationARB(true) && allInvocationsEqualARB(false)); }",
      "#version 460 compatibility\n#extension GL_ARB_shader_ballot : require\n"
      "void main() { gl_FragColor = vec4(anyInvocation(gl_FragCoord.x > 1.0),\n"
      "allInvocations(true), allInvocationsEqual(true), 1.0)\n"
      "+ vec4(unpackUint2x32(ballotARB(true) & gl_SubGroupLtMaskARB), 0, 0)\n"
      "+ readInvocationARB(gl_FragCoord, gl_SubGroupSizeARB - 1u)\n"
      "* float(gl_SubGroupInvocationARB) + readFirstInvocationARB(1.0); }",
      { 0 },
      0x0 },
    { "extensions_behind_conditions",
      PASS_VERTEX,
      "#version 130\n#ifdef GL_ES\n#extension GL_NV_ray_tracing : require\n#endif\n"
      "#if 0\n  # extension GL_nobody : require // none\n#endif\n"
      "out vec4 o; void main() { o = vec4(1.0); }",
      { 0 },
      0x0 },
    { "literals_of_64_bits",
      PASS_VERTEX,
      "#version 150\n#extension GL_ARB_gpu_shader_fp64 : require\n"
      "#extension GL_ARB_gpu_shader_int64 : require\n"
      "uniform dvec2 d = dvec2(0.5lf, 1.0LF); uniform i64vec2 i; uniform uint64_t u;\n"
      "out vec4 o; void main() { o = vec4(d, i) * float(u + 3ul - 07UL); }",
      { 0 },
      0x0 },
    { "noise",
      PASS_VERTEX,
      "void main() { gl_FragColor = vec4(noise1(1.0), noise2(vec2(1.0)), 1.0)\n"
      "+ noise4(vec3(1.0)) + vec4(noise3(vec4(1.0)), 1.0); }",
      { 0 },
      0x0 },
    { "compatibility",
      "#version 150 compatibility\n#ifndef GL_compatibility_profile\n#error "
      "no\n#endif\n"
      "out vec4 v; void main() { v = gl_Color; gl_Position = gl_Vertex; }",
      "#version 150 compatibility\nin vec4 v; void main() { gl_FragColor = v; }",
      { 0 },
      0x1 },
    { "gpu_shader4",
      "#version 120\n#extension GL_EXT_gpu_shader4 : require\n"
      "#extension GL_ARB_draw_instanced : enable\nflat varying ivec2 v;\n"
      "void main() { v = ivec2(gl_VertexID, gl_InstanceIDARB); gl_Position = "
      "gl_Vertex; }",
      "#version 120\n#extension GL_EXT_gpu_shader4 : require\nflat varying ivec2 v;\n"
      "uniform sampler2D s;\n"
      "void main() { gl_FragColor = texelFetch2D(s, v, 0) +\n"
      "vec4(textureSize2D(s, 0), 0, 0); }",
      { .vertex_base = true },
      0x1 },
    { "frag_coord_of_integers",
      PASS_VERTEX,
      "#version 150\nlayout(origin_upper_left, pixel_center_integer) in vec4 "
      "gl_FragCoord;\n"
      "out vec4 o; void main() { o = gl_FragCoord + dFdy(gl_FragCoord); }",
      { .target = GV_GLSL_TARGET_BOTTOM_UP },
      0x0 },
    { "frag_coord_turned",
      PASS_VERTEX,
      "void main() { gl_FragColor = gl_FragCoord + dFdy(gl_FragCoord); }",
      { .target = GV_GLSL_TARGET_TOP_DOWN },
      0x0 },
    { "two_outputs_of_one_buffer",
      PASS_VERTEX,
      "#version 100\n#extension GL_EXT_blend_func_extended : require\n"
      "precision mediump float;\n"
      "void main() { gl_FragColor = vec4(1.0); gl_SecondaryFragColorEXT = vec4(0.5); }",
      { 0 },
      0x0 },
    { "names_of_ours",
      "attribute vec4 gv_p; uniform float gv_main;\n"
      "void main() { gl_Position = gv_p * gv_main; gl_FrontColor = gl_Color; }",
      "void main() { gl_FragColor = gl_Color; }",
      { 0 },
      0x1 },
};

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_glsl_text texts[] = { { VS, rows[i].vertex },
                                        { FS, rows[i].fragment } };
        struct gv_glsl_program_params params = { .texts = texts,
                                                 .count = 2,
                                                 .upgrade = rows[i].options };
        struct gv_glsl_program p;
        bool ok = gv_glsl_program(&params, &arena, &p, &err);
        if (!ok)
            fprintf(stderr, "%s\n", err.message);
        CHECK_ROW(rows[i].name, ok);
        if (ok) {
            CHECK_ROW(rows[i].name, gv_test_valid(&p.stages[0]));
            CHECK_ROW(rows[i].name, gv_test_valid(&p.stages[1]));
            CHECK_ROW(rows[i].name, p.stages[1].input_locations == rows[i].varyings);
        }
        gv_arena_finish(&arena);
    }
}

static const struct {
    const char *name, *source;
    enum gv_status status;
    const char *message;
    struct gv_upgrade_options options;
} refused[] = {
    { "own_line",
      "#version 120\n\nvoid main() {\n  gl_FragColor = nothing;\n}\n",
      GV_ERR_FORMAT,
      "glsl: fragment line 4: 'nothing' : undeclared identifier : gl_FragColor = "
      "nothing;",
      { 0 } },
    { "line_directive",
      "#line 70\nvoid main() {\n  gl_FragColor = nothing; }\n",
      GV_ERR_FORMAT,
      "glsl: fragment line 3: 'nothing'",
      { 0 } },
    { "subroutine",
      "#version 400\nsubroutine vec4 f();\nsubroutine uniform f g, h;\nout vec4 o;\n"
      "void main() { o = g(); }",
      GV_ERR_UNSUPPORTED,
      "unsupported: glsl subroutines declared so",
      { 0 } },
    { "subroutine_at_an_expression",
      "#version 440\nsubroutine vec4 f();\nconst int n = 3;\n"
      "layout(location = n + 1) subroutine uniform f g;\n"
      "subroutine(f) vec4 a() { return vec4(1); }\nout vec4 o;\n"
      "void main() { o = g(); }",
      GV_ERR_UNSUPPORTED,
      "unsupported: glsl subroutines declared so",
      { 0 } },
    { "subroutine_of_no_type",
      "#version 400\nsubroutine uniform f g;\nout vec4 o;\nvoid main() { o = g(); }",
      GV_ERR_UNSUPPORTED,
      "unsupported: glsl subroutines declared so",
      { 0 } },
    { "extension_that_nobody_has",
      "#extension GL_NV_ray_tracing : require\nvoid main() { }",
      GV_ERR_FORMAT,
      "glsl: line 1: no extension GL_NV_ray_tracing",
      { 0 } },
    { "what_the_machine_does_not_take",
      "#version 450\n#extension GL_ARB_shader_clock : require\nout vec4 o;\n"
      "void main() { o = vec4(clock2x32ARB(), 0u, 0u); }",
      GV_ERR_UNSUPPORTED,
      "unsupported: SPIR-V capability 5055",
      { 0 } },
    { "blending_of_an_output",
      "#version 130\nout vec3 o;\nvoid main() { o = vec3(1.0); }",
      GV_ERR_UNSUPPORTED,
      "unsupported: glsl blending without an output of four floats",
      { .blend = GV_GLSL_BLEND_MULTIPLY } },
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_glsl_text text = { FS, refused[i].source };
        struct gv_glsl_program_params params = { .texts = &text,
                                                 .count = 1,
                                                 .upgrade = refused[i].options };
        struct gv_glsl_program p;
        CHECK_ROW(refused[i].name, !gv_glsl_program(&params, &arena, &p, &err));
        CHECK_ROW(refused[i].name, err.status == refused[i].status);
        if (strncmp(err.message, refused[i].message, strlen(refused[i].message))) {
            fprintf(stderr, "got %s\n", err.message);
            CHECK_ROW(refused[i].name, false);
        }
        gv_arena_finish(&arena);
    }
}

// Macros of extensions are those of the recorded OpenGL, whatever glslang knows.
static void test_extension_macros(void)
{
    static const char source[] =
        "#if defined(GL_EXT_draw_buffers) || defined GL_NV_ray_tracing\n#error no\n"
        "#endif\n#ifndef GL_EXT_gpu_shader4\n#error no\n#endif\n"
        "void main() { gl_FragColor = vec4(GL_ARB_draw_buffers); }";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_text text = { FS, source };
    const char *out;
    CHECK_ROW(err.message, gv_glsl_upgrade(&text, NULL, &arena, &out, &err));
    gv_arena_finish(&arena);
}

// Objects of a stage share what they declare alike; errors know their objects.
static void test_joined(void)
{
    static const char shared[] =
        "#version 120\nstruct S { vec4 a; };\nuniform S s; uniform float k;\n"
        "varying vec4 v;\nvec4 helper(vec4 c);\nfloat count = 0.0;\n";
    char main_text[512], helper[512];
    snprintf(main_text, sizeof main_text,
             "%svoid main() {\n"
             "gl_Position = gl_Vertex; v = helper(s.a); }",
             shared);
    snprintf(helper, sizeof helper,
             "%svec4 helper(vec4 c) {\n"
             "count += k; return c * count * s.a; }",
             shared);
    const struct gv_glsl_text texts[] = {
        { VS, main_text },
        { FS, "varying vec4 v; void main() { gl_FragColor = v; }" },
        { VS, helper },
    };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program_params params = { .texts = texts,
                                             .count = 3,
                                             .gl_rules = true };
    struct gv_glsl_program p;
    CHECK_ROW(err.message, gv_glsl_program(&params, &arena, &p, &err));
    CHECK_ROW(err.message, p.count == 2 && p.stages[0].input_locations == 1);
    strcpy(strstr(helper, "c * count"), "wrong; }");
    CHECK(!gv_glsl_program(&params, &arena, &p, &err));
    CHECK_ROW(err.message, !strncmp(err.message, "glsl: vertex line 8: 'wrong'", 28));
    gv_error_clear(&err);
    params.count = 1000;
    CHECK(!gv_glsl_program(&params, &arena, &p, &err) && err.status == GV_ERR_USAGE);
    gv_arena_finish(&arena);
}

int main(void)
{
    test_joined();
    test_rows();
    test_refused();
    test_extension_macros();
    return TEST_RESULT();
}
