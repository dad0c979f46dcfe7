#include "tests/gl/state_machine.h"

#include <string.h>

#include "compiler/gl/gl_functions.h"
#include "tests/test.h"

struct gv_gl_state saved_state;

void state_machine_begin(struct state_machine *m)
{
    memset(m, 0, sizeof(*m));
    probe_begin(&m->probe, false, 1);
    const struct gv_gl_params params = { .builder = m->probe.builder,
                                         .arena = &m->arena };
    m->gl = gv_gl_create(&params, &m->err);
}

void state_machine_context(struct state_machine *m)
{
    run(m, "glXMakeCurrent", "ppp=i", UINT64_C(1), UINT64_C(7), UINT64_C(0x100), 1);
}

void state_machine_end(struct state_machine *m)
{
    gv_gl_destroy(m->gl);
    gv_arena_finish(&m->arena);
    probe_finish(&m->probe);
}

void state_machine_enter(struct state_machine *m)
{
    state_machine_begin(m);
    state_machine_context(m);
}

void state_machine_leave(struct state_machine *m)
{
    gv_builder_frame_end(m->probe.builder, 0, 0);
    CHECK(probe_end(&m->probe));
    state_machine_end(m);
}

const struct gv_gl_row *state_machine_row(size_t i)
{
    for (size_t t = 0; gv_gl_function_tables[t]; t++)
        for (const struct gv_gl_row *row = gv_gl_function_tables[t]; row->name; row++)
            if (row->run && i-- == 0)
                return row;
    return NULL;
}

bool run(struct state_machine *m, const char *name, const char *kinds, ...)
{
    const struct gv_gl_row *row = gv_gl_function(name);
    struct made_call made;
    va_list list;
    va_start(list, kinds);
    make_call(&made, name, kinds, list);
    va_end(list);
    made.call.thread = m->thread;
    m->gl->sink.call = &made.call;
    return row && row->run && gv_gl_enter_thread(m->gl, m->thread, &m->err) &&
           row->run(m->gl, &made.call, &m->err);
}

struct gv_gl_state *current_state(struct state_machine *m)
{
    gv_gl_enter_thread(m->gl, m->thread, &m->err);
    return &m->gl->context->state;
}
