// A growing store of vertices: one array per slot that varies.
#include "compiler/gl/geometry/gl_run.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u
#define VERTEX_BYTES (4 * sizeof(float))

void gv_gl_run_finish(struct gv_gl_run *run)
{
    for (uint32_t s = 0; s < GV_GL_RUN_SLOTS; s++)
        free(run->slots[s]);
    free(run->edges);
    *run = (struct gv_gl_run){ 0 };
}

void gv_gl_run_clear(struct gv_gl_run *run)
{
    run->count = 0;
    run->known = run->varying = run->touched = 0;
    memset(run->sizes, 0, sizeof run->sizes);
    memset(run->kinds, 0, sizeof run->kinds);
    memset(run->open, 0, sizeof run->open);
}

void gv_gl_run_begin(struct gv_gl_run *run, const struct gv_gl_current *current)
{
    memcpy(run->base, current->slots, sizeof current->slots);
    memcpy(run->kinds, current->kinds, sizeof current->kinds);
    memcpy(run->base[GV_GL_BEHIND], current->behind, sizeof current->behind);
    run->base[GV_GL_EDGE][0] = current->edge;
    memcpy(run->values, run->base, sizeof run->base);
    run->known = GV_GL_BIT(GV_GL_RUN_SLOTS) - 1;
    run->touched = 0;
}

void gv_gl_run_set(struct gv_gl_run *run, uint32_t slot, struct gv_gl_shape shape,
                   const float value[4])
{
    memcpy(run->values[slot], value, VERTEX_BYTES);
    run->touched |= GV_GL_BIT(slot);
    run->kinds[slot] = shape.kind;
    if (run->sizes[slot] < shape.size)
        run->sizes[slot] = shape.size;
}

void gv_gl_run_make_current(struct gv_gl_current *current, uint32_t slot,
                            struct gv_gl_shape shape, const float value[4])
{
    if (slot == GV_GL_EDGE) {
        current->edge = value[0] != 0;
        return;
    }
    if (slot >= GV_GL_BEHIND) {
        memcpy(current->behind[slot - GV_GL_BEHIND], value, VERTEX_BYTES);
        return;
    }
    memcpy(current->slots[slot], value, VERTEX_BYTES);
    current->kinds[slot] = shape.kind;
}

uint32_t gv_gl_bits(uint64_t set)
{
    uint32_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static bool reserve(struct gv_gl_run *run, uint32_t slot, struct gv_error *err)
{
    const uint64_t slots = gv_gl_bits(run->varying | GV_GL_BIT(slot));
    if (slots * run->capacity * 4 > GV_GL_MAX_RUN_FLOATS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "more than 2^26 numbers in the vertices of one primitive");
    float *larger = realloc(run->slots[slot], run->capacity * VERTEX_BYTES);
    if (!larger)
        return gv_out_of_memory(err);
    run->slots[slot] = larger;
    return true;
}

static bool grow(struct gv_gl_run *run, struct gv_error *err)
{
    if (run->count >= GV_GL_MAX_RUN_VERTICES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "more than %u vertices in one primitive",
                       GV_GL_MAX_RUN_VERTICES);
    run->capacity = run->capacity ? run->capacity * 2 : FIRST_CAPACITY;
    for (uint32_t s = 0; s < GV_GL_RUN_SLOTS; s++)
        if (run->varying & GV_GL_BIT(s) && !reserve(run, s, err))
            return false;
    return true;
}

// Components without which a value would be another one.
static uint32_t components(const float v[4], uint8_t kind)
{
    static const float one = 1.0F;
    if (kind != GV_GL_FLOATS || !gv_gl_same(&v[3], &one, sizeof one))
        return 4;
    return v[2] != 0 ? 3 : v[1] != 0 ? 2 : 1;
}

// From now on a slot has a value for each vertex; those before it take the one it had.
static bool vary(struct gv_gl_run *run, uint32_t slot, struct gv_error *err)
{
    if (!reserve(run, slot, err))
        return false;
    const bool known = run->known & GV_GL_BIT(slot);
    for (uint32_t i = 0; i < run->count && known; i++)
        memcpy(run->slots[slot] + 4 * (size_t)i, run->base[slot], VERTEX_BYTES);
    run->open[slot] = known ? 0 : run->count;
    const uint32_t size =
        known && run->count ? components(run->base[slot], run->kinds[slot]) : 1;
    if (!known && run->count)
        run->sizes[slot] = 4;
    else if (run->sizes[slot] < size)
        run->sizes[slot] = (uint8_t)size;
    run->varying |= GV_GL_BIT(slot);
    run->known |= GV_GL_BIT(slot);
    return true;
}

static bool settle(struct gv_gl_run *run, uint32_t slot, struct gv_error *err)
{
    const uint64_t bit = GV_GL_BIT(slot);
    if (run->varying & bit)
        return true;
    if (slot == GV_GL_POSITION)
        return vary(run, slot, err);
    if (run->count == 0) {
        memcpy(run->base[slot], run->values[slot], VERTEX_BYTES);
        run->known |= bit;
        return true;
    }
    if (run->known & bit &&
        gv_gl_same(run->base[slot], run->values[slot], VERTEX_BYTES))
        return true;
    return vary(run, slot, err);
}

bool gv_gl_run_vertex(struct gv_gl_run *run, struct gv_error *err)
{
    if (run->count == run->capacity && !grow(run, err))
        return false;
    for (uint32_t s = 0; run->touched >> s; s++)
        if (run->touched & GV_GL_BIT(s) && !settle(run, s, err))
            return false;
    run->touched = 0;
    for (uint32_t s = 0; run->varying >> s; s++)
        if (run->varying & GV_GL_BIT(s))
            memcpy(run->slots[s] + 4 * (size_t)run->count, run->values[s],
                   VERTEX_BYTES);
    run->count++;
    return true;
}

uint32_t gv_gl_independent(uint32_t mode)
{
    switch (mode) {
    case GL_POINTS:
        return 1;
    case GL_LINES:
        return 2;
    case GL_TRIANGLES:
        return 3;
    case GL_QUADS:
    case GL_LINES_ADJACENCY:
        return 4;
    case GL_TRIANGLES_ADJACENCY:
        return 6;
    default:
        return 0;
    }
}

uint32_t gv_gl_whole(uint32_t mode, uint32_t count)
{
    const uint32_t n = gv_gl_independent(mode);
    if (n)
        return count - count % n;
    switch (mode) {
    case GL_LINE_STRIP:
    case GL_LINE_LOOP:
        return count < 2 ? 0 : count;
    case GL_QUAD_STRIP:
        return count < 4 ? 0 : count & ~1u;
    case GL_LINE_STRIP_ADJACENCY:
        return count < 4 ? 0 : count;
    case GL_TRIANGLE_STRIP_ADJACENCY:
        return count < 6 ? 0 : count & ~1u;
    case GL_PATCHES:
        return count;
    default:
        return count < 3 ? 0 : count;
    }
}

void gv_gl_run_cut(struct gv_gl_run *run)
{
    run->count = gv_gl_whole(run->mode, run->count);
    for (uint32_t s = 0; s < GV_GL_RUN_SLOTS; s++)
        if (run->open[s] > run->count)
            run->open[s] = run->count;
}

bool gv_gl_run_geometry(struct gv_gl_run *run, struct gv_gl_geometry *out,
                        struct gv_error *err)
{
    *out = (struct gv_gl_geometry){
        .mode = run->mode,
        .vertex_count = gv_gl_whole(run->mode, run->count),
        .instances = 1,
    };
    for (uint32_t s = 0; s < GV_GL_SLOTS; s++)
        if (run->varying & GV_GL_BIT(s)) {
            out->slots[s] = run->slots[s];
            out->strides[s] = 4;
            out->sizes[s] = run->sizes[s];
            out->kinds[s] = run->kinds[s];
        }
    for (uint32_t i = 0; i < GV_GL_GENERICS; i++)
        if (run->varying & GV_GL_BIT(GV_GL_BEHIND + i)) {
            out->behind[i] = run->slots[GV_GL_BEHIND + i];
            out->behind_strides[i] = 4;
        }
    if (!run->count || !(run->varying & GV_GL_BIT(GV_GL_EDGE)))
        return true;
    uint8_t *edges = realloc(run->edges, run->count);
    if (!edges)
        return gv_out_of_memory(err);
    run->edges = edges;
    for (uint32_t i = 0; i < run->count; i++)
        edges[i] = run->slots[GV_GL_EDGE][4 * (size_t)i] != 0;
    out->edges = edges;
    return true;
}
