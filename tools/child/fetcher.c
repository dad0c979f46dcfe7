#define _GNU_SOURCE // memfd_create, seals
#include "tools/child/fetcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/write_all.h"
#include "resources/http/http_client.h"
#include "tools/base/child_line.h"
#include "tools/child/fetcher_line.h"

#define MOST_ORDERS 1024 // open at once: questions never fill the line

// An order that is not answered yet.
struct open_order {
    struct gv_order *order; // NULL: cancelled
    uint64_t raw_size;
    bool used;
};

struct fetcher {
    struct gv_source source;
    struct gv_async async;
    char *name; // owned
    int line;
    pid_t process;
    bool broken;                         // something was not said whole
    struct open_order open[MOST_ORDERS]; // by number
    size_t open_count;
};

static struct fetcher *of_async(struct gv_async *async)
{
    return (struct fetcher *)((char *)async - offsetof(struct fetcher, async));
}

static bool fail_gone(struct fetcher *f, struct gv_error *err)
{
    f->broken = true;
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%.120s: the fetching process died",
                   f->name);
}

// ---- questions ----

static uint32_t number_of(const struct fetcher *f, const struct gv_order *order)
{
    uint32_t number = 0;
    while (f->open[number].order != order)
        number++;
    return number;
}

static void put_question(struct gv_bytes *message, const struct gv_order *order,
                         enum gv_question_kind kind, uint32_t number)
{
    struct gv_question question;
    memset(&question, 0, sizeof question); // padding, too
    question.kind = kind;
    question.number = number;
    question.raw_size = order->item.raw_size;
    question.rank = order->rank;
    question.hash = order->item.hash;
    gv_bytes_put(message, &question, sizeof question);
}

static bool say(struct fetcher *f, struct gv_bytes *message, struct gv_error *err)
{
    bool ok = !message->failed || gv_out_of_memory(err);
    ok = ok &&
         (gv_write_all(f->line, message->data, message->size) || fail_gone(f, err));
    gv_bytes_finish(message);
    return ok;
}

static void note_open(struct fetcher *f, struct gv_order *order, uint32_t number)
{
    order->outcome = GV_ORDER_OPEN;
    order->item.found = false;
    gv_error_clear(&order->error);
    f->open[number] = (struct open_order){ order, order->item.raw_size, true };
    f->open_count++;
}

static bool submit(struct gv_async *async, struct gv_order *const *orders, size_t count,
                   struct gv_error *err)
{
    struct fetcher *f = of_async(async);
    struct gv_bytes message = { 0 };
    uint32_t number = 0;
    if (f->broken)
        return fail_gone(f, err);
    if (count > MOST_ORDERS - f->open_count)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many orders at once");
    for (size_t i = 0; i < count; i++) {
        while (f->open[number].used)
            number++;
        note_open(f, orders[i], number);
        put_question(&message, orders[i], GV_ASKS_FOR, number);
        if (i + 1 < count && !message.failed) {
            const uint32_t more = 1;
            memcpy(message.data + message.size - sizeof(struct gv_question) +
                       offsetof(struct gv_question, more),
                   &more, sizeof more);
        }
    }
    if (say(f, &message, err))
        return true;
    for (size_t i = 0; i < count; i++) {
        f->open[number_of(f, orders[i])] = (struct open_order){ 0 };
        f->open_count--;
    }
    return false;
}

static void say_about(struct fetcher *f, const struct gv_order *order,
                      enum gv_question_kind kind)
{
    struct gv_error unused = GV_ERROR_INIT; // who polls hears of it
    struct gv_bytes message = { 0 };
    put_question(&message, order, kind, number_of(f, order));
    say(f, &message, &unused);
}

static void sooner(struct gv_async *async, struct gv_order *order)
{
    say_about(of_async(async), order, GV_ASKS_SOONER);
}

static void cancel(struct gv_async *async, struct gv_order *order)
{
    struct fetcher *f = of_async(async);
    say_about(f, order, GV_ASKS_CANCEL);
    f->open[number_of(f, order)].order = NULL;
}

// ---- answers ----

static bool drain(int fd, uint64_t size)
{
    uint8_t bytes[4096];
    bool ok = true;
    for (uint64_t some; ok && size; size -= some) {
        some = size < sizeof bytes ? size : sizeof bytes;
        ok = gv_fetcher_read(fd, bytes, (size_t)some);
    }
    return ok;
}

static struct gv_order *fail_one(struct fetcher *f)
{
    for (size_t i = 0; i < MOST_ORDERS; i++) {
        struct gv_order *order = f->open[i].order;
        if (!f->open[i].used)
            continue;
        f->open[i] = (struct open_order){ 0 };
        f->open_count--;
        if (!order)
            continue;
        fail_gone(f, &order->error);
        order->outcome = GV_ORDER_FAILED;
        return order;
    }
    return NULL;
}

static bool take_bytes(struct fetcher *f, const struct open_order *open)
{
    if (!open->order)
        return drain(f->line, open->raw_size);
    return gv_fetcher_read(f->line, open->order->item.data, (size_t)open->raw_size);
}

// NULL: it was the answer to what nobody wants any more.
static struct gv_order *take_answer(struct fetcher *f)
{
    struct gv_answer answer;
    f->broken =
        !gv_fetcher_read(f->line, &answer, sizeof answer) ||
        answer.number >= MOST_ORDERS || !f->open[answer.number].used ||
        (answer.outcome == GV_ORDER_HERE && !take_bytes(f, &f->open[answer.number]));
    if (f->broken)
        return fail_one(f);
    struct gv_order *order = f->open[answer.number].order;
    f->open[answer.number] = (struct open_order){ 0 };
    f->open_count--;
    f->async.counters = answer.counters;
    if (!order)
        return NULL;
    order->item.found = answer.outcome == GV_ORDER_HERE;
    order->outcome = (enum gv_outcome)answer.outcome;
    if (answer.outcome == GV_ORDER_HERE || answer.outcome == GV_ORDER_ABSENT)
        return order;
    order->outcome = GV_ORDER_FAILED;
    answer.error.message[sizeof answer.error.message - 1] = '\0';
    gv_fail(&order->error, answer.error.status ? answer.error.status : GV_ERR_FETCH,
            GV_NO_OFFSET, "%s", answer.error.message);
    return order;
}

static struct gv_order *next_answer(struct gv_async *async, int wake, int wait_ms)
{
    struct fetcher *f = of_async(async);
    struct gv_order *order = NULL;
    if (f->broken)
        return fail_one(f);
    struct pollfd pollers[2] = { { .fd = f->line, .events = POLLIN },
                                 { .fd = wake, .events = POLLIN } };
    while (!order && !f->broken) {
        int ready = poll(pollers, 2, wait_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        if (!pollers[0].revents)
            return NULL;
        order = take_answer(f);
    }
    return order ? order : fail_one(f);
}

// ---- the source ----

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    return gv_async_fetch(source->async, items, count, err);
}

// Who is confined may not wait; then the process is gone with its parent.
static void destroy(struct gv_source *source)
{
    struct fetcher *f = (struct fetcher *)source;
    if (f->line >= 0) {
        shutdown(f->line, SHUT_RDWR); // others may have the line, too
        close(f->line);
    }
    if (f->process > 0)
        while (waitpid(f->process, NULL, 0) < 0 && errno == EINTR) {
        }
    free(f->name);
    free(f);
}

static struct fetcher *make(const char *url, struct gv_error *err)
{
    struct fetcher *f = calloc(1, sizeof *f);
    size_t size = strlen(url) + 1;
    if (f)
        f->name = malloc(size);
    if (!f || !f->name) {
        free(f);
        gv_out_of_memory(err);
        return NULL;
    }
    gv_http_show_url(url, f->name, size);
    f->line = -1;
    f->source = (struct gv_source){
        .name = f->name, .fetch = fetch, .destroy = destroy, .async = &f->async
    };
    f->async = (struct gv_async){
        .name = f->name,
        .submit = submit,
        .sooner = sooner,
        .cancel = cancel,
        .poll = next_answer,
    };
    return f;
}

static bool start(struct fetcher *f, struct gv_fetcher_params *params,
                  struct gv_error *err)
{
    int ends[2];
    if (!gv_child_line_open(ends))
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "socketpair: %s",
                       strerror(errno));
    pid_t parent = getpid();
    f->process = fork();
    if (f->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // do not outlive who asks
        if (getppid() != parent)
            _exit(1);
        close(ends[0]);
        params->line = ends[1];
        gv_fetcher_be(params);
    }
    close(ends[1]);
    f->line = f->async.fd = ends[0];
    return f->process > 0 ||
           gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(errno));
}

static bool take_opened(struct fetcher *f, struct gv_error *err)
{
    struct gv_answer answer;
    if (!gv_fetcher_read(f->line, &answer, sizeof answer))
        return fail_gone(f, err);
    f->async.counters = answer.counters;
    answer.error.message[sizeof answer.error.message - 1] = '\0';
    return answer.outcome == GV_ORDER_HERE ||
           gv_fail(err, answer.error.status, GV_NO_OFFSET, "%s", answer.error.message);
}

static struct gv_source *open_fetcher(struct gv_fetcher_params *params,
                                      struct gv_error *err)
{
    struct fetcher *f = make(params->url, err);
    if (f && start(f, params, err) && take_opened(f, err))
        return &f->source;
    if (f)
        destroy(&f->source);
    return NULL;
}

struct gv_source *gv_fetcher_open(const char *url, bool pack,
                                  const struct gv_fetch_params *params,
                                  const struct gv_log *log, struct gv_error *err)
{
    return open_fetcher(
        &(struct gv_fetcher_params){
            .url = url, .pack = pack, .fetching = params, .memory = -1, .log = log },
        err);
}

// ---- a payload ----

// Sealed, so that what is verified stays as it is, whoever the other process is.
static bool map_sealed(int memory, struct gv_file *file, struct gv_error *err)
{
    struct stat st;
    void *bytes = MAP_FAILED;
    if (fcntl(memory, F_ADD_SEALS,
              F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0 &&
        fstat(memory, &st) == 0 && st.st_size > 0)
        bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, memory, 0);
    if (bytes == MAP_FAILED)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "the payload's memory: %s",
                       strerror(errno));
    *file =
        (struct gv_file){ .data = bytes, .size = (size_t)st.st_size, .mapped = true };
    return true;
}

struct gv_source *gv_fetcher_open_payload(const char *url, struct gv_file *file,
                                          const struct gv_fetch_params *params,
                                          const struct gv_log *log,
                                          struct gv_error *err)
{
    int memory = memfd_create("gpuvm-payload", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "memfd_create: %s", strerror(errno));
        return NULL;
    }
    struct gv_source *source = open_fetcher(
        &(struct gv_fetcher_params){
            .url = url, .fetching = params, .memory = memory, .log = log },
        err);
    if (source && !map_sealed(memory, file, err)) {
        gv_source_destroy(source);
        source = NULL;
    }
    close(memory);
    return source;
}
