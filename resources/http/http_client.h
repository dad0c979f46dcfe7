// Bytes from web servers: many requests at once, tried again where that may help.
#ifndef GV_HTTP_CLIENT_H
#define GV_HTTP_CLIENT_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/base/log.h"

struct gv_http_params {
    const char *token_file; // its first line goes along as a bearer token; NULL: none
    // So long less than 1 KiB a second: tried again; also to connect. A request has one
    // deadline for all its tries: the stalls of all but one of them (of one at least),
    // and the time that what has come takes at 2 KiB a second. Behind one that passed
    // its deadline each has one stall, until an answer comes.
    uint64_t stall_s;
    uint64_t tries; // of each request, >= 1
    int hangup;     // a descriptor at whose end everything is given up, or -1
    const struct gv_log *log;
};

struct gv_http;

// The params are copied, the log is borrowed. One thread. NULL: GV_ERR_UNSUPPORTED (no
// libcurl), GV_ERR_USAGE (no token in that file).
struct gv_http *gv_http_create(const struct gv_http_params *params,
                               struct gv_error *err);
void gv_http_destroy(struct gv_http *http); // NULL is fine

enum gv_http_part {
    GV_HTTP_WHOLE,
    GV_HTTP_RANGE, // `size` bytes from `from`
    GV_HTTP_TAIL,  // the last `size` bytes, or all there are
};

// One request and what became of it.
struct gv_http_get {
    const char *url; // borrowed
    enum gv_http_part part;
    uint64_t from, size; // bytes; of a range, size > 0
    uint64_t most;       // of GV_HTTP_WHOLE: more is an error
    uint64_t rank;       // what is smaller is sent sooner; may change
    // Out. The caller finishes `body`.
    struct gv_bytes body;
    uint64_t total;        // GV_HTTP_TAIL: bytes of the whole file
    bool missing;          // 404 or 410: no error
    struct gv_error error; // GV_OK, or GV_ERR_FETCH naming the URL, status and reason
};

// Takes a request, which is the client's until gv_http_poll returns it, or until it is
// cancelled. False: it is not.
bool gv_http_submit(struct gv_http *http, struct gv_http_get *get,
                    struct gv_error *err);

// The next request that has its outcome. NULL: none yet, after `wait_ms` (-1: for as
// long as it takes), or once `wake`, a descriptor or -1, is readable.
struct gv_http_get *gv_http_poll(struct gv_http *http, int wake, int wait_ms);

void gv_http_cancel(struct gv_http *http, struct gv_http_get *get);

// Does all of them, with nothing else under way, and returns when each has its outcome.
// False: `err` is the first one's error.
bool gv_http_run(struct gv_http *http, struct gv_http_get *gets, size_t count,
                 struct gv_error *err);

// The end of a pack or payload, which is asked for first: what is in it needs no
// request of its own, and who wants one frame wants little of it. A small file comes
// whole, by one more.
#define GV_HTTP_END_BYTES ((uint64_t)16384)
#define GV_HTTP_SMALL_BYTES ((uint64_t)65536)

// Fills `end` with that, as gv_http_run does. The caller finishes its body either way.
bool gv_http_run_end(struct gv_http *http, const char *url, struct gv_http_get *end,
                     struct gv_error *err);

uint64_t gv_http_requests(const struct gv_http *http); // sent so far, tries included

// The URL without what may be secret in it: user, password and query. At most `size`
// bytes with the NUL.
void gv_http_show_url(const char *url, char *text, size_t size);

// Whether `gap` bytes that nobody wants come along with ranges on both sides of them,
// of `wanted` bytes in all as they are used, rather than that these are two requests.
// `gaps` bytes have come along so far.
bool gv_http_joins(uint64_t gap, uint64_t gaps, uint64_t wanted);

// "bytes FIRST-LAST/TOTAL" of a Content-Range. False: it is anything else.
bool gv_http_read_range(const char *text, uint64_t *first, uint64_t *last,
                        uint64_t *total);

#endif
