// Along which diagonal quads are cut: what reaches out of the clip volume or behind a
// plane is cut as the stages cut that come first there.
#include "compiler/gl/draw/gl_clipped.h"
#include "tests/gl/fixed_scene.h"
#include "tests/test.h"

static struct gv_gl_context context;
static struct gv_gl_fixed_inputs in;

static void nothing(void)
{
}

static void plane(void)
{
    context.state.transform.clip_enabled = 2;
    memcpy(context.state.transform.clip_planes[1], (float[4]){ 1, 0, 0, 0 }, 16);
}

static void clamped(void)
{
    context.state.transform.depth_clamp = true;
}

static void moved(void)
{
    context.modelview.entries[0].m[12] = 0.75f;
}

static void stippled(void)
{
    context.state.polygon.stipple = true;
}

static void outlined(void)
{
    context.state.polygon.mode[1] = GL_LINE;
}

static const struct {
    const char *name;
    void (*set)(void);
    float last[4]; // vertex; the others are within
    bool clipped, first;
} cases[] = {
    { "within", nothing, { -0.5f, 0.5f, 0, 1 }, false, true },
    { "edge", nothing, { -1, 1, 1, 1 }, false, true },
    { "left", nothing, { -1.5f, 0.5f, 0, 1 }, true, false },
    { "far", nothing, { 0, 0, 1.5f, 1 }, true, false },
    { "far_but_clamped", clamped, { 0, 0, 1.5f, 1 }, false, true },
    { "behind_the_eye", nothing, { 0, 0, 0, -1 }, true, false },
    { "moved", moved, { 0.5f, 0, 0, 1 }, true, false },
    { "plane", plane, { -0.5f, 0, 0, 1 }, true, false },
    { "before_the_plane", plane, { 0.5f, 0, 0, 1 }, false, true },
    { "stippled", stippled, { 0, 0, 0, 1 }, false, false },
    { "outlined_backs", outlined, { 0, 0, 0, 1 }, false, false },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float vertices[16] = { 0, 0, 0, 1, 0.25f, 0, 0, 1, 0, 0.25f, 0, 1 };
        struct gv_gl_geometry g = { .mode = GL_QUADS,
                                    .vertex_count = 4,
                                    .slots[GV_GL_POSITION] = vertices,
                                    .strides[GV_GL_POSITION] = 4 };
        memcpy(vertices + 12, cases[i].last, 16);
        fixed_scene_init(&context, &in);
        cases[i].set();
        CHECK_ROW(cases[i].name, gv_gl_is_clipped(&context, &g) == cases[i].clipped);
        CHECK_ROW(cases[i].name,
                  gv_gl_first_diagonal(&context, &g, true) == cases[i].first);
        g.other_diagonal = true;
        CHECK_ROW(cases[i].name, !gv_gl_first_diagonal(&context, &g, true));
        CHECK_ROW(cases[i].name, !gv_gl_begun_first(&context, &g, true));
        g.mode = GL_QUAD_STRIP;
        CHECK_ROW(cases[i].name,
                  gv_gl_begun_first(&context, &g, true) == cases[i].first);
        g.mode = GL_QUADS;
        g.other_diagonal = false;
        context.state.lighting.provoking = GL_FIRST_VERTEX_CONVENTION;
        CHECK_ROW(cases[i].name, !gv_gl_first_diagonal(&context, &g, true));
    }
    return TEST_RESULT();
}
