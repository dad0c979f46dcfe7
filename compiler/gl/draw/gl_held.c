// Images and compute programs that the front-end makes for itself, copies between
// attachments.
#include <string.h>

#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/shader/glsl/glsl.h"
#include "vm/formats.h"

struct gv_image gv_gl_hold(struct gv_lower_pass *pass, struct gv_gl_held_image *h,
                           const struct gv_gl_held_image *wanted)
{
    const bool color = gv_gl_format_aspects(wanted->format) == GV_ASPECT_COLOR;
    // Several samples are made of attachments alone.
    const uint32_t attachment = color ? GV_IMAGE_USAGE_COLOR_ATTACHMENT
                                      : GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT;
    struct gv_builder *b = gv_lower_transfer(pass);
    if (h->image.id && h->format == wanted->format && h->width == wanted->width &&
        h->height == wanted->height && h->layers == wanted->layers &&
        h->samples == wanted->samples)
        return h->image;
    if (h->image.id)
        gv_emit(b, image_destroy, .image = h->image);
    *h = *wanted;
    h->image =
        gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = h->format,
                .width = h->width, .height = h->height, .depth = 1, .mips = 1,
                .layers = h->layers, .samples = h->samples,
                .usage = GV_IMAGE_USAGE_SAMPLED | (h->samples > 1 ? attachment : 0),
                .flags = 0);
    return h->image;
}

// A row between images of one dimension and of others, which Vulkan copies to no other.
static void copy_row(struct gv_lower_pass *pass, const struct gv_gl_texel_copy *c,
                     uint32_t aspect)
{
    struct gv_builder *b = gv_lower_transfer(pass);
    const struct gv_format_info *f = gv_format_info(gv_lower_made(c->from));
    const uint64_t bytes = (uint64_t)c->part.width * gv_format_aspect_bytes(f, aspect);
    struct gv_buffer row =
        gv_emit(b, buffer_create, .size = (bytes + 3) / 4 * 4, .usage = 0);
    gv_emit(b, image_to_buffer, .buffer = row, .offset = 0, .row_bytes = 0, .rows = 0,
            .image = c->from->image, .aspect = aspect, .mip = c->from->mip,
            .layer = gv_lower_layer(c->from), .layers = 1, .x = c->part.x,
            .y = c->part.y, .z = gv_lower_z(c->from), .width = c->part.width,
            .height = c->part.height, .depth = 1);
    gv_emit(b, buffer_to_image, .image = c->to->image, .aspect = aspect,
            .mip = c->to->mip, .layer = gv_lower_layer(c->to), .layers = 1, .x = c->x,
            .y = c->y, .z = gv_lower_z(c->to), .width = c->part.width,
            .height = c->part.height, .depth = 1, .buffer = row, .offset = 0,
            .row_bytes = 0, .rows = 0);
    gv_emit(b, buffer_destroy, .buffer = row);
}

void gv_gl_copy_texels(struct gv_lower_pass *pass, const struct gv_gl_texel_copy *c)
{
    for (uint32_t bit = GV_ASPECT_COLOR; bit <= GV_ASPECT_STENCIL; bit <<= 1)
        if (c->aspects & bit && c->from->line != c->to->line)
            copy_row(pass, c, bit);
        else if (c->aspects & bit)
            gv_emit(gv_lower_transfer(pass), image_copy, .dst = c->to->image,
                    .dst_aspect = bit, .dst_mip = c->to->mip,
                    .dst_layer = gv_lower_layer(c->to), .dst_x = c->x, .dst_y = c->y,
                    .dst_z = gv_lower_z(c->to), .src = c->from->image,
                    .src_aspect = bit, .src_mip = c->from->mip,
                    .src_layer = gv_lower_layer(c->from), .src_x = c->part.x,
                    .src_y = c->part.y, .src_z = gv_lower_z(c->from),
                    .width = c->part.width, .height = c->part.height, .depth = 1,
                    .layers = 1);
}

struct gv_lower_attachment gv_gl_held_like(struct gv_lower_pass *pass,
                                           struct gv_gl_held_image *h,
                                           const struct gv_lower_attachment *like,
                                           uint32_t format, uint32_t samples)
{
    struct gv_lower_attachment to = *like;
    to.image = gv_gl_hold(pass, h,
                          &(struct gv_gl_held_image){ .format = format,
                                                      .width = like->width,
                                                      .height = like->height,
                                                      .layers = 1,
                                                      .samples = samples });
    to.format = to.made = format;
    to.mip = to.layer = to.volume = to.line = 0;
    return to;
}

struct gv_lower_attachment gv_gl_held_copy(struct gv_lower_pass *pass,
                                           struct gv_gl_held_image *h,
                                           const struct gv_lower_attachment *from,
                                           uint32_t format, uint32_t samples)
{
    const struct gv_lower_attachment to =
        gv_gl_held_like(pass, h, from, format, samples);
    const struct gv_gl_texel_copy all = { .from = from,
                                          .to = &to,
                                          .part = { .width = from->width,
                                                    .height = from->height },
                                          .aspects = gv_gl_format_aspects(format) };
    gv_gl_copy_texels(pass, &all);
    return to;
}

bool gv_gl_make_compute(struct gv_gl_sink *sink, const char *text,
                        struct gv_pipeline *out, struct gv_error *err)
{
    const struct gv_glsl_text glsl = { .stage = GV_STAGE_COMPUTE, .text = text };
    struct gv_shader_stage stage;
    struct gv_compute_desc *desc = gv_arena_alloc(sink->arena, sizeof *desc);
    if (!desc)
        return gv_out_of_memory(err);
    if (!gv_glsl_compile(&glsl, 1, 0, sink->arena, &stage, err))
        return false;
    desc->interface.binding_count = stage.binding_count;
    memcpy(desc->interface.bindings, stage.bindings,
           stage.binding_count * sizeof stage.bindings[0]);
    for (uint32_t i = 0; i < stage.binding_count; i++)
        if (stage.bindings[i].type == GV_BINDING_UNIFORM_BUFFER)
            desc->interface.bindings[i].type = GV_BINDING_UNIFORM_BUFFER_DYNAMIC;
    *out = gv_builder_compute(
        sink->b, desc, gv_builder_shader(sink->b, stage.words, stage.word_count));
    return true;
}
