// Bezier curves and surfaces, in single precision as Mesa computes them: by Horner's
// scheme over the Bernstein polynomials, tangents by de Casteljau's.
#include "compiler/gl/geometry/gl_bezier.h"

#include <string.h>

// Points `stride` floats apart.
struct points {
    const float *at;
    uint32_t stride, size, order;
};

static void horner(const struct points *p, float t, float out[4])
{
    const float s = 1.0F - t;
    memcpy(out, p->at, p->size * sizeof *out);
    if (p->order < 2)
        return;
    // s^(n-i) is multiplied in step by step: out = out * s + C(n, i) * t^i * point i.
    float binomial = (float)(p->order - 1), power = t;
    for (uint32_t i = 1; i < p->order; i++) {
        const float *point = p->at + (size_t)i * p->stride;
        for (uint32_t k = 0; k < p->size; k++)
            out[k] = s * out[k] + binomial * power * point[k];
        binomial *= (float)(p->order - 1 - i);
        binomial *= 1.0F / (float)(i + 1);
        power *= t;
    }
}

void gv_gl_bezier_curve(const float *points, uint32_t size, uint32_t order, float t,
                        float out[4])
{
    const struct points p = { points, size, size, order };
    horner(&p, t, out);
}

// The shorter way first: curves along one direction give the points of the other's.
void gv_gl_bezier_surface(const struct gv_gl_surface_map *map, float u, float v,
                          float out[4])
{
    float row[GV_GL_MAX_ORDER][4] = { 0 };
    const uint32_t size = map->size, across = map->vorder * size;
    const bool along_u = map->vorder > map->uorder;
    const uint32_t rows = along_u ? map->vorder : map->uorder;
    for (uint32_t i = 0; i < rows; i++) {
        const struct points p = along_u
                                    ? (struct points){ map->points + (size_t)i * size,
                                                       across, size, map->uorder }
                                    : (struct points){ map->points + (size_t)i * across,
                                                       size, size, map->vorder };
        horner(&p, along_u ? u : v, row[i]);
    }
    const struct points p = { row[0], 4, size, rows };
    horner(&p, along_u ? v : u, out);
}

static void casteljau(const struct points *p, float t, float out[4], float tangent[4])
{
    float work[GV_GL_MAX_ORDER][4] = { 0 };
    for (uint32_t i = 0; i < p->order; i++)
        memcpy(work[i], p->at + (size_t)i * p->stride, p->size * sizeof **work);
    memset(tangent, 0, 4 * sizeof *tangent);
    for (uint32_t left = p->order - 1; left; left--) {
        for (uint32_t k = 0; k < p->size && left == 1; k++)
            tangent[k] = (float)(p->order - 1) * (work[1][k] - work[0][k]);
        for (uint32_t i = 0; i < left; i++)
            for (uint32_t k = 0; k < p->size; k++)
                work[i][k] = (1.0F - t) * work[i][k] + t * work[i + 1][k];
    }
    memcpy(out, work[0], p->size * sizeof *out);
}

void gv_gl_bezier_tangents(const struct gv_gl_surface_map *map, float u, float v,
                           float out[4], float du[4], float dv[4])
{
    float row[GV_GL_MAX_ORDER][4] = { 0 }, slope[GV_GL_MAX_ORDER][4] = { 0 };
    float unused[4];
    for (uint32_t i = 0; i < map->uorder; i++) {
        const struct points p = { map->points + (size_t)i * map->vorder * map->size,
                                  map->size, map->size, map->vorder };
        casteljau(&p, v, row[i], slope[i]);
    }
    const struct points rows = { row[0], 4, map->size, map->uorder };
    const struct points slopes = { slope[0], 4, map->size, map->uorder };
    casteljau(&rows, u, out, du);
    casteljau(&slopes, u, dv, unused);
}
