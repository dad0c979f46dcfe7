// Modules that are small and become large for those who read or compile them: refused
// by named limits, and fast. Decorations that would hide among others: found.
#include "resources/base/bytes.h"
#include "runtime/spirv/spirv_check.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/runtime/spirv_fixture.h"
#include "tests/test.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound test_max_id_bound
#include <spirv-tools/libspirv.h>
#include <stdbool.h>
#include <time.h>

static const struct gv_spirv_limits limits =
    SPIRV_LIMITS(.max_vertex_inputs = 16, .has = spirv_has_all);

// ---- modules ----

// Structs in structs, each with `width` members of the one before.
static void nested_structs(struct gv_bytes *t, unsigned depth, unsigned width)
{
    gv_bytes_printf(t, "%s", HEAD("") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s", TYPES "%s0 = OpTypeStruct %uint\n");
    for (unsigned i = 1; i <= depth; i++) {
        gv_bytes_printf(t, "%%s%u = OpTypeStruct", i);
        for (unsigned k = 0; k < width; k++)
            gv_bytes_printf(t, " %%s%u", i - 1);
        gv_bytes_printf(t, "\n");
    }
    gv_bytes_printf(t, "%s", MAIN);
}

// A wide struct, and many pointers to it.
static void many_uses(struct gv_bytes *t, unsigned members, unsigned uses)
{
    gv_bytes_printf(t, "%s", HEAD("") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s", TYPES "%s = OpTypeStruct");
    for (unsigned k = 0; k < members; k++)
        gv_bytes_printf(t, " %%uint");
    gv_bytes_printf(t, "\n");
    for (unsigned k = 0; k < uses; k++)
        gv_bytes_printf(t, "%%k%u = OpConstantNull %%s\n", k);
    gv_bytes_printf(t, "%s", MAIN);
}

// Functions that call the one before `times` over.
static void nested_calls(struct gv_bytes *t, unsigned depth, unsigned times)
{
    gv_bytes_printf(t, "%s", HEAD("") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s",
                    TYPES "%f0 = OpFunction %void None %fn\n%e0 = OpLabel\nOpReturn\n"
                          "OpFunctionEnd\n");
    for (unsigned i = 1; i <= depth; i++) {
        gv_bytes_printf(t, "%%f%u = OpFunction %%void None %%fn\n%%e%u = OpLabel\n", i,
                        i);
        for (unsigned k = 0; k < times; k++)
            gv_bytes_printf(t, "%%r%u_%u = OpFunctionCall %%void %%f%u\n", i, k, i - 1);
        gv_bytes_printf(t, "OpReturn\nOpFunctionEnd\n");
    }
    gv_bytes_printf(t,
                    "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n"
                    "%%r = OpFunctionCall %%void %%f%u\nOpReturn\nOpFunctionEnd\n",
                    depth);
}

// Two functions that call each other, the entry point neither.
static void recursion(struct gv_bytes *t, unsigned a, unsigned b)
{
    (void)a;
    (void)b;
    gv_bytes_printf(t, "%s", HEAD("") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s", TYPES MAIN);
    gv_bytes_printf(t, "%%f0 = OpFunction %%void None %%fn\n%%e0 = OpLabel\n"
                       "%%r0 = OpFunctionCall %%void %%f1\nOpReturn\nOpFunctionEnd\n");
    gv_bytes_printf(t, "%%f1 = OpFunction %%void None %%fn\n%%e1 = OpLabel\n"
                       "%%r1 = OpFunctionCall %%void %%f0\nOpReturn\nOpFunctionEnd\n");
}

// Loads of a whole array.
static void whole_loads(struct gv_bytes *t, unsigned length, unsigned loads)
{
    gv_bytes_printf(t, "%s",
                    HEAD("") "OpEntryPoint GLCompute %main \"main\" %v\n"
                             "OpExecutionMode %main LocalSize 1 1 1\n");
    gv_bytes_printf(t, "%s", TYPES);
    gv_bytes_printf(t,
                    "%%n = OpConstant %%uint %u\n%%a = OpTypeArray %%uint %%n\n"
                    "%%p = OpTypePointer Private %%a\n%%v = OpVariable %%p Private\n",
                    length);
    gv_bytes_printf(t, "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n");
    for (unsigned i = 0; i < loads; i++)
        gv_bytes_printf(t, "%%l%u = OpLoad %%a %%v\n", i);
    gv_bytes_printf(t, "OpReturn\nOpFunctionEnd\n");
}

// Instructions that become many: 0 arc tangents of four numbers, 1 divisions, 2
// atomics, 3 elements of an array, chosen, 4 products of matrices, 5 inverses, 6 sums.
static void dear(struct gv_bytes *t, unsigned kind, unsigned times)
{
    static const char *const lines[] = {
        "%%r%u = OpExtInst %%v4 %%glsl Atan2 %%zero %%zero\n",
        "%%r%u = OpUDiv %%u4 %%none %%none\n",
        "%%r%u = OpAtomicIAdd %%uint %%w %%c1 %%c0 %%c1\n",
        "%%r%u = OpAccessChain %%pp %%v %%i\n",
        "%%r%u = OpMatrixTimesMatrix %%m4 %%flat %%flat\n",
        "%%r%u = OpExtInst %%m4 %%glsl MatrixInverse %%flat\n",
        "%%r%u = OpFAdd %%v4 %%zero %%zero\n",
    };
    gv_bytes_printf(
        t, "%s",
        HEAD("%glsl = OpExtInstImport \"GLSL.std.450\"\n") "OpEntryPoint GLCompute "
                                                           "%main \"main\" %v %w\n"
                                                           "OpExecutionMode %main "
                                                           "LocalSize 1 1 1\n");
    gv_bytes_printf(
        t, "%s",
        TYPES "%m4 = OpTypeMatrix %v4 4\n%u4 = OpTypeVector %uint 4\n"
              "%zero = OpConstantNull %v4\n%flat = OpConstantNull %m4\n"
              "%none = OpConstantNull %u4\n%c1 = OpConstant %uint 1\n%n = OpConstant "
              "%uint 32\n"
              "%a = OpTypeArray %uint %n\n%pa = OpTypePointer Private %a\n"
              "%pp = OpTypePointer Private %uint\n%v = OpVariable %pa Private\n"
              "%pw = OpTypePointer Workgroup %uint\n%w = OpVariable %pw Workgroup\n"
              "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
              "%i = OpIAdd %uint %c0 %c1\n");
    for (unsigned i = 0; i < times; i++)
        gv_bytes_printf(t, lines[kind], i);
    gv_bytes_printf(t, "OpReturn\nOpFunctionEnd\n");
}

// `v = max(v * a, min(v, b))`, or a dearer function of v, as compilers write them.
static void lines_of(struct gv_bytes *t, unsigned times, unsigned kind)
{
    static const char *const lines[] = {
        "%%p%u = OpFMul %%v4 %%b%u %%a%u\n%%m%u = OpExtInst %%v4 %%glsl FMin %%b%u "
        "%%a%u\n"
        "%%x%u = OpExtInst %%v4 %%glsl FMax %%p%u %%m%u\n",
        "%%x%u = OpExtInst %%v4 %%glsl Sin %%b%u\n",
        "%%x%u = OpExtInst %%v4 %%glsl Tan %%b%u\n",
        "%%x%u = OpExtInst %%v4 %%glsl Log2 %%b%u\n",
    };
    gv_bytes_printf(
        t, "%s", HEAD("%glsl = OpExtInstImport \"GLSL.std.450\"\n") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s",
                    TYPES
                    "%pv = OpTypePointer Function %v4\n"
                    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
                    "%v = OpVariable %pv Function\n%w = OpVariable %pv Function\n");
    for (unsigned i = 0; i < times; i++) {
        gv_bytes_printf(t, "%%b%u = OpLoad %%v4 %%v\n%%a%u = OpLoad %%v4 %%w\n", i, i);
        gv_bytes_printf(t, lines[kind], i, i, i, i, i, i, i, i, i);
        gv_bytes_printf(t, "OpStore %%v %%x%u\n", i);
    }
    gv_bytes_printf(t, "OpReturn\nOpFunctionEnd\n");
}

// As many stores as loads of elements, chosen, of an array of vectors.
static void chosen_elements(struct gv_bytes *t, unsigned length, unsigned times)
{
    gv_bytes_printf(t, "%s", HEAD("") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s", TYPES);
    gv_bytes_printf(
        t,
        "%%n = OpConstant %%uint %u\n%%zero = OpConstantNull %%v4\n"
        "%%c1 = OpConstant %%uint 1\n%%many = OpTypeArray %%v4 %%n\n"
        "%%pm = OpTypePointer Function %%many\n%%pv = OpTypePointer Function %%v4\n"
        "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n"
        "%%v = OpVariable %%pm Function\n%%i = OpIAdd %%uint %%c0 %%c1\n",
        length);
    for (unsigned i = 0; i < times; i++)
        gv_bytes_printf(
            t,
            "%%s%u = OpAccessChain %%pv %%v %%i\nOpStore %%s%u %%zero\n"
            "%%l%u = OpAccessChain %%pv %%v %%i\n%%x%u = OpLoad %%v4 %%l%u\n",
            i, i, i, i, i);
    gv_bytes_printf(t, "OpReturn\nOpFunctionEnd\n");
}

static const struct {
    const char *name;
    void (*write)(struct gv_bytes *t, unsigned a, unsigned b);
    unsigned a, b;
    enum gv_status status;
    const char *message;
} growing[] = {
    { "structs_60", nested_structs, 60, 2, GV_ERR_UNSUPPORTED,
      "SPIR-V type of over 65536" },
    { "structs_deep", nested_structs, 64, 1, GV_ERR_UNSUPPORTED,
      "nested over 64 deep" },
    { "structs_allowed", nested_structs, 12, 2, GV_OK, "" },
    { "structs_walked", many_uses, 1000, 5000, GV_ERR_UNSUPPORTED,
      "over 4194304 parts in all" },
    { "structs_used", many_uses, 1000, 100, GV_OK, "" },
    { "calls_30", nested_calls, 30, 2, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "calls_wide", nested_calls, 5, 40, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "calls_deep", nested_calls, 65, 1, GV_ERR_UNSUPPORTED,
      "calls are nested over 64 deep" },
    { "calls_allowed", nested_calls, 10, 2, GV_OK, "" },
    { "recursion", recursion, 0, 0, GV_ERR_FORMAT, "calls itself" },
    { "arc_tangents", dear, 0, 340, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "arc_tangents_allowed", dear, 0, 300, GV_OK, "" },
    { "divisions", dear, 1, 1300, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "divisions_allowed", dear, 1, 1000, GV_OK, "" },
    { "atomics", dear, 2, 1900, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "atomics_allowed", dear, 2, 1500, GV_OK, "" },
    { "choices", dear, 3, 600, GV_ERR_UNSUPPORTED, "words when its calls are inlined" },
    { "choices_allowed", dear, 3, 400, GV_OK, "" },
    { "products", dear, 4, 1000, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "products_allowed", dear, 4, 700, GV_OK, "" },
    { "inverses", dear, 5, 330, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "inverses_allowed", dear, 5, 300, GV_OK, "" },
    { "minima_allowed", lines_of, 900, 0, GV_OK, "" },
    { "minima", lines_of, 1600, 0, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "sines_allowed", lines_of, 500, 1, GV_OK, "" },
    { "sines", lines_of, 900, 1, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "tangents", lines_of, 700, 2, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "logarithms", lines_of, 1100, 3, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "chosen_256_allowed", chosen_elements, 256, 64, GV_OK, "" },
    { "chosen_256", chosen_elements, 256, 100, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "chosen_1024_allowed", chosen_elements, 1024, 33, GV_OK, "" },
    { "chosen_1024", chosen_elements, 1024, 60, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "sums_allowed", dear, 6, 10000, GV_OK, "" },
    { "loads_of_arrays", whole_loads, 10000, 100, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "loads_allowed", whole_loads, 100, 100, GV_OK, "" },
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void test_growing(struct gv_spirv_checker *checker)
{
    for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes t = { 0 };
        spv_binary binary = NULL;
        growing[i].write(&t, growing[i].a, growing[i].b);
        CHECK_ROW(growing[i].name,
                  gv_test_assemble((const char *)t.data, t.size, &binary));
        gv_bytes_finish(&t);
        if (!binary)
            continue;
        double start = seconds();
        gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err);
        CHECK_ROW(growing[i].name, seconds() - start < 10); // under sanitizers too
        CHECK_ROW(growing[i].name, err.status == growing[i].status);
        CHECK_ROW(growing[i].name, strstr(err.message, growing[i].message) != NULL);
        if (err.status != growing[i].status)
            fprintf(stderr, "  said: %s\n", err.message);
        spvBinaryDestroy(binary);
    }
}

// ---- decorations ----

// Decorations of one member, with those of a hundred others in between: all count.
static void test_scattered(void)
{
    struct gv_bytes t = { 0 };
    spv_binary binary = NULL;
    gv_bytes_printf(&t, "%s", HEAD("OpCapability TransformFeedback\n"));
    gv_bytes_printf(
        &t, "OpEntryPoint Vertex %%main \"main\" %%var\nOpExecutionMode %%main Xfb\n");
    gv_bytes_printf(&t,
                    "OpDecorate %%block Block\nOpMemberDecorate %%block 0 XfbBuffer 3\n"
                    "OpMemberDecorate %%block 0 XfbStride 16\n"
                    "OpMemberDecorate %%block 0 Offset 0\n");
    for (int i = 1; i < 100; i++)
        gv_bytes_printf(&t, "OpMemberDecorate %%block %d RelaxedPrecision\n", i);
    for (int i = 0; i < 100; i++)
        gv_bytes_printf(&t, "OpMemberDecorate %%block %d Location 0\n", i);
    gv_bytes_printf(&t, "%s", TYPES "%block = OpTypeStruct");
    for (int i = 0; i < 100; i++)
        gv_bytes_printf(&t, " %%float");
    gv_bytes_printf(&t, "\n%%pointer = OpTypePointer Output %%block\n"
                        "%%var = OpVariable %%pointer Output\n");
    gv_bytes_printf(&t, "%s", MAIN);
    CHECK(gv_test_assemble((const char *)t.data, t.size, &binary));
    gv_bytes_finish(&t);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_spirv_module module = { 0 };
    CHECK(binary && gv_spirv_module_read(binary->code, binary->wordCount, NULL, 0,
                                         &limits, &module, &err));
    CHECK(module.feedback_buffers == 8);
    gv_spirv_module_finish(&module);
    spvBinaryDestroy(binary);
}

int main(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_spirv_checker *checker = gv_spirv_checker_create(&limits, true, &err);
    CHECK(checker != NULL);
    if (!checker)
        return TEST_RESULT();
    test_growing(checker);
    test_scattered();
    gv_spirv_checker_destroy(checker);
    return TEST_RESULT();
}
