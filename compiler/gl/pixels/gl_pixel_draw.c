#include "compiler/gl/pixels/gl_pixel_draw.h"

#include <math.h>
#include <string.h>

struct gv_gl_context *gv_gl_raster_context(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return NULL;
    if (gl->context->state.assembly[GV_GL_FRAGMENT_HALF] && !gl->context->program)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(FRAGMENT_ASSEMBLY));
    struct gv_gl_current *v = &c->state.current;
    memcpy(v->slots[GV_GL_COLOR], v->raster.color, sizeof v->raster.color);
    memcpy(v->slots[GV_GL_SECONDARY], v->raster.secondary, sizeof v->raster.secondary);
    memcpy(v->slots[GV_GL_TEXCOORD], v->raster.texcoord, sizeof v->raster.texcoord);
    v->slots[GV_GL_FOG_COORD][0] = v->raster.distance;
    c->state.fog.coordinate = GL_FOG_COORDINATE;
    return c;
}

// ---- texels ----

static struct gv_gl_sampled sampled(struct gv_builder *b,
                                    const struct gv_gl_texel_source *s)
{
    const struct gv_sampler_desc nearest = { .address_u = GV_ADDRESS_MODE_CLAMP_TO_EDGE,
                                             .address_v = GV_ADDRESS_MODE_CLAMP_TO_EDGE,
                                             .address_w =
                                                 GV_ADDRESS_MODE_CLAMP_TO_EDGE };
    return (struct gv_gl_sampled){
        .image = { .there = true,
                   .target = GV_GL_TARGET_2D,
                   .base_format = s->opaque ? GL_RGB : GL_RGBA,
                   .plane = s->plane,
                   .scale = { 1, 1 } },
        .texture = { .image = s->image,
                     .type = GV_VIEW_TYPE_2D,
                     .aspect = s->aspect ? s->aspect : (uint32_t)GV_ASPECT_COLOR,
                     .mips = 1,
                     .layers = 1,
                     .sampler = gv_builder_sampler(b, &nearest) },
    };
}

static void mask_colors(struct gv_gl_state *s)
{
    memset(s->color.mask, 0, sizeof s->color.mask);
}

// Planes are drawn in one colour without fog; stencil without all that could stop or
// colour fragments.
static void set_plane(struct gv_gl_state *s, const struct gv_gl_texel_source *from)
{
    const struct gv_gl_stencil_face replace = { .func = GL_ALWAYS,
                                                .fail = GL_REPLACE,
                                                .depth_fail = GL_REPLACE,
                                                .pass = GL_REPLACE,
                                                .reference = from->stencil_value,
                                                .value_mask = 0xFF,
                                                .write_mask = from->stencil_write };
    if (from->plane || from->stencil_write)
        s->fog.enabled = false;
    if (from->both) {
        s->depth.test = true;
        s->depth.func = GL_ALWAYS;
        s->stencil.test = s->color.alpha_test = false;
        mask_colors(s);
    }
    if (!from->stencil_write)
        return;
    s->multisample.alpha_to_coverage = s->multisample.coverage = false;
    mask_colors(s);
    s->color.alpha_test = s->depth.test = false;
    s->stencil.test = true;
    s->stencil.face[0] = s->stencil.face[1] = replace;
}

bool gv_gl_draw_texels(struct gv_gl *gl, const struct gv_gl_texel_source *s,
                       struct gv_error *err)
{
    float corners[6 * 4], coordinates[6 * 4];
    const struct gv_gl_state *state = &gl->context->state;
    const float *at = state->current.raster.position, *zoom = state->pixel.zoom;
    float left = roundf(at[0]) + (float)s->x * zoom[0];
    float bottom = roundf(at[1]) + (float)s->y * zoom[1];
    struct gv_gl_window_rectangle place = { left, bottom,
                                            left + (float)s->width * zoom[0],
                                            bottom + (float)s->height * zoom[1],
                                            at[2] };
    struct gv_gl_window_rectangle texels = { .x1 = 1, .y1 = 1 };
    if (s->downward)
        texels = (struct gv_gl_window_rectangle){ .x1 = 1, .y0 = 1 };
    struct gv_gl_context *c = gv_gl_raster_context(gl, err);
    if (!c)
        return !gv_builder_failed(gl->sink.b, err);
    gv_gl_window_corners(c, &place, corners);
    gv_gl_rectangle_corners(&texels, coordinates);
    struct gv_gl_geometry g = { .mode = GL_TRIANGLES,
                                .vertex_count = 6,
                                .slots[GV_GL_POSITION] = corners,
                                .strides[GV_GL_POSITION] = 4,
                                .sizes[GV_GL_POSITION] = 3,
                                .instances = 1 };
    g.slots[GV_GL_TEXCOORD] = coordinates;
    g.strides[GV_GL_TEXCOORD] = 4;
    g.sizes[GV_GL_TEXCOORD] = 2;
    c->state.fog.color_sum = false;
    set_plane(&c->state, s);
    const struct gv_gl_sampled image = sampled(gl->sink.b, s);
    return gv_gl_window_draw(gl, c, &g, &image, err);
}

// ---- rectangles ----

// Pixels whose centres are in [from, from + size * zoom), which may go down.
static bool cover(float from, float extent, int64_t low, int64_t high, int32_t *first,
                  uint32_t *count)
{
    float a = fminf(from, from + extent), b = fmaxf(from, from + extent);
    if (!(b > (float)low && a < (float)high))
        return false;
    int64_t begin = (int64_t)ceilf(fmaxf(a, (float)low) - 0.5f);
    int64_t end = (int64_t)ceilf(fminf(b, (float)high) - 0.5f);
    *first = (int32_t)begin;
    *count = end > begin ? (uint32_t)(end - begin) : 0;
    return *count != 0;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool gv_gl_zoom_rectangle(const struct gv_gl_context *c, const struct gv_gl_targets *t,
                          uint32_t width, uint32_t height, struct gv_gl_zoomed *out)
{
    const struct gv_gl_state *s = &c->state;
    const struct gv_gl_scissor *cut = &s->scissor;
    int64_t x0 = 0, y0 = 0, x1 = t->width, y1 = t->height;
    if (cut->enabled) {
        x0 = most(x0, cut->x);
        y0 = most(y0, cut->y);
        x1 = least(x1, (int64_t)cut->x + cut->width);
        y1 = least(y1, (int64_t)cut->y + cut->height);
    }
    out->left = roundf(s->current.raster.position[0]);
    out->bottom = roundf(s->current.raster.position[1]);
    memcpy(out->zoom, s->pixel.zoom, sizeof out->zoom);
    return x0 < x1 && y0 < y1 &&
           cover(out->left, (float)width * out->zoom[0], x0, x1, &out->x,
                 &out->columns) &&
           cover(out->bottom, (float)height * out->zoom[1], y0, y1, &out->y,
                 &out->rows);
}

static bool writes_colors(const struct gv_gl_state *s)
{
    static const bool none[GV_GL_DRAW_BUFFERS][4];
    return memcmp(s->color.mask, none, sizeof none) != 0;
}

bool gv_gl_stores_depth(const struct gv_gl_context *c, bool both)
{
    const struct gv_gl_state *s = &c->state;
    bool through = s->depth.test && s->depth.func == GL_ALWAYS && !s->stencil.test &&
                   !s->color.alpha_test;
    return s->depth.write && (both || (through && !writes_colors(s)));
}

bool gv_gl_ignores_depth(const struct gv_gl_context *c, bool both)
{
    const struct gv_gl_state *s = &c->state;
    if (both)
        return !s->depth.write;
    return !writes_colors(s) && !s->stencil.test && !(s->depth.test && s->depth.write);
}

bool gv_gl_draw_stencil(struct gv_gl *gl, const struct gv_gl_texel_source *s,
                        uint8_t mask, struct gv_error *err)
{
    struct gv_gl_texel_source part = *s;
    // All bits are cleared first, and then those set that are: a draw each.
    part.stencil_write = mask;
    if (mask && !gv_gl_draw_texels(gl, &part, err))
        return false;
    part.stencil_value = 0xFF;
    for (uint32_t bit = 0; bit < 8; bit++) {
        part.plane = (uint8_t)(GV_GL_PLANE_STENCIL + bit);
        part.stencil_write = (uint8_t)(mask & 1u << bit);
        if (part.stencil_write && !gv_gl_draw_texels(gl, &part, err))
            return false;
    }
    return true;
}
