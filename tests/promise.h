// How a fuzzer says that something broke: its process dies, so that the fuzzer keeps
// the input.
#ifndef GV_TESTS_PROMISE_H
#define GV_TESTS_PROMISE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline void gv_promise(bool kept, const char *promise)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

// The same, where the line of the stack says enough.
static inline void gv_must(bool kept)
{
    gv_promise(kept, "see the stack");
}

#endif
