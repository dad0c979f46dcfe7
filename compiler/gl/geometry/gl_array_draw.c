// Draws from vertex arrays: the range of vertices that a draw uses, as floats.
#include "compiler/gl/geometry/gl_array_draw.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/geometry/gl_elements.h"
#include "compiler/gl/geometry/gl_list_build.h"

#define RESTART UINT32_MAX
#define MAX_STEPS 65536u // instances that are draws of their own

void gv_gl_converted_finish(struct gv_gl_converted *c)
{
    free(c->floats);
    free(c->indices);
    free(c->edges);
    *c = (struct gv_gl_converted){ 0 };
}

// Room for `count` elements of `size` bytes in an array that is kept.
static bool room(void *array, uint64_t *capacity, uint64_t count, size_t size,
                 struct gv_error *err)
{
    void **at = array;
    if (count <= *capacity)
        return true;
    void *larger = realloc(*at, (size_t)count * size);
    if (!larger)
        return gv_out_of_memory(err);
    *at = larger;
    *capacity = count;
    return true;
}

// The arrays that are on.
struct open_arrays {
    uint32_t count;
    uint32_t slots[GV_GL_RUN_SLOTS];
    struct gv_gl_elements elements[GV_GL_RUN_SLOTS];
    uint64_t vertices; // that the positions have; 0: nothing is drawn
};

static void open_arrays(struct gv_gl *gl, struct open_arrays *o)
{
    struct gv_gl_elements generic;
    const bool aliased = gv_gl_elements_open(gl, GV_GL_GENERIC, &generic);
    *o = (struct open_arrays){ 0 };
    for (uint32_t s = 0; s < GV_GL_RUN_SLOTS; s++) {
        struct gv_gl_elements *e = &o->elements[o->count];
        if (s == GV_GL_POSITION && aliased)
            *e = generic; // attribute 0 is the position
        else if (!gv_gl_elements_open(gl, s, e))
            continue;
        if (s == GV_GL_POSITION)
            o->vertices = gv_gl_elements_count(e);
        o->slots[o->count++] = s;
    }
}

// ---- geometry ----

// Which vertices a draw takes: `count` from `first` on, or those of `list`.
struct wanted {
    uint64_t first, count;
    const uint32_t *list;
};

static uint64_t wanted_vertex(const struct wanted *w, uint64_t i)
{
    return w->list ? w->list[i] : w->first + i;
}

static bool convert_edges(struct gv_gl_converted *c, const struct gv_gl_elements *e,
                          const struct wanted *w, struct gv_error *err)
{
    if (!room(&c->edges, &c->edges_capacity, w->count, 1, err))
        return false;
    for (uint64_t i = 0; i < w->count; i++) {
        float v[4];
        gv_gl_elements_fetch(e, wanted_vertex(w, i), v);
        c->edges[i] = v[0] != 0;
    }
    return true;
}

static bool convert(struct gv_gl *gl, const struct open_arrays *o,
                    const struct wanted *w, struct gv_gl_geometry *g,
                    struct gv_error *err)
{
    struct gv_gl_converted *c = &gl->context->feeding->converted;
    const uint64_t each = w->count * 4;
    if (!gv_gl_work(gl, w->count * o->count, err) ||
        !room(&c->floats, &c->floats_capacity, each * o->count, sizeof *c->floats, err))
        return false;
    g->vertex_count = (uint32_t)w->count;
    for (uint32_t a = 0; a < o->count; a++) {
        const struct gv_gl_elements *e = &o->elements[a];
        const uint32_t slot = o->slots[a];
        if (slot == GV_GL_EDGE) {
            if (!convert_edges(c, e, w, err))
                return false;
            g->edges = c->edges;
            continue;
        }
        if (e->array->divisor)
            continue;
        float *out = c->floats + a * each;
        for (uint64_t i = 0; i < w->count; i++)
            gv_gl_elements_fetch(e, wanted_vertex(w, i), out + 4 * i);
        g->slots[slot] = out;
        g->strides[slot] = 4;
        g->sizes[slot] = e->array->size;
    }
    return true;
}

static bool is_too_much(const struct open_arrays *o, const struct wanted *w)
{
    return w->count * 4 * o->count > GV_GL_MAX_RUN_FLOATS;
}

// ---- instances ----

static bool has_divisors(const struct open_arrays *o)
{
    for (uint32_t a = 0; a < o->count; a++)
        if (o->elements[a].array->divisor)
            return true;
    return false;
}

// Arrays that step per instance are current values of draws of one instance each.
static bool draw_instances(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                           const struct open_arrays *o, struct gv_gl_geometry *g,
                           struct gv_error *err)
{
    struct gv_gl_current *current = &gl->context->state.current;
    if (!has_divisors(o)) {
        g->instances = d->instances;
        return gv_gl_submit(gl, g, err);
    }
    if (d->instances > MAX_STEPS)
        return gv_gl_unsupported(gl,
                                 "arrays that step over more instances than the limit");
    const struct gv_gl_current before = *current;
    bool ok = true;
    for (uint32_t i = 0; i < d->instances && ok; i++) {
        for (uint32_t a = 0; a < o->count; a++) {
            const uint32_t divisor = o->elements[a].array->divisor;
            if (divisor && o->slots[a] < GV_GL_SLOTS)
                gv_gl_elements_fetch(&o->elements[a],
                                     (uint64_t)d->base_instance + i / divisor,
                                     current->slots[o->slots[a]]);
        }
        ok = gv_gl_submit(gl, g, err);
    }
    *current = before;
    return ok;
}

// ---- without indices ----

static bool draw_range(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                       const struct open_arrays *o, struct gv_error *err)
{
    uint64_t count = d->first < o->vertices ? o->vertices - d->first : 0;
    if (count > d->count)
        count = d->count;
    if (count > GV_GL_MAX_DRAW_VERTICES)
        return gv_gl_unsupported(gl, "a draw of more vertices than the limit");
    struct gv_gl_geometry g = { .mode = d->mode, .instances = 1 };
    struct wanted w = { .first = d->first };
    w.count = gv_gl_whole(d->mode, (uint32_t)count);
    if (is_too_much(o, &w))
        return gv_gl_unsupported(gl, "a draw of more vertices than the limit");
    return !w.count ||
           (convert(gl, o, &w, &g, err) && draw_instances(gl, d, o, &g, err));
}

// ---- with indices ----

// The vertices in a row, all from the lowest to the highest; or one for each index
// where these are few and far between. `c->indices` become their places among them.
static struct wanted choose(struct gv_gl_converted *c, const struct gv_gl_indices *in,
                            uint64_t vertices, uint32_t **places)
{
    const uint64_t lowest = in->lowest;
    uint64_t highest = in->highest < vertices ? in->highest : vertices;
    struct wanted w = { lowest, highest - lowest + 1, NULL };
    *places = c->indices;
    if (w.count > in->count * 2 + 256) {
        *places = c->indices + in->count;
        w.list = c->indices;
        w.count = in->count;
    }
    for (uint64_t i = 0; i < in->count; i++) {
        const uint64_t v = c->indices[i];
        if (v == RESTART && in->restarts)
            (*places)[i] = RESTART;
        else if (w.list)
            (*places)[i] = (uint32_t)i;
        else
            (*places)[i] = (uint32_t)((v < highest ? v : highest) - lowest);
    }
    return w;
}

static bool draw_indexed(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                         struct gv_gl_indices *in, const struct open_arrays *o,
                         struct gv_error *err)
{
    struct gv_gl_converted *c = &gl->context->feeding->converted;
    if (!in->restarts)
        in->count = gv_gl_whole(d->mode, (uint32_t)in->count);
    if (!in->count || in->lowest >= o->vertices)
        return true;
    if (!room(&c->indices, &c->indices_capacity, in->count * 2, sizeof *c->indices,
              err))
        return false;
    for (uint64_t i = 0; i < in->count; i++)
        c->indices[i] = gv_gl_index(in, i);
    uint32_t *places;
    const struct wanted w = choose(c, in, o->vertices, &places);
    if (is_too_much(o, &w))
        return gv_gl_unsupported(gl, "a draw of more vertices than the limit");
    struct gv_gl_geometry g = {
        .mode = d->mode,
        .instances = 1,
        .indices = places,
        .index_count = (uint32_t)in->count,
        .restarts = in->restarts,
        .restart = RESTART,
        .other_diagonal = true,
    };
    return convert(gl, o, &w, &g, err) && draw_instances(gl, d, o, &g, err);
}

// ---- one by one ----

static bool feed_arrays(struct gv_gl *gl, const struct gv_gl_sink *sink,
                        const struct open_arrays *o, uint64_t index,
                        struct gv_error *err)
{
    float position[4] = { 0, 0, 0, 1 }, v[4];
    uint32_t size = 0;
    for (uint32_t a = 0; a < o->count; a++) {
        const uint32_t slot = o->slots[a], components = o->elements[a].array->size;
        if (slot == GV_GL_POSITION) {
            gv_gl_elements_fetch(&o->elements[a], index, position);
            size = components;
            continue;
        }
        gv_gl_elements_fetch(&o->elements[a], index, v);
        if (slot == GV_GL_EDGE)
            v[0] = v[0] != 0 ? 1.0F : 0.0F;
        if (!sink->set(gl, slot, components, v, err))
            return false;
    }
    return !size || sink->vertex(gl, size, position, err);
}

bool gv_gl_array_element(struct gv_gl *gl, const struct gv_gl_sink *sink,
                         uint64_t index, struct gv_error *err)
{
    struct open_arrays o;
    open_arrays(gl, &o);
    return feed_arrays(gl, sink, &o, index, err);
}

static bool list_vertices(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                          const struct gv_gl_indices *in, const struct open_arrays *o,
                          struct gv_error *err)
{
    const struct gv_gl_sink *sink = &gv_gl_listed;
    uint64_t count = in ? in->count : d->count;
    if (!in && count > o->vertices - d->first)
        count = o->vertices - d->first;
    if (!gv_gl_work(gl, count * (o->count + 1), err) || !sink->begin(gl, d->mode, err))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t vertex = in ? gv_gl_index(in, i) : d->first + i;
        if (in && in->restarts && vertex == RESTART) {
            if (!sink->end(gl, err) || !sink->begin(gl, d->mode, err))
                return false;
        } else if (!feed_arrays(gl, sink, o, vertex, err)) {
            return false;
        }
    }
    return sink->end(gl, err);
}

// What a list takes of a draw: its vertices as they are now.
static bool list_draw(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                      const struct gv_gl_indices *in, const struct open_arrays *o,
                      struct gv_error *err)
{
    gv_gl_recording_arrays(gl, true);
    const bool ok = list_vertices(gl, d, in, o, err);
    gv_gl_recording_arrays(gl, false);
    return ok;
}

bool gv_gl_array_draw(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                      struct gv_error *err)
{
    const struct gv_gl_feeding *f = gv_gl_feeding(gl, err);
    struct open_arrays o;
    struct gv_gl_indices in;
    if (!f)
        return false;
    if (d->mode > GL_POLYGON)
        return d->mode <= GL_PATCHES
                   ? gv_gl_unsupported(gl, "primitives with adjacency, patches")
                   : gv_gl_reject(gl, GL_INVALID_ENUM);
    if (d->indices && !gv_gl_indices_open(gl, d, &in))
        return true;
    if (d->indices && !gv_gl_work(gl, in.count, err))
        return false;
    open_arrays(gl, &o);
    if (!o.vertices || !d->instances || (!d->indices && d->first >= o.vertices))
        return true;
    if (gv_gl_is_listing(gl) && !list_draw(gl, d, d->indices ? &in : NULL, &o, err))
        return false;
    if (!gv_gl_is_drawing(gl))
        return true;
    if (gl->context->inside_begin)
        return gv_gl_reject(gl, GL_INVALID_OPERATION);
    return d->indices ? draw_indexed(gl, d, &in, &o, err) : draw_range(gl, d, &o, err);
}
