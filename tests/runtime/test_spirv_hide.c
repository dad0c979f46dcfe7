// Branches on uniforms alone, hidden from drivers that compile for their values: which
// are, that the result is valid, and that all others and other drivers' stay.
#include "runtime/spirv/spirv_check.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/runtime/spirv_fixture.h"
#include "tests/test.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound test_max_id_bound
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

static const struct gv_spirv_limits lavapipe =
                                        SPIRV_LIMITS(.max_vertex_inputs = 32,
                                                     .compiles_for_uniforms = true,
                                                     .has = spirv_has_all),
                                    others = SPIRV_LIMITS(.max_vertex_inputs = 32,
                                                          .has = spirv_has_all);

// A module of a stage: `marks` decorate its own inputs, `inputs` declares them.
#define MODULE(entry, mode, marks, inputs)                                          \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"                          \
    "OpEntryPoint " entry "\n" mode                                                 \
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"                 \
    "OpMemberDecorate %block 1 Offset 16\nOpDecorate %u DescriptorSet 0\n"          \
    "OpDecorate %u Binding 0\nOpDecorate %in Location 0\n"                          \
    "OpDecorate %out Location 0\n" marks "%void = OpTypeVoid\n"                     \
    "%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n"     \
    "%int = OpTypeInt 32 1\n%v4 = OpTypeVector %float 4\n%c0 = OpConstant %int 0\n" \
    "%c1 = OpConstant %int 1\n%c9 = OpConstant %int 9\n"                            \
    "%half = OpConstant %float 0.5\n%block = OpTypeStruct %int %v4\n"               \
    "%pu = OpTypePointer Uniform %block\n%pui = OpTypePointer Uniform %int\n"       \
    "%pin = OpTypePointer Input %int\n%pin4 = OpTypePointer Input %v4\n"            \
    "%pf = OpTypePointer Function %int\n%pout = OpTypePointer Output %float\n"      \
    "%u = OpVariable %pu Uniform\n%in = OpVariable %pin Input\n"                    \
    "%out = OpVariable %pout Output\n" inputs                                       \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"                         \
    "%v = OpVariable %pf Function\n"
#define VERTEX MODULE("Vertex %main \"main\" %u %in %out", "", "", "")
#define NUMBERED                                       \
    MODULE("Vertex %main \"main\" %u %in %out %n", "", \
           "OpDecorate %n BuiltIn VertexIndex\n", "%n = OpVariable %pin Input\n")
#define FLAT "OpExecutionMode %main OriginUpperLeft\nOpDecorate %in Flat\n"
#define FRAGMENT MODULE("Fragment %main \"main\" %u %in %out", FLAT, "", "")
#define PLACED                                              \
    MODULE("Fragment %main \"main\" %u %in %out %at", FLAT, \
           "OpDecorate %at BuiltIn FragCoord\n", "%at = OpVariable %pin4 Input\n")
// Any other stage, without inputs and outputs of its own; its branch leaves at once.
#define STAGE(capability, entry, mode)                                          \
    "OpCapability Shader\n" capability "OpMemoryModel Logical GLSL450\n"        \
    "OpEntryPoint " entry " %main \"main\" %u\n" mode                           \
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"             \
    "OpDecorate %u DescriptorSet 0\nOpDecorate %u Binding 0\n"                  \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"      \
    "%int = OpTypeInt 32 1\n%c0 = OpConstant %int 0\n%c1 = OpConstant %int 1\n" \
    "%block = OpTypeStruct %int\n%pu = OpTypePointer Uniform %block\n"          \
    "%pui = OpTypePointer Uniform %int\n%u = OpVariable %pu Uniform\n"          \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n" UNIFORM ASK         \
    "OpSelectionMerge %after None\nOpBranchConditional %b %then %after\n"       \
    "%then = OpLabel\nOpBranch %after\n%after = OpLabel\n" END
#define TESSELLATION "OpCapability Tessellation\n"
#define UNIFORM "%p = OpAccessChain %pui %u %c0\n%x = OpLoad %int %p\n"
#define INPUT "%x = OpLoad %int %in\n"
#define ASK "%b = OpIEqual %bool %x %c1\n"
#define IF                                                                \
    "OpSelectionMerge %after None\nOpBranchConditional %b %then %after\n" \
    "%then = OpLabel\nOpStore %out %half\nOpBranch %after\n%after = OpLabel\n"
#define SWITCH                                                   \
    "OpSelectionMerge %after None\nOpSwitch %x %after 1 %then\n" \
    "%then = OpLabel\nOpStore %out %half\nOpBranch %after\n%after = OpLabel\n"
// Counts %v up to `%to`.
#define LOOP                                                           \
    "OpStore %v %c0\nOpBranch %head\n%head = OpLabel\n"                \
    "OpLoopMerge %after %next None\nOpBranch %test\n%test = OpLabel\n" \
    "%i = OpLoad %int %v\n%b = OpSLessThan %bool %i %to\n"             \
    "OpBranchConditional %b %next %after\n%next = OpLabel\n"           \
    "%j = OpLoad %int %v\n%k = OpIAdd %int %j %c1\nOpStore %v %k\n"    \
    "OpBranch %head\n%after = OpLabel\n"
#define END "OpReturn\nOpFunctionEnd\n"

static const struct {
    const char *name, *text;
    unsigned hidden; // branches
} rows[] = {
    { "uniform", VERTEX UNIFORM ASK IF END, 1 },
    { "uniform_own_number", NUMBERED UNIFORM ASK IF END, 1 },
    { "uniform_of_fragment", FRAGMENT UNIFORM ASK IF END, 1 },
    { "uniform_own_place", PLACED UNIFORM ASK IF END, 1 },
    { "input", VERTEX INPUT ASK IF END, 0 },
    { "constant", VERTEX "%b = OpIEqual %bool %c9 %c1\n" IF END, 0 },
    { "both",
      VERTEX INPUT "%p = OpAccessChain %pui %u %c0\n%y = OpLoad %int %p\n"
                   "%b = OpIEqual %bool %x %y\n" IF END,
      0 },
    { "kept",
      VERTEX "%p = OpAccessChain %pui %u %c0\n%y = OpLoad %int %p\n"
             "OpStore %v %y\n%x = OpLoad %int %v\n" ASK IF END,
      1 },
    { "kept_input",
      VERTEX "%y = OpLoad %int %in\nOpStore %v %y\n"
             "%x = OpLoad %int %v\n" ASK IF END,
      0 },
    { "switch", VERTEX UNIFORM SWITCH END, 1 },
    { "switch_input", VERTEX INPUT SWITCH END, 0 },
    { "loop", VERTEX "%to = OpCopyObject %int %c9\n" LOOP END, 0 },
    { "compute", STAGE("", "GLCompute", "OpExecutionMode %main LocalSize 1 1 1\n"), 1 },
    { "geometry",
      STAGE("OpCapability Geometry\n", "Geometry",
            "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
            "OpExecutionMode %main OutputPoints\n"
            "OpExecutionMode %main OutputVertices 1\n"),
      1 },
    { "tessellation_control",
      STAGE(TESSELLATION, "TessellationControl",
            "OpExecutionMode %main OutputVertices 3\n"),
      1 },
    { "tessellation_evaluation",
      STAGE(TESSELLATION, "TessellationEvaluation",
            "OpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\n"
            "OpExecutionMode %main VertexOrderCcw\n"),
      1 },
    { "loop_uniform", VERTEX UNIFORM "%to = OpCopyObject %int %x\n" LOOP END, 1 },
};

static bool valid(const char *name, const struct gv_spirv_safe *safe)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    spv_diagnostic diagnostic = NULL;
    spv_const_binary_t binary = { safe->words, safe->count };
    bool ok = spvValidate(context, &binary, &diagnostic) == SPV_SUCCESS;
    if (diagnostic)
        fprintf(stderr, "[%s] %s\n", name, diagnostic->error);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return ok;
}

static uint32_t op_of(const uint32_t *w)
{
    return *w & 0xffff;
}

// The instruction of a kind that makes an id, NULL: none.
static const uint32_t *maker_of(const struct gv_spirv_safe *safe, uint32_t id,
                                uint32_t op)
{
    for (size_t at = 5; at < safe->count; at += safe->words[at] >> 16) {
        const uint32_t *w = safe->words + at;
        if (op_of(w) == op && w[2] == id)
            return w;
    }
    return NULL;
}

static bool is_number(const struct gv_spirv_safe *safe, uint32_t id, uint32_t number)
{
    const uint32_t *w = maker_of(safe, id, SpvOpConstant);
    return w && w[3] == number;
}

// Whether an id is x | 1 != 0.
static bool always_holds(const struct gv_spirv_safe *safe, uint32_t id)
{
    const uint32_t *differs = maker_of(safe, id, SpvOpINotEqual);
    const uint32_t *with = differs ? maker_of(safe, differs[3], SpvOpBitwiseOr) : NULL;
    return with && is_number(safe, with[4], 1) && is_number(safe, differs[4], 0);
}

// Whether what a branch asks is its own condition or selector, and something unknown
// that always holds.
static bool is_hidden(const struct gv_spirv_safe *safe, const uint32_t *branch)
{
    const bool selects = op_of(branch) == SpvOpSwitch;
    const uint32_t *w =
        maker_of(safe, branch[1], selects ? SpvOpSelect : SpvOpLogicalAnd);
    return w && always_holds(safe, w[selects ? 3 : 4]);
}

// Branches that ask something made for them.
static unsigned count_hidden(const struct gv_spirv_safe *safe)
{
    unsigned count = 0;
    for (size_t at = 5; at < safe->count; at += safe->words[at] >> 16) {
        const uint32_t *w = safe->words + at;
        count += (op_of(w) == SpvOpBranchConditional || op_of(w) == SpvOpSwitch) &&
                 is_hidden(safe, w);
    }
    return count;
}

static void test_row(size_t i, const struct gv_spirv_limits *limits, unsigned hidden)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_spirv_checker *checker = gv_spirv_checker_create(limits, true, &err);
    spv_binary binary = NULL;
    CHECK_ROW(rows[i].name,
              checker != NULL &&
                  gv_test_assemble(rows[i].text, strlen(rows[i].text), &binary));
    const struct gv_spirv_checked *checked =
        binary ? gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err)
               : NULL;
    CHECK_ROW(rows[i].name, checked != NULL);
    if (checked) {
        CHECK_ROW(rows[i].name, valid(rows[i].name, &checked->safe));
        CHECK_ROW(rows[i].name, count_hidden(&checked->safe) == hidden);
    } else {
        fprintf(stderr, "  said: %s\n", err.message);
    }
    spvBinaryDestroy(binary);
    gv_spirv_checker_destroy(checker);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_row(i, &lavapipe, rows[i].hidden);
        test_row(i, &others, 0);
    }
    return TEST_RESULT();
}
