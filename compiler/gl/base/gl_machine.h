// What the rooms of the OpenGL machine share: the machine, its current context, how a
// function's handler looks, what is said of calls that do not run.
//
// Rooms, each sees those before it: base, state, assembly, fixed, texture, program,
// draw, geometry; the folder above them dispatches.
#ifndef GV_GL_MACHINE_H
#define GV_GL_MACHINE_H

#include "compiler/apitrace/trace/trace_call.h"
#include "compiler/builder/builder.h"
#include "compiler/gl/base/gl_context.h"
#include "compiler/lower/lower_pass.h"
#include "resources/base/arena.h"

struct gv_gl_textures; // texture/gl_texture.h
struct gv_gl_fixed;    // fixed/fixed_program.h
struct gv_gl_assembly; // assembly/gl_assembly.h
struct gv_gl_programs; // program/gl_program.h
struct gv_gl_drawing;  // draw/gl_draw.h
struct gv_gl_buffers;  // base/gl_buffer.h
struct gv_gl_packs;    // texture/gl_packed.h
struct gv_gl_lists;    // geometry/gl_list.h
struct gv_gl_windows;  // gl_window.h
struct gv_gl_visuals;  // gl_visual.h

// What is not lowered: a row of unsupported.def (gl_unsupported.c).
struct gv_gl_lack {
    const char *detail, *why; // either may be NULL
    uint32_t limit;           // stands in `why`; 0: none does
};
enum gv_gl_lack_row {
#define LACK(name, detail, why, limit) GV_GL_LACK_##name,
#include "compiler/gl/base/unsupported.def"
#undef LACK
    GV_GL_LACK_COUNT
};
extern const struct gv_gl_lack gv_gl_lacks[GV_GL_LACK_COUNT];
#define GV_GL_LACK(name) (&gv_gl_lacks[GV_GL_LACK_##name])

// What calls have made the machine do, against what the trace has told: a few calls can
// ask for vertices and texels without end (lists, evaluators, instances, one array over
// and over).
struct gv_gl_work {
    uint64_t done; // units, about a vertex each
    uint64_t made; // bytes of vertices and texels that the trace does not have as such
    uint64_t read; // bytes of the stream so far
    uint64_t allowed;        // units; 0 is GV_GL_WORK
    struct gv_error failure; // the first time that it was too much
};

// Where what calls make goes, and what is said of them: a function that needs no state
// of OpenGL takes this, or one member of it.
struct gv_gl_sink {
    const struct gv_compile_params *params;
    struct gv_arena *arena; // of what lasts
    struct gv_builder *b;
    struct gv_lower_pass pass;
    uint64_t serials; // of objects: lower/id_map.h
    const struct gv_trace_call *call;
    struct gv_gl_work work;
};

// Objects that share groups have, by kind, and whose names calls mean.
struct gv_gl_objects {
    uint32_t group; // share group of the current context: gl_names.h
    struct gv_gl_buffers *buffers;
    struct gv_gl_textures *textures;
    struct gv_gl_packs *packs; // NULL: nothing was packed yet
    struct gv_gl_assembly *assembly;
    struct gv_gl_programs *programs;
};

// Functions take the parts that they need. The whole machine is for handlers and for
// what draws, which needs them all.
struct gv_gl {
    struct gv_gl_sink sink;
    struct gv_gl_objects objects;
    bool recorded_visual; // visuals as the program asked for, not as glretrace has them

    bool entered; // a thread's calls
    uint32_t thread;
    struct gv_gl_context *context; // current on that thread, or NULL
    uint64_t next_command;         // numbers of the builder's commands ascend
    uint64_t delivered;            // calls so far

    struct gv_gl_fixed *fixed;
    struct gv_gl_drawing *drawing;
    struct gv_gl_lists *lists;
    struct gv_gl_windows *windows;
    struct gv_gl_visuals *visuals;
    // Of which context the device counts samples and decides what is drawn; NULL: none.
    const struct gv_gl_querying *counting, *deciding;
    bool counts_asked; // how many samples passed went to a buffer
};

// ---- handlers ----

// Runs a call. What GL rejects: gv_gl_reject, and true. False: the compile ends.
typedef bool gv_gl_handler(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err);

enum {
    GV_GL_LISTED = 1,   // goes into a display list that is being made
    GV_GL_INSIDE = 2,   // may stand between glBegin and glEnd
    GV_GL_ANYWHERE = 4, // needs no current context
    GV_GL_QUIET = 8,    // is no change of state that flushes (gl_material.h)
};

// A handler gl_NAME that is one expression of `gl`, `call` and `err`.
#define GV_GL_HANDLER(name, expression)                                       \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        (void)err;                                                            \
        return expression;                                                    \
    }

// A handler gl_NAME of a call that only changes its context: set_NAME does it.
#define GV_GL_SETTER(name)                                                    \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        (void)err;                                                            \
        return set_##name(gl->context, &gl->sink, call);                      \
    }

// Likewise of one that only changes objects of the share group.
#define GV_GL_OBJECT_SETTER(name)                                             \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        return set_##name(&gl->objects, &gl->sink, call, err);                \
    }

// Each file of handlers ends with a table of its rows, the last one without a name. A
// row without a handler is of a query: no effect.
struct gv_gl_row {
    const char *name; // "glEnable"
    gv_gl_handler *run;
    uint32_t flags;
};

// ---- arguments ----

static inline int32_t gv_gl_int(const struct gv_trace_call *call, uint32_t i)
{
    return (int32_t)gv_trace_sint(gv_trace_argument(call, i));
}
static inline uint32_t gv_gl_uint(const struct gv_trace_call *call, uint32_t i)
{
    return (uint32_t)gv_trace_uint(gv_trace_argument(call, i));
}
static inline float gv_gl_float(const struct gv_trace_call *call, uint32_t i)
{
    return (float)gv_trace_real(gv_trace_argument(call, i));
}

// Up to `count` elements of an array argument as floats; those that are missing are 0.
// Returns how many there were.
uint32_t gv_gl_floats(const struct gv_trace_call *call, uint32_t i, float *out,
                      uint32_t count);

// ---- how much there may be ----

#define GV_GL_CALL_WORK 16u // units of a call that a list makes
#define GV_GL_DRAW_WORK 64u // of a draw

#define GV_GL_WORK (UINT64_C(1) << 28) // units that any trace may ask for
#define GV_GL_COMPILE_WORK 4096u // of a shader that is compiled, and one per byte of it

// Counts work before it is done: a unit is about what a vertex costs, 16 bytes that are
// packed, a texel that is converted. GV_ERR_LIMIT beyond what is allowed and 256 for
// each byte of the trace so far.
bool gv_gl_work(struct gv_gl_work *w, uint64_t units, struct gv_error *err);

// Counts bytes that go into the payload: GV_ERR_LIMIT beyond half of the memory that
// the compile may have and 256 for each byte of the trace so far.
bool gv_gl_made(struct gv_gl_sink *sink, uint64_t bytes, struct gv_error *err);

// Whether one of them has failed, also where nobody could be told.
bool gv_gl_exceeded(const struct gv_gl_work *work, struct gv_error *err);

// ---- what is said ----

// The call changes nothing, since GL rejects it with `error` (GL_INVALID_ENUM ...): a
// note. Always true, for handlers to return.
bool gv_gl_reject(struct gv_gl_sink *sink, uint32_t error);

// Something of this call is not lowered: "unsupported: FUNCTION(DETAIL): WHY", by a row
// of unsupported.def. Always true, but for strict compiles, where the builder fails.
// Counted once per text, with the first call.
bool gv_gl_unsupported(struct gv_gl_sink *sink, const struct gv_gl_lack *lack);
// With an enumerant or a format in place of the row's detail.
bool gv_gl_unsupported_of(struct gv_gl_sink *sink, const struct gv_gl_lack *lack,
                          const char *detail);
// With how many there are and may be: "FUNCTION: COUNT WHY (limit MOST)".
bool gv_gl_unsupported_over(struct gv_gl_sink *sink, const struct gv_gl_lack *lack,
                            uint64_t count, uint64_t most);
// With what somebody else said: "FUNCTION: WHY: REASON".
bool gv_gl_unsupported_because(struct gv_gl_sink *sink, const struct gv_gl_lack *lack,
                               const char *reason);

#endif
