#include "compiler/lower/lower_assembly.h"

#define WHOLE_RUN 0 // vertices of a primitive that takes all there are

// How vertices in a row are cut in primitives: rings of `size` vertices, as many as
// there are complete ones.
static const struct shape {
    uint8_t form;        // enum gv_assembly_form
    uint8_t size;        // vertices of a primitive; WHOLE_RUN: all
    uint8_t step;        // vertices from one primitive to the next
    uint8_t first, last; // place in the ring of the provoking vertex, by convention
} shapes[GV_PRIMITIVE_COUNT] = {
    [GV_PRIMITIVE_POINTS] = { GV_ASSEMBLY_POINTS, 1, 1, 0, 0 },
    [GV_PRIMITIVE_LINES] = { GV_ASSEMBLY_LINES, 2, 2, 0, 1 },
    [GV_PRIMITIVE_LINE_LOOP] = { GV_ASSEMBLY_LINES, 2, 1, 0, 1 },
    [GV_PRIMITIVE_LINE_STRIP] = { GV_ASSEMBLY_LINES, 2, 1, 0, 1 },
    [GV_PRIMITIVE_TRIANGLES] = { GV_ASSEMBLY_TRIANGLES, 3, 3, 0, 2 },
    [GV_PRIMITIVE_TRIANGLE_STRIP] = { GV_ASSEMBLY_TRIANGLES, 3, 1, 0, 2 },
    [GV_PRIMITIVE_TRIANGLE_FAN] = { GV_ASSEMBLY_TRIANGLES, 3, 1, 1, 2 },
    [GV_PRIMITIVE_QUADS] = { GV_ASSEMBLY_TRIANGLES, 4, 4, 0, 3 },
    [GV_PRIMITIVE_QUAD_STRIP] = { GV_ASSEMBLY_TRIANGLES, 4, 2, 0, 2 },
    [GV_PRIMITIVE_POLYGON] = { GV_ASSEMBLY_TRIANGLES, WHOLE_RUN, 1, 0, 0 },
};

// Vertices [begin, begin + count) of a draw, between restarts.
struct run {
    const struct gv_assembly *assembly;
    const struct gv_assembly_vertices *vertices;
    uint32_t begin, count;
    uint32_t *provoking; // the next one that is written; NULL: none is
};

enum gv_assembly_form gv_assembly_form(enum gv_primitive primitive)
{
    return (enum gv_assembly_form)shapes[primitive].form;
}

static uint32_t ring_size(const struct run *r)
{
    uint32_t size = shapes[r->assembly->primitive].size;
    return size != WHOLE_RUN ? size : r->count;
}

static uint32_t primitive_count(enum gv_primitive primitive, uint32_t count)
{
    const struct shape *s = &shapes[primitive];
    if (primitive == GV_PRIMITIVE_POLYGON)
        return count >= 3;
    if (count < s->size)
        return 0;
    if (primitive == GV_PRIMITIVE_LINE_LOOP)
        return count; // the last one leads back
    return (count - s->size) / s->step + 1;
}

// Where in the run vertex `k` of ring `i` stands.
static uint32_t ring_at(const struct run *r, uint32_t i, uint32_t k)
{
    switch (r->assembly->primitive) {
    case GV_PRIMITIVE_LINE_LOOP:
        return i + k < r->count ? i + k : 0;
    case GV_PRIMITIVE_TRIANGLE_STRIP: // every other one is turned round
        return i + (i & 1 && k < 2 ? 1 - k : k);
    case GV_PRIMITIVE_TRIANGLE_FAN:
        return k ? i + k : 0;
    case GV_PRIMITIVE_QUAD_STRIP: // the ring goes down one side and up the other
        return 2 * i + (k < 2 ? k : 5 - k);
    case GV_PRIMITIVE_POINTS:
    case GV_PRIMITIVE_LINES:
    case GV_PRIMITIVE_LINE_STRIP:
    case GV_PRIMITIVE_TRIANGLES:
    case GV_PRIMITIVE_QUADS:
    case GV_PRIMITIVE_POLYGON:
    case GV_PRIMITIVE_COUNT:
        break;
    }
    return i * shapes[r->assembly->primitive].step + k;
}

static uint32_t number_at(const struct run *r, uint32_t at)
{
    const struct gv_assembly_vertices *v = r->vertices;
    return v->numbers ? v->numbers[r->begin + at] : v->first + r->begin + at;
}

static uint32_t vertex(const struct run *r, uint32_t i, uint32_t k)
{
    return number_at(r, ring_at(r, i, k % ring_size(r)));
}

static uint32_t provoking(const struct run *r, uint32_t i)
{
    const struct shape *s = &shapes[r->assembly->primitive];
    if (r->assembly->last_provokes)
        return s->last;
    // The first vertex of a strip's turned triangle stands second in its ring.
    bool turned = r->assembly->primitive == GV_PRIMITIVE_TRIANGLE_STRIP && i & 1;
    return turned ? 1 : s->first;
}

// Of more vertices than that are polygons alone.
#define SMALL_RING 4u

static uint32_t *fill_polygon(const struct run *r, uint32_t i, uint32_t *out)
{
    const uint32_t p = provoking(r, i), size = ring_size(r);
    const bool last = r->assembly->last_wanted;
    for (uint32_t k = 1; k + 1 < size; k++) {
        const uint32_t corners[] = { p, p + k, p + k + 1 };
        for (uint32_t n = 0; n < 3; n++)
            *out++ = vertex(r, i, corners[(n + last) % 3]);
    }
    return out;
}

static uint32_t *put_triangle(const uint32_t *ring, uint32_t k, bool last,
                              uint32_t *out)
{
    out[last ? 2 : 0] = ring[0];
    out[last ? 0 : 1] = ring[k];
    out[last ? 1 : 2] = ring[k + 1];
    return out + 3;
}

// One ring as a fan around its provoking vertex, which comes first or last.
static uint32_t *fill(struct run *r, uint32_t i, uint32_t *out)
{
    const uint32_t size = ring_size(r);
    const bool last = r->assembly->last_wanted;
    if (size > SMALL_RING)
        return fill_polygon(r, i, out);
    // Twice round, so that it can begin anywhere.
    uint32_t ring[2 * SMALL_RING] = { 0 };
    for (uint32_t k = 0; k < size; k++)
        ring[k] = ring[k + size] = number_at(r, ring_at(r, i, k));
    if (r->assembly->first_diagonal && r->assembly->primitive == GV_PRIMITIVE_QUADS)
        return put_triangle(ring, 2, false, put_triangle(ring, 1, false, out));
    const uint32_t *from = ring + provoking(r, i);
    if (size == 1)
        *out++ = ring[0];
    if (size == 2) {
        *out++ = from[last];
        *out++ = from[!last];
    }
    if (r->assembly->begun_first && r->assembly->primitive == GV_PRIMITIVE_QUAD_STRIP)
        return put_triangle(from, 1, last, put_triangle(from, 2, last, out));
    for (uint32_t k = 1; k + 1 < size; k++)
        out = put_triangle(from, k, last, out);
    return out;
}

static uint32_t *outline(struct run *r, uint32_t i, uint32_t *out)
{
    const struct shape *s = &shapes[r->assembly->primitive];
    const uint8_t *edges = r->vertices->edges;
    if (s->form != GV_ASSEMBLY_TRIANGLES)
        return out;
    for (uint32_t k = 0; k < ring_size(r); k++) {
        if (edges && !edges[r->begin + ring_at(r, i, k)])
            continue;
        *out++ = vertex(r, i, k);
        *out++ = vertex(r, i, k + 1);
        for (uint32_t n = 0; r->provoking && n < 2; n++)
            *r->provoking++ = vertex(r, i, provoking(r, i));
    }
    return out;
}

typedef uint32_t *(*ring_writer)(struct run *r, uint32_t i, uint32_t *out);

static bool keeps(const struct run *r, uint32_t i)
{
    const struct gv_assembly *a = r->assembly;
    uint32_t ring[GV_ASSEMBLY_TOLD], count = ring_size(r);
    if (!a->keeps)
        return true;
    if (count > GV_ASSEMBLY_TOLD)
        count = GV_ASSEMBLY_TOLD;
    for (uint32_t k = 0; k < count; k++)
        ring[k] = vertex(r, i, k);
    return a->keeps(a->owner, ring, count);
}

static uint64_t assemble(const struct gv_assembly *a,
                         const struct gv_assembly_vertices *v, ring_writer write,
                         uint32_t *out)
{
    const uint32_t *start = out;
    struct run r = { a, v, 0, 0, a->provoking };
    while (r.begin < v->count) {
        uint32_t end = r.begin;
        while (end < v->count &&
               !(a->restarts && v->numbers && v->numbers[end] == a->restart))
            end++;
        r.count = end - r.begin;
        uint32_t count = primitive_count(a->primitive, r.count);
        for (uint32_t i = 0; i < count; i++)
            if (keeps(&r, i))
                out = write(&r, i, out);
        r.begin = end < v->count ? end + 1 : end;
    }
    return (uint64_t)(out - start);
}

uint64_t gv_assembly_bound(enum gv_primitive primitive, uint32_t count)
{
    const struct shape *s = &shapes[primitive];
    uint64_t rings = primitive_count(primitive, count);
    uint64_t size = s->size == WHOLE_RUN ? count : s->size;
    return rings * (size > 2 ? 3 * (size - 2) : size);
}

uint64_t gv_assemble(const struct gv_assembly *a, const struct gv_assembly_vertices *v,
                     uint32_t *out)
{
    return assemble(a, v, fill, out);
}

uint64_t gv_assemble_edges(const struct gv_assembly *a,
                           const struct gv_assembly_vertices *v, uint32_t *out)
{
    return assemble(a, v, outline, out);
}
