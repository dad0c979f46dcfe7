// What uniform blocks hold, worked out by hand, and matrices.
#include <math.h>

#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/fixed/fixed_values.h"
#include "tests/gl/fixed_scene.h"
#include "tests/test.h"

static struct gv_gl_context context;
static struct gv_gl_fixed_inputs in;

static bool near(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) < 1e-6f))
            return false;
    return true;
}

// ---- one member ----

static void moved_and_scaled(void)
{
    struct gv_gl_matrix *m = &context.modelview.entries[0];
    m->m[0] = m->m[5] = m->m[10] = 2;
    m->m[12] = 3;
    context.projection.entries[0].m[5] = -1;
}

static void lit(void)
{
    struct gv_gl_lighting *l = &context.state.lighting;
    l->enabled = l->lights[2].enabled = true;
    for (int i = 0; i < 4; i++) {
        l->model_ambient[i] = 0.5f;
        l->material[0].ambient[i] = 0.25f;
        l->material[0].emission[i] = 0.125f;
        l->material[0].diffuse[i] = 0.75f;
        l->lights[2].diffuse[i] = 0.5f;
    }
    memcpy(l->lights[2].position, (float[4]){ 0, 3, 4, 0 }, 16);
    l->lights[2].spot_exponent = 9;
}

// A light in eye coordinates, seen from an object that is turned by 90 degrees: x of
// the object is y of the eye.
static void turned(void)
{
    struct gv_gl_matrix *m = &context.modelview.entries[0];
    lit();
    m->m[0] = m->m[5] = 0;
    m->m[1] = 1;
    m->m[4] = -1;
}

static void positional(void)
{
    lit();
    memcpy(context.state.lighting.lights[2].position, (float[4]){ 2, 4, 6, 2 }, 16);
}

static void spot(void)
{
    lit();
    context.state.lighting.lights[2].spot_cutoff = 60;
    memcpy(context.state.lighting.lights[2].spot_direction, (float[3]){ 0, 0, -2 }, 12);
}

static void foggy(void)
{
    context.state.fog.start = 2;
    context.state.fog.end = 6;
    context.state.fog.density = 2;
}

static void clipped(void)
{
    memcpy(context.state.transform.clip_planes[1], (float[4]){ 1, 2, 3, 4 }, 16);
    context.projection.entries[0].m[0] = 2;
}

static void colored(void)
{
    memcpy(context.state.current.slots[GV_GL_COLOR], (float[4]){ 2, -1, 0.5f, 1 }, 16);
}

static void pointed(void)
{
    context.state.point.size = 300;
    context.state.point.min = 3;
    context.state.point.max = 200;
}

static const struct {
    const char *name;
    void (*set)(void);
    enum gv_fixed_source source;
    uint32_t index;
    bool fragment;
    int count;
    float want[16];
} members[] = {
    { "mvp",
      moved_and_scaled,
      GV_FIXED_MVP,
      0,
      false,
      16,
      { 2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 2, 0, 3, 0, 0, 1 } },
    { "normals",
      moved_and_scaled,
      GV_FIXED_NORMAL_ROWS,
      0,
      false,
      12,
      { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0 } },
    { "rescale", moved_and_scaled, GV_FIXED_NORMAL_SCALE, 0, false, 1, { 0.5f } },
    { "scene", lit, GV_FIXED_SCENE_COLOR, 0, false, 4, { 0.25f, 0.25f, 0.25f, 0.75f } },
    { "product",
      lit,
      GV_FIXED_FRONT_DIFFUSE,
      2,
      false,
      4,
      { 0.375f, 0.375f, 0.375f, 0.75f } },
    { "direction", lit, GV_FIXED_LIGHT_DIRECTION, 2, false, 3, { 0, 0.6f, 0.8f } },
    { "direction_in_object_space",
      turned,
      GV_FIXED_LIGHT_DIRECTION,
      2,
      false,
      3,
      { 0.6f, 0, 0.8f } },
    { "half", lit, GV_FIXED_LIGHT_HALF, 2, false, 3, { 0, 0.31622777f, 0.94868330f } },
    { "position", positional, GV_FIXED_LIGHT_POSITION, 2, false, 3, { 1, 2, 3 } },
    { "attenuation", lit, GV_FIXED_LIGHT_ATTENUATION, 2, false, 4, { 1, 0, 0, 9 } },
    { "spot", spot, GV_FIXED_LIGHT_SPOT, 2, false, 4, { 0, 0, -1, 0.5f } },
    { "plane", clipped, GV_FIXED_CLIP_PLANE, 1, false, 4, { 0.5f, 2, 3, 4 } },
    { "point", pointed, GV_FIXED_POINT_SIZE, 0, false, 4, { 300, 3, 200, 200 } },
    { "color_of_vertices",
      colored,
      GV_FIXED_CURRENT,
      GV_GL_COLOR,
      false,
      4,
      { 2, -1, 0.5f, 1 } },
    { "color_of_fragments",
      colored,
      GV_FIXED_CURRENT,
      GV_GL_COLOR,
      true,
      4,
      { 1, 0, 0.5f, 1 } },
    { "fog",
      foggy,
      GV_FIXED_FOG_PARAMETERS,
      0,
      true,
      4,
      { -0.25f, 1.5f, 2.885390f, 2.402245f } },
    { "target", foggy, GV_FIXED_TARGET, 0, true, 1, { 100 } },
};

static void member(size_t i)
{
    struct gv_fixed_block b = { .fragment = members[i].fragment };
    float rows[64];
    fixed_scene_init(&context, &in);
    members[i].set();
    gv_fixed_use(&b, members[i].source, members[i].index);
    gv_fixed_use(&b, members[i].source, members[i].index);
    CHECK_ROW(members[i].name, b.count == 1);
    gv_fixed_values(&b, &in, (uint8_t *)rows);
    CHECK_ROW(members[i].name, near(rows, members[i].want, members[i].count));
}

// Members follow each other in 16 bytes, in the order in which they were asked for.
static void layout(void)
{
    struct gv_fixed_block b = { .fragment = true };
    uint8_t bytes[16 * 10];
    struct gv_bytes text = { 0 };
    fixed_scene_init(&context, &in);
    context.state.polygon.pattern[5] = 0x12345678;
    context.state.color.alpha_reference = 0.5f;
    gv_fixed_use(&b, GV_FIXED_ALPHA_REFERENCE, 0);
    gv_fixed_use(&b, GV_FIXED_STIPPLE, 0);
    gv_fixed_use(&b, GV_FIXED_CURRENT, GV_GL_TEXCOORD + 3);
    CHECK(b.rows == 10);
    gv_fixed_values(&b, &in, bytes);
    float reference;
    uint32_t row;
    memcpy(&reference, bytes, 4);
    memcpy(&row, bytes + 16 + 5 * 4, 4);
    CHECK(reference == 0.5f && row == 0x12345678);
    gv_fixed_block_declare(&b, 1, &text);
    gv_bytes_u8(&text, 0);
    CHECK(strcmp((char *)text.data,
                 "layout(set = 1, binding = 0, std140) uniform State {\n"
                 "    vec4 alpha_reference;\n"
                 "    uvec4 stipple[8];\n"
                 "    vec4 texcoord3;\n"
                 "};\n") == 0);
    gv_bytes_finish(&text);
}

// ---- matrices ----

static const struct {
    const char *name;
    float m[16];
    bool keeps_lengths;
} matrices[] = {
    { "identity", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, true },
    { "moved", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1 }, true },
    { "turned", { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1 }, true },
    { "scaled", { 0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1 }, false },
    { "stretched", { 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1 }, false },
    { "mirrored", { 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, false },
    { "sheared", { 1, 0, 0, 0, 1, 1, 0, 0, 0, 2, 1, 0, 0, 1, 0, 1 }, false },
    { "perspective", { 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, -3, -1, 0, 0, -4, 0 }, false },
    { "pivots", { 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 1 }, false },
};

static void matrix(size_t i)
{
    struct gv_gl_matrix m, inverse, product;
    memcpy(m.m, matrices[i].m, sizeof m.m);
    bool found = gv_gl_matrix_invert(&inverse, &m);
    gv_gl_matrix_multiply(&product, &m, &inverse);
    CHECK_ROW(matrices[i].name, found && near(product.m, gv_gl_identity_matrix.m, 16));
    CHECK_ROW(matrices[i].name,
              gv_gl_matrix_keeps_lengths(&m) == matrices[i].keeps_lengths);
}

static void singular(void)
{
    struct gv_gl_matrix m = gv_gl_identity_matrix, inverse;
    m.m[5] = 0;
    CHECK(!gv_gl_matrix_invert(&inverse, &m));
    m.m[3] = 1;
    CHECK(!gv_gl_matrix_invert(&inverse, &m));
    CHECK(near(inverse.m, gv_gl_identity_matrix.m, 16));
}

int main(void)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        member(i);
    layout();
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        matrix(i);
    singular();
    return TEST_RESULT();
}
