#include "resources/http/source_http.h"

#include "resources/dictionaries.h"
#include "resources/object.h"
#include "resources/pack_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOINED_BYTES ((uint64_t)1 << 20) // what comes is taken once all of it is there
#define MOST_INDEX ((uint64_t)1 << 31)

// One request, and the orders that it brings.
struct pull {
    struct gv_http_get get; // first: what the client returns is cast back
    struct pull *next, **link;
    char *url;  // owned: of a folder's object
    bool again; // asked for once more, since what came was damaged
    size_t count;
    struct part {
        struct gv_order *order; // NULL: has its outcome, or nobody wants it any more
        uint64_t from, size;    // in the body; of a folder all of it
        uint32_t dictionary;    // as in its row
    } parts[];
};

// An object whose last bytes others need.
struct needed {
    struct gv_pack_row row;
    struct gv_order order;    // of our own, while `asked`
    bool asked;               // its `item.data` is owned
    struct gv_order *waiting; // those that need it, in no order
};

struct http_source {
    struct gv_async base;         // first: the functions cast back
    struct gv_http *http;         // borrowed
    struct gv_codec_state *codec; // owned
    char *url, *shown;            // owned; the latter for messages
    bool pack;                    // or a folder
    bool parts;               // rows are of no pack: objects may be stored as they are
    struct gv_pack_row *rows; // owned; of a pack, once its index was needed
    size_t row_count;
    struct gv_bytes tail; // of the file, once it is here
    uint64_t tail_at;     // its offset in the file
    struct needed needed[GV_DICTIONARY_MOST];
    size_t needed_count;
    struct gv_dictionaries dictionaries; // by place in `needed`
    struct pull *pulls;                  // owned; all that are under way
    struct gv_order *ready, **ready_end; // with outcomes, first come first
};

static bool fail_at(const struct http_source *s, const struct gv_error *why,
                    struct gv_error *err)
{
    return gv_fail(err, why->status, GV_NO_OFFSET, "%.80s: %s", s->shown, why->message);
}

static bool fail_gone(const struct http_source *s, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%.150s: status 404", s->shown);
}

// ---- outcomes ----

static void fail_order(struct http_source *s, struct gv_order *order,
                       const struct gv_error *why);

// Keeps what others need of an object that is here.
static void keep_needed(struct http_source *s, const struct gv_order *order)
{
    const struct gv_span raw = { order->item.data, (size_t)order->item.raw_size };
    for (size_t i = 0; i < s->needed_count; i++)
        if (gv_hash_equal(&s->needed[i].row.hash, &order->item.hash) &&
            !gv_dictionaries_find(&s->dictionaries, (uint32_t)i).data)
            gv_dictionaries_keep(&s->dictionaries, (uint32_t)i, raw, NULL);
}

static struct needed *whose_own(struct http_source *s, const struct gv_order *order)
{
    for (size_t i = 0; i < s->needed_count; i++)
        if (order == &s->needed[i].order)
            return &s->needed[i];
    return NULL;
}

// The order of our own has its outcome.
static void end_asking(struct http_source *s, struct needed *n)
{
    const uint32_t place = (uint32_t)(n - s->needed);
    n->asked = false;
    free(n->order.item.data);
    n->order.item.data = NULL;
    if (gv_dictionaries_find(&s->dictionaries, place).data)
        return;
    if (n->order.error.status == GV_OK)
        gv_out_of_memory(&n->order.error);
    while (n->waiting) {
        struct gv_order *order = n->waiting;
        n->waiting = order->next;
        fail_order(s, order, &n->order.error);
    }
}

static void settle(struct http_source *s, struct gv_order *order,
                   enum gv_outcome outcome)
{
    struct needed *own = whose_own(s, order);
    if (outcome == GV_ORDER_HERE)
        keep_needed(s, order);
    if (own) {
        end_asking(s, own);
        return;
    }
    order->outcome = outcome;
    order->ticket = NULL;
    order->next = NULL;
    *s->ready_end = order;
    s->ready_end = &order->next;
}

static struct gv_order *take_ready(struct http_source *s)
{
    struct gv_order *order = s->ready;
    if (!order)
        return NULL;
    s->ready = order->next;
    if (!s->ready)
        s->ready_end = &s->ready;
    return order;
}

static void fail_order(struct http_source *s, struct gv_order *order,
                       const struct gv_error *why)
{
    order->error = *why;
    settle(s, order, GV_ORDER_FAILED);
}

static bool take_raw(const struct gv_fetch *item, struct gv_span bytes,
                     struct gv_error *err)
{
    memcpy(item->data, bytes.data, bytes.size);
    struct gv_hash hash = gv_hash_bytes(item->data, bytes.size);
    return gv_hash_equal(&hash, &item->hash) ||
           gv_object_damaged(&item->hash, "its bytes have another hash", err);
}

static const struct gv_pack_row *row_of(const struct http_source *s,
                                        const struct gv_hash *hash)
{
    return gv_pack_find(s->rows, s->row_count, hash);
}

static bool decode(struct http_source *s, struct gv_order *order,
                   const struct gv_codec_frame *frame, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    if (s->parts && frame->stored.size == order->item.raw_size)
        order->item.found = take_raw(&order->item, frame->stored, &why);
    else
        order->item.found = gv_object_decode_with(s->codec, &order->item, frame, &why);
    return order->item.found || fail_at(s, &why, err);
}

// ---- requests ----

static struct pull *pull_create(struct http_source *s, size_t count)
{
    struct pull *p = calloc(1, sizeof *p + count * sizeof *p->parts);
    if (!p)
        return NULL;
    p->next = s->pulls;
    p->link = &s->pulls;
    if (p->next)
        p->next->link = &p->next;
    s->pulls = p;
    return p;
}

static void pull_destroy(struct pull *p)
{
    *p->link = p->next;
    if (p->next)
        p->next->link = p->link;
    gv_bytes_finish(&p->get.body);
    free(p->url);
    free(p);
}

static void fail_pull(struct http_source *s, struct pull *p, const struct gv_error *why)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->parts[i].order)
            fail_order(s, p->parts[i].order, why);
    pull_destroy(p);
}

static void send_pull(struct http_source *s, struct pull *p)
{
    struct gv_error err = GV_ERROR_INIT;
    for (size_t i = 0; i < p->count; i++)
        if (p->parts[i].order)
            p->parts[i].order->ticket = p;
    if (!gv_http_submit(s->http, &p->get, &err))
        fail_pull(s, p, &err);
}

// Takes out of the body what is whole. False: something is damaged, and says what.
static bool take_parts(struct http_source *s, struct pull *p, struct gv_error *err)
{
    bool ok = true;
    for (size_t i = 0; i < p->count; i++) {
        struct part *part = &p->parts[i];
        struct gv_codec_frame frame = { .stored = { p->get.body.data,
                                                    p->get.body.size } };
        if (s->pack)
            frame.stored =
                (struct gv_span){ p->get.body.data + part->from, (size_t)part->size };
        if (part->dictionary)
            frame.dictionary =
                gv_dictionaries_find(&s->dictionaries, part->dictionary - 1);
        if (!part->order)
            continue;
        if (decode(s, part->order, &frame, err)) {
            settle(s, part->order, GV_ORDER_HERE);
            part->order = NULL;
        } else
            ok = false;
    }
    return ok;
}

static void settle_absent(struct http_source *s, struct pull *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->parts[i].order)
            settle(s, p->parts[i].order, GV_ORDER_ABSENT);
    pull_destroy(p);
}

// What was damaged on its way may be whole the second time.
static void take_pull(struct http_source *s, struct pull *p)
{
    struct gv_error err = GV_ERROR_INIT;
    if (p->get.error.status != GV_OK) {
        fail_pull(s, p, &p->get.error);
    } else if (p->get.missing && !s->pack) {
        settle_absent(s, p);
    } else if (p->get.missing) {
        fail_gone(s, &err);
        fail_pull(s, p, &err);
    } else if (take_parts(s, p, &err)) {
        pull_destroy(p);
    } else if (p->again) {
        fail_pull(s, p, &err);
    } else {
        p->again = true;
        send_pull(s, p);
    }
}

// ---- a folder ----

static char *object_url(const struct http_source *s, const struct gv_hash *hash)
{
    char hex[GV_HASH_HEX];
    size_t size = strlen(s->url) + sizeof "/cas/ab/.zst" + GV_HASH_HEX;
    char *url = malloc(size);
    gv_hash_to_hex(hash, hex);
    if (url)
        snprintf(url, size, "%s/cas/%.2s/%s.zst", s->url, hex, hex);
    return url;
}

static void order_file(struct http_source *s, struct gv_order *order)
{
    struct gv_error err = GV_ERROR_INIT;
    struct pull *p = pull_create(s, 1);
    char *url = p ? object_url(s, &order->item.hash) : NULL;
    if (!url) {
        gv_out_of_memory(&err);
        fail_order(s, order, &err);
        if (p)
            pull_destroy(p);
        return;
    }
    p->url = url;
    p->get = (struct gv_http_get){
        .url = url,
        .part = GV_HTTP_WHOLE,
        .most = gv_object_most_stored(order->item.raw_size),
        .rank = order->rank,
    };
    p->count = 1;
    p->parts[0].order = order;
    send_pull(s, p);
}

// ---- a pack ----

// One wanted object of a pack.
struct wanted {
    struct gv_order *order;
    const struct gv_pack_row *row;
};

static int compare_offsets(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    return (x->row->offset > y->row->offset) - (x->row->offset < y->row->offset);
}

static uint64_t frame_at(const struct http_source *s, const struct gv_pack_row *row)
{
    return s->parts ? row->offset : gv_pack_frame_at(row);
}

static bool find_row(const struct http_source *s, const struct gv_fetch *item,
                     const struct gv_pack_row **row, struct gv_error *err)
{
    *row = row_of(s, &item->hash);
    struct gv_error why = GV_ERROR_INIT;
    if (!*row || ((*row)->raw_size == item->raw_size && (*row)->stored &&
                  (*row)->stored <= gv_object_most_stored(item->raw_size)))
        return true;
    gv_object_damaged(&item->hash, "the pack's index has another size", &why);
    return fail_at(s, &why, err);
}

// What an order has to wait for, or NULL.
static struct needed *needed_by_place(struct http_source *s, size_t place)
{
    return gv_dictionaries_find(&s->dictionaries, (uint32_t)place).data
               ? NULL
               : &s->needed[place];
}

static struct needed *needed_by(struct http_source *s, const struct gv_pack_row *row)
{
    return row->dictionary ? needed_by_place(s, row->dictionary - 1) : NULL;
}

static bool is_in_tail(const struct http_source *s, const struct gv_pack_row *row)
{
    const uint64_t at = frame_at(s, row);
    return at >= s->tail_at && at - s->tail_at <= s->tail.size &&
           row->stored <= s->tail.size - (at - s->tail_at);
}

// False: it is not in what came first, was damaged on its way or waits for another.
static bool take_from_tail(struct http_source *s, struct gv_order *order,
                           const struct gv_pack_row *row)
{
    if (!is_in_tail(s, row) || needed_by(s, row))
        return false;
    struct gv_codec_frame frame = { .stored = { s->tail.data +
                                                    (frame_at(s, row) - s->tail_at),
                                                (size_t)row->stored } };
    if (row->dictionary)
        frame.dictionary = gv_dictionaries_find(&s->dictionaries, row->dictionary - 1);
    if (!decode(s, order, &frame, NULL))
        return false;
    settle(s, order, GV_ORDER_HERE);
    return true;
}

// How many of `wanted`, which ascend, one request brings.
static size_t neighbours(const struct http_source *s, const struct wanted *wanted,
                         size_t count)
{
    const uint64_t first = frame_at(s, wanted[0].row);
    uint64_t end = first + wanted[0].row->stored, raw = wanted[0].row->raw_size;
    uint64_t gaps = 0;
    size_t n = 1;
    for (; n < count; n++) {
        uint64_t at = frame_at(s, wanted[n].row), size = wanted[n].row->stored;
        raw += wanted[n].row->raw_size;
        if (at < end || !gv_http_joins(at - end, gaps, raw) ||
            at + size - first > JOINED_BYTES)
            break;
        gaps += at - end;
        end = at + size;
    }
    return n;
}

static void order_range(struct http_source *s, const struct wanted *wanted,
                        size_t count)
{
    struct gv_error err = GV_ERROR_INIT;
    struct pull *p = pull_create(s, count);
    if (!p) {
        gv_out_of_memory(&err);
        for (size_t i = 0; i < count; i++)
            fail_order(s, wanted[i].order, &err);
        return;
    }
    const struct gv_pack_row *last = wanted[count - 1].row;
    p->get = (struct gv_http_get){ .url = s->url,
                                   .part = GV_HTTP_RANGE,
                                   .from = frame_at(s, wanted[0].row),
                                   .rank = UINT64_MAX };
    p->get.size = frame_at(s, last) + last->stored - p->get.from;
    p->count = count;
    for (size_t i = 0; i < count; i++) {
        struct gv_order *order = wanted[i].order;
        p->parts[i] = (struct part){ order, frame_at(s, wanted[i].row) - p->get.from,
                                     wanted[i].row->stored, wanted[i].row->dictionary };
        p->get.rank = order->rank < p->get.rank ? order->rank : p->get.rank;
    }
    send_pull(s, p);
}

static void order_wanted(struct http_source *s, struct wanted *wanted, size_t count)
{
    if (count)
        qsort(wanted, count, sizeof *wanted, compare_offsets);
    for (size_t i = 0, n; i < count; i += n) {
        n = neighbours(s, wanted + i, count - i);
        order_range(s, wanted + i, n);
    }
}

// ---- what others need ----

static void wait_for(struct needed *n, struct gv_order *order)
{
    order->ticket = NULL;
    order->next = n->waiting;
    n->waiting = order;
}

static bool is_under_way(const struct http_source *s, const struct gv_pack_row *row)
{
    for (const struct pull *p = s->pulls; p; p = p->next)
        for (size_t i = 0; i < p->count; i++)
            if (p->parts[i].order &&
                gv_hash_equal(&p->parts[i].order->item.hash, &row->hash))
                return true;
    return false;
}

static void ask(struct http_source *s, struct needed *n)
{
    struct wanted wanted = { &n->order, &n->row };
    n->asked = true;
    n->order =
        (struct gv_order){ .item = { .hash = n->row.hash, .raw_size = n->row.raw_size },
                           .rank = UINT64_MAX };
    gv_error_clear(&n->order.error);
    for (const struct gv_order *o = n->waiting; o; o = o->next)
        n->order.rank = o->rank < n->order.rank ? o->rank : n->order.rank;
    n->order.item.data = malloc((size_t)n->row.raw_size + 1);
    if (!n->order.item.data)
        end_asking(s, n);
    else if (!take_from_tail(s, &n->order, &n->row))
        order_wanted(s, &wanted, 1);
}

// What has waited for `n`, which is here, is asked for.
static void stop_waiting(struct http_source *s, struct needed *n)
{
    size_t count = 0;
    for (const struct gv_order *o = n->waiting; o; o = o->next)
        count++;
    struct wanted *wanted = calloc(count, sizeof *wanted);
    struct gv_error err = GV_ERROR_INIT;
    if (!wanted)
        gv_out_of_memory(&err);
    size_t apart = 0;
    while (n->waiting) {
        struct gv_order *order = n->waiting;
        const struct gv_pack_row *row = row_of(s, &order->item.hash);
        n->waiting = order->next;
        if (!wanted)
            fail_order(s, order, &err);
        else if (!take_from_tail(s, order, row))
            wanted[apart++] = (struct wanted){ order, row };
    }
    if (wanted)
        order_wanted(s, wanted, apart);
    free(wanted);
}

// After anything that may have ended a wait, or begun one.
static void go_on(struct http_source *s)
{
    for (size_t i = 0; i < s->needed_count; i++) {
        struct needed *n = &s->needed[i];
        if (!n->waiting)
            continue;
        if (!n->asked && needed_by_place(s, i) && !is_under_way(s, &n->row))
            ask(s, n);
        if (n->waiting && !needed_by_place(s, i))
            stop_waiting(s, n);
    }
}

// ---- orders ----

static bool order_from_pack(struct http_source *s, struct gv_order *const *orders,
                            size_t count, struct gv_error *err)
{
    struct wanted *wanted = calloc(count + 1, sizeof *wanted);
    struct needed *needed;
    size_t apart = 0;
    if (!wanted)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++) {
        const struct gv_pack_row *row;
        if (!find_row(s, &orders[i]->item, &row, &orders[i]->error))
            settle(s, orders[i], GV_ORDER_FAILED);
        else if (!row)
            settle(s, orders[i], GV_ORDER_ABSENT);
        else if (take_from_tail(s, orders[i], row))
            continue;
        else if ((needed = needed_by(s, row)))
            wait_for(needed, orders[i]);
        else
            wanted[apart++] = (struct wanted){ orders[i], row };
    }
    order_wanted(s, wanted, apart);
    free(wanted);
    go_on(s);
    return true;
}

// ---- a pack's index ----

static bool read_index(struct http_source *s, const struct gv_pack_trailer *trailer,
                       const uint8_t *bytes, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    struct gv_pack_index index = { 0 };
    index.rows = calloc((size_t)trailer->rows + 1, sizeof *index.rows);
    if (!index.rows)
        return gv_out_of_memory(err);
    if (!gv_pack_read_rows(bytes, trailer, &index, &why)) {
        free(index.rows);
        return gv_fail(err, GV_ERR_FETCH, why.offset, "%.80s: %s", s->shown,
                       why.message);
    }
    s->rows = index.rows;
    s->row_count = index.count;
    for (size_t i = 0; i < index.dictionary_count; i++)
        s->needed[i].row = *row_of(s, &index.dictionaries[i]);
    s->needed_count = index.dictionary_count;
    return true;
}

static bool fetch_index(struct http_source *s, const struct gv_pack_trailer *trailer,
                        struct gv_error *err)
{
    struct gv_http_get get = {
        .url = s->url,
        .part = GV_HTTP_RANGE,
        .from = trailer->index + GV_PACKFILE_RECORD_BYTES,
        .size = gv_pack_rows_size(trailer),
    };
    if (get.from >= s->tail_at)
        return read_index(s, trailer, s->tail.data + (get.from - s->tail_at), err);
    if (get.size > MOST_INDEX)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "%.100s: the pack's index is too large", s->shown);
    bool ok = gv_http_run(s->http, &get, 1, err) &&
              (!get.missing || fail_gone(s, err)) &&
              read_index(s, trailer, get.body.data, err);
    gv_bytes_finish(&get.body);
    return ok;
}

// When the first object is wanted, so nothing else is under way.
static bool open_pack(struct http_source *s, struct gv_error *err)
{
    struct gv_http_get get;
    struct gv_pack_trailer trailer;
    bool ok = gv_http_run_end(s->http, s->url, &get, err);
    gv_bytes_finish(&s->tail);
    s->tail = get.body;
    if (ok && get.missing)
        return fail_gone(s, err);
    if (!ok)
        return false;
    s->tail_at = get.total - s->tail.size;
    if (s->tail.size < GV_PACKFILE_TRAILER_BYTES ||
        !gv_pack_read_trailer(s->tail.data + s->tail.size - GV_PACKFILE_TRAILER_BYTES,
                              &trailer) ||
        trailer.file_size != get.total)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "%.100s: no pack, or without its index", s->shown);
    return fetch_index(s, &trailer, err);
}

// ---- the source ----

static bool submit(struct gv_async *async, struct gv_order *const *orders, size_t count,
                   struct gv_error *err)
{
    struct http_source *s = (struct http_source *)async;
    for (size_t i = 0; i < count; i++) {
        orders[i]->outcome = GV_ORDER_OPEN;
        orders[i]->item.found = false;
        gv_error_clear(&orders[i]->error);
    }
    for (size_t i = 0; !s->pack && i < count; i++)
        order_file(s, orders[i]);
    bool ok = !s->pack || ((s->rows || open_pack(s, err)) &&
                           order_from_pack(s, orders, count, err));
    s->base.counters.requests = gv_http_requests(s->http);
    return ok;
}

static void sooner(struct gv_async *async, struct gv_order *order)
{
    struct http_source *s = (struct http_source *)async;
    struct pull *p = order->ticket;
    const struct gv_pack_row *row = p ? NULL : row_of(s, &order->item.hash);
    const struct needed *n = row ? needed_by(s, row) : NULL;
    if (n && n->asked)
        p = n->order.ticket;
    if (p && order->rank < p->get.rank)
        p->get.rank = order->rank;
}

static void cancel_pull(struct http_source *s, struct pull *p,
                        const struct gv_order *order)
{
    bool wanted = false;
    for (size_t i = 0; i < p->count; i++) {
        if (p->parts[i].order == order)
            p->parts[i].order = NULL;
        wanted |= p->parts[i].order != NULL;
    }
    if (!wanted) {
        gv_http_cancel(s->http, &p->get);
        pull_destroy(p);
    }
    go_on(s); // others may have waited for it
}

// False: it is not there.
static bool leave(struct gv_order **list, const struct gv_order *order)
{
    while (*list && *list != order)
        list = &(*list)->next;
    if (!*list)
        return false;
    *list = order->next;
    return true;
}

static void cancel(struct gv_async *async, struct gv_order *order)
{
    struct http_source *s = (struct http_source *)async;
    if (order->ticket) {
        cancel_pull(s, order->ticket, order);
        return;
    }
    for (size_t i = 0; i < s->needed_count; i++)
        if (leave(&s->needed[i].waiting, order))
            return;
    leave(&s->ready, order);
    s->ready_end = &s->ready;
    while (*s->ready_end)
        s->ready_end = &(*s->ready_end)->next;
}

static struct gv_order *next_ready(struct gv_async *async, int wake, int wait_ms)
{
    struct http_source *s = (struct http_source *)async;
    struct gv_order *order;
    while (!(order = take_ready(s))) {
        struct gv_http_get *get = gv_http_poll(s->http, wake, wait_ms);
        s->base.counters.requests = gv_http_requests(s->http);
        if (!get)
            return NULL;
        take_pull(s, (struct pull *)get);
        go_on(s);
    }
    return order;
}

static void destroy(struct gv_async *async)
{
    struct http_source *s = (struct http_source *)async;
    while (s->pulls) {
        gv_http_cancel(s->http, &s->pulls->get);
        pull_destroy(s->pulls);
    }
    for (size_t i = 0; i < s->needed_count; i++)
        if (s->needed[i].asked)
            free(s->needed[i].order.item.data);
    gv_dictionaries_finish(&s->dictionaries);
    gv_codec_destroy(s->codec);
    gv_bytes_finish(&s->tail);
    free(s->rows);
    free(s->url);
    free(s->shown);
    free(s);
}

static struct http_source *make(struct gv_http *http, const char *url,
                                struct gv_error *err)
{
    struct http_source *s = calloc(1, sizeof *s);
    size_t size = strlen(url) + 1;
    if (s) {
        s->url = strdup(url);
        s->shown = malloc(size);
        s->codec = gv_codec_create();
    }
    if (!s || !s->url || !s->shown || !s->codec) {
        if (s)
            destroy(&s->base);
        gv_out_of_memory(err);
        return NULL;
    }
    gv_http_show_url(url, s->shown, size);
    s->http = http;
    s->ready_end = &s->ready;
    s->base = (struct gv_async){
        .name = s->shown,
        .fd = -1,
        .submit = submit,
        .sooner = sooner,
        .cancel = cancel,
        .poll = next_ready,
        .destroy = destroy,
    };
    return s;
}

struct gv_async *gv_source_http(struct gv_http *http, const char *url, bool pack,
                                struct gv_error *err)
{
    // Names are added to a folder's URL: behind a query they would name nothing.
    if (!pack && strpbrk(url, "?#")) {
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                "the URL of a folder ends before its query, that of a pack may have "
                "one");
        return NULL;
    }
    struct http_source *s = make(http, url, err);
    if (!s)
        return NULL;
    for (size_t end = strlen(s->url); !pack && end && s->url[end - 1] == '/'; end--)
        s->url[end - 1] = '\0';
    s->pack = pack;
    return &s->base;
}

struct gv_async *gv_source_http_parts(struct gv_http *http,
                                      const struct gv_http_parts *parts,
                                      struct gv_error *err)
{
    struct http_source *s = make(http, parts->url, err);
    const size_t count = parts->count;
    struct gv_pack_row *own = calloc(count + 1, sizeof *own);
    if (s && parts->tail.size)
        gv_bytes_put(&s->tail, parts->tail.data, parts->tail.size);
    if (!s || !own || s->tail.failed) {
        if (s)
            destroy(&s->base);
        free(own);
        gv_out_of_memory(err);
        return NULL;
    }
    if (count)
        memcpy(own, parts->rows, count * sizeof *own);
    s->rows = own;
    s->row_count = count;
    for (; s->needed_count < parts->dictionary_count; s->needed_count++)
        s->needed[s->needed_count].row = parts->dictionaries[s->needed_count];
    s->pack = s->parts = true;
    s->tail_at = parts->tail_at;
    return &s->base;
}
