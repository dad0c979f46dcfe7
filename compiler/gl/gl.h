// The machine of OpenGL and GLES: decoded calls go in, explicit work goes to the
// builder. It knows no container and no bytes of a trace.
#ifndef GV_GL_H
#define GV_GL_H

#include "compiler/apitrace/trace/trace_call.h"
#include "compiler/builder/builder.h"
#include "compiler/compiler.h"
#include "resources/base/arena.h"

struct gv_gl;

struct gv_gl_params {
    const struct gv_compile_params *compile; // borrowed
    struct gv_arena *arena;                  // borrowed; lasts as long as the machine
    struct gv_builder *builder;              // borrowed
    uint64_t work;        // units that calls may ask for (gv_gl_work); 0: GV_GL_WORK
    bool recorded_visual; // visuals as the program asked for, not as glretrace has them
};

struct gv_gl *gv_gl_create(const struct gv_gl_params *params, struct gv_error *err);

// Takes one call, in the order in which calls are delivered. What GL rejects changes
// nothing and is noted; what is not lowered is counted as unsupported, and the frame
// goes on. False: memory, a limit, or (strict) something unsupported.
bool gv_gl_call(struct gv_gl *gl, const struct gv_trace_call *call,
                struct gv_error *err);

// So much of the trace's stream has been read: what calls may ask for is in proportion.
void gv_gl_read_to(struct gv_gl *gl, uint64_t bytes);

// Ends what is still open. Once.
bool gv_gl_finish(struct gv_gl *gl, struct gv_error *err);

void gv_gl_destroy(struct gv_gl *gl);

// What becomes of a function: for `info` and for tables of coverage.
enum gv_gl_lowering {
    GV_GL_LOWERED,
    GV_GL_QUERY,   // no effect on pictures: skipped without a word
    GV_GL_UNKNOWN, // skipped with an `unsupported`
};
enum gv_gl_lowering gv_gl_lowering(const char *function);

// Whether a call that gv_gl_call has had ended a frame (before it ran).
bool gv_gl_ends_frame(const struct gv_trace_call *call);

#endif
