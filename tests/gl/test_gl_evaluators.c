// Evaluators against Bernstein polynomials, their meshes; rectangles, selection and
// feedback.
#include <math.h>

#include "compiler/gl/geometry/gl_bezier.h"
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

static double bernstein(uint32_t n, uint32_t i, double t)
{
    double binomial = 1;
    for (uint32_t k = 0; k < i; k++)
        binomial = binomial * (n - k) / (k + 1);
    return binomial * pow(t, i) * pow(1 - t, n - i);
}

static bool near_to(double a, double b)
{
    return fabs(a - b) < 1e-4;
}

// Points of no regularity, of each order and shape.
static void polynomials(struct geometry_log *g)
{
    static float points[8 * 8 * 3];
    (void)g;
    for (uint32_t i = 0; i < 8 * 8 * 3; i++)
        points[i] = (float)((i * 37) % 19) / 4;
    for (uint32_t m = 1; m <= 8; m++)
        for (uint32_t n = 1; n <= 8; n++) {
            const struct gv_gl_surface_map map = { points, 3, m, n };
            const double u = 0.3, v = 0.8, step = 1e-3;
            double wanted = 0, ahead_u = 0, ahead_v = 0;
            float at[4], same[4], du[4], dv[4];
            for (uint32_t i = 0; i < m; i++)
                for (uint32_t j = 0; j < n; j++) {
                    const double p = (double)points[(i * n + j) * 3 + 1];
                    const double bu = bernstein(m - 1, i, u),
                                 bv = bernstein(n - 1, j, v);
                    wanted += p * bu * bv;
                    ahead_u += p * bernstein(m - 1, i, u + step) * bv;
                    ahead_v += p * bernstein(n - 1, j, v + step) * bu;
                }
            gv_gl_bezier_surface(&map, (float)u, (float)v, at);
            gv_gl_bezier_tangents(&map, (float)u, (float)v, same, du, dv);
            CHECK(near_to((double)at[1], wanted));
            CHECK(near_to((double)same[1], wanted));
            CHECK(fabs((double)du[1] * (m - 1) - (ahead_u - wanted) / step) < 0.2);
            CHECK(fabs((double)dv[1] * (n - 1) - (ahead_v - wanted) / step) < 0.2);
        }
}

static void curves(struct geometry_log *g)
{
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 0.0, 2.0, 3, 3,
         FLOATS(0, 0, 0, 1, 2, 0, 2, 0, 0));
    CALL("glMap1d", "effiiF", GL_MAP1_COLOR_4, 0.0, 2.0, 4, 2,
         FLOATS(1, 0, 0, 1, 0, 0, 1, 1));
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalCoord1f", "f", 1.0); // nothing is enabled
    CALL("glEnd", "");
    g->context.state.evaluation.map1 = 1u << 7 | 1u;
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalCoord1f", "f", 1.0);
    CALL("glVertex2f", "ff", 5.0, 5.0); // the current colour is as it was
    CALL("glEvalCoord1fv", "F", FLOATS(2));
    CALL("glEnd", "");
    DRAWN("points (1 1 0; c 0.5 0 0.5 1) (5 5 0; c 1 1 1 1) (2 0 0; c 0 0 1 1)");
    CALL("glMapGrid1f", "iff", 2, 0.0, 2.0);
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalPoint1", "i", 1);
    CALL("glEnd", "");
    CALL("glEvalMesh1", "eii", GL_LINE, 0, 2);
    CALL("glEvalMesh1", "eii", GL_LINE, 1, INT32_MAX); // too many
    CALL("glEvalMesh1", "eii", GL_FILL, 0, 2);
    DRAWN("points [c 0.5 0 0.5 1] (1 1 0)"
          " | line strip (0 0 0; c 1 0 0 1) (1 1 0; c 0.5 0 0.5 1)"
          " (2 0 0; c 0 0 1 1)");
}

static void surfaces(struct geometry_log *g)
{
    // A square in the plane z = 1, v along y.
    CALL("glMap2f", "effiiffiiF", GL_MAP2_VERTEX_3, 0.0, 1.0, 6, 2, 0.0, 1.0, 3, 2,
         FLOATS(0, 0, 1, 0, 2, 1, 2, 0, 1, 2, 2, 1));
    g->context.state.evaluation.map2 = 1u << 7;
    CALL("glMapGrid2f", "iffiff", 1, 0.0, 1.0, 2, 0.0, 1.0);
    CALL("glEvalMesh2", "eiiii", GL_FILL, 0, 1, 0, 2);
    DRAWN("strip (0 0 1) (0 1 1) (2 0 1) (2 1 1) | strip (0 1 1) (0 2 1) (2 1 1) (2 2 "
          "1)");
    CALL("glEvalMesh2", "eiiii", GL_LINE, 0, 1, 0, 1);
    DRAWN("line strip (0 0 1) (2 0 1) | line strip (0 1 1) (2 1 1)"
          " | line strip (0 0 1) (0 1 1) | line strip (2 0 1) (2 1 1)");
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalCoord2f", "ff", 0.5, 0.25);
    CALL("glEvalCoord2dv", "F", FLOATS(0, 1));
    CALL("glEvalPoint2", "ii", 1, 1);
    CALL("glEnd", "");
    DRAWN("points (1 0.5 1) (0 2 1) (2 1 1)");
    g->context.state.evaluation.auto_normal = true;
    CALL("glNormal3f", "fff", 1.0, 0.0, 0.0);
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalCoord2f", "ff", 0.5, 0.5);
    CALL("glVertex2f", "ff", 5.0, 5.0);
    CALL("glEnd", "");
    DRAWN("points (1 1 1; n 0 0 1) (5 5 0; n 1 0 0)");
}

static void refused(struct geometry_log *g)
{
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 1.0, 1.0, 3, 1, FLOATS(1, 2, 3));
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 0.0, 1.0, 2, 1, FLOATS(1, 2, 3));
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 0.0, 1.0, 3, 31, FLOATS(1, 2, 3));
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 0.0, 1.0, 3, 0, FLOATS(1, 2, 3));
    CALL("glMapGrid1f", "iff", 0, 0.0, 1.0);
    g->context.state.evaluation.map1 = 1u << 7;
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalCoord1f", "f", 0.5);
    CALL("glEnd", "");
    DRAWN("points (0 0 0)"); // the initial point
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 0.0, 1.0, 1000000, 30, FLOATS(1, 2, 3));
    CALL("glBegin", "e", GL_POINTS);
    CALL("glEvalCoord1f", "f", 0.0);
    CALL("glEnd", "");
    DRAWN("points (1 2 3)"); // of the points that are missing nothing is read
}

static void listed(struct geometry_log *g)
{
    CALL("glMap1f", "effiiF", GL_MAP1_VERTEX_3, 0.0, 1.0, 3, 2,
         FLOATS(0, 0, 0, 4, 0, 0));
    g->context.state.evaluation.map1 = 1u << 7;
    CALL("glNewList", "ie", 1, GL_COMPILE);
    CALL("glBegin", "e", GL_LINES);
    CALL("glEvalCoord1f", "f", 0.25);
    CALL("glVertex2f", "ff", 9.0, 9.0);
    CALL("glEnd", "");
    CALL("glEndList", "");
    CALL("glCallList", "i", 1);
    DRAWN("lines/ (1 0 0) (9 9 0)");
}

static void rectangles(struct geometry_log *g)
{
    CALL("glRecti", "iiii", 0, 1, 2, 3);
    CALL("glRectfv", "FF", FLOATS(4, 5), FLOATS(6, 7));
    DRAWN("quads (0 1) (2 1) (2 3) (0 3) (4 5) (6 5) (6 7) (4 7)");
}

static void selection(struct geometry_log *g)
{
    CALL("glRenderMode", "e", GL_SELECT); // without a buffer
    CALL("glRecti", "iiii", 0, 0, 1, 1);
    DRAWN("quads (0 0) (1 0) (1 1) (0 1)");
    CALL("glSelectBuffer", "ip", 64, UINT64_C(0x1000));
    CALL("glRecti", "iiii", 0, 0, 1, 1); // before: drawn
    CALL("glRenderMode", "e", GL_SELECT);
    CHECK(g->context.no_pixels);
    CALL("glInitNames", "");
    CALL("glColor3f", "fff", 0.0, 0.0, 0.0);
    CALL("glRecti", "iiii", 0, 0, 1, 1);
    CALL("glRenderMode", "e", GL_RENDER);
    CALL("glRecti", "iiii", 2, 2, 3, 3);
    DRAWN("quads (0 0) (1 0) (1 1) (0 1) | quads [c 0 0 0 1] (2 2) (3 2) (3 3) (2 3)");
    CALL("glFeedbackBuffer", "iep", 64, GL_3D, UINT64_C(0x1000));
    CALL("glRenderMode", "e", GL_FEEDBACK);
    CALL("glPassThrough", "f", 1.0);
    CALL("glRecti", "iiii", 0, 0, 1, 1);
    CALL("glRenderMode", "e", GL_RENDER);
    DRAWN("");
}

int main(void)
{
    static geometry_test *const tests[] = {
        polynomials, curves, surfaces, refused, listed, rectangles, selection,
    };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
