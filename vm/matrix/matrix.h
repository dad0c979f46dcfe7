// 4x4 matrices of floats, column after column: products and inverses that have the same
// bits on every machine, so that what a compiler has computed the machine computes
// again.
//
// Each operation is one of IEEE 754 single precision, rounded to nearest, in the order
// that the code states; none is fused (-ffp-contract=off), denormals are kept, and a
// result that is no number is 0x7fc00000, whatever came in. The order is Mesa's: pixels
// of OpenGL depend on it.
#ifndef GV_MATRIX_H
#define GV_MATRIX_H

#include <stdbool.h>

#define GV_MATRIX_FLOATS 16
#define GV_MATRIX_BYTES 64u        // of one in memory
#define GV_MATRIX_COLUMN_BYTES 16u // of a column of it

// product = left * right. Element (row, column) is ((l0 * r0 + l1 * r1) + l2 * r2) +
// l3 * r3 of left's row and right's column. `product` may be either of them.
void gv_matrix_product(float product[GV_MATRIX_FLOATS],
                       const float left[GV_MATRIX_FLOATS],
                       const float right[GV_MATRIX_FLOATS]);

// False, and the identity, where there is none. What a matrix does decides how: of
// rotations it is the transpose, of what only stretches along the axes the reciprocals,
// of what is affine by cofactors, else by Gauss. `inverse` may be `m`.
bool gv_matrix_inverse(float inverse[GV_MATRIX_FLOATS],
                       const float m[GV_MATRIX_FLOATS]);

// Whether it is made of rotations and translations, but for rounding.
bool gv_matrix_keeps_lengths(const float m[GV_MATRIX_FLOATS]);

// Makes NaN what it is on every machine. The functions above do.
void gv_matrix_settle(float m[GV_MATRIX_FLOATS]);

#endif
