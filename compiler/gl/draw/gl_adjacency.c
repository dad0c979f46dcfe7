#include "compiler/gl/draw/gl_adjacency.h"

#include <string.h>

#define MOST_NUMBERS ((uint64_t)1 << 26)

uint32_t gv_gl_listed_vertices(uint32_t mode)
{
    switch (mode) {
    case GL_POINTS:
        return 1;
    case GL_LINES:
    case GL_LINE_LOOP:
    case GL_LINE_STRIP:
        return 2;
    case GL_TRIANGLES:
    case GL_TRIANGLE_STRIP:
    case GL_TRIANGLE_FAN:
        return 3;
    case GL_LINES_ADJACENCY:
    case GL_LINE_STRIP_ADJACENCY:
        return 4;
    case GL_TRIANGLES_ADJACENCY:
    case GL_TRIANGLE_STRIP_ADJACENCY:
        return 6;
    default:
        return 0;
    }
}

bool gv_gl_reshape_counted(uint32_t mode, struct gv_gl_reshaping *r)
{
    const uint32_t vertices = gv_gl_listed_vertices(mode);
    if (mode == GL_LINE_LOOP || (!vertices && mode != GL_PATCHES))
        return false;
    if (r->outputs)
        return true;
    r->outputs = true;
    r->drawn = vertices == 1                    ? GV_GL_CLASS_POINTS
               : vertices == 2 || vertices == 4 ? GV_GL_CLASS_LINES
                                                : GV_GL_CLASS_TRIANGLES;
    return true;
}

bool gv_gl_suits(uint32_t mode, const struct gv_gl_reshaping *r)
{
    if (r->patches || mode == GL_PATCHES)
        return r->patches && mode == GL_PATCHES;
    return !r->vertices || r->vertices == gv_gl_listed_vertices(mode);
}

// Vertices [begin, begin + count) of a draw, between restarts.
struct run {
    const struct gv_gl_geometry *geometry;
    uint32_t begin, count;
    uint32_t patch; // vertices of one
    bool adjacent;
};

static uint32_t number(const struct run *r, uint32_t i)
{
    const struct gv_gl_geometry *g = r->geometry;
    return g->indices ? g->indices[r->begin + i] : r->begin + i;
}

static uint32_t *put(const struct run *r, uint32_t first, const uint8_t *places,
                     uint32_t *out)
{
    const bool line = places[0] == 4;
    static const uint8_t line_inner[] = { 1, 2 }, inner[] = { 0, 2, 4 };
    const uint32_t count = r->adjacent ? places[0] : line ? 2 : 3;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = r->adjacent ? i : line ? line_inner[i] : inner[i];
        *out++ = number(r, first + places[1 + k]);
    }
    return out;
}

// What triangle `i` of `n` is made of (table 10.1 of OpenGL 4.6), from vertex 2i on;
// the vertex before is there but for the first.
static uint32_t *strip_triangle(const struct run *r, uint32_t i, uint32_t n,
                                uint32_t *out)
{
    static const uint8_t only[] = { 6, 0, 1, 2, 5, 4, 3 };
    static const uint8_t first[] = { 6, 0, 1, 2, 6, 4, 3 };
    static const uint8_t odd[] = { 6, 4, 0, 2, 5, 6, 8 };
    static const uint8_t even[] = { 6, 2, 0, 4, 8, 6, 5 };
    static const uint8_t last_odd[] = { 6, 4, 0, 2, 5, 6, 7 };
    static const uint8_t last_even[] = { 6, 2, 0, 4, 7, 6, 5 };
    if (!i)
        return put(r, 0, n == 1 ? only : first, out);
    const bool last = i + 1 == n;
    const uint8_t *places = i & 1 ? last ? last_odd : odd : last ? last_even : even;
    return put(r, 2 * i - 2, places, out);
}

static uint32_t *put_run(const struct run *r, uint32_t *out)
{
    static const uint8_t line[] = { 4, 0, 1, 2, 3 };
    static const uint8_t triangle[] = { 6, 0, 1, 2, 3, 4, 5 };
    const uint32_t triangles = r->count < 6 ? 0 : (r->count - 4) / 2;
    switch (r->geometry->mode) {
    case GL_LINES_ADJACENCY:
        for (uint32_t i = 0; i + 4 <= r->count; i += 4)
            out = put(r, i, line, out);
        break;
    case GL_LINE_STRIP_ADJACENCY:
        for (uint32_t i = 0; i + 4 <= r->count; i++)
            out = put(r, i, line, out);
        break;
    case GL_TRIANGLES_ADJACENCY:
        for (uint32_t i = 0; i + 6 <= r->count; i += 6)
            out = put(r, i, triangle, out);
        break;
    case GL_TRIANGLE_STRIP_ADJACENCY:
        for (uint32_t i = 0; i < triangles; i++)
            out = strip_triangle(r, i, triangles, out);
        break;
    default: // patches
        for (uint32_t i = 0; i < r->count - r->count % r->patch; i++)
            *out++ = number(r, i);
        break;
    }
    return out;
}

static uint32_t *put_all(struct run *r, uint32_t count, uint32_t *out)
{
    const struct gv_gl_geometry *g = r->geometry;
    while (r->begin < count) {
        uint32_t end = r->begin;
        while (end < count &&
               !(g->restarts && g->indices && g->indices[end] == g->restart))
            end++;
        r->count = end - r->begin;
        out = put_run(r, out);
        r->begin = end < count ? end + 1 : end;
    }
    return out;
}

static uint32_t mode_of_list(uint32_t mode, bool adjacent)
{
    switch (gv_gl_listed_vertices(mode)) {
    case 4:
        return adjacent ? GL_LINES_ADJACENCY : GL_LINES;
    case 6:
        return adjacent ? GL_TRIANGLES_ADJACENCY : GL_TRIANGLES;
    default:
        return mode;
    }
}

bool gv_gl_list_primitives(struct gv_gl *gl, struct gv_gl_geometry *g, bool adjacent,
                           struct gv_bytes *room, struct gv_error *err)
{
    struct run r = { .geometry = g,
                     .patch = gl->context->patches.vertices,
                     .adjacent = adjacent };
    const uint32_t given = g->indices ? g->index_count : g->vertex_count;
    const uint64_t most = (uint64_t)given * 4;
    if (most > MOST_NUMBERS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "%u vertices of one draw",
                       given);
    if (!gv_gl_work(&gl->sink.work, most, err))
        return false;
    room->size = 0;
    uint32_t *to = (uint32_t *)(void *)gv_bytes_grow(room, (size_t)most * 4);
    if (!to)
        return gv_out_of_memory(err);
    const uint32_t *end = put_all(&r, given, to);
    g->mode = mode_of_list(g->mode, adjacent);
    g->indices = to;
    g->index_count = (uint32_t)(end - to);
    g->restarts = false;
    return true;
}
