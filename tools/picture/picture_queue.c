#include "tools/picture/picture_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"

#define MAX_THREADS 4

struct item {
    struct item *next;
    uint64_t number; // in the order they came
    struct gv_picture picture;
    size_t bytes;
    uint32_t frame;
    char path[]; // NUL-terminated
};

struct gv_picture_queue {
    enum gv_picture_format format;
    pthread_mutex_t mutex;
    pthread_cond_t queued, written; // the latter also when one has failed
    struct item *first, *last;      // waiting for a thread
    uint64_t put_count, done_count; // pictures that came; that are through, in order
    uint64_t written_count;         // before one failed
    size_t bytes;                   // of rows not yet through
    bool stop, failed;
    struct gv_error error; // of the first that failed
    uint32_t error_frame;
    struct gv_picture_encoder encoder; // of the caller, where no thread could be had
    int thread_count;
    pthread_t threads[MAX_THREADS];
};

struct gv_picture_queue *gv_picture_queue_create(enum gv_picture_format format,
                                                 struct gv_error *err)
{
    struct gv_picture_queue *q = calloc(1, sizeof *q);
    if (!q) {
        gv_out_of_memory(err);
        return NULL;
    }
    q->format = format;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->queued, NULL);
    pthread_cond_init(&q->written, NULL);
    return q;
}

static void free_item(struct item *item)
{
    gv_picture_finish(&item->picture);
    free(item);
}

// Pictures are made side by side, but each waits for its turn to be written: files
// appear in order, two of one name end as the later one, and what fails first is what
// would have failed without threads.
static void process(struct gv_picture_queue *q, struct gv_picture_encoder *encoder,
                    struct item *item)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_picture *p = &item->picture;
    const uint8_t *data = NULL;
    size_t size = 0;
    bool ok = gv_picture_encode(encoder, q->format, p->rgba, p->width, p->height, &data,
                                &size, &err);
    pthread_mutex_lock(&q->mutex);
    while (q->done_count != item->number)
        pthread_cond_wait(&q->written, &q->mutex);
    bool wanted = !q->failed && !q->stop;
    pthread_mutex_unlock(&q->mutex);
    ok = !wanted || (ok && gv_file_write(item->path, data, size, &err));
    pthread_mutex_lock(&q->mutex);
    if (!ok) {
        q->failed = true;
        q->error = err;
        q->error_frame = item->frame;
    }
    q->written_count += ok && wanted;
    q->done_count++;
    q->bytes -= item->bytes;
    pthread_cond_broadcast(&q->written);
    pthread_mutex_unlock(&q->mutex);
    free_item(item);
}

static struct item *take(struct gv_picture_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    while (!q->first && !q->stop)
        pthread_cond_wait(&q->queued, &q->mutex);
    struct item *item = q->first;
    if (item)
        q->first = item->next;
    pthread_mutex_unlock(&q->mutex);
    return item;
}

static void *serve(void *context)
{
    struct gv_picture_queue *q = context;
    struct gv_picture_encoder encoder = { 0 };
    for (struct item *item; (item = take(q)) != NULL;)
        process(q, &encoder, item);
    gv_picture_encoder_finish(&encoder);
    return NULL;
}

// Half the processors: the replay wants some, and a software driver all.
static void start_threads(struct gv_picture_queue *q)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN), wanted = (processors + 1) / 2;
    for (long i = 0; i < wanted && i < MAX_THREADS; i++) {
        if (pthread_create(&q->threads[q->thread_count], NULL, serve, q) != 0)
            return;
        q->thread_count++;
    }
}

void gv_picture_queue_destroy(struct gv_picture_queue *q)
{
    if (!q)
        return;
    pthread_mutex_lock(&q->mutex);
    q->stop = true;
    pthread_cond_broadcast(&q->queued);
    pthread_mutex_unlock(&q->mutex);
    for (int i = 0; i < q->thread_count; i++)
        pthread_join(q->threads[i], NULL);
    gv_picture_encoder_finish(&q->encoder);
    pthread_cond_destroy(&q->queued);
    pthread_cond_destroy(&q->written);
    pthread_mutex_destroy(&q->mutex);
    free(q);
}

static struct item *make_item(const char *path, struct gv_picture *picture,
                              uint32_t frame)
{
    size_t length = strlen(path) + 1;
    struct item *item = malloc(sizeof *item + length);
    if (!item) {
        gv_picture_finish(picture);
        return NULL;
    }
    *item = (struct item){
        .picture = *picture,
        .bytes = (size_t)picture->width * picture->height * 4,
        .frame = frame,
    };
    memcpy(item->path, path, length);
    *picture =
        (struct gv_picture){ .width = picture->width, .height = picture->height };
    return item;
}

static void enqueue(struct gv_picture_queue *q, struct item *item)
{
    pthread_mutex_lock(&q->mutex);
    while (q->bytes && item->bytes + q->bytes > GV_PICTURE_QUEUE_BYTES)
        pthread_cond_wait(&q->written, &q->mutex);
    item->number = q->put_count++;
    q->bytes += item->bytes;
    if (q->first)
        q->last->next = item;
    else
        q->first = item;
    q->last = item;
    pthread_cond_signal(&q->queued);
    pthread_mutex_unlock(&q->mutex);
}

bool gv_picture_queue_put(struct gv_picture_queue *q, const char *path,
                          struct gv_picture *picture, uint32_t frame,
                          struct gv_error *err)
{
    struct item *item = make_item(path, picture, frame);
    if (!item)
        return gv_out_of_memory(err);
    if (q->put_count == 0)
        start_threads(q);
    bool large = item->bytes > GV_PICTURE_QUEUE_BYTES;
    if (q->thread_count) {
        enqueue(q, item);
    } else {
        q->bytes += item->bytes;
        item->number = q->put_count++;
        process(q, &q->encoder, item);
    }
    if (large)
        gv_picture_queue_drain(q);
    return gv_picture_queue_ok(q, NULL, err);
}

bool gv_picture_queue_ok(struct gv_picture_queue *q, uint32_t *frame,
                         struct gv_error *err)
{
    pthread_mutex_lock(&q->mutex);
    bool ok = !q->failed;
    if (!ok && err)
        *err = q->error;
    if (!ok && frame)
        *frame = q->error_frame;
    pthread_mutex_unlock(&q->mutex);
    return ok;
}

uint64_t gv_picture_queue_written(struct gv_picture_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    uint64_t count = q->written_count;
    pthread_mutex_unlock(&q->mutex);
    return count;
}

void gv_picture_queue_drain(struct gv_picture_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    while (q->done_count != q->put_count && !q->failed)
        pthread_cond_wait(&q->written, &q->mutex);
    pthread_mutex_unlock(&q->mutex);
}
