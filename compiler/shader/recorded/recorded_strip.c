// One entry point of a module. Its functions are those that calls reach; what the
// others define goes with every name and decoration of it.
#include "compiler/shader/recorded/recorded_internal.h"

#include <string.h>

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"
#include "vm/spirv/spirv_module.h"

struct stripping {
    struct gv_spirv_types types;
    const uint32_t *entry; // OpEntryPoint
    size_t *functions;     // [bound]: where a function begins, 0: no function
    bool *reached;         // [bound]: functions
    bool *gone;            // [bound]: ids that are left out
    bool *debug;           // [bound]: sets of instructions that say nothing of pictures
    struct gv_spirv_edit edit;
};

static uint32_t model_of(uint32_t stage)
{
    switch (stage) {
    case GV_STAGE_VERTEX:
        return SpvExecutionModelVertex;
    case GV_STAGE_TESSELLATION_CONTROL:
        return SpvExecutionModelTessellationControl;
    case GV_STAGE_TESSELLATION_EVALUATION:
        return SpvExecutionModelTessellationEvaluation;
    case GV_STAGE_GEOMETRY:
        return SpvExecutionModelGeometry;
    case GV_STAGE_FRAGMENT:
        return SpvExecutionModelFragment;
    default:
        return SpvExecutionModelGLCompute;
    }
}

// ---- which ids stay ----

static bool find_entry(struct stripping *s, const struct gv_recorded_source *from,
                       struct gv_error *err)
{
    const struct gv_spirv_types *t = &s->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpEntryPoint && w[1] == model_of(from->stage) &&
            strcmp((const char *)(w + 3), from->entry) == 0)
            s->entry = w;
    }
    return s->entry || gv_fail(err, GV_ERR_FORMAT, 0,
                               "SPIR-V has no entry point %.40s of the %s stage",
                               from->entry, gv_stage_name(from->stage));
}

static void read_preamble(struct stripping *s)
{
    const struct gv_spirv_types *t = &s->types;
    const uint32_t from = gv_spirv_interface_at(s->entry);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpExtInstImport)
            s->debug[w[1]] = strncmp((const char *)(w + 2), "NonSemantic.", 12) == 0;
        if (gv_spirv_op(w) == SpvOpExtInst)
            s->gone[w[2]] = s->debug[w[3]];
        if (gv_spirv_op(w) == SpvOpVariable)
            s->gone[w[2]] =
                w[3] == SpvStorageClassInput || w[3] == SpvStorageClassOutput;
    }
    for (uint32_t i = from; i < gv_spirv_length(s->entry); i++)
        s->gone[s->entry[i]] = false;
}

static void read_functions(struct stripping *s)
{
    const struct gv_spirv_types *t = &s->types;
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        if (gv_spirv_op(t->words + at) == SpvOpFunction)
            s->functions[t->words[at + 2]] = at;
}

// What one function calls is reached, and waits in `stack`.
static uint32_t reach(struct stripping *s, uint32_t function, uint32_t *stack,
                      uint32_t depth)
{
    const struct gv_spirv_types *t = &s->types;
    const uint32_t *w;
    for (size_t at = s->functions[function]; at < t->count; at += gv_spirv_length(w)) {
        w = t->words + at;
        if (gv_spirv_op(w) == SpvOpFunctionEnd)
            break;
        if (gv_spirv_op(w) == SpvOpFunctionCall && !s->reached[w[3]]) {
            s->reached[w[3]] = true;
            stack[depth++] = w[3];
        }
    }
    return depth;
}

// Ids that functions define which nothing calls.
static void mark_gone(struct stripping *s)
{
    const struct gv_spirv_types *t = &s->types;
    bool gone = false;
    for (size_t at = t->functions; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at, op = gv_spirv_op(w);
        if (op == SpvOpFunction)
            gone = !s->reached[w[2]];
        if (gv_spirv_has_type(op))
            s->gone[w[2]] = gone || (op == SpvOpExtInst && s->debug[w[3]]);
        else if (op == SpvOpLabel)
            s->gone[w[1]] = gone;
    }
}

// ---- what is written ----

static void put_entry(struct stripping *s)
{
    uint32_t name[2] = { 0 };
    const uint32_t *w = s->entry;
    const uint32_t from = gv_spirv_interface_at(w), length = gv_spirv_length(w);
    const uint32_t head[] = { (length - from + 5) << 16 | SpvOpEntryPoint, w[1], w[2] };
    memcpy(name, "main", 5);
    gv_spirv_put(&s->edit.head, head, 3);
    gv_spirv_put(&s->edit.head, name, 2);
    gv_spirv_put(&s->edit.head, w + from, length - from);
}

// Whether an instruction in front of the functions stays as it is.
static bool stays(const struct stripping *s, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return w[1] == s->entry[2];
    case SpvOpName:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
        return !s->gone[w[1]];
    case SpvOpVariable:
        return !s->gone[w[2]];
    case SpvOpExtInstImport:
        return !s->debug[w[1]];
    case SpvOpExtInst:
        return !s->debug[w[3]];
    case SpvOpEntryPoint:
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
    case SpvOpString:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpModuleProcessed:
        return false;
    default:
        return true;
    }
}

static void put_code(struct stripping *s)
{
    const struct gv_spirv_types *t = &s->types;
    bool reached = false;
    for (size_t at = t->functions; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at, op = gv_spirv_op(w);
        if (op == SpvOpFunction)
            reached = s->reached[w[2]];
        if (reached && op != SpvOpLine && op != SpvOpNoLine &&
            (op != SpvOpExtInst || !s->debug[w[3]]))
            gv_spirv_put(&s->edit.body, w, gv_spirv_length(w));
    }
}

static void put_module(struct stripping *s)
{
    const struct gv_spirv_types *t = &s->types;
    gv_spirv_put(&s->edit.head, t->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (w == s->entry)
            put_entry(s);
        else if (stays(s, w))
            gv_spirv_put(&s->edit.head, w, gv_spirv_length(w));
    }
    put_code(s);
}

static bool strip(struct stripping *s, struct gv_arena *arena,
                  struct gv_recorded_words *out, struct gv_error *err)
{
    const uint32_t bound = s->types.bound;
    uint32_t *stack = gv_arena_array(arena, bound, sizeof *stack), depth = 0, *words;
    s->functions = gv_arena_array(arena, bound, sizeof *s->functions);
    s->reached = gv_arena_array(arena, bound, sizeof *s->reached);
    s->gone = gv_arena_array(arena, bound, sizeof *s->gone);
    s->debug = gv_arena_array(arena, bound, sizeof *s->debug);
    if (!stack || !s->functions || !s->reached || !s->gone || !s->debug)
        return gv_out_of_memory(err);
    read_preamble(s);
    read_functions(s);
    s->reached[s->entry[2]] = true;
    stack[depth++] = s->entry[2];
    while (depth) {
        const uint32_t function = stack[--depth];
        depth = reach(s, function, stack, depth);
    }
    mark_gone(s);
    gv_spirv_edit_init(&s->edit, s->types.words, s->types.functions);
    put_module(s);
    const bool ok = gv_spirv_edit_copy(&s->edit, arena, &words, &out->count, err);
    gv_spirv_edit_finish(&s->edit);
    out->words = ok ? words : NULL;
    return ok;
}

bool gv_recorded_strip(const struct gv_recorded_source *from, struct gv_arena *arena,
                       struct gv_recorded_words *out, struct gv_error *err)
{
    const uint32_t classes =
        1u << SpvStorageClassUniformConstant | 1u << SpvStorageClassUniform |
        1u << SpvStorageClassPrivate | 1u << SpvStorageClassWorkgroup |
        1u << SpvStorageClassPushConstant | 1u << SpvStorageClassStorageBuffer;
    struct stripping s = { 0 };
    return gv_spirv_types_read(from->words, from->count, arena, &s.types, err) &&
           find_entry(&s, from, err) && strip(&s, arena, out, err) &&
           gv_spirv_drop_unused(out->words, out->count, classes, arena, &out->words,
                                &out->count, err);
}
