#include "compiler/gl/texture/gl_packed.h"

#include "vm/formats.h"

#define MOST_SIDE 16384u // of an image

struct gv_gl_packs {
    struct gv_gl_packed list[GV_GL_PACKED];
    uint32_t next;
};

static uint64_t end_of(uint64_t start, uint64_t row_pitch, uint32_t height,
                       uint64_t row_bytes)
{
    return start + row_pitch * (height - 1) + row_bytes;
}

// Images whose pixels are overwritten, or whose buffer has got other bytes.
static bool is_gone(const struct gv_gl_packed *x, const struct gv_gl_buffer *b,
                    const struct gv_gl_pixels *p)
{
    uint64_t end = end_of(p->start, p->row_pitch, p->height, p->row_bytes);
    uint64_t its =
        end_of(x->start, x->row_pitch, x->height, (uint64_t)x->width * x->texel);
    return x->buffer == b->named.serial &&
           (x->version != b->version || (x->start < end && p->start < its));
}

static void drop(struct gv_lower_pass *pass, struct gv_gl_packed *x)
{
    if (x->image.id)
        gv_emit(gv_lower_transfer(pass), image_destroy, .image = x->image);
    *x = (struct gv_gl_packed){ 0 };
}

// The format of an image that keeps what the pixels keep; none: the buffer has less.
static uint32_t kept_format(const struct gv_gl_pixels *p, uint32_t format)
{
    if (!format)
        return GV_FORMAT_NONE;
    switch (p->type) {
    case GL_UNSIGNED_BYTE:
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
        return GV_FORMAT_R8G8B8A8_UNORM;
    case GL_FLOAT:
        return format;
    case GL_UNSIGNED_SHORT:
    case GL_UNSIGNED_INT:
        return format == GV_FORMAT_R8G8B8A8_UNORM ? format : GV_FORMAT_NONE;
    default:
        return GV_FORMAT_NONE;
    }
}

static bool keeps_colors(uint32_t pixels)
{
    return pixels == GL_RGBA || pixels == GL_BGRA || pixels == GL_ABGR_EXT ||
           pixels == GL_RGB || pixels == GL_BGR;
}

struct gv_gl_packed *gv_gl_packed_make(struct gv_gl *gl, struct gv_gl_buffer *b,
                                       const struct gv_gl_pixels *p, uint32_t format)
{
    if (!gl->objects.packs)
        gl->objects.packs = gv_arena_alloc(gl->sink.arena, sizeof *gl->objects.packs);
    struct gv_gl_packs *all = gl->objects.packs;
    uint32_t kept = kept_format(p, format);
    b->unknown = true;
    b->on_device = false;
    for (uint32_t i = 0; all && i < GV_GL_PACKED; i++)
        if (is_gone(&all->list[i], b, p))
            drop(&gl->sink.pass, &all->list[i]);
    bool fits = p->width <= MOST_SIDE && p->height <= MOST_SIDE;
    if (!all || !kept || !fits || !keeps_colors(p->format) ||
        gl->context->client.pack.swap_bytes ||
        gv_gl_pixels_transferred(&gl->context->state.pixel, GV_GL_PIXELS_COLOR))
        return NULL;
    struct gv_gl_packed *x = &all->list[all->next++ % GV_GL_PACKED];
    drop(&gl->sink.pass, x);
    *x = (struct gv_gl_packed){
        .buffer = b->named.serial,
        .version = b->version,
        .pixels = p->format,
        .type = p->type,
        .start = p->start,
        .row_pitch = p->row_pitch,
        .texel = p->texel.bytes,
        .width = p->width,
        .height = p->height,
        .opaque = p->format == GL_RGB || p->format == GL_BGR,
        .format = kept,
    };
    x->image = gv_emit(gv_lower_transfer(&gl->sink.pass), image_create,
                       .type = GV_IMAGE_TYPE_2D, .format = kept, .width = p->width,
                       .height = p->height, .depth = 1, .mips = 1, .layers = 1,
                       .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    return x;
}

// Whole rows and texels of the image, in its layout.
static bool holds(const struct gv_gl_packed *x, const struct gv_gl_pixels *p,
                  uint32_t *left, uint32_t *low)
{
    if (x->pixels != p->format || x->type != p->type || p->start < x->start ||
        (x->row_pitch != p->row_pitch && p->height > 1))
        return false;
    uint64_t at = p->start - x->start, row = at / x->row_pitch, in = at % x->row_pitch;
    if (in % x->texel || row + p->height > x->height ||
        in / x->texel + p->width > x->width)
        return false;
    *left = (uint32_t)(in / x->texel);
    *low = (uint32_t)row;
    return true;
}

const struct gv_gl_packed *gv_gl_packed_find(const struct gv_gl *gl,
                                             const struct gv_gl_buffer *b,
                                             const struct gv_gl_pixels *p, uint32_t *x,
                                             uint32_t *y)
{
    if (p->texel.swap || p->depth != 1 ||
        gv_gl_pixels_transferred(&gl->context->state.pixel, GV_GL_PIXELS_COLOR))
        return NULL;
    for (uint32_t i = 0; gl->objects.packs && i < GV_GL_PACKED; i++) {
        const struct gv_gl_packed *one = &gl->objects.packs->list[i];
        if (one->image.id && one->buffer == b->named.serial &&
            one->version == b->version && holds(one, p, x, y))
            return one;
    }
    return NULL;
}
