// Matrices against products worked out by hand, and stacks.
#include <math.h>

#include "compiler/gl/base/gl_matrix.h"
#include "tests/gl/state_machine.h"
#include "tests/test.h"

static bool near_to(const float *got, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(got[i] - wanted[i]) <= 1e-5f))
            return false;
    return true;
}

static const float *top(struct state_machine *m)
{
    return gv_gl_top(&m->gl->context->modelview)->m;
}

struct row {
    const char *name, *kinds;
    double a[6];
    float wanted[16]; // column after column
};

// Each call on the identity.
static const struct row rows[] = {
    { "glTranslatef",
      "fff",
      { 2, 3, 4 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 3, 4, 1 } },
    { "glScaled",
      "fff",
      { 2, 3, 4 },
      { 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1 } },
    { "glRotatef",
      "ffff",
      { 90, 0, 0, 1 },
      { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
    { "glRotatef",
      "ffff",
      { 90, 0, 2, 0 },
      { 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1 } },
    { "glRotated",
      "ffff",
      { 90, -1, 0, 0 },
      { 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1 } },
    // A third of a turn about the diagonal takes x to y, y to z, z to x.
    { "glRotatef",
      "ffff",
      { 120, 1, 1, 1 },
      { 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1 } },
    { "glRotatef",
      "ffff",
      { 120, 0, 0, 0 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
    { "glOrtho",
      "ffffff",
      { 0, 320, 0, 240, -1, 1 },
      { 2 / 320.0f, 0, 0, 0, 0, 2 / 240.0f, 0, 0, 0, 0, -1, 0, -1, -1, 0, 1 } },
    { "glFrustum",
      "ffffff",
      { -1, 1, -2, 2, 1, 3 },
      { 1, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, -2, -1, 0, 0, -3, 0 } },
    // Refused: nothing changes.
    { "glFrustum",
      "ffffff",
      { -1, 1, -2, 2, -1, 3 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
    { "glFrustum",
      "ffffff",
      { -1, 1, -2, 2, 1, 0 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
    { "glOrthof",
      "ffffff",
      { 1, 1, -2, 2, -1, 3 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
    // In units of 1/65536.
    { "glTranslatex",
      "fff",
      { 65536, 32768, -65536 },
      { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0.5f, -1, 1 } },
};

static void check_rows(struct state_machine *m)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *r = &rows[i];
        run(m, "glLoadIdentity", "");
        run(m, r->name, r->kinds, r->a[0], r->a[1], r->a[2], r->a[3], r->a[4], r->a[5]);
        CHECK_ROW(r->name, near_to(top(m), r->wanted, 16));
    }
}

static const float counted[16] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
};

static void check_whole(struct state_machine *m)
{
    run(m, "glLoadMatrixf", "F", (size_t)16, counted);
    CHECK(memcmp(top(m), counted, sizeof(counted)) == 0);
    run(m, "glMultMatrixd", "F",
        FLOATS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1));
    CHECK(top(m)[12] == 14 && top(m)[13] == 16 && top(m)[0] == 1);
    run(m, "glLoadTransposeMatrixf", "F", (size_t)16, counted);
    CHECK(top(m)[1] == 5 && top(m)[4] == 2);
    run(m, "glLoadIdentity", "");
    run(m, "glMultTransposeMatrixf", "F", (size_t)16, counted);
    CHECK(top(m)[1] == 5 && top(m)[4] == 2);
    // Too few numbers: nothing.
    run(m, "glLoadMatrixf", "F", (size_t)15, counted);
    CHECK(top(m)[1] == 5);
}

static void check_inverse(void)
{
    struct gv_gl_matrix m = gv_gl_identity_matrix, inverse, product;
    const float axis[3] = { 1, 2, 3 }, by[3] = { 4, -5, 6 }, size[3] = { 2, 3, 0.5f };
    gv_gl_matrix_rotate(&m, 33, axis);
    gv_gl_matrix_translate(&m, by);
    gv_gl_matrix_scale(&m, size);
    CHECK(gv_gl_matrix_invert(&inverse, &m));
    gv_gl_matrix_multiply(&product, &m, &inverse);
    CHECK(near_to(product.m, gv_gl_identity_matrix.m, 16));
    // A plane through a point still holds that point where both are transformed.
    const float plane[4] = { 1, 1, 0, -3 }, point[4] = { 1, 2, 7, 1 };
    float p[4], q[4];
    gv_gl_transform_plane(p, &m, plane);
    gv_gl_transform_point(q, &m, point);
    CHECK(fabsf(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]) < 1e-4f);
    memset(&m, 0, sizeof(m));
    CHECK(!gv_gl_matrix_invert(&inverse, &m));
    CHECK(memcmp(&inverse, &gv_gl_identity_matrix, sizeof(inverse)) == 0);
}

static void check_stacks(struct state_machine *m)
{
    struct gv_gl_context *c = m->gl->context;
    run(m, "glMatrixMode", "e", GL_PROJECTION);
    run(m, "glTranslatef", "fff", 1.0, 0.0, 0.0);
    CHECK(c->projection.entries[0].m[12] == 1);
    run(m, "glMatrixMode", "e", GL_TEXTURE);
    run(m, "glActiveTexture", "e", GL_TEXTURE3);
    run(m, "glTranslatef", "fff", 2.0, 0.0, 0.0);
    CHECK(c->texture[3].entries[0].m[12] == 2 && c->texture[0].entries[0].m[12] == 0);
    run(m, "glActiveTexture", "e", GL_TEXTURE0 + GV_GL_IMAGE_UNITS); // none
    CHECK(c->state.texture.active == 3);
    for (int i = 0; i < 20; i++)
        run(m, "glPushMatrix", "");
    CHECK(c->texture[3].top == 9);
    for (int i = 0; i < 20; i++)
        run(m, "glPopMatrix", "");
    CHECK(c->texture[3].top == 0);
    run(m, "glMatrixMode", "e", GL_MODELVIEW);
    for (int i = 0; i < 40; i++)
        run(m, "glPushMatrix", "");
    CHECK(c->modelview.top == 31);
    CHECK(UNCHANGED(m, "glMatrixMode", "e", GL_LIGHT0));
    // By name, whatever the mode.
    run(m, "glMatrixLoadIdentityEXT", "e", GL_PROJECTION);
    run(m, "glMatrixTranslatefEXT", "efff", GL_PROJECTION, 5.0, 0.0, 0.0);
    CHECK(c->projection.entries[0].m[12] == 5);
    run(m, "glMatrixLoadfEXT", "eF", GL_TEXTURE1, (size_t)16, counted);
    CHECK(c->texture[1].entries[0].m[15] == 16);
}

int main(void)
{
    static struct state_machine m;
    state_machine_begin(&m);
    state_machine_context(&m);
    check_rows(&m);
    check_whole(&m);
    check_inverse();
    check_stacks(&m);
    state_machine_end(&m);
    return TEST_RESULT();
}
