#include "tests/gl/state_machine.h"

#include <string.h>

#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/gl_attributes.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/texture/texture_object.h"

struct gv_gl_state saved_state;

static const struct gv_gl_row *const tables[] = {
    gv_gl_glx_rows,
    gv_gl_egl_rows,
    gv_gl_wgl_rows,
    gv_gl_frame_rows,
    gv_gl_viewport_rows,
    gv_gl_attribute_rows,
    gv_gl_enable_rows,
    gv_gl_matrix_rows,
    gv_gl_light_rows,
    gv_gl_rasterization_rows,
    gv_gl_fragment_rows,
    gv_gl_blend_rows,
    gv_gl_texture_environment_rows,
    gv_gl_pixel_state_rows,
    gv_gl_texture_rows,
    gv_gl_texture_parameter_rows,
    gv_gl_texture_image_rows,
    gv_gl_texture_mipmap_rows,
    gv_gl_texture_compressed_rows,
    gv_gl_texture_storage_rows,
};

void state_machine_begin(struct state_machine *m)
{
    memset(m, 0, sizeof(*m));
    probe_begin(&m->probe, false, 1);
    m->gl.arena = &m->arena;
    m->gl.b = m->probe.builder;
    m->gl.pass.b = m->probe.builder;
    gv_gl_windows_create(&m->gl, &m->err);
    gv_gl_drawing_create(&m->gl, &m->err);
    gv_gl_textures_create(&m->gl, &m->err);
}

void state_machine_context(struct state_machine *m)
{
    run(m, "glXMakeCurrent", "ppp=i", UINT64_C(1), UINT64_C(7), UINT64_C(0x100), 1);
}

void state_machine_end(struct state_machine *m)
{
    gv_gl_textures_destroy(&m->gl);
    gv_gl_drawing_destroy(&m->gl);
    gv_gl_windows_destroy(&m->gl);
    gv_arena_finish(&m->arena);
    probe_finish(&m->probe);
}

const struct gv_gl_row *state_machine_row(size_t i)
{
    for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
        for (const struct gv_gl_row *row = tables[t]; row->name; row++)
            if (row->run && i-- == 0)
                return row;
    return NULL;
}

static const struct gv_gl_row *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        for (const struct gv_gl_row *row = tables[i]; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

bool run(struct state_machine *m, const char *name, const char *kinds, ...)
{
    const struct gv_gl_row *row = row_of(name);
    struct made_call made;
    va_list list;
    va_start(list, kinds);
    make_call(&made, name, kinds, list);
    va_end(list);
    made.call.thread = m->thread;
    m->gl.call = &made.call;
    return row && gv_gl_enter_thread(&m->gl, m->thread, &m->err) &&
           row->run(&m->gl, &made.call, &m->err);
}

struct gv_gl_state *current_state(struct state_machine *m)
{
    gv_gl_enter_thread(&m->gl, m->thread, &m->err);
    return &m->gl.context->state;
}
