// glBlitFramebuffer.
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_blit_draw.h"

#include <math.h>

#include "vm/formats.h"

// ---- one direction of a blit ----

// From [s0, s1) to [d0, d1), either of which may run down. Cut to [0, limits) of source
// and target, each end alike.
struct span {
    double s0, s1, d0, d1;
};

static void turn(struct span *x)
{
    const struct span was = *x;
    if (x->d0 > x->d1)
        *x = (struct span){ was.s1, was.s0, was.d1, was.d0 };
}

// Cuts the target's side to [low, high).
static bool cut_target(struct span *x, double low, double high)
{
    double scale = x->d1 > x->d0 ? (x->s1 - x->s0) / (x->d1 - x->d0) : 0;
    if (x->d0 < low) {
        x->s0 += (low - x->d0) * scale;
        x->d0 = low;
    }
    if (x->d1 > high) {
        x->s1 -= (x->d1 - high) * scale;
        x->d1 = high;
    }
    return x->d0 < x->d1;
}

static bool cut_source(struct span *x, double limit)
{
    struct span other = { x->d0, x->d1, x->s0, x->s1 };
    turn(&other);
    bool there = cut_target(&other, 0, limit);
    *x = (struct span){ other.d0, other.d1, other.s0, other.s1 };
    turn(x);
    return there && x->d0 < x->d1;
}

static double flip(double y, uint32_t height, bool flipped)
{
    return flipped ? (double)height - y : y;
}

// ---- the blit ----

struct blit {
    struct span x, y; // in rows of the images
    uint32_t mask;
    enum gv_of_FILTER filter;
    struct gv_gl_read_source from;
    struct gv_gl_targets to;
};

static int32_t whole(double v)
{
    return (int32_t)lround(v);
}

static bool is_unscaled(const struct blit *b)
{
    return b->x.s1 - b->x.s0 == b->x.d1 - b->x.d0 &&
           b->y.s1 - b->y.s0 == b->y.d1 - b->y.d0;
}

static bool is_copy(const struct blit *b, const struct gv_lower_attachment *from,
                    const struct gv_lower_attachment *to)
{
    return is_unscaled(b) && from->format == to->format;
}

static void copy(struct gv_gl *gl, const struct blit *b,
                 const struct gv_lower_attachment *from,
                 const struct gv_lower_attachment *to, uint32_t aspect)
{
    gv_emit(gv_lower_transfer(&gl->pass), image_copy, .dst = to->image,
            .dst_aspect = aspect, .dst_mip = to->mip, .dst_layer = to->layer,
            .dst_x = (uint32_t)whole(b->x.d0), .dst_y = (uint32_t)whole(b->y.d0),
            .dst_z = 0, .src = from->image, .src_aspect = aspect, .src_mip = from->mip,
            .src_layer = from->layer, .src_x = (uint32_t)whole(b->x.s0),
            .src_y = (uint32_t)whole(b->y.s0), .src_z = 0,
            .width = (uint32_t)whole(b->x.d1 - b->x.d0),
            .height = (uint32_t)whole(b->y.d1 - b->y.d0), .depth = 1, .layers = 1);
}

static void resolve(struct gv_gl *gl, const struct blit *b,
                    const struct gv_lower_attachment *from,
                    const struct gv_lower_attachment *to)
{
    const uint32_t width = (uint32_t)whole(b->x.d1 - b->x.d0),
                   height = (uint32_t)whole(b->y.d1 - b->y.d0);
    const struct gv_lower_rectangle at = { (uint32_t)whole(b->x.d0),
                                           (uint32_t)whole(b->y.d0), width, height };
    const struct gv_lower_rectangle part = { (uint32_t)whole(b->x.s0),
                                             (uint32_t)whole(b->y.s0), width, height };
    gv_gl_resolve(gl, to, &at, from, &part);
}

// An image of the size of an attachment that is kept for the next.
static struct gv_lower_attachment held(struct gv_gl *gl, struct gv_gl_held_image *h,
                                       const struct gv_lower_attachment *like,
                                       const struct gv_gl_held_image *wanted)
{
    struct gv_gl_held_image image = *wanted;
    struct gv_lower_attachment to = *like;
    image.width = like->width;
    image.height = like->height;
    image.layers = 1;
    to.image = gv_gl_hold(gl, h, &image);
    to.format = wanted->format;
    to.mip = to.layer = 0;
    return to;
}

static void scale(struct gv_gl *gl, const struct blit *b,
                  const struct gv_lower_attachment *from,
                  const struct gv_lower_attachment *to, uint32_t aspect)
{
    bool nearest = aspect != GV_ASPECT_COLOR;
    gv_emit(gv_lower_transfer(&gl->pass), image_blit, .dst = to->image,
            .dst_mip = to->mip, .dst_layer = to->layer, .dst_x0 = whole(b->x.d0),
            .dst_y0 = whole(b->y.d0), .dst_z0 = 0, .dst_x1 = whole(b->x.d1),
            .dst_y1 = whole(b->y.d1), .dst_z1 = 1, .src = from->image,
            .src_mip = from->mip, .src_layer = from->layer, .src_x0 = whole(b->x.s0),
            .src_y0 = whole(b->y.s0), .src_z0 = 0, .src_x1 = whole(b->x.s1),
            .src_y1 = whole(b->y.s1), .src_z1 = 1, .layers = 1, .aspect = aspect,
            .filter = nearest ? GV_FILTER_NEAREST : b->filter);
}

// ---- colours ----

static bool is_plain(uint32_t format)
{
    return format == GV_FORMAT_R8G8B8A8_UNORM || format == GV_FORMAT_R8G8B8A8_SRGB;
}

// What colours are seen as: sRGB stands for light where GL_FRAMEBUFFER_SRGB is on, and
// is its bits elsewhere.
struct views {
    uint32_t from, to; // GV_FORMAT_*
};

static struct blit of_whole(const struct gv_lower_attachment *a)
{
    const double width = a->width, height = a->height;
    return (struct blit){ .x = { 0, width, 0, width }, .y = { 0, height, 0, height } };
}

// All of an attachment in an image of its own.
static struct gv_lower_attachment copied(struct gv_gl *gl, struct gv_gl_held_image *h,
                                         const struct gv_lower_attachment *from,
                                         uint32_t format, uint32_t samples)
{
    const struct blit all = of_whole(from);
    const struct gv_lower_attachment to =
        held(gl, h, from,
             &(struct gv_gl_held_image){ .format = format, .samples = samples });
    const uint32_t aspects = gv_gl_format_aspects(format);
    for (uint32_t bit = GV_ASPECT_COLOR; bit <= GV_ASPECT_STENCIL; bit <<= 1)
        if (aspects & bit)
            copy(gl, &all, from, &to, bit);
    return to;
}

// All of an attachment with one sample a pixel, averaged as what it is seen as.
static struct gv_lower_attachment resolved(struct gv_gl *gl, uint32_t samples,
                                           const struct gv_lower_attachment *from,
                                           uint32_t view)
{
    const struct gv_lower_rectangle all = { .width = from->width,
                                            .height = from->height };
    struct gv_lower_attachment source = *from;
    if (from->format != view)
        source = copied(gl, &gl->drawing->plain[0], from, view, samples);
    const struct gv_lower_attachment to =
        held(gl, &gl->drawing->resolved, from,
             &(struct gv_gl_held_image){ .format = view, .samples = 1 });
    gv_gl_resolve(gl, &to, &all, &source, &all);
    return to;
}

// Between images that are what is seen.
static void scale_seen(struct gv_gl *gl, const struct blit *b, const struct views *v,
                       const struct gv_lower_attachment *from,
                       const struct gv_lower_attachment *to)
{
    struct gv_lower_attachment source = *from;
    if (from->format != v->from)
        source = copied(gl, &gl->drawing->plain[0], from, v->from, 1);
    if (to->format == v->to) {
        scale(gl, b, &source, to, GV_ASPECT_COLOR);
        return;
    }
    const struct gv_lower_attachment target =
        held(gl, &gl->drawing->plain[1], to,
             &(struct gv_gl_held_image){ .format = v->to, .samples = 1 });
    scale(gl, b, &source, &target, GV_ASPECT_COLOR);
    const struct blit back = { .x = { b->x.d0, b->x.d1, b->x.d0, b->x.d1 },
                               .y = { b->y.d0, b->y.d1, b->y.d0, b->y.d1 } };
    copy(gl, &back, &target, to, GV_ASPECT_COLOR);
}

// Of one sample.
static void blit_color(struct gv_gl *gl, const struct blit *b, const struct views *v,
                       const struct gv_lower_attachment *from,
                       const struct gv_lower_attachment *to)
{
    const bool same_bits =
        from->format == to->format || (is_plain(from->format) && is_plain(to->format));
    if (is_unscaled(b) && same_bits && v->from == v->to)
        copy(gl, b, from, to, GV_ASPECT_COLOR);
    else
        scale_seen(gl, b, v, from, to);
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

// What no copy does, of `from` with so many samples, to targets of several.
static bool draw(struct gv_gl *gl, const struct blit *b,
                 const struct gv_gl_drawn_blit *how, struct gv_error *err)
{
    struct gv_gl_drawn_blit x = *how;
    const double left = fmin(b->x.s0, b->x.s1), low = fmin(b->y.s0, b->y.s1);
    x.part = (struct gv_lower_rectangle){ (uint32_t)whole(left), (uint32_t)whole(low),
                                          (uint32_t)whole(b->x.d1 - b->x.d0),
                                          (uint32_t)whole(b->y.d1 - b->y.d0) };
    x.turned_x = b->x.s0 > b->x.s1;
    x.turned_y = b->y.s0 > b->y.s1;
    x.x = (uint32_t)whole(b->x.d0);
    x.y = (uint32_t)whole(b->y.d0);
    x.flipped = b->to.flipped;
    return gv_gl_blit_by_draw(gl, &x, err);
}

static bool draw_color(struct gv_gl *gl, const struct blit *b, uint32_t buffer,
                       uint32_t view, struct gv_error *err)
{
    const struct gv_gl_drawn_blit x = {
        .from = &b->from.color,
        .format = view,
        .samples = b->from.samples,
        .aspect = GV_ASPECT_COLOR,
        .buffer = buffer,
    };
    return draw(gl, b, &x, err);
}

static bool blit_colors(struct gv_gl *gl, const struct blit *b, uint32_t buffer,
                        struct gv_error *err)
{
    const struct gv_lower_attachment *from = &b->from.color;
    struct gv_lower_attachment to = b->to.lower.colors[buffer], source = *from;
    const struct views v = { b->from.seen, to.format };
    to.format = b->to.stored[buffer];
    if (!from->image.id || !to.image.id)
        return true;
    const bool copies = is_copy(b, from, &to) && v.from == v.to;
    if (b->from.samples > 1 && b->to.samples == 1) {
        if (copies && from->format == v.from) {
            resolve(gl, b, from, &to);
            return true;
        }
        source = resolved(gl, b->from.samples, from, v.from);
    } else if (b->to.samples > 1 &&
               (b->from.samples == 1 || is_one(from, &to) || !copies)) {
        return draw_color(gl, b, buffer, v.from, err);
    } else if (is_one(from, &to)) {
        source = copied(gl, &gl->drawing->resolved, from, from->format, 1);
    }
    blit_color(gl, b, &v, &source, &to);
    return true;
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
    if (!gv_gl_plain_depth(gl, &from, &wanted, err))
        return false;
    if (turned) {
        x.y.s0 = from.height - x.y.s0;
        x.y.s1 = from.height - x.y.s1;
    }
    if (is_one(&from, to))
        from = copied(gl, &gl->drawing->resolved, &from, from.format, 1);
    if (alone)
        at = held(gl, &gl->drawing->plain[1], to,
                  &(struct gv_gl_held_image){ .format = to->format, .samples = 1 });
    if (is_copy(&x, &from, &at))
        copy(gl, &x, &from, &at, aspect);
    else
        scale(gl, &x, &from, &at, aspect);
    const struct gv_lower_rectangle part = { (uint32_t)whole(x.x.d0),
                                             (uint32_t)whole(x.y.d0),
                                             (uint32_t)whole(x.x.d1 - x.x.d0),
                                             (uint32_t)whole(x.y.d1 - x.y.d0) };
    if (alone)
        gv_gl_move_plane(gl, &at, to, &part, aspect);
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
    if (b->to.samples == 1)
        return copy_plane(gl, b, aspect, alone, err);
    if (!alone && !is_one(from, to) && b->from.depth_samples == b->to.samples &&
        is_copy(b, from, to)) {
        copy(gl, b, from, to, aspect);
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
           !gv_builder_failed(gl->b, err);
}

// Cuts to scissor, target and source; then rows are those of the images.
static bool cut(const struct gv_gl_scissor *s, struct blit *b)
{
    turn(&b->x);
    turn(&b->y);
    if (s->enabled && (!cut_target(&b->x, s->x, (double)s->x + s->width) ||
                       !cut_target(&b->y, s->y, (double)s->y + s->height)))
        return false;
    if (!cut_target(&b->x, 0, b->to.width) || !cut_target(&b->y, 0, b->to.height) ||
        !cut_source(&b->x, b->from.width) || !cut_source(&b->y, b->from.height))
        return false;
    b->y.s0 = flip(b->y.s0, b->from.height, b->from.flipped);
    b->y.s1 = flip(b->y.s1, b->from.height, b->from.flipped);
    b->y.d0 = flip(b->y.d0, b->to.height, b->to.flipped);
    b->y.d1 = flip(b->y.d1, b->to.height, b->to.flipped);
    turn(&b->y);
    return whole(b->x.d0) != whole(b->x.d1) && whole(b->y.d0) != whole(b->y.d1) &&
           whole(b->x.s0) != whole(b->x.s1) && whole(b->y.s0) != whole(b->y.s1);
}

static struct span span(const struct gv_trace_call *call, uint32_t first)
{
    return (struct span){ gv_gl_int(call, first), gv_gl_int(call, first + 2),
                          gv_gl_int(call, first + 4), gv_gl_int(call, first + 6) };
}

// Whether GL blits so: with several samples nothing is scaled but what is resolved by
// filters of its own, and in GLES nothing goes to several.
static bool is_legal(const struct gv_gl *gl, const struct blit *b, uint32_t filter)
{
    const bool several = b->from.depth_samples > 1 || b->from.samples > 1;
    const bool plain = filter == GL_NEAREST || filter == GL_LINEAR;
    const bool same = fabs(b->x.s1 - b->x.s0) == fabs(b->x.d1 - b->x.d0) &&
                      fabs(b->y.s1 - b->y.s0) == fabs(b->y.d1 - b->y.d0);
    if (b->to.samples > 1 && (gl->context->family == GV_GL_ES || !plain))
        return false;
    return same || !plain || (!several && b->to.samples <= 1);
}

static uint32_t error_of(const struct gv_gl *gl, const struct blit *b, uint32_t filter)
{
    const uint32_t planes = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if (b->mask & ~(planes | GL_COLOR_BUFFER_BIT))
        return GL_INVALID_VALUE;
    if (!b->to.complete || !b->from.complete)
        return GL_INVALID_FRAMEBUFFER_OPERATION;
    if ((b->filter == GV_FILTER_LINEAR && b->mask & planes) ||
        (b->mask & GL_COLOR_BUFFER_BIT && !colors_fit(b)) ||
        (b->mask & GL_DEPTH_BUFFER_BIT && !depths_fit(b)) || !is_legal(gl, b, filter))
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
                      .filter =
                          filter == GL_LINEAR ? GV_FILTER_LINEAR : GV_FILTER_NEAREST };
    gv_gl_surface_reach(gl, (int64_t)fmax(b.x.d0, b.x.d1),
                        (int64_t)fmax(b.y.d0, b.y.d1));
    if (!gv_gl_draw_targets(gl, &b.to, err) || !gv_gl_read_targets(gl, &b.from, err))
        return false;
    const uint32_t error = error_of(gl, &b, filter);
    if (error)
        return gv_gl_reject(gl, error);
    if (gv_gl_is_conditional(gl))
        return gv_gl_unsupported(gl, "glBlitFramebuffer where a query decides");
    if (b.to.samples > 1 && b.from.several.image.id) { // of a window
        b.from.color = b.from.several;
        b.from.samples = b.from.depth_samples;
    }
    return !gv_gl_may_render(gl) || !cut(&gl->context->state.scissor, &b) ||
           blit_all(gl, &b, err);
}

const struct gv_gl_row gv_gl_blit_rows[] = {
    { "glBlitFramebuffer", blit_framebuffer, 0 },
    { NULL, NULL, 0 },
};
