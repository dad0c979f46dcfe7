// glBlitFramebuffer.
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_blit_draw.h"

#include <stdlib.h>

#include "vm/formats.h"

// ---- one direction of a blit ----

static void turn(struct gv_gl_blit_span *x)
{
    const struct gv_gl_blit_span was = *x;
    if (x->d0 > x->d1)
        *x = (struct gv_gl_blit_span){ was.s1, was.s0, was.d1, was.d0 };
}

// Where the source is cut when of `size` texels of the target's side `cut` are. To the
// nearest texel, by Mesa's sums; `*between` if it would be none.
static int64_t cut_off(int64_t cut, int64_t size, int64_t source, bool *between)
{
    const float part = (float)cut / (float)size * (float)source;
    const uint64_t texels = (uint64_t)llabs(source) * (uint64_t)cut;
    *between = *between || texels % (uint64_t)size != 0;
    return (int64_t)(part + (source < 0 ? -0.5f : 0.5f));
}

// Cuts the target's side, which has a part in [low, high), to that.
static void cut_target(struct gv_gl_blit_span *x, int64_t low, int64_t high,
                       bool *between)
{
    if (x->d0 == x->d1)
        return;
    if (x->d1 > high) {
        x->s1 = (int32_t)(x->s0 + cut_off(high - x->d0, (int64_t)x->d1 - x->d0,
                                          (int64_t)x->s1 - x->s0, between));
        x->d1 = (int32_t)high;
    }
    if (x->d0 < low) {
        x->s0 = (int32_t)(x->s0 + cut_off(low - x->d0, (int64_t)x->d1 - x->d0,
                                          (int64_t)x->s1 - x->s0, between));
        x->d0 = (int32_t)low;
    }
}

static void cut_source(struct gv_gl_blit_span *x, int64_t limit, bool *between)
{
    struct gv_gl_blit_span other = { x->d0, x->d1, x->s0, x->s1 };
    turn(&other);
    cut_target(&other, 0, limit, between);
    *x = (struct gv_gl_blit_span){ other.d0, other.d1, other.s0, other.s1 };
    turn(x);
}

// Whether [a, b) or [b, a) has a part in [low, high).
static bool reaches(int32_t a, int32_t b, int64_t low, int64_t high)
{
    return a != b && (a < high || b < high) && (a > low || b > low);
}

// A row far below the image lies no further above it than numbers reach.
static int32_t flip(int32_t y, uint32_t height, bool flipped)
{
    const int64_t turned = (int64_t)height - y;
    if (!flipped)
        return y;
    return turned < INT32_MAX ? (int32_t)turned : INT32_MAX;
}

// ---- the blit ----

struct blit {
    struct gv_gl_blit_span x, y; // in rows of the images, cut to scissor and images
    // The same uncut, where the cut goes between texels: scaling goes by these.
    struct gv_gl_blit_span whole_x, whole_y;
    bool between;
    uint32_t mask;
    enum gv_of_FILTER filter;
    struct gv_gl_read_source from;
    struct gv_gl_targets to;
};

static bool is_unscaled(const struct blit *b)
{
    return b->x.s1 - b->x.s0 == b->x.d1 - b->x.d0 &&
           b->y.s1 - b->y.s0 == b->y.d1 - b->y.d0 && !b->between;
}

static bool is_copy(const struct blit *b, const struct gv_lower_attachment *from,
                    const struct gv_lower_attachment *to)
{
    return is_unscaled(b) && gv_lower_made(from) == gv_lower_made(to);
}

static struct gv_lower_rectangle rectangle(int32_t x, int32_t y, const struct blit *b)
{
    return (struct gv_lower_rectangle){ (uint32_t)x, (uint32_t)y,
                                        (uint32_t)(b->x.d1 - b->x.d0),
                                        (uint32_t)(b->y.d1 - b->y.d0) };
}

// What is written.
static struct gv_lower_rectangle written(const struct blit *b)
{
    return rectangle(b->x.d0, b->y.d0, b);
}

static void copy(struct gv_lower_pass *pass, const struct blit *b,
                 const struct gv_lower_attachment *from,
                 const struct gv_lower_attachment *to, uint32_t aspect)
{
    gv_gl_copy_texels(
        pass, &(struct gv_gl_texel_copy){ .from = from,
                                          .to = to,
                                          .part = rectangle(b->x.s0, b->y.s0, b),
                                          .x = (uint32_t)b->x.d0,
                                          .y = (uint32_t)b->y.d0,
                                          .aspects = aspect });
}

static void resolve(struct gv_lower_pass *pass, const struct blit *b,
                    const struct gv_lower_attachment *from,
                    const struct gv_lower_attachment *to)
{
    const struct gv_lower_rectangle at = written(b),
                                    part = rectangle(b->x.s0, b->y.s0, b);
    gv_gl_resolve(pass, to, &at, from, &part);
}

// Between flat images.
static void scale(struct gv_lower_pass *pass, const struct blit *b,
                  const struct gv_lower_attachment *from,
                  const struct gv_lower_attachment *to, uint32_t aspect)
{
    bool nearest = aspect != GV_ASPECT_COLOR;
    gv_emit(gv_lower_transfer(pass), image_blit, .dst = to->image, .dst_mip = to->mip,
            .dst_layer = to->layer, .dst_x0 = b->x.d0, .dst_y0 = b->y.d0, .dst_z0 = 0,
            .dst_x1 = b->x.d1, .dst_y1 = b->y.d1, .dst_z1 = 1, .src = from->image,
            .src_mip = from->mip, .src_layer = from->layer, .src_x0 = b->x.s0,
            .src_y0 = b->y.s0, .src_z0 = 0, .src_x1 = b->x.s1, .src_y1 = b->y.s1,
            .src_z1 = 1, .layers = 1, .aspect = aspect,
            .filter = nearest ? GV_FILTER_NEAREST : b->filter);
}

// What no copy does, to targets of several samples as many or from one, to others with
// a scale of the whole.
static bool draw(struct gv_gl *gl, const struct blit *b,
                 const struct gv_gl_drawn_blit *how, struct gv_error *err)
{
    struct gv_gl_drawn_blit x = *how;
    x.scaled = b->between;
    x.linear = x.scaled && b->filter == GV_FILTER_LINEAR;
    x.x = x.scaled ? b->whole_x : b->x;
    x.y = x.scaled ? b->whole_y : b->y;
    x.cut = written(b);
    x.flipped = b->to.flipped;
    return gv_gl_blit_by_draw(gl, &x, err);
}

// ---- colours ----

// What colours are seen as: sRGB stands for light where GL_FRAMEBUFFER_SRGB is on, and
// is its bits elsewhere.
struct views {
    uint32_t from, to; // GV_FORMAT_*
    uint32_t buffer;   // the draw buffer
};

// All of an attachment with one sample a pixel, averaged as what it is seen as.
static struct gv_lower_attachment resolved(struct gv_gl_drawing *d,
                                           struct gv_lower_pass *pass, uint32_t samples,
                                           const struct gv_lower_attachment *from,
                                           uint32_t view)
{
    const struct gv_lower_rectangle all = { .width = from->width,
                                            .height = from->height };
    struct gv_lower_attachment source = *from;
    if (gv_lower_made(from) != view)
        source = gv_gl_held_copy(pass, &d->plain[0], from, view, samples);
    const struct gv_lower_attachment to =
        gv_gl_held_like(pass, &d->resolved, from, view, 1);
    gv_gl_resolve(pass, &to, &all, &source, &all);
    return to;
}

// Whether blits and resolves of the device see an attachment so. Not every driver finds
// slices of 3D images in them.
static bool is_seen_as(const struct gv_lower_attachment *a, uint32_t view)
{
    return gv_lower_made(a) == view && !a->volume;
}

// Between images that are what is seen.
static void scale_seen(struct gv_gl *gl, const struct blit *b, const struct views *v,
                       const struct gv_lower_attachment *from,
                       const struct gv_lower_attachment *to)
{
    struct gv_lower_attachment source = *from;
    if (!is_seen_as(from, v->from))
        source =
            gv_gl_held_copy(&gl->sink.pass, &gl->drawing->plain[0], from, v->from, 1);
    if (is_seen_as(to, v->to)) {
        scale(&gl->sink.pass, b, &source, to, GV_ASPECT_COLOR);
        return;
    }
    const struct gv_lower_attachment target =
        gv_gl_held_like(&gl->sink.pass, &gl->drawing->plain[1], to, v->to, 1);
    scale(&gl->sink.pass, b, &source, &target, GV_ASPECT_COLOR);
    gv_gl_copy_texels(&gl->sink.pass,
                      &(struct gv_gl_texel_copy){ .from = &target,
                                                  .to = to,
                                                  .part = written(b),
                                                  .x = (uint32_t)b->x.d0,
                                                  .y = (uint32_t)b->y.d0,
                                                  .aspects = GV_ASPECT_COLOR });
}

static bool draw_color(struct gv_gl *gl, const struct blit *b, const struct views *v,
                       const struct gv_lower_attachment *from, uint32_t samples,
                       struct gv_error *err)
{
    const struct gv_gl_drawn_blit x = {
        .from = from,
        .format = v->from,
        .samples = samples,
        .aspect = GV_ASPECT_COLOR,
        .buffer = v->buffer,
    };
    return draw(gl, b, &x, err);
}

// Of one sample.
static bool blit_color(struct gv_gl *gl, const struct blit *b, const struct views *v,
                       const struct gv_lower_attachment *from,
                       const struct gv_lower_attachment *to, struct gv_error *err)
{
    if (b->between)
        return draw_color(gl, b, v, from, 1, err);
    if (is_unscaled(b) && v->from == v->to)
        copy(&gl->sink.pass, b, from, to, GV_ASPECT_COLOR);
    else
        scale_seen(gl, b, v, from, to);
    return true;
}

// ---- one attachment to another ----

// Integers and numbers between 0 and 1 do not become each other.
static uint32_t number_class(uint32_t format)
{
    const struct gv_format_info *f = gv_format_info(format);
    bool integers =
        f && (f->kind == GV_FORMAT_KIND_UINT || f->kind == GV_FORMAT_KIND_SINT);
    return integers ? f->kind : GV_FORMAT_KIND_UNORM;
}

static bool is_one(const struct gv_lower_attachment *a,
                   const struct gv_lower_attachment *b)
{
    return a->image.id == b->image.id && a->mip == b->mip && a->layer == b->layer;
}

static bool blit_colors(struct gv_gl *gl, const struct blit *b, uint32_t buffer,
                        struct gv_error *err)
{
    const struct gv_lower_attachment *from = &b->from.color,
                                     *to = &b->to.lower.colors[buffer];
    struct gv_lower_attachment source = *from;
    const struct views v = { b->from.seen, to->format, buffer };
    if (!from->image.id || !to->image.id)
        return true;
    const bool copies = is_copy(b, from, to) && v.from == v.to;
    if (b->from.samples > 1 && b->to.samples == 1) {
        if (copies && gv_lower_made(from) == v.from && !to->volume && !to->line) {
            resolve(&gl->sink.pass, b, from, to);
            return true;
        }
        source = resolved(gl->drawing, &gl->sink.pass, b->from.samples, from, v.from);
    } else if (b->to.samples > 1 &&
               (b->from.samples == 1 || is_one(from, to) || !copies)) {
        return draw_color(gl, b, &v, from, b->from.samples, err);
    } else if (is_one(from, to)) {
        source = gv_gl_held_copy(&gl->sink.pass, &gl->drawing->resolved, from,
                                 from->format, 1);
    }
    return blit_color(gl, b, &v, &source, to, err);
}

// To one sample. `alone`: the target has another plane, which stays.
static bool copy_plane(struct gv_gl *gl, const struct blit *b, uint32_t aspect,
                       bool alone, struct gv_error *err)
{
    const struct gv_lower_attachment *to = &b->to.lower.depth;
    struct gv_lower_attachment from = b->from.depth, at = *to;
    struct blit x = *b;
    // Devices that blit no depth copy it.
    const bool turned = x.y.s0 > x.y.s1;
    const struct gv_gl_plain_depth wanted = { b->from.depth_samples, to->format,
                                              turned };
    if (!gv_gl_plain_depth(gl->drawing, &gl->sink, &from, &wanted, err))
        return false;
    if (turned) {
        x.y.s0 = flip(x.y.s0, from.height, true);
        x.y.s1 = flip(x.y.s1, from.height, true);
    }
    if (is_one(&from, to))
        from = gv_gl_held_copy(&gl->sink.pass, &gl->drawing->resolved, &from,
                               from.format, 1);
    if (alone)
        at = gv_gl_held_like(&gl->sink.pass, &gl->drawing->plain[1], to, to->format, 1);
    if (is_copy(&x, &from, &at))
        copy(&gl->sink.pass, &x, &from, &at, aspect);
    else
        scale(&gl->sink.pass, &x, &from, &at, aspect);
    const struct gv_lower_rectangle part = written(&x);
    if (alone)
        gv_gl_move_plane(&gl->sink.pass, &at, to, &part, aspect);
    return true;
}

// One of `aspects`.
static bool blit_plane(struct gv_gl *gl, const struct blit *b, uint32_t aspect,
                       uint32_t aspects, struct gv_error *err)
{
    const struct gv_lower_attachment *from = &b->from.depth, *to = &b->to.lower.depth;
    const bool alone = gv_gl_format_aspects(to->format) != aspects;
    if (!(aspects & aspect) || !from->image.id || !to->image.id)
        return true;
    if (b->to.samples == 1 && !b->between)
        return copy_plane(gl, b, aspect, alone, err);
    if (!alone && !is_one(from, to) && b->from.depth_samples == b->to.samples &&
        is_copy(b, from, to)) {
        copy(&gl->sink.pass, b, from, to, aspect);
        return true;
    }
    const struct gv_gl_drawn_blit x = { .from = from,
                                        .format = from->format,
                                        .samples = b->from.depth_samples,
                                        .aspect = aspect };
    return draw(gl, b, &x, err);
}

static bool colors_fit(const struct blit *b)
{
    for (uint32_t i = 0; i < b->to.lower.color_count; i++)
        if (b->from.color.image.id && b->to.lower.colors[i].image.id &&
            number_class(b->from.color.format) !=
                number_class(b->to.lower.colors[i].format))
            return false;
    return true;
}

// Depths that are no others' bits do not become each other.
static bool depths_fit(const struct blit *b)
{
    const struct gv_lower_attachment *from = &b->from.depth, *to = &b->to.lower.depth;
    return !from->image.id || !to->image.id ||
           gv_gl_plane_encoding(from->format, GV_ASPECT_DEPTH) ==
               gv_gl_plane_encoding(to->format, GV_ASPECT_DEPTH);
}

static bool blit_all(struct gv_gl *gl, const struct blit *b, struct gv_error *err)
{
    const uint32_t asked =
        (b->mask & GL_DEPTH_BUFFER_BIT ? (uint32_t)GV_ASPECT_DEPTH : 0) |
        (b->mask & GL_STENCIL_BUFFER_BIT ? (uint32_t)GV_ASPECT_STENCIL : 0);
    const uint32_t aspects = asked & b->from.depth_aspects & b->to.lower.depth_aspects;
    bool ok = true;
    for (uint32_t i = 0; ok && i < b->to.lower.color_count; i++)
        if (b->mask & GL_COLOR_BUFFER_BIT)
            ok = blit_colors(gl, b, i, err);
    return ok && blit_plane(gl, b, GV_ASPECT_DEPTH, aspects, err) &&
           blit_plane(gl, b, GV_ASPECT_STENCIL, aspects, err) &&
           !gv_builder_failed(gl->sink.b, err);
}

// In rows of the images.
static void flip_rows(const struct blit *b, struct gv_gl_blit_span *y)
{
    y->s0 = flip(y->s0, b->from.height, b->from.flipped);
    y->s1 = flip(y->s1, b->from.height, b->from.flipped);
    y->d0 = flip(y->d0, b->to.height, b->to.flipped);
    y->d1 = flip(y->d1, b->to.height, b->to.flipped);
    turn(y);
}

// Along one side of so many pixels of the target and texels of the source.
static bool cut_side(struct blit *b, struct gv_gl_blit_span *x, int64_t low,
                     int64_t high, uint32_t texels)
{
    if (!reaches(x->d0, x->d1, low, high) || !reaches(x->s0, x->s1, 0, texels))
        return false;
    turn(x);
    cut_target(x, low, high, &b->between);
    // Less than half a texel may be left, and what is left may be beyond the source.
    if (x->s0 != x->s1 && !reaches(x->s0, x->s1, 0, texels))
        return false;
    cut_source(x, texels, &b->between);
    return x->d0 != x->d1;
}

// Cuts to scissor, target and source. False: nothing is left.
static bool cut(const struct gv_gl_scissor *s, struct blit *b)
{
    int64_t left = 0, low = 0, right = b->to.width, high = b->to.height;
    if (s->enabled) {
        left = left > s->x ? left : s->x;
        low = low > s->y ? low : s->y;
        right = right < (int64_t)s->x + s->width ? right : (int64_t)s->x + s->width;
        high = high < (int64_t)s->y + s->height ? high : (int64_t)s->y + s->height;
    }
    b->whole_x = b->x;
    b->whole_y = b->y;
    turn(&b->whole_x);
    if (left >= right || low >= high ||
        !cut_side(b, &b->x, left, right, b->from.width) ||
        !cut_side(b, &b->y, low, high, b->from.height))
        return false;
    flip_rows(b, &b->y);
    flip_rows(b, &b->whole_y);
    return true;
}

static struct gv_gl_blit_span span(const struct gv_trace_call *call, uint32_t first)
{
    return (struct gv_gl_blit_span){ gv_gl_int(call, first), gv_gl_int(call, first + 2),
                                     gv_gl_int(call, first + 4),
                                     gv_gl_int(call, first + 6) };
}

static bool is_of_one_size(const struct gv_gl_blit_span *x)
{
    return llabs((int64_t)x->s1 - x->s0) == llabs((int64_t)x->d1 - x->d0);
}

static uint32_t linear(uint32_t format)
{
    return format == GV_FORMAT_R8G8B8A8_SRGB ? GV_FORMAT_R8G8B8A8_UNORM : format;
}

// GLES resolves to the same format, whether as sRGB or not, and to the same place.
static bool resolves_in_es(const struct blit *b)
{
    const struct gv_lower_attachment *from = &b->from.color;
    const bool moved = b->x.s0 != b->x.d0 || b->x.s1 != b->x.d1 || b->y.s0 != b->y.d0 ||
                       b->y.s1 != b->y.d1;
    bool same = true;
    for (uint32_t i = 0; b->mask & GL_COLOR_BUFFER_BIT && i < GV_GL_DRAW_BUFFERS; i++) {
        const struct gv_lower_attachment *to = &b->to.lower.colors[i];
        if (to->image.id)
            same = same && to->opaque == from->opaque &&
                   linear(to->format) == linear(from->format);
    }
    return same && !moved;
}

// Whether GL blits so: with several samples nothing is scaled but what is resolved by
// filters of its own, and in GLES nothing goes to several.
static bool is_legal(const struct gv_gl_context *c, const struct blit *b,
                     uint32_t filter)
{
    const bool several = b->from.depth_samples > 1 || b->from.samples > 1;
    const bool plain = filter == GL_NEAREST || filter == GL_LINEAR;
    const bool same = is_of_one_size(&b->x) && is_of_one_size(&b->y);
    if (b->to.samples > 1 && (c->family == GV_GL_ES || !plain))
        return false;
    if (several && c->family == GV_GL_ES)
        return resolves_in_es(b);
    return same || !plain || (!several && b->to.samples <= 1);
}

static uint32_t error_of(const struct gv_gl_context *c, const struct blit *b,
                         uint32_t filter)
{
    const uint32_t planes = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if (b->mask & ~(planes | GL_COLOR_BUFFER_BIT))
        return GL_INVALID_VALUE;
    if (!b->to.complete || !b->from.complete)
        return GL_INVALID_FRAMEBUFFER_OPERATION;
    if ((b->filter == GV_FILTER_LINEAR && b->mask & planes) ||
        (b->mask & GL_COLOR_BUFFER_BIT && !colors_fit(b)) ||
        (b->mask & GL_DEPTH_BUFFER_BIT && !depths_fit(b)) || !is_legal(c, b, filter))
        return GL_INVALID_OPERATION;
    return GL_NO_ERROR;
}

static bool blit_framebuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    const uint32_t filter = gv_gl_uint(call, 9);
    struct blit b = { .x = span(call, 0),
                      .y = span(call, 1),
                      .mask = gv_gl_uint(call, 8),
                      // Filters of scaled resolves are linear, of what was resolved.
                      .filter =
                          filter == GL_NEAREST ? GV_FILTER_NEAREST : GV_FILTER_LINEAR };
    gv_gl_surface_reach(gl->context, b.x.d0 > b.x.d1 ? b.x.d0 : b.x.d1,
                        b.y.d0 > b.y.d1 ? b.y.d0 : b.y.d1);
    if (!gv_gl_draw_targets(gl, &b.to, err) || !gv_gl_read_targets(gl, &b.from, err))
        return false;
    const uint32_t error = error_of(gl->context, &b, filter);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (gv_gl_is_conditional(gl->context))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(BLIT_CONDITION));
    if (b.to.samples > 1 && b.from.several.image.id) { // of a window
        b.from.color = b.from.several;
        b.from.samples = b.from.depth_samples;
    }
    return !gv_gl_may_render(gl->context) || !cut(&gl->context->state.scissor, &b) ||
           blit_all(gl, &b, err);
}

const struct gv_gl_row gv_gl_blit_rows[] = {
    { "glBlitFramebuffer", blit_framebuffer, 0 },
    { NULL, NULL, 0 },
};
