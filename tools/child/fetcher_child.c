// The process that fetches: takes orders from its line, and answers in the order in
// which objects come.
#define _GNU_SOURCE // close_range
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/async_kept.h"
#include "resources/base/own_folder.h"
#include "resources/base/write_all.h"
#include "resources/http/source_http.h"
#include "resources/object.h"
#include "tools/child/fetcher_line.h"
#include "tools/child/fetcher_payload.h"
#include "tools/sandbox/sandbox.h"

#define STALL_S 10
#define TRIES 4
#define MOST_ORDERS 4096 // open at once

struct service {
    int line;
    struct gv_async *async;
    struct served *open[MOST_ORDERS]; // by number
    size_t open_count;
};

// An order of the other side's.
struct served {
    struct gv_order order; // first: what the source returns is cast back
    uint32_t number;
};

bool gv_fetcher_read(int fd, void *to, size_t size)
{
    uint8_t *bytes = to;
    while (size) {
        ssize_t n = read(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool answer_with(const struct service *s, uint32_t number,
                        enum gv_outcome outcome, const struct gv_error *error)
{
    struct gv_answer answer;
    memset(&answer, 0, sizeof answer); // padding, too
    answer.error = *error;
    answer.number = number;
    answer.outcome = outcome;
    if (s->async)
        answer.counters = s->async->counters;
    return gv_write_all(s->line, &answer, sizeof answer);
}

static void drop(struct service *s, struct served *served)
{
    s->open[served->number] = NULL;
    s->open_count--;
    free(served->order.item.data);
    free(served);
}

static bool answer_order(struct service *s, struct gv_order *order)
{
    struct served *served = (struct served *)order;
    bool ok = answer_with(s, served->number, order->outcome, &order->error);
    if (ok && order->outcome == GV_ORDER_HERE)
        ok = gv_write_all(s->line, order->item.data, (size_t)order->item.raw_size);
    drop(s, served);
    return ok;
}

// NULL: out of memory, or an object that is too large.
static struct served *take_order(struct service *s, const struct gv_question *question)
{
    struct served *served = calloc(1, sizeof *served);
    uint8_t *data = question->raw_size <= GV_STORE_MAX_OBJECT
                        ? malloc((size_t)question->raw_size + 1)
                        : NULL;
    if (!served || !data) {
        free(served);
        free(data);
        return NULL;
    }
    served->order = (struct gv_order){
        .item = { question->hash, question->raw_size, data, false },
        .rank = question->rank,
    };
    served->number = question->number;
    s->open[question->number] = served;
    s->open_count++;
    return served;
}

static bool submit(struct service *s, struct gv_order *const *orders, size_t count)
{
    struct gv_error err = GV_ERROR_INIT;
    if (!count || s->async->submit(s->async, orders, count, &err))
        return true;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        orders[i]->outcome = GV_ORDER_FAILED;
        orders[i]->error = err;
        ok = answer_order(s, orders[i]) && ok;
    }
    return ok;
}

// Takes the orders that belong together; `question` is the first.
static bool take_orders(struct service *s, struct gv_question *question)
{
    struct gv_order *orders[MOST_ORDERS];
    size_t count = 0;
    for (;;) {
        const struct gv_error none = GV_ERROR_INIT;
        struct gv_error err = none;
        if (question->number >= MOST_ORDERS || s->open[question->number] ||
            question->kind != GV_ASKS_FOR)
            return false;
        struct served *served = take_order(s, question);
        if (served)
            orders[count++] = &served->order;
        else if (!gv_out_of_memory(&err) &&
                 !answer_with(s, question->number, GV_ORDER_FAILED, &err))
            return false;
        if (!question->more || count == MOST_ORDERS)
            return submit(s, orders, count);
        if (!gv_fetcher_read(s->line, question, sizeof *question))
            return false;
    }
}

static bool cancel(struct service *s, struct served *served)
{
    const struct gv_error none = GV_ERROR_INIT;
    s->async->cancel(s->async, &served->order);
    bool ok = answer_with(s, served->number, GV_ORDER_ABSENT, &none);
    drop(s, served);
    return ok;
}

// Takes one question. False: the line is at its end.
static bool take_question(struct service *s)
{
    struct gv_question question;
    if (!gv_fetcher_read(s->line, &question, sizeof question))
        return false;
    if (question.kind == GV_ASKS_FOR)
        return take_orders(s, &question);
    struct served *served =
        question.number < MOST_ORDERS ? s->open[question.number] : NULL;
    if (!served)
        return true; // answered meanwhile
    if (question.kind == GV_ASKS_CANCEL)
        return cancel(s, served);
    served->order.rank = question.rank;
    s->async->sooner(s->async, &served->order);
    return true;
}

static bool is_readable(int fd)
{
    struct pollfd poller = { .fd = fd, .events = POLLIN };
    return poll(&poller, 1, 0) > 0;
}

// Serves until the line is at its end.
static void serve(struct service *s)
{
    bool ok = true;
    while (ok) {
        struct gv_order *order =
            s->open_count ? s->async->poll(s->async, s->line, -1) : NULL;
        if (order)
            ok = answer_order(s, order);
        else if (!s->open_count || is_readable(s->line))
            ok = take_question(s);
    }
}

static void close_between(int from, int to)
{
    if (from < to)
        close_range((unsigned)from, (unsigned)to - 1, 0);
}

// All but the streams and these, of which those that are no more than streams do not
// count.
static void close_others(const int *kept, size_t count)
{
    int from = STDERR_FILENO + 1;
    for (;;) {
        int next = INT_MAX;
        for (size_t i = 0; i < count; i++)
            if (kept[i] >= from && kept[i] < next)
                next = kept[i];
        if (next == INT_MAX)
            break;
        close_between(from, next);
        from = next + 1;
    }
    close_range((unsigned)from, ~0u, 0);
}

// What is kept has a folder of its own, which nobody but this user may write to.
static bool open_cache(struct gv_async_keep *keep, const struct gv_fetch_params *f,
                       const struct gv_log *log)
{
    *keep = (struct gv_async_keep){ .limit = f->cache_mb << 20, .log = log };
    int length =
        f->cache ? snprintf(keep->folder, sizeof keep->folder, "%s/objects", f->cache)
                 : -1;
    return f->cache_mb && length > 0 && (size_t)length < sizeof keep->folder &&
           gv_own_folder(keep->folder);
}

_Noreturn void gv_fetcher_be(const struct gv_fetcher_params *params)
{
    static struct service service; // of this process, which is nobody else's
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_fetch_params *f = params->fetching;
    gv_sandbox_prepare();
    // Nothing of the other process, nor of other stores, is a stranger's business.
    const int kept[] = { params->line, params->memory, f->token_fd };
    close_others(kept, sizeof kept / sizeof *kept);
    struct gv_async_keep keep;
    bool keeps = open_cache(&keep, f, params->log);
    const char *const writable[] = { keep.folder };
    gv_sandbox_files(writable, keeps, false, params->log);
    const struct gv_http_params http_params = {
        .token_file = f->token_file,
        .stall_s = f->stall_s ? f->stall_s : STALL_S,
        .tries = f->tries ? f->tries : TRIES,
        .hangup = params->line,
        .log = params->log,
    };
    struct gv_http *http = gv_http_create(&http_params, &err);
    service.line = params->line;
    if (http && params->memory >= 0)
        service.async = gv_fetcher_payload(http, params->url, params->memory, &err);
    else if (http)
        service.async = gv_source_http(http, params->url, params->pack, &err);
    if (params->memory >= 0)
        close(params->memory);
    if (service.async && keeps)
        service.async = gv_async_kept(service.async, &keep);
    enum gv_outcome opened = service.async ? GV_ORDER_HERE : GV_ORDER_FAILED;
    if (answer_with(&service, 0, opened, &err) && service.async)
        serve(&service);
    _exit(0); // exit handlers are the other process's
}
