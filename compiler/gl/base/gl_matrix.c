#include "compiler/gl/base/gl_matrix.h"

#include <math.h>
#include <string.h>

const struct gv_gl_matrix gv_gl_identity_matrix = {
    { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
};

void gv_gl_matrix_transpose(struct gv_gl_matrix *m)
{
    const struct gv_gl_matrix from = *m;
    for (int i = 0; i < 16; i++)
        m->m[i] = from.m[4 * (i % 4) + i / 4];
}

// ---- vectors ----

void gv_gl_transform_point(float out[4], const struct gv_gl_matrix *m, const float v[4])
{
    float p[4];
    for (int i = 0; i < 4; i++)
        p[i] = m->m[i] * v[0] + m->m[4 + i] * v[1] + m->m[8 + i] * v[2] +
               m->m[12 + i] * v[3];
    memcpy(out, p, sizeof(p));
}

void gv_gl_transform_direction(float out[3], const struct gv_gl_matrix *m,
                               const float v[3])
{
    float d[3];
    for (int i = 0; i < 3; i++)
        d[i] = v[0] * m->m[i] + v[1] * m->m[4 + i] + v[2] * m->m[8 + i];
    memcpy(out, d, sizeof(d));
}

void gv_gl_transform_plane(float out[4], const struct gv_gl_matrix *modelview,
                           const float plane[4])
{
    struct gv_gl_matrix inverse;
    gv_gl_matrix_invert(&inverse, modelview);
    float p[4];
    for (size_t i = 0; i < 4; i++) {
        const float *c = inverse.m + 4 * i;
        p[i] = plane[0] * c[0] + plane[1] * c[1] + plane[2] * c[2] + plane[3] * c[3];
    }
    memcpy(out, p, sizeof(p));
}

// ---- products with matrices of few parameters ----

// Where row and column of *m meet.
static float *at(struct gv_gl_matrix *m, int row, int column)
{
    return &m->m[4 * column + row];
}

// About one of the axes: exact in the others, unlike the general formula.
static void rotation_in_plane(struct gv_gl_matrix *r, int axis, float sine,
                              float cosine)
{
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    *at(r, first, first) = cosine;
    *at(r, second, second) = cosine;
    *at(r, first, second) = -sine;
    *at(r, second, first) = sine;
}

static void rotation_about(struct gv_gl_matrix *r, const float unit[3], float sine,
                           float cosine)
{
    const float rest = 1.0f - cosine;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const float product = unit[i] * unit[j], turn = unit[k] * sine;
        *at(r, i, i) = rest * (unit[i] * unit[i]) + cosine;
        *at(r, i, j) = rest * product - turn;
        *at(r, j, i) = rest * product + turn;
    }
}

void gv_gl_matrix_rotate(struct gv_gl_matrix *m, float degrees, const float axis[3])
{
    const float angle = (float)((double)degrees * 3.14159265358979323846 / 180.0);
    const float sine = sinf(angle), cosine = cosf(angle);
    struct gv_gl_matrix r = gv_gl_identity_matrix;
    int only = -1, others = 0;
    for (int i = 0; i < 3; i++)
        if (axis[i] != 0) {
            others += only >= 0;
            only = i;
        }
    if (only < 0)
        return;
    if (others == 0) {
        rotation_in_plane(&r, only, axis[only] < 0 ? -sine : sine, cosine);
    } else {
        const float length =
            sqrtf(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        if (length <= 1.0e-4f)
            return;
        const float unit[3] = { axis[0] / length, axis[1] / length, axis[2] / length };
        rotation_about(&r, unit, sine, cosine);
    }
    gv_gl_matrix_multiply(m, m, &r);
}

void gv_gl_matrix_translate(struct gv_gl_matrix *m, const float by[3])
{
    float *f = m->m;
    for (int i = 0; i < 4; i++)
        f[12 + i] = f[i] * by[0] + f[4 + i] * by[1] + f[8 + i] * by[2] + f[12 + i];
}

void gv_gl_matrix_scale(struct gv_gl_matrix *m, const float by[3])
{
    for (int i = 0; i < 12; i++)
        m->m[i] *= by[i / 4];
}

void gv_gl_matrix_frustum(struct gv_gl_matrix *m, const float sides[6])
{
    const float near = sides[4], far = sides[5];
    struct gv_gl_matrix f = { { 0 } };
    for (int i = 0; i < 2; i++) {
        const float *pair = sides + 2 * (size_t)i;
        const float low = pair[0], high = pair[1];
        *at(&f, i, i) = (2.0f * near) / (high - low);
        *at(&f, i, 2) = (high + low) / (high - low);
    }
    *at(&f, 2, 2) = -(far + near) / (far - near);
    *at(&f, 2, 3) = -(2.0f * far * near) / (far - near);
    *at(&f, 3, 2) = -1.0f;
    gv_gl_matrix_multiply(m, m, &f);
}

void gv_gl_matrix_ortho(struct gv_gl_matrix *m, const float sides[6])
{
    struct gv_gl_matrix o = gv_gl_identity_matrix;
    for (int i = 0; i < 3; i++) {
        const float *pair = sides + 2 * (size_t)i;
        const float low = pair[0], high = pair[1];
        *at(&o, i, i) = (i == 2 ? -2.0f : 2.0f) / (high - low);
        *at(&o, i, 3) = -(high + low) / (high - low);
    }
    gv_gl_matrix_multiply(m, m, &o);
}
