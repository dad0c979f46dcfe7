// Matrices as OpenGL's pipeline uses them: products and inverses in floats, in the
// order of operations that Mesa has, so that what is computed from them agrees to the
// bit.
#ifndef GV_FIXED_MATRIX_H
#define GV_FIXED_MATRIX_H

#include "compiler/gl/base/gl_context.h"

extern const struct gv_gl_matrix gv_gl_identity;

bool gv_gl_is_identity(const struct gv_gl_matrix *a);

struct gv_gl_matrix gv_gl_product(const struct gv_gl_matrix *a,
                                  const struct gv_gl_matrix *b);

// The inverse; the identity where there is none.
struct gv_gl_matrix gv_gl_inverse(const struct gv_gl_matrix *a);

// Rotations and translations, but for rounding.
bool gv_gl_keeps_lengths(const struct gv_gl_matrix *a);

#endif
