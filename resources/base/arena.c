#include "resources/base/arena.h"

#include "resources/base/pages.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define PAGED_BYTES ((size_t)512 * 1024) // from here on blocks are pages
#define ALIGNMENT ((size_t)16)

struct gv_arena_block {
    struct gv_arena_block *next;
    size_t used, size; // of `data`
    alignas(16) unsigned char data[];
};

static size_t whole_size(size_t size)
{
    return sizeof(struct gv_arena_block) + size;
}

void gv_arena_finish(struct gv_arena *arena)
{
    struct gv_arena_block *block = arena->head;
    while (block) {
        struct gv_arena_block *next = block->next;
        if (block->size >= PAGED_BYTES)
            gv_pages_give(block, whole_size(block->size));
        else
            free(block);
        block = next;
    }
    *arena = (struct gv_arena){ 0 };
}

// What is larger than a block usually is holds one thing.
static bool comes_zeroed(const struct gv_arena_block *block)
{
    return block->size > BLOCK_BYTES;
}

static struct gv_arena_block *add_block(struct gv_arena *arena, size_t size)
{
    const size_t whole = whole_size(size);
    struct gv_arena_block *block = size >= PAGED_BYTES  ? gv_pages_take(whole)
                                   : size > BLOCK_BYTES ? calloc(1, whole)
                                                        : malloc(whole);
    if (!block)
        return NULL;
    *block = (struct gv_arena_block){ .next = arena->head, .size = size };
    arena->head = block;
    arena->total += sizeof *block + size;
    return block;
}

// Not zeroed where the block did not come so.
static void *take(struct gv_arena *arena, size_t n, bool *zeroed)
{
    if (n > SIZE_MAX / 2)
        return NULL;
    size_t rounded = (n + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    struct gv_arena_block *block = arena->head;
    if (!block || rounded > block->size - block->used)
        block = add_block(arena, rounded > BLOCK_BYTES ? rounded : BLOCK_BYTES);
    if (!block)
        return NULL;
    void *at = block->data + block->used;
    block->used += rounded;
    *zeroed = comes_zeroed(block);
    return at;
}

void *gv_arena_alloc(struct gv_arena *arena, size_t n)
{
    bool zeroed;
    void *at = take(arena, n, &zeroed);
    return at && !zeroed ? memset(at, 0, n) : at;
}

void *gv_arena_array(struct gv_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return gv_arena_alloc(arena, count * size);
}

void *gv_arena_copy(struct gv_arena *arena, const void *data, size_t n)
{
    if (n == SIZE_MAX)
        return NULL;
    bool zeroed;
    unsigned char *copy = take(arena, n + 1, &zeroed);
    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, data, n);
    copy[n] = '\0';
    return copy;
}
