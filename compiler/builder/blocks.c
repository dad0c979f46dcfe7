#include "compiler/builder/blocks.h"

#include <stdlib.h>
#include <string.h>

#define WORD 4u       // bytes
#define STRETCH 64u   // bytes, of whole words
#define JOINED_GAP 8u // equal bytes that cost less than the code for another run

void gv_blocks_finish(struct gv_blocks *blocks)
{
    free(blocks->table);
    *blocks = (struct gv_blocks){ 0 };
}

static struct gv_held_block *probe(struct gv_held_block *table, size_t size,
                                   uint64_t id)
{
    size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (size - 1);
    while (table[at].version && table[at].id != id)
        at = (at + 1) & (size - 1);
    return &table[at];
}

static bool grow(struct gv_blocks *blocks)
{
    size_t size = blocks->size ? blocks->size * 2 : 64;
    struct gv_held_block *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < blocks->size; i++)
        if (blocks->table[i].version)
            *probe(table, size, blocks->table[i].id) = blocks->table[i];
    free(blocks->table);
    blocks->table = table;
    blocks->size = size;
    return true;
}

struct gv_held_block *gv_blocks_find(struct gv_blocks *blocks, uint64_t id)
{
    if (2 * (blocks->count + 1) > blocks->size && !grow(blocks))
        return NULL;
    struct gv_held_block *block = probe(blocks->table, blocks->size, id);
    if (block->version)
        return block;
    if (blocks->count == GV_BLOCKS_MAX)
        return NULL;
    *block = (struct gv_held_block){ .id = id };
    return block;
}

// Compares of sizes that the compiler knows: a word is one instruction.
static bool same_word(const uint8_t *a, const uint8_t *b, size_t left)
{
    return left < WORD ? memcmp(a, b, left) == 0 : memcmp(a, b, WORD) == 0;
}

// Steps over stretches without a change: nearly all of most blocks.
static size_t skip_equal(const uint8_t *a, const uint8_t *b, size_t at, size_t size)
{
    while (size - at >= STRETCH && memcmp(a + at, b + at, STRETCH) == 0)
        at += STRETCH;
    return at;
}

bool gv_block_change(const uint8_t *before, const uint8_t *after, size_t size,
                     size_t *cursor, size_t *start, size_t *length)
{
    size_t at = skip_equal(before, after, *cursor, size), end = 0; // of the run
    bool found = false;
    for (; at < size && !(found && at - end > JOINED_GAP); at += WORD) {
        if (same_word(before + at, after + at, size - at))
            continue;
        if (!found)
            *start = at;
        found = true;
        end = at + WORD < size ? at + WORD : size;
    }
    *cursor = at < size ? at : size;
    if (found)
        *length = end - *start;
    return found;
}
