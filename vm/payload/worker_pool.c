#include "vm/payload/worker_pool.h"

#include <pthread.h>
#include <stdlib.h>

#define MAX_THREADS 64
// So much waits before there is a thread: about a millisecond of compressing, where a
// thread with its stack, memory and tables takes a third of one.
#define START_BYTES ((size_t)256 << 10)

struct gv_pool {
    pthread_mutex_t mutex;
    pthread_cond_t queued, finished;
    struct gv_work *first, *last; // waiting to start
    size_t bytes;                 // of what waits
    bool stop;
    struct gv_codec_state *codec; // borrowed: of the caller's thread
    int jobs, thread_count, idle; // threads that wait for work
    pthread_t threads[MAX_THREADS];
};

static struct gv_work *pop(struct gv_pool *pool)
{
    struct gv_work *work = pool->first;
    if (work) {
        pool->first = work->next;
        pool->bytes -= work->bytes;
    }
    return work;
}

static struct gv_work *take(struct gv_pool *pool)
{
    pool->idle++;
    while (!pool->first && !pool->stop)
        pthread_cond_wait(&pool->queued, &pool->mutex);
    pool->idle--;
    return pop(pool);
}

static void *serve(void *context)
{
    struct gv_pool *pool = context;
    struct gv_codec_state *codec = gv_codec_create(); // NULL: the work reports it
    pthread_mutex_lock(&pool->mutex);
    for (struct gv_work *work; (work = take(pool)) != NULL;) {
        pthread_mutex_unlock(&pool->mutex);
        work->run(work, codec);
        pthread_mutex_lock(&pool->mutex);
        work->done = true;
        pthread_cond_broadcast(&pool->finished);
    }
    pthread_mutex_unlock(&pool->mutex);
    gv_codec_destroy(codec);
    return NULL;
}

struct gv_pool *gv_pool_create(int jobs, struct gv_codec_state *codec,
                               struct gv_error *err)
{
    struct gv_pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        gv_out_of_memory(err);
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->queued, NULL);
    pthread_cond_init(&pool->finished, NULL);
    pool->jobs = jobs < MAX_THREADS ? jobs : MAX_THREADS;
    pool->codec = codec;
    return pool;
}

// On the caller's thread, where there is no other, up to `until`; NULL: all.
static void run_queued(struct gv_pool *pool, const struct gv_work *until)
{
    while (pool->first && !(until && until->done)) {
        struct gv_work *work = pop(pool);
        work->run(work, pool->codec);
        work->done = true;
    }
}

void gv_pool_destroy(struct gv_pool *pool)
{
    if (!pool)
        return;
    if (pool->thread_count == 0)
        run_queued(pool, NULL);
    pthread_mutex_lock(&pool->mutex);
    pool->stop = true;
    pthread_cond_broadcast(&pool->queued);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->queued);
    pthread_cond_destroy(&pool->finished);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

// Another thread, if all that there are have work.
static void start(struct gv_pool *pool)
{
    if (pool->thread_count < pool->jobs && pool->idle == 0 &&
        (pool->thread_count > 0 || pool->bytes >= START_BYTES) &&
        pthread_create(&pool->threads[pool->thread_count], NULL, serve, pool) == 0)
        pool->thread_count++;
}

void gv_pool_submit(struct gv_pool *pool, struct gv_work *work)
{
    work->next = NULL;
    work->done = false;
    pthread_mutex_lock(&pool->mutex);
    if (pool->first)
        pool->last->next = work;
    else
        pool->first = work;
    pool->last = work;
    pool->bytes += work->bytes;
    if (pool->jobs > 1)
        start(pool);
    pthread_cond_signal(&pool->queued);
    pthread_mutex_unlock(&pool->mutex);
    // Also where no thread could be made.
    if (pool->thread_count == 0 && (pool->jobs == 1 || pool->bytes >= START_BYTES))
        run_queued(pool, NULL);
}

void gv_pool_wait(struct gv_pool *pool, struct gv_work *work)
{
    if (pool->thread_count == 0) {
        run_queued(pool, work);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    while (!work->done)
        pthread_cond_wait(&pool->finished, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}
