// A machine of OpenGL whose rows are called past display lists and batches, for tests
// of state.
#ifndef GV_STATE_MACHINE_H
#define GV_STATE_MACHINE_H

#include "compiler/gl/gl.h"
#include "compiler/gl/gl_window.h"
#include "tests/compiler/builder_probe.h"
#include "tests/gl/make_call.h"

struct state_machine {
    struct probe probe;
    struct gv_arena arena;
    struct gv_gl *gl;
    struct gv_error err;
    uint32_t thread; // of calls to come
};

// Begins with no context; with one, current on a window of 32 x 32, after _context.
void state_machine_begin(struct state_machine *m);
void state_machine_context(struct state_machine *m);
void state_machine_end(struct state_machine *m);
// Both begins; and the end of one frame, which must be whole, with the machine's.
void state_machine_enter(struct state_machine *m);
void state_machine_leave(struct state_machine *m);

// Runs a call (make_call.h). False: it failed, or there is no such row.
bool run(struct state_machine *m, const char *name, const char *kinds, ...);

// Row `i` of those that calls can have; NULL behind the last one.
const struct gv_gl_row *state_machine_row(size_t i);

// What is current on the thread.
struct gv_gl_state *current_state(struct state_machine *m);

// Whether a call changed nothing of the state.
#define UNCHANGED(m, ...)                                  \
    (saved_state = *current_state(m), run(m, __VA_ARGS__), \
     memcmp(&saved_state, current_state(m), sizeof(saved_state)) == 0)
extern struct gv_gl_state saved_state;

#endif
