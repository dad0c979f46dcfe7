#include "compiler/gl/draw/gl_primitives.h"

#include <string.h>

#include "compiler/gl/draw/gl_clipped.h"
#include "compiler/lower/lower_assembly.h"

#define MOST_NUMBERS ((uint64_t)1 << 28)

static bool is_polygon(uint32_t mode)
{
    return mode >= GL_TRIANGLES && mode <= GL_POLYGON;
}

// ---- parts ----

static bool is_culled(const struct gv_gl_polygon *p, bool front)
{
    return p->cull && (p->cull_face == GL_FRONT_AND_BACK ||
                       p->cull_face == (front ? GL_FRONT : GL_BACK));
}

static bool has_sides(const struct gv_gl_context *c)
{
    return c->state.lighting.enabled && c->state.lighting.two_side;
}

// Whether a polygon has the colour of one of its vertices.
static bool is_flat(const struct gv_gl_context *c, const struct gv_gl_geometry *g)
{
    return c->state.lighting.shade_model == GL_FLAT &&
           (c->state.lighting.enabled || g->slots[GV_GL_COLOR]);
}

// What is known of polygons before they become parts.
struct polygons {
    bool corners; // triangles that the device may outline: without edge flags
    bool sided;   // how they face is for the device to tell: a program places them
    bool flat;    // they have a program's values of one vertex
};

// Edges as lines are what all devices can draw in all widths; but lines have neither
// depth bias nor a polygon's colour, and which way they face is told by the vertices if
// no program places them.
static struct gv_gl_part part_of(const struct gv_gl_context *c,
                                 const struct gv_gl_geometry *g,
                                 const struct polygons *x, uint32_t mode)
{
    const struct gv_gl_state *s = &c->state;
    bool sides = has_sides(c) && gv_gl_is_placed(c);
    // The matrix of the fixed function moves lists of lines by units, in all widths.
    bool units =
        s->polygon.offset_units != 0 && gv_gl_is_placed(c) && s->line.width == 1;
    bool biased = s->polygon.offset_line && (s->polygon.offset_factor != 0 || units);
    bool device = x->corners && (x->sided || x->flat);
    bool triangles = x->corners && (device || sides || biased || is_flat(c, g));
    if (mode == GL_POINT)
        return (struct gv_gl_part){ .drawn = GV_GL_CLASS_POINTS,
                                    .dots = device,
                                    .outline = !device };
    if (mode == GL_LINE && triangles)
        return (struct gv_gl_part){ .drawn = GV_GL_CLASS_LINES, .wireframe = true };
    if (mode == GL_LINE)
        return (struct gv_gl_part){ .drawn = GV_GL_CLASS_LINES, .outline = true };
    return (struct gv_gl_part){ .drawn = GV_GL_CLASS_TRIANGLES };
}

// One of two sides.
static void take_side(struct gv_gl_part *part, const struct polygons *x, bool front)
{
    part->sided = x->sided && !part->outline;
    part->faced = !part->sided;
    part->front = front;
}

static uint32_t polygon_parts(const struct gv_gl_context *c,
                              const struct gv_gl_geometry *g, struct polygons *x,
                              struct gv_gl_part *out)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    const bool front = !is_culled(p, true), back = !is_culled(p, false);
    if (!front && !back)
        return 0;
    const uint32_t mode = p->mode[front ? 0 : 1];
    const bool both = front && back;
    x->sided =
        gv_gl_is_placed(c) && (both ? p->mode[0] != p->mode[1] : mode != GL_FILL);
    out[0] = part_of(c, g, x, mode);
    bool coloured = out[0].outline && has_sides(c) && !gv_gl_is_placed(c);
    if (both && (p->mode[0] != p->mode[1] || coloured)) {
        take_side(&out[0], x, true);
        out[1] = part_of(c, g, x, p->mode[1]);
        take_side(&out[1], x, false);
        return 2;
    }
    // The device culls polygons that are still such.
    out[0].faced = out[0].outline && !both;
    out[0].front = front;
    return 1;
}

uint32_t gv_gl_parts(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                     bool flat, struct gv_gl_part out[GV_GL_MAX_PARTS],
                     const struct gv_gl_lack **why)
{
    struct polygons x = { .corners = g->mode <= GL_TRIANGLE_FAN && !g->edges,
                          .flat = flat && gv_gl_is_placed(c) };
    *why = NULL;
    if (!is_polygon(g->mode)) {
        out[0] =
            (struct gv_gl_part){ .drawn = g->mode == GL_POINTS ? GV_GL_CLASS_POINTS
                                                               : GV_GL_CLASS_LINES };
        return 1;
    }
    const uint32_t count = polygon_parts(c, g, &x, out);
    for (uint32_t i = 0; i < count && !*why; i++)
        if (out[i].outline && x.sided)
            *why = GV_GL_LACK(ONE_SIDE);
        else if (out[i].outline && x.flat)
            *why = GV_GL_LACK(FLAT_QUADS);
    return count;
}

uint32_t gv_gl_reshaped_part(const struct gv_gl_context *c,
                             enum gv_gl_primitive_class drawn, struct gv_gl_part *out,
                             bool *mixed)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    const bool front = !is_culled(p, true), back = !is_culled(p, false);
    const uint32_t mode = p->mode[front ? 0 : 1];
    *out = (struct gv_gl_part){ .drawn = drawn, .reshaped = true };
    *mixed = false;
    if (drawn != GV_GL_CLASS_TRIANGLES)
        return 1;
    *mixed = front && back && p->mode[0] != p->mode[1];
    out->wireframe = mode == GL_LINE;
    out->dots = mode == GL_POINT;
    if (mode != GL_FILL)
        out->drawn = out->dots ? GV_GL_CLASS_POINTS : GV_GL_CLASS_LINES;
    return front || back;
}

// ---- facing ----

struct facing {
    const struct gv_gl_geometry *geometry;
    float m[16]; // from object to clip coordinates, column after column
    bool ccw, front;
};

static void multiply(const float *a, const float *b, float *out)
{
    for (uint32_t column = 0; column < 4; column++)
        for (uint32_t row = 0; row < 4; row++) {
            float sum = 0;
            for (uint32_t k = 0; k < 4; k++)
                sum += a[4 * k + row] * b[4 * column + k];
            out[4 * column + row] = sum;
        }
}

// x, y and w of a vertex in clip coordinates.
static void transform(const struct facing *f, uint32_t number, double out[3])
{
    static const uint32_t rows[3] = { 0, 1, 3 };
    const struct gv_gl_geometry *g = f->geometry;
    if (number >= g->vertex_count)
        number = g->vertex_count - 1;
    float v[4];
    gv_gl_geometry_fetch(g, GV_GL_POSITION, number, v);
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = 0;
        for (uint32_t k = 0; k < 4; k++)
            out[i] += (double)f->m[4 * k + rows[i]] * (double)v[k];
    }
}

// The sign of the area of the first triangle that has one: of a triangle in homogeneous
// coordinates, that of their determinant.
static double orientation(const struct facing *f, const uint32_t *ring, uint32_t count)
{
    double a[3], b[3], c[3], sign = 0;
    transform(f, ring[0], a);
    for (uint32_t i = 1; i + 1 < count && sign == 0; i++) {
        transform(f, ring[i], b);
        transform(f, ring[i + 1], c);
        sign = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sign;
}

// Where vertices end up that a program places is not known.
static bool faces_so(const void *owner, const uint32_t *ring, uint32_t count)
{
    const struct facing *f = owner;
    double sign = orientation(f, ring, count);
    bool front = f->ccw ? sign > 0 : sign < 0;
    return front == f->front;
}

// ---- numbers ----

static enum gv_primitive primitive_of(uint32_t mode)
{
    static const uint8_t primitives[] = {
        [GL_POINTS] = GV_PRIMITIVE_POINTS,
        [GL_LINES] = GV_PRIMITIVE_LINES,
        [GL_LINE_LOOP] = GV_PRIMITIVE_LINE_LOOP,
        [GL_LINE_STRIP] = GV_PRIMITIVE_LINE_STRIP,
        [GL_TRIANGLES] = GV_PRIMITIVE_TRIANGLES,
        [GL_TRIANGLE_STRIP] = GV_PRIMITIVE_TRIANGLE_STRIP,
        [GL_TRIANGLE_FAN] = GV_PRIMITIVE_TRIANGLE_FAN,
        [GL_QUADS] = GV_PRIMITIVE_QUADS,
        [GL_QUAD_STRIP] = GV_PRIMITIVE_QUAD_STRIP,
        [GL_POLYGON] = GV_PRIMITIVE_POLYGON,
    };
    return (enum gv_primitive)primitives[mode];
}

// Each edge's first vertex alone.
static uint64_t drop_ends(uint32_t *numbers, uint64_t count)
{
    for (uint64_t i = 0; i < count / 2; i++)
        numbers[i] = numbers[2 * i];
    return count / 2;
}

static void clamp(const struct gv_gl_geometry *g, uint32_t *numbers, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (numbers[i] >= g->vertex_count)
            numbers[i] = g->vertex_count - 1;
}

// A stippled strip's pattern runs on, which it does in strips of the device; unless its
// lines are apart.
static bool stays_strip(const struct gv_gl_context *c, const struct gv_gl_geometry *g)
{
    return c->state.line.stipple && !g->lines_apart &&
           (g->mode == GL_LINE_STRIP || g->mode == GL_LINE_LOOP) && !g->restarts;
}

static uint64_t strip(const struct gv_gl_geometry *g, uint32_t *out)
{
    uint32_t count = g->indices ? g->index_count : g->vertex_count, n = 0;
    for (uint32_t i = 0; i < count && count > 1; i++)
        out[n++] = g->indices ? g->indices[i] : i;
    if (g->mode == GL_LINE_LOOP && n)
        out[n++] = out[0];
    return n;
}

// Edge flags in the order of the indices; `edges` has room.
static const uint8_t *ordered_edges(const struct gv_gl_geometry *g, uint8_t *edges)
{
    if (!g->edges || !g->indices)
        return g->edges;
    for (uint32_t i = 0; i < g->index_count; i++)
        edges[i] = g->indices[i] < g->vertex_count ? g->edges[g->indices[i]] : 1;
    return edges;
}

// Whether vertices of an outline have the colours of another one. Of those that are
// lit, or that a program colours, nobody knows the colours.
static bool is_recolored(const struct gv_gl_context *c, const struct gv_gl_numbering *n)
{
    return n->part->outline && c->state.lighting.shade_model == GL_FLAT &&
           !c->state.lighting.enabled && !gv_gl_is_placed(c) && !n->geometry->devices &&
           (n->geometry->slots[GV_GL_COLOR] || n->geometry->slots[GV_GL_SECONDARY]);
}

struct room {
    uint32_t *numbers, *colored; // NULL: not wanted
    uint8_t *edges;
};

// The ways in which primitives can be assembled.
enum {
    ORDERED = 1, // of which an order was made
    LAST_PROVOKES = 2,
    LAST_WANTED = 4,
    FIRST_DIAGONAL = 8,
    BEGUN_FIRST = 16,
    OUTLINED = 32,
    DOTTED = 64,
    STRIPPED = 128,
};

static uint32_t order_of(const struct gv_gl_context *c, const struct gv_gl_numbering *n)
{
    const struct gv_gl_geometry *g = n->geometry;
    const bool strip = !n->part->reshaped && !n->part->captures && stays_strip(c, g);
    // Quads do not follow the convention, as of Mesa's software rasteriser.
    const bool last = c->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION ||
                      g->mode == GL_QUADS || g->mode == GL_QUAD_STRIP;
    uint32_t order = ORDERED;
    order |= last ? LAST_PROVOKES : 0;
    order |= n->last_wanted ? LAST_WANTED : 0;
    order |= strip ? STRIPPED : 0;
    order |= n->part->outline ? OUTLINED : 0;
    order |= n->part->outline && n->part->drawn == GV_GL_CLASS_POINTS ? DOTTED : 0;
    order |= !strip && !n->flat && gv_gl_first_diagonal(c, g, n->fixed_place)
                 ? FIRST_DIAGONAL
                 : 0;
    order |= !strip && gv_gl_begun_first(c, g, n->fixed_place) ? BEGUN_FIRST : 0;
    return order;
}

static uint64_t assemble(const struct gv_gl_context *c, const struct gv_gl_numbering *n,
                         uint32_t order, const struct room *room)
{
    const struct gv_gl_geometry *g = n->geometry;
    const struct gv_gl_part *part = n->part;
    struct facing f = { .geometry = g,
                        .ccw = c->state.polygon.front_face == GL_CCW,
                        .front = part->front };
    const struct gv_assembly a = {
        .primitive = primitive_of(g->mode),
        .last_provokes = order & LAST_PROVOKES,
        .last_wanted = order & LAST_WANTED,
        .first_diagonal = order & FIRST_DIAGONAL,
        .begun_first = order & BEGUN_FIRST,
        .restarts = g->restarts,
        .restart = g->restart,
        .keeps = part->faced && !gv_gl_is_placed(c) ? faces_so : NULL,
        .owner = &f,
        .provoking = room->colored,
    };
    const struct gv_assembly_vertices v = {
        .numbers = g->indices,
        .count = g->indices ? g->index_count : g->vertex_count,
        .edges = ordered_edges(g, room->edges),
    };
    if (part->faced)
        multiply(c->projection.entries[c->projection.top].m,
                 c->modelview.entries[c->modelview.top].m, f.m);
    if (!(order & OUTLINED))
        return gv_assemble(&a, &v, room->numbers);
    const uint64_t count = gv_assemble_edges(&a, &v, room->numbers);
    if (!(order & DOTTED))
        return count;
    if (room->colored)
        drop_ends(room->colored, count);
    return drop_ends(room->numbers, count);
}

// Lists that need no numbers: all vertices, in order, none left over.
static bool is_plain(const struct gv_gl_context *c, const struct gv_gl_numbering *n)
{
    static const uint8_t sizes[] = { [GL_POINTS] = 1,
                                     [GL_LINES] = 2,
                                     [GL_LINE_LOOP] = 0,
                                     [GL_LINE_STRIP] = 0,
                                     [GL_TRIANGLES] = 3 };
    const struct gv_gl_geometry *g = n->geometry;
    bool last = c->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION;
    return last == n->last_wanted && !g->indices && !n->part->outline &&
           !n->part->faced && g->mode <= GL_TRIANGLES && sizes[g->mode] &&
           g->vertex_count % sizes[g->mode] == 0;
}

// Primitives that are lists already: gl_adjacency.c.
static bool as_listed(const struct gv_gl_numbering *n, struct gv_gl_numbers *out,
                      struct gv_error *err)
{
    const struct gv_gl_geometry *g = n->geometry;
    gv_gl_geometry_make(g);
    n->scratch->size = 0;
    uint8_t *room = gv_bytes_grow(n->scratch, (size_t)g->index_count * 4);
    if (!room)
        return gv_out_of_memory(err);
    uint32_t *numbers = (uint32_t *)(void *)room;
    memcpy(numbers, g->indices, (size_t)g->index_count * 4);
    clamp(g, numbers, g->index_count);
    out->list = numbers;
    out->count = g->index_count;
    return true;
}

// Where it is known how many numbers there are. NULL: nowhere.
static struct gv_lower_entry *entry_of(const struct gv_gl_numbering *n, uint32_t order)
{
    const struct {
        struct gv_hash source;
        uint32_t mode, order;
    } key = { n->geometry->source ? *n->geometry->source : (struct gv_hash){ { 0 } },
              n->geometry->mode, order };
    if (!n->known || !n->geometry->source)
        return NULL;
    const struct gv_hash hash = gv_hash_bytes(&key, sizeof key);
    return gv_lower_pieces_find(n->known, &hash);
}

bool gv_gl_numbers(const struct gv_gl_context *c, const struct gv_gl_numbering *n,
                   struct gv_gl_numbers *out, struct gv_error *err)
{
    const struct gv_gl_geometry *g = n->geometry;
    uint32_t given = g->indices ? g->index_count : g->vertex_count;
    *out = (struct gv_gl_numbers){ .count = g->vertex_count, .order = ORDERED };
    if (g->counted || is_plain(c, n) || (g->mode > GL_POLYGON && !g->indices))
        return true;
    if (g->mode > GL_POLYGON)
        return as_listed(n, out, err);
    uint64_t bound = 2 * gv_assembly_bound(primitive_of(g->mode), given) + given + 1;
    if (bound > MOST_NUMBERS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "%u vertices of one draw",
                       given);
    const size_t lists = is_recolored(c, n) ? 2 : 1, list = (size_t)bound * 4;
    const uint32_t order = order_of(c, n);
    // Which polygons face so depends on matrices.
    const bool ordered = !n->part->faced && lists == 1;
    struct gv_lower_entry *known = ordered ? entry_of(n, order) : NULL;
    if (known && known->numbers) {
        *out = (struct gv_gl_numbers){ .count = known->numbers - 1,
                                       .strip = order & STRIPPED,
                                       .order = order,
                                       .unmade = true };
        return true;
    }
    gv_gl_geometry_make(g);
    n->scratch->size = 0;
    uint8_t *bytes = gv_bytes_grow(n->scratch, lists * list + given);
    if (!bytes)
        return gv_out_of_memory(err);
    uint32_t *numbers = (uint32_t *)(void *)bytes;
    const struct room room = { .numbers = numbers,
                               .colored = lists > 1 ? numbers + bound : NULL,
                               .edges = bytes + lists * list };
    out->strip = order & STRIPPED;
    uint64_t count = out->strip ? strip(g, numbers) : assemble(c, n, order, &room);
    clamp(g, numbers, count);
    if (room.colored)
        clamp(g, room.colored, count);
    out->list = numbers;
    out->colored = room.colored;
    out->count = (uint32_t)count;
    out->order = ordered ? order : 0;
    if (known)
        known->numbers = out->count + 1;
    return true;
}

bool gv_gl_numbers_make(const struct gv_gl_context *c, const struct gv_gl_numbering *n,
                        struct gv_gl_numbers *numbers, struct gv_error *err)
{
    struct gv_gl_numbering fresh = *n;
    fresh.known = NULL;
    return !numbers->unmade || gv_gl_numbers(c, &fresh, numbers, err);
}

static void gather(const struct gv_gl_geometry *g, uint32_t slot,
                   const struct gv_gl_numbers *n, float *out)
{
    const bool color = slot == GV_GL_COLOR || slot == GV_GL_SECONDARY;
    const uint32_t *numbers = color && n->colored ? n->colored : n->list;
    for (uint32_t i = 0; i < n->count; i++)
        gv_gl_geometry_fetch(g, slot, numbers ? numbers[i] : i, out + (size_t)4 * i);
}

// Positions of the first (0) or the last (1) ends of lines, at both ends.
static void gather_ends(const struct gv_gl_geometry *g, const struct gv_gl_numbers *n,
                        uint32_t which, float *out)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t at = (i & ~1u) | which;
        gv_gl_geometry_fetch(g, GV_GL_POSITION, n->list ? n->list[at] : at,
                             out + (size_t)4 * i);
    }
}

static void put_slot(struct gv_gl_geometry *out, uint32_t slot, const float *from)
{
    out->slots[slot] = from;
    out->strides[slot] = out->sizes[slot] = 4;
}

bool gv_gl_list_vertices(const struct gv_gl_geometry *from,
                         const struct gv_gl_numbers *n, bool ends,
                         struct gv_bytes *scratch, struct gv_gl_geometry *out,
                         struct gv_error *err)
{
    const size_t array = (size_t)n->count * 4;
    size_t arrays = ends ? 2 : 0;
    for (uint32_t i = 0; i < GV_GL_SLOTS; i++)
        arrays += from->slots[i] != NULL;
    gv_gl_geometry_make(from);
    scratch->size = 0;
    float *room =
        (float *)(void *)gv_bytes_grow(scratch, arrays * array * sizeof *room);
    if (!room)
        return gv_out_of_memory(err);
    *out = *from;
    out->vertex_count = n->count;
    out->indices = NULL;
    out->index_count = 0;
    out->edges = NULL;
    out->restarts = false;
    for (uint32_t i = 0; i < GV_GL_SLOTS; i++) {
        // What steps by instance has as many elements as there are instances.
        if (!from->slots[i] || from->instanced >> i & 1)
            continue;
        gather(from, i, n, room);
        put_slot(out, i, room);
        room += array;
    }
    for (uint32_t i = 0; i < 2 && ends; i++) {
        gather_ends(from, n, i, room);
        put_slot(out, i ? GV_FIXED_LAST_END : GV_FIXED_FIRST_END, room);
        room += array;
    }
    return true;
}

// ---- one by one ----

uint32_t gv_gl_polygons(const struct gv_gl_geometry *g)
{
    const uint32_t n = g->indices ? g->index_count : g->vertex_count;
    switch (g->mode) {
    case GL_TRIANGLES:
        return n / 3;
    case GL_TRIANGLE_STRIP:
    case GL_TRIANGLE_FAN:
        return n < 3 ? 0 : n - 2;
    case GL_QUADS:
        return n / 4;
    case GL_QUAD_STRIP:
        return n < 4 ? 0 : n / 2 - 1;
    default:
        return g->mode == GL_POLYGON;
    }
}

// Which of the numbers a polygon has, in an order that keeps how it faces and which
// vertex provokes. Returns how many.
static uint32_t corners(const struct gv_gl_geometry *g, uint32_t i, bool last,
                        uint32_t out[4])
{
    const bool quads = g->mode == GL_QUADS || g->mode == GL_QUAD_STRIP;
    const uint32_t step = g->mode == GL_TRIANGLES    ? 3
                          : g->mode == GL_QUADS      ? 4
                          : g->mode == GL_QUAD_STRIP ? 2
                                                     : 1;
    for (uint32_t k = 0; k < 4; k++)
        out[k] = i * step + k;
    if (g->mode == GL_TRIANGLE_FAN)
        out[0] = 0;
    if (g->mode == GL_TRIANGLE_STRIP && i & 1) {
        const uint32_t first = out[0];
        out[0] = last ? out[1] : first;
        out[1] = last ? first : out[2];
        out[2] = last ? out[2] : first + 1;
    }
    return quads ? 4 : 3;
}

bool gv_gl_polygon(const struct gv_gl_geometry *from, uint32_t i, bool last,
                   struct gv_bytes *scratch, struct gv_gl_polygon_alone *out,
                   struct gv_error *err)
{
    uint32_t list[4];
    const struct gv_gl_numbers n = { .list = list,
                                     .count = corners(from, i, last, list) };
    gv_gl_geometry_make(from);
    for (uint32_t k = 0; k < n.count && from->indices; k++)
        list[k] = from->indices[list[k]];
    clamp(from, list, n.count);
    if (!gv_gl_list_vertices(from, &n, false, scratch, &out->geometry, err))
        return false;
    for (uint32_t k = 0; k < n.count; k++) {
        out->ids[k] = from->ids ? from->ids[list[k]] : from->first_id + list[k];
        out->edges[k] = from->edges ? from->edges[list[k]] : 1;
    }
    out->geometry.ids = out->ids;
    out->geometry.source = NULL;
    if (from->edges)
        out->geometry.edges = out->edges;
    if (from->mode == GL_TRIANGLE_STRIP)
        out->geometry.mode = GL_TRIANGLES;
    return true;
}
