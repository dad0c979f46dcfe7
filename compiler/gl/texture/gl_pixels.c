#include "compiler/gl/texture/gl_pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/texture/gl_packed.h"
#include "resources/base/checked.h"

// ---- formats and types (OpenGL 1.5, tables 3.5 to 3.10) ----

struct format {
    uint32_t format;
    uint8_t kind, count;
    uint8_t place[4];
};

static const struct format formats[] = {
    { GL_COLOR_INDEX, GV_GL_PIXELS_INDEX, 1, { 0 } },
    { GL_STENCIL_INDEX, GV_GL_PIXELS_STENCIL, 1, { GV_CLIENT_STENCIL } },
    { GL_DEPTH_COMPONENT, GV_GL_PIXELS_DEPTH, 1, { 0 } },
    { GL_DEPTH_STENCIL, GV_GL_PIXELS_DEPTH_STENCIL, 2, { 0, GV_CLIENT_STENCIL } },
    { GL_RED, GV_GL_PIXELS_COLOR, 1, { 0 } },
    { GL_GREEN, GV_GL_PIXELS_COLOR, 1, { 1 } },
    { GL_BLUE, GV_GL_PIXELS_COLOR, 1, { 2 } },
    { GL_ALPHA, GV_GL_PIXELS_COLOR, 1, { 3 } },
    { GL_RG, GV_GL_PIXELS_COLOR, 2, { 0, 1 } },
    { GL_RED_INTEGER, GV_GL_PIXELS_INTEGER, 1, { 0 } },
    { GL_GREEN_INTEGER, GV_GL_PIXELS_INTEGER, 1, { 1 } },
    { GL_BLUE_INTEGER, GV_GL_PIXELS_INTEGER, 1, { 2 } },
    { GL_ALPHA_INTEGER_EXT, GV_GL_PIXELS_INTEGER, 1, { 3 } },
    { GL_RG_INTEGER, GV_GL_PIXELS_INTEGER, 2, { 0, 1 } },
    { GL_RGB_INTEGER, GV_GL_PIXELS_INTEGER, 3, { 0, 1, 2 } },
    { GL_RGBA_INTEGER, GV_GL_PIXELS_INTEGER, 4, { 0, 1, 2, 3 } },
    { GL_BGR_INTEGER, GV_GL_PIXELS_INTEGER, 3, { 2, 1, 0 } },
    { GL_BGRA_INTEGER, GV_GL_PIXELS_INTEGER, 4, { 2, 1, 0, 3 } },
    { GL_LUMINANCE_INTEGER_EXT, GV_GL_PIXELS_INTEGER, 1, { GV_CLIENT_LUMINANCE } },
    { GL_LUMINANCE_ALPHA_INTEGER_EXT,
      GV_GL_PIXELS_INTEGER,
      2,
      { GV_CLIENT_LUMINANCE, 3 } },
    { GL_RGB, GV_GL_PIXELS_COLOR, 3, { 0, 1, 2 } },
    { GL_RGBA, GV_GL_PIXELS_COLOR, 4, { 0, 1, 2, 3 } },
    { GL_BGR, GV_GL_PIXELS_COLOR, 3, { 2, 1, 0 } },
    { GL_BGRA, GV_GL_PIXELS_COLOR, 4, { 2, 1, 0, 3 } },
    { GL_ABGR_EXT, GV_GL_PIXELS_COLOR, 4, { 3, 2, 1, 0 } },
    { GL_LUMINANCE, GV_GL_PIXELS_COLOR, 1, { GV_CLIENT_LUMINANCE } },
    { GL_LUMINANCE_ALPHA, GV_GL_PIXELS_COLOR, 2, { GV_CLIENT_LUMINANCE, 3 } },
};

// Types of one element per component.
struct array_type {
    uint32_t type;
    uint8_t element, bytes;
};

static const struct array_type array_types[] = {
    { GL_UNSIGNED_BYTE, GV_CLIENT_UNORM, 1 },
    { GL_BYTE, GV_CLIENT_SNORM, 1 },
    { GL_UNSIGNED_SHORT, GV_CLIENT_UNORM, 2 },
    { GL_SHORT, GV_CLIENT_SNORM, 2 },
    { GL_UNSIGNED_INT, GV_CLIENT_UNORM, 4 },
    { GL_INT, GV_CLIENT_SNORM, 4 },
    { GL_FLOAT, GV_CLIENT_FLOAT, 4 },
    { GL_HALF_FLOAT, GV_CLIENT_HALF, 2 },
    { GV_GL_HALF_FLOAT_OES, GV_CLIENT_HALF, 2 },
};

// Types of one element per pixel; fields from the format's first component on.
struct packed_type {
    uint32_t type;
    uint8_t element, bytes, count;
    uint8_t bits[4], shift[4];
};

static const struct packed_type packed_types[] = {
    { GL_UNSIGNED_BYTE_3_3_2, GV_CLIENT_UNORM, 1, 3, { 3, 3, 2 }, { 5, 2, 0 } },
    { GL_UNSIGNED_BYTE_2_3_3_REV, GV_CLIENT_UNORM, 1, 3, { 3, 3, 2 }, { 0, 3, 6 } },
    { GL_UNSIGNED_SHORT_5_6_5, GV_CLIENT_UNORM, 2, 3, { 5, 6, 5 }, { 11, 5, 0 } },
    { GL_UNSIGNED_SHORT_5_6_5_REV, GV_CLIENT_UNORM, 2, 3, { 5, 6, 5 }, { 0, 5, 11 } },
    { GL_UNSIGNED_SHORT_4_4_4_4,
      GV_CLIENT_UNORM,
      2,
      4,
      { 4, 4, 4, 4 },
      { 12, 8, 4, 0 } },
    { GL_UNSIGNED_SHORT_4_4_4_4_REV,
      GV_CLIENT_UNORM,
      2,
      4,
      { 4, 4, 4, 4 },
      { 0, 4, 8, 12 } },
    { GL_UNSIGNED_SHORT_5_5_5_1,
      GV_CLIENT_UNORM,
      2,
      4,
      { 5, 5, 5, 1 },
      { 11, 6, 1, 0 } },
    { GL_UNSIGNED_SHORT_1_5_5_5_REV,
      GV_CLIENT_UNORM,
      2,
      4,
      { 5, 5, 5, 1 },
      { 0, 5, 10, 15 } },
    { GL_UNSIGNED_INT_8_8_8_8,
      GV_CLIENT_UNORM,
      4,
      4,
      { 8, 8, 8, 8 },
      { 24, 16, 8, 0 } },
    { GL_UNSIGNED_INT_8_8_8_8_REV,
      GV_CLIENT_UNORM,
      4,
      4,
      { 8, 8, 8, 8 },
      { 0, 8, 16, 24 } },
    { GL_UNSIGNED_INT_10_10_10_2,
      GV_CLIENT_UNORM,
      4,
      4,
      { 10, 10, 10, 2 },
      { 22, 12, 2, 0 } },
    { GL_UNSIGNED_INT_2_10_10_10_REV,
      GV_CLIENT_UNORM,
      4,
      4,
      { 10, 10, 10, 2 },
      { 0, 10, 20, 30 } },
    { GL_UNSIGNED_INT_10F_11F_11F_REV, GV_CLIENT_B10G11R11, 4, 3, { 0 }, { 0 } },
    { GL_UNSIGNED_INT_5_9_9_9_REV, GV_CLIENT_E5B9G9R9, 4, 3, { 0 }, { 0 } },
    { GL_UNSIGNED_INT_24_8, GV_CLIENT_UNORM, 4, 2, { 24, 8 }, { 8, 0 } },
    { GL_FLOAT_32_UNSIGNED_INT_24_8_REV, GV_CLIENT_F32_X24S8, 8, 2, { 0 }, { 0 } },
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool lay_out_array(uint32_t type, struct gv_client_texel *t)
{
    for (size_t i = 0; i < COUNT(array_types); i++) {
        const struct array_type *a = &array_types[i];
        if (a->type != type)
            continue;
        t->element = a->element;
        t->unit = a->bytes;
        t->bytes = (uint8_t)(a->bytes * t->count);
        for (uint32_t c = 0; c < t->count; c++) {
            t->bits[c] = (uint8_t)(8 * a->bytes);
            t->shift[c] = (uint8_t)(8 * a->bytes * c);
        }
        return true;
    }
    return false;
}

// GL_INVALID_OPERATION where the type is of another number of components.
static uint32_t lay_out_packed(uint32_t type, const struct format *f,
                               struct gv_client_texel *t)
{
    for (size_t i = 0; i < COUNT(packed_types); i++) {
        const struct packed_type *p = &packed_types[i];
        if (p->type != type)
            continue;
        bool pair = f->format == GL_DEPTH_STENCIL;
        bool even = p->bits[0] == p->bits[3]; // for GL_ABGR_EXT
        if (p->count != f->count || pair != (p->count == 2) || f->format == GL_BGR ||
            (f->format == GL_ABGR_EXT && !even))
            return GL_INVALID_OPERATION;
        t->element = p->element;
        t->unit = p->element == GV_CLIENT_F32_X24S8 ? 4 : p->bytes;
        t->bytes = p->bytes;
        memcpy(t->bits, p->bits, sizeof t->bits);
        memcpy(t->shift, p->shift, sizeof t->shift);
        return GL_NO_ERROR;
    }
    return GL_INVALID_ENUM;
}

uint32_t gv_gl_pixel_format(uint32_t format, uint32_t type, struct gv_gl_pixels *out)
{
    const struct format *f = formats;
    while (f < formats + COUNT(formats) && f->format != format)
        f++;
    if (f == formats + COUNT(formats))
        return GL_INVALID_ENUM;
    struct gv_client_texel t = { .count = f->count };
    memcpy(t.place, f->place, sizeof t.place);
    out->format = format;
    out->type = type;
    out->kind = f->kind;
    out->texel = t;
    if (type == GL_BITMAP) {
        out->texel.element = GV_CLIENT_BIT;
        out->texel.unit = 1;
        return f->kind == GV_GL_PIXELS_INDEX || f->kind == GV_GL_PIXELS_STENCIL
                   ? GL_NO_ERROR
                   : GL_INVALID_ENUM;
    }
    bool pair = f->kind == GV_GL_PIXELS_DEPTH_STENCIL;
    uint32_t error = !pair && lay_out_array(type, &out->texel)
                         ? GL_NO_ERROR
                         : lay_out_packed(type, f, &out->texel);
    bool whole =
        out->texel.element == GV_CLIENT_UNORM || out->texel.element == GV_CLIENT_SNORM;
    return !error && f->kind == GV_GL_PIXELS_INTEGER && !whole ? GL_INVALID_OPERATION
                                                               : error;
}

// ---- where pixels are ----

static uint64_t round_up(uint64_t bytes, uint64_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

// Strides and the first byte. Sides and parameters are 32 bits, texels at most 16
// bytes: all is far below 2^64 but for products of three, which GL's own sizes bound.
// An image of one dimension is a row of an image of two: it skips rows as those do.
static bool measure(const struct gv_gl_pixel_store *s, uint32_t dimensions,
                    struct gv_gl_pixels *p)
{
    uint64_t length = s->row_length ? s->row_length : p->width;
    uint64_t alignment = s->alignment ? s->alignment : 4;
    uint64_t height = dimensions > 2 && s->image_height ? s->image_height : p->height;
    bool bits = p->texel.element == GV_CLIENT_BIT;
    uint64_t texel = p->texel.bytes;
    p->first = bits ? s->skip_pixels % 8 : 0;
    p->row_bytes = bits ? ((uint64_t)p->first + p->width + 7) / 8 : p->width * texel;
    p->row_pitch = round_up(bits ? (length + 7) / 8 : length * texel, alignment);
    uint64_t images_skipped = dimensions > 2 ? s->skip_images : 0, skipped;
    p->start = bits ? s->skip_pixels / 8 : s->skip_pixels * texel;
    return gv_mul_u64(p->row_pitch, height, &p->image_pitch) &&
           gv_mul_u64(p->row_pitch, s->skip_rows, &skipped) &&
           gv_add_u64(p->start, skipped, &p->start) &&
           gv_mul_u64(p->image_pitch, images_skipped, &skipped) &&
           gv_add_u64(p->start, skipped, &p->start);
}

// Bytes from the first one that is read to the last; 0: too many to count.
static uint64_t extent(const struct gv_gl_pixels *p)
{
    uint64_t images, rows, total;
    if (!p->width || !p->height || !p->depth ||
        !gv_mul_u64(p->image_pitch, p->depth - 1, &images) ||
        !gv_mul_u64(p->row_pitch, p->height - 1, &rows) ||
        !gv_add_u64(images, rows, &total) || !gv_add_u64(total, p->row_bytes, &total))
        return 0;
    return total;
}

bool gv_gl_pixels_measure(const struct gv_gl_pixel_store *s, uint32_t dimensions,
                          struct gv_gl_pixels *p, uint64_t *bytes)
{
    bool counted = measure(s, dimensions, p);
    *bytes = counted ? extent(p) : 0;
    return counted;
}

static uint32_t locate_in_buffer(struct gv_gl *gl, uint32_t name,
                                 const struct gv_trace_value *v, struct gv_gl_pixels *p)
{
    const struct gv_gl_buffer *buffer = gv_gl_buffer_find(&gl->objects, name);
    uint64_t offset = gv_trace_uint(v), size = extent(p);
    if (!size)
        return GL_NO_ERROR;
    if (!buffer || !gv_add_u64(offset, p->start, &p->start) ||
        !gv_range_inside(p->start, size, buffer->size))
        return GL_INVALID_OPERATION;
    p->bytes = gv_gl_buffer_bytes(&gl->objects, name, 0, buffer->size);
    p->size = buffer->size;
    if (!p->bytes)
        p->packed = gv_gl_packed_find(gl, buffer, p, &p->packed_x, &p->packed_y);
    if (!p->bytes && !p->packed)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(PACKED_PIXELS));
    return GL_NO_ERROR;
}

uint32_t gv_gl_pixels_locate(struct gv_gl *gl, uint32_t index, uint32_t dimensions,
                             struct gv_gl_pixels *p)
{
    const struct gv_gl_pixel_store *s = &gl->context->client.unpack;
    const struct gv_trace_value *v = gv_trace_argument(gl->sink.call, index);
    p->bytes = NULL;
    p->packed = NULL;
    p->size = 0;
    p->texel.swap = s->swap_bytes;
    p->texel.lsb_first = s->lsb_first;
    if (!measure(s, dimensions, p))
        return GL_INVALID_OPERATION;
    bool recorded = v->kind == GV_TRACE_BLOB || v->kind == GV_TRACE_STRING;
    if (s->buffer && !recorded)
        return locate_in_buffer(gl, s->buffer, v, p);
    if (recorded) {
        p->bytes = v->bytes;
        p->size = v->count;
    }
    return GL_NO_ERROR;
}

const uint8_t *gv_gl_pixels_row(const struct gv_gl_pixels *p, uint32_t y, uint32_t z)
{
    uint64_t images, rows, at;
    if (!p->bytes || !gv_mul_u64(p->image_pitch, z, &images) ||
        !gv_mul_u64(p->row_pitch, y, &rows) || !gv_add_u64(images, rows, &at) ||
        !gv_add_u64(at, p->start, &at) || !gv_range_inside(at, p->row_bytes, p->size))
        return NULL;
    return p->bytes + at;
}

// ---- pixel transfer (OpenGL 1.5, section 3.6.5) ----

enum { I_TO_I, S_TO_S, I_TO_R, R_TO_R = 6 }; // of GV_GL_PIXEL_MAPS

static bool scales(const struct gv_gl_pixel *t)
{
    bool any = false;
    for (int i = 0; i < 4; i++)
        any = any || t->scale[i] != 1 || t->bias[i] != 0;
    return any;
}

bool gv_gl_pixels_transferred(const struct gv_gl_pixel *t, enum gv_gl_pixel_kind kind)
{
    switch (kind) {
    case GV_GL_PIXELS_COLOR:
        return t->map_color || scales(t);
    case GV_GL_PIXELS_INTEGER:
        return false;
    case GV_GL_PIXELS_INDEX:
        return true;
    case GV_GL_PIXELS_STENCIL:
        return t->map_stencil || t->index_shift || t->index_offset;
    case GV_GL_PIXELS_DEPTH:
        return t->depth_scale != 1 || t->depth_bias != 0;
    case GV_GL_PIXELS_DEPTH_STENCIL:
        return t->map_stencil || t->index_shift || t->index_offset ||
               t->depth_scale != 1 || t->depth_bias != 0;
    }
    return false;
}

static uint32_t map_size(const struct gv_gl_pixel *t, uint32_t map)
{
    uint32_t size = t->maps[map].size;
    return size && size <= GV_GL_MAX_PIXEL_MAP ? size : 1;
}

static float mapped_color(const struct gv_gl_pixel *t, uint32_t map, float v)
{
    float clamped = v > 0 ? v < 1 ? v : 1 : 0;
    uint32_t last = map_size(t, map) - 1;
    return t->maps[map].values[lrintf(clamped * (float)last)];
}

static void transfer_colors(const struct gv_gl_pixel *t, size_t count, float *rgba)
{
    for (size_t i = 0; i < 4 * count; i++)
        rgba[i] = rgba[i] * t->scale[i % 4] + t->bias[i % 4];
    for (size_t i = 0; t->map_color && i < 4 * count; i++)
        rgba[i] = mapped_color(t, R_TO_R + i % 4, rgba[i]);
}

static int32_t shifted(const struct gv_gl_pixel *t, int32_t index)
{
    int32_t by = t->index_shift;
    uint32_t v = (uint32_t)index;
    if (by > 0)
        v = by < 32 ? v << by : 0;
    else if (by < 0)
        v = by > -32 ? v >> -by : 0;
    return (int32_t)(v + (uint32_t)t->index_offset);
}

static float mapped_index(const struct gv_gl_pixel *t, uint32_t map, int32_t index)
{
    return t->maps[map].values[(uint32_t)index & (map_size(t, map) - 1)];
}

static bool indices_to_rgba(const struct gv_gl_pixel *t, const struct gv_gl_pixels *p,
                            const uint8_t *row, float *rgba)
{
    int32_t *indices = malloc(p->width * sizeof *indices);
    if (!indices)
        return false;
    gv_client_indices(&p->texel, row, p->first, p->width, indices);
    for (uint32_t i = 0; i < p->width; i++) {
        int32_t index = shifted(t, indices[i]);
        for (uint32_t c = 0; c < 4; c++)
            rgba[4 * (size_t)i + c] = mapped_index(t, I_TO_R + c, index);
    }
    free(indices);
    return true;
}

bool gv_gl_pixels_rgba(const struct gv_gl_pixel *t, const struct gv_gl_pixels *p,
                       const uint8_t *row, float *rgba)
{
    if (p->kind == GV_GL_PIXELS_INDEX)
        return indices_to_rgba(t, p, row, rgba);
    gv_client_rgba(&p->texel, row, p->width, rgba);
    if (gv_gl_pixels_transferred(t, GV_GL_PIXELS_COLOR))
        transfer_colors(t, p->width, rgba);
    return true;
}

static void transfer_stencil(const struct gv_gl_pixel *t, uint32_t count,
                             uint8_t *stencil)
{
    for (uint32_t i = 0; i < count; i++) {
        int32_t index = shifted(t, stencil[i]);
        if (t->map_stencil)
            index = (int32_t)mapped_index(t, S_TO_S, index);
        stencil[i] = (uint8_t)index;
    }
}

// Stencil of its own: indices.
static void stencil_indices(const struct gv_gl_pixels *p, const uint8_t *row,
                            uint8_t *stencil)
{
    for (uint32_t i = 0; i < p->width; i++) {
        int32_t index;
        gv_client_indices(&p->texel, row, p->first + (size_t)i, 1, &index);
        stencil[i] = (uint8_t)index;
    }
}

void gv_gl_pixels_depth_stencil(const struct gv_gl_pixel *t,
                                const struct gv_gl_pixels *p, const uint8_t *row,
                                double *depth, uint8_t *stencil)
{
    if (p->kind == GV_GL_PIXELS_STENCIL) {
        if (stencil)
            stencil_indices(p, row, stencil);
        depth = NULL;
    } else {
        gv_client_depth_stencil(&p->texel, row, p->width, depth, stencil);
    }
    for (uint32_t i = 0; depth && i < p->width; i++)
        depth[i] = depth[i] * (double)t->depth_scale + (double)t->depth_bias;
    if (stencil && gv_gl_pixels_transferred(t, GV_GL_PIXELS_STENCIL))
        transfer_stencil(t, p->width, stencil);
}
