#include "resources/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define ALIGNMENT ((size_t)16)

struct gv_arena_block {
    struct gv_arena_block *next;
    size_t used, size; // of `data`
    alignas(16) unsigned char data[];
};

void gv_arena_finish(struct gv_arena *arena)
{
    struct gv_arena_block *block = arena->head;
    while (block) {
        struct gv_arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (struct gv_arena){ 0 };
}

static struct gv_arena_block *add_block(struct gv_arena *arena, size_t size)
{
    struct gv_arena_block *block = malloc(sizeof *block + size);
    if (!block)
        return NULL;
    *block = (struct gv_arena_block){ .next = arena->head, .size = size };
    arena->head = block;
    arena->total += sizeof *block + size;
    return block;
}

void *gv_arena_alloc(struct gv_arena *arena, size_t n)
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
    return memset(at, 0, rounded);
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
    unsigned char *copy = gv_arena_alloc(arena, n + 1);
    if (copy && n)
        memcpy(copy, data, n);
    return copy;
}
