// Vertex shaders rewritten to make corners of points and lines: what comes out passes
// the gate again and keeps its interface, of every vertex shader in the folders named
// too.
#include "resources/base/file.h"
#include "runtime/spirv/spirv_check.h"
#include "runtime/spirv/spirv_quads.h"
#include "tests/helpers.h"
#include "tests/runtime/spirv_fixture.h"
#include "tests/test.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound test_max_id_bound
#include <dirent.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

static const struct gv_spirv_limits limits =
    SPIRV_LIMITS(.max_vertex_inputs = 32, .has = spirv_has_all);

static unsigned seen, smoothed;

// ---- one module ----

enum kind { POINTS = 1, LINES, SMOOTH_LINES };
#define SMOOTH_ENDS 30 // locations
#define SMOOTH_WIDTH 31

static struct gv_spirv_quads quads_of(const struct gv_spirv_module *m, enum kind kind)
{
    const uint32_t ends = kind == POINTS ? 1 : 2;
    struct gv_spirv_quads q = { .ends = ends,
                                .point_coord = GV_SPIRV_UNSET,
                                .smooth_ends =
                                    kind == SMOOTH_LINES ? SMOOTH_ENDS : GV_SPIRV_UNSET,
                                .smooth_width = SMOOTH_WIDTH };
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++)
        q.second = m->inputs.slots[i].mask ? i + 1 : q.second;
    for (uint32_t i = 0; i < GV_QUAD_INPUTS; i++)
        q.record[i] = ends * q.second + i;
    q.point_coord = ends == 1 ? 31 : GV_SPIRV_UNSET;
    return q;
}

static void check_interface(const char *name, const struct gv_spirv_module *before,
                            const struct gv_spirv_module *after,
                            const struct gv_spirv_quads *q)
{
    CHECK_ROW(name, !after->writes_point_size);
    CHECK_ROW(name, after->inputs.slots[q->record[0]].mask == 15 &&
                        after->inputs.slots[q->record[1]].numeric == GV_SPIRV_SINT);
    if (gv_spirv_quads_smooth(q))
        CHECK_ROW(name, after->outputs.slots[SMOOTH_ENDS].mask == 15 &&
                            after->outputs.slots[SMOOTH_WIDTH].mask == 3);
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++) {
        const struct gv_spirv_slot *in = &before->inputs.slots[i];
        uint8_t again = in->mask && q->ends == 2
                            ? after->inputs.slots[i + q->second].mask
                            : in->mask;
        CHECK_ROW(name, !in->mask || after->inputs.slots[i].mask == in->mask);
        CHECK_ROW(name, again == in->mask);
        if (i != q->point_coord && !(gv_spirv_quads_smooth(q) && i >= SMOOTH_ENDS))
            CHECK_ROW(name, memcmp(&before->outputs.slots[i], &after->outputs.slots[i],
                                   sizeof(struct gv_spirv_slot)) == 0);
    }
}

// Rewrites what has passed; `refusal`: it must be refused with these words.
static void test_module(struct gv_spirv_checker *checker, const char *name,
                        const struct gv_spirv_checked *checked, enum kind kind,
                        const char *refusal)
{
    const struct gv_spirv_quads q = quads_of(&checked->module, kind);
    struct gv_error err = GV_ERROR_INIT;
    uint32_t *words = NULL;
    size_t count = 0;
    if (q.record[GV_QUAD_INPUTS - 1] >= GV_MAX_LOCATIONS)
        return;
    bool ok =
        gv_spirv_quad_vertex(checked->words, checked->count, &q, &words, &count, &err);
    const struct gv_spirv_checked *after =
        ok ? gv_spirv_check(checker, words, count * 4, &err) : NULL;
    if (refusal) {
        CHECK_ROW(name, !ok && err.status == GV_ERR_UNSUPPORTED);
        CHECK_ROW(name, strstr(err.message, refusal));
    } else if (after) {
        check_interface(name, &checked->module, &after->module, &q);
        seen++;
    }
    if (!refusal)
        CHECK_ROW(name, after);
    if (!after && !refusal)
        fprintf(stderr, "  said: %s\n", err.message);
    free(words);
}

// ---- damaged modules ----

#define DAMAGES 60 // of each shader

static unsigned damaged;

static const struct gv_spirv_quads smooth = { .ends = 2,
                                              .point_coord = GV_SPIRV_UNSET,
                                              .smooth_ends = SMOOTH_ENDS,
                                              .smooth_width = SMOOTH_WIDTH };

static void damage_smooth(struct gv_spirv_checker *checker,
                          const struct gv_spirv_checked *checked)
{
    struct gv_spirv_sprite reads;
    struct gv_error err = GV_ERROR_INIT;
    uint32_t *made;
    size_t count;
    if (!checked || checked->module.stage != GV_STAGE_FRAGMENT ||
        !gv_spirv_sprite(checked->words, checked->count, &reads, &err) ||
        !reads.alpha ||
        !gv_spirv_smooth_fragment(checked->words, checked->count, &smooth, &made,
                                  &count, &err))
        return;
    gv_spirv_check(checker, made, count * 4, &err);
    free(made);
}

// What passes the gate is rewritten, or refused, whatever its interface looks like.
static void test_damaged(struct gv_spirv_checker *checker, const uint32_t *words,
                         size_t count)
{
    uint32_t state = (uint32_t)count;
    uint32_t *copy = malloc(count * sizeof *copy);
    for (int n = 0; copy && n < DAMAGES; n++) {
        struct gv_error err = GV_ERROR_INIT;
        memcpy(copy, words, count * sizeof *copy);
        for (int i = 0; i <= n % 3; i++)
            copy[5 + gv_test_random(&state) % (count - 5)] ^=
                1u << gv_test_random(&state) % 7;
        const struct gv_spirv_checked *checked =
            gv_spirv_check(checker, copy, count * 4, &err);
        for (enum kind kind = POINTS; checked && kind <= SMOOTH_LINES; kind++) {
            const struct gv_spirv_quads q = quads_of(&checked->module, kind);
            uint32_t *made;
            size_t made_count;
            if (!gv_spirv_quad_vertex(copy, count, &q, &made, &made_count, &err))
                continue;
            gv_spirv_check(checker, made, made_count * 4, &err);
            free(made);
        }
        damage_smooth(checker, checked);
        damaged += checked != NULL;
    }
    CHECK(copy);
    free(copy);
}

// ---- shaders of ours ----

// Of a point, everything a fragment shader reads is flat, but PointCoord.
static void test_fragment(struct gv_spirv_checker *checker, const char *path,
                          const struct gv_spirv_checked *checked)
{
    const struct gv_spirv_quads q = { .ends = 1, .point_coord = 31 };
    struct gv_spirv_sprite reads = { 0 }, after = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    uint32_t *words = NULL;
    size_t count = 0;
    CHECK_ROW(path, gv_spirv_sprite(checked->words, checked->count, &reads, &err) &&
                        gv_spirv_quad_fragment(checked->words, checked->count, &q,
                                               &words, &count, &err) &&
                        gv_spirv_check(checker, words, count * 4, &err) &&
                        gv_spirv_sprite(words, count, &after, &err));
    if (err.status != GV_OK)
        fprintf(stderr, "  said: %s\n", err.message);
    CHECK_ROW(path, !after.point_coord && !(after.flat >> 31));
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++)
        CHECK_ROW(path, !checked->module.inputs.slots[i].mask || (after.flat >> i & 1));
    seen += reads.point_coord;
    free(words);
}

// Of a smooth line it reads two inputs more, and writes what it wrote.
static void test_smooth(struct gv_spirv_checker *checker, const char *path,
                        const struct gv_spirv_checked *checked)
{
    struct gv_spirv_sprite reads = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    uint32_t *words = NULL;
    size_t count = 0;
    CHECK_ROW(path, gv_spirv_sprite(checked->words, checked->count, &reads, &err));
    if (!reads.alpha)
        return;
    CHECK_ROW(path, gv_spirv_smooth_fragment(checked->words, checked->count, &smooth,
                                             &words, &count, &err));
    const struct gv_spirv_checked *after =
        words ? gv_spirv_check(checker, words, count * 4, &err) : NULL;
    CHECK_ROW(path, after && after->module.inputs.slots[SMOOTH_ENDS].mask == 15 &&
                        after->module.inputs.slots[SMOOTH_WIDTH].mask == 3 &&
                        after->module.outputs.slots[0].mask == 15);
    if (err.status != GV_OK)
        fprintf(stderr, "  said: %s\n", err.message);
    smoothed++;
    free(words);
}

static void test_file(struct gv_spirv_checker *checker, const char *path)
{
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    CHECK_ROW(path, gv_file_open(&file, path, &err));
    if (err.status != GV_OK)
        return;
    const struct gv_spirv_checked *checked =
        gv_spirv_check(checker, file.data, file.size, &err);
    CHECK_ROW(path, checked);
    bool vertex = checked && checked->module.stage == GV_STAGE_VERTEX;
    if (checked && !vertex) {
        test_fragment(checker, path, checked);
        test_smooth(checker, path, checked);
    }
    for (enum kind kind = POINTS; vertex && kind <= SMOOTH_LINES; kind++)
        if (kind != POINTS || checked->module.writes_point_size)
            test_module(checker, path, checked, kind, NULL);
    if (checked)
        test_damaged(checker, checked->words, checked->count);
    gv_file_close(&file);
}

static void test_folder(struct gv_spirv_checker *checker, const char *folder)
{
    DIR *list = opendir(folder);
    struct dirent *entry;
    CHECK_ROW(folder, list);
    while (list && (entry = readdir(list))) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".vert.spv") || strstr(entry->d_name, ".frag.spv"))
            test_file(checker, path);
    }
    if (list)
        closedir(list);
}

// ---- forms that our compilers do not write ----

#define POINTERS                                                                \
    "%int = OpTypeInt 32 1\n%i0 = OpConstant %int 0\n%i1 = OpConstant %int 1\n" \
    "%one = OpConstant %float 1\n%po = OpTypePointer Output %float\n"           \
    "%po4 = OpTypePointer Output %v4\n%pi4 = OpTypePointer Input %v4\n"         \
    "%piu = OpTypePointer Input %uint\n%pp4 = OpTypePointer Private %v4\n"      \
    "%zero4 = OpConstantComposite %v4 %one %one %one %one\n"
#define ENTRY(variables) "OpEntryPoint Vertex %main \"main\" " variables "\n"
#define SEPARATE "OpDecorate %at BuiltIn Position\nOpDecorate %size BuiltIn PointSize\n"
#define BLOCK                                                           \
    "OpDecorate %per Block\nOpMemberDecorate %per 0 BuiltIn Position\n" \
    "OpMemberDecorate %per 1 BuiltIn PointSize\n"
#define BLOCK_TYPE                                                        \
    "%per = OpTypeStruct %v4 %float\n%pper = OpTypePointer Output %per\n" \
    "%all = OpVariable %pper Output\n"
#define VARIABLES "%at = OpVariable %po4 Output\n%size = OpVariable %po Output\n"
#define BEGIN "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
#define END "OpReturn\nOpFunctionEnd\n"

static const struct {
    const char *name, *text, *refusal; // NULL: it is rewritten
} rows[] = {
    { "separate",
      HEAD("") ENTRY("%at %size") SEPARATE TYPES POINTERS VARIABLES BEGIN
      "OpStore %at %zero4\nOpStore %size %one\n" END,
      NULL },
    { "whole_block",
      HEAD("") ENTRY("%all") BLOCK TYPES POINTERS BLOCK_TYPE
      "%value = OpConstantComposite %per %zero4 %one\n" BEGIN
      "%p = OpAccessChain %po %all %i1\nOpStore %p %one\nOpStore %all %value\n" END,
      NULL },
    { "begins_with", // outputs and private variables, and numbers as unsigned ones
      HEAD("") ENTRY("%at %size %kept %number") SEPARATE
      "OpDecorate %number BuiltIn VertexIndex\n" TYPES POINTERS
      "%at = OpVariable %po4 Output %zero4\n%size = OpVariable %po Output %one\n"
      "%kept = OpVariable %pp4 Private %zero4\n"
      "%number = OpVariable %piu Input\n" BEGIN
      "%n = OpLoad %uint %number\n%f = OpConvertUToF %float %n\nOpStore %size %f\n"
      "%k = OpLoad %v4 %kept\nOpStore %at %k\nOpStore %kept %k\n" END,
      NULL },
    { "no_position",
      HEAD("") ENTRY("%size") "OpDecorate %size BuiltIn PointSize\n" TYPES POINTERS
                              "%size = OpVariable %po Output\n" BEGIN
                              "OpStore %size %one\n" END,
      "no Position" },
    { "array_of_blocks",
      HEAD("") ENTRY("%at %size %many") SEPARATE
      "OpDecorate %many Location 0\nOpDecorate %part Block\n" TYPES POINTERS VARIABLES
      "%part = OpTypeStruct %v4\n%parts = OpTypeArray %part %c2\n"
      "%pparts = OpTypePointer Output %parts\n%many = OpVariable %pparts Output\n" BEGIN
      "OpStore %at %zero4\nOpStore %size %one\n" END,
      "an array of blocks" },
    { "block_at_a_location",
      HEAD("") ENTRY("%at %size %part") SEPARATE
      "OpDecorate %part Location 0\nOpDecorate %type Block\n" TYPES POINTERS VARIABLES
      "%type = OpTypeStruct %v4\n%ptype = OpTypePointer Output %type\n"
      "%part = OpVariable %ptype Output\n" BEGIN
      "OpStore %at %zero4\nOpStore %size %one\n" END,
      "a block at one location" },
};

static void test_row(struct gv_spirv_checker *checker, size_t i)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    spv_diagnostic diagnostic = NULL;
    spv_binary binary = NULL;
    struct gv_error err = GV_ERROR_INIT;
    spvTextToBinary(context, rows[i].text, strlen(rows[i].text), &binary, &diagnostic);
    if (diagnostic)
        fprintf(stderr, "[%s] %s\n", rows[i].name, diagnostic->error);
    CHECK_ROW(rows[i].name, binary);
    const struct gv_spirv_checked *checked =
        binary ? gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err)
               : NULL;
    CHECK_ROW(rows[i].name, checked);
    if (binary && !checked)
        fprintf(stderr, "[%s] %s\n", rows[i].name, err.message);
    for (enum kind kind = POINTS; checked && kind <= SMOOTH_LINES; kind++)
        test_module(checker, rows[i].name, checked, kind, rows[i].refusal);
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
}

// A quad has no number of its own.
static void test_primitive(void)
{
    static const uint32_t words[] = {
        SpvMagicNumber,
        0x10000,
        0,
        9,
        0,
        4u << 16 | SpvOpDecorate,
        3,
        SpvDecorationBuiltIn,
        SpvBuiltInPrimitiveId,
        4u << 16 | SpvOpTypeInt,
        1,
        32,
        1,
        4u << 16 | SpvOpTypePointer,
        2,
        SpvStorageClassInput,
        1,
        4u << 16 | SpvOpVariable,
        2,
        3,
        SpvStorageClassInput,
    };
    struct gv_spirv_sprite reads;
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_spirv_sprite(words, sizeof words / 4, &reads, &err));
    CHECK(reads.primitive && !reads.point_coord && !reads.numbers && !reads.flat);
}

int main(int argc, char **argv)
{
    test_primitive();
    struct gv_error err = GV_ERROR_INIT;
    struct gv_spirv_checker *checker = gv_spirv_checker_create(&limits, true, &err);
    CHECK(checker);
    for (size_t i = 0; checker && i < sizeof rows / sizeof rows[0]; i++)
        test_row(checker, i);
    for (int i = 1; checker && i < argc; i++)
        test_folder(checker, argv[i]);
    gv_spirv_checker_destroy(checker);
    printf("%u modules rewritten, %u damaged ones passed\n", seen, damaged);
    CHECK(argc < 2 || (seen > 20 && damaged > 50 && smoothed > 5));
    return TEST_RESULT();
}
