// Indices of a draw.
#include "compiler/gl/geometry/gl_indices.h"

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/geometry/gl_feeding.h"
#include "resources/base/cursor.h"

static uint32_t raw(const struct gv_gl_indices *in, uint64_t i)
{
    const uint8_t *p = in->bytes + i * in->size;
    return in->size == 1 ? p[0] : in->size == 2 ? gv_load_u16(p) : gv_load_u32(p);
}

uint32_t gv_gl_index(const struct gv_gl_indices *in, uint64_t i)
{
    const uint32_t v = raw(in, i);
    if (in->restarts && v == in->restart)
        return UINT32_MAX;
    const int64_t index = v + in->base;
    // One that is none is beyond all vertices.
    return index < 0 || index >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)index;
}

uint32_t gv_gl_index_bytes(uint32_t type)
{
    switch (type) {
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_UNSIGNED_SHORT:
        return 2;
    default:
        return type == GL_UNSIGNED_INT ? 4 : 0;
    }
}

// The bytes behind the pointer; how many there are.
static uint64_t find_bytes(struct gv_gl_context *c, struct gv_gl_objects *objects,
                           const struct gv_trace_value *pointer,
                           struct gv_gl_indices *out)
{
    if (pointer->kind == GV_TRACE_BLOB) {
        out->bytes = pointer->bytes;
        return pointer->count;
    }
    const uint64_t offset = gv_trace_uint(pointer);
    const struct gv_gl_buffer *b =
        gv_gl_buffer_find(objects, c->client.vertex_array->elements);
    if (!b || offset >= b->size)
        return 0;
    out->bytes = b->bytes + offset;
    out->serial = b->named.serial;
    out->version = b->version;
    out->place = offset;
    return b->size - offset;
}

static void find_range(struct gv_gl_indices *in)
{
    in->lowest = UINT64_MAX;
    in->highest = 0;
    for (uint64_t i = 0; i < in->count; i++) {
        const uint64_t v = gv_gl_index(in, i);
        if (v == UINT32_MAX)
            continue;
        if (v < in->lowest)
            in->lowest = v;
        if (v > in->highest)
            in->highest = v;
    }
}

// ---- ranges of indices in buffer objects that nobody wrote since ----

#define RANGES 256u

struct gv_gl_index_range {
    uint64_t serial, version, place, count;
    int64_t base;
    uint32_t size, restart;
    bool restarts;
    uint64_t lowest, highest;
};

static bool is_of(const struct gv_gl_index_range *r, const struct gv_gl_indices *in)
{
    return r->serial == in->serial && r->version == in->version &&
           r->place == in->place && r->count == in->count && r->base == in->base &&
           r->size == in->size && r->restarts == in->restarts &&
           r->restart == in->restart;
}

// Where the range of these indices is remembered. NULL: nowhere.
static struct gv_gl_index_range *range_of(struct gv_gl_lists *l, struct gv_arena *arena,
                                          const struct gv_gl_indices *in)
{
    if (!in->serial || !l)
        return NULL;
    if (!l->ranges)
        l->ranges = gv_arena_array(arena, RANGES, sizeof *l->ranges);
    const uint64_t mixed = (in->serial * 31 + in->place) * 31 + in->count;
    return l->ranges ? &l->ranges[(mixed ^ mixed >> 8) % RANGES] : NULL;
}

static void know_range(struct gv_gl_lists *lists, struct gv_arena *arena,
                       struct gv_gl_indices *in)
{
    struct gv_gl_index_range *r = range_of(lists, arena, in);
    if (r && is_of(r, in)) {
        in->lowest = r->lowest;
        in->highest = r->highest;
        return;
    }
    find_range(in);
    if (r)
        *r = (struct gv_gl_index_range){ in->serial,  in->version,  in->place,
                                         in->count,   in->base,     in->size,
                                         in->restart, in->restarts, in->lowest,
                                         in->highest };
}

bool gv_gl_indices_open(struct gv_gl *gl, const struct gv_gl_array_draw *d,
                        struct gv_gl_indices *out)
{
    const struct gv_gl_client *c = &gl->context->client;
    *out =
        (struct gv_gl_indices){ .size = gv_gl_index_bytes(d->type), .base = d->base };
    if (!out->size)
        return !gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const uint64_t there =
        find_bytes(gl->context, &gl->objects, d->indices, out) / out->size;
    out->count = d->count < there ? d->count : there;
    if (out->count > GV_GL_MAX_DRAW_VERTICES)
        return !gv_gl_unsupported(&gl->sink, GV_GL_LACK(VERTICES));
    out->restarts = c->primitive_restart || c->primitive_restart_fixed;
    out->restart = c->primitive_restart_fixed ? UINT32_MAX >> (32 - 8 * out->size)
                                              : c->primitive_restart_index;
    know_range(gl->lists, gl->sink.arena, out);
    return out->count > 0;
}
