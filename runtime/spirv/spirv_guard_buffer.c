// Whether a place in a buffer exists, as code in front of what uses it.
#include "runtime/spirv/spirv_guard.h"

#define MAX_WORDS (1u << 30) // of a buffer

// The way to a word: what is known of its offset, and a step for each index that is
// not.
struct way {
    uint32_t indices[GV_SPIRV_PLACE_INDICES]; // as the chain takes them
    uint32_t strides[GV_SPIRV_PLACE_INDICES]; // in words, 0 = counted in `words`
    uint32_t count, block; // `block`: the first index, of descriptors
    uint64_t words;
};

static bool step_bytes(struct gv_spirv_guard *g, uint32_t bytes, uint32_t *words)
{
    *words = bytes / 4;
    return (bytes != GV_SPIRV_UNSET && bytes % 4 == 0 && bytes / 4 < MAX_WORDS / 4) ||
           gv_spirv_cannot(g->r, "atomic in a layout of odd or large strides");
}

static bool element(struct gv_spirv_guard *g, struct way *way, uint32_t index,
                    uint32_t bytes)
{
    uint32_t literal, stride;
    if (!step_bytes(g, bytes, &stride))
        return false;
    if (gv_spirv_op(gv_spirv_maker(&g->r->values, index)) == SpvOpConstant &&
        gv_spirv_constant(g->r->ids, index, &literal)) {
        way->words += (uint64_t)literal * stride;
        way->indices[way->count++] = index;
        return true;
    }
    way->strides[way->count] = stride;
    way->indices[way->count++] = gv_spirv_guard_index(g, index);
    return true;
}

static bool member(struct gv_spirv_guard *g, struct way *way, const uint32_t *type,
                   uint32_t index, uint32_t *inner)
{
    uint32_t number, words;
    if (!gv_spirv_constant(g->r->ids, index, &number) ||
        number >= gv_spirv_length(type) - 2)
        return gv_spirv_cannot(g->r, "structure member that is no constant");
    if (!step_bytes(g, gv_spirv_member_marks(g->r->ids, type[1], number)->offset,
                    &words))
        return false;
    way->words += words;
    way->indices[way->count++] = index;
    *inner = type[2 + number];
    return true;
}

static bool find_way(struct gv_spirv_guard *g, struct way *way)
{
    const struct gv_spirv_ids *ids = g->r->ids;
    const struct gv_spirv_place *p = &g->place;
    uint32_t root = gv_spirv_value_of(&g->r->values, p->root)->type;
    uint32_t type_id = gv_spirv_def(ids, root)[3];
    bool in_block = gv_spirv_op(gv_spirv_def(ids, type_id)) != SpvOpTypeArray;
    for (uint32_t i = p->count; i-- > 0;) {
        const uint32_t *type = gv_spirv_def(ids, type_id);
        uint32_t op = gv_spirv_op(type), index = p->indices[i];
        bool ok = true;
        if (!in_block) {
            way->block = way->indices[way->count++] =
                gv_spirv_guard_which(g, type, index);
            ok = way->block != 0;
            in_block = true;
            type_id = type[2];
        } else if (op == SpvOpTypeStruct) {
            ok = member(g, way, type, index, &type_id);
        } else if (op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray) {
            ok = element(g, way, index, gv_spirv_marks_of(ids, type[1])->array_stride);
            type_id = type[2];
        } else if (op == SpvOpTypeVector) {
            ok = element(g, way, index, (uint32_t)gv_spirv_size(ids, type[2]));
            type_id = type[2];
        } else {
            ok = gv_spirv_cannot(g->r, "atomic in a matrix");
        }
        if (!ok)
            return false;
    }
    return true;
}

// The word the way leads to, or one that no buffer has: no sum wraps. Indices become
// those that were added up.
static uint32_t put_offset(struct gv_spirv_guard *g, struct way *way)
{
    struct gv_spirv_edit *e = &g->r->edit;
    uint32_t uint = gv_spirv_edit_uint(e);
    uint64_t known = way->words < MAX_WORDS ? way->words : MAX_WORDS;
    uint32_t sum = gv_spirv_edit_constant(e, uint, (uint32_t)known);
    for (uint32_t i = 0; i < way->count; i++) {
        uint32_t stride = way->strides[i];
        if (!stride)
            continue;
        uint32_t index = gv_spirv_guard_min(g, way->indices[i], MAX_WORDS / stride + 1),
                 words;
        words = gv_spirv_guard_put(g, SpvOpIMul, uint, index,
                                   gv_spirv_edit_constant(e, uint, stride));
        sum = gv_spirv_guard_min(g, gv_spirv_guard_put(g, SpvOpIAdd, uint, sum, words),
                                 MAX_WORDS);
        way->indices[i] = index;
    }
    return sum;
}

bool gv_spirv_guard_buffer(struct gv_spirv_guard *g)
{
    struct gv_spirv_rewriting *r = g->r;
    struct gv_spirv_edit *e = &r->edit;
    const struct gv_spirv_counted *c = gv_spirv_counted_buffer(r, g->place.root);
    uint32_t type =
        gv_spirv_value_of(&r->values, g->atomic[gv_spirv_atomic_pointer(g->atomic)])
            ->type;
    uint64_t bytes = gv_spirv_size(r->ids, gv_spirv_def(r->ids, type)[3]);
    uint32_t values[2], uint = gv_spirv_edit_uint(e);
    struct way way = { 0 };
    if (!c || !find_way(g, &way))
        return !c ? gv_spirv_cannot(r, "atomic on an unknown buffer") : false;
    gv_spirv_guard_values(g, values);
    struct gv_spirv_branch b = gv_spirv_guard_begin(g);
    uint32_t last = put_offset(g, &way);
    if (bytes > 4)
        last = gv_spirv_guard_put(g, SpvOpIAdd, uint, last,
                                  gv_spirv_edit_constant(e, uint, 1));
    uint32_t block =
        gv_spirv_guard_chain(g, c->pointer, c->words, &way.block, way.block != 0);
    uint32_t length = e->next_id++;
    GV_SPIRV_PUT(&e->helpers, SpvOpArrayLength, uint, length, block, 0);
    gv_spirv_guard_if(
        g, &b,
        gv_spirv_guard_put(g, SpvOpULessThan, gv_spirv_edit_bool(e, 1), last, length));
    uint32_t pointer =
        gv_spirv_guard_chain(g, type, g->place.root, way.indices, way.count);
    gv_spirv_guard_finish(g, &b, pointer, values);
    return true;
}
