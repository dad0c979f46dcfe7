#include "runtime/spirv/spirv_quads_private.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const char *what, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: points or lines of other sizes, by a shader with %s",
                   what);
}

// ---- inputs and outputs ----

static bool is_block(const struct gv_spirv_ids *ids, uint32_t type)
{
    const uint32_t *w = gv_spirv_def(ids, type);
    if (gv_spirv_op(w) != SpvOpTypeStruct)
        return false;
    const struct gv_spirv_marks *first = gv_spirv_member_marks(ids, type, 0);
    return gv_spirv_marks_of(ids, type)->block || first->builtin != GV_SPIRV_UNSET ||
           first->location != GV_SPIRV_UNSET;
}

static bool add_variable(struct gv_quad_rewrite *r, const uint32_t *w,
                         struct gv_error *err)
{
    if (r->count == GV_QUAD_VARIABLES)
        return refuse("many inputs and outputs", err);
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? r->capacity * 2 : 16;
        void *grown = realloc(r->variables, capacity * sizeof *r->variables);
        if (!grown)
            return gv_out_of_memory(err);
        r->variables = grown;
        r->capacity = capacity;
    }
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(&r->ids, w[2]);
    struct gv_quad_variable v = {
        .id = w[2],
        .pointer = w[1],
        .type = gv_spirv_def(&r->ids, w[1])[3],
        .output = w[3] == SpvStorageClassOutput,
        .builtin = marks->builtin,
        .location = marks->location,
    };
    v.block = is_block(&r->ids, v.type);
    const uint32_t *type = gv_spirv_def(&r->ids, v.type);
    if (v.block && (!v.output || gv_spirv_length(type) - 2 > GV_QUAD_MEMBERS))
        return refuse(v.output ? "a block of many outputs" : "a block of inputs", err);
    if (v.block && v.location != GV_SPIRV_UNSET)
        return refuse("a block at one location", err);
    if (gv_spirv_op(type) == SpvOpTypeArray && is_block(&r->ids, type[2]))
        return refuse("an array of blocks", err);
    r->variables[r->count++] = v;
    return true;
}

static struct gv_quad_variable *variable_of(const struct gv_quad_rewrite *r,
                                            uint32_t id)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->variables[i].id == id)
            return &r->variables[i];
    return NULL;
}

static const struct gv_quad_variable *block_of(const struct gv_quad_rewrite *r,
                                               uint32_t type)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->variables[i].block && r->variables[i].type == type)
            return &r->variables[i];
    return NULL;
}

// Builtins of the draw, which the record has.
static bool is_replaced(const struct gv_quad_variable *v)
{
    return !v->output &&
           (v->builtin == SpvBuiltInVertexIndex ||
            v->builtin == SpvBuiltInInstanceIndex ||
            v->builtin == SpvBuiltInBaseVertex || v->builtin == SpvBuiltInBaseInstance);
}

static void note_use(struct gv_quad_rewrite *r, uint32_t id, uint64_t members)
{
    struct gv_quad_variable *v = variable_of(r, id);
    if (v)
        v->used |= members;
}

static void note_uses(struct gv_quad_rewrite *r, const uint32_t *w)
{
    uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w), member = 0;
    bool chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
    if (chain && length > 4 && gv_spirv_constant(&r->ids, w[4], &member) &&
        member < GV_QUAD_MEMBERS)
        note_use(r, w[3], UINT64_C(1) << member);
    else if (chain || op == SpvOpLoad || op == SpvOpCopyObject)
        note_use(r, w[3], UINT64_MAX);
    else if (op == SpvOpStore)
        note_use(r, w[1], UINT64_MAX);
    else if (op == SpvOpCopyMemory)
        note_use(r, w[1], UINT64_MAX), note_use(r, w[2], UINT64_MAX);
    else if (op == SpvOpFunctionCall)
        for (uint32_t i = 4; i < length; i++)
            note_use(r, w[i], UINT64_MAX);
}

static bool collect(struct gv_quad_rewrite *r, struct gv_error *err)
{
    const uint32_t *words = r->ids.words;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->ids.count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at;
        uint32_t op = gv_spirv_op(w);
        if (op == SpvOpEntryPoint)
            r->main = w[2];
        else if (op == SpvOpExtInstImport &&
                 strcmp((const char *)(w + 2), "GLSL.std.450") == 0)
            r->glsl = w[1];
        else if (op == SpvOpVariable &&
                 (w[3] == SpvStorageClassInput || w[3] == SpvStorageClassOutput)) {
            if (!add_variable(r, w, err))
                return false;
        } else if (at >= r->ids.functions) {
            note_uses(r, w);
        }
    }
    return true;
}

bool gv_quad_find(const struct gv_quad_rewrite *r, uint32_t builtin,
                  const struct gv_quad_variable **variable, uint32_t *member)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct gv_quad_variable *v = &r->variables[i];
        uint32_t members =
            v->block ? gv_spirv_length(gv_spirv_def(&r->ids, v->type)) - 2 : 0;
        *variable = v;
        *member = GV_SPIRV_UNSET;
        if (v->builtin == builtin)
            return true;
        for (*member = 0; *member < members; (*member)++)
            if (gv_spirv_member_marks(&r->ids, v->type, *member)->builtin == builtin)
                return true;
    }
    return false;
}

uint32_t gv_quad_member_type(const struct gv_quad_rewrite *r,
                             const struct gv_quad_variable *v, uint32_t member)
{
    return gv_spirv_def(&r->ids, v->type)[2 + member];
}

// ---- types, constants and variables of ours ----

uint32_t gv_quad_constant(struct gv_quad_rewrite *r, uint32_t type, uint32_t value)
{
    GV_SPIRV_PUT(&r->globals, SpvOpConstant, type, r->bound, value);
    return r->bound++;
}

uint32_t gv_quad_pointer(struct gv_quad_rewrite *r, uint32_t storage, uint32_t type)
{
    GV_SPIRV_PUT(&r->globals, SpvOpTypePointer, r->bound, storage, type);
    return r->bound++;
}

// The module's type of this form, or one made: there may not be two.
static uint32_t type_of(struct gv_quad_rewrite *r, uint32_t op,
                        const uint32_t *operands, uint32_t count)
{
    for (uint32_t id = 1; id < r->ids.bound; id++) {
        const uint32_t *w = gv_spirv_def(&r->ids, id);
        if (gv_spirv_op(w) == op && gv_spirv_length(w) == count + 2 &&
            memcmp(w + 2, operands, count * sizeof *w) == 0)
            return id;
    }
    uint32_t words[4] = { r->bound };
    memcpy(words + 1, operands, count * sizeof *words);
    gv_spirv_put_op(&r->globals, op, words, count + 1);
    return r->bound++;
}

void gv_quad_types(struct gv_quad_rewrite *r)
{
    const uint32_t none = 0;
    r->void_type = type_of(r, SpvOpTypeVoid, &none, 0);
    r->function_type = type_of(r, SpvOpTypeFunction, &r->void_type, 1);
    r->bool_type = type_of(r, SpvOpTypeBool, &none, 0);
    r->float_type = type_of(r, SpvOpTypeFloat, (uint32_t[]){ 32 }, 1);
    r->int_type = type_of(r, SpvOpTypeInt, (uint32_t[]){ 32, 1 }, 2);
    r->uint_type = type_of(r, SpvOpTypeInt, (uint32_t[]){ 32, 0 }, 2);
    r->vec2 = type_of(r, SpvOpTypeVector, (uint32_t[]){ r->float_type, 2 }, 2);
    r->vec4 = type_of(r, SpvOpTypeVector, (uint32_t[]){ r->float_type, 4 }, 2);
    r->ivec4 = type_of(r, SpvOpTypeVector, (uint32_t[]){ r->int_type, 4 }, 2);
}

static uint32_t new_variable(struct gv_quad_rewrite *r, uint32_t pointer,
                             uint32_t storage)
{
    GV_SPIRV_PUT(&r->globals, SpvOpVariable, pointer, r->bound, storage);
    return r->bound++;
}

static void make_outer(struct gv_quad_rewrite *r, struct gv_quad_variable *v)
{
    uint32_t storage = v->output ? SpvStorageClassOutput : SpvStorageClassInput;
    if (is_replaced(v) || (v->output && v->builtin == SpvBuiltInPointSize))
        return;
    v->outer_type = v->type;
    if (v->block) { // one struct for all variables of a type, as its decorations are
        const struct gv_quad_variable *same = block_of(r, v->type);
        v->outer_type = same->outer_type;
        if (same == v) {
            const uint32_t *w = gv_spirv_def(&r->ids, v->type);
            v->outer_type = r->bound++;
            uint32_t head = w[0];
            gv_spirv_put(&r->globals, &head, 1);
            gv_spirv_put(&r->globals, &v->outer_type, 1);
            gv_spirv_put(&r->globals, w + 2, gv_spirv_length(w) - 2);
        }
    }
    v->outer_pointer = gv_quad_pointer(r, storage, v->outer_type);
    v->outer = new_variable(r, v->outer_pointer, storage);
    if (r->how->ends == 2 && !v->output && v->location != GV_SPIRV_UNSET)
        v->second = new_variable(r, v->outer_pointer, storage);
    if (r->how->ends == 2 && v->output)
        v->saved = new_variable(r, v->pointer, SpvStorageClassPrivate);
}

uint32_t gv_quad_own_variable(struct gv_quad_rewrite *r, uint32_t storage,
                              uint32_t type)
{
    return new_variable(r, gv_quad_pointer(r, storage, type), storage);
}

static void make_variables(struct gv_quad_rewrite *r)
{
    for (size_t i = 0; i < r->count; i++)
        make_outer(r, &r->variables[i]);
    r->corner = gv_quad_own_variable(r, SpvStorageClassInput, r->int_type);
    r->primitive = gv_quad_own_variable(r, SpvStorageClassInput, r->int_type);
    for (int i = 0; i < GV_QUAD_INPUTS; i++)
        if (r->how->record[i] != GV_SPIRV_UNSET)
            r->record[i] =
                gv_quad_own_variable(r, SpvStorageClassInput,
                                     i == 0 || i == GV_QUAD_VIEW ? r->vec4 : r->ivec4);
    if (r->how->point_coord != GV_SPIRV_UNSET)
        r->point_coord = gv_quad_own_variable(r, SpvStorageClassOutput, r->vec2);
    if (gv_spirv_quads_smooth(r->how)) {
        r->smooth_ends = gv_quad_own_variable(r, SpvStorageClassOutput, r->vec4);
        r->smooth_width = gv_quad_own_variable(r, SpvStorageClassOutput, r->vec2);
    }
}

// ---- the module ----

// The interface lists inputs and outputs; from version 1.4 on, every global variable.
static void put_entry_point(struct gv_quad_rewrite *r, const uint32_t *w)
{
    const uint32_t own[] = { r->corner,      r->primitive,   r->record[0],
                             r->record[1],   r->record[2],   r->record[GV_QUAD_VIEW],
                             r->point_coord, r->smooth_ends, r->smooth_width };
    uint32_t first = gv_spirv_interface_at(w);
    bool all = r->ids.words[1] >= GV_SPIRV_1_4;
    struct gv_bytes list = { 0 };
    gv_spirv_put(&list, w + 1, first - 1);
    for (uint32_t i = first; i < gv_spirv_length(w); i++)
        if (all || !variable_of(r, w[i]))
            gv_spirv_put(&list, w + i, 1);
    for (size_t i = 0; i < r->count; i++) {
        const struct gv_quad_variable *v = &r->variables[i];
        const uint32_t ids[] = { v->outer, v->second, all ? v->saved : 0 };
        for (int k = 0; k < 3; k++)
            if (ids[k])
                gv_spirv_put(&list, &ids[k], 1);
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i])
            gv_spirv_put(&list, &own[i], 1);
    if (!list.failed) {
        memcpy(list.data + 4, &r->entry, 4); // behind the execution model
        gv_spirv_put_op(&r->out, SpvOpEntryPoint, (const uint32_t *)(void *)list.data,
                        list.size / 4);
    }
    r->out.failed = r->out.failed || list.failed;
    gv_bytes_finish(&list);
}

static void mark(struct gv_quad_rewrite *r, uint32_t id, uint32_t decoration,
                 uint32_t value)
{
    GV_SPIRV_PUT(&r->out, SpvOpDecorate, id, decoration, value);
}

static void put_marks(struct gv_quad_rewrite *r)
{
    if (r->marked)
        return;
    r->marked = true;
    mark(r, r->corner, SpvDecorationBuiltIn, SpvBuiltInVertexIndex);
    mark(r, r->primitive, SpvDecorationBuiltIn, SpvBuiltInInstanceIndex);
    for (int i = 0; i < GV_QUAD_INPUTS; i++)
        if (r->record[i])
            mark(r, r->record[i], SpvDecorationLocation, r->how->record[i]);
    if (r->point_coord)
        mark(r, r->point_coord, SpvDecorationLocation, r->how->point_coord);
    if (r->smooth_ends) {
        mark(r, r->smooth_ends, SpvDecorationLocation, r->how->smooth_ends);
        mark(r, r->smooth_width, SpvDecorationLocation, r->how->smooth_width);
    }
}

// The instruction for another id; it may be of more than 65535 words no more than the
// one it came from.
static void put_for(struct gv_quad_rewrite *r, const uint32_t *w, uint32_t id)
{
    gv_spirv_put(&r->out, w, 1);
    gv_spirv_put(&r->out, &id, 1);
    gv_spirv_put(&r->out, w + 2, gv_spirv_length(w) - 2);
}

// Decorations go with what stands in for their variables and blocks.
static void put_decoration(struct gv_quad_rewrite *r, const uint32_t *w)
{
    const struct gv_quad_variable *v = variable_of(r, w[1]);
    const struct gv_quad_variable *block = block_of(r, w[1]);
    put_marks(r);
    if (block)
        put_for(r, w, block->outer_type);
    else if (!v)
        gv_spirv_put(&r->out, w, gv_spirv_length(w));
    else if (v->outer)
        put_for(r, w, v->outer);
    if (!v || !v->second)
        return;
    if (w[2] == SpvDecorationLocation)
        mark(r, v->second, w[2], w[3] + r->how->second);
    else
        put_for(r, w, v->second);
}

static bool is_interface(uint32_t storage)
{
    return storage == SpvStorageClassInput || storage == SpvStorageClassOutput;
}

static void put_private(struct gv_quad_rewrite *r, const uint32_t *w, uint32_t at)
{
    const uint32_t storage = SpvStorageClassPrivate;
    gv_spirv_put(&r->out, w, at);
    gv_spirv_put(&r->out, &storage, 1);
    gv_spirv_put(&r->out, w + at + 1, gv_spirv_length(w) - at - 1);
}

void gv_quad_import(struct gv_quad_rewrite *r)
{
    uint32_t operands[5] = { r->glsl };
    memcpy(operands + 1, "GLSL.std.450", sizeof "GLSL.std.450");
    if (r->imported)
        gv_spirv_put_op(&r->out, SpvOpExtInstImport, operands, 5);
}

static void put_instruction(struct gv_quad_rewrite *r, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpMemoryModel:
        gv_quad_import(r);
        gv_spirv_put(&r->out, w, gv_spirv_length(w));
        break;
    case SpvOpEntryPoint:
        put_entry_point(r, w);
        break;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        put_for(r, w, w[1] == r->main ? r->entry : w[1]);
        break;
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
        put_decoration(r, w);
        break;
    case SpvOpTypePointer:
        if (is_interface(w[2]))
            put_private(r, w, 2);
        else
            gv_spirv_put(&r->out, w, gv_spirv_length(w));
        break;
    case SpvOpVariable:
        if (is_interface(w[3]))
            put_private(r, w, 3);
        else
            gv_spirv_put(&r->out, w, gv_spirv_length(w));
        break;
    default:
        gv_spirv_put(&r->out, w, gv_spirv_length(w));
    }
}

static void put_module(struct gv_quad_rewrite *r)
{
    const uint32_t *words = r->ids.words;
    gv_spirv_put(&r->out, words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->ids.count;
         at += gv_spirv_length(words + at)) {
        if (at == r->ids.functions)
            gv_bytes_put(&r->out, r->globals.data, r->globals.size);
        put_instruction(r, words + at);
    }
    gv_bytes_put(&r->out, r->code.data, r->code.size);
    r->out.failed = r->out.failed || r->globals.failed || r->code.failed;
}

static bool check_builtins(const struct gv_quad_rewrite *r, struct gv_error *err)
{
    const struct gv_quad_variable *v;
    uint32_t member;
    if (!gv_quad_find(r, SpvBuiltInPosition, &v, &member))
        return refuse("no Position", err);
    if (r->how->ends == 1 && !gv_quad_find(r, SpvBuiltInPointSize, &v, &member))
        return refuse("no PointSize", err);
    return true;
}

static bool rewrite(struct gv_quad_rewrite *r, uint32_t **out, size_t *out_count,
                    struct gv_error *err)
{
    if (!collect(r, err) || !check_builtins(r, err))
        return false;
    r->bound = r->ids.bound;
    r->entry = r->bound++;
    r->imported = !r->glsl;
    r->glsl = r->glsl ? r->glsl : r->bound++;
    gv_quad_types(r);
    make_variables(r);
    gv_quad_write_function(r);
    put_module(r);
    return gv_spirv_take(&r->out, r->bound, out, out_count, err);
}

bool gv_spirv_quad_vertex(const uint32_t *words, size_t count,
                          const struct gv_spirv_quads *quads, uint32_t **out,
                          size_t *out_count, struct gv_error *err)
{
    struct gv_quad_rewrite r = { .how = quads };
    bool ok = gv_spirv_ids_init(&r.ids, words, count, NULL, err) &&
              rewrite(&r, out, out_count, err);
    gv_spirv_ids_finish(&r.ids);
    free(r.variables);
    gv_bytes_finish(&r.globals);
    gv_bytes_finish(&r.code);
    gv_bytes_finish(&r.out);
    return ok;
}
