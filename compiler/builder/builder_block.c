// Blocks: bytes for calls out of volatile memory, written where they change.
#include "compiler/builder/builder_private.h"

#include <string.h>

#include "vm/matrix/matrix.h"

// Of code, about: VOLATILE, a push or CONST, STORE32 or COPY.
#define RUN_BYTES 10u
#define FEWEST_ROOM 256  // bytes
#define MOST_PATIENCE 64 // contents in a row that differ everywhere
#define RUNS_MAX 64 // then the whole block comes: every run is an instruction or three

static uint64_t room_for(uint64_t size)
{
    uint64_t room = FEWEST_ROOM;
    while (room < size)
        room *= 2;
    return room;
}

// Room for a block that is new or has grown: nothing is in it.
static bool place_block(struct gv_builder *b, struct gv_held_block *block,
                        uint64_t size)
{
    uint64_t room = room_for(size);
    if (room > GV_BLOCKS_BYTES - b->blocks.bytes ||
        !gv_observations_reserve(&b->observations, room, &block->place))
        return false;
    b->blocks.bytes += room;
    if (!block->version)
        b->blocks.count++;
    block->room = room;
    block->patience = 1;
    block->version = ++b->blocks.versions;
    return true;
}

static void put_word(struct gv_builder *b, uint64_t place, const uint8_t *word)
{
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return;
    uint32_t bits = word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 |
                    (uint32_t)word[3] << 24;
    p = bits < 128 ? gv_put_push(p, bits) : gv_put_f32(p, bits);
    p = gv_put_op(p, GV_OP_VOLATILE, place);
    *p++ = GV_OP_STORE32;
    b->code.instructions += 3;
    if (b->code.stack < 2)
        b->code.stack = 2;
    gv_code_advance(&b->code.bytes, p);
}

void gv_builder_put_run(struct gv_builder *b, uint64_t place, const uint8_t *data,
                        uint64_t size)
{
    bool small = gv_builder_inline(b, size);
    uint32_t number;
    if (small ? !gv_builder_constant(b, data, (size_t)size, &number)
              : !gv_builder_resource(b, data, size, &number))
        return;
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return;
    p = gv_put_op(p, GV_OP_VOLATILE, place);
    if (small) {
        p = gv_put_op(p, GV_OP_CONST, number);
        p = gv_put_op(p, GV_OP_COPY, size);
    } else {
        p = gv_builder_put_resource(b, p, GV_OP_FETCH, number);
    }
    b->code.instructions += small ? 3 : 2;
    if (b->code.stack < (small ? 2 : 1))
        b->code.stack = small ? 2 : 1;
    gv_code_advance(&b->code.bytes, p);
}

// What writing the changes takes in the payload, about.
static uint64_t measure(const uint8_t *held, const uint8_t *data, size_t size)
{
    size_t cursor = 0, start = 0, length = 0;
    uint64_t bytes = 0;
    for (uint32_t runs = 0; gv_block_change(held, data, size, &cursor, &start, &length);
         runs++) {
        if (runs == RUNS_MAX)
            return UINT64_MAX;
        bytes += RUN_BYTES + length;
    }
    return bytes;
}

bool gv_block_is_near(const uint8_t *held, const uint8_t *data, size_t size)
{
    return measure(held, data, size) <= size / 2;
}

static void put_changes(struct gv_builder *b, uint64_t place, const uint8_t *held,
                        const uint8_t *data, size_t size)
{
    size_t cursor = 0, start = 0, length = 0;
    while (gv_block_change(held, data, size, &cursor, &start, &length)) {
        if (length == 4)
            put_word(b, place + start, data + start);
        else
            gv_builder_put_run(b, place + start, data + start, length);
    }
}

// Whether contents that differ nearly everywhere should go into the block: so that the
// next ones differ less. Where that has not helped, it is tried ever more rarely.
static bool worth_a_start(struct gv_held_block *block)
{
    if (++block->misses < block->patience)
        return false;
    block->misses = 0;
    if (block->patience < MOST_PATIENCE)
        block->patience *= 2;
    return true;
}

static struct gv_contents block_contents(const struct gv_held_block *block,
                                         const void *data)
{
    return (struct gv_contents){ GV_CONTENTS_BLOCK, block->version << 32 | block->place,
                                 data };
}

// The block as it is to be, but for `whole`, where its bytes come as a run.
static void put_rest(struct gv_builder *b, struct gv_held_block *block,
                     const void *data, size_t size, bool whole)
{
    uint8_t *held = b->observations.memory + block->place;
    if (whole)
        gv_builder_put_run(b, block->place, data, size);
    else
        put_changes(b, block->place, held, data, size);
    memcpy(held, data, size);
    block->version = ++b->blocks.versions;
    block->patience = whole ? block->patience : 1;
    block->misses = 0;
}

// A size that a block can have. One matrix and nothing else is a constant or is made.
static bool may_be_block(const struct gv_builder *b, const void *data, uint64_t size)
{
    if (size == GV_MATRIX_BYTES)
        return gv_matrices_find(&b->matrices, data) != 0;
    return size > GV_INLINE_BYTES && size <= GV_BLOCK_MAX_BYTES;
}

struct gv_contents gv_builder_block(struct gv_builder *b, uint64_t id, const void *data,
                                    uint64_t size)
{
    if (b->failed || !may_be_block(b, data, size) || b->blocks.versions >= UINT32_MAX)
        return gv_data(data);
    if (gv_builder_branch(
            b)) // what a skipped branch writes nobody could know behind it
        return gv_data(data);
    struct gv_held_block *block = gv_blocks_find(&b->blocks, id);
    if (!block || (block->room < size && !place_block(b, block, size)))
        return gv_data(data);
    const bool made = gv_builder_put_matrices(b, block, data, (size_t)size);
    if (!made && size <= GV_INLINE_BYTES)
        return gv_data(data);
    uint64_t cost = measure(b->observations.memory + block->place, data, (size_t)size);
    bool whole = cost > size / 2;
    if (whole && !worth_a_start(block))
        return gv_data(data); // a resource, which may be known already
    if (cost || made)
        put_rest(b, block, data, (size_t)size, whole);
    return block_contents(block, data);
}
