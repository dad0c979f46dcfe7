// Inverses of matrices: by what a matrix does, as Mesa has them, since the rounding of
// each way is another one.
#include "vm/matrix/matrix.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define NEAR 1e-6f // differences of lengths and angles that are only rounding

// ---- what a matrix does ----

struct effects {
    bool flat;     // the last row is 0, 0, 0, 1
    bool straight; // its upper part is diagonal
    bool turns;    // orthogonal, right-handed columns, perhaps scaled alike
    bool scales;   // all directions alike, by other than 1
    bool stretches;
    bool moves;
};

static float dot3(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool close_to(float a, float b)
{
    return (a - b) * (a - b) < NEAR * NEAR;
}

// Whether the third column is the cross product of the first two.
static bool right_handed(const float *m)
{
    float cross[3] = { m[1] * m[6] - m[2] * m[5] - m[8],
                       m[2] * m[4] - m[0] * m[6] - m[9],
                       m[0] * m[5] - m[1] * m[4] - m[10] };
    return dot3(cross, cross) < NEAR * NEAR;
}

static struct effects effects(const float *m)
{
    struct effects e = { 0 };
    e.flat = m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1;
    e.straight =
        m[1] == 0 && m[2] == 0 && m[4] == 0 && m[6] == 0 && m[8] == 0 && m[9] == 0;
    e.moves = m[12] != 0 || m[13] != 0 || m[14] != 0;
    if (e.straight) {
        e.stretches = !close_to(m[0], m[5]) || !close_to(m[0], m[10]);
        e.scales = !e.stretches && !close_to(m[0], 1);
        return e;
    }
    float x = dot3(m, m), y = dot3(m + 4, m + 4), z = dot3(m + 8, m + 8);
    e.stretches = !close_to(x, y) || !close_to(x, z);
    e.scales = !e.stretches && !close_to(x, 1);
    e.turns = close_to(dot3(m, m + 4), 0) && right_handed(m);
    return e;
}

bool gv_matrix_keeps_lengths(const float m[GV_MATRIX_FLOATS])
{
    struct effects e = effects(m);
    return e.flat && !e.stretches && !e.scales && (e.straight || e.turns);
}

// ---- inverses ----

static void invert_translation(const float *in, float *out)
{
    for (size_t i = 0; i < 3; i++)
        out[12 + i] = -(in[12] * out[i] + in[13] * out[4 + i] + in[14] * out[8 + i]);
}

static bool invert_straight(const float *in, bool moves, float *out)
{
    if (in[0] == 0 || in[5] == 0 || in[10] == 0)
        return false;
    for (size_t i = 0; i < 3; i++) {
        out[5 * i] = 1.0f / in[5 * i];
        if (moves)
            out[12 + i] = -(in[12 + i] * out[5 * i]);
    }
    return true;
}

static bool invert_rotation(const float *in, const struct effects *e, float *out)
{
    float scale = 1;
    if (e->scales) {
        scale = in[0] * in[0] + in[4] * in[4] + in[8] * in[8];
        if (scale == 0)
            return false;
        scale = 1.0f / scale;
    }
    for (size_t row = 0; row < 3; row++)
        for (size_t column = 0; column < 3; column++)
            out[4 * row + column] = scale * in[4 * column + row];
    if (e->moves)
        invert_translation(in, out);
    return true;
}

// Sums of what is positive and what is negative, apart: less is lost.
static float determinant3(const float *m)
{
    const float terms[6] = {
        m[0] * m[5] * m[10], m[1] * m[6] * m[8],   m[2] * m[4] * m[9],
        -m[2] * m[5] * m[8], -m[1] * m[4] * m[10], -m[0] * m[6] * m[9],
    };
    float above = 0, below = 0;
    for (size_t i = 0; i < 6; i++) {
        if (terms[i] >= 0)
            above += terms[i];
        else
            below += terms[i];
    }
    return above + below;
}

static bool invert_affine(const float *m, float *out)
{
    float det = determinant3(m);
    if (fabsf(det) < 1e-25f)
        return false;
    det = 1.0f / det;
    out[0] = (m[5] * m[10] - m[6] * m[9]) * det;
    out[4] = -(m[4] * m[10] - m[6] * m[8]) * det;
    out[8] = (m[4] * m[9] - m[5] * m[8]) * det;
    out[1] = -(m[1] * m[10] - m[2] * m[9]) * det;
    out[5] = (m[0] * m[10] - m[2] * m[8]) * det;
    out[9] = -(m[0] * m[9] - m[1] * m[8]) * det;
    out[2] = (m[1] * m[6] - m[2] * m[5]) * det;
    out[6] = -(m[0] * m[6] - m[2] * m[4]) * det;
    out[10] = (m[0] * m[5] - m[1] * m[4]) * det;
    invert_translation(m, out);
    return true;
}

// The row at or below `column` whose number in it is the largest.
static int pivot_row(float rows[4][8], int column)
{
    int best = column;
    for (int row = column + 1; row < 4; row++)
        if (fabsf(rows[row][column]) > fabsf(rows[best][column]))
            best = row;
    return best;
}

// Gauss with partial pivots, then substitution from below.
static bool invert_general(const float *m, float *out)
{
    float rows[4][8] = { { 0 } };
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++)
            rows[row][column] = m[4 * column + row];
        rows[row][4 + row] = 1;
    }
    for (int column = 0; column < 4; column++) {
        int from = pivot_row(rows, column);
        if (rows[from][column] == 0)
            return false;
        float kept[8];
        memcpy(kept, rows[from], sizeof kept);
        memcpy(rows[from], rows[column], sizeof kept);
        memcpy(rows[column], kept, sizeof kept);
        for (int row = column + 1; row < 4; row++) {
            float factor = rows[row][column] / rows[column][column];
            for (int i = column; i < 8; i++)
                rows[row][i] -= factor * rows[column][i];
        }
    }
    for (int column = 3; column >= 0; column--) {
        float scale = 1.0f / rows[column][column];
        for (int i = 4; i < 8; i++) {
            float sum = rows[column][i];
            for (int k = column + 1; k < 4; k++)
                sum -= rows[column][k] * out[4 * (i - 4) + k];
            out[4 * (i - 4) + column] = scale * sum;
        }
    }
    return true;
}

static const float identity[GV_MATRIX_FLOATS] = { 1, 0, 0, 0, 0, 1, 0, 0,
                                                  0, 0, 1, 0, 0, 0, 0, 1 };

bool gv_matrix_inverse(float inverse[GV_MATRIX_FLOATS], const float m[GV_MATRIX_FLOATS])
{
    float out[GV_MATRIX_FLOATS];
    struct effects e = effects(m);
    bool found;
    memcpy(out, identity, sizeof out);
    if (!e.flat)
        found = invert_general(m, out);
    else if (e.straight)
        found = invert_straight(m, e.moves, out);
    else if (e.turns && !e.stretches)
        found = invert_rotation(m, &e, out);
    else
        found = invert_affine(m, out);
    gv_matrix_settle(out);
    memcpy(inverse, found ? out : identity, sizeof out);
    return found;
}
