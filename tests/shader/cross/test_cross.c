// SPIR-V of OpenGL to GLSL: the text that comes out compiles and says what the module
// says, names mean nothing, and what GLSL cannot say is refused by name.
#include "compiler/shader/cross/cross.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/test.h"

#define kDefaultMaxIdBound test_max_id_bound // as in shader_probe.c
#include <spirv-tools/libspirv.h>

#define OPENGL 0x00010000u // its version of SPIR-V

#define HEAD                                        \
    "OpCapability Shader\n"                         \
    "OpMemoryModel Logical GLSL450\n"               \
    "OpEntryPoint Fragment %main \"main\" %color\n" \
    "OpExecutionMode %main OriginLowerLeft\n"       \
    "OpName %main \"gl_FragData); void main(\"\n"   \
    "OpDecorate %color Location 0\n"
#define TYPES                             \
    "%void = OpTypeVoid\n"                \
    "%does = OpTypeFunction %void\n"      \
    "%float = OpTypeFloat 32\n"           \
    "%int = OpTypeInt 32 1\n"             \
    "%bool = OpTypeBool\n"                \
    "%vec2 = OpTypeVector %float 2\n"     \
    "%vec4 = OpTypeVector %float 4\n"     \
    "%out = OpTypePointer Output %vec4\n" \
    "%color = OpVariable %out Output\n"   \
    "%zero = OpConstant %int 0\n"         \
    "%one = OpConstant %float 1\n"
#define BODY(statements)                         \
    "%main = OpFunction %void None %does\n"      \
    "%label = OpLabel\n" statements "OpReturn\n" \
    "OpFunctionEnd\n"
#define SHOW(scalar)                                                                  \
    "%all = OpCompositeConstruct %vec4 " scalar " " scalar " " scalar " " scalar "\n" \
    "OpStore %color %all\n"

#define MATRIX(stride)                                                         \
    HEAD "OpDecorate %block Block\n"                                           \
         "OpMemberDecorate %block 0 Offset 0\n"                                \
         "OpMemberDecorate %block 0 ColMajor\n"                                \
         "OpMemberDecorate %block 0 MatrixStride " stride "\n"                 \
         "OpDecorate %given DescriptorSet 0\n"                                 \
         "OpDecorate %given Binding 3\n" TYPES "%mat = OpTypeMatrix %vec2 2\n" \
         "%block = OpTypeStruct %mat\n"                                        \
         "%to = OpTypePointer Uniform %block\n"                                \
         "%part = OpTypePointer Uniform %float\n"                              \
         "%given = OpVariable %to Uniform\n" BODY(                             \
             "%at = OpAccessChain %part %given %zero %zero %zero\n"            \
             "%got = OpLoad %float %at\n" SHOW("%got"))

static const char plain[] = HEAD
    "OpDecorate %given Location 7\n"
    "OpDecorate %given Binding 0\n" TYPES "%to = OpTypePointer UniformConstant %bool\n"
    "%given = OpVariable %to UniformConstant\n" BODY(
        "%which = OpLoad %bool %given\n"
        "%other = OpConvertSToF %float %zero\n"
        "%got = OpSelect %float %which %one %other\n" SHOW("%got"));
static const char special[] =
    HEAD "OpDecorate %given SpecId 5\n"
         "OpDecorate %turned SpecId 6\n" TYPES "%given = OpSpecConstant %float 0.25\n"
         "%turned = OpSpecConstantTrue %bool\n" BODY(
             "%got = OpSelect %float %turned %given %one\n" SHOW("%got"));

static const struct row {
    const char *name, *text, *entry;
    enum gv_status status;
    const char *told; // of the text that comes out, or of the error
} rows[] = {
    { "a uniform by its location", plain, "main", GV_OK,
      "layout(location = 7) uniform bool uniform_7;" },
    { "a block by its binding", MATRIX("16"), "main", GV_OK,
      "layout(binding = 3, std140) uniform block_3" },
    { "columns that are apart otherwise", MATRIX("8"), "main", GV_ERR_UNSUPPORTED,
      "a matrix whose columns" },
    { "constants as they are", special, "main", GV_OK, "0.25" },
    { "another entry", plain, "begin", GV_ERR_USAGE, "no such entry point" },
    { "a store of another type", HEAD TYPES BODY("OpStore %color %one\n"), "main",
      GV_ERR_UNSUPPORTED, "spir-v of OpenGL" },
};

static const char *cross(const char *name, const char *text,
                         struct gv_cross_params *params, struct gv_arena *arena,
                         struct gv_error *err)
{
    spv_binary binary = NULL;
    const char *out = NULL;
    CHECK_ROW(name, gv_test_assemble(text, strlen(text), &binary));
    if (!binary)
        return NULL;
    binary->code[1] = OPENGL;
    params->words = binary->code;
    params->count = binary->wordCount;
    params->stage = GV_STAGE_FRAGMENT;
    CHECK_ROW(name, gv_cross_glsl(params, arena, &out, err) == (out != NULL));
    spvBinaryDestroy(binary);
    return out;
}

static void test_row(const struct row *row, struct gv_arena *arena)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_cross_params params = { .entry = row->entry };
    const char *out = cross(row->name, row->text, &params, arena, &err);
    CHECK_ROW(row->name, err.status == row->status);
    CHECK_ROW(row->name, strstr(out ? out : err.message, row->told) != NULL);
    struct gv_glsl_program program;
    const struct gv_glsl_text one = { GV_STAGE_FRAGMENT, out };
    const struct gv_glsl_program_params linked = {
        .texts = &one, .count = 1, .gl_rules = true, .separable = true
    };
    CHECK_ROW(row->name, !out || gv_glsl_program(&linked, arena, &program, &err));
    if (err.status != row->status)
        fprintf(stderr, "%s\n%s\n", err.message, out ? out : "");
}

static void test_constants(struct gv_arena *arena)
{
    static const uint32_t numbers[] = { 6, 5, 9 }, values[] = { 0, 0x3f400000, 1 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_cross_params params = {
        .entry = "main", .constants = numbers, .values = values, .constant_count = 2
    };
    const char *out = cross("constants", special, &params, arena, &err);
    CHECK(out && strstr(out, "0.75") && !strstr(out, "0.25") && strstr(out, "false"));
    params.constant_count = 3;
    CHECK(!cross("a constant of no number", special, &params, arena, &err));
    CHECK(err.status == GV_ERR_USAGE);
}

// Every word may be missing, or another: an answer comes back.
static void test_cut(struct gv_arena *arena)
{
    spv_binary binary = NULL;
    CHECK(gv_test_assemble(special, strlen(special), &binary));
    for (size_t i = 0; binary && i < binary->wordCount; i++) {
        binary->code[1] = OPENGL;
        struct gv_error err = GV_ERROR_INIT;
        const char *out;
        struct gv_cross_params params = { .words = binary->code,
                                          .count = i,
                                          .stage = GV_STAGE_FRAGMENT,
                                          .entry = "main" };
        CHECK(!gv_cross_glsl(&params, arena, &out, &err) && err.status != GV_OK);
        const uint32_t word = binary->code[i];
        params.count = binary->wordCount;
        binary->code[i] ^= 0x00010004u;
        CHECK(gv_cross_glsl(&params, arena, &out, NULL) == (out != NULL));
        binary->code[i] = word;
    }
    spvBinaryDestroy(binary);
}

int main(void)
{
    struct gv_arena arena = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(&rows[i], &arena);
    test_constants(&arena);
    test_cut(&arena);
    gv_arena_finish(&arena);
    return TEST_RESULT();
}
