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

// ---- tangents ----

static float between(float a, float b, float t)
{
    return (1.0F - t) * a + t * b;
}

// Control points of one component, rows along u.
struct net {
    float at[GV_GL_MAX_ORDER][GV_GL_MAX_ORDER];
    uint32_t rows, columns;
};

static void load(struct net *net, const struct gv_gl_surface_map *map, uint32_t k)
{
    net->rows = map->uorder;
    net->columns = map->vorder;
    for (uint32_t i = 0; i < net->rows; i++)
        for (uint32_t j = 0; j < net->columns; j++)
            net->at[i][j] = map->points[((size_t)i * map->vorder + j) * map->size + k];
}

// A step in both directions, u first.
static void reduce(struct net *net, float u, float v)
{
    net->rows--;
    net->columns--;
    for (uint32_t i = 0; i < net->rows; i++) {
        float *row = net->at[i];
        for (uint32_t j = 0; j <= net->columns; j++)
            row[j] = between(row[j], net->at[i + 1][j], u);
        for (uint32_t j = 0; j < net->columns; j++)
            row[j] = between(row[j], row[j + 1], v);
    }
}

// A point, and the directions along the curve that is left and across it.
struct tangents {
    float point, along, across;
};

// Of a net with one or two points in the other direction: points and slopes across.
static struct tangents curve(float *points, float *slopes, uint32_t count, float t)
{
    if (count == 1)
        return (struct tangents){ points[0], 0, slopes[0] };
    for (; count > 2; count--)
        for (uint32_t j = 0; j + 1 < count; j++) {
            points[j] = between(points[j], points[j + 1], t);
            slopes[j] = between(slopes[j], slopes[j + 1], t);
        }
    return (struct tangents){ between(points[0], points[1], t), points[1] - points[0],
                              between(slopes[0], slopes[1], t) };
}

// A pair across: its point at t, its slope.
static void cross(float a, float b, float t, float *point, float *slope)
{
    *point = between(a, b, t);
    *slope = b - a;
}

static struct tangents along_v(struct net *net, float u, float v)
{
    float points[GV_GL_MAX_ORDER] = { 0 }, slopes[GV_GL_MAX_ORDER] = { 0 };
    for (uint32_t j = 0; j < net->columns; j++)
        cross(net->at[0][j], net->at[net->rows - 1][j], u, &points[j], &slopes[j]);
    return curve(points, slopes, net->columns, v);
}

static struct tangents along_u(struct net *net, float u, float v)
{
    float points[GV_GL_MAX_ORDER] = { 0 }, slopes[GV_GL_MAX_ORDER] = { 0 };
    for (uint32_t i = 0; i < net->rows; i++)
        cross(net->at[i][0], net->at[i][net->columns - 1], v, &points[i], &slopes[i]);
    return curve(points, slopes, net->rows, u);
}

void gv_gl_bezier_tangents(const struct gv_gl_surface_map *map, float u, float v,
                           float out[4], float du[4], float dv[4])
{
    for (uint32_t k = 0; k < map->size; k++) {
        struct net net = { 0 };
        load(&net, map, k);
        const bool square = net.rows == net.columns;
        while (net.rows > 2 && net.columns > 2)
            reduce(&net, u, v);
        const struct tangents a = along_u(&net, u, v);
        const struct tangents b = along_v(&net, u, v);
        const bool by_u = square || net.rows > net.columns;
        out[k] = by_u ? a.point : b.point;
        du[k] = square || !by_u ? b.across : a.along;
        dv[k] = by_u ? a.across : b.along;
    }
}
