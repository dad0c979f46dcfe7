// Images of the window system's surfaces: made when first needed, grown with their
// content; what a swap shows.
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/draw/gl_drawing.h"

#include <string.h>

#include "compiler/compiler.h"
#include "vm/formats.h"

#define COLOR_FORMAT GV_FORMAT_R8G8B8A8_UNORM

uint32_t gv_gl_depth_stencil_format(struct gv_builder *b)
{
    return gv_builder_target_has_format(b, GV_FORMAT_D24_UNORM_S8_UINT)
               ? GV_FORMAT_D24_UNORM_S8_UINT
               : GV_FORMAT_D32_SFLOAT_S8_UINT;
}

uint32_t gv_gl_format_aspects(uint32_t format)
{
    switch (format) {
    case GV_FORMAT_D16_UNORM:
    case GV_FORMAT_X8_D24_UNORM_PACK32:
    case GV_FORMAT_D32_SFLOAT:
        return GV_ASPECT_DEPTH;
    case GV_FORMAT_S8_UINT:
        return GV_ASPECT_STENCIL;
    case GV_FORMAT_D16_UNORM_S8_UINT:
    case GV_FORMAT_D24_UNORM_S8_UINT:
    case GV_FORMAT_D32_SFLOAT_S8_UINT:
        return GV_ASPECT_DEPTH | GV_ASPECT_STENCIL;
    default:
        return GV_ASPECT_COLOR;
    }
}

// ---- images ----

static struct gv_image make_of(struct gv_lower_pass *pass,
                               const struct gv_gl_surface *s, uint32_t format,
                               uint32_t samples)
{
    const bool color = gv_gl_format_aspects(format) == GV_ASPECT_COLOR;
    uint32_t usage = color ? GV_IMAGE_USAGE_COLOR_ATTACHMENT
                           : GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT;
    if (color && s->samples > 1) // see first_sample
        usage |= samples > 1 ? GV_IMAGE_USAGE_SAMPLED : GV_IMAGE_USAGE_STORAGE;
    return gv_emit(gv_lower_transfer(pass), image_create, .type = GV_IMAGE_TYPE_2D,
                   .format = format, .width = s->width, .height = s->height, .depth = 1,
                   .mips = 1, .layers = 1, .samples = samples, .usage = usage,
                   .flags = color ? GV_IMAGE_FLAG_MUTABLE_FORMAT : 0); // as sRGB
}

static struct gv_image make(struct gv_lower_pass *pass, const struct gv_gl_surface *s,
                            uint32_t format)
{
    return make_of(pass, s, format, gv_gl_samples((int32_t)s->samples));
}

static void copy_grown(struct gv_builder *b, const struct gv_gl_surface *s,
                       struct gv_image to, struct gv_image from, uint32_t aspect)
{
    // GL's rows count from below: what was lowest stays lowest.
    gv_emit(b, image_copy, .dst = to, .dst_aspect = aspect, .dst_mip = 0,
            .dst_layer = 0, .dst_x = 0, .dst_y = s->height - s->made_height, .dst_z = 0,
            .src = from, .src_aspect = aspect, .src_mip = 0, .src_layer = 0, .src_x = 0,
            .src_y = 0, .src_z = 0, .width = s->made_width, .height = s->made_height,
            .depth = 1, .layers = 1);
}

static void grow_image(struct gv_gl_sink *sink, const struct gv_gl_surface *s,
                       struct gv_image *image, uint32_t format)
{
    struct gv_image old = *image;
    if (!old.id)
        return;
    *image = make(&sink->pass, s, format);
    uint32_t aspects = gv_gl_format_aspects(format);
    for (uint32_t bit = GV_ASPECT_COLOR; bit <= GV_ASPECT_STENCIL; bit <<= 1)
        if (aspects & bit)
            copy_grown(sink->b, s, *image, old, bit);
    gv_emit(sink->b, image_destroy, .image = old);
}

static void grow(struct gv_gl_sink *sink, struct gv_gl_surface *s)
{
    if (s->made_width == s->width && s->made_height == s->height)
        return;
    grow_image(sink, s, &s->front, COLOR_FORMAT);
    grow_image(sink, s, &s->back, COLOR_FORMAT);
    grow_image(sink, s, &s->depth, gv_gl_depth_stencil_format(sink->b));
    if (s->resolved.id)
        gv_emit(sink->b, image_destroy, .image = s->resolved);
    s->resolved = GV_NO_IMAGE;
    s->made_width = s->width;
    s->made_height = s->height;
}

static struct gv_lower_attachment attachment(const struct gv_gl_surface *s,
                                             struct gv_image image, uint32_t format)
{
    return (struct gv_lower_attachment){ .image = image,
                                         .format = format,
                                         .made = format,
                                         .width = s->width,
                                         .height = s->height };
}

static void copy_back_to_front(struct gv_lower_pass *pass,
                               const struct gv_gl_surface *s)
{
    gv_emit(gv_lower_transfer(pass), image_copy, .dst = s->front,
            .dst_aspect = GV_ASPECT_COLOR, .dst_mip = 0, .dst_layer = 0, .dst_x = 0,
            .dst_y = 0, .dst_z = 0, .src = s->back, .src_aspect = GV_ASPECT_COLOR,
            .src_mip = 0, .src_layer = 0, .src_x = 0, .src_y = 0, .src_z = 0,
            .width = s->width, .height = s->height, .depth = 1, .layers = 1);
}

struct gv_lower_attachment gv_gl_surface_color(struct gv_gl_sink *sink,
                                               struct gv_gl_surface *s,
                                               enum gv_gl_surface_part part)
{
    struct gv_image *image = part == GV_GL_SURFACE_FRONT ? &s->front : &s->back;
    grow(sink, s);
    if (!image->id) {
        *image = make(&sink->pass, s, COLOR_FORMAT);
        // Swaps have shown what the back buffer has.
        if (part == GV_GL_SURFACE_FRONT && s->back.id)
            copy_back_to_front(&sink->pass, s);
    }
    return attachment(s, *image, COLOR_FORMAT);
}

void gv_gl_resolve(struct gv_lower_pass *pass, const struct gv_lower_attachment *to,
                   const struct gv_lower_rectangle *at,
                   const struct gv_lower_attachment *from,
                   const struct gv_lower_rectangle *part)
{
    gv_emit(gv_lower_transfer(pass), image_resolve, .dst = to->image,
            .dst_mip = to->mip, .dst_layer = to->layer, .dst_x = at->x, .dst_y = at->y,
            .src = from->image, .src_layer = from->layer, .src_x = part->x,
            .src_y = part->y, .width = part->width, .height = part->height,
            .layers = 1);
}

static void make_resolved(struct gv_lower_pass *pass, struct gv_gl_surface *s)
{
    if (!s->resolved.id)
        s->resolved = make_of(pass, s, COLOR_FORMAT, 1);
}

// ---- the first sample ----

static const char first_text[] =
    "#version 460\n"
    "#extension GL_EXT_samplerless_texture_functions : require\n"
    "layout(local_size_x = 64) in;\n"
    "layout(set = 1, binding = 0) uniform texture2DMS window;\n"
    "layout(set = 1, binding = 1, rgba8) writeonly uniform image2D shown;\n"
    "void main() {\n"
    "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
    "    if (at.x < imageSize(shown).x)\n"
    "        imageStore(shown, at, texelFetch(window, at, 0));\n"
    "}\n";

static bool first_sample(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                         const struct gv_gl_surface *s, struct gv_image from,
                         struct gv_error *err)
{
    struct gv_pipeline *pipeline = &d->first_sample;
    struct gv_builder *b = gv_lower_transfer(&sink->pass);
    if (!pipeline->id && !gv_gl_make_compute(sink, first_text, pipeline, err))
        return false;
    gv_emit(b, bind_pipeline, .pipeline = *pipeline);
    gv_emit(b, bind_texture, .set = 1, .binding = 0, .element = 0, .image = from,
            .type = GV_VIEW_TYPE_2D, .format = COLOR_FORMAT, .aspect = GV_ASPECT_COLOR,
            .swizzle = 0, .mip = 0, .mips = 1, .layer = 0, .layers = 1,
            .sampler = GV_NO_SAMPLER);
    gv_emit(b, bind_storage_image, .set = 1, .binding = 1, .element = 0,
            .image = s->resolved, .type = GV_VIEW_TYPE_2D, .format = COLOR_FORMAT,
            .mip = 0, .layer = 0, .layers = 1);
    gv_emit(b, dispatch, .x = (s->width + 63) / 64, .y = s->height, .z = 1,
            .ranges = gv_data(""), .size = 0);
    return !gv_builder_failed(sink->b, err);
}

struct gv_lower_attachment gv_gl_surface_read(struct gv_gl_sink *sink,
                                              struct gv_gl_surface *s,
                                              enum gv_gl_surface_part part)
{
    struct gv_lower_attachment from = gv_gl_surface_color(sink, s, part);
    const struct gv_lower_rectangle all = { .width = s->width, .height = s->height };
    if (gv_gl_samples((int32_t)s->samples) == 1)
        return from;
    make_resolved(&sink->pass, s);
    struct gv_lower_attachment to = attachment(s, s->resolved, COLOR_FORMAT);
    gv_gl_resolve(&sink->pass, &to, &all, &from, &all);
    return to;
}

static enum gv_gl_surface_part shown_part(const struct gv_gl_context *c,
                                          const struct gv_gl_surface *s)
{
    bool front =
        c && c->draw_surface == s && c->draw_buffer_count &&
        (c->draw_buffers[0] == GL_FRONT || c->draw_buffers[0] == GL_FRONT_LEFT);
    return front ? GV_GL_SURFACE_FRONT : GV_GL_SURFACE_BACK;
}

// What a swap shows of several samples: with visuals as glretrace makes them what its
// pictures have, of each pixel the first one; else their average.
static bool shown_image(struct gv_gl *gl, struct gv_gl_surface *s, struct gv_image *out,
                        struct gv_error *err)
{
    const enum gv_gl_surface_part part = shown_part(gl->context, s);
    if (gl->recorded_visual || gv_gl_samples((int32_t)s->samples) == 1) {
        *out = gv_gl_surface_read(&gl->sink, s, part).image;
        return true;
    }
    const struct gv_image from = gv_gl_surface_color(&gl->sink, s, part).image;
    make_resolved(&gl->sink.pass, s);
    *out = s->resolved;
    return first_sample(gl->drawing, &gl->sink, s, from, err);
}

struct gv_lower_attachment gv_gl_surface_depth(struct gv_gl_sink *sink,
                                               struct gv_gl_surface *s)
{
    uint32_t format = gv_gl_depth_stencil_format(sink->b);
    grow(sink, s);
    if (!s->depth.id)
        s->depth = make(&sink->pass, s, format);
    return attachment(s, s->depth, format);
}

void gv_gl_surface_finish(struct gv_gl_sink *sink, struct gv_gl_surface *s)
{
    struct gv_image *images[] = { &s->front, &s->back, &s->depth, &s->resolved };
    for (size_t i = 0; i < 4; i++) {
        if (images[i]->id)
            gv_emit(gv_lower_transfer(&sink->pass), image_destroy, .image = *images[i]);
        *images[i] = GV_NO_IMAGE;
    }
    if (s->sums.id) {
        gv_emit(gv_lower_transfer(&sink->pass), buffer_destroy, .buffer = s->sums);
        gv_emit(sink->b, buffer_destroy, .buffer = s->bytes);
        s->sums = s->bytes = (struct gv_buffer){ 0 };
    }
}

// ---- sizes ----

static bool reach(uint32_t *size, int64_t to)
{
    if (to <= (int64_t)*size)
        return false;
    *size = to < (int64_t)GV_GL_MAX_SIDE ? (uint32_t)to : GV_GL_MAX_SIDE;
    return true;
}

void gv_gl_surface_reach(struct gv_gl_context *c, int64_t right, int64_t top)
{
    struct gv_gl_surface *s = c ? c->draw_surface : NULL;
    if (!s || s->pbuffer || c->draw_framebuffer || !right || !top)
        return;
    bool wider = reach(&s->width, right), higher = reach(&s->height, top);
    if (!wider && !higher)
        return;
    c->state.scissor.x = c->state.scissor.y = 0;
    c->state.scissor.width = (int32_t)s->width;
    c->state.scissor.height = (int32_t)s->height;
}

// ---- frames ----

// Snapshots are of the draw buffer, before the swap.
void gv_gl_finish_swap(struct gv_gl_drawing *d, struct gv_lower_pass *pass)
{
    const struct gv_gl_surface *s = d->swapped;
    d->swapped = NULL;
    if (s && s->front.id && s->back.id)
        copy_back_to_front(pass, s);
}

bool gv_gl_show(struct gv_gl *gl, struct gv_gl_surface *s, struct gv_error *err)
{
    if (!s && gl->context)
        s = gl->context->draw_surface;
    struct gv_builder *b = gv_lower_transfer(&gl->sink.pass);
    struct gv_image shown;
    if (s) {
        if (!shown_image(gl, s, &shown, err))
            return false;
        gv_emit(b, present, .image = shown, .mip = 0, .layer = 0, .x = 0, .y = 0,
                .width = s->width, .height = s->height, .flags = GV_PRESENT_OPAQUE);
    }
    gv_lower_pass_end_frame(&gl->sink.pass);
    gv_lower_stream_flush(&gl->drawing->stream);
    gv_builder_frame_end(b, s ? s->width : 0, s ? s->height : 0);
    gl->drawing->swapped = s;
    // A picture after the swap shows what is there before it.
    if (!gl->sink.params || !gl->sink.params->apart)
        gv_gl_finish_swap(gl->drawing, &gl->sink.pass);
    return !gv_builder_failed(gl->sink.b, err);
}
