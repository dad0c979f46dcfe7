#include "runtime/spirv/spirv_rewrite.h"

#include "resources/base/bytes.h"
#include "vm/spirv/spirv_words.h"

#include <stdlib.h>
#include <string.h>

#define PARAMETERS 3 // of struct gv_draw_parameters
#define DRAW_INDEX 2 // the last of them

// One of the built-in variables, and the ids made for it.
struct parameter {
    uint32_t variable; // 0 = the module has none
    uint32_t pointer;  // its type
    uint32_t type;     // what it points to
    uint32_t new_pointer, index;
};

struct rewrite {
    const uint32_t *words;
    size_t count;
    int begin; // the first parameter to be rewritten
    struct parameter parameters[PARAMETERS];
    uint32_t bound;
    uint32_t block, block_pointer, block_variable;
    bool declared;       // the decorations of the block stand
    struct gv_bytes out; // words
};

bool gv_spirv_uses_draw_parameters(const uint32_t *words, size_t count)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;
         at += gv_spirv_length(words + at)) {
        if (gv_spirv_op(words + at) != SpvOpCapability)
            return false; // capabilities come first
        if (words[at + 1] == SpvCapabilityDrawParameters)
            return true;
    }
    return false;
}

bool gv_spirv_uses_draw_index(const uint32_t *words, size_t count)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *i = words + at;
        if (gv_spirv_op(i) == SpvOpDecorate && gv_spirv_length(i) >= 4 &&
            i[2] == SpvDecorationBuiltIn && i[3] == SpvBuiltInDrawIndex)
            return true;
    }
    return false;
}

// ---- reading ----

static int parameter_of_builtin(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInBaseVertex:
        return 0;
    case SpvBuiltInBaseInstance:
        return 1;
    case SpvBuiltInDrawIndex:
        return DRAW_INDEX;
    default:
        return -1;
    }
}

static struct parameter *parameter_of(struct rewrite *r, uint32_t variable)
{
    for (int k = 0; k < PARAMETERS; k++)
        if (variable && r->parameters[k].variable == variable)
            return &r->parameters[k];
    return NULL;
}

static bool is_builtin(const struct rewrite *r, const uint32_t *i)
{
    return gv_spirv_op(i) == SpvOpDecorate && gv_spirv_length(i) >= 4 &&
           i[2] == SpvDecorationBuiltIn && parameter_of_builtin(i[3]) >= r->begin;
}

static bool refuse(size_t at, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_UNSUPPORTED, at * 4,
                   "unsupported: draw parameters other than loads of a variable");
}

static bool find_variables(struct rewrite *r, struct gv_error *err)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->count;
         at += gv_spirv_length(r->words + at)) {
        const uint32_t *i = r->words + at;
        if (is_builtin(r, i)) {
            struct parameter *p = &r->parameters[parameter_of_builtin(i[3])];
            if (p->variable)
                return refuse(at, err);
            p->variable = i[1];
        } else if (gv_spirv_op(i) == SpvOpMemberDecorate && gv_spirv_length(i) >= 5 &&
                   i[3] == SpvDecorationBuiltIn &&
                   parameter_of_builtin(i[4]) >= r->begin) {
            return refuse(at, err);
        } else if (gv_spirv_op(i) == SpvOpVariable) {
            struct parameter *p = parameter_of(r, i[2]);
            if (p)
                p->pointer = i[1];
        }
    }
    return true;
}

static void find_types(struct rewrite *r)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->count;
         at += gv_spirv_length(r->words + at)) {
        const uint32_t *i = r->words + at;
        for (int k = 0; k < PARAMETERS && gv_spirv_op(i) == SpvOpTypePointer; k++)
            if (r->parameters[k].pointer == i[1])
                r->parameters[k].type = i[3];
    }
}

static void make_ids(struct rewrite *r)
{
    r->bound = r->words[GV_SPIRV_BOUND_WORD];
    for (int k = 0; k < PARAMETERS; k++)
        if (r->parameters[k].variable) {
            r->parameters[k].new_pointer = r->bound++;
            r->parameters[k].index = r->bound++;
        }
    r->block = r->bound++;
    r->block_pointer = r->bound++;
    r->block_variable = r->bound++;
}

// ---- writing ----

#define PUT(r, op, ...) GV_SPIRV_PUT(&(r)->out, op, __VA_ARGS__)

// Members the module does not read have the type of one it does.
static uint32_t member_type(const struct rewrite *r, int k)
{
    for (int n = 0; n < PARAMETERS; n++)
        if (r->parameters[(k + n) % PARAMETERS].type)
            return r->parameters[(k + n) % PARAMETERS].type;
    return 0;
}

static void put_decorations(struct rewrite *r)
{
    if (r->declared)
        return;
    r->declared = true;
    PUT(r, SpvOpDecorate, r->block, SpvDecorationBlock);
    for (uint32_t k = 0; k < PARAMETERS; k++)
        PUT(r, SpvOpMemberDecorate, r->block, k, SpvDecorationOffset, k * 4);
}

static void put_globals(struct rewrite *r)
{
    PUT(r, SpvOpTypeStruct, r->block, member_type(r, 0), member_type(r, 1),
        member_type(r, 2));
    PUT(r, SpvOpTypePointer, r->block_pointer, SpvStorageClassPushConstant, r->block);
    PUT(r, SpvOpVariable, r->block_pointer, r->block_variable,
        SpvStorageClassPushConstant);
    for (uint32_t k = 0; k < PARAMETERS; k++) {
        const struct parameter *p = &r->parameters[k];
        if (!p->variable)
            continue;
        PUT(r, SpvOpTypePointer, p->new_pointer, SpvStorageClassPushConstant, p->type);
        PUT(r, SpvOpConstant, p->type, p->index, k);
    }
}

// The interface lists inputs and outputs; from version 1.4 on, every global variable.
static void put_entry_point(struct rewrite *r, const uint32_t *i)
{
    uint32_t length = gv_spirv_length(i), first = gv_spirv_interface_at(i);
    bool list = r->words[1] >= GV_SPIRV_1_4 && member_type(r, 0);
    uint32_t kept = first, head;
    for (uint32_t n = first; n < length; n++)
        kept += !parameter_of(r, i[n]);
    head = (kept + list) << 16 | SpvOpEntryPoint;
    gv_spirv_put(&r->out, &head, 1);
    gv_spirv_put(&r->out, i + 1, first - 1);
    for (uint32_t n = first; n < length; n++)
        if (!parameter_of(r, i[n]))
            gv_spirv_put(&r->out, i + n, 1);
    if (list)
        gv_spirv_put(&r->out, &r->block_variable, 1);
}

static void put_load(struct rewrite *r, const uint32_t *i, const struct parameter *p)
{
    uint32_t address = r->bound++;
    PUT(r, SpvOpAccessChain, p->new_pointer, address, r->block_variable, p->index);
    PUT(r, SpvOpLoad, i[1], i[2], address);
}

static bool is_dropped(struct rewrite *r, const uint32_t *i)
{
    static const char extension[] = "SPV_KHR_shader_draw_parameters";
    switch (gv_spirv_op(i)) {
    case SpvOpCapability:
        return !r->begin && i[1] == SpvCapabilityDrawParameters;
    case SpvOpExtension:
        return !r->begin && (gv_spirv_length(i) - 1) * sizeof *i >= sizeof extension &&
               memcmp(i + 1, extension, sizeof extension) == 0;
    case SpvOpName:
    case SpvOpDecorate:
        return parameter_of(r, i[1]) != NULL;
    case SpvOpVariable:
        return parameter_of(r, i[2]) != NULL;
    default:
        return false;
    }
}

// Uses other than loads now name what is no more: the validator finds them.
static void rewrite_all(struct rewrite *r)
{
    bool functions = false;
    gv_spirv_put(&r->out, r->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->count;
         at += gv_spirv_length(r->words + at)) {
        const uint32_t *i = r->words + at;
        const struct parameter *p = NULL;
        if (gv_spirv_op(i) == SpvOpFunction && !functions) {
            functions = true;
            if (member_type(r, 0))
                put_globals(r);
        }
        if (is_builtin(r, i))
            put_decorations(r);
        if (is_dropped(r, i))
            continue;
        if (gv_spirv_op(i) == SpvOpEntryPoint)
            put_entry_point(r, i);
        else if (gv_spirv_op(i) == SpvOpLoad && (p = parameter_of(r, i[3])))
            put_load(r, i, p);
        else
            gv_spirv_put(&r->out, i, gv_spirv_length(i));
    }
}

bool gv_spirv_rewrite_draw_parameters(const uint32_t *words, size_t count,
                                      bool number_only, uint32_t **out,
                                      size_t *out_count, struct gv_error *err)
{
    struct rewrite r = {
        .words = words,
        .count = count,
        .begin = number_only ? DRAW_INDEX : 0,
    };
    if (!find_variables(&r, err))
        return false;
    find_types(&r);
    make_ids(&r);
    rewrite_all(&r);
    bool ok = gv_spirv_take(&r.out, r.bound, out, out_count, err);
    gv_bytes_finish(&r.out);
    return ok;
}
