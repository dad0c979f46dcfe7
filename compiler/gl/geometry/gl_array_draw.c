// Draws from vertex arrays: the range of vertices that a draw uses, as floats.
#include "compiler/gl/geometry/gl_array_draw.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/geometry/gl_array_device.h"
#include "compiler/gl/geometry/gl_list_build.h"
#include "compiler/gl/geometry/gl_taking.h"

#define RESTART UINT32_MAX

static bool draw_taken(struct gv_gl *gl, const struct gv_gl_taking *t,
                       const struct gv_gl_geometry *drawn, struct gv_error *err)
{
    if (!t->wanted.count)
        return true;
    if (gv_gl_taking_floats(t) > GV_GL_MAX_RUN_FLOATS)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(VERTICES));
    struct gv_hash source;
    struct gv_gl_untaken untaken;
    struct gv_gl_geometry g = *drawn; // what it points to lasts as long
    if (gv_gl_taking_source(t, &source)) {
        g.source = &source;
        gv_gl_untaken_init(&untaken, t, &g);
    } else if (t->places) {
        gv_gl_places_make(t);
    }
    return gv_gl_take(gl->context, &gl->sink, t, &g, err) && gv_gl_submit(gl, &g, err);
}

// What all draws have in common.
static struct gv_gl_geometry geometry_of(const struct gv_gl_array_draw *d)
{
    return (struct gv_gl_geometry){ .mode = d->mode,
                                    .instances = d->instances,
                                    .base_instance = d->base_instance,
                                    .draw = d->draw };
}

static uint32_t whole(const struct gv_gl_context *c, uint32_t mode, uint64_t count)
{
    const uint32_t n = gv_gl_whole(mode, (uint32_t)count);
    return mode == GL_PATCHES ? n - n % c->patches.vertices : n;
}

// ---- without indices ----

static bool draw_range(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                       const struct gv_gl_open_arrays *o, struct gv_error *err)
{
    uint64_t count = d->first < o->vertices ? o->vertices - d->first : 0;
    if (count > d->count)
        count = d->count;
    if (count > GV_GL_MAX_DRAW_VERTICES)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(VERTICES));
    struct gv_gl_geometry g = geometry_of(d);
    const struct gv_gl_taking t = {
        d, o, { d->first, whole(gl->context, d->mode, count), NULL }, NULL, NULL
    };
    g.first_id = (uint32_t)d->first;
    return draw_taken(gl, &t, &g, err);
}

// ---- with indices ----

// The vertices in a row, all from the lowest to the highest; or one for each index
// where these are few and far between.
static struct gv_gl_wanted choose(const struct gv_gl_indices *in,
                                  const struct gv_gl_open_arrays *o,
                                  const uint32_t *indices)
{
    const uint64_t vertices = o->vertices;
    const uint64_t highest = in->highest < vertices ? in->highest : vertices;
    const struct gv_gl_wanted w = { in->lowest, highest - in->lowest + 1, NULL };
    if (w.count > in->count * 2 + 256 && !o->devices)
        return (struct gv_gl_wanted){ in->lowest, in->count, indices };
    return w;
}

// Each index's vertex, and its place among those.
static void list_vertices_of(const struct gv_gl_indices *in, uint32_t *indices,
                             uint32_t *places)
{
    for (uint64_t i = 0; i < in->count; i++) {
        indices[i] = gv_gl_index(in, i);
        const bool restart = indices[i] == RESTART && in->restarts;
        places[i] = restart ? RESTART : (uint32_t)i;
    }
}

static bool draw_indexed(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                         struct gv_gl_indices *in, const struct gv_gl_open_arrays *o,
                         struct gv_error *err)
{
    struct gv_gl_converted *c = &gl->context->feeding->converted;
    if (!in->restarts)
        in->count = whole(gl->context, d->mode, in->count);
    if (!in->count || in->lowest >= o->vertices)
        return true;
    if (!gv_gl_room(&c->indices, &c->indices_capacity, in->count * 2,
                    sizeof *c->indices, err))
        return false;
    uint32_t *places = c->indices + in->count;
    struct gv_gl_taking t = { d, o, choose(in, o, c->indices), in, places };
    if (t.wanted.list) {
        list_vertices_of(in, c->indices, places);
        t.places = NULL;
    }
    struct gv_gl_geometry g = geometry_of(d);
    g.indices = places;
    g.index_count = (uint32_t)in->count;
    g.restarts = in->restarts;
    g.restart = RESTART;
    g.other_diagonal = true;
    g.ids = t.wanted.list;
    g.first_id = (uint32_t)t.wanted.first;
    g.base_vertex = (int32_t)d->base;
    return draw_taken(gl, &t, &g, err);
}

// ---- one by one ----

static void position_of(const struct gv_gl_array *array, const float v[8],
                        float position[4])
{
    double numbers[4];
    memcpy(numbers, v, sizeof numbers);
    for (uint32_t i = 0; i < 4; i++)
        position[i] = array->kind == GV_GL_DOUBLES ? (float)numbers[i] : v[i];
}

static bool feed_arrays(struct gv_gl *gl, const struct gv_gl_vertex_sink *sink,
                        const struct gv_gl_open_arrays *o, uint64_t index,
                        struct gv_error *err)
{
    float position[4] = { 0, 0, 0, 1 }, v[8];
    uint32_t size = 0;
    for (uint32_t a = 0; a < o->count; a++) {
        const uint32_t slot = o->slots[a];
        const struct gv_gl_array *array = o->elements[a].array;
        const struct gv_gl_shape shape = { array->size, array->kind };
        gv_gl_elements_fetch(&o->elements[a], index, v);
        if (slot == GV_GL_POSITION) {
            position_of(array, v, position);
            size = array->size;
            continue;
        }
        if (array->kind == GV_GL_DOUBLES &&
            !sink->set(gl, GV_GL_BEHIND + slot - GV_GL_GENERIC, shape, v + 4, err))
            return false;
        if (slot == GV_GL_EDGE)
            v[0] = v[0] != 0 ? 1.0F : 0.0F;
        if (!sink->set(gl, slot, shape, v, err))
            return false;
    }
    return !size || sink->vertex(gl, size, position, err);
}

bool gv_gl_array_element(struct gv_gl *gl, const struct gv_gl_vertex_sink *sink,
                         uint64_t index, struct gv_error *err)
{
    struct gv_gl_open_arrays o;
    gv_gl_arrays_open(gl->context, &gl->objects, &gl->sink, &o);
    return feed_arrays(gl, sink, &o, index, err);
}

static bool list_vertices(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                          const struct gv_gl_indices *in,
                          const struct gv_gl_open_arrays *o, struct gv_error *err)
{
    const struct gv_gl_vertex_sink *sink = &gv_gl_listed;
    uint64_t count = in ? in->count : d->count;
    if (!in && count > o->vertices - d->first)
        count = o->vertices - d->first;
    if (!gv_gl_work(&gl->sink.work, count * (o->count + 1), err) ||
        !sink->begin(gl, d->mode, err))
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
                      const struct gv_gl_indices *in, const struct gv_gl_open_arrays *o,
                      struct gv_error *err)
{
    gv_gl_recording_arrays(gl->context, true);
    const bool ok = list_vertices(gl, d, in, o, err);
    gv_gl_recording_arrays(gl->context, false);
    return ok;
}

// Whether indices stand in a buffer that the device wrote.
static bool has_unknown_indices(const struct gv_gl_context *c,
                                const struct gv_gl_objects *objects,
                                const struct gv_gl_array_draw *d)
{
    const struct gv_gl_buffer *b =
        gv_gl_buffer_find(objects, c->client.vertex_array->elements);
    return d->indices && d->indices->kind != GV_TRACE_BLOB && b && b->unknown;
}

static bool draw_unknown(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                         struct gv_error *err)
{
    const uint64_t offset = gv_trace_uint(d->indices);
    const uint32_t bytes = gv_gl_index_bytes(d->type);
    struct gv_gl_counted counted = { .base = (int32_t)d->base };
    const struct gv_gl_device_draw on_device = {
        .counted = &counted,
        .mode = d->mode,
        .instances = d->instances,
        .base_instance = d->base_instance,
        .draw = d->draw,
    };
    if (!bytes)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!d->instances || !d->count ||
        !gv_gl_device_indices(gl, d->type, offset, &counted))
        return true;
    const uint64_t there = (counted.indices->size - offset) / bytes;
    const uint64_t count = d->count < there ? d->count : there;
    if (count > GV_GL_MAX_DRAW_VERTICES)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(VERTICES));
    counted.count = (uint32_t)count;
    return !count || gv_gl_draw_on_device(gl, &on_device, err);
}

bool gv_gl_array_draw(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                      struct gv_error *err)
{
    const struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    struct gv_gl_open_arrays o;
    struct gv_gl_indices in;
    if (!f)
        return false;
    if (d->mode > GL_PATCHES)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!gv_gl_has_mode(gl->context, d->mode))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(ADJACENCY));
    if (has_unknown_indices(gl->context, &gl->objects, d))
        return draw_unknown(gl, d, err);
    if (d->indices && !gv_gl_indices_open(gl, d, &in))
        return true;
    if (d->indices && !gv_gl_work(&gl->sink.work, in.count, err))
        return false;
    gv_gl_arrays_open(gl->context, &gl->objects, &gl->sink, &o);
    if (!o.vertices || !d->instances || (!d->indices && d->first >= o.vertices))
        return true;
    if (gv_gl_is_listing(gl->context) &&
        !list_draw(gl, d, d->indices ? &in : NULL, &o, err))
        return false;
    if (!gv_gl_is_drawing(gl->context))
        return true;
    if (gl->context->inside_begin)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    gv_gl_material_ask(gl->context);
    return d->indices ? draw_indexed(gl, d, &in, &o, err) : draw_range(gl, d, &o, err);
}
