// Sources that are asked now and answer later: many orders at once, the most urgent
// first. What blocks (source.h) is made one of them by a wrapper, and the other way.
#ifndef GV_ASYNC_H
#define GV_ASYNC_H

#include "resources/source.h"

enum gv_outcome {
    GV_ORDER_OPEN,
    GV_ORDER_HERE,   // its bytes are in item.data, size and hash checked
    GV_ORDER_ABSENT, // the source does not have it, which is no error
    GV_ORDER_FAILED, // `error` says why
};

// One object that is ordered. From submitting it to its outcome, or to cancelling it,
// it is the source's, but for `rank`.
struct gv_order {
    struct gv_fetch item; // the caller's `data` is written to as it comes
    uint64_t rank;        // smaller is sooner; see `sooner`
    enum gv_outcome outcome;
    struct gv_error error;
    void *ticket;          // the source's, and
    struct gv_order *next; // the source's
};

struct gv_async_counters {
    uint64_t requests; // sent to servers, tries included; or fetches
    uint64_t kept;     // orders that the cache on disk answered
};

// A provider. Implementations embed it as their first member. One thread.
struct gv_async {
    const char *name; // for messages
    int fd;           // readable when poll has something; -1: poll itself does the work
    struct gv_async_counters counters; // so far
    // Told, by gv_async_fetch, of each second that nothing came; NULL: nobody is.
    void (*waited)(void *context);
    void *waited_context;
    // Takes `count` orders at once: neighbours may be brought together. False: none of
    // them is the source's.
    bool (*submit)(struct gv_async *async, struct gv_order *const *orders, size_t count,
                   struct gv_error *err);
    // The rank of an order has become smaller.
    void (*sooner)(struct gv_async *async, struct gv_order *order);
    // The order and its bytes are not touched any more.
    void (*cancel)(struct gv_async *async, struct gv_order *order);
    // The next order with an outcome. NULL: there is none yet; returns then after
    // `wait_ms`, or once `wake`, a descriptor or -1, is readable.
    struct gv_order *(*poll)(struct gv_async *async, int wake, int wait_ms);
    void (*destroy)(struct gv_async *async);
};

void gv_async_destroy(struct gv_async *async); // NULL is fine

// A blocking source as one of these: each poll fetches the most urgent order. The
// source is borrowed. NULL: GV_ERR_LIMIT.
struct gv_async *gv_async_adapt(struct gv_source *source, struct gv_error *err);

// gv_source's fetch by orders: submits what is not found and waits for all of it.
bool gv_async_fetch(struct gv_async *async, struct gv_fetch *items, size_t count,
                    struct gv_error *err);

#endif
