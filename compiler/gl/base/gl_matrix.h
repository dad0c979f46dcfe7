// 4x4 matrices of floats, in the order of operations that Mesa has: pixels depend on
// it.
#ifndef GV_GL_MATRIX_H
#define GV_GL_MATRIX_H

#include <stdbool.h>

#include "compiler/gl/base/gl_context.h"
#include "vm/matrix/matrix.h"

extern const struct gv_gl_matrix gv_gl_identity_matrix;

// *product = a * b; `product` may be either of them.
static inline void gv_gl_matrix_multiply(struct gv_gl_matrix *product,
                                         const struct gv_gl_matrix *a,
                                         const struct gv_gl_matrix *b)
{
    gv_matrix_product(product->m, a->m, b->m);
}
// False, and the identity, where there is none.
static inline bool gv_gl_matrix_invert(struct gv_gl_matrix *inverse,
                                       const struct gv_gl_matrix *m)
{
    return gv_matrix_inverse(inverse->m, m->m);
}
// Rotations and translations, but for rounding.
static inline bool gv_gl_matrix_keeps_lengths(const struct gv_gl_matrix *m)
{
    return gv_matrix_keeps_lengths(m->m);
}
void gv_gl_matrix_transpose(struct gv_gl_matrix *m);

// m * column.
void gv_gl_transform_point(float out[4], const struct gv_gl_matrix *m,
                           const float v[4]);
// The upper left 3x3 of m * column.
void gv_gl_transform_direction(float out[3], const struct gv_gl_matrix *m,
                               const float v[3]);
// A plane in eye coordinates: row * inverse of `modelview`.
void gv_gl_transform_plane(float out[4], const struct gv_gl_matrix *modelview,
                           const float plane[4]);

// Each multiplies *m from the right.
void gv_gl_matrix_rotate(struct gv_gl_matrix *m, float degrees, const float axis[3]);
void gv_gl_matrix_translate(struct gv_gl_matrix *m, const float by[3]);
void gv_gl_matrix_scale(struct gv_gl_matrix *m, const float by[3]);

// Left, right, bottom, top, near, far.
void gv_gl_matrix_frustum(struct gv_gl_matrix *m, const float sides[6]);
void gv_gl_matrix_ortho(struct gv_gl_matrix *m, const float sides[6]);

#endif
