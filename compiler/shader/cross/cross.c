#include "compiler/shader/cross/cross.h"

#include "compiler/shader/cross/cross_text.h"
#include "compiler/shader/spirv/spirv_parse.h"
#include "compiler/shader/spirv/spirv_types.h"
#include "resources/base/bytes.h"
#include "vm/spirv/spirv_gate.h"
#include "vm/spirv/spirv_needs.h"

#include <spirv_cross/spirv_cross_c.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 64 // of types in types: the gate's own

struct cross {
    const struct gv_cross_params *params;
    struct gv_arena *arena;
    struct gv_error *err;
    struct gv_spirv_types types;
    bool *named; // [bound]: structures that have their name
    spvc_context context;
    spvc_compiler compiler;
};

// ---- the module ----

static SpvExecutionModel model_of(uint32_t stage)
{
    static const struct {
        uint32_t stage;
        SpvExecutionModel model;
    } rows[] = {
        { GV_STAGE_VERTEX, SpvExecutionModelVertex },
        { GV_STAGE_TESSELLATION_CONTROL, SpvExecutionModelTessellationControl },
        { GV_STAGE_TESSELLATION_EVALUATION, SpvExecutionModelTessellationEvaluation },
        { GV_STAGE_GEOMETRY, SpvExecutionModelGeometry },
        { GV_STAGE_FRAGMENT, SpvExecutionModelFragment },
        { GV_STAGE_COMPUTE, SpvExecutionModelGLCompute },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].stage == stage)
            return rows[i].model;
    return SpvExecutionModelMax;
}

static bool holds_image(const struct gv_spirv_types *t, uint32_t id, unsigned depth)
{
    const uint32_t *w = gv_spirv_type(t, id);
    switch (gv_spirv_op(w)) {
    case SpvOpTypeImage:
    case SpvOpTypeSampledImage:
    case SpvOpTypeSampler:
        return true;
    case SpvOpTypeArray:
        return depth && holds_image(t, w[2], depth - 1);
    case SpvOpTypeStruct:
        for (uint32_t i = 2; depth && i < gv_spirv_length(w); i++)
            if (holds_image(t, w[i], depth - 1))
                return true;
        return false;
    default:
        return false;
    }
}

// Whether OpenGL takes the module. It takes plain uniforms of bool, as glslang makes
// them, and the validator does not: then it sees variables of the stage's own instead.
static bool validate(const struct cross *c)
{
    const struct gv_spirv_types *t = &c->types;
    if (gv_spirv_validate_opengl(c->params->words, c->params->count, NULL))
        return true;
    uint32_t *words =
        gv_arena_copy(c->arena, c->params->words, c->params->count * sizeof *words);
    if (!words)
        return gv_out_of_memory(c->err);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&words[at])) {
        uint32_t *w = &words[at];
        const bool pointer =
            gv_spirv_op(w) == SpvOpTypePointer && gv_spirv_length(w) == 4;
        const bool variable = gv_spirv_op(w) == SpvOpVariable && gv_spirv_length(w) > 3;
        if ((!pointer && !variable) ||
            w[pointer ? 2 : 3] != SpvStorageClassUniformConstant)
            continue;
        const uint32_t *type = gv_spirv_type(t, variable ? w[1] : 0);
        const uint32_t pointee = pointer                                 ? w[3]
                                 : gv_spirv_op(type) == SpvOpTypePointer ? type[3]
                                                                         : 0;
        if (!holds_image(t, pointee, MAX_DEPTH))
            w[pointer ? 2 : 3] = SpvStorageClassPrivate;
    }
    return gv_spirv_validate_opengl(words, c->params->count, c->err);
}

// Whether the stage begins at the entry that was named.
static bool find_entry(const struct cross *c)
{
    const struct gv_spirv_types *t = &c->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        if (gv_spirv_op(w) == SpvOpEntryPoint &&
            w[1] == (uint32_t)model_of(c->params->stage) &&
            !strcmp((const char *)(w + 3), c->params->entry))
            return true;
    }
    return gv_fail(c->err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "spir-v: the stage has no such entry point");
}

// ---- constants ----

static bool is_constant(uint32_t op)
{
    return op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue ||
           op == SpvOpSpecConstantFalse;
}

// The value that a constant is given; NULL: it keeps its own.
static const uint32_t *given(const struct cross *c, const uint32_t *w)
{
    const struct gv_cross_params *p = c->params;
    const uint32_t number = gv_spirv_mark(&c->types, w[2], SpvDecorationSpecId);
    for (size_t i = p->constant_count; number != GV_SPIRV_UNSET && i-- > 0;)
        if (p->constants[i] == number)
            return &p->values[i];
    return NULL;
}

static bool check_constants(const struct cross *c)
{
    const struct gv_cross_params *p = c->params;
    const struct gv_spirv_types *t = &c->types;
    for (size_t i = 0; i < p->constant_count; i++) {
        bool there = false;
        for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions && !there;
             at += gv_spirv_length(&t->words[at]))
            there = is_constant(gv_spirv_op(&t->words[at])) &&
                    gv_spirv_mark(t, t->words[at + 2], SpvDecorationSpecId) ==
                        p->constants[i];
        if (!there)
            return gv_fail(c->err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "spir-v: no specialization constant %u", p->constants[i]);
    }
    return true;
}

// A constant as one that nobody specialises any more, with the value that it is given.
static void put_constant(struct gv_bytes *to, const uint32_t *w, const uint32_t *value)
{
    const uint32_t op = gv_spirv_op(w);
    const bool truth = value ? *value != 0 : op == SpvOpSpecConstantTrue;
    if (op != SpvOpSpecConstant) {
        GV_SPIRV_PUT(to, truth ? SpvOpConstantTrue : SpvOpConstantFalse, w[1], w[2]);
        return;
    }
    const uint32_t first[] = { (w[0] & 0xffff0000u) | SpvOpConstant, w[1], w[2],
                               value ? *value : w[3] };
    gv_spirv_put(to, first, 4);
    gv_spirv_put(to, w + 4, gv_spirv_length(w) - 4); // 64 bits: the higher half
}

// ---- parsing ----

static bool is_left_out(const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w);
    return op == SpvOpName || op == SpvOpMemberName ||
           (op == SpvOpDecorate && w[2] == SpvDecorationSpecId);
}

// The module with its constants and without its names, which may be anything.
static bool parse(struct cross *c)
{
    const struct gv_cross_params *p = c->params;
    struct gv_bytes words = { 0 };
    gv_spirv_put(&words, p->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < p->count;
         at += gv_spirv_length(&p->words[at])) {
        const uint32_t *w = &p->words[at];
        if (is_constant(gv_spirv_op(w)))
            put_constant(&words, w, given(c, w));
        else if (!is_left_out(w))
            gv_spirv_put(&words, w, gv_spirv_length(w));
    }
    spvc_parsed_ir ir = NULL;
    bool ok =
        !words.failed &&
        spvc_context_parse_spirv(c->context, (const SpvId *)(const void *)words.data,
                                 words.size / 4, &ir) == SPVC_SUCCESS &&
        spvc_context_create_compiler(c->context, SPVC_BACKEND_GLSL, ir,
                                     SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                     &c->compiler) == SPVC_SUCCESS;
    gv_bytes_finish(&words);
    return ok;
}

// ---- names by places ----

static const uint32_t *open_arrays(const struct cross *c, uint32_t type)
{
    const uint32_t *w = gv_spirv_type(&c->types, type);
    while (gv_spirv_op(w) == SpvOpTypeArray || gv_spirv_op(w) == SpvOpTypeRuntimeArray)
        w = gv_spirv_type(&c->types, w[2]);
    return w;
}

// A structure and those in it: `prefix`, and members by number.
static void name_structure(struct cross *c, uint32_t id, const char *prefix,
                           uint32_t *count)
{
    const uint32_t *w = open_arrays(c, id);
    char name[CROSS_NAME_BYTES];
    if (gv_spirv_op(w) != SpvOpTypeStruct || c->named[w[1]])
        return;
    c->named[w[1]] = true;
    snprintf(name, sizeof name, *count ? "%s_%u" : "%s", prefix, *count);
    ++*count;
    spvc_compiler_set_name(c->compiler, w[1], name);
    for (uint32_t i = 2; i < gv_spirv_length(w); i++) {
        snprintf(name, sizeof name, "member_%u", i - 2);
        spvc_compiler_set_member_name(c->compiler, w[1], i - 2, name);
        name_structure(c, w[i], prefix, count);
    }
}

// What the variable of a type is, arrays opened.
static const uint32_t *element_of(const struct cross *c, uint32_t pointer)
{
    const uint32_t *w = gv_spirv_type(&c->types, pointer);
    return gv_spirv_op(w) == SpvOpTypePointer ? open_arrays(c, w[3]) : w;
}

// A block has its type's name, of its binding. False: the variable is none.
static bool block_name(const struct cross *c, const uint32_t *variable,
                       char name[CROSS_NAME_BYTES])
{
    const struct gv_spirv_types *t = &c->types;
    const uint32_t *type = element_of(c, variable[1]);
    const uint32_t binding = gv_spirv_mark(t, variable[2], SpvDecorationBinding);
    const bool buffer = variable[3] == SpvStorageClassStorageBuffer;
    if ((variable[3] != SpvStorageClassUniform && !buffer) ||
        gv_spirv_op(type) != SpvOpTypeStruct)
        return false;
    const bool storage =
        buffer || gv_spirv_mark(t, type[1], SpvDecorationBufferBlock) != GV_SPIRV_UNSET;
    snprintf(name, CROSS_NAME_BYTES, storage ? "storage_%u" : "block_%u",
             binding == GV_SPIRV_UNSET ? 0 : binding);
    return true;
}

static void name_variable(struct cross *c, const uint32_t *variable)
{
    const struct gv_spirv_types *t = &c->types;
    const uint32_t *type = element_of(c, variable[1]);
    const uint32_t id = variable[2];
    const uint32_t location = gv_spirv_mark(t, id, SpvDecorationLocation);
    const uint32_t binding = gv_spirv_mark(t, id, SpvDecorationBinding);
    const uint32_t offset = gv_spirv_mark(t, id, SpvDecorationOffset);
    char name[CROSS_NAME_BYTES] = "";
    uint32_t count = 1;
    if (variable[3] == SpvStorageClassAtomicCounter)
        snprintf(name, sizeof name, "counter_%u_%u", binding, offset);
    else if (location != GV_SPIRV_UNSET)
        snprintf(name, sizeof name, "uniform_%u", location);
    else if (binding != GV_SPIRV_UNSET)
        snprintf(name, sizeof name,
                 gv_spirv_op(type) == SpvOpTypeImage ? "image_%u" : "sampler_%u",
                 binding);
    if (!*name)
        return;
    spvc_compiler_set_name(c->compiler, id, name);
    if (gv_spirv_op(type) == SpvOpTypeStruct)
        name_structure(c, type[1], name, &count);
    // glslang gives every uniform one, which GLSL takes of textures and blocks alone.
    if (gv_spirv_op(type) != SpvOpTypeImage &&
        gv_spirv_op(type) != SpvOpTypeSampledImage &&
        variable[3] != SpvStorageClassAtomicCounter)
        spvc_compiler_unset_decoration(c->compiler, id, SpvDecorationBinding);
}

static bool name_places(struct cross *c)
{
    const struct gv_spirv_types *t = &c->types;
    c->named = gv_arena_array(c->arena, t->bound, sizeof *c->named);
    if (!c->named)
        return gv_out_of_memory(c->err);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        char name[CROSS_NAME_BYTES];
        uint32_t count = 0;
        if (gv_spirv_op(w) != SpvOpVariable)
            continue;
        if (block_name(c, w, name))
            name_structure(c, element_of(c, w[1])[1], name, &count);
        else if (w[3] == SpvStorageClassUniformConstant ||
                 w[3] == SpvStorageClassAtomicCounter)
            name_variable(c, w);
    }
    return true;
}

// ---- what SPIRV-Cross does not look at ----

// Bytes from column to column, of a row-major matrix from row to row.
static uint32_t stride_of(const struct cross *c, const uint32_t *matrix, bool row_major,
                          bool std140)
{
    const uint32_t *column = gv_spirv_type(&c->types, matrix[2]);
    const uint32_t bytes = gv_spirv_type(&c->types, column[2])[2] / 8;
    const uint32_t rows = row_major ? matrix[3] : column[3];
    const uint32_t stride = bytes * (rows == 3 ? 4 : rows);
    return std140 && stride < 16 ? 16 : stride;
}

// Whether matrices of a structure, those in its members too, are as its block's layout
// has them.
static bool strides_fit(struct cross *c, uint32_t id, bool std140)
{
    uint32_t count;
    const struct gv_spirv_field *fields = gv_spirv_fields(&c->types, id, &count);
    for (uint32_t i = 0; fields && i < count; i++) {
        const uint32_t *w = open_arrays(c, fields[i].type);
        if (gv_spirv_op(w) == SpvOpTypeStruct && !strides_fit(c, w[1], std140))
            return false;
        if (gv_spirv_op(w) == SpvOpTypeMatrix &&
            fields[i].matrix_stride != stride_of(c, w, fields[i].row_major, std140))
            return false;
    }
    return fields || gv_out_of_memory(c->err);
}

static bool check_strides(struct cross *c, const char *text)
{
    const struct gv_spirv_types *t = &c->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        char name[CROSS_NAME_BYTES];
        if (gv_spirv_op(w) == SpvOpVariable && block_name(c, w, name) &&
            !strides_fit(c, element_of(c, w[1])[1], cross_is_std140(text, name)))
            return c->err->status == GV_OK &&
                   gv_fail(c->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: spir-v: a matrix whose columns are apart "
                           "otherwise than GLSL has them");
    }
    return true;
}

// ---- text ----

static bool set_options(struct cross *c)
{
    static const struct {
        spvc_compiler_option option;
        unsigned value;
    } rows[] = {
        { SPVC_COMPILER_OPTION_GLSL_VERSION, 460 },
        { SPVC_COMPILER_OPTION_GLSL_ES, 0 },
        { SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS, 0 },
    };
    spvc_compiler_options options = NULL;
    if (spvc_compiler_create_compiler_options(c->compiler, &options) != SPVC_SUCCESS)
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (spvc_compiler_options_set_uint(options, rows[i].option, rows[i].value) !=
            SPVC_SUCCESS)
            return false;
    return spvc_compiler_install_compiler_options(c->compiler, options) ==
               SPVC_SUCCESS &&
           spvc_compiler_set_entry_point(c->compiler, c->params->entry,
                                         model_of(c->params->stage)) == SPVC_SUCCESS;
}

static bool compile(struct cross *c, const char **text)
{
    return parse(c) && set_options(c) && name_places(c) &&
           spvc_compiler_add_header_line(c->compiler, CROSS_DECREMENT) ==
               SPVC_SUCCESS &&
           spvc_compiler_compile(c->compiler, text) == SPVC_SUCCESS;
}

static bool write_text(struct cross *c, const char **out)
{
    const char *text = NULL;
    struct gv_bytes bytes = { 0 };
    bool ok = compile(c, &text) && check_strides(c, text);
    if (ok)
        cross_write(&bytes, text);
    if (ok && bytes.size > GV_CROSS_MAX_TEXT_BYTES)
        ok = gv_fail(c->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                     "spir-v of over %u bytes as glsl", GV_CROSS_MAX_TEXT_BYTES);
    if (ok && !bytes.failed)
        *out = gv_arena_copy(c->arena, bytes.data, bytes.size);
    gv_bytes_finish(&bytes);
    return ok && (*out || gv_out_of_memory(c->err));
}

bool gv_cross_glsl(const struct gv_cross_params *params, struct gv_arena *arena,
                   const char **out, struct gv_error *err)
{
    struct gv_error own = GV_ERROR_INIT;
    struct cross c = { .params = params, .arena = arena, .err = &own };
    *out = NULL;
    bool ok =
        gv_spirv_gate(params->words, params->count, &own) &&
        gv_spirv_types_read(params->words, params->count, arena, &c.types, &own) &&
        validate(&c) && find_entry(&c) && check_constants(&c);
    if (ok && spvc_context_create(&c.context) != SPVC_SUCCESS)
        ok = gv_out_of_memory(&own);
    ok = ok && write_text(&c, out);
    if (!ok && own.status == GV_OK) {
        const char *why = spvc_context_get_last_error_string(c.context);
        gv_fail(&own, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: spir-v: %.*s",
                (int)strcspn(why, "\n"), why);
    }
    if (c.context)
        spvc_context_destroy(c.context);
    return ok || gv_fail(err, own.status, own.offset, "%s", own.message);
}
