// Display lists: their names, and how they run.
#include "compiler/gl/geometry/gl_list.h"
#include "compiler/gl/base/gl_names.h"

#include <math.h>
#include <string.h>

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_immediate.h"
#include "compiler/gl/geometry/gl_list_build.h"
#include "compiler/gl/geometry/gl_list_node.h"
#include "compiler/gl/geometry/gl_number.h"
#include "resources/base/cursor.h"

#define MAX_LISTS (1u << 20)
#define MAX_NESTING 64u // GL_MAX_LIST_NESTING
#define MAX_NODES_OF_CALL (1u << 18)

struct list {
    struct gv_named named;
    struct gv_gl_list_node *first; // owned
};

static struct gv_id_map *lists(struct gv_gl *gl)
{
    struct gv_id_map *m = &gl->lists->map;
    if (!m->arena)
        *m = (struct gv_id_map){
            .arena = gl->sink.arena,
            .object_bytes = sizeof(struct list),
            .serials = &gl->sink.serials,
            .limit = MAX_LISTS,
        };
    return m;
}

void gv_gl_lists_finish(struct gv_gl_lists *l)
{
    for (struct gv_named *o = gv_id_first(&l->map); o; o = gv_id_next(o))
        gv_gl_list_nodes_free(((struct list *)o)->first);
}

// ---- running ----

static const struct gv_gl_list_slot *slot_of(const struct gv_gl_list_run *run,
                                             uint32_t slot)
{
    for (uint32_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].slot == slot)
            return &run->slots[i];
    return NULL;
}

// How many values fill_open fills.
static uint64_t open_values(const struct gv_gl_list_run *run)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->slot_count; i++)
        count += run->slots[i].open;
    return count;
}

// Vertices that came before a value of their list have what is current now.
static void fill_open(const struct gv_gl_list_run *run, const struct gv_gl_current *c)
{
    for (uint32_t i = 0; i < run->slot_count; i++) {
        const struct gv_gl_list_slot *s = &run->slots[i];
        for (uint32_t v = 0; s->data && v < s->open; v++)
            if (run->edges && s->slot == GV_GL_EDGE)
                run->edges[v] = c->edge;
            else if (s->slot >= GV_GL_BEHIND)
                memcpy(s->data + 4 * (size_t)v, c->behind[s->slot - GV_GL_BEHIND],
                       4 * sizeof(float));
            else
                memcpy(s->data + 4 * (size_t)v, c->slots[s->slot], 4 * sizeof(float));
    }
}

// A whole primitive outside of all others: drawn as it lies.
static bool draw_run(struct gv_gl *gl, const struct gv_gl_list_run *run,
                     struct gv_error *err)
{
    struct gv_gl_current *current = &gl->context->state.current;
    struct gv_gl_geometry g = {
        .mode = run->mode,
        .vertex_count = gv_gl_whole(run->mode, run->count),
        .edges = run->edges,
        .other_diagonal = true,
        .lines_apart = run->lines_apart,
        .instances = 1,
    };
    if (!gv_gl_work(&gl->sink.work, open_values(run), err) || !gv_gl_flush(gl, err))
        return false;
    gv_gl_material_hear(gl->context);
    gv_gl_material_flush(gl->context);
    const struct gv_gl_current before = *current;
    for (uint32_t i = 0; i < run->slot_count; i++) {
        const struct gv_gl_list_slot *s = &run->slots[i];
        if (s->given)
            gv_gl_run_make_current(current, s->slot, s->shape, s->base);
        if (s->data && s->slot >= GV_GL_BEHIND) {
            g.behind[s->slot - GV_GL_BEHIND] = s->data;
            g.behind_strides[s->slot - GV_GL_BEHIND] = 4;
        } else if (s->data && s->slot != GV_GL_EDGE) {
            g.slots[s->slot] = s->data;
            g.strides[s->slot] = 4;
            g.sizes[s->slot] = s->shape.size;
            g.kinds[s->slot] = s->shape.kind;
        }
    }
    fill_open(run, current);
    const struct gv_hash source = gv_hash_bytes(&run->serial, sizeof run->serial);
    if (!open_values(run))
        g.source = &source;
    if (g.vertex_count && !gv_gl_submit(gl, &g, err))
        return false;
    if (run->keeps_current)
        *current = before;
    for (uint32_t i = 0; i < run->slot_count && !run->keeps_current; i++)
        if (run->slots[i].slot != GV_GL_POSITION)
            gv_gl_run_make_current(current, run->slots[i].slot, run->slots[i].shape,
                                   run->slots[i].last);
    return true;
}

static bool feed_slots(struct gv_gl *gl, const struct gv_gl_list_run *run,
                       uint32_t vertex, struct gv_error *err)
{
    for (uint32_t i = 0; i < run->slot_count; i++) {
        const struct gv_gl_list_slot *s = &run->slots[i];
        const float *value = s->data ? s->data + 4 * (size_t)vertex : s->base;
        const bool has = s->data ? vertex >= s->open : s->given && vertex == 0;
        if (has && s->slot != GV_GL_POSITION &&
            !gv_gl_drawn.set(gl, s->slot, s->shape, value, err))
            return false;
    }
    return true;
}

// Part of a primitive: vertex by vertex.
static bool feed_run(struct gv_gl *gl, const struct gv_gl_list_run *run,
                     struct gv_error *err)
{
    const struct gv_gl_list_slot *position = slot_of(run, GV_GL_POSITION);
    if (!gv_gl_work(&gl->sink.work, (uint64_t)run->count * run->slot_count, err))
        return false;
    if (run->begins && !gv_gl_drawn.begin(gl, run->mode, err))
        return false;
    for (uint32_t i = 0; position && i < run->count; i++)
        if (!feed_slots(gl, run, i, err) ||
            !gv_gl_drawn.vertex(gl, position->shape.size,
                                position->data + 4 * (size_t)i, err))
            return false;
    for (uint32_t i = 0; i < run->slot_count; i++) {
        const struct gv_gl_list_slot *s = &run->slots[i];
        if (s->slot != GV_GL_POSITION &&
            !gv_gl_drawn.set(gl, s->slot, s->shape, s->last, err))
            return false;
    }
    return !run->ends || gv_gl_drawn.end(gl, err);
}

static bool run_vertices(struct gv_gl *gl, const struct gv_gl_list_run *run,
                         struct gv_error *err)
{
    const bool whole = run->begins == run->ends && (run->begins || !run->count);
    if (whole && !gl->context->inside_begin)
        return draw_run(gl, run, err);
    return feed_run(gl, run, err);
}

static bool run_call(struct gv_gl *gl, const struct gv_gl_list_call *c,
                     struct gv_error *err)
{
    struct gv_gl_context *context = gl->context;
    if (!c->has_bytes)
        return gl->lists->run(gl, c->row, &c->call, err);
    const struct gv_gl_pixel_store unpack = context->client.unpack;
    context->client.unpack = c->unpack;
    const bool ok = gl->lists->run(gl, c->row, &c->call, err);
    context->client.unpack = unpack;
    return ok;
}

static bool run_list(struct gv_gl *gl, uint32_t name, struct gv_error *err)
{
    struct gv_gl_lists *l = gl->lists;
    const struct list *list =
        (const struct list *)gv_id_find(lists(gl), gv_gl_key(gl->objects.group, name));
    if (!list || l->depth >= MAX_NESTING)
        return true;
    if (l->depth == 0)
        l->nodes_of_call = 0;
    l->depth++;
    bool ok = true;
    for (const struct gv_gl_list_node *n = list->first; n && ok; n = n->next) {
        if (++l->nodes_of_call > MAX_NODES_OF_CALL) {
            gv_gl_unsupported_over(&gl->sink, GV_GL_LACK(LIST_NODES), l->nodes_of_call,
                                   MAX_NODES_OF_CALL);
            break;
        }
        ok = gv_gl_work(&gl->sink.work, GV_GL_CALL_WORK, err) &&
             (n->run ? run_vertices(gl, n->run, err) : run_call(gl, n->call, err));
    }
    l->depth--;
    return ok;
}

// ---- calls ----

static bool gl_CallList(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    return run_list(gl, gv_gl_uint(call, 0), err);
}

static uint32_t name_bytes(uint32_t type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_2_BYTES:
        return 2;
    case GL_3_BYTES:
        return 3;
    case GL_INT:
    case GL_UNSIGNED_INT:
    case GL_FLOAT:
    case GL_4_BYTES:
        return 4;
    default:
        return 0;
    }
}

// One name of glCallLists; of GL_n_BYTES the first byte is the highest.
static uint32_t name_at(uint32_t type, const uint8_t *p)
{
    float real;
    switch (type) {
    case GL_FLOAT:
        memcpy(&real, p, sizeof real);
        return real > -2147483648.0F && real < 2147483648.0F
                   ? (uint32_t)(int32_t)floorf(real)
                   : 0;
    case GL_2_BYTES:
        return (uint32_t)p[0] << 8 | p[1];
    case GL_3_BYTES:
        return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    case GL_4_BYTES:
        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    default:
        return gv_gl_integer(type, p);
    }
}

static bool gl_CallLists(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    const int64_t said = gv_trace_sint(gv_trace_argument(call, 0));
    const uint32_t type = gv_gl_uint(call, 1), size = name_bytes(type);
    const struct gv_trace_value *names = gv_trace_argument(call, 2);
    if (said < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!size)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const uint64_t there = names->kind == GV_TRACE_BLOB ? names->count / size : 0;
    const uint64_t count = (uint64_t)said < there ? (uint64_t)said : there;
    const uint32_t base = gl->context->state.list_base;
    if (!gv_gl_work(&gl->sink.work, count, err))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!run_list(gl, base + name_at(type, names->bytes + i * size), err))
            return false;
    return true;
}

static bool set_ListBase(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    (void)sink;
    c->state.list_base = gv_gl_uint(call, 0);
    return true;
}
GV_GL_SETTER(ListBase)

static bool gl_NewList(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    const uint32_t name = gv_gl_uint(call, 0), mode = gv_gl_uint(call, 1);
    if (!f)
        return false;
    if (name == 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (mode != GL_COMPILE && mode != GL_COMPILE_AND_EXECUTE)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (f->recording.mode)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    gv_gl_recording_begin(&f->recording, name, mode);
    return true;
}

static bool gl_EndList(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)call;
    if (!gv_gl_is_listing(gl->context))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    struct gv_gl_recording *r = &gl->context->feeding->recording;
    struct gv_gl_list_node *first;
    struct list *list = NULL;
    if (gv_gl_recording_end(r, &first, err))
        list = (struct list *)gv_gl_name_make(
            lists(gl), gv_gl_key(gl->objects.group, r->name), "lists", err);
    if (!list) {
        gv_gl_list_nodes_free(first);
        return false;
    }
    gv_gl_list_nodes_free(list->first);
    list->first = first;
    for (struct gv_gl_list_node *n = first; n; n = n->next)
        if (n->run)
            n->run->serial = ++gl->sink.serials;
    return true;
}

static void delete_list(struct gv_gl *gl, uint32_t name)
{
    struct list *list =
        (struct list *)gv_id_remove(lists(gl), gv_gl_key(gl->objects.group, name));
    if (!list || !gv_id_release(&list->named))
        return;
    gv_gl_list_nodes_free(list->first);
    gv_id_reuse(lists(gl), &list->named);
}

void gv_gl_lists_end_group(struct gv_gl *gl)
{
    const struct gv_id_map *m = lists(gl);
    for (uint32_t i = 0; i < m->capacity; i++)
        if (gv_gl_name_at(gl->objects.group, m, i))
            delete_list(gl, gv_gl_name_at(gl->objects.group, m, i));
}

static bool gl_DeleteLists(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    const uint32_t first = gv_gl_uint(call, 0);
    const int32_t range = gv_gl_int(call, 1);
    const struct gv_id_map *m = lists(gl);
    if (range < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const uint32_t looks =
        (uint32_t)range < m->capacity ? (uint32_t)range : m->capacity;
    if (!gv_gl_work(&gl->sink.work, looks / 16, err))
        return false;
    if ((uint32_t)range <= m->capacity) {
        for (uint32_t i = 0; i < (uint32_t)range; i++)
            delete_list(gl, first + i);
        return true;
    }
    for (uint32_t i = 0; i < m->capacity; i++) {
        const uint32_t name = gv_gl_name_at(gl->objects.group, m, i);
        if (name && name - first < (uint32_t)range)
            delete_list(gl, name);
    }
    return true;
}

const struct gv_gl_row gv_gl_list_rows[] = {
    { "glGenLists", NULL, 0 }, // names are those that were recorded
    { "glIsList", NULL, 0 },
    { "glCallList", gl_CallList, GV_GL_INSIDE | GV_GL_LISTED },
    { "glCallLists", gl_CallLists, GV_GL_INSIDE | GV_GL_LISTED },
    { "glListBase", gl_ListBase, GV_GL_LISTED },
    { "glNewList", gl_NewList, 0 },
    { "glEndList", gl_EndList, 0 },
    { "glDeleteLists", gl_DeleteLists, 0 },
    { NULL, NULL, 0 },
};
