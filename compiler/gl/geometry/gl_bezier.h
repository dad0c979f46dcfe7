// Bezier curves and surfaces of evaluators (OpenGL 1.5 specification, section 5.1).
//
// Control points lie behind each other: of a surface point (i, j) at (i * vorder + j),
// `size` floats each. u and v are 0 to 1 within the domain.
#ifndef GV_GL_BEZIER_H
#define GV_GL_BEZIER_H

#include <stdbool.h>
#include <stdint.h>

#define GV_GL_MAX_ORDER 30u // GL_MAX_EVAL_ORDER

struct gv_gl_surface_map {
    const float *points;
    uint32_t size, uorder, vorder; // orders are 1 to GV_GL_MAX_ORDER
};

void gv_gl_bezier_curve(const float *points, uint32_t size, uint32_t order, float t,
                        float out[4]);
void gv_gl_bezier_surface(const struct gv_gl_surface_map *map, float u, float v,
                          float out[4]);

// The point with the directions of its tangents: derivatives over orders less one.
void gv_gl_bezier_tangents(const struct gv_gl_surface_map *map, float u, float v,
                           float out[4], float du[4], float dv[4]);

#endif
