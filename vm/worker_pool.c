#include "vm/worker_pool.h"

#include <pthread.h>
#include <stdlib.h>

#define MAX_THREADS 64

struct gv_pool {
    pthread_mutex_t mutex;
    pthread_cond_t queued, finished;
    struct gv_work *first, *last; // waiting to start
    bool stop;
    struct gv_codec_state *codec; // of the caller's thread, when there is no other
    int thread_count;
    pthread_t threads[MAX_THREADS];
};

static struct gv_work *take(struct gv_pool *pool)
{
    while (!pool->first && !pool->stop)
        pthread_cond_wait(&pool->queued, &pool->mutex);
    struct gv_work *work = pool->first;
    if (work)
        pool->first = work->next;
    return work;
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

struct gv_pool *gv_pool_create(int jobs, struct gv_error *err)
{
    struct gv_pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        gv_out_of_memory(err);
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->queued, NULL);
    pthread_cond_init(&pool->finished, NULL);
    if (jobs > MAX_THREADS)
        jobs = MAX_THREADS;
    while (jobs > 1 && pool->thread_count < jobs &&
           pthread_create(&pool->threads[pool->thread_count], NULL, serve, pool) == 0)
        pool->thread_count++;
    if (pool->thread_count == 0)
        pool->codec = gv_codec_create();
    return pool;
}

void gv_pool_destroy(struct gv_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->stop = true;
    pthread_cond_broadcast(&pool->queued);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    gv_codec_destroy(pool->codec);
    pthread_cond_destroy(&pool->queued);
    pthread_cond_destroy(&pool->finished);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

void gv_pool_submit(struct gv_pool *pool, struct gv_work *work)
{
    work->next = NULL;
    work->done = false;
    if (pool->thread_count == 0) {
        work->run(work, pool->codec);
        work->done = true;
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    if (pool->first)
        pool->last->next = work;
    else
        pool->first = work;
    pool->last = work;
    pthread_cond_signal(&pool->queued);
    pthread_mutex_unlock(&pool->mutex);
}

void gv_pool_wait(struct gv_pool *pool, struct gv_work *work)
{
    if (pool->thread_count == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    while (!work->done)
        pthread_cond_wait(&pool->finished, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}
