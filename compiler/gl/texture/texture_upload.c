// Pixels to texels that wait for their upload.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/texture/texture_image.h"
#include "compiler/texels/astc_decode.h"
#include "compiler/texels/bc6h_decode.h"
#include "compiler/texels/block_encode.h"
#include "compiler/texels/byte_texels.h"
#include "compiler/texels/channel_decode.h"
#include "compiler/texels/stored_texels.h"
#include "vm/formats.h"

// Rows that overlap (GL_UNPACK_ROW_LENGTH below the width) could make much of little:
// texels beyond this many bytes must have been recorded themselves.
#define MAX_UNBACKED ((uint64_t)64 << 20)
#define MAX_GROWTH 64u // bytes stored per byte recorded: a bit becomes four components

// ---- what waits ----

struct gv_gl_pending *gv_gl_pending_new(const struct gv_gl_box *box, uint64_t size)
{
    struct gv_gl_pending *p =
        size < SIZE_MAX - sizeof *p ? calloc(1, sizeof *p + (size_t)size) : NULL;
    if (!p)
        return NULL;
    p->x = box->x;
    p->y = box->y;
    p->z = box->z;
    p->width = box->width;
    p->height = box->height;
    p->depth = box->depth;
    p->size = size;
    p->aspects = GV_ASPECT_COLOR;
    return p;
}

bool gv_gl_pending_covers(const struct gv_gl_texture_image *i,
                          const struct gv_gl_pending *p)
{
    return p->width == i->width && p->height == i->height && p->depth == i->depth &&
           p->aspects == gv_format_info(i->device)->aspects;
}

// Texels of the whole image that the device has already are not uploaded again.
static bool replace_all(struct gv_gl_textures *textures, struct gv_gl_texture_image *i,
                        const struct gv_gl_pending *p)
{
    struct gv_hash hash = gv_hash_bytes(p->data, (size_t)p->size);
    if (i->store && !i->first && i->hashed && gv_hash_equal(&hash, &i->whole))
        return false;
    gv_gl_pending_drop(textures, i);
    i->whole = hash;
    i->hashed = true;
    return true;
}

static void pending_add(struct gv_gl_textures *textures, struct gv_gl_texture_image *i,
                        struct gv_gl_pending *p)
{
    if (!gv_gl_pending_covers(i, p)) {
        i->hashed = false;
    } else if (!replace_all(textures, i, p)) {
        free(p);
        return;
    }
    if (i->last)
        i->last->next = p;
    else
        i->first = p;
    i->last = p;
    i->pending += p->size;
    textures->pending += p->size;
}

// ---- converting ----

struct conversion {
    const struct gv_gl_pixel *transfer;
    const struct gv_gl_pixels *from;
    struct gv_stored_texel to;
    bool bytewise, whole;        // components are whole bytes on both sides
    struct gv_texel_bytes bytes; // then: where each comes from
    void *row;                   // RGBA of one row, as bytes or floats
};

static void convert_integer_row(const struct conversion *c, const uint8_t *row,
                                uint8_t *out)
{
    gv_client_integers(&c->from->texel, row, c->from->width, c->row);
    gv_store_integers(&c->to, c->row, c->from->width, out);
}

static void find_bytes(struct conversion *c)
{
    struct gv_texel_bytes given, kept;
    c->whole = c->bytewise && gv_client_bytes(&c->from->texel, &given) &&
               gv_stored_bytes(&c->to, &kept);
    if (c->whole)
        c->bytes = gv_texel_bytes_through(&given, &kept);
}

static bool convert_color_row(const struct conversion *c, const uint8_t *row,
                              uint8_t *out)
{
    if (c->from->kind == GV_GL_PIXELS_INTEGER) {
        convert_integer_row(c, row, out);
        return true;
    }
    if (c->whole) {
        gv_texel_bytes_make(&c->bytes, row, c->from->texel.bytes, c->from->width, out);
        return true;
    }
    if (c->bytewise) {
        gv_client_rgba8(&c->from->texel, row, c->from->width, c->row);
        gv_store_rgba8(&c->to, c->row, c->from->width, out);
        return true;
    }
    if (!gv_gl_pixels_rgba(c->transfer, c->from, row, c->row))
        return false;
    gv_store_rgba(&c->to, c->row, c->from->width, out);
    return true;
}

static bool convert_colors(struct conversion *c, uint8_t *out)
{
    const struct gv_gl_pixels *p = c->from;
    size_t stride = (size_t)p->width * c->to.bytes;
    c->row = malloc((size_t)p->width * 4 * (c->bytewise ? 1 : sizeof(int64_t)));
    bool ok = c->row != NULL;
    for (uint32_t z = 0; ok && z < p->depth; z++)
        for (uint32_t y = 0; ok && y < p->height; y++, out += stride) {
            const uint8_t *row = gv_gl_pixels_row(p, y, z);
            ok = !row || convert_color_row(c, row, out);
        }
    free(c->row);
    return ok;
}

// Depth as the device's uploads have it: 16 bits, 24 in 32, or a float.
static void store_depth(uint32_t format, double depth, uint8_t *out)
{
    double clamped = depth > 0 ? depth < 1 ? depth : 1 : 0;
    float f = (float)clamped;
    if (format == GV_FORMAT_D16_UNORM) {
        uint16_t v = (uint16_t)(clamped * 65535.0 + 0.5);
        memcpy(out, &v, 2);
    } else if (format == GV_FORMAT_D32_SFLOAT ||
               format == GV_FORMAT_D32_SFLOAT_S8_UINT) {
        memcpy(out, &f, 4);
    } else {
        uint32_t v = (uint32_t)(clamped * 16777215.0 + 0.5);
        memcpy(out, &v, 4);
    }
}

static void convert_depth_row(const struct conversion *c, uint32_t format,
                              const uint8_t *row, double *scratch, uint8_t *to)
{
    uint32_t bytes = gv_format_aspect_bytes(gv_format_info(format), GV_ASPECT_DEPTH);
    for (uint32_t x = 0; row && x < c->from->width; x++)
        store_depth(format, scratch[x], to + (size_t)x * bytes);
}

static bool convert_depth(const struct conversion *c, uint32_t format,
                          struct gv_gl_pending *out)
{
    const struct gv_gl_pixels *p = c->from;
    bool has_depth = out->aspects & GV_ASPECT_DEPTH;
    uint32_t bytes = gv_format_aspect_bytes(gv_format_info(format), GV_ASPECT_DEPTH);
    double *depth = calloc(p->width, sizeof *depth);
    uint8_t *to = has_depth ? out->data : NULL;
    uint8_t *stencil =
        out->aspects & GV_ASPECT_STENCIL ? out->data + out->stencil : NULL;
    for (uint32_t z = 0; depth && z < p->depth; z++)
        for (uint32_t y = 0; y < p->height; y++) {
            const uint8_t *row = gv_gl_pixels_row(p, y, z);
            if (row)
                gv_gl_pixels_depth_stencil(c->transfer, p, row,
                                           has_depth ? depth : NULL, stencil);
            if (to)
                convert_depth_row(c, format, row, depth, to);
            to = to ? to + (size_t)p->width * bytes : NULL;
            stencil = stencil ? stencil + p->width : NULL;
        }
    free(depth);
    return depth != NULL;
}

static bool is_backed(const struct gv_gl_pixels *p, uint64_t size)
{
    return size <= MAX_UNBACKED || size / MAX_GROWTH <= p->size;
}

// What pixels of a kind bring of an image.
static uint32_t aspects_of(enum gv_gl_pixel_kind kind, uint32_t device)
{
    uint32_t has = gv_format_info(device)->aspects;
    return kind == GV_GL_PIXELS_DEPTH           ? has & GV_ASPECT_DEPTH
           : kind == GV_GL_PIXELS_STENCIL       ? has & GV_ASPECT_STENCIL
           : kind == GV_GL_PIXELS_DEPTH_STENCIL ? has
                                                : (uint32_t)GV_ASPECT_COLOR;
}

static bool write_depth(struct gv_gl *gl, struct gv_gl_texture_image *i,
                        const struct gv_gl_box *box, const struct conversion *c,
                        struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(i->device);
    uint32_t aspects = aspects_of(c->from->kind, i->device);
    uint64_t texels = (uint64_t)box->width * box->height * box->depth;
    uint64_t depth = aspects & GV_ASPECT_DEPTH
                         ? texels * gv_format_aspect_bytes(info, GV_ASPECT_DEPTH)
                         : 0;
    bool stencil = aspects & GV_ASPECT_STENCIL;
    if (!is_backed(c->from, depth))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(OVERLAPPING_ROWS));
    struct gv_gl_pending *p = gv_gl_pending_new(box, depth + (stencil ? texels : 0));
    if (!p)
        return gv_out_of_memory(err);
    p->stencil = stencil ? depth : 0;
    p->aspects = aspects;
    if (!convert_depth(c, i->device, p)) {
        free(p);
        return gv_out_of_memory(err);
    }
    pending_add(gl->objects.textures, i, p);
    return true;
}

// What encoding a texel costs, against converting it.
#define ENCODING_WORK ((uint64_t)16)

bool gv_gl_texture_encode(struct gv_gl *gl, struct gv_gl_texture_image *i,
                          const struct gv_gl_box *box, const uint8_t *pixels,
                          struct gv_error *err)
{
    const uint32_t format = i->format->format;
    const uint64_t from = gv_block_pixels_size(format, box->width, box->height);
    const uint64_t size = gv_blocks_size(format, box->width, box->height);
    if (!gv_gl_work(&gl->sink.work,
                    ENCODING_WORK * box->width * box->height * box->depth, err))
        return false;
    uint8_t *blocks = malloc((size_t)(size * box->depth));
    if (!blocks)
        return gv_out_of_memory(err);
    for (uint32_t z = 0; z < box->depth; z++)
        gv_blocks_encode(format, pixels + z * from, box->width, box->height,
                         blocks + z * size);
    bool ok = gv_gl_texture_write_blocks(gl, i, box, blocks, size * box->depth, err);
    free(blocks);
    return ok;
}

static bool write_encoded(struct gv_gl *gl, struct gv_gl_texture_image *i,
                          const struct gv_gl_box *box, struct conversion *c,
                          struct gv_error *err)
{
    const uint64_t size = (uint64_t)box->width * box->height * box->depth * c->to.bytes;
    uint8_t *pixels = calloc(1, (size_t)size);
    if (!pixels || !convert_colors(c, pixels)) {
        free(pixels);
        return gv_out_of_memory(err);
    }
    bool ok = gv_gl_texture_encode(gl, i, box, pixels, err);
    free(pixels);
    return ok;
}

bool gv_gl_texture_write(struct gv_gl *gl, struct gv_gl_texture_image *i,
                         const struct gv_gl_box *box, const struct gv_gl_pixels *pixels,
                         struct gv_error *err)
{
    struct conversion c = { .transfer = &gl->context->state.pixel, .from = pixels };
    if (!pixels->bytes || !box->width || !box->height || !box->depth)
        return true;
    if (!gv_gl_work(&gl->sink.work, (uint64_t)box->width * box->height * box->depth,
                    err))
        return false;
    bool depth = pixels->kind == GV_GL_PIXELS_DEPTH ||
                 pixels->kind == GV_GL_PIXELS_DEPTH_STENCIL ||
                 pixels->kind == GV_GL_PIXELS_STENCIL;
    if (depth)
        return write_depth(gl, i, box, &c, err);
    const uint32_t blocks_of = gv_block_source_format(i->format->format);
    if (!gv_stored_layout(blocks_of ? blocks_of : i->device, i->format->layout.stored,
                          i->format->kept, &c.to))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMPRESSING));
    // Four floats go straight to few bits, four bytes to many, whose lowest repeat the
    // highest; all else goes through bytes where they are enough, as in Mesa.
    const bool four = pixels->format == GL_RGBA;
    const bool floats = four && pixels->type == GL_FLOAT;
    const bool bytes =
        four && pixels->type == GL_UNSIGNED_BYTE && c.to.kind == GV_FORMAT_KIND_UNORM;
    c.bytewise = (c.to.bytewise || bytes) && !floats &&
                 !gv_gl_pixels_transferred(c.transfer, pixels->kind);
    find_bytes(&c);
    uint64_t size = (uint64_t)box->width * box->height * box->depth * c.to.bytes;
    if (!is_backed(pixels, size))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(OVERLAPPING_ROWS));
    if (blocks_of)
        return write_encoded(gl, i, box, &c, err);
    struct gv_gl_pending *p = gv_gl_pending_new(box, size);
    if (!p)
        return gv_out_of_memory(err);
    if (!convert_colors(&c, p->data)) {
        free(p);
        return gv_out_of_memory(err);
    }
    pending_add(gl->objects.textures, i, p);
    return true;
}

// ---- blocks ----

// One layer of blocks as the device has it.
static bool decode_layer(const struct gv_gl_texture_image *i,
                         const struct gv_bc_image *image, uint8_t *to)
{
    struct gv_stored_texel layout;
    if (gv_astc_plain_format(image->format)) {
        gv_astc_decode(image, to);
        return true;
    }
    if (gv_bc6h_is_format(image->format)) {
        gv_bc6h_decode(image, to);
        return true;
    }
    if (!gv_channels_plain_format(image->format)) {
        gv_bc_decode(image, to);
        return true;
    }
    static const uint8_t straight[4] = { 0, 1, 2, 3 };
    size_t texels = (size_t)image->width * image->height;
    float *rgba = calloc(texels, 4 * sizeof *rgba);
    if (!rgba || !gv_stored_layout(i->device, straight, NULL, &layout)) {
        free(rgba);
        return false;
    }
    gv_channels_decode(image, rgba);
    gv_store_rgba(&layout, rgba, texels, to);
    free(rgba);
    return true;
}

bool gv_gl_texture_write_blocks(struct gv_gl *gl, struct gv_gl_texture_image *i,
                                const struct gv_gl_box *box, const uint8_t *bytes,
                                uint64_t size, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(i->format->format);
    uint32_t columns = (box->width + info->block_width - 1) / info->block_width;
    uint32_t rows = (box->height + info->block_height - 1) / info->block_height;
    uint64_t slice = (uint64_t)columns * rows * info->block_bytes;
    bool decoded = i->device != i->format->format;
    uint64_t plain =
        (uint64_t)box->width * box->height * gv_format_info(i->device)->block_bytes;
    if (!slice || !box->depth || size / slice < box->depth)
        return true;
    if (!gv_gl_work(&gl->sink.work, slice * box->depth, err))
        return false;
    struct gv_gl_pending *p =
        gv_gl_pending_new(box, (decoded ? plain : slice) * box->depth);
    if (!p)
        return gv_out_of_memory(err);
    if (!decoded)
        memcpy(p->data, bytes, (size_t)p->size);
    bool ok = true;
    for (uint32_t z = 0; decoded && ok && z < box->depth; z++) {
        const struct gv_bc_image image = { .format = i->format->format,
                                           .width = box->width,
                                           .height = box->height,
                                           .pitch = columns * info->block_bytes,
                                           .blocks = bytes + z * slice };
        ok = decode_layer(i, &image, p->data + z * plain);
    }
    if (!ok) {
        free(p);
        return gv_out_of_memory(err);
    }
    pending_add(gl->objects.textures, i, p);
    return true;
}
