#include "compiler/gl/geometry/gl_taking.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/geometry/gl_feed.h"

void gv_gl_converted_finish(struct gv_gl_converted *c)
{
    free(c->floats);
    free(c->indices);
    free(c->edges);
    *c = (struct gv_gl_converted){ 0 };
}

bool gv_gl_room(void *array, uint64_t *capacity, uint64_t count, size_t size,
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

void gv_gl_arrays_open(struct gv_gl_context *c, struct gv_gl_objects *objects,
                       struct gv_gl_sink *sink, struct gv_gl_open_arrays *o)
{
    struct gv_gl_elements generic;
    *o = (struct gv_gl_open_arrays){ .aliased = gv_gl_elements_open(
                                         c, objects, sink, GV_GL_GENERIC, &generic) };
    for (uint32_t s = 0; s < GV_GL_ARRAY_SLOTS; s++) {
        struct gv_gl_elements *e = &o->elements[o->count];
        if (s == GV_GL_POSITION && o->aliased)
            *e = generic;
        else if (!gv_gl_elements_open(c, objects, sink, s, e))
            continue;
        if (s == GV_GL_POSITION)
            o->vertices = gv_gl_elements_count(e);
        o->devices += e->device != NULL;
        o->instanced += e->divisor != 0 && !e->device;
        if (!e->device)
            *(e->divisor ? &o->instance_floats : &o->vertex_floats) +=
                gv_gl_elements_floats(e);
        o->slots[o->count++] = s;
    }
    if (gv_gl_is_programmed(c)) // they read zeroes behind what arrays have
        o->vertices = UINT64_MAX;
}

static uint64_t wanted_vertex(const struct gv_gl_wanted *w, uint64_t i)
{
    return w->list ? w->list[i] : w->first + i;
}

static bool convert_edges(struct gv_gl_converted *c, const struct gv_gl_elements *e,
                          const struct gv_gl_wanted *w, struct gv_error *err)
{
    if (!gv_gl_room(&c->edges, &c->edges_capacity, w->count, 1, err))
        return false;
    for (uint64_t i = 0; i < w->count; i++) {
        float v[4];
        gv_gl_elements_fetch(e, wanted_vertex(w, i), v);
        c->edges[i] = v[0] != 0;
    }
    return true;
}

static void fill(const struct gv_gl_elements *e, const struct gv_gl_wanted *w,
                 float *out)
{
    const uint32_t floats = gv_gl_elements_floats(e);
    if (!w->list)
        gv_gl_elements_fetch_row(e, w->first, w->count, out);
    for (uint64_t i = 0; w->list && i < w->count; i++)
        gv_gl_elements_fetch(e, w->list[i], out + floats * i);
}

static void fill_instances(const struct gv_gl_elements *e,
                           const struct gv_gl_array_draw *d, float *out)
{
    const uint32_t floats = gv_gl_elements_floats(e);
    for (uint64_t i = 0; i < d->instances; i++)
        gv_gl_elements_fetch(e, (uint64_t)d->base_instance + i / e->divisor,
                             out + floats * i);
}

// A position that steps by instance, or that a program goes without, stands still.
static bool settle_position(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            struct gv_gl_geometry *g)
{
    const uint32_t bit = 1u << GV_GL_POSITION;
    if (!g->slots[GV_GL_POSITION]) {
        g->slots[GV_GL_POSITION] = c->state.current.slots[GV_GL_POSITION];
        g->sizes[GV_GL_POSITION] = 4;
    } else if (g->instanced & bit) {
        g->strides[GV_GL_POSITION] = 0;
        g->instanced &= ~bit;
        if (!gv_gl_is_programmed(c))
            return gv_gl_unsupported(sink, GV_GL_LACK(INSTANCED_POSITIONS));
    }
    return true;
}

static void take(const struct gv_gl_open_arrays *o, uint32_t a, const float *floats,
                 struct gv_gl_geometry *g)
{
    const uint32_t slot = o->slots[a];
    g->slots[slot] = floats;
    g->strides[slot] = gv_gl_elements_floats(&o->elements[a]);
    g->sizes[slot] = g->strides[slot] > 4 ? 4 : o->elements[a].array->size;
    g->kinds[slot] = o->elements[a].array->kind;
    if (g->strides[slot] > 4 && slot >= GV_GL_GENERIC) {
        g->behind[slot - GV_GL_GENERIC] = floats + 4;
        g->behind_strides[slot - GV_GL_GENERIC] = g->strides[slot];
    }
    g->instanced |= (uint32_t)(o->elements[a].divisor != 0) << slot;
}

uint64_t gv_gl_taking_floats(const struct gv_gl_taking *t)
{
    const struct gv_gl_open_arrays *o = t->arrays;
    return t->wanted.count * o->vertex_floats +
           (uint64_t)t->draw->instances * o->instance_floats;
}

// ---- names ----

struct keyed_array {
    uint64_t serial, version, place, size;
    uint32_t stride, divisor, slot, type;
    uint8_t components, kind, normalized, bgra;
    uint32_t pad;
};

struct keyed_indices {
    uint64_t serial, version, place, count;
    int64_t base;
    uint32_t size, restarts, restart, pad;
    struct gv_hash content; // of the program's memory
};

static void key_indices(const struct gv_gl_indices *in, struct keyed_indices *out)
{
    out->serial = in->serial;
    out->version = in->version;
    out->place = in->place;
    out->count = in->count;
    out->base = in->base;
    out->size = in->size;
    out->restarts = in->restarts;
    out->restart = in->restart;
    if (!in->serial)
        out->content = gv_hash_bytes(in->bytes, (size_t)in->count * in->size);
}

static void key_array(const struct gv_gl_elements *e, uint32_t slot,
                      struct keyed_array *out)
{
    out->serial = e->serial;
    out->version = e->version;
    out->place = e->place;
    out->size = e->size;
    out->stride = e->stride;
    out->divisor = e->divisor;
    out->slot = slot;
    out->type = e->array->type;
    out->components = e->array->size;
    out->kind = e->array->kind;
    out->normalized = e->array->normalized;
    out->bgra = e->array->bgra;
}

bool gv_gl_taking_source(const struct gv_gl_taking *t, struct gv_hash *out)
{
    const struct gv_gl_open_arrays *o = t->arrays;
    struct {
        uint64_t first, count;
        uint32_t instances, base_instance;
        struct keyed_indices indices;
        struct keyed_array arrays[GV_GL_ARRAY_SLOTS];
    } key;
    const size_t head = offsetof(__typeof__(key), arrays);
    memset(&key, 0, head + o->count * sizeof *key.arrays);
    key.first = t->wanted.first;
    key.count = t->wanted.count;
    key.instances = o->instanced ? t->draw->instances : 0;
    key.base_instance = o->instanced ? t->draw->base_instance : 0;
    if (t->indices)
        key_indices(t->indices, &key.indices);
    for (uint32_t a = 0; a < o->count; a++) {
        if (!o->elements[a].serial)
            return false;
        key_array(&o->elements[a], o->slots[a], &key.arrays[a]);
    }
    *out = gv_hash_bytes(&key, head + o->count * sizeof *key.arrays);
    return o->count != 0;
}

// ---- arrays ----

static void take_device(struct gv_gl_context *c, const struct gv_gl_taking *t,
                        uint32_t a, struct gv_gl_geometry *g)
{
    const struct gv_gl_elements *e = &t->arrays->elements[a];
    const uint32_t slot = t->arrays->slots[a];
    struct gv_gl_device_array *to = &c->feeding->converted.device[slot];
    *to = (struct gv_gl_device_array){ .buffer = e->device,
                                       .offset = e->at,
                                       .stride = e->stride,
                                       .divisor = e->divisor,
                                       .type = e->array->type,
                                       .size = e->array->size,
                                       .kind = e->array->kind,
                                       .normalized = e->array->normalized };
    if (!e->divisor)
        to->offset += t->wanted.first * e->stride;
    if (slot >= GV_GL_SLOTS)
        return;
    g->device[slot] = to;
    g->devices++;
}

// Where the elements of a draw stand as words already, each at a word's place; NULL:
// they are to be converted. Components behind the given ones are not read
// (gv_gl_geometry_fetch).
static const float *in_place(const struct gv_gl_elements *e,
                             const struct gv_gl_wanted *w)
{
    const struct gv_gl_array *a = e->array;
    const bool words = a->kind == GV_GL_FLOATS
                           ? a->type == GL_FLOAT && !a->bgra
                           : a->kind != GV_GL_DOUBLES &&
                                 (a->type == GL_INT || a->type == GL_UNSIGNED_INT);
    const uint64_t elements = gv_gl_elements_count(e);
    if (!words || w->list || e->divisor || !e->stride || e->stride % sizeof(float) ||
        w->first >= elements || w->count > elements - w->first)
        return NULL;
    const uint8_t *bytes = e->bytes + w->first * e->stride;
    return (uintptr_t)bytes % sizeof(float) ? NULL : (const float *)(const void *)bytes;
}

// One array; returns where the next one's floats go.
static float *convert_array(const struct gv_gl_taking *t, uint32_t a, float *out,
                            struct gv_gl_geometry *g)
{
    const struct gv_gl_elements *e = &t->arrays->elements[a];
    if (t->arrays->slots[a] == GV_GL_GENERIC) { // what the position is
        take(t->arrays, a, g->slots[GV_GL_POSITION], g);
        g->strides[GV_GL_GENERIC] = g->strides[GV_GL_POSITION];
        return out;
    }
    const float *there = in_place(e, &t->wanted);
    if (there) {
        take(t->arrays, a, there, g);
        g->strides[t->arrays->slots[a]] = e->stride / sizeof(float);
        return out;
    }
    if (e->divisor)
        fill_instances(e, t->draw, out);
    else if (!g->unmade)
        fill(e, &t->wanted, out);
    take(t->arrays, a, out, g);
    return out + gv_gl_elements_floats(e) *
                     (e->divisor ? t->draw->instances : t->wanted.count);
}

// ---- later ----

void gv_gl_places_make(const struct gv_gl_taking *t)
{
    const struct gv_gl_indices *in = t->indices;
    const uint64_t lowest = t->wanted.first;
    const uint64_t highest = lowest + t->wanted.count - 1;
    for (uint64_t i = 0; i < in->count; i++) {
        const uint32_t v = gv_gl_index(in, i);
        if (v == UINT32_MAX && in->restarts)
            t->places[i] = v;
        else
            t->places[i] = (uint32_t)((v < highest ? v : highest) - lowest);
    }
}

static void make(const struct gv_gl_unmade *unmade)
{
    const struct gv_gl_untaken *u = (const void *)unmade;
    const struct gv_gl_taking *t = u->taking;
    const struct gv_gl_open_arrays *o = t->arrays;
    for (uint32_t a = 0; a < o->count; a++) {
        const struct gv_gl_elements *e = &o->elements[a];
        const uint32_t slot = o->slots[a];
        const bool there = e->device || e->divisor || slot == GV_GL_EDGE ||
                           slot == GV_GL_GENERIC || in_place(e, &t->wanted);
        if (!there) // floats of the feeding's own: gv_gl_take
            fill(e, &t->wanted, (float *)u->geometry->slots[slot]);
    }
    if (t->places)
        gv_gl_places_make(t);
}

void gv_gl_untaken_init(struct gv_gl_untaken *u, const struct gv_gl_taking *t,
                        struct gv_gl_geometry *g)
{
    *u = (struct gv_gl_untaken){ { make, false }, t, g };
    g->unmade = &u->unmade;
}

bool gv_gl_take(struct gv_gl_context *context, struct gv_gl_sink *sink,
                const struct gv_gl_taking *t, struct gv_gl_geometry *g,
                struct gv_error *err)
{
    struct gv_gl_converted *c = &context->feeding->converted;
    const struct gv_gl_open_arrays *o = t->arrays;
    const uint64_t floats = gv_gl_taking_floats(t);
    if (!gv_gl_work(&sink->work, floats / 4, err) ||
        !gv_gl_room(&c->floats, &c->floats_capacity, floats, sizeof *c->floats, err))
        return false;
    float *out = c->floats;
    g->vertex_count = (uint32_t)t->wanted.count;
    for (uint32_t a = 0; a < o->count; a++) {
        if (o->elements[a].device) {
            take_device(context, t, a, g);
            continue;
        }
        if (o->slots[a] != GV_GL_EDGE) {
            out = convert_array(t, a, out, g);
            continue;
        }
        if (!convert_edges(c, &o->elements[a], &t->wanted, err))
            return false;
        g->edges = c->edges;
    }
    return settle_position(context, sink, g);
}
