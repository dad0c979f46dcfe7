#include "compiler/shader/spirv/spirv_wide.h"

#include <string.h>

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"

#define MOST_UVEC4 32u
#define MOST_PARTS 32u // of a composite

// One input of doubles.
struct input {
    uint32_t pointee; // its type
    uint32_t private; // pointer to the variable of this module that it became
    uint32_t array;   // pointer to the array that is the input now
    struct gv_spirv_wide wide;
};

struct widening {
    struct gv_spirv_types types;
    struct input **inputs; // [bound]: of a variable or a pointer into it
    uint32_t *privates;    // [bound]: of a pointer type, the same to private memory
    uint32_t entry;
    uint32_t uint_type, uvec2, uvec4, to_uvec4; // types
    struct gv_spirv_edit edit;                  // `head`: what is made
};

// ---- types ----

static bool is_double(const uint32_t *type)
{
    return gv_spirv_op(type) == SpvOpTypeFloat && type[2] == 64;
}

// Columns and their rows; 0: nothing of doubles, or too many.
static uint32_t columns_of(const struct gv_spirv_types *t, uint32_t id, uint32_t *rows)
{
    uint32_t columns = 1;
    const uint32_t *type = gv_spirv_type(t, id);
    while (gv_spirv_op(type) == SpvOpTypeArray ||
           gv_spirv_op(type) == SpvOpTypeMatrix) {
        const uint32_t n =
            gv_spirv_op(type) == SpvOpTypeArray ? gv_spirv_value(t, type[3]) : type[3];
        if (n > MOST_PARTS || n * columns > MOST_UVEC4)
            return 0;
        columns *= n;
        type = gv_spirv_type(t, type[2]);
    }
    *rows = 1;
    if (gv_spirv_op(type) == SpvOpTypeVector) {
        *rows = type[3];
        type = gv_spirv_type(t, type[2]);
    }
    return is_double(type) ? columns : 0;
}

static uint32_t private_of(struct widening *w, uint32_t pointer_type)
{
    if (!w->privates[pointer_type])
        w->privates[pointer_type] =
            gv_spirv_edit_pointer(&w->edit, SpvStorageClassPrivate,
                                  gv_spirv_type(&w->types, pointer_type)[3]);
    return w->privates[pointer_type];
}

// ---- variables ----

static void make_types(struct widening *w)
{
    w->uint_type = gv_spirv_edit_type(&w->edit, SpvOpTypeInt, 32, 0);
    w->uvec2 = gv_spirv_edit_type(&w->edit, SpvOpTypeVector, w->uint_type, 2);
    w->uvec4 = gv_spirv_edit_type(&w->edit, SpvOpTypeVector, w->uint_type, 4);
    w->to_uvec4 = gv_spirv_edit_pointer(&w->edit, SpvStorageClassInput, w->uvec4);
}

static void make_input(struct widening *w, struct input *in, uint32_t uvec4_count)
{
    if (!w->uint_type)
        make_types(w);
    const uint32_t size = gv_spirv_edit_word(&w->edit, w->uint_type, uvec4_count),
                   array = w->edit.next_id++;
    GV_SPIRV_PUT(&w->edit.head, SpvOpTypeArray, array, w->uvec4, size);
    in->array = gv_spirv_edit_pointer(&w->edit, SpvStorageClassInput, array);
    in->wide.id = w->edit.next_id++;
    GV_SPIRV_PUT(&w->edit.head, SpvOpVariable, in->array, in->wide.id,
                 SpvStorageClassInput);
}

static bool add_input(struct widening *w, const uint32_t *variable,
                      struct gv_arena *arena, struct gv_error *err)
{
    const uint32_t pointee = gv_spirv_type(&w->types, variable[1])[3];
    uint32_t rows = 0, columns = columns_of(&w->types, pointee, &rows);
    const uint32_t in_column = rows > 2 ? 2 : 1;
    if (columns == 0 || columns * in_column > MOST_UVEC4)
        return true;
    struct input *in = gv_arena_array(arena, 1, sizeof *in);
    if (!in)
        return gv_out_of_memory(err);
    in->pointee = pointee;
    in->wide = (struct gv_spirv_wide){ .columns = columns, .in_column = in_column };
    make_input(w, in, columns * in_column);
    in->private = private_of(w, variable[1]);
    GV_SPIRV_PUT(&w->edit.head, SpvOpVariable, in->private, variable[2],
                 SpvStorageClassPrivate);
    w->inputs[variable[2]] = in;
    return true;
}

static bool find_inputs(struct widening *w, const bool *used, struct gv_arena *arena,
                        struct gv_error *err)
{
    const struct gv_spirv_types *t = &w->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *v = t->words + at;
        if (gv_spirv_op(v) == SpvOpVariable && v[3] == SpvStorageClassInput &&
            used[v[2]] && !add_input(w, v, arena, err))
            return false;
    }
    return true;
}

// ---- code in front of the program's ----

// The uvec4 at `*next`, as two doubles.
static void load_two(struct widening *w, const struct input *in, uint32_t at,
                     uint32_t type, uint32_t out[2])
{
    const uint32_t pointer = w->edit.next_id++, four = w->edit.next_id++;
    GV_SPIRV_PUT(&w->edit.body, SpvOpAccessChain, w->to_uvec4, pointer, in->wide.id,
                 gv_spirv_edit_word(&w->edit, w->uint_type, at));
    GV_SPIRV_PUT(&w->edit.body, SpvOpLoad, w->uvec4, four, pointer);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t two = w->edit.next_id++;
        GV_SPIRV_PUT(&w->edit.body, SpvOpVectorShuffle, w->uvec2, two, four, four,
                     2 * i, 2 * i + 1);
        out[i] = w->edit.next_id++;
        GV_SPIRV_PUT(&w->edit.body, SpvOpBitcast, type, out[i], two);
    }
}

static uint32_t composed(struct widening *w, uint32_t type, const uint32_t *parts,
                         uint32_t count)
{
    uint32_t operands[2 + MOST_PARTS] = { type, w->edit.next_id };
    memcpy(operands + 2, parts, count * sizeof *parts);
    gv_spirv_put_op(&w->edit.body, SpvOpCompositeConstruct, operands, 2 + count);
    return w->edit.next_id++;
}

// A scalar or vector, the column `*next` of its input.
static uint32_t load_column(struct widening *w, const struct input *in, uint32_t id,
                            uint32_t *next)
{
    const uint32_t *type = gv_spirv_type(&w->types, id);
    const bool vector = gv_spirv_op(type) == SpvOpTypeVector;
    uint32_t numbers[4] = { 0 };
    for (uint32_t i = 0; i < in->wide.in_column; i++)
        load_two(w, in, *next * in->wide.in_column + i, vector ? type[2] : id,
                 numbers + (size_t)2 * i);
    ++*next;
    return vector ? composed(w, id, numbers, type[3]) : numbers[0];
}

// Arrays of arrays are as deep as columns_of has seen.
static uint32_t load_value(struct widening *w, const struct input *in, uint32_t id,
                           uint32_t *next)
{
    const uint32_t *type = gv_spirv_type(&w->types, id);
    const uint32_t op = gv_spirv_op(type);
    uint32_t parts[MOST_PARTS];
    if (op != SpvOpTypeArray && op != SpvOpTypeMatrix)
        return load_column(w, in, id, next);
    const uint32_t count =
        op == SpvOpTypeArray ? gv_spirv_value(&w->types, type[3]) : type[3];
    for (uint32_t i = 0; i < count; i++)
        parts[i] = load_value(w, in, type[2], next); // NOLINT(misc-no-recursion)
    return composed(w, id, parts, count);
}

static void load_all(struct widening *w)
{
    for (uint32_t id = 1; id < w->types.bound; id++) {
        const struct input *in = w->inputs[id];
        uint32_t next = 0;
        if (!in || gv_spirv_op(gv_spirv_type(&w->types, id)) != SpvOpVariable)
            continue;
        const uint32_t value = load_value(w, in, in->pointee, &next);
        GV_SPIRV_PUT(&w->edit.body, SpvOpStore, id, value);
    }
}

// ---- the module ----

static struct input *input_of(const struct widening *w, uint32_t id)
{
    return id < w->types.bound ? w->inputs[id] : NULL;
}

// What names or decorates a variable is about the input; interfaces have both.
static void copy_head(struct widening *w, const uint32_t *in)
{
    struct gv_bytes *to = &w->edit.front;
    const uint32_t op = gv_spirv_op(in), length = gv_spirv_length(in);
    const struct input *about =
        op == SpvOpName || op == SpvOpDecorate ? input_of(w, in[1]) : NULL;
    if (op == SpvOpVariable && input_of(w, in[2]))
        return;
    if (about) {
        gv_spirv_put(to, in, 1);
        gv_bytes_u32(to, about->wide.id);
        gv_spirv_put(to, in + 2, length - 2);
        return;
    }
    const size_t head = to->size;
    gv_spirv_put(to, in, length);
    if (op != SpvOpEntryPoint)
        return;
    w->entry = in[2];
    uint32_t more = 0;
    for (uint32_t i = gv_spirv_interface_at(in); i < length; i++)
        if (input_of(w, in[i])) {
            gv_bytes_u32(to, input_of(w, in[i])->wide.id);
            more++;
        }
    const uint32_t first = (length + more) << 16 | op;
    if (!to->failed)
        memcpy(to->data + head, &first, sizeof first);
}

// Pointers into what is private now are such.
static void copy_code(struct widening *w, const uint32_t *in)
{
    const uint32_t op = gv_spirv_op(in), length = gv_spirv_length(in);
    const bool chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ||
                       op == SpvOpCopyObject;
    if (!chain || !input_of(w, in[3])) {
        gv_spirv_put(&w->edit.body, in, length);
        return;
    }
    w->inputs[in[2]] = input_of(w, in[3]);
    gv_spirv_put(&w->edit.body, in, 1);
    gv_bytes_u32(&w->edit.body, private_of(w, in[1]));
    gv_spirv_put(&w->edit.body, in + 2, length - 2);
}

static void copy_functions(struct widening *w)
{
    const struct gv_spirv_types *t = &w->types;
    bool waits = false; // for the end of the entry point's variables
    for (size_t at = t->functions; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *in = t->words + at;
        const uint32_t op = gv_spirv_op(in);
        if (waits && op != SpvOpFunction && op != SpvOpLabel && op != SpvOpVariable) {
            load_all(w);
            waits = false;
        }
        waits |= op == SpvOpFunction && in[2] == w->entry;
        copy_code(w, in);
    }
}

static void write_module(struct widening *w)
{
    const struct gv_spirv_types *t = &w->types;
    gv_spirv_put(&w->edit.front, t->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at))
        copy_head(w, t->words + at);
    copy_functions(w);
}

static bool list_inputs(const struct widening *w, struct gv_arena *arena,
                        struct gv_spirv_widened *out, struct gv_error *err)
{
    out->inputs = gv_arena_array(arena, w->types.bound, sizeof *out->inputs);
    if (!out->inputs)
        return gv_out_of_memory(err);
    for (uint32_t id = 1; id < w->types.bound; id++)
        if (w->inputs[id])
            out->inputs[out->input_count++] = w->inputs[id]->wide;
    return true;
}

bool gv_spirv_widen(const uint32_t *words, size_t count, struct gv_arena *arena,
                    struct gv_spirv_widened *out, struct gv_error *err)
{
    struct widening w = { 0 };
    *out = (struct gv_spirv_widened){ .words = words, .count = count };
    if (!gv_spirv_types_read(words, count, arena, &w.types, err))
        return false;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    w.inputs = gv_arena_array(arena, w.types.bound, sizeof *w.inputs);
    w.privates = gv_arena_array(arena, w.types.bound, sizeof *w.privates);
    bool *used = gv_arena_array(arena, w.types.bound, sizeof *used);
    if (!w.inputs || !w.privates || !used)
        return gv_out_of_memory(err);
    gv_spirv_mark_used(&w.types, used);
    gv_spirv_edit_init(&w.edit, words, w.types.functions);
    bool ok = find_inputs(&w, used, arena, err) && list_inputs(&w, arena, out, err);
    if (ok && out->input_count) {
        uint32_t *module = NULL;
        write_module(&w);
        ok = gv_spirv_edit_copy(&w.edit, arena, &module, &out->count, err);
        out->words = module;
    }
    gv_spirv_edit_finish(&w.edit);
    return ok;
}
