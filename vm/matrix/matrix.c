#include "vm/matrix/matrix.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats are computed as floats");

void gv_matrix_settle(float m[GV_MATRIX_FLOATS])
{
    for (size_t i = 0; i < GV_MATRIX_FLOATS; i++)
        m[i] = m[i] != m[i] ? NAN : m[i];
}

void gv_matrix_product(float product[GV_MATRIX_FLOATS],
                       const float left[GV_MATRIX_FLOATS],
                       const float right[GV_MATRIX_FLOATS])
{
    float p[GV_MATRIX_FLOATS];
    for (size_t column = 0; column < 4; column++) {
        const float *c = right + 4 * column;
        for (size_t row = 0; row < 4; row++) {
            const float *r = left + row;
            p[4 * column + row] =
                r[0] * c[0] + r[4] * c[1] + r[8] * c[2] + r[12] * c[3];
        }
    }
    gv_matrix_settle(p);
    memcpy(product, p, sizeof p);
}
