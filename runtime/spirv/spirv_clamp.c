// Indices of access chains and vectors, bounded by what they index.
#include "runtime/spirv/spirv_parts.h"
#include "vm/spirv/spirv_interface.h"

#include <spirv/unified1/GLSL.std.450.h>

// ---- one index ----

// The width of an integer value's type.
static uint32_t width_of(const struct gv_spirv_rewriting *r, uint32_t type)
{
    const uint32_t *w = gv_spirv_def(r->ids, type);
    return gv_spirv_op(w) == SpvOpTypeInt ? w[2] : 0;
}

// The largest an index can be; indices are signed, so narrow ones may be negative.
static uint32_t index_max(const struct gv_spirv_rewriting *r, uint32_t index)
{
    const struct gv_spirv_value *value = gv_spirv_value_of(&r->values, index);
    uint32_t literal;
    if (width_of(r, value->type) == 32)
        return value->max;
    if (gv_spirv_op(gv_spirv_maker(&r->values, index)) == SpvOpConstant &&
        gv_spirv_constant(r->ids, index, &literal) && literal <= INT8_MAX)
        return literal;
    return UINT32_MAX;
}

static bool is_proven(const struct gv_spirv_rewriting *r, uint32_t index,
                      const struct gv_spirv_bound *b)
{
    uint32_t max = index_max(r, index);
    if (max == 0)
        return true; // nothing has no elements
    return !b->length_spec && !b->count_id && (!b->length || max < b->length);
}

static uint32_t put_min(struct gv_spirv_rewriting *r, uint32_t type, uint32_t a,
                        uint32_t b)
{
    struct gv_spirv_edit *e = &r->edit;
    uint32_t id = e->next_id++;
    gv_spirv_put(&e->body,
                 (uint32_t[]){ 7u << 16 | SpvOpExtInst, type, id, r->glsl,
                               GLSLstd450UMin, a, b },
                 7);
    return id;
}

uint32_t gv_spirv_word(struct gv_spirv_rewriting *r, uint32_t index, uint32_t *type)
{
    struct gv_spirv_edit *e = &r->edit;
    if (width_of(r, *type) == 32)
        return index;
    *type = gv_spirv_edit_uint(e);
    uint32_t id = e->next_id++;
    gv_spirv_put(&e->body, (uint32_t[]){ 4u << 16 | SpvOpSConvert, *type, id, index },
                 4);
    return id;
}

// The index, or one in range made from it: as an unsigned number what is negative is
// large.
uint32_t gv_spirv_clamp(struct gv_spirv_rewriting *r, uint32_t index,
                        const struct gv_spirv_bound *b)
{
    struct gv_spirv_edit *e = &r->edit;
    if (is_proven(r, index, b))
        return index;
    uint32_t type = gv_spirv_value_of(&r->values, index)->type;
    uint32_t id = gv_spirv_word(r, index, &type);
    if (b->length) {
        uint32_t last = b->length - 1 > INT32_MAX ? INT32_MAX : b->length - 1;
        id = put_min(r, type, id, gv_spirv_edit_constant(e, type, last));
    }
    if (b->length_spec)
        id = put_min(r, type, id, gv_spirv_edit_last(e, type, b->length_spec));
    if (b->count_id)
        id = put_min(r, type, id, gv_spirv_edit_last(e, type, b->count_id));
    return id;
}

// ---- what indices run over ----

bool gv_spirv_array_bound(struct gv_spirv_rewriting *r, const uint32_t *type,
                          struct gv_spirv_bound *out)
{
    const uint32_t *length = gv_spirv_maker(&r->values, type[3]);
    uint64_t value = r->ids->ids[type[3]].value;
    if (gv_spirv_op(length) == SpvOpConstant)
        out->length = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    else if (width_of(r, length[1]) == 32)
        out->length_spec = type[3];
    else
        return gv_spirv_cannot(r, "array length that is no 32-bit constant");
    return true;
}

// Whether an array in buffer memory is one of descriptors.
static bool holds_blocks(const struct gv_spirv_rewriting *r, const uint32_t *type)
{
    const uint32_t *element = gv_spirv_def(r->ids, type[2]);
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(r->ids, element[1]);
    return gv_spirv_op(element) == SpvOpTypeStruct &&
           (marks->block || marks->buffer_block);
}

static bool is_buffer(uint32_t storage_class)
{
    return storage_class == SpvStorageClassUniform ||
           storage_class == SpvStorageClassStorageBuffer;
}

// The bound of one index into `type` and the type it leads to.
static bool level_bound(struct gv_spirv_rewriting *r, uint32_t storage_class,
                        const uint32_t *type, uint32_t index,
                        struct gv_spirv_bound *out, uint32_t *inner, bool *member)
{
    uint32_t op = gv_spirv_op(type), number = 0;
    bool robust = is_buffer(storage_class);
    *out = (struct gv_spirv_bound){ 0 };
    *member = op == SpvOpTypeStruct;
    switch (op) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        *inner = type[2];
        out->length = robust ? 0 : type[3];
        return true;
    case SpvOpTypeArray:
        *inner = type[2];
        return (robust && !holds_blocks(r, type)) || gv_spirv_array_bound(r, type, out);
    case SpvOpTypeRuntimeArray:
        *inner = type[2];
        return robust ||
               gv_spirv_cannot(r, "array without a length outside of buffers");
    case SpvOpTypeStruct:
        if (!gv_spirv_constant(r->ids, index, &number) ||
            number >= gv_spirv_length(type) - 2)
            return gv_spirv_cannot(r, "structure member that is no constant");
        *inner = type[2 + number];
        return true;
    default:
        return gv_spirv_cannot(r, "access chain into what has no parts");
    }
}

// Vertices there may be fewer of than the type says.
static void limit_vertices(struct gv_spirv_rewriting *r, uint32_t root,
                           struct gv_spirv_bound *b)
{
    const struct gv_spirv_module *m = r->module;
    const uint32_t *w = gv_spirv_maker(&r->values, root);
    if (gv_spirv_op(w) != SpvOpVariable ||
        (w[3] != SpvStorageClassInput && w[3] != SpvStorageClassOutput) ||
        !gv_spirv_per_vertex(r->ids, m->stage, w))
        return;
    uint32_t most;
    if (m->stage == GV_STAGE_GEOMETRY) {
        most = gv_spirv_primitive_vertices(m->input_primitive);
    } else if (w[3] == SpvStorageClassOutput) {
        most = m->output_vertices;
    } else {
        most = r->limits->max_patch_size;
        b->count_id = r->vertices_id;
    }
    if (most && (!b->length || most < b->length))
        b->length = most;
}

// ---- instructions ----

static void put_body(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    gv_spirv_put(&r->edit.body, w, gv_spirv_length(w));
}

// Appends `w` with one word replaced.
static void put_changed(struct gv_spirv_rewriting *r, const uint32_t *w, uint32_t at,
                        uint32_t value)
{
    put_body(r, w);
    gv_spirv_put_over(&r->edit.body, gv_spirv_length(w) - at, value);
}

// The pointer a chain begins at, if that is a whole variable.
static uint32_t whole_variable(const struct gv_spirv_rewriting *r, uint32_t pointer)
{
    const uint32_t *w = gv_spirv_maker(&r->values, pointer);
    for (int i = 0; i < 16 && gv_spirv_op(w) == SpvOpCopyObject; i++)
        w = gv_spirv_maker(&r->values, w[3]);
    return gv_spirv_op(w) == SpvOpVariable ? w[2] : 0;
}

// OpAccessChain: type, result, base, indices. Clamps are written before it.
bool gv_spirv_clamp_chain(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    uint32_t indices[256]; // the validator's limit is 255
    uint32_t n = gv_spirv_length(w) - 4;
    const uint32_t *pointer =
        gv_spirv_def(r->ids, gv_spirv_value_of(&r->values, w[3])->type);
    if (gv_spirv_op(pointer) != SpvOpTypePointer || n > 256)
        return gv_spirv_cannot(r, "access chain of an unknown base");
    uint32_t storage_class = pointer[2], type = pointer[3];
    for (uint32_t i = 0; i < n; i++) {
        struct gv_spirv_bound b;
        bool member;
        if (!level_bound(r, storage_class, gv_spirv_def(r->ids, type), w[4 + i], &b,
                         &type, &member))
            return false;
        if (i == 0)
            limit_vertices(r, whole_variable(r, w[3]), &b);
        indices[i] = member ? w[4 + i] : gv_spirv_clamp(r, w[4 + i], &b);
    }
    // Nothing promises that indices into buffers are in bounds.
    const uint32_t start[] = { gv_spirv_length(w) << 16 | SpvOpAccessChain, w[1], w[2],
                               w[3] };
    gv_spirv_put(&r->edit.body, start, 4);
    gv_spirv_put(&r->edit.body, indices, n);
    return true;
}

// A component of a vector: the index is the word at `at`.
void gv_spirv_clamp_component(struct gv_spirv_rewriting *r, const uint32_t *w,
                              uint32_t at)
{
    const uint32_t *type =
        gv_spirv_def(r->ids, gv_spirv_value_of(&r->values, w[3])->type);
    const struct gv_spirv_bound b = { .length = type[3] };
    put_changed(r, w, at, gv_spirv_clamp(r, w[at], &b));
}

void gv_spirv_clamp_extended(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    const struct gv_spirv_bound b = { .count_id = r->samples_id };
    if (w[3] == r->values.glsl && w[4] == GLSLstd450InterpolateAtSample)
        put_changed(r, w, 6, gv_spirv_clamp(r, w[6], &b));
    else
        put_body(r, w);
}
