#include "compiler/gl/gl_window.h"
#include "compiler/gl/base/gl_names.h"

#include <string.h>

#include "compiler/gl/assembly/gl_assembly.h"
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/geometry/gl_list.h"
#include "compiler/gl/gl_attributes.h"
#include "compiler/gl/program/gl_program.h"
#include "compiler/gl/texture/gl_texture.h"
#include "compiler/lower/id_map.h"

#define MAX_CONTEXTS 256u
#define MAX_SURFACES 65536u
#define MAX_THREADS 65536u
#define MAX_PBUFFER 16384 // pixels a side
#define FIRST_SIZE 32u    // pixels of a surface nobody has set a viewport for

// Contexts that share objects.
struct group {
    uint32_t number; // gv_gl_key
    uint32_t contexts;
    struct group *next; // in a list of those without contexts
};

struct context {
    struct gv_named named;
    struct gv_gl_context gl;
    struct group *group;
};

struct surface {
    struct gv_named named;
    struct gv_gl_surface gl;
};

struct thread {
    struct gv_named named;
    struct context *context;     // a reference, or NULL
    struct surface *draw, *read; // likewise
    enum gv_gl_family family;    // eglBindAPI
};

struct gv_gl_windows {
    struct gv_id_map contexts, surfaces, threads;
    struct thread *thread; // the call's
    uint32_t group_count;  // so far
    // Without contexts: those whose objects are still there, and free memory.
    struct group *ended, *spare;
};

bool gv_gl_windows_create(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_windows *w = gv_arena_alloc(gl->sink.arena, sizeof(*w));
    if (!w)
        return gv_out_of_memory(err);
    const struct gv_id_map map = { .arena = gl->sink.arena,
                                   .serials = &gl->sink.serials };
    w->contexts = w->surfaces = w->threads = map;
    w->contexts.object_bytes = sizeof(struct context);
    w->contexts.limit = MAX_CONTEXTS;
    w->surfaces.object_bytes = sizeof(struct surface);
    w->surfaces.limit = MAX_SURFACES;
    w->threads.object_bytes = sizeof(struct thread);
    w->threads.limit = MAX_THREADS;
    gl->windows = w;
    return true;
}

// ---- share groups ----

static bool join_group(struct gv_gl_windows *w, struct gv_arena *arena,
                       struct context *c, const struct context *with,
                       struct gv_error *err)
{
    struct group *g = with ? with->group : w->spare;
    if (!g)
        g = gv_arena_alloc(arena, sizeof *g);
    if (!g)
        return gv_out_of_memory(err);
    if (g == w->spare)
        w->spare = g->next;
    if (!with)
        *g = (struct group){ .number = w->group_count++ };
    g->contexts++;
    c->group = g;
    return true;
}

static void leave_group(struct gv_gl_windows *windows, struct group *g)
{
    if (--g->contexts)
        return;
    g->next = windows->ended;
    windows->ended = g;
}

// Frees what ended groups had, which nobody can name any more. It waits for the next
// context: most traces end with their only one.
static void free_groups(struct gv_gl *gl)
{
    struct gv_gl_windows *w = gl->windows;
    const uint32_t current = gl->objects.group;
    while (w->ended) {
        struct group *g = w->ended;
        w->ended = g->next;
        gl->objects.group = g->number;
        gv_gl_lists_end_group(gl);
        gv_gl_programs_end_group(&gl->objects);
        gv_gl_assembly_end_group(&gl->objects);
        gv_gl_textures_end_group(&gl->objects, &gl->sink.pass);
        gv_gl_samplers_end_group(&gl->objects);
        gv_gl_renderbuffers_end_group(gl->drawing, gl->objects.group, &gl->sink.pass);
        gv_gl_buffers_end_group(&gl->objects, gl->sink.b);
        g->next = w->spare;
        w->spare = g;
    }
    gl->objects.group = current;
}

// ---- objects of maps ----

static void drop_context(struct gv_gl *gl, struct context *c)
{
    if (c && gv_id_release(&c->named)) {
        gv_gl_attributes_free(&c->gl);
        gv_gl_framebuffers_forget(gl->drawing, &c->gl);
        gv_gl_conditions_leave(gl, &c->gl);
        gv_gl_programs_leave(gl->objects.programs, &c->gl);
        leave_group(gl->windows, c->group);
        gv_id_reuse(&gl->windows->contexts, &c->named);
    }
}

static void drop_surface(struct gv_gl *gl, struct surface *s)
{
    if (s && gv_id_release(&s->named)) {
        gv_gl_surface_finish(&gl->sink, &s->gl);
        gv_id_reuse(&gl->windows->surfaces, &s->named);
    }
}

static void hold(struct gv_named *o)
{
    if (o)
        o->references++;
}

void gv_gl_windows_destroy(struct gv_gl *gl)
{
    struct gv_gl_windows *w = gl->windows;
    if (!w)
        return;
    for (struct gv_named *o = gv_id_first(&w->contexts); o; o = gv_id_next(o))
        gv_gl_attributes_free(&((struct context *)o)->gl);
}

// ---- threads ----

// A context may be current on several threads, each with surfaces of its own.
static bool set_current(struct gv_gl *gl, const struct thread *t, struct gv_error *err)
{
    gl->context = t->context ? &t->context->gl : NULL;
    if (!t->context)
        return true;
    gl->context->draw_surface = &t->draw->gl;
    gl->context->read_surface = &t->read->gl;
    gl->objects.group = t->context->group->number;
    return gv_gl_textures_enter_group(&gl->objects, err) &&
           gv_gl_assembly_enter_group(&gl->objects, gl->sink.arena, err);
}

bool gv_gl_enter_thread(struct gv_gl *gl, uint32_t thread, struct gv_error *err)
{
    struct gv_gl_windows *w = gl->windows;
    const uint64_t name = (uint64_t)thread + 1;
    if (!w->thread || w->thread->named.name != name) {
        struct gv_named *o = gv_id_find(&w->threads, name);
        if (!o) {
            o = gv_gl_name_make(&w->threads, name, "threads", err);
            if (!o)
                return false;
            ((struct thread *)o)->family = GV_GL_ES;
        }
        w->thread = (struct thread *)o;
    }
    return set_current(gl, w->thread, err);
}

enum gv_gl_family gv_gl_thread_family(const struct gv_gl_windows *windows)
{
    return windows->thread->family;
}

void gv_gl_set_thread_family(struct gv_gl_windows *windows, enum gv_gl_family family)
{
    windows->thread->family = family;
}

// ---- contexts ----

static struct context *find_context(const struct gv_gl_windows *windows,
                                    uint64_t handle)
{
    return (struct context *)gv_id_find(&windows->contexts, handle);
}

struct gv_gl_context *gv_gl_context_find(const struct gv_gl *gl, uint64_t handle)
{
    struct context *c = find_context(gl->windows, handle);
    return c ? &c->gl : NULL;
}

static struct context *make_context(struct gv_gl *gl, uint64_t handle,
                                    struct gv_gl_context_kind kind,
                                    const struct context *with, struct gv_error *err)
{
    gv_gl_context_destroy(gl, handle); // whose end was not recorded
    struct context *c = (struct context *)gv_gl_name_make(&gl->windows->contexts,
                                                          handle, "contexts", err);
    if (!c || !join_group(gl->windows, gl->sink.arena, c, with, err))
        return NULL;
    free_groups(gl);
    gv_gl_context_init(&c->gl);
    c->gl.handle = handle;
    c->gl.family = kind.family;
    c->gl.version = kind.version;
    c->gl.visual = kind.visual;
    c->gl.core = kind.core && kind.family == GV_GL_DESKTOP && kind.version >= 32;
    return c;
}

// One that nobody made is made now, and shares nothing.
static struct context *obtain_context(struct gv_gl *gl, uint64_t handle,
                                      struct gv_error *err)
{
    const struct gv_gl_context_kind kind = { .family = GV_GL_DESKTOP, .version = 10 };
    struct context *c = find_context(gl->windows, handle);
    return c ? c : make_context(gl, handle, kind, NULL, err);
}

bool gv_gl_context_create(struct gv_gl *gl, uint64_t handle,
                          struct gv_gl_context_kind kind, struct gv_error *err)
{
    struct context *with = NULL;
    if (handle == 0)
        return true;
    if (kind.share && kind.share != handle) {
        with = obtain_context(gl, kind.share, err);
        if (!with)
            return false;
    }
    return make_context(gl, handle, kind, with, err);
}

bool gv_gl_context_share(struct gv_gl *gl, uint64_t handle, uint64_t with,
                         struct gv_error *err)
{
    struct context *c = find_context(gl->windows, handle),
                   *to = find_context(gl->windows, with);
    if (!c || !to || c->group == to->group)
        return true;
    leave_group(gl->windows, c->group);
    return join_group(gl->windows, gl->sink.arena, c, to, err) &&
           set_current(gl, gl->windows->thread, err);
}

bool gv_gl_context_group(const struct gv_gl_windows *windows, uint64_t handle,
                         uint32_t *group)
{
    const struct context *c = find_context(windows, handle);
    if (c)
        *group = c->group->number;
    return c != NULL;
}

void gv_gl_context_destroy(struct gv_gl *gl, uint64_t handle)
{
    drop_context(gl, (struct context *)gv_id_remove(&gl->windows->contexts, handle));
}

// ---- surfaces ----

static struct surface *find_surface(const struct gv_gl_windows *windows,
                                    uint64_t handle)
{
    return (struct surface *)gv_id_find(&windows->surfaces, handle);
}

struct gv_gl_surface *gv_gl_surface_find(const struct gv_gl *gl, uint64_t handle)
{
    struct surface *s = find_surface(gl->windows, handle);
    return s ? &s->gl : NULL;
}

static struct surface *obtain(struct gv_gl *gl, uint64_t handle, struct gv_error *err)
{
    struct surface *s = find_surface(gl->windows, handle);
    if (s)
        return s;
    s = (struct surface *)gv_gl_name_make(&gl->windows->surfaces, handle, "surfaces",
                                          err);
    if (!s)
        return NULL;
    s->gl.handle = handle;
    s->gl.width = s->gl.height = FIRST_SIZE;
    return s;
}

struct gv_gl_surface *gv_gl_surface_obtain(struct gv_gl *gl, uint64_t handle,
                                           struct gv_error *err)
{
    struct surface *s = obtain(gl, handle, err);
    return s ? &s->gl : NULL;
}

static uint32_t side(int64_t n)
{
    return (uint32_t)(n < 1 ? 1 : n < MAX_PBUFFER ? n : MAX_PBUFFER);
}

bool gv_gl_pbuffer_create(struct gv_gl *gl, uint64_t handle, int64_t width,
                          int64_t height, struct gv_error *err)
{
    if (handle == 0)
        return true;
    gv_gl_surface_forget(gl, handle);
    struct surface *s = obtain(gl, handle, err);
    if (!s)
        return false;
    s->gl.pbuffer = true;
    s->gl.width = side(width);
    s->gl.height = side(height);
    return true;
}

void gv_gl_surface_forget(struct gv_gl *gl, uint64_t handle)
{
    drop_surface(gl, (struct surface *)gv_id_remove(&gl->windows->surfaces, handle));
}

// ---- current ----

static void release(struct gv_gl *gl)
{
    struct thread *t = gl->windows->thread;
    drop_context(gl, t->context);
    drop_surface(gl, t->draw);
    drop_surface(gl, t->read);
    t->context = NULL;
    t->draw = t->read = NULL;
    gl->context = NULL;
}

static void first_time(struct gv_gl_context *c)
{
    if (c->was_current)
        return;
    c->was_current = true;
    const struct gv_gl_surface *s = c->draw_surface;
    c->state.viewport.width = (float)s->width;
    c->state.viewport.height = (float)s->height;
    c->state.scissor.width = (int32_t)s->width;
    c->state.scissor.height = (int32_t)s->height;
    for (uint32_t i = 0; i < GV_GL_VIEWPORTS - 1; i++) {
        c->state.viewports[i] = c->state.viewport;
        c->state.scissors[i] = c->state.scissor;
    }
}

// Contexts without a surface have one of their own, under the context's handle.
static struct surface *surface_of(struct gv_gl *gl, uint64_t name, uint64_t context,
                                  struct gv_error *err)
{
    return obtain(gl, name ? name : context, err);
}

bool gv_gl_make_current(struct gv_gl *gl, struct gv_gl_current_names names,
                        struct gv_error *err)
{
    if (names.context == 0) {
        release(gl);
        return true;
    }
    struct context *c = obtain_context(gl, names.context, err);
    if (!c)
        return false;
    struct surface *draw = surface_of(gl, names.draw, names.context, err);
    struct surface *read = draw ? surface_of(gl, names.read, names.context, err) : NULL;
    if (!read)
        return false;
    hold(&c->named);
    hold(&draw->named);
    hold(&read->named);
    release(gl);
    struct thread *t = gl->windows->thread;
    t->context = c;
    t->draw = draw;
    t->read = read;
    if (!set_current(gl, t, err))
        return false;
    if (!draw->gl.back.id && !draw->gl.front.id && !draw->gl.depth.id)
        draw->gl.samples = c->gl.visual.samples;
    first_time(&c->gl);
    return true;
}
