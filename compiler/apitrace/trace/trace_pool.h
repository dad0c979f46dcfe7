// Memory of one call: taken piece by piece, given back at once and used again.
#ifndef GV_TRACE_POOL_H
#define GV_TRACE_POOL_H

#include <stdbool.h>
#include <stddef.h>

// What all pools of a reader may hold together, in bytes.
struct gv_trace_budget {
    size_t used, limit;
};

struct gv_trace_block;

// Zero-initialise before use, with the budget set.
struct gv_trace_pool {
    struct gv_trace_block *head; // owned; the newest, from which is taken
    size_t left;                 // bytes, there
    struct gv_trace_budget *budget;
};

// `size` bytes aligned to 16, not zeroed, or NULL (memory or budget ran out).
void *gv_trace_pool_take(struct gv_trace_pool *pool, size_t size);
void *gv_trace_pool_array(struct gv_trace_pool *pool, size_t count, size_t size);

// Gives all of it back; one small block is kept for what comes next.
void gv_trace_pool_reset(struct gv_trace_pool *pool);
void gv_trace_pool_finish(struct gv_trace_pool *pool);

#endif
