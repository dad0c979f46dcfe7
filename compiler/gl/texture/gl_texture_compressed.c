// glCompressedTexImage and glCompressedTexSubImage: blocks as they are, palettes
// (OES_compressed_paletted_texture) as colours.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/texture/texture_image.h"
#include "compiler/texels/palette_texels.h"
#include "resources/base/checked.h"
#include "vm/formats.h"

struct data {
    const uint8_t *bytes; // NULL: none
    uint64_t size;
    uint8_t *gathered; // `bytes`, if they are a copy
};

static void finish(struct data *d)
{
    free(d->gathered);
}

// ---- where blocks lie ----

// Rows of blocks in the program's memory, in bytes.
struct rows {
    uint64_t skipped, row, pitch, image_pitch, size; // `size`: to the last row's end
    uint32_t count, images;                          // rows of an image; images
};

static uint64_t parts(uint64_t length, uint32_t part)
{
    return (length + part - 1) / part;
}

// a * b / c, added to `sum`.
static bool add_share(uint64_t a, uint64_t b, uint32_t c, uint64_t *sum)
{
    uint64_t product;
    return gv_mul_u64(a, b, &product) && gv_add_u64(*sum, product / c, sum);
}

// Tight, but where GL_UNPACK_COMPRESSED_BLOCK_* say what the other parameters count in
// (GL_ARB_compressed_texture_pixel_storage). False: too many bytes to count.
static bool lay_out(const struct gv_gl_pixel_store *s,
                    const struct gv_format_info *info, uint32_t dimensions,
                    const int32_t size[3], struct rows *out)
{
    uint64_t height = parts((uint32_t)size[1], info->block_height), last;
    *out = (struct rows){ .count = (uint32_t)height, .images = (uint32_t)size[2] };
    out->row = parts((uint32_t)size[0], info->block_width) * info->block_bytes;
    out->pitch = out->row;
    bool ok = true;
    if (s->block_bytes && s->block[0]) {
        if (s->row_length)
            out->pitch = parts(s->row_length, s->block[0]) * s->block_bytes;
        ok = add_share(s->skip_pixels, s->block_bytes, s->block[0], &out->skipped);
    }
    if (s->block_bytes && s->block[1] && dimensions > 1) {
        if (s->image_height)
            height = parts(s->image_height, s->block[1]);
        ok = ok && add_share(s->skip_rows, out->pitch, s->block[1], &out->skipped);
    }
    ok = ok && gv_mul_u64(out->pitch, height, &out->image_pitch);
    if (s->block_bytes && s->block[2] && dimensions > 2)
        ok = ok &&
             add_share(s->skip_images, out->image_pitch, s->block[2], &out->skipped);
    if (!ok || !out->count || !out->images)
        return ok;
    out->size = out->row;
    return gv_mul_u64(out->pitch, out->count - 1, &last) &&
           gv_add_u64(out->size, last, &out->size) &&
           gv_mul_u64(out->image_pitch, out->images - 1, &last) &&
           gv_add_u64(out->size, last, &out->size) &&
           gv_add_u64(out->size, out->skipped, &out->size);
}

// Argument `index` of the call: `size` bytes, which `rows` (NULL: none) place. A
// program's memory is recorded up to as many bytes as the call names; rows behind them
// are left out. False: rejected.
static bool locate(struct gv_gl *gl, uint32_t index, int32_t size,
                   const struct rows *rows, struct data *out)
{
    const struct gv_trace_value *v = gv_trace_argument(gl->sink.call, index);
    uint32_t buffer = gl->context->client.unpack.buffer;
    bool recorded = v->kind == GV_TRACE_BLOB || v->kind == GV_TRACE_STRING;
    *out = (struct data){ 0 };
    if (size < 0)
        return !gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const uint64_t needed = rows ? rows->size : (uint64_t)size;
    if (recorded) {
        *out = (struct data){ v->bytes, v->count < needed ? v->count : needed, NULL };
    } else if (buffer) {
        out->bytes = gv_gl_buffer_bytes(&gl->objects, buffer, gv_trace_uint(v), needed);
        out->size = needed;
        if (!out->bytes)
            return !gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    }
    return true;
}

// Makes blocks that lie apart tight. They have passed GL's checks of sizes.
static bool gather(struct gv_gl_work *work, const struct rows *r, struct data *d,
                   struct gv_error *err)
{
    const uint64_t image = r->row * r->count;
    if (!d->bytes || (!r->skipped && r->pitch == r->row && r->image_pitch == image))
        return true;
    if (!gv_gl_work(work, image * r->images, err))
        return false;
    d->gathered = calloc(1, (size_t)(image * r->images) + 1);
    if (!d->gathered)
        return gv_out_of_memory(err);
    for (uint32_t z = 0; z < r->images; z++)
        for (uint32_t y = 0; y < r->count; y++) {
            const uint64_t from = r->skipped + z * r->image_pitch + y * r->pitch;
            if (from <= d->size && r->row <= d->size - from)
                memcpy(d->gathered + z * image + y * r->row, d->bytes + from,
                       (size_t)r->row);
        }
    d->bytes = d->gathered;
    d->size = image * r->images;
    return true;
}

static const struct gv_format_info *block_info(const struct gv_gl_texture_format *f)
{
    const struct gv_format_info *info = f ? gv_format_info(f->format) : NULL;
    return info && info->compressed ? info : NULL;
}

static uint64_t blocks_size(const struct gv_format_info *info, const int32_t size[3])
{
    uint64_t columns = ((uint32_t)size[0] + info->block_width - 1u) / info->block_width;
    uint64_t rows = ((uint32_t)size[1] + info->block_height - 1u) / info->block_height;
    return columns * rows * info->block_bytes * (uint32_t)size[2];
}

// ---- palettes ----

// A level (negative: levels 0 to -level) of colours that a palette gives.
static bool paletted(struct gv_gl *gl, const struct gv_trace_call *call,
                     const struct gv_gl_image_target *at, struct gv_error *err)
{
    uint32_t kind = gv_gl_uint(call, 2) - GV_GL_PALETTE4_RGB8_OES;
    const int32_t most = (int32_t)GV_GL_LEVELS; // more of them are refused below
    int32_t level = gv_gl_int(call, 1);
    int32_t count = level < -most ? most + 1 : level < 0 ? 1 - level : 1;
    int32_t size[3] = { gv_gl_int(call, 3), gv_gl_int(call, 4), 1 };
    struct data data;
    const struct gv_gl_texture_format *f =
        gv_gl_texture_format(gv_palette_has_alpha(kind) ? GL_RGBA : GL_RGB);
    if (!locate(gl, 7, gv_gl_int(call, 6), NULL, &data))
        return true;
    uint32_t error = gv_gl_texture_legal(at, 0, size, f);
    struct gv_gl_texture *t = gv_gl_texture_to_define(gl->context, &gl->objects, at);
    if (error || !t || level > 0 || count > (int32_t)GV_GL_LEVELS)
        return gv_gl_reject(&gl->sink, error ? error : GL_INVALID_VALUE);
    struct gv_palette_texels texels;
    if (!data.bytes || !gv_palette_open(kind, data.bytes, data.size, &texels))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    for (int32_t i = 0; i < count; i++) {
        const int32_t part[3] = { (int32_t)gv_mip_size((uint32_t)size[0], (uint32_t)i),
                                  (int32_t)gv_mip_size((uint32_t)size[1], (uint32_t)i),
                                  1 };
        struct gv_gl_pixels p = { .width = (uint32_t)part[0],
                                  .height = (uint32_t)part[1],
                                  .depth = 1 };
        (void)gv_gl_pixel_format(GL_RGBA, GL_UNSIGNED_BYTE, &p);
        p.size = (uint64_t)p.width * p.height * 4;
        p.row_bytes = p.row_pitch = (uint64_t)p.width * 4;
        p.image_pitch = p.size;
        if (!gv_palette_fits(&texels, (uint64_t)p.width * p.height))
            return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
        uint8_t *rgba = malloc((size_t)p.size);
        if (!rgba)
            return gv_out_of_memory(err);
        gv_palette_decode(&texels, (uint64_t)p.width * p.height, rgba);
        p.bytes = rgba;
        const struct gv_gl_texture_image as =
            gv_gl_texture_shape(gl->sink.b, at, f, part);
        bool ok = gv_gl_texture_replace(gl, t, at->face, (uint32_t)i, &as, &p, err);
        free(rgba);
        if (!ok)
            return false;
    }
    return true;
}

// ---- images of blocks ----

// target, level, internal format, `dimensions` sides, border, size in bytes, data.
static bool image(struct gv_gl *gl, const struct gv_trace_call *call,
                  uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    struct data data;
    struct rows rows;
    uint32_t internal = gv_gl_uint(call, 2), next = 3 + dimensions;
    int32_t level = gv_gl_int(call, 1), size[3] = { 0, 1, 1 };
    for (uint32_t i = 0; i < dimensions; i++)
        size[i] = gv_gl_int(call, 3 + i);
    if (!gv_gl_image_target(gv_gl_uint(call, 0), dimensions, &at) || dimensions == 1)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (at.proxy)
        return true;
    if (internal >= GV_GL_PALETTE4_RGB8_OES && internal <= GV_GL_PALETTE8_RGB5_A1_OES &&
        dimensions == 2)
        return paletted(gl, call, &at, err);
    const struct gv_gl_texture_format *f = gv_gl_texture_format(internal);
    const struct gv_format_info *info = block_info(f);
    if (!info)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMPRESSED_FORMAT));
    if (!gv_gl_texture_is_known(gl->sink.b, f))
        return gv_gl_unsupported_of(&gl->sink, GV_GL_LACK(FORMAT),
                                    gv_format_info(f->format)->name);
    uint32_t error = gv_gl_texture_legal(&at, level, size, f);
    if (!error && !lay_out(&gl->context->client.unpack, info, dimensions, size, &rows))
        error = GL_INVALID_OPERATION;
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (!locate(gl, next + 2, gv_gl_int(call, next + 1), &rows, &data))
        return true;
    struct gv_gl_texture *t = gv_gl_texture_to_define(gl->context, &gl->objects, &at);
    if (!error && !t)
        error = GL_INVALID_OPERATION;
    if (!error &&
        (gv_gl_int(call, next) != 0 ||
         (uint64_t)(uint32_t)gv_gl_int(call, next + 1) != blocks_size(info, size)))
        error = GL_INVALID_VALUE;
    if (error)
        return gv_gl_reject(&gl->sink, error);
    const struct gv_gl_texture_image as = gv_gl_texture_shape(gl->sink.b, &at, f, size);
    if (!gv_gl_texture_replace(gl, t, at.face, (uint32_t)level, &as, NULL, err))
        return false;
    struct gv_gl_texture_image *i = t->images[at.face][level];
    const struct gv_gl_box box = { 0, 0, 0, i->width, i->height, i->depth };
    bool ok = gather(&gl->sink.work, &rows, &data, err) &&
              (!data.bytes ||
               gv_gl_texture_write_blocks(gl, i, &box, data.bytes, data.size, err));
    finish(&data);
    return ok;
}

static bool write_faces(struct gv_gl *gl, struct gv_gl_texture_part *part,
                        const struct data *data, struct gv_error *err)
{
    uint64_t each = data->size / (part->more + 1), at = 0;
    do {
        if (data->bytes && !gv_gl_texture_write_blocks(gl, part->image, &part->box,
                                                       data->bytes + at, each, err))
            return false;
        at += each;
        gv_gl_texture_changed(part->texture, part->level);
        if (!gv_gl_pending_bound(gl, part->texture, part->face, part->level, err))
            return false;
    } while (gv_gl_texture_next_face(part));
    return true;
}

// target, level, offsets, sizes, format, size in bytes, data.
static bool sub_image(struct gv_gl *gl, const struct gv_trace_call *call,
                      uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    struct gv_gl_texture_part part;
    struct data data;
    struct rows rows;
    int32_t offset[3] = { 0, 0, 0 }, size[3] = { 0, 1, 1 };
    uint32_t next = 2 + 2 * dimensions;
    for (uint32_t i = 0; i < dimensions; i++) {
        offset[i] = gv_gl_int(call, 2 + i);
        size[i] = gv_gl_int(call, 2 + dimensions + i);
    }
    if (!gv_gl_part_target(gl->objects.textures, gv_gl_uint(call, 0), dimensions,
                           &at) ||
        dimensions == 1)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!gv_gl_texture_part(gl, &at, gv_gl_int(call, 1), offset, size, &part))
        return true;
    const struct gv_format_info *info = block_info(part.image->format);
    if (!info || gv_gl_uint(call, next) != part.image->format->internal ||
        !gv_gl_texture_part_has_blocks(&part))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if ((uint64_t)(uint32_t)gv_gl_int(call, next + 1) != blocks_size(info, size))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!lay_out(&gl->context->client.unpack, info, dimensions, size, &rows))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!locate(gl, next + 2, gv_gl_int(call, next + 1), &rows, &data))
        return true;
    bool ok =
        gather(&gl->sink.work, &rows, &data, err) && write_faces(gl, &part, &data, err);
    finish(&data);
    return ok;
}

static bool gl_CompressedTexImage1D(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    return image(gl, call, 1, err);
}
static bool gl_CompressedTexImage2D(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    return image(gl, call, 2, err);
}
static bool gl_CompressedTexImage3D(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    return image(gl, call, 3, err);
}
static bool gl_CompressedTexSubImage1D(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    return sub_image(gl, call, 1, err);
}
static bool gl_CompressedTexSubImage2D(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    return sub_image(gl, call, 2, err);
}
static bool gl_CompressedTexSubImage3D(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    return sub_image(gl, call, 3, err);
}

const struct gv_gl_row gv_gl_texture_compressed_rows[] = {
    { "glCompressedTexImage1D", gl_CompressedTexImage1D, GV_GL_LISTED },
    { "glCompressedTexImage2D", gl_CompressedTexImage2D, GV_GL_LISTED },
    { "glCompressedTexImage3D", gl_CompressedTexImage3D, GV_GL_LISTED },
    { "glCompressedTexSubImage1D", gl_CompressedTexSubImage1D, GV_GL_LISTED },
    { "glCompressedTexSubImage2D", gl_CompressedTexSubImage2D, GV_GL_LISTED },
    { "glCompressedTexSubImage3D", gl_CompressedTexSubImage3D, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
