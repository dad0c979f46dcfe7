// Modules made safe: which indices are clamped and which are proven, that nothing is
// read before it is written, and that the result is valid again, also of every shader
// in the folders named.
#include "resources/base/file.h"
#include "runtime/spirv/spirv_check.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/runtime/spirv_fixture.h"
#include "tests/test.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound test_max_id_bound
#include <dirent.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

static const struct gv_spirv_limits limits =
    SPIRV_LIMITS(.max_vertex_inputs = 32, .compiles_for_uniforms = true,
                 .has = spirv_has_all);

// What the rewritten module holds.
struct counts {
    unsigned clamps, undefined, bare_variables;
    bool open_shuffle; // one with a component that is undefined
};

static bool has_open_shuffle(const uint32_t *w)
{
    uint32_t op = *w & 0xffff, first = 5;
    if (op == SpvOpSpecConstantOp && w[3] == SpvOpVectorShuffle)
        first = 6;
    else if (op != SpvOpVectorShuffle)
        return false;
    for (uint32_t i = first; i < *w >> 16; i++)
        if (w[i] == UINT32_MAX)
            return true;
    return false;
}

// Zeroed by a function of the rewriting's.
static bool is_handed_on(const uint32_t *words, size_t size, uint32_t id)
{
    for (size_t at = 5; at < size; at += words[at] >> 16)
        if ((words[at] & 0xffff) == SpvOpFunctionCall && words[at] >> 16 == 5 &&
            words[at + 4] == id)
            return true;
    return false;
}

static struct counts count(const uint32_t *words, size_t size)
{
    struct counts c = { 0 };
    for (size_t at = 5; at < size; at += words[at] >> 16) {
        const uint32_t *w = words + at;
        uint32_t op = *w & 0xffff;
        c.clamps += op == SpvOpExtInst && w[4] == GLSLstd450UMin;
        c.undefined += op == SpvOpUndef;
        c.open_shuffle |= has_open_shuffle(w);
        c.bare_variables +=
            op == SpvOpVariable && *w >> 16 == 4 &&
            (w[3] == SpvStorageClassFunction || w[3] == SpvStorageClassPrivate ||
             w[3] == SpvStorageClassWorkgroup) &&
            !is_handed_on(words, size, w[2]);
    }
    return c;
}

static bool valid(const char *name, const struct gv_spirv_safe *safe)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    spv_validator_options options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetScalarBlockLayout(options, true);
    spv_const_binary_t binary = { safe->words, safe->count };
    spv_diagnostic diagnostic = NULL;
    bool ok =
        spvValidateWithOptions(context, options, &binary, &diagnostic) == SPV_SUCCESS;
    if (diagnostic)
        fprintf(stderr, "[%s] %s\n", name, diagnostic->error);
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return ok;
}

// ---- shaders of ours ----

static unsigned seen;

static void test_file(struct gv_spirv_checker *checker, const char *path)
{
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    CHECK_ROW(path, gv_file_open(&file, path, &err));
    if (err.status != GV_OK)
        return;
    const struct gv_spirv_checked *checked =
        gv_spirv_check(checker, file.data, file.size, &err);
    CHECK_ROW(path, checked != NULL);
    if (checked) {
        const struct counts c = count(checked->safe.words, checked->safe.count);
        CHECK_ROW(path, valid(path, &checked->safe));
        CHECK_ROW(path, c.undefined == 0 && c.bare_variables == 0 && !c.open_shuffle);
        seen++;
    } else {
        fprintf(stderr, "  said: %s\n", err.message);
    }
    gv_file_close(&file);
}

static void test_folder(struct gv_spirv_checker *checker, const char *folder)
{
    DIR *list = opendir(folder);
    struct dirent *entry;
    CHECK_ROW(folder, list != NULL);
    while (list && (entry = readdir(list))) {
        char path[4096];
        size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".spv") == 0)
            test_file(checker, path);
    }
    if (list)
        closedir(list);
}

// ---- indices ----

// A compute module of 16 lanes: `row` of 16 in workgroup memory is stored to at `%i`,
// which `body` makes from `%x`, an input that may be anything.
#define PROLOGUE                                                                \
    "OpCapability Shader\nOpCapability Int16\nOpCapability Int64\n"             \
    "%glsl = OpExtInstImport \"GLSL.std.450\"\n"                                \
    "OpMemoryModel Logical GLSL450\n"                                           \
    "OpEntryPoint GLCompute %main \"main\" %lane %local %group %row %rows\n"    \
    "OpExecutionMode %main LocalSize 16 1 1\n"                                  \
    "OpDecorate %lane BuiltIn LocalInvocationIndex\n"                           \
    "OpDecorate %local BuiltIn LocalInvocationId\n"                             \
    "OpDecorate %group BuiltIn WorkgroupId\n"                                   \
    "OpDecorate %five SpecId 3\nOpDecorate %many SpecId 4\n"                    \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"                          \
    "%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n"                           \
    "%short = OpTypeInt 16 1\n%long = OpTypeInt 64 1\n"                         \
    "%u2 = OpTypeVector %uint 2\n%u3 = OpTypeVector %uint 3\n"                  \
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"                      \
    "%c4 = OpConstant %uint 4\n%c9 = OpConstant %uint 9\n"                      \
    "%c15 = OpConstant %uint 15\n%c16 = OpConstant %uint 16\n"                  \
    "%c17 = OpConstant %uint 17\n%c28 = OpConstant %uint 28\n"                  \
    "%minus = OpConstant %int -400\n%far = OpConstant %uint 100000000\n"        \
    "%i15 = OpConstant %int 15\n%i0 = OpConstant %int 0\n"                      \
    "%l9 = OpConstant %long 9\n%lfar = OpConstant %long 4294967297\n"           \
    "%s9 = OpConstant %short 9\n%sminus = OpConstant %short -1\n"               \
    "%five = OpSpecConstant %uint 5\n%many = OpSpecConstant %uint 16\n"         \
    "%pair = OpSpecConstantComposite %u2 %five %many\n"                         \
    "%turned = OpSpecConstantOp %u2 VectorShuffle %pair %pair 0xffffffff 0\n"   \
    "%row16 = OpTypeArray %uint %c16\n%rowmany = OpTypeArray %uint %many\n"     \
    "%pin = OpTypePointer Input %uint\n%pin3 = OpTypePointer Input %u3\n"       \
    "%pf = OpTypePointer Function %uint\n%pw = OpTypePointer Workgroup %uint\n" \
    "%pw16 = OpTypePointer Workgroup %row16\n"                                  \
    "%pwmany = OpTypePointer Workgroup %rowmany\n"                              \
    "%row = OpVariable %pw16 Workgroup\n%rows = OpVariable %pwmany Workgroup\n" \
    "%lane = OpVariable %pin Input\n%local = OpVariable %pin3 Input\n"          \
    "%group = OpVariable %pin3 Input\n"                                         \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
#define ANY "%xp = OpAccessChain %pin %group %c0\n%x = OpLoad %uint %xp\n"
#define STORE "%p = OpAccessChain %pw %row %i\nOpStore %p %c9\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define AT(index) "%p = OpAccessChain %pw %row " index "\nOpStore %p %c9\n"

static const struct {
    const char *name, *body;
    unsigned clamps; // that the rewritten module has more
} rows[] = {
    { "any", ANY AT("%x"), 1 },
    { "in_bounds_is_a_claim",
      ANY "%p = OpInBoundsAccessChain %pw %row %x\nOpStore %p %c9\n", 1 },
    { "constant", AT("%c15"), 0 },
    { "constant_past_end", AT("%c16"), 1 },
    { "constant_far", AT("%far"), 1 },
    { "constant_negative", AT("%minus"), 1 },
    { "constant_long", AT("%l9"), 0 },
    { "constant_long_far", AT("%lfar"), 1 },
    { "constant_short", AT("%s9"), 0 },
    { "constant_short_negative", AT("%sminus"), 1 },
    { "long", ANY "%i = OpSConvert %long %x\n" STORE, 1 },
    { "short", ANY "%i = OpSConvert %short %x\n" STORE, 1 },
    { "specialised", AT("%five"), 1 },
    { "specialised_length", "%p = OpAccessChain %pw %rows %c4\nOpStore %p %c9\n", 1 },
    { "specialised_length_first", "%p = OpAccessChain %pw %rows %c0\nOpStore %p %c9\n",
      0 },
    { "mask", ANY "%i = OpBitwiseAnd %uint %x %c15\n" STORE, 0 },
    { "mask_wide", ANY "%i = OpBitwiseAnd %uint %x %c16\n" STORE, 1 },
    { "mask_specialised", ANY "%i = OpBitwiseAnd %uint %x %five\n" STORE, 1 },
    { "modulo", ANY "%i = OpUMod %uint %x %c16\n" STORE, 0 },
    { "modulo_wide", ANY "%i = OpUMod %uint %x %c17\n" STORE, 1 },
    { "modulo_zero", ANY "%i = OpUMod %uint %x %c0\n" STORE, 1 },
    { "modulo_signed", ANY "%i = OpSRem %uint %x %c16\n" STORE, 1 },
    { "shift", ANY "%i = OpShiftRightLogical %uint %x %c28\n" STORE, 0 },
    { "shift_arithmetic", ANY "%i = OpShiftRightArithmetic %uint %x %c28\n" STORE, 1 },
    { "minimum", ANY "%i = OpExtInst %uint %glsl UMin %x %c15\n" STORE, 0 },
    { "minimum_signed", ANY "%i = OpExtInst %uint %glsl SMin %x %c15\n" STORE, 1 },
    { "clamped", ANY "%i = OpExtInst %uint %glsl UClamp %x %c0 %c15\n" STORE, 0 },
    { "clamped_wide", ANY "%i = OpExtInst %uint %glsl UClamp %x %c0 %c16\n" STORE, 1 },
    { "clamped_crossed", ANY "%i = OpExtInst %uint %glsl UClamp %x %far %c15\n" STORE,
      1 },
    { "clamped_signed",
      ANY
      "%y = OpBitcast %int %x\n%i = OpExtInst %int %glsl SClamp %y %i0 %i15\n" STORE,
      0 },
    { "clamped_negative",
      ANY
      "%y = OpBitcast %int %x\n%i = OpExtInst %int %glsl SClamp %y %minus %i15\n" STORE,
      1 },
    { "sum", ANY "%y = OpUMod %uint %x %c9\n%i = OpIAdd %uint %y %c4\n" STORE, 0 },
    { "sum_wide", ANY "%y = OpUMod %uint %x %c16\n%i = OpIAdd %uint %y %c1\n" STORE,
      1 },
    { "sum_wraps", ANY "%i = OpIAdd %uint %x %c1\n" STORE, 1 },
    { "difference", ANY "%y = OpUMod %uint %x %c4\n%i = OpISub %uint %y %c1\n" STORE,
      1 },
    { "bits", ANY "%i = OpBitFieldUExtract %uint %x %c9 %c4\n" STORE, 0 },
    { "select",
      ANY "%t = OpUMod %uint %x %c4\n%b = OpIEqual %bool %x %c1\n"
          "%i = OpSelect %uint %b %t %c15\n" STORE,
      0 },
    { "lane", "%i = OpLoad %uint %lane\n" STORE, 0 },
    { "lane_next", "%y = OpLoad %uint %lane\n%i = OpIAdd %uint %y %c1\n" STORE, 1 },
    { "local", "%y = OpLoad %u3 %local\n%i = OpCompositeExtract %uint %y 0\n" STORE,
      0 },
    { "local_chain", "%y = OpAccessChain %pin %local %c0\n%i = OpLoad %uint %y\n" STORE,
      0 },
    { "group", "%y = OpLoad %u3 %group\n%i = OpCompositeExtract %uint %y 0\n" STORE,
      1 },
    { "kept",
      "%v = OpVariable %pf Function\n" ANY
      "%y = OpUMod %uint %x %c16\nOpStore %v %y\n%i = OpLoad %uint %v\n" STORE,
      0 },
    { "kept_never_stored", "%v = OpVariable %pf Function\n%i = OpLoad %uint %v\n" STORE,
      0 },
    { "kept_then_any",
      "%v = OpVariable %pf Function\n" ANY "%y = OpUMod %uint %x %c16\nOpStore %v %y\n"
      "%i = OpLoad %uint %v\n" STORE "OpStore %v %x\n",
      1 },
    { "counter",
      "%v = OpVariable %pf Function\n"
      "%i = OpLoad %uint %v\n%y = OpIAdd %uint %i %c1\nOpStore %v %y\n" STORE,
      1 },
    { "atomic",
      ANY "%p = OpAccessChain %pw %row %x\n"
          "%y = OpAtomicIAdd %uint %p %c1 %c0 %c9\n",
      1 },
    { "extract",
      ANY "%v = OpLoad %u3 %local\n%y = OpVectorExtractDynamic %uint %v %x\n", 1 },
    { "extract_two",
      ANY "%v = OpLoad %u3 %local\n%i = OpBitwiseAnd %uint %x %c1\n"
          "%y = OpVectorExtractDynamic %uint %v %i\n",
      0 },
    { "insert",
      ANY "%v = OpLoad %u3 %local\n%y = OpVectorInsertDynamic %u3 %v %c1 %x\n", 1 },
    { "clamped_from_any", ANY "%i = OpExtInst %uint %glsl UClamp %x %x %c15\n" STORE,
      1 },
    { "clamped_crossed_small",
      ANY "%i = OpExtInst %uint %glsl UClamp %x %c9 %c4\n" STORE, 1 },
    { "clamped_crossed_signed",
      ANY
      "%y = OpBitcast %int %x\n%i = OpExtInst %int %glsl SClamp %y %i15 %i0\n" STORE,
      1 },
    { "clamped_between",
      ANY "%y = OpUMod %uint %x %c9\n"
          "%i = OpExtInst %uint %glsl UClamp %x %y %c4\n" STORE,
      1 },
    { "clamped_below",
      ANY "%y = OpUMod %uint %x %c9\n"
          "%i = OpExtInst %uint %glsl UClamp %x %c0 %y\n" STORE,
      0 },
    { "bits_to_end", ANY "%i = OpBitFieldUExtract %uint %x %c28 %c4\n" STORE, 0 },
    { "bits_past_end", ANY "%i = OpBitFieldUExtract %uint %x %c28 %c9\n" STORE, 1 },
    { "bits_past_end_small",
      ANY "%y = OpUMod %uint %x %c4\n"
          "%i = OpBitFieldUExtract %uint %y %far %c4\n" STORE,
      1 },
    { "bits_from_any", ANY "%i = OpBitFieldUExtract %uint %x %x %c4\n" STORE, 1 },
    { "shift_past_end",
      ANY "%y = OpUMod %uint %x %c4\n%i = OpShiftRightLogical %uint %y %far\n" STORE,
      1 },
    { "divided_by_any", ANY "%y = OpUMod %uint %x %c4\n%i = OpUDiv %uint %y %x\n" STORE,
      1 },
    { "modulo_any", ANY "%y = OpUMod %uint %c4 %x\n%i = OpIAdd %uint %y %c0\n" STORE,
      1 },
    { "shuffle",
      ANY "%y = OpCompositeConstruct %u2 %c9 %c15\n"
          "%v = OpVectorShuffle %u2 %y %y 3 0\n"
          "%i = OpCompositeExtract %uint %v 0\n" STORE,
      0 },
    { "shuffle_undefined",
      "%y = OpCompositeConstruct %u2 %c9 %c15\n"
      "%v = OpVectorShuffle %u2 %y %y 0xffffffff 0\n"
      "%i = OpCompositeExtract %uint %v 0\n" STORE,
      0 },
    { "shuffle_undefined_any",
      ANY "%y = OpCompositeConstruct %u2 %x %c15\n"
          "%v = OpVectorShuffle %u2 %y %y 1 0xffffffff\n"
          "%i = OpCompositeExtract %uint %v 1\n" STORE,
      1 },
    { "shuffle_specialised", "%i = OpCompositeExtract %uint %turned 0\n" STORE, 1 },
    { "undefined", "%i = OpUndef %uint\n" STORE, 0 },
};

static void test_row(struct gv_spirv_checker *checker, size_t i)
{
    static char text[8192];
    struct gv_error err = GV_ERROR_INIT;
    spv_binary binary = NULL;
    const char *boolean = strstr(rows[i].body, "%bool") ? "%bool = OpTypeBool\n" : "";
    static const char head[] = PROLOGUE;
    const char *start = strstr(head, "%uint = OpTypeInt");
    snprintf(text, sizeof text, "%.*s%s%s%s" END, (int)(start - head), head, boolean,
             start, rows[i].body);
    CHECK_ROW(rows[i].name, gv_test_assemble(text, strlen(text), &binary));
    if (!binary)
        return;
    const struct gv_spirv_checked *checked =
        gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err);
    CHECK_ROW(rows[i].name, checked != NULL);
    if (checked) {
        const struct counts before = count(binary->code, binary->wordCount);
        const struct counts after = count(checked->safe.words, checked->safe.count);
        CHECK_ROW(rows[i].name, valid(rows[i].name, &checked->safe));
        CHECK_ROW(rows[i].name, after.clamps - before.clamps == rows[i].clamps);
        CHECK_ROW(rows[i].name, after.undefined == 0 && after.bare_variables == 0);
        CHECK_ROW(rows[i].name, !after.open_shuffle);
    } else {
        fprintf(stderr, "  said: %s\n", err.message);
    }
    spvBinaryDestroy(binary);
}

// ---- rules of other stages ----

// What `text` becomes; NULL where it is refused.
static const struct gv_spirv_checked *check_text(struct gv_spirv_checker *checker,
                                                 const char *name, const char *text)
{
    struct gv_error err = GV_ERROR_INIT;
    spv_binary binary = NULL;
    CHECK_ROW(name, gv_test_assemble(text, strlen(text), &binary));
    if (!binary)
        return NULL;
    const struct gv_spirv_checked *checked =
        gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err);
    CHECK_ROW(name, checked != NULL);
    if (!checked)
        fprintf(stderr, "  said: %s\n", err.message);
    else
        CHECK_ROW(name, valid(name, &checked->safe));
    spvBinaryDestroy(binary);
    return checked;
}

#define FRAGMENT(index)                                                         \
    "OpCapability Shader\nOpCapability InterpolationFunction\n"                 \
    "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n" \
    "OpEntryPoint Fragment %main \"main\" %in %which %out\n"                    \
    "OpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n"        \
    "OpDecorate %which Location 1\nOpDecorate %which Flat\n"                    \
    "OpDecorate %out Location 0\n%void = OpTypeVoid\n"                          \
    "%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n"                     \
    "%int = OpTypeInt 32 1\n%zero = OpConstant %int 0\n"                        \
    "%pin = OpTypePointer Input %float\n%pint = OpTypePointer Input %int\n"     \
    "%pout = OpTypePointer Output %float\n%in = OpVariable %pin Input\n"        \
    "%which = OpVariable %pint Input\n%out = OpVariable %pout Output\n"         \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"                     \
    "%x = OpLoad %int %which\n"                                                 \
    "%v = OpExtInst %float %glsl InterpolateAtSample %in " index "\n"           \
    "OpStore %out %v\nOpReturn\nOpFunctionEnd\n"

// The sample stays below those of the attachments, which the pipeline tells.
static void test_samples(struct gv_spirv_checker *checker)
{
    const struct gv_spirv_checked *any = check_text(checker, "sample", FRAGMENT("%x"));
    const struct gv_spirv_checked *first =
        check_text(checker, "first_sample", FRAGMENT("%zero"));
    if (!any || !first)
        return;
    CHECK(count(any->safe.words, any->safe.count).clamps == 1);
    CHECK(any->safe.samples_spec != GV_SPIRV_UNSET);
    CHECK(count(first->safe.words, first->safe.count).clamps == 0);
}

#define VERTEX(body)                                                        \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"                  \
    "OpEntryPoint Vertex %main \"main\" %out\nOpDecorate %out Location 0\n" \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"                      \
    "%float = OpTypeFloat 32\n%one = OpConstant %float 1\n"                 \
    "%pout = OpTypePointer Output %float\n%out = OpVariable %pout Output\n" \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n" body            \
    "OpReturn\nOpFunctionEnd\n"

static bool output_begins_null(const struct gv_spirv_checked *checked)
{
    const uint32_t *words = checked->safe.words;
    for (size_t at = 5; at < checked->safe.count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == SpvOpVariable &&
            words[at + 3] == SpvStorageClassOutput)
            return words[at] >> 16 == 5;
    return false;
}

// An output that is read begins as zeros; one that is only written costs nothing.
static void test_outputs(struct gv_spirv_checker *checker)
{
    const struct gv_spirv_checked *read =
        check_text(checker, "output_read",
                   VERTEX("%x = OpLoad %float %out\n%y = OpFAdd %float %x %one\n"
                          "OpStore %out %y\n"));
    const struct gv_spirv_checked *written =
        check_text(checker, "output_written", VERTEX("OpStore %out %one\n"));
    CHECK(read && output_begins_null(read));
    CHECK(written && !output_begins_null(written));
}

int main(int argc, char **argv)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_spirv_checker *checker = gv_spirv_checker_create(&limits, true, &err);
    CHECK(checker != NULL);
    if (!checker)
        return TEST_RESULT();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(checker, i);
    test_samples(checker);
    test_outputs(checker);
    for (int i = 1; i < argc; i++)
        test_folder(checker, argv[i]);
    CHECK(argc < 2 || seen > 0);
    gv_spirv_checker_destroy(checker);
    return TEST_RESULT();
}
