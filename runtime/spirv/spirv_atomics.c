// Atomics on buffers of counted size: each runs only where its place exists.
#include "runtime/spirv/spirv_guard.h"

// Robust access is not promised to atomics: each one on a buffer or an image becomes
// the call of a function of ours that performs it where it is inside, and else yields
// zeros. Of a buffer that is known by its words, which a second variable of the same
// descriptor counts. Calls, since a block cannot be parted where loops begin and end.

// ---- where it goes ----

static void follow(const struct gv_spirv_rewriting *r, uint32_t pointer,
                   struct gv_spirv_place *out)
{
    const uint32_t *w = gv_spirv_maker(&r->values, pointer);
    uint32_t op = gv_spirv_op(w);
    while (op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ||
           op == SpvOpCopyObject) {
        for (uint32_t i = gv_spirv_length(w) - 1; i > 3; i--) {
            if (out->count == GV_SPIRV_PLACE_INDICES)
                return;
            out->indices[out->count++] = w[i];
        }
        w = gv_spirv_maker(&r->values, w[3]);
        op = gv_spirv_op(w);
    }
    out->root = op == SpvOpVariable ? w[2] : 0;
}

// Whether the pointer is one that drivers need not keep in bounds. Workgroup memory is
// clamped.
static bool place_of(const struct gv_spirv_rewriting *r, uint32_t pointer,
                     struct gv_spirv_place *out)
{
    const uint32_t *type =
        gv_spirv_def(r->ids, gv_spirv_value_of(&r->values, pointer)->type);
    const uint32_t *w = gv_spirv_maker(&r->values, pointer);
    *out = (struct gv_spirv_place){ 0 };
    if (type[2] == SpvStorageClassImage) {
        if (gv_spirv_op(w) != SpvOpImageTexelPointer)
            return true;
        out->texel = w;
        follow(r, w[3], out);
        return true;
    }
    if (type[2] != SpvStorageClassStorageBuffer && type[2] != SpvStorageClassUniform)
        return false;
    follow(r, pointer, out);
    return true;
}

// ---- buffers counted in words ----

struct gv_spirv_counted *gv_spirv_counted_buffer(struct gv_spirv_rewriting *r,
                                                 uint32_t variable)
{
    for (uint32_t i = 0; i < r->counted_count; i++)
        if (r->counted[i].variable == variable)
            return &r->counted[i];
    return NULL;
}

bool gv_spirv_find_atomics(struct gv_spirv_rewriting *r)
{
    const struct gv_spirv_ids *ids = r->ids;
    struct gv_spirv_place place;
    for (size_t at = ids->functions; at < ids->count;
         at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        r->offset = at * 4;
        if (!gv_spirv_is_atomic(gv_spirv_op(w)) ||
            !place_of(r, w[gv_spirv_atomic_pointer(w)], &place))
            continue;
        if (!place.root)
            return gv_spirv_cannot(r, "atomic through a pointer that is handed on");
        r->queries |= place.texel != NULL;
        if (place.texel || gv_spirv_counted_buffer(r, place.root))
            continue;
        if (r->counted_count == GV_MAX_SPIRV_BINDINGS)
            return gv_spirv_cannot(r, "atomics on so many buffers");
        r->counted[r->counted_count++] =
            (struct gv_spirv_counted){ .variable = place.root,
                                       .words = r->edit.next_id++ };
    }
    return true;
}

// The block of the variable's storage class: [1] where that is Uniform.
static uint32_t *words_block(struct gv_spirv_rewriting *r, uint32_t variable)
{
    uint32_t class = gv_spirv_maker(&r->values, variable)[3];
    return &r->words_blocks[class == SpvStorageClassUniform];
}

void gv_spirv_decorate_counted(struct gv_spirv_rewriting *r)
{
    struct gv_spirv_edit *e = &r->edit;
    for (uint32_t i = 0; i < r->counted_count; i++) {
        const struct gv_spirv_counted *c = &r->counted[i];
        const struct gv_spirv_marks *marks = gv_spirv_marks_of(r->ids, c->variable);
        uint32_t *block = words_block(r, c->variable);
        GV_SPIRV_PUT(&e->head, SpvOpDecorate, c->words, SpvDecorationDescriptorSet,
                     marks->set);
        GV_SPIRV_PUT(&e->head, SpvOpDecorate, c->words, SpvDecorationBinding,
                     marks->binding);
        if (!*block)
            *block = e->next_id++;
    }
    if (r->counted_count) {
        r->words_array = e->next_id++;
        GV_SPIRV_PUT(&e->head, SpvOpDecorate, r->words_array, SpvDecorationArrayStride,
                     4);
    }
    for (int i = 0; i < 2; i++)
        if (r->words_blocks[i]) {
            GV_SPIRV_PUT(&e->head, SpvOpDecorate, r->words_blocks[i],
                         i ? SpvDecorationBufferBlock : SpvDecorationBlock);
            GV_SPIRV_PUT(&e->head, SpvOpMemberDecorate, r->words_blocks[i], 0,
                         SpvDecorationOffset, 0);
        }
}

void gv_spirv_define_counted(struct gv_spirv_rewriting *r)
{
    struct gv_spirv_edit *e = &r->edit;
    if (r->counted_count)
        GV_SPIRV_PUT(&e->head, SpvOpTypeRuntimeArray, r->words_array,
                     gv_spirv_edit_uint(e));
    for (int i = 0; i < 2; i++)
        if (r->words_blocks[i])
            GV_SPIRV_PUT(&e->head, SpvOpTypeStruct, r->words_blocks[i], r->words_array);
    for (uint32_t i = 0; i < r->counted_count; i++) {
        struct gv_spirv_counted *c = &r->counted[i];
        const uint32_t *w = gv_spirv_maker(&r->values, c->variable);
        const uint32_t *type = gv_spirv_def(r->ids, gv_spirv_def(r->ids, w[1])[3]);
        uint32_t block = *words_block(r, c->variable), all = block;
        if (gv_spirv_op(type) == SpvOpTypeArray) {
            all = e->next_id++;
            GV_SPIRV_PUT(&e->head, SpvOpTypeArray, all, block, type[3]);
        }
        c->pointer = gv_spirv_edit_pointer(e, w[3], block);
        GV_SPIRV_PUT(&e->head, SpvOpVariable, gv_spirv_edit_pointer(e, w[3], all),
                     c->words, w[3]);
    }
}

bool gv_spirv_guard_atomic(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    struct gv_spirv_guard g = { .r = r, .atomic = w };
    if (!place_of(r, w[gv_spirv_atomic_pointer(w)], &g.place)) {
        gv_spirv_put(&r->edit.body, w, gv_spirv_length(w));
        return true;
    }
    return g.place.texel ? gv_spirv_guard_image(&g) : gv_spirv_guard_buffer(&g);
}
