#include "compiler/shader/spirv/spirv_flat.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"

#include <string.h>

#define MOST_CHAIN 64u // words of an access

struct flattening {
    const struct gv_spirv_types *types;
    struct gv_spirv_flat *list;
    size_t count;
    uint32_t *type_of; // [types->bound]: of a result
    struct gv_spirv_edit edit;
    struct gv_error *err;
};

const struct gv_spirv_flat *gv_spirv_find_flat(const struct gv_spirv_flats *f,
                                               uint32_t variable)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i].variable == variable)
            return &f->list[i];
    return NULL;
}

static const struct gv_spirv_flat *find(const struct flattening *f, uint32_t variable)
{
    const struct gv_spirv_flats all = { f->list, f->count };
    return gv_spirv_find_flat(&all, variable);
}

static bool refuse(struct flattening *f, const char *what)
{
    return gv_fail(f->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: glsl arrays of arrays %s", what);
}

// ---- which variables ----

static bool is_resource(uint32_t storage)
{
    return storage == SpvStorageClassUniformConstant ||
           storage == SpvStorageClassUniform || storage == SpvStorageClassStorageBuffer;
}

// The element of an array in any number of arrays, which are counted in `*flat`.
static const uint32_t *innermost(const struct flattening *f, const uint32_t *variable,
                                 struct gv_spirv_flat *flat)
{
    const struct gv_spirv_types *t = f->types;
    const uint32_t *w = gv_spirv_type(t, gv_spirv_type(t, variable[1])[3]);
    *flat = (struct gv_spirv_flat){ .variable = variable[2] };
    while (gv_spirv_op(w) == SpvOpTypeArray && flat->size_count < GV_SPIRV_MOST_SIZES) {
        flat->sizes[flat->size_count++] = gv_spirv_value(t, w[3]);
        w = gv_spirv_type(t, w[2]);
    }
    return w;
}

static uint32_t elements_of(const struct gv_spirv_flat *flat)
{
    uint64_t all = 1;
    for (uint32_t i = 0; i < flat->size_count && all <= GV_SPIRV_MOST_ELEMENTS; i++)
        all *= flat->sizes[i];
    return all <= GV_SPIRV_MOST_ELEMENTS ? (uint32_t)all : 0;
}

static bool find_variables(struct flattening *f, struct gv_arena *arena)
{
    const struct gv_spirv_types *t = f->types;
    struct gv_spirv_flat flat;
    for (int pass = 0; pass < 2; pass++) {
        size_t n = 0;
        for (uint32_t id = 1; id < t->bound; id++) {
            const uint32_t *w = gv_spirv_type(t, id);
            if (gv_spirv_op(w) != SpvOpVariable || !is_resource(w[3]))
                continue;
            innermost(f, w, &flat);
            if (flat.size_count < 2)
                continue;
            if (!elements_of(&flat))
                return refuse(f, "so large");
            if (pass)
                f->list[n] = flat;
            n++;
        }
        if (!pass && !(f->list = gv_arena_array(arena, n + 1, sizeof *f->list)))
            return gv_out_of_memory(f->err);
        f->count = n;
    }
    return true;
}

// ---- writing ----

static void put_variable(struct flattening *f, const uint32_t *w,
                         const struct gv_spirv_flat *flat)
{
    const struct gv_spirv_types *t = f->types;
    const uint32_t *outer = gv_spirv_type(t, gv_spirv_type(t, w[1])[3]);
    struct gv_spirv_flat same;
    const uint32_t element = innermost(f, w, &same)[1];
    const uint32_t integer = gv_spirv_type(t, outer[3])[1];
    const uint32_t size = gv_spirv_edit_word(&f->edit, integer, elements_of(flat));
    const uint32_t array = f->edit.next_id++, pointer = f->edit.next_id++;
    GV_SPIRV_PUT(&f->edit.head, SpvOpTypeArray, array, element, size);
    GV_SPIRV_PUT(&f->edit.head, SpvOpTypePointer, pointer, w[3], array);
    GV_SPIRV_PUT(&f->edit.head, SpvOpVariable, pointer, w[2], w[3]);
}

static uint32_t emit(struct flattening *f, SpvOp op, uint32_t type, uint32_t a,
                     uint32_t b)
{
    GV_SPIRV_PUT(&f->edit.body, op, type, f->edit.next_id, a, b);
    return f->edit.next_id++;
}

// One index of several: a constant where they are, as not every device takes others.
static uint32_t joined(struct flattening *f, const struct gv_spirv_flat *flat,
                       const uint32_t *indices)
{
    const struct gv_spirv_types *t = f->types;
    const uint32_t type = f->type_of[indices[0]];
    uint32_t at = 0, value = indices[0];
    bool known = true;
    for (uint32_t i = 0; i < flat->size_count; i++) {
        known &= gv_spirv_op(gv_spirv_type(t, indices[i])) == SpvOpConstant;
        at = at * flat->sizes[i] + gv_spirv_value(t, indices[i]);
    }
    if (known)
        return gv_spirv_edit_word(&f->edit, type, at);
    for (uint32_t i = 1; i < flat->size_count; i++) {
        value = emit(f, SpvOpIMul, type, value,
                     gv_spirv_edit_word(&f->edit, type, flat->sizes[i]));
        value = emit(f, SpvOpIAdd, type, value, indices[i]);
    }
    return value;
}

static bool put_chain(struct flattening *f, const uint32_t *w,
                      const struct gv_spirv_flat *flat)
{
    const uint32_t length = gv_spirv_length(w), given = 4 + flat->size_count;
    uint32_t words[MOST_CHAIN] = { w[1], w[2], w[3] }, n = 4;
    if (length < given || length > MOST_CHAIN)
        return refuse(f, "that are passed on");
    words[3] = joined(f, flat, w + 4);
    for (uint32_t i = given; i < length; i++)
        words[n++] = w[i];
    gv_spirv_put_op(&f->edit.body, gv_spirv_op(w), words, n);
    return true;
}

static bool names_flat(const struct flattening *f, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
    bool named = false;
    if (op == SpvOpFunctionCall || op == SpvOpLoad || op == SpvOpCopyObject)
        for (uint32_t i = 3; i < length; i++)
            named |= find(f, w[i]) != NULL;
    return named;
}

static bool put_instruction(struct flattening *f, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w);
    const bool chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
    const struct gv_spirv_flat *flat = chain ? find(f, w[3]) : NULL;
    if (flat)
        return put_chain(f, w, flat);
    if (names_flat(f, w))
        return refuse(f, "that are passed on");
    gv_spirv_put(&f->edit.body, w, gv_spirv_length(w));
    return true;
}

static bool write_module(struct flattening *f)
{
    const struct gv_spirv_types *t = f->types;
    size_t at = GV_SPIRV_HEADER_WORDS, length;
    gv_spirv_put(&f->edit.head, t->words, at);
    for (; at < t->functions; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        const struct gv_spirv_flat *flat =
            gv_spirv_op(w) == SpvOpVariable ? find(f, w[2]) : NULL;
        if (flat)
            put_variable(f, w, flat);
        else
            gv_spirv_put(&f->edit.head, w, length);
    }
    for (; at < t->count; at += gv_spirv_length(t->words + at))
        if (!put_instruction(f, t->words + at))
            return false;
    return true;
}

static void read_results(struct flattening *f)
{
    const struct gv_spirv_types *t = f->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_has_type(gv_spirv_op(w)))
            f->type_of[w[2]] = w[1];
    }
}

bool gv_spirv_flatten(const uint32_t *words, size_t count, struct gv_arena *arena,
                      const uint32_t **out, size_t *out_count,
                      struct gv_spirv_flats *flats, struct gv_error *err)
{
    struct gv_spirv_types types;
    struct flattening f = { .types = &types, .err = err };
    *out = words;
    *out_count = count;
    *flats = (struct gv_spirv_flats){ 0 };
    if (!gv_spirv_types_read(words, count, arena, &types, err) ||
        !find_variables(&f, arena))
        return false;
    if (!f.count)
        return true;
    f.type_of = gv_arena_array(arena, types.bound, sizeof *f.type_of);
    if (!f.type_of)
        return gv_out_of_memory(err);
    read_results(&f);
    uint32_t *module = NULL;
    gv_spirv_edit_init(&f.edit, words, types.functions);
    const bool ok =
        write_module(&f) && gv_spirv_edit_copy(&f.edit, arena, &module, out_count, err);
    gv_spirv_edit_finish(&f.edit);
    *out = ok ? module : words;
    *flats = (struct gv_spirv_flats){ f.list, f.count };
    return ok;
}
