// glClear and glClearBuffer: as the beginning of a pass where it is whole, as a
// rectangle where it is scissored, as a draw where masks leave parts of texels.
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_accum.h"
#include "compiler/gl/draw/gl_window_draw.h"

#include <string.h>

#include "vm/formats.h"

// ---- what is cleared ----

enum amount { NOTHING, PART, ALL }; // of a texel

static enum amount color_amount(const struct gv_gl_color *c,
                                const struct gv_lower_targets *t)
{
    uint32_t on = 0, count = 0;
    for (uint32_t i = 0; i < t->color_count; i++)
        for (uint32_t k = 0; k < 4 && t->colors[i].image.id; k++) {
            // An alpha that is always 1 needs no writing.
            on += c->mask[i][k] || (k == 3 && t->colors[i].opaque);
            count++;
        }
    return on == 0 ? NOTHING : on == count ? ALL : PART;
}

static enum amount stencil_amount(const struct gv_gl_stencil *s)
{
    uint32_t mask = s->face[0].write_mask & 0xFF;
    return mask == 0 ? NOTHING : mask == 0xFF ? ALL : PART;
}

#define EVERY UINT32_MAX

struct clearing {
    struct gv_gl_targets targets;
    uint32_t only; // this draw buffer; EVERY: all
    // GL_FLOAT, GL_INT, GL_UNSIGNED_INT: what the colour's words are
    uint32_t type, color[4];
    double depth;
    int32_t stencil;
    struct gv_lower_clear clear;
    struct gv_lower_rectangle part;
    bool whole; // no part
    bool masked_color, masked_stencil;
};

static void find_aspects(const struct gv_gl_state *s, uint32_t bits, struct clearing *x)
{
    const struct gv_lower_targets *t = &x->targets.lower;
    uint32_t has = t->depth_aspects;
    enum amount color =
        bits & GL_COLOR_BUFFER_BIT ? color_amount(&s->color, t) : NOTHING;
    enum amount stencil = bits & GL_STENCIL_BUFFER_BIT && has & GV_ASPECT_STENCIL
                              ? stencil_amount(&s->stencil)
                              : NOTHING;
    if (color == ALL)
        x->clear.aspects |= GV_ASPECT_COLOR;
    if (stencil == ALL)
        x->clear.aspects |= GV_ASPECT_STENCIL;
    if (bits & GL_DEPTH_BUFFER_BIT && s->depth.write && has & GV_ASPECT_DEPTH)
        x->clear.aspects |= GV_ASPECT_DEPTH;
    x->masked_color = color == PART;
    x->masked_stencil = stencil == PART;
    memcpy(x->clear.color, x->color, sizeof x->clear.color);
    x->clear.depth = (float)(x->depth > 0 ? x->depth : 0);
    x->clear.depth = x->clear.depth < 1 ? x->clear.depth : 1;
    x->clear.stencil = (uint32_t)x->stencil & 0xFF;
}

// ---- parts of texels ----

static void write_stencil(struct gv_gl_state *s, int32_t value)
{
    memset(s->color.mask, 0, sizeof s->color.mask);
    s->stencil.test = true;
    for (uint32_t i = 0; i < 2; i++) {
        s->stencil.face[i].write_mask = s->stencil.face[0].write_mask;
        s->stencil.face[i].func = GL_ALWAYS;
        s->stencil.face[i].reference = value & 0xFF;
        s->stencil.face[i].fail = s->stencil.face[i].depth_fail =
            s->stencil.face[i].pass = GL_REPLACE;
    }
}

// Integers are the texel of an image.
static struct gv_gl_sampled integers(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                                     const struct clearing *x)
{
    const bool is_signed = x->type == GL_INT;
    const struct gv_sampler_desc nearest = { .compare_enable = false };
    const struct gv_gl_held_image wanted = {
        .format = is_signed ? GV_FORMAT_R32G32B32A32_SINT : GV_FORMAT_R32G32B32A32_UINT,
        .width = 1,
        .height = 1,
        .layers = 1,
        .samples = 1
    };
    uint8_t words[sizeof x->color];
    memcpy(words, x->color, sizeof words);
    const struct gv_image image = gv_gl_hold(&sink->pass, &d->cleared_to, &wanted);
    gv_emit(gv_lower_transfer(&sink->pass), image_upload, .image = image,
            .aspect = GV_ASPECT_COLOR, .mip = 0, .layer = 0, .layers = 1, .x = 0,
            .y = 0, .z = 0, .width = 1, .height = 1, .depth = 1, .row_bytes = 0,
            .rows = 0, .data = gv_data(words), .size = sizeof words);
    return (struct gv_gl_sampled){
        .image = { .there = true,
                   .target = GV_GL_TARGET_2D,
                   .base_format = GL_RGBA,
                   .fetch = GV_GL_FETCH_TEXEL,
                   .integers = (char)(is_signed ? 'i' : 'u'),
                   .scale = { 1, 1 } },
        .texture = { .image = image,
                     .type = GV_VIEW_TYPE_2D,
                     .aspect = GV_ASPECT_COLOR,
                     .mips = 1,
                     .layers = 1,
                     .sampler = gv_builder_sampler(sink->b, &nearest) },
    };
}

static bool clear_by_draw(struct gv_gl *gl, const struct clearing *x, bool stencil,
                          struct gv_error *err)
{
    static const float first[4] = { 0, 0, 0, 1 };
    float corners[6 * 4];
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return false;
    gv_gl_window_strip(c);
    memcpy(c->state.current.slots[GV_GL_COLOR], x->color, sizeof x->color);
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        if (x->only != EVERY && x->only != i)
            memset(c->state.color.mask[i], 0, sizeof c->state.color.mask[i]);
    if (stencil)
        write_stencil(&c->state, x->stencil);
    // Drivers leave open which samples of a pixel a scissor cuts: it is the rectangle.
    const struct gv_lower_rectangle *part = &x->part;
    const uint32_t low =
        x->targets.flipped ? x->targets.height - part->y - part->height : part->y;
    c->state.scissor.enabled = false;
    gv_gl_window_corners(
        c,
        &(struct gv_gl_window_rectangle){ .x0 = (float)part->x,
                                          .y0 = (float)low,
                                          .x1 = (float)(part->x + part->width),
                                          .y1 = (float)(low + part->height) },
        corners);
    const struct gv_gl_geometry g = { .mode = GL_TRIANGLES,
                                      .vertex_count = 6,
                                      .slots[GV_GL_POSITION] = corners,
                                      .strides[GV_GL_POSITION] = 4,
                                      .sizes[GV_GL_POSITION] = 4,
                                      .instances = 1 };
    if (stencil || x->type == GL_FLOAT)
        return gv_gl_window_draw(gl, c, &g, NULL, err);
    memcpy(c->state.current.slots[GV_GL_TEXCOORD], first, sizeof first);
    const struct gv_gl_sampled value = integers(gl->drawing, &gl->sink, x);
    return gv_gl_window_draw(gl, c, &g, &value, err);
}

static void choose_layer(struct gv_gl_attachment *a, uint32_t layer)
{
    if (!a->whole)
        return;
    a->whole = false;
    a->layer = layer;
}

// Of all layers that are attached, one by one.
static bool clear_layers(struct gv_gl *gl, const struct clearing *x, bool stencil,
                         struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    struct gv_gl_framebuffer *whole = c->draw_framebuffer;
    const uint32_t layers = x->targets.lower.layers;
    bool ok = true;
    if (layers <= 1)
        return clear_by_draw(gl, x, stencil, err);
    for (uint32_t layer = 0; ok && layer < layers; layer++) {
        struct gv_gl_framebuffer one = *whole;
        for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
            choose_layer(&one.colors[i], layer);
        choose_layer(&one.depth, layer);
        choose_layer(&one.stencil, layer);
        c->draw_framebuffer = &one;
        ok = clear_by_draw(gl, x, stencil, err);
    }
    c->draw_framebuffer = whole;
    return ok;
}

// ---- calls ----

// A pass on one of several colours.
static void leave_one(struct gv_lower_targets *t, uint32_t only)
{
    struct gv_lower_attachment one = t->colors[only];
    memset(t, 0, sizeof *t);
    t->colors[only] = one;
    gv_lower_targets_fit(t);
}

static uint32_t fitted(uint32_t value, uint32_t bits, bool is_signed)
{
    if (!is_signed)
        return value >> bits ? (1u << bits) - 1 : value;
    const int64_t most = (INT64_C(1) << (bits - 1)) - 1, given = (int32_t)value;
    return (uint32_t)(given > most ? most : given < -most - 1 ? -most - 1 : given);
}

// Integers that components do not hold become the nearest that they do, as with Mesa;
// Vulkan leaves open what devices make of them.
static void fit_integers(struct clearing *x, uint32_t format)
{
    const struct gv_format_info *f = gv_format_info(format);
    for (uint32_t i = 0; f && x->type != GL_FLOAT && i < 4; i++) {
        const char *at = strchr(f->components, "RGBA"[i]);
        const uint32_t bits = at ? f->bits[at - f->components] : 0;
        if (bits && bits < 32)
            x->color[i] = fitted(x->color[i], bits, x->type == GL_INT);
    }
}

static bool clear_bits(struct gv_gl *gl, struct clearing *x, uint32_t bits,
                       struct gv_error *err)
{
    if (!gv_gl_draw_targets(gl, &x->targets, err))
        return false;
    if (!x->targets.complete)
        return gv_gl_reject(&gl->sink, GL_INVALID_FRAMEBUFFER_OPERATION);
    if (gl->context->discards || !gv_gl_may_render(gl->context) ||
        !gv_gl_scissored(gl->context, &x->targets, &x->part))
        return true;
    if (x->only != EVERY) {
        leave_one(&x->targets.lower, x->only);
        fit_integers(x, x->targets.lower.colors[x->only].format);
    }
    x->whole = x->part.width == x->targets.width && x->part.height == x->targets.height;
    find_aspects(&gl->context->state, bits, x);
    if (x->clear.aspects)
        gv_lower_pass_clear(&gl->sink.pass, &x->targets.lower, &x->clear,
                            x->whole && !gv_gl_is_conditional(gl->context) ? NULL
                                                                           : &x->part);
    return (!x->masked_color || clear_layers(gl, x, false, err)) &&
           (!x->masked_stencil || clear_layers(gl, x, true, err)) &&
           (!(bits & GL_ACCUM_BUFFER_BIT) || gv_gl_accum_clear(gl, &x->part, err)) &&
           !gv_builder_failed(gl->sink.b, err);
}

static bool clear(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct gv_error *err)
{
    const struct gv_gl_state *s = &gl->context->state;
    uint32_t bits = gv_gl_uint(call, 0);
    struct clearing x = { .only = EVERY,
                          .type = GL_FLOAT,
                          .depth = s->depth.clear,
                          .stencil = s->stencil.clear };
    if (bits & ~(uint32_t)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
                           GL_STENCIL_BUFFER_BIT | GL_ACCUM_BUFFER_BIT))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    memcpy(x.color, s->color.clear, sizeof x.color);
    return clear_bits(gl, &x, bits, err);
}

static bool clear_color_buffer(struct gv_gl *gl, const struct gv_trace_call *call,
                               uint32_t type, struct gv_error *err)
{
    struct clearing x = { .only = gv_gl_uint(call, 1), .type = type };
    const struct gv_trace_value *v = gv_trace_argument(call, 2);
    if (x.only >= GV_GL_DRAW_BUFFERS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; i < 4; i++) {
        const struct gv_trace_value *item = gv_trace_item(v, i);
        const float number = (float)gv_trace_real(item);
        x.color[i] = (uint32_t)gv_trace_sint(item);
        if (type == GL_FLOAT)
            memcpy(&x.color[i], &number, 4);
    }
    // The several buffers of one name in windows are cleared alike.
    if (!gl->context->draw_framebuffer && gl->context->draw_buffer_count == 1 &&
        x.only == 0)
        x.only = EVERY;
    return clear_bits(gl, &x, GL_COLOR_BUFFER_BIT, err);
}

static bool clear_buffer_fv(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    struct clearing x = { .only = EVERY,
                          .type = GL_FLOAT,
                          .depth = gv_trace_real(
                              gv_trace_item(gv_trace_argument(call, 2), 0)) };
    switch (gv_gl_uint(call, 0)) {
    case GL_COLOR:
        return clear_color_buffer(gl, call, GL_FLOAT, err);
    case GL_DEPTH:
        if (gv_gl_uint(call, 1) != 0)
            return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
        return clear_bits(gl, &x, GL_DEPTH_BUFFER_BIT, err);
    default:
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    }
}

static bool clear_buffer_iv(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    struct clearing x = { .only = EVERY,
                          .type = GL_FLOAT,
                          .stencil = (int32_t)gv_trace_sint(
                              gv_trace_item(gv_trace_argument(call, 2), 0)) };
    switch (gv_gl_uint(call, 0)) {
    case GL_COLOR:
        return clear_color_buffer(gl, call, GL_INT, err);
    case GL_STENCIL:
        if (gv_gl_uint(call, 1) != 0)
            return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
        return clear_bits(gl, &x, GL_STENCIL_BUFFER_BIT, err);
    default:
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    }
}

static bool clear_buffer_uiv(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    if (gv_gl_uint(call, 0) != GL_COLOR)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return clear_color_buffer(gl, call, GL_UNSIGNED_INT, err);
}

static bool clear_buffer_fi(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    struct clearing x = { .only = EVERY,
                          .type = GL_FLOAT,
                          .depth = gv_trace_real(gv_trace_argument(call, 2)),
                          .stencil = gv_gl_int(call, 3) };
    if (gv_gl_uint(call, 0) != GL_DEPTH_STENCIL)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (gv_gl_uint(call, 1) != 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return clear_bits(gl, &x, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, err);
}

const struct gv_gl_row gv_gl_clear_rows[] = {
    { "glClear", clear, GV_GL_LISTED },
    { "glClearBufferfv", clear_buffer_fv, GV_GL_LISTED },
    { "glClearBufferiv", clear_buffer_iv, GV_GL_LISTED },
    { "glClearBufferuiv", clear_buffer_uiv, GV_GL_LISTED },
    { "glClearBufferfi", clear_buffer_fi, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
