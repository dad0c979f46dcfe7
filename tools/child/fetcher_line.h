// What a process that fetches and the one that asks it say to each other: both are the
// same program, so structs go as they are.
#ifndef GV_FETCHER_LINE_H
#define GV_FETCHER_LINE_H

#include "resources/async.h"
#include "resources/base/log.h"
#include "tools/child/fetcher.h"

enum gv_question_kind {
    GV_ASKS_FOR,    // an object
    GV_ASKS_SOONER, // the rank of an order became smaller
    GV_ASKS_CANCEL, // nobody wants it any more; it is answered all the same
};

struct gv_question {
    uint32_t kind;
    uint32_t number; // of the order, chosen by who asks; free again once answered
    uint64_t raw_size, rank;
    struct gv_hash hash;
    uint32_t more; // GV_ASKS_FOR: the next question goes to the server with it
    uint32_t unused;
};

// One answers that the store is open, and one each order; behind that of an object that
// is here come its bytes.
struct gv_answer {
    struct gv_error error;
    uint32_t number, outcome; // enum gv_outcome
    struct gv_async_counters counters;
};

// Bytes from a descriptor that blocks. False: it has ended, or failed.
bool gv_fetcher_read(int fd, void *to, size_t size);

// What to open, on the side of the process that fetches.
struct gv_fetcher_params {
    const char *url;
    bool pack;
    const struct gv_fetch_params *fetching;
    int line;
    int memory; // instead: a payload, which comes to there; -1
    const struct gv_log *log;
};

// The life of that process, from the fork to its end.
_Noreturn void gv_fetcher_be(const struct gv_fetcher_params *params);

#endif
