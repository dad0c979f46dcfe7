#include "compiler/apitrace/trace/trace_pool.h"

#include "resources/base/checked.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_BYTES ((size_t)4096)
#define KEPT_BYTES ((size_t)256 * 1024) // no larger block is kept

struct gv_trace_block {
    struct gv_trace_block *older; // owned
    size_t size;                  // bytes behind this header
    _Alignas(16) unsigned char bytes[];
};

static void drop(struct gv_trace_pool *pool, struct gv_trace_block *block)
{
    pool->budget->used -= block->size;
    free(block);
}

static bool grow(struct gv_trace_pool *pool, size_t size)
{
    struct gv_trace_budget *budget = pool->budget;
    size_t wanted = pool->head ? 2 * pool->head->size : FIRST_BYTES;
    if (wanted < size)
        wanted = size;
    if (wanted > budget->limit - budget->used)
        wanted = size;
    if (wanted > budget->limit - budget->used)
        return false;
    struct gv_trace_block *block = malloc(sizeof *block + wanted);
    if (!block)
        return false;
    block->older = pool->head;
    block->size = wanted;
    budget->used += wanted;
    pool->head = block;
    pool->left = wanted;
    return true;
}

void *gv_trace_pool_take(struct gv_trace_pool *pool, size_t size)
{
    if (size > SIZE_MAX / 4)
        return NULL;
    size = (size + 15) & ~(size_t)15;
    if (size > pool->left && !grow(pool, size))
        return NULL;
    unsigned char *at =
        pool->head ? pool->head->bytes + (pool->head->size - pool->left) : NULL;
    pool->left -= size;
    return at;
}

void *gv_trace_pool_array(struct gv_trace_pool *pool, size_t count, size_t size)
{
    size_t bytes;
    if (!gv_mul_size(count, size, &bytes))
        return NULL;
    return gv_trace_pool_take(pool, bytes ? bytes : 1);
}

void gv_trace_pool_reset(struct gv_trace_pool *pool)
{
    struct gv_trace_block *block = pool->head;
    if (!block)
        return;
    if (!block->older && block->size <= KEPT_BYTES) {
        pool->left = block->size;
        return;
    }
    struct gv_trace_block *kept = NULL;
    while (block) {
        struct gv_trace_block *older = block->older;
        if (!kept && block->size <= KEPT_BYTES)
            kept = block;
        else
            drop(pool, block);
        block = older;
    }
    if (kept)
        kept->older = NULL;
    pool->head = kept;
    pool->left = kept ? kept->size : 0;
}

void gv_trace_pool_finish(struct gv_trace_pool *pool)
{
    while (pool->head) {
        struct gv_trace_block *older = pool->head->older;
        drop(pool, pool->head);
        pool->head = older;
    }
    pool->left = 0;
}
