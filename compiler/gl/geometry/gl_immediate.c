// Vertices one by one, until state changes or a primitive ends that shares vertices.
#include "compiler/gl/geometry/gl_immediate.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/geometry/gl_feed.h"

void gv_gl_immediate_finish(struct gv_gl_immediate *m)
{
    gv_gl_run_finish(&m->run);
    free(m->tint.colors);
    m->tint = (struct gv_gl_tint){ 0 };
}

// ---- materials between vertices ----

static bool same(const float a[4], const float b[4])
{
    return gv_gl_same(a, b, 4 * sizeof *a);
}

// Front and back.
static bool same_materials(const struct gv_gl_material a[2],
                           const struct gv_gl_material b[2])
{
    return gv_gl_same(a, b, 2 * sizeof *a);
}

// The colour material mode whose property is all that differs between two materials; 0:
// none; GL_NONE cannot be told from it and is not asked for.
static uint32_t changed_property(const struct gv_gl_material *a,
                                 const struct gv_gl_material *b)
{
    const bool ambient = !same(a->ambient, b->ambient);
    const bool diffuse = !same(a->diffuse, b->diffuse);
    const bool specular = !same(a->specular, b->specular);
    const bool emission = !same(a->emission, b->emission);
    if (!gv_gl_same(&a->shininess, &b->shininess, sizeof a->shininess))
        return 0;
    if (ambient + diffuse + specular + emission == 1)
        return ambient    ? GL_AMBIENT
               : diffuse  ? GL_DIFFUSE
               : specular ? GL_SPECULAR
                          : GL_EMISSION;
    const bool both = ambient && diffuse && !specular && !emission;
    return both && same(a->ambient, a->diffuse) && same(b->ambient, b->diffuse)
               ? GL_AMBIENT_AND_DIFFUSE
               : 0;
}

static const float *property(const struct gv_gl_material *m, uint32_t mode)
{
    switch (mode) {
    case GL_AMBIENT:
        return m->ambient;
    case GL_SPECULAR:
        return m->specular;
    case GL_EMISSION:
        return m->emission;
    default:
        return m->diffuse;
    }
}

// What colour material would follow a change of materials; mode 0: none can.
static struct gv_gl_tint followed(const struct gv_gl_material a[2],
                                  const struct gv_gl_material b[2])
{
    struct gv_gl_tint t = { 0 };
    const bool front = !gv_gl_same(&a[0], &b[0], sizeof a[0]);
    const bool back = !gv_gl_same(&a[1], &b[1], sizeof a[1]);
    t.face = !back ? GL_FRONT : !front ? GL_BACK : GL_FRONT_AND_BACK;
    t.mode = changed_property(&a[front ? 0 : 1], &b[front ? 0 : 1]);
    if (front && back &&
        (t.mode != changed_property(&a[1], &b[1]) || !t.mode ||
         !same(property(&a[0], t.mode), property(&a[1], t.mode)) ||
         !same(property(&b[0], t.mode), property(&b[1], t.mode))))
        t.mode = 0;
    return t;
}

static bool tint_vertex(struct gv_gl_immediate *m, uint32_t vertex, const float *color,
                        struct gv_error *err)
{
    struct gv_gl_tint *t = &m->tint;
    if (t->capacity < m->run.capacity) {
        float *larger =
            realloc(t->colors, (size_t)m->run.capacity * 4 * sizeof *larger);
        if (!larger)
            return gv_out_of_memory(err);
        t->colors = larger;
        t->capacity = m->run.capacity;
    }
    memcpy(t->colors + 4 * (size_t)vertex, color, 4 * sizeof *color);
    return true;
}

// The current material, as the vertices that come have it.
static const float *tint_now(const struct gv_gl_context *c, const struct gv_gl_tint *t)
{
    const struct gv_gl_material *now = c->state.lighting.material;
    return property(&now[t->face == GL_BACK], t->mode);
}

// From here on the vertices carry the property that changed.
static bool tint_begin(struct gv_gl_context *c, struct gv_gl_sink *sink,
                       struct gv_gl_immediate *m, struct gv_error *err)
{
    const struct gv_gl_lighting *l = &c->state.lighting;
    const struct gv_gl_tint t = followed(m->material, l->material);
    if (!t.mode || l->color_material)
        return gv_gl_unsupported(sink, GV_GL_LACK(MATERIAL));
    m->tint.face = t.face;
    m->tint.mode = t.mode;
    const float *before = property(&m->material[t.face == GL_BACK], t.mode);
    for (uint32_t i = 0; i < m->run.count; i++)
        if (!tint_vertex(m, i, before, err))
            return false;
    return true;
}

static bool draw(struct gv_gl *gl, struct gv_gl_immediate *m, struct gv_error *err);

// What a tint does not carry must stay as it was.
static bool tint_goes_on(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_gl_immediate *m)
{
    const struct gv_gl_material *now = c->state.lighting.material;
    if (same_materials(m->material, now) ||
        followed(m->material, now).mode == m->tint.mode)
        return true;
    return gv_gl_unsupported(sink, GV_GL_LACK(MATERIAL));
}

// Before a vertex: has the material changed since the first one?
static bool follow_material(struct gv_gl *gl, struct gv_gl_immediate *m,
                            struct gv_error *err)
{
    const struct gv_gl_lighting *l = &gl->context->state.lighting;
    if (m->run.count == 0)
        memcpy(m->material, l->material, sizeof m->material);
    if (m->tint.mode)
        return tint_goes_on(gl->context, &gl->sink, m);
    if (!l->enabled || same_materials(m->material, l->material))
        return true;
    const uint32_t n = gv_gl_independent(m->run.mode);
    if (!n || m->run.count % n)
        return tint_begin(gl->context, &gl->sink, m, err);
    if (!draw(gl, m, err))
        return false;
    gv_gl_run_begin(&m->run, &gl->context->state.current);
    memcpy(m->material, l->material, sizeof m->material);
    return true;
}

// ---- drawing ----

// Current values and materials as they were for the vertices, while these are drawn.
static bool submit_as_of(struct gv_gl *gl, struct gv_gl_immediate *m,
                         struct gv_gl_geometry *g, struct gv_error *err)
{
    struct gv_gl_state *s = &gl->context->state;
    const struct gv_gl_current current = s->current;
    const struct gv_gl_lighting lighting = s->lighting;
    memcpy(s->current.slots, m->run.base, sizeof s->current.slots);
    memcpy(s->current.kinds, m->run.kinds, sizeof s->current.kinds);
    memcpy(s->current.behind, m->run.base[GV_GL_BEHIND], sizeof s->current.behind);
    s->current.edge = m->run.base[GV_GL_EDGE][0] != 0;
    memcpy(s->lighting.material, m->material, sizeof m->material);
    if (m->tint.mode) {
        s->lighting.color_material = true;
        s->lighting.color_material_face = m->tint.face;
        s->lighting.color_material_mode = m->tint.mode;
        g->slots[GV_GL_COLOR] = m->tint.colors;
        g->strides[GV_GL_COLOR] = g->sizes[GV_GL_COLOR] = 4;
    }
    const bool ok = gv_gl_submit(gl, g, err);
    s->current = current;
    s->lighting = lighting;
    return ok;
}

static bool draw(struct gv_gl *gl, struct gv_gl_immediate *m, struct gv_error *err)
{
    struct gv_gl_geometry g;
    bool ok = gv_gl_run_geometry(&m->run, &g, err);
    g.other_diagonal = m->listed;
    if (ok && g.vertex_count)
        ok = submit_as_of(gl, m, &g, err);
    gv_gl_run_clear(&m->run);
    m->tint.mode = 0;
    m->pending = false;
    return ok;
}

bool gv_gl_flush(struct gv_gl *gl, struct gv_error *err)
{
    if (!gl->context || !gl->context->feeding)
        return true;
    struct gv_gl_immediate *m = &gl->context->feeding->immediate;
    return !m->pending || draw(gl, m, err);
}

// ---- feeding ----

static bool now_begin(struct gv_gl *gl, uint32_t mode, struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    if (!f)
        return false;
    if (gl->context->inside_begin)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!gv_gl_has_mode(gl->context, mode))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_gl_immediate *m = &f->immediate;
    const bool listed = gl->lists->depth > 0;
    if (m->pending && (m->run.mode != mode || m->listed != listed) && !draw(gl, m, err))
        return false;
    m->listed = listed;
    if (!m->pending) {
        gv_gl_material_flush(gl->context);
        gv_gl_run_clear(&m->run);
        m->run.mode = mode;
    }
    m->pending = false;
    gl->context->inside_begin = true;
    if (m->run.count == 0)
        gv_gl_run_begin(&m->run, &gl->context->state.current);
    return true;
}

static bool now_set(struct gv_gl *gl, uint32_t slot, struct gv_gl_shape shape,
                    const float value[4], struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    if (!f)
        return false;
    if (gl->context->inside_begin || f->immediate.pending)
        gv_gl_run_set(&f->immediate.run, slot, shape, value);
    if (!gl->context->inside_begin)
        gl->context->given.fresh = true;
    gv_gl_run_make_current(&gl->context->state.current, slot, shape, value);
    return true;
}

static bool now_vertex(struct gv_gl *gl, uint32_t size, const float position[4],
                       struct gv_error *err)
{
    if (!gl->context->inside_begin)
        return true;
    struct gv_gl_immediate *m = &gl->context->feeding->immediate;
    if (!follow_material(gl, m, err))
        return false;
    gv_gl_run_set(&m->run, GV_GL_POSITION, gv_gl_real(size), position);
    if (!gv_gl_run_vertex(&m->run, err))
        return false;
    return !m->tint.mode ||
           tint_vertex(m, m->run.count - 1, tint_now(gl->context, &m->tint), err);
}

static bool now_end(struct gv_gl *gl, struct gv_error *err)
{
    if (!gl->context->inside_begin)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    struct gv_gl_immediate *m = &gl->context->feeding->immediate;
    gl->context->inside_begin = false;
    gl->context->given.waits = true;
    gv_gl_run_cut(&m->run);
    if (!gv_gl_independent(m->run.mode) || m->run.count >= GV_GL_LONG_RUN)
        return draw(gl, m, err);
    m->pending = true;
    return true;
}

const struct gv_gl_vertex_sink gv_gl_drawn = { now_begin, now_set, now_vertex,
                                               now_end };
