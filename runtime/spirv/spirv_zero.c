// Variables too large for an initial value, zeroed by helpers that loop over arrays.
#include "runtime/spirv/spirv_parts.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

// Variables too large for an initial value are zeroed where their function begins, by a
// helper that loops over their arrays.

#define STORED_BYTES 64 // with one store

// A helper being written: a pointer to what is zeroed.
struct zeroing {
    struct gv_spirv_rewriting *r;
    uint32_t storage_class, pointer;           // id of the parameter
    uint32_t indices[GV_MAX_SPIRV_TYPE_DEPTH]; // of the part at hand
    uint32_t depth, label, stores;             // `label`: of the block at hand
};

static bool zero_part(struct zeroing *z, uint32_t type);

static bool store(struct zeroing *z, uint32_t type)
{
    struct gv_spirv_edit *e = &z->r->edit;
    uint32_t pointer = z->pointer, null = gv_spirv_edit_null(e, type);
    if (++z->stores > GV_MAX_SPIRV_ZERO_STORES)
        return gv_fail(z->r->err, GV_ERR_UNSUPPORTED, z->r->offset,
                       "SPIR-V variable of over %d parts and 1024 bytes",
                       GV_MAX_SPIRV_ZERO_STORES);
    if (z->depth) {
        pointer = e->next_id++;
        const uint32_t start[] = { (4 + z->depth) << 16 | SpvOpAccessChain,
                                   gv_spirv_edit_pointer(e, z->storage_class, type),
                                   pointer, z->pointer };
        gv_spirv_put(&e->helpers, start, 4);
        gv_spirv_put(&e->helpers, z->indices, z->depth);
    }
    GV_SPIRV_PUT(&e->helpers, SpvOpStore, pointer, null);
    return true;
}

static void begin_block(struct zeroing *z, uint32_t label)
{
    GV_SPIRV_PUT(&z->r->edit.helpers, SpvOpLabel, label);
    z->label = label;
}

// for (i = 0; i <= length; i++) part[min(i, length - 1)] = 0; once more than there are
// parts, since lavapipe unrolls loops that run over an array exactly.
static bool zero_array(struct zeroing *z, const uint32_t *type)
{
    struct gv_spirv_edit *e = &z->r->edit;
    struct gv_bytes *to = &e->helpers;
    struct gv_spirv_bound bound = { 0 };
    if (!gv_spirv_array_bound(z->r, type, &bound))
        return false;
    uint32_t number = bound.length ? gv_spirv_edit_uint(e)
                                   : gv_spirv_maker(&z->r->values, type[3])[1];
    uint32_t length = bound.length ? gv_spirv_edit_constant(e, number, bound.length)
                                   : bound.length_spec;
    uint32_t zero = gv_spirv_edit_constant(e, number, 0);
    uint32_t one = gv_spirv_edit_constant(e, number, 1);
    uint32_t last = bound.length ? gv_spirv_edit_constant(e, number, bound.length - 1)
                                 : gv_spirv_edit_last(e, number, length);
    uint32_t boolean = gv_spirv_edit_bool(e, 1), from = z->label;
    uint32_t i = e->next_id, next = i + 1, more = i + 2;
    uint32_t head = i + 3, body = i + 4, step = i + 5, end = i + 6;
    uint32_t part = i + 7;
    e->next_id += 8;
    GV_SPIRV_PUT(to, SpvOpBranch, head);
    begin_block(z, head);
    GV_SPIRV_PUT(to, SpvOpPhi, number, i, zero, from, next, step);
    GV_SPIRV_PUT(to, SpvOpLoopMerge, end, step, SpvLoopControlMaskNone);
    GV_SPIRV_PUT(to, SpvOpBranch, body);
    begin_block(z, body);
    GV_SPIRV_PUT(to, SpvOpExtInst, number, part, z->r->glsl, GLSLstd450UMin, i, last);
    z->indices[z->depth++] = part;
    bool ok = zero_part(z, type[2]);
    z->depth--;
    GV_SPIRV_PUT(to, SpvOpBranch, step);
    begin_block(z, step);
    GV_SPIRV_PUT(to, SpvOpIAdd, number, next, i, one);
    GV_SPIRV_PUT(to, SpvOpULessThan, boolean, more, i, length);
    GV_SPIRV_PUT(to, SpvOpBranchConditional, more, head, end);
    begin_block(z, end);
    return ok;
}

static bool zero_part(struct zeroing *z, uint32_t type_id)
{
    struct gv_spirv_edit *e = &z->r->edit;
    const uint32_t *type = gv_spirv_def(z->r->ids, type_id);
    uint32_t op = gv_spirv_op(type);
    if (op == SpvOpTypeArray && (gv_spirv_size(z->r->ids, type_id) > STORED_BYTES ||
                                 !gv_spirv_is_fixed(z->r, type_id)))
        return zero_array(z, type);
    if (op != SpvOpTypeStruct)
        return store(z, type_id);
    for (uint32_t i = 2; i < gv_spirv_length(type); i++) {
        z->indices[z->depth++] =
            gv_spirv_edit_constant(e, gv_spirv_edit_uint(e), i - 2);
        bool ok = zero_part(z, type[i]);
        z->depth--;
        if (!ok)
            return false;
    }
    return true;
}

static uint32_t void_type(const struct gv_spirv_rewriting *r)
{
    return gv_spirv_maker(&r->values, r->entry)[1];
}

// The helper for pointers of the type.
static bool define_helper(struct gv_spirv_rewriting *r, uint32_t pointer_type,
                          uint32_t function)
{
    struct gv_spirv_edit *e = &r->edit;
    const uint32_t *type = gv_spirv_def(r->ids, pointer_type);
    struct zeroing z = { .r = r, .storage_class = type[2], .pointer = e->next_id++ };
    uint32_t shape = gv_spirv_edit_function(e, void_type(r), &pointer_type, 1);
    GV_SPIRV_PUT(&e->helpers, SpvOpFunction, void_type(r), function,
                 SpvFunctionControlMaskNone, shape);
    GV_SPIRV_PUT(&e->helpers, SpvOpFunctionParameter, pointer_type, z.pointer);
    begin_block(&z, e->next_id++);
    bool ok = zero_part(&z, type[3]);
    gv_spirv_put_op(&e->helpers, SpvOpReturn, NULL, 0);
    gv_spirv_put_op(&e->helpers, SpvOpFunctionEnd, NULL, 0);
    return ok;
}

static bool call(struct gv_spirv_rewriting *r, uint32_t variable)
{
    struct gv_spirv_edit *e = &r->edit;
    uint32_t type = gv_spirv_value_of(&r->values, variable)->type;
    bool is_new;
    uint32_t helper = gv_spirv_edit_helper(e, GV_SPIRV_ZERO_HELPER, type, &is_new);
    if (is_new && !define_helper(r, type, helper))
        return false;
    uint32_t nothing = e->next_id++;
    GV_SPIRV_PUT(&e->body, SpvOpFunctionCall, void_type(r), nothing, helper, variable);
    return true;
}

static bool call_all(struct gv_spirv_rewriting *r, const struct gv_bytes *ids)
{
    uint32_t id;
    for (size_t at = 0; at < ids->size; at += sizeof id) {
        memcpy(&id, ids->data + at, sizeof id);
        if (!call(r, id))
            return false;
    }
    return true;
}

bool gv_spirv_zero_unset(struct gv_spirv_rewriting *r)
{
    bool ok = (!r->in_entry || call_all(r, &r->privates)) && call_all(r, &r->unset);
    r->unset.size = 0;
    return ok;
}
