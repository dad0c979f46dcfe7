// Threads that compress. What they compute never depends on how many there are.
#ifndef GV_WORKER_POOL_H
#define GV_WORKER_POOL_H

#include "resources/base/error.h"
#include "resources/codec.h"

// A piece of work; embed it as the first member. The pool owns it from submit to wait.
struct gv_work {
    void (*run)(struct gv_work *work, struct gv_codec_state *codec);
    size_t bytes;         // that it is about: what starting a thread is weighed against
    struct gv_work *next; // the pool's
    bool done;            // the pool's
};

struct gv_pool;

// A pool of up to `jobs` (>= 1) threads. With one job work runs inside gv_pool_submit,
// and no thread is made. With more, little work runs inside gv_pool_wait instead, as it
// costs less than a thread; they are made one by one once there is enough of it.
// `codec` is borrowed and lent to what runs inside of these calls. NULL: GV_ERR_LIMIT.
struct gv_pool *gv_pool_create(int jobs, struct gv_codec_state *codec,
                               struct gv_error *err);

// Waits for all submitted work. NULL is fine.
void gv_pool_destroy(struct gv_pool *pool);

// Queues work. Work starts in the order of submission.
void gv_pool_submit(struct gv_pool *pool, struct gv_work *work);

// Returns when `work`, submitted before, is done.
void gv_pool_wait(struct gv_pool *pool, struct gv_work *work);

#endif
