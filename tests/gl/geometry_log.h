// The room of geometry alone: calls go in, and what would be drawn is written as text.
//
// A draw is its mode, what differs from GL's initial values of a colour and normal that
// all vertices share in brackets, then each vertex that is drawn: position and what it
// carries. `/` says that quads are cut along the other diagonal, `x2` that there are
// two instances.
//
// Integers end with `i` or `u`, arrays that step by instance stand in braces, and where
// a program is bound each vertex has its gl_VertexID before it: #3.
//
//   triangles (0 0) (1 0) (0 1)
//   quads/ [c 1 0 0 1] (0 0; t 0 0) (1 0; t 1 0) (1 1; t 1 1) (0 1; t 0 1)
#ifndef GV_GEOMETRY_LOG_H
#define GV_GEOMETRY_LOG_H

#include "compiler/gl/base/gl_machine.h"
#include "tests/compiler/builder_probe.h"
#include "tests/gl/make_call.h"

struct geometry_log {
    struct probe probe;
    struct gv_arena arena;
    struct gv_gl gl;
    struct gv_gl_context context;
    struct gv_error err;
    struct made_call made; // the last one
    char text[4096];       // of draws since the last geometry_drawn
};

void geometry_begin(struct geometry_log *g);
void geometry_end(struct geometry_log *g);

// Runs a call (make_call.h) as the dispatch does. False: it failed, or has no row.
bool geometry_call(struct geometry_log *g, const char *name, const char *kinds, ...);

// The same of a call that is there.
bool geometry_run(struct geometry_log *g, const struct gv_trace_call *call);

// The names of all calls that have a row.
uint32_t geometry_row_count(void);
const char *geometry_row(uint32_t index);

// What was drawn since, drawing what waits. Until the next call.
const char *geometry_drawn(struct geometry_log *g);

// ---- for tests: `g` is the log ----

#define CALL(...) CHECK(geometry_call(g, __VA_ARGS__))
#define DRAWN(wanted)                             \
    do {                                          \
        const char *drawn = geometry_drawn(g);    \
        CHECK_ROW(drawn, !strcmp(drawn, wanted)); \
    } while (0)

// A blob's argument: its size and its bytes.
#define BYTES(...)                                              \
    sizeof((const uint8_t[]){ __VA_ARGS__ }), (const uint8_t[]) \
    {                                                           \
        __VA_ARGS__                                             \
    }

// Runs each test on a log of its own. What main returns.
typedef void geometry_test(struct geometry_log *g);
int geometry_tests(geometry_test *const tests[], size_t count);

#endif
