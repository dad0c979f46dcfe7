// glDrawTex (OES_draw_texture): a rectangle of the window that shows a rectangle of the
// texture of each unit that is on.
#include "compiler/gl/draw/gl_window_draw.h"
#include "compiler/gl/texture/texture_object.h"

#define ONE 65536.0f // of fixed-point numbers

enum { CORNERS = 4 };

// What a unit shows: the crop rectangle of its texture, as coordinates.
static bool crop(struct gv_gl *gl, uint32_t unit, float out[CORNERS * 4],
                 struct gv_error *err)
{
    struct gv_gl_sampled s;
    const struct gv_gl_texture *t =
        gv_gl_texture_bound(gl->context, &gl->objects, unit, GV_GL_TARGET_2D);
    if (!gv_gl_texture_sampled(gl, unit, &s, err))
        return false;
    if (!t || !s.image.there || s.image.target != GV_GL_TARGET_2D)
        return true;
    const int32_t *c = t->params.crop;
    const float width = (float)s.size.width, height = (float)s.size.height;
    for (size_t i = 0; i < CORNERS; i++) {
        const bool right = i == 1 || i == 2, top = i > 1;
        out[4 * i] = ((float)c[0] + (right ? (float)c[2] : 0)) / width;
        out[4 * i + 1] = ((float)c[1] + (top ? (float)c[3] : 0)) / height;
    }
    return true;
}

static void place(const struct gv_gl_context *c, const float v[5],
                  float out[CORNERS * 4])
{
    const float width = c->state.viewport.width, height = c->state.viewport.height;
    const float z = v[2] < 0 ? 0 : v[2] > 1 ? 1 : v[2];
    for (size_t i = 0; i < CORNERS; i++) {
        const bool right = i == 1 || i == 2, top = i > 1;
        out[4 * i] = (v[0] + (right ? v[3] : 0)) / width * 2 - 1;
        out[4 * i + 1] = (v[1] + (top ? v[4] : 0)) / height * 2 - 1;
        out[4 * i + 2] = z * 2 - 1;
        out[4 * i + 3] = 1;
    }
}

// `v`: x, y, z, width, height in the window.
static bool draw(struct gv_gl *gl, const float v[5], struct gv_error *err)
{
    float corners[CORNERS * 4], coordinates[GV_GL_UNITS][CORNERS * 4] = { { 0 } };
    if (!(v[3] > 0 && v[4] > 0))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return !gv_builder_failed(gl->sink.b, err);
    struct gv_gl_geometry g = { .mode = GL_TRIANGLE_FAN,
                                .vertex_count = CORNERS,
                                .slots[GV_GL_POSITION] = corners,
                                .strides[GV_GL_POSITION] = 4,
                                .sizes[GV_GL_POSITION] = 3,
                                .instances = 1 };
    place(c, v, corners);
    for (uint32_t i = 0; i < GV_GL_UNITS; i++) {
        if (!crop(gl, i, coordinates[i], err))
            return false;
        g.slots[GV_GL_TEXCOORD + i] = coordinates[i];
        g.strides[GV_GL_TEXCOORD + i] = 4;
        g.sizes[GV_GL_TEXCOORD + i] = 2;
    }
    c->state.fog.enabled = false;
    return gv_gl_window_draw(gl, c, &g, NULL, err);
}

static bool numbers(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    float v[5];
    for (uint32_t i = 0; i < 5; i++)
        v[i] = gv_gl_float(call, i);
    return draw(gl, v, err);
}

static bool fixed(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct gv_error *err)
{
    float v[5];
    for (uint32_t i = 0; i < 5; i++)
        v[i] = gv_gl_float(call, i) / ONE;
    return draw(gl, v, err);
}

static bool array(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct gv_error *err)
{
    float v[5];
    gv_gl_floats(call, 0, v, 5);
    return draw(gl, v, err);
}

static bool fixed_array(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    float v[5];
    gv_gl_floats(call, 0, v, 5);
    for (uint32_t i = 0; i < 5; i++)
        v[i] /= ONE;
    return draw(gl, v, err);
}

const struct gv_gl_row gv_gl_draw_texture_rows[] = {
    { "glDrawTexi", numbers, 0 },
    { "glDrawTexs", numbers, 0 },
    { "glDrawTexf", numbers, 0 },
    { "glDrawTexx", fixed, 0 },
    { "glDrawTexiv", array, 0 },
    { "glDrawTexsv", array, 0 },
    { "glDrawTexfv", array, 0 },
    { "glDrawTexxv", fixed_array, 0 },
    { NULL, NULL, 0 },
};
