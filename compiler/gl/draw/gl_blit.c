// glBlitFramebuffer.
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_drawing.h"

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
                                       uint32_t format)
{
    struct gv_builder *b = gv_lower_transfer(&gl->pass);
    if (h->format != format || h->width != like->width || h->height != like->height) {
        if (h->image.id)
            gv_emit(b, image_destroy, .image = h->image);
        *h =
            (struct gv_gl_held_image){ format, like->width, like->height, GV_NO_IMAGE };
        h->image = gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                           .format = h->format, .width = h->width, .height = h->height,
                           .depth = 1, .mips = 1, .layers = 1, .samples = 1,
                           .usage = GV_IMAGE_USAGE_COLOR_ATTACHMENT, .flags = 0);
    }
    struct gv_lower_attachment to = *like;
    to.image = h->image;
    to.format = format;
    to.mip = to.layer = 0;
    return to;
}

// All of an attachment with one sample a pixel.
static struct gv_lower_attachment resolved(struct gv_gl *gl,
                                           const struct gv_lower_attachment *from)
{
    const struct gv_lower_rectangle all = { .width = from->width,
                                            .height = from->height };
    struct gv_lower_attachment to =
        held(gl, &gl->drawing->resolved, from, from->format);
    gv_gl_resolve(gl, &to, &all, from, &all);
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

// ---- colours of one sample ----

static bool is_srgb(uint32_t format)
{
    return format == GV_FORMAT_R8G8B8A8_SRGB;
}

static bool is_plain(uint32_t format)
{
    return format == GV_FORMAT_R8G8B8A8_UNORM || is_srgb(format);
}

static struct blit of_whole(const struct gv_lower_attachment *a)
{
    const double width = a->width, height = a->height;
    return (struct blit){ .x = { 0, width, 0, width }, .y = { 0, height, 0, height } };
}

// Where sRGB is not to be decoded: between images of the same bits that are not it.
static void scale_undecoded(struct gv_gl *gl, const struct blit *b,
                            const struct gv_lower_attachment *from,
                            const struct gv_lower_attachment *to)
{
    const uint32_t plain = GV_FORMAT_R8G8B8A8_UNORM;
    struct gv_lower_attachment source = *from;
    if (is_srgb(from->format)) {
        const struct blit all = of_whole(from);
        source = held(gl, &gl->drawing->plain[0], from, plain);
        copy(gl, &all, from, &source, GV_ASPECT_COLOR);
    }
    if (!is_srgb(to->format)) {
        scale(gl, b, &source, to, GV_ASPECT_COLOR);
        return;
    }
    const struct gv_lower_attachment target =
        held(gl, &gl->drawing->plain[1], to, plain);
    scale(gl, b, &source, &target, GV_ASPECT_COLOR);
    const struct blit back = { .x = { b->x.d0, b->x.d1, b->x.d0, b->x.d1 },
                               .y = { b->y.d0, b->y.d1, b->y.d0, b->y.d1 } };
    copy(gl, &back, &target, to, GV_ASPECT_COLOR);
}

// Bits of sRGB stand for light where GL_FRAMEBUFFER_SRGB is on.
static void blit_color(struct gv_gl *gl, const struct blit *b,
                       const struct gv_lower_attachment *from,
                       const struct gv_lower_attachment *to)
{
    bool light = is_srgb(gv_gl_written_format(gl, GV_FORMAT_R8G8B8A8_SRGB));
    bool same_bits = from->format == to->format ||
                     (!light && is_plain(from->format) && is_plain(to->format));
    if (is_unscaled(b) && same_bits)
        copy(gl, b, from, to, GV_ASPECT_COLOR);
    else if (!light && (is_srgb(from->format) || is_srgb(to->format)))
        scale_undecoded(gl, b, from, to);
    else
        scale(gl, b, from, to, GV_ASPECT_COLOR);
}

// ---- one attachment to another ----

static bool is_one(const struct gv_lower_attachment *a,
                   const struct gv_lower_attachment *b)
{
    return a->image.id == b->image.id && a->mip == b->mip && a->layer == b->layer;
}

static void blit_colors(struct gv_gl *gl, const struct blit *b,
                        const struct gv_lower_attachment *from,
                        const struct gv_lower_attachment *to)
{
    struct gv_lower_attachment source = *from;
    if (!from->image.id || !to->image.id)
        return;
    if (b->from.samples > 1 && b->to.samples == 1) {
        if (is_copy(b, from, to)) {
            resolve(gl, b, from, to);
            return;
        }
        source = resolved(gl, from);
    } else if (b->from.samples != b->to.samples) {
        gv_gl_unsupported(gl, "glBlitFramebuffer(to several samples)");
        return;
    } else if (b->from.samples > 1 && (is_one(from, to) || !is_copy(b, from, to))) {
        gv_gl_unsupported(gl, "glBlitFramebuffer(several samples)");
        return;
    } else if (is_one(from, to)) {
        const struct blit all = of_whole(from);
        source = held(gl, &gl->drawing->resolved, from, from->format);
        copy(gl, &all, from, &source, GV_ASPECT_COLOR);
    }
    blit_color(gl, b, &source, to);
}

// What no device does in one step is told.
static void blit_plane(struct gv_gl *gl, const struct blit *b, uint32_t aspect)
{
    const struct gv_lower_attachment *from = &b->from.depth, *to = &b->to.lower.depth;
    if (!from->image.id || !to->image.id)
        return;
    if (b->from.samples != b->to.samples || is_one(from, to))
        gv_gl_unsupported(gl,
                          "glBlitFramebuffer(depth of several samples or one image)");
    else if (is_copy(b, from, to))
        copy(gl, b, from, to, aspect);
    else if (from->format == to->format && b->from.samples == 1)
        scale(gl, b, from, to, aspect);
    else
        gv_gl_unsupported(gl, "glBlitFramebuffer(formats of depth)");
}

// Integers and numbers between 0 and 1 do not become each other.
static uint32_t number_class(uint32_t format)
{
    const struct gv_format_info *f = gv_format_info(format);
    bool integers =
        f && (f->kind == GV_FORMAT_KIND_UINT || f->kind == GV_FORMAT_KIND_SINT);
    return integers ? f->kind : GV_FORMAT_KIND_UNORM;
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

static void blit_all(struct gv_gl *gl, const struct blit *b)
{
    uint32_t aspects = b->from.depth_aspects & b->to.lower.depth_aspects;
    if (b->from.depth_lost && b->to.lower.depth_aspects &&
        b->mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT))
        gv_gl_unsupported(gl, "glBlitFramebuffer(depth of several samples)");
    for (uint32_t i = 0; i < b->to.lower.color_count; i++) {
        struct gv_lower_attachment to = b->to.lower.colors[i];
        to.format = b->to.stored[i];
        if (b->mask & GL_COLOR_BUFFER_BIT)
            blit_colors(gl, b, &b->from.color, &to);
    }
    if (b->mask & GL_DEPTH_BUFFER_BIT && aspects & GV_ASPECT_DEPTH)
        blit_plane(gl, b, GV_ASPECT_DEPTH);
    if (b->mask & GL_STENCIL_BUFFER_BIT && aspects & GV_ASPECT_STENCIL)
        blit_plane(gl, b, GV_ASPECT_STENCIL);
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

static bool blit_framebuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    struct blit b = { .x = span(call, 0),
                      .y = span(call, 1),
                      .mask = gv_gl_uint(call, 8),
                      .filter = gv_gl_uint(call, 9) == GL_LINEAR ? GV_FILTER_LINEAR
                                                                 : GV_FILTER_NEAREST };
    gv_gl_surface_reach(gl, (int64_t)fmax(b.x.d0, b.x.d1),
                        (int64_t)fmax(b.y.d0, b.y.d1));
    if (b.mask &
        ~(uint32_t)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT))
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    if (b.filter == GV_FILTER_LINEAR && b.mask & ~(uint32_t)GL_COLOR_BUFFER_BIT)
        return gv_gl_reject(gl, GL_INVALID_OPERATION);
    if (!gv_gl_draw_targets(gl, &b.to, err) || !gv_gl_read_targets(gl, &b.from, err))
        return false;
    if (!b.to.complete || !b.from.complete)
        return gv_gl_reject(gl, GL_INVALID_FRAMEBUFFER_OPERATION);
    if (b.mask & GL_COLOR_BUFFER_BIT && !colors_fit(&b))
        return gv_gl_reject(gl, GL_INVALID_OPERATION);
    if (gv_gl_is_conditional(gl))
        return gv_gl_unsupported(gl, "glBlitFramebuffer where a query decides");
    if (gv_gl_may_render(gl) && cut(&gl->context->state.scissor, &b))
        blit_all(gl, &b);
    return !gv_builder_failed(gl->b, err);
}

const struct gv_gl_row gv_gl_blit_rows[] = {
    { "glBlitFramebuffer", blit_framebuffer, 0 },
    { NULL, NULL, 0 },
};
