// glCopyImageSubData: bits of images, between textures and renderbuffers.
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/texture/gl_texture.h"
#include "vm/formats.h"

// One side of a copy: arguments from its name on.
struct side {
    struct gv_gl_image_slice slice;
    uint32_t x, y, z; // z: layers where images have such, of 1D arrays too
                      // (OpenGL 4.6, 18.3.3)
};

static bool find_renderbuffer(struct gv_gl_drawing *d, uint32_t group,
                              struct gv_gl_sink *sink, uint32_t name, struct side *s)
{
    struct gv_gl_renderbuffer *r = gv_gl_renderbuffer_find(d, group, name);
    if (r && r->source.serial)
        return !gv_gl_unsupported(sink, GV_GL_LACK(COPY_EGL_IMAGE));
    if (!r || !r->internal_format || !r->width || !r->height)
        return false;
    gv_gl_renderbuffer_image(&sink->pass, r);
    s->slice = (struct gv_gl_image_slice){ .image = r->image,
                                           .format = r->format,
                                           .width = r->width,
                                           .height = r->height,
                                           .depth = 1,
                                           .samples = r->samples };
    return true;
}

// name, target, level, x, y, z. False: rejected.
static bool find(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t first,
                 struct side *s)
{
    uint32_t name = gv_gl_uint(call, first), target = gv_gl_uint(call, first + 1);
    int32_t at[3] = { gv_gl_int(call, first + 3), gv_gl_int(call, first + 4),
                      gv_gl_int(call, first + 5) };
    bool there =
        target == GL_RENDERBUFFER
            ? find_renderbuffer(gl->drawing, gl->objects.group, &gl->sink, name, s)
            : gv_gl_texture_slice(gl, name, target, gv_gl_uint(call, first + 2),
                                  &s->slice);
    if (!there || at[0] < 0 || at[1] < 0 || at[2] < 0)
        return !gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (s->slice.incomplete)
        return !gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    s->x = (uint32_t)at[0];
    s->y = (uint32_t)at[1];
    s->z = (uint32_t)at[2];
    return true;
}

static bool is_inside(const struct side *s, const uint32_t size[3])
{
    return s->x <= s->slice.width && size[0] <= s->slice.width - s->x &&
           s->y <= s->slice.height && size[1] <= s->slice.height - s->y &&
           s->z <= s->slice.depth && size[2] <= s->slice.depth - s->z;
}

// Whether a box begins and ends where blocks do, or the image ends.
static bool has_whole_blocks(const struct side *s, const uint32_t size[3])
{
    const struct gv_format_info *f = gv_format_info(s->slice.format);
    uint32_t w = f->block_width, h = f->block_height;
    return s->x % w == 0 && s->y % h == 0 &&
           (size[0] % w == 0 || s->x + size[0] == s->slice.width) &&
           (size[1] % h == 0 || s->y + size[1] == s->slice.height);
}

// Formats whose blocks have as many bytes hold the same bits; sizes are the source's.
static bool copies_bits(const struct gv_format_info *from,
                        const struct gv_format_info *to)
{
    return from->aspects == to->aspects &&
           (from->aspects == GV_ASPECT_COLOR ? from->block_bytes == to->block_bytes
                                             : from->value == to->value);
}

// Layer or slice `z` of a side.
static struct gv_lower_attachment slice_of(const struct side *s, uint32_t z)
{
    return (struct gv_lower_attachment){
        .image = s->slice.image,
        .format = s->slice.format,
        .mip = s->slice.mip,
        .layer = (s->slice.volume ? 0 : s->slice.layer) + s->z + z,
        .volume = s->slice.volume,
        .line = s->slice.line,
    };
}

static void copy_rows(struct gv_lower_pass *pass, const struct side *from,
                      const struct side *to, const uint32_t size[3])
{
    for (uint32_t z = 0; z < size[2]; z++) {
        const struct gv_lower_attachment source = slice_of(from, z),
                                         target = slice_of(to, z);
        const struct gv_gl_texel_copy rows = {
            .from = &source,
            .to = &target,
            .part = { from->x, from->y, size[0], size[1] },
            .x = to->x,
            .y = to->y,
            .aspects = gv_format_info(from->slice.format)->aspects,
        };
        gv_gl_copy_texels(pass, &rows);
    }
}

static void copy(struct gv_gl *gl, const struct side *from, const struct side *to,
                 const uint32_t size[3])
{
    uint32_t aspects = gv_format_info(from->slice.format)->aspects;
    bool volumes = from->slice.volume && to->slice.volume;
    if (from->slice.line != to->slice.line) {
        copy_rows(&gl->sink.pass, from, to, size);
        return;
    }
    for (uint32_t z = 0; z < (volumes ? 1 : size[2]); z++)
        for (uint32_t aspect = 1; aspect <= aspects; aspect <<= 1)
            if (aspects & aspect)
                gv_emit(gv_lower_transfer(&gl->sink.pass), image_copy,
                        .dst = to->slice.image, .dst_aspect = aspect,
                        .dst_mip = to->slice.mip,
                        .dst_layer = to->slice.volume ? 0 : to->slice.layer + to->z + z,
                        .dst_x = to->x, .dst_y = to->y,
                        .dst_z = to->slice.volume ? to->z + z : 0,
                        .src = from->slice.image, .src_aspect = aspect,
                        .src_mip = from->slice.mip,
                        .src_layer =
                            from->slice.volume ? 0 : from->slice.layer + from->z + z,
                        .src_x = from->x, .src_y = from->y,
                        .src_z = from->slice.volume ? from->z + z : 0, .width = size[0],
                        .height = size[1], .depth = volumes ? size[2] : 1, .layers = 1);
}

// By way of another image, whatever overlaps.
static void copy_within(struct gv_gl *gl, const struct side *from,
                        const struct side *to, const uint32_t size[3])
{
    struct side between = { .slice = from->slice };
    between.slice.volume = between.slice.line = false;
    between.slice.mip = between.slice.layer = 0;
    between.slice.image =
        gv_gl_hold(&gl->sink.pass, &gl->drawing->between,
                   &(struct gv_gl_held_image){
                       .format = from->slice.format,
                       .width = size[0],
                       .height = size[1],
                       .layers = size[2],
                       .samples = from->slice.samples > 1 ? from->slice.samples : 1 });
    copy(gl, from, &between, size);
    copy(gl, &between, to, size);
}

static bool copy_image(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    struct side from = { 0 }, to = { 0 };
    const int32_t sides[3] = { gv_gl_int(call, 12), gv_gl_int(call, 13),
                               gv_gl_int(call, 14) };
    if (!find(gl, call, 0, &from) || !find(gl, call, 6, &to))
        return true;
    if (sides[0] < 0 || sides[1] < 0 || sides[2] < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const uint32_t size[3] = { (uint32_t)sides[0], (uint32_t)sides[1],
                               (uint32_t)sides[2] };
    const struct gv_format_info *f = gv_format_info(from.slice.format),
                                *g = gv_format_info(to.slice.format);
    const uint32_t there[3] = { size[0] / f->block_width * g->block_width,
                                size[1] / f->block_height * g->block_height, size[2] };
    bool same = f->block_width == g->block_width && f->block_height == g->block_height;
    if (!is_inside(&from, size) || !is_inside(&to, same ? size : there))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!has_whole_blocks(&from, size) || !has_whole_blocks(&to, same ? size : there))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (from.slice.samples != to.slice.samples || !copies_bits(f, g))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (f->format_class != g->format_class)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COPY_BLOCKS));
    const bool within =
        from.slice.image.id == to.slice.image.id && from.slice.mip == to.slice.mip;
    if (size[0] && size[1] && size[2])
        (within ? copy_within : copy)(gl, &from, &to, size);
    return !gv_builder_failed(gl->sink.b, err);
}

const struct gv_gl_row gv_gl_copy_image_rows[] = {
    { "glCopyImageSubData", copy_image, 0 },
    { NULL, NULL, 0 },
};
