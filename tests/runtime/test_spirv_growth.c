// Modules that are small and become large for those who read or compile them: refused
// by named limits, and fast. Decorations that would hide among others: found.
#include "resources/base/bytes.h"
#include "runtime/spirv/spirv_check.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/runtime/spirv_fixture.h"
#include "tests/test.h"
#include "vm/spirv/spirv_words.h"

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

// ---- constants ----

// A compute shader without resources, up to its entry point's body.
static void begin_compute(struct gv_bytes *t, const char *more)
{
    gv_bytes_printf(t, "%s", HEAD("") COMPUTE("1 1 1"));
    gv_bytes_printf(t, "%s", TYPES);
    gv_bytes_printf(t, "%s", "%bool = OpTypeBool\n%c1 = OpConstant %uint 1\n");
    gv_bytes_printf(t, "%s", more);
}

static void end_compute(struct gv_bytes *t)
{
    gv_bytes_printf(t, "OpReturn\nOpFunctionEnd\n");
}

#define CONSTANTS "SPIR-V constants of over 1048576 words in all"
#define CASES "SPIR-V switches of over 2048 cases in all"
#define NESTED "Maximum Control Flow nesting depth exceeded"
#define BODY "%main = OpFunction %void None %fn\n%entry = OpLabel\n"

// Nulls of arrays of arrays, `depth` in one another, 2^`bits` elements each; the entry
// point takes a number out of the last.
static void nested_nulls(struct gv_bytes *t, unsigned depth, unsigned bits)
{
    begin_compute(t, "");
    gv_bytes_printf(t, "%%n = OpConstant %%uint %u\n%%a1 = OpTypeArray %%uint %%n\n",
                    1u << bits);
    for (unsigned i = 2; i <= depth; i++)
        gv_bytes_printf(t, "%%a%u = OpTypeArray %%a%u %%n\n", i, i - 1);
    gv_bytes_printf(t,
                    "%%k = OpConstantNull %%a%u\n%s%%x = OpCompositeExtract %%uint "
                    "%%k",
                    depth, BODY);
    for (unsigned i = 0; i < depth; i++)
        gv_bytes_printf(t, " 0");
    gv_bytes_printf(t, "\n");
    end_compute(t);
}

// `count` nulls of one array that nothing uses.
static void unused_nulls(struct gv_bytes *t, unsigned length, unsigned count)
{
    begin_compute(t, "");
    gv_bytes_printf(t, "%%n = OpConstant %%uint %u\n%%a = OpTypeArray %%uint %%n\n",
                    length);
    for (unsigned i = 0; i < count; i++)
        gv_bytes_printf(t, "%%k%u = OpConstantNull %%a\n", i);
    gv_bytes_printf(t, "%s", BODY);
    end_compute(t);
}

// What stands for an array without its words: 0 a null whose length is specialised, 1
// an undefined value, 2 one constant put into it after another, 3 an array of structs
// of matrices.
static void large_values(struct gv_bytes *t, unsigned kind, unsigned length)
{
    static const char *const lines[] = {
        "%n = OpSpecConstant %uint ",
        "%n = OpConstant %uint ",
        "%one = OpSpecConstant %uint 1\n%n = OpConstant %uint ",
        "%m = OpTypeMatrix %v4 4\n%s = OpTypeStruct %m %m %v4\n%n = OpConstant %uint ",
    };
    begin_compute(t, lines[kind]);
    gv_bytes_printf(t, "%u\n%%a = OpTypeArray %s %%n\n%%k = %s %%a\n", length,
                    kind == 3 ? "%s" : "%uint",
                    kind == 1 ? "OpUndef" : "OpConstantNull");
    for (unsigned i = 0; kind == 2 && i < 1000; i++)
        gv_bytes_printf(
            t, "%%k%u = OpSpecConstantOp %%a CompositeInsert %%one %%k %u\n", i, i);
    gv_bytes_printf(t, "%s", BODY);
    end_compute(t);
}

// Each constant twice in the next: 0 arrays, 1 structs, 2 specialised.
static void shared_constants(struct gv_bytes *t, unsigned kind, unsigned depth)
{
    begin_compute(t, "%two = OpConstant %uint 2\n%k0 = OpSpecConstant %uint 7\n"
                     "%l0 = OpConstant %uint 7\n%t0 = OpTypeStruct %uint\n");
    for (unsigned i = 1; i <= depth; i++) {
        char inner[16];
        snprintf(inner, sizeof inner, i == 1 ? "uint" : "t%u", i - 1);
        if (kind == 1)
            gv_bytes_printf(t, "%%t%u = OpTypeStruct %%%s %%%s\n", i, inner, inner);
        else
            gv_bytes_printf(t, "%%t%u = OpTypeArray %%%s %%two\n", i, inner);
        const char of = kind == 2 ? 'k' : 'l';
        gv_bytes_printf(t, "%%%c%u = %s %%t%u %%%c%u %%%c%u\n", of, i,
                        kind == 2 ? "OpSpecConstantComposite" : "OpConstantComposite",
                        i, of, i - 1, of, i - 1);
    }
    gv_bytes_printf(t, "%s", BODY);
    end_compute(t);
}

// `count` functions that take a number out of one constant of `length`.
static void constants_in_functions(struct gv_bytes *t, unsigned length, unsigned count)
{
    begin_compute(t, "");
    gv_bytes_printf(t,
                    "%%n = OpConstant %%uint %u\n%%a = OpTypeArray %%uint %%n\n"
                    "%%k = OpConstantNull %%a\n",
                    length);
    for (unsigned i = 0; i < count; i++)
        gv_bytes_printf(t,
                        "%%f%u = OpFunction %%void None %%fn\n%%e%u = OpLabel\n"
                        "%%x%u = OpCompositeExtract %%uint %%k 1\n"
                        "%%y%u = OpCompositeExtract %%uint %%k 2\n"
                        "OpReturn\nOpFunctionEnd\n",
                        i, i, i, i);
    gv_bytes_printf(t, "%s", BODY);
    for (unsigned i = 0; i < count; i++)
        gv_bytes_printf(t, "%%r%u = OpFunctionCall %%void %%f%u\n", i, i);
    end_compute(t);
}

// ---- functions and control flow ----

// `count` functions that nobody calls.
static void many_functions(struct gv_bytes *t, unsigned count, unsigned unused)
{
    (void)unused;
    begin_compute(t, BODY);
    end_compute(t);
    for (unsigned i = 0; i < count; i++)
        gv_bytes_printf(t,
                        "%%f%u = OpFunction %%void None %%fn\n%%e%u = OpLabel\n"
                        "OpReturn\nOpFunctionEnd\n",
                        i, i);
}

// A function of `sums`, in `depth` others that call the one before once.
static void passed_on(struct gv_bytes *t, unsigned sums, unsigned depth)
{
    begin_compute(t, "%f0 = OpFunction %void None %fn\n%e0 = OpLabel\n");
    for (unsigned i = 0; i < sums; i++)
        gv_bytes_printf(t, "%%x%u = OpIAdd %%uint %%c1 %%c1\n", i);
    end_compute(t);
    for (unsigned i = 1; i <= depth; i++)
        gv_bytes_printf(t,
                        "%%f%u = OpFunction %%void None %%fn\n%%e%u = OpLabel\n"
                        "%%r%u = OpFunctionCall %%void %%f%u\n"
                        "OpReturn\nOpFunctionEnd\n",
                        i, i, i, i - 1);
    gv_bytes_printf(t, "%s%%r = OpFunctionCall %%void %%f%u\n", BODY, depth);
    end_compute(t);
}

// Selections: 0 in one another, 1 one after another, 2 in one another, with the end of
// each before its body.
static void selections(struct gv_bytes *t, unsigned kind, unsigned count)
{
    begin_compute(t, BODY "%b = OpIEqual %bool %c1 %c0\n");
    for (unsigned i = 0; i < count; i++) {
        gv_bytes_printf(t,
                        "OpSelectionMerge %%m%u None\n"
                        "OpBranchConditional %%b %%t%u %%m%u\n",
                        i, i, i);
        if (kind == 2 && i > 0)
            gv_bytes_printf(t, "%%m%u = OpLabel\nOpBranch %%m%u\n", i, i - 1);
        else if (kind == 2)
            gv_bytes_printf(t, "%%m0 = OpLabel\nOpReturn\n");
        gv_bytes_printf(t, "%%t%u = OpLabel\n", i);
        if (kind == 1)
            gv_bytes_printf(t, "OpBranch %%m%u\n%%m%u = OpLabel\n", i, i);
    }
    for (unsigned i = count; kind == 0 && i-- > 0;)
        gv_bytes_printf(t, "OpBranch %%m%u\n%%m%u = OpLabel\n", i, i);
    if (kind == 2)
        gv_bytes_printf(t, "OpBranch %%m%u\nOpFunctionEnd\n", count - 1);
    else
        end_compute(t);
}

// Switches one after another, of so many cases each.
static void switches(struct gv_bytes *t, unsigned count, unsigned cases)
{
    begin_compute(t, BODY);
    for (unsigned i = 0; i < count; i++) {
        gv_bytes_printf(t, "OpSelectionMerge %%m%u None\nOpSwitch %%c1 %%m%u", i, i);
        for (unsigned k = 0; k < cases; k++)
            gv_bytes_printf(t, " %u %%t%u_%u", k, i, k);
        for (unsigned k = 0; k < cases; k++)
            gv_bytes_printf(t, "\n%%t%u_%u = OpLabel\nOpBranch %%m%u", i, k, i);
        gv_bytes_printf(t, "\n%%m%u = OpLabel\n", i);
    }
    end_compute(t);
}

// Loops, in one another or one after another.
static void loops(struct gv_bytes *t, unsigned nested, unsigned count)
{
    begin_compute(t, BODY "%b = OpIEqual %bool %c1 %c0\n");
    for (unsigned i = 0; i < count; i++) {
        gv_bytes_printf(t,
                        "OpBranch %%h%u\n%%h%u = OpLabel\n"
                        "OpLoopMerge %%m%u %%c%u_ None\n"
                        "OpBranchConditional %%b %%t%u %%m%u\n%%t%u = OpLabel\n",
                        i, i, i, i, i, i, i);
        if (!nested)
            gv_bytes_printf(t,
                            "OpBranch %%c%u_\n%%c%u_ = OpLabel\nOpBranch %%h%u\n"
                            "%%m%u = OpLabel\n",
                            i, i, i, i);
    }
    for (unsigned i = count; nested && i-- > 0;)
        gv_bytes_printf(t,
                        "OpBranch %%c%u_\n%%c%u_ = OpLabel\nOpBranch %%h%u\n"
                        "%%m%u = OpLabel\n",
                        i, i, i, i);
    end_compute(t);
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
    { "null_28", nested_nulls, 1, 28, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "null_10_10_10", nested_nulls, 3, 10, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "null_1_40_times", nested_nulls, 40, 1, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "null_31_31", nested_nulls, 2, 31, GV_ERR_UNSUPPORTED,
      "SPIR-V type is too large" },
    { "null_18", nested_nulls, 1, 18, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "null_allowed", nested_nulls, 2, 8, GV_OK, "" },
    { "nulls_unused", unused_nulls, 1 << 19, 3, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "nulls_many", unused_nulls, 300, 4000, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "nulls_allowed", unused_nulls, 300, 3000, GV_OK, "" },
    { "null_specialised", large_values, 0, 1 << 28, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "undefined", large_values, 1, 1 << 24, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "inserted", large_values, 2, 1 << 11, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "inserted_allowed", large_values, 2, 1 << 9, GV_OK, "" },
    { "matrices", large_values, 3, 1 << 16, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "shared_arrays", shared_constants, 0, 24, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "shared_structs", shared_constants, 1, 20, GV_ERR_UNSUPPORTED,
      "SPIR-V type of over 65536 parts" },
    { "shared_specialised", shared_constants, 2, 24, GV_ERR_UNSUPPORTED, CONSTANTS },
    { "shared_allowed", shared_constants, 0, 16, GV_OK, "" },
    { "in_functions", constants_in_functions, 1 << 12, 64, GV_ERR_UNSUPPORTED,
      "words when its calls are inlined" },
    { "in_functions_allowed", constants_in_functions, 1 << 12, 20, GV_OK, "" },
    { "functions", many_functions, 5000, 0, GV_ERR_UNSUPPORTED, "over 4096 functions" },
    { "functions_allowed", many_functions, 4000, 0, GV_OK, "" },
    { "passed_on", passed_on, 10000, 60, GV_ERR_UNSUPPORTED, "words in all when" },
    { "passed_on_allowed", passed_on, 1000, 60, GV_OK, "" },
    { "selections_deep", selections, 0, 1000, GV_ERR_FORMAT, NESTED },
    { "selections_deep_otherwise", selections, 2, 1000, GV_ERR_FORMAT, NESTED },
    { "selections_deep_allowed", selections, 0, 100, GV_OK, "" },
    { "selections_many", selections, 1, 9000, GV_ERR_UNSUPPORTED,
      "over 8192 selections" },
    { "selections_allowed", selections, 1, 4000, GV_OK, "" },
    { "switch_large", switches, 1, 3000, GV_ERR_UNSUPPORTED, CASES },
    { "switches_many", switches, 100, 30, GV_ERR_UNSUPPORTED, CASES },
    { "switches_allowed", switches, 4, 300, GV_OK, "" },
    { "loops_deep", loops, 1, 300, GV_ERR_FORMAT, NESTED },
    { "loops_many", loops, 0, 3000, GV_ERR_UNSUPPORTED, "over 2048 loops" },
    { "loops_allowed", loops, 0, 1000, GV_OK, "" },
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

// What a loop wishes of its unrolling stays here; that it is not unrolled goes on.
static void test_unrolling(struct gv_spirv_checker *checker)
{
    static const struct {
        const char *wish;
        uint32_t left;
    } rows[] = {
        { "None", SpvLoopControlMaskNone },
        { "Unroll", SpvLoopControlMaskNone },
        { "DontUnroll", SpvLoopControlDontUnrollMask },
        { "Unroll|DependencyLength 4", SpvLoopControlMaskNone },
        { "PeelCount|PartialCount 1000000 1000000", SpvLoopControlMaskNone },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes t = { 0 };
        spv_binary binary = NULL;
        begin_compute(&t, BODY "%b = OpIEqual %bool %c1 %c0\n");
        gv_bytes_printf(&t,
                        "OpBranch %%h\n%%h = OpLabel\nOpLoopMerge %%m %%c %s\n"
                        "OpBranchConditional %%b %%c %%m\n%%c = OpLabel\n"
                        "OpBranch %%h\n%%m = OpLabel\n",
                        rows[i].wish);
        end_compute(&t);
        CHECK_ROW(rows[i].wish,
                  gv_test_assemble((const char *)t.data, t.size, &binary));
        gv_bytes_finish(&t);
        const struct gv_spirv_checked *checked =
            binary ? gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err)
                   : NULL;
        bool found = false;
        for (size_t at = 5; checked && at < checked->code_count;
             at += gv_spirv_length(checked->code + at)) {
            const uint32_t *w = checked->code + at;
            if (gv_spirv_op(w) != SpvOpLoopMerge)
                continue;
            found = gv_spirv_length(w) == 4 && w[3] == rows[i].left;
        }
        CHECK_ROW(rows[i].wish, found);
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
    test_unrolling(checker);
    test_scattered();
    gv_spirv_checker_destroy(checker);
    return TEST_RESULT();
}
