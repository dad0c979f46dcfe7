// Traces of OpenGL calls by name, in a context and a window that are there already.
#ifndef TRACE_GL_H
#define TRACE_GL_H

#include "tests/apitrace/trace_writer.h"

#define TRACE_GL_SIDE 64 // pixels of the window

struct trace_gl {
    struct trace_writer w;
    struct trace_function functions[TRACE_MAX_FUNCTIONS]; // that were called
    unsigned count;
};

void trace_gl_begin(struct trace_gl *t);
void trace_gl_finish(struct trace_gl *t);

// A call with `types` as trace_call has them. `name` must last.
void trace_gl_call(struct trace_gl *t, const char *name, const char *types, ...);
// Enters one whose arguments the caller writes, as trace_enter: one per letter of
// `types`.
uint64_t trace_gl_enter(struct trace_gl *t, const char *name, const char *types);
// The frame ends.
void trace_gl_swap(struct trace_gl *t);

// glBegin(mode), `count` vertices somewhere in the window, glEnd.
void trace_gl_shape(struct trace_gl *t, unsigned mode, unsigned count);

#endif
