// glBitmap: the ones of a bitmap as rectangles of whole pixels.
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/pixels/gl_pixel_draw.h"

#include <math.h>
#include <string.h>

#define MOST_SIDE 16384
#define MOST_BYTES ((size_t)1 << 20) // of rectangles that are drawn at once
#define BITS_PER_UNIT 16u            // of gv_gl_work
#define NUDGE 0.0001f // as Mesa's, against positions a bit below a whole one

struct bits {
    const uint8_t *bytes;
    uint64_t size, pitch, start; // bytes
    uint32_t first, width, height;
    bool lsb_first;
};

static const uint8_t *source(const struct gv_gl_context *c,
                             const struct gv_gl_objects *objects,
                             const struct gv_trace_value *v, uint64_t *size)
{
    uint32_t buffer = c->client.unpack.buffer;
    if (buffer) {
        const struct gv_gl_buffer *b = gv_gl_buffer_find(objects, buffer);
        uint64_t offset = gv_trace_uint(v);
        if (!b || offset >= b->size)
            return NULL;
        *size = b->size - offset;
        return gv_gl_buffer_bytes(objects, buffer, offset, *size);
    }
    *size = v->count;
    return v->kind == GV_TRACE_BLOB ? v->bytes : NULL;
}

static bool locate(const struct gv_gl_context *c, const struct gv_gl_objects *objects,
                   const struct gv_trace_call *call, struct bits *out)
{
    const struct gv_gl_pixel_store *u = &c->client.unpack;
    uint64_t texels = u->row_length ? u->row_length : out->width;
    uint64_t align = u->alignment ? u->alignment : 1;
    out->pitch = ((texels + 7) / 8 + align - 1) / align * align;
    out->start = out->pitch * u->skip_rows + u->skip_pixels / 8;
    out->first = u->skip_pixels % 8;
    out->lsb_first = u->lsb_first;
    out->bytes = source(c, objects, gv_trace_argument(call, 6), &out->size);
    return out->bytes != NULL;
}

static bool bit(const struct bits *b, uint32_t x, uint32_t y)
{
    uint32_t at = b->first + x;
    uint64_t byte = b->start + y * b->pitch + at / 8;
    uint32_t shift = b->lsb_first ? at % 8 : 7 - at % 8;
    return byte < b->size && b->bytes[byte] >> shift & 1;
}

// ---- rectangles ----

struct rectangles {
    struct gv_gl_context *context;
    struct gv_bytes corners; // floats: x, y and z of six corners each
    float x, y, z;           // of the lowest left texel
};

static void put(struct rectangles *r, uint32_t x0, uint32_t x1, uint32_t y)
{
    float corners[6 * 4];
    gv_gl_window_corners(r->context,
                         &(struct gv_gl_window_rectangle){ .x0 = r->x + (float)x0,
                                                           .y0 = r->y + (float)y,
                                                           .x1 = r->x + (float)x1,
                                                           .y1 = r->y + (float)y + 1,
                                                           .z = r->z },
                         corners);
    gv_bytes_put(&r->corners, corners, sizeof corners);
}

// What has gathered; the context is that of gv_gl_raster_context.
static bool draw_gathered(struct gv_gl *gl, struct rectangles *r, struct gv_error *err)
{
    const struct gv_gl_geometry g = {
        .mode = GL_TRIANGLES,
        .vertex_count = (uint32_t)(r->corners.size / (4 * sizeof(float))),
        .slots[GV_GL_POSITION] = (const float *)(const void *)r->corners.data,
        .strides[GV_GL_POSITION] = 4,
        .sizes[GV_GL_POSITION] = 3,
        .instances = 1,
    };
    if (r->corners.failed)
        return gv_out_of_memory(err);
    r->corners.size = 0;
    return gv_gl_window_draw(gl, r->context, &g, NULL, err);
}

static void put_row(const struct bits *b, uint32_t y, struct rectangles *r)
{
    uint32_t x = 0;
    while (x < b->width) {
        uint32_t begin = x;
        while (x < b->width && bit(b, x, y))
            x++;
        if (x > begin)
            put(r, begin, x, y);
        else
            x++;
    }
}

// ---- the call ----

static void move(struct gv_gl_context *c, const struct gv_trace_call *call)
{
    c->state.current.raster.position[0] += gv_gl_float(call, 4);
    c->state.current.raster.position[1] += gv_gl_float(call, 5);
}

static bool draw(struct gv_gl *gl, const struct bits *b, struct rectangles *r,
                 struct gv_error *err)
{
    const uint64_t all = (uint64_t)b->width * b->height;
    if (!gv_gl_work(&gl->sink.work, all / BITS_PER_UNIT, err))
        return false;
    r->context = gv_gl_raster_context(gl, err);
    if (!r->context)
        return !gv_builder_failed(gl->sink.b, err);
    for (uint32_t y = 0; y < b->height && b->start + y * b->pitch < b->size; y++) {
        put_row(b, y, r);
        if (r->corners.size >= MOST_BYTES && !draw_gathered(gl, r, err))
            return false;
    }
    return draw_gathered(gl, r, err);
}

static bool bitmap(struct gv_gl *gl, const struct gv_trace_call *call,
                   struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    int32_t width = gv_gl_int(call, 0), height = gv_gl_int(call, 1);
    if (width < 0 || height < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!c->state.current.raster.valid)
        return true;
    const float *at = c->state.current.raster.position;
    struct bits b = { .width = (uint32_t)(width < MOST_SIDE ? width : MOST_SIDE),
                      .height = (uint32_t)(height < MOST_SIDE ? height : MOST_SIDE) };
    struct rectangles r = { .x = floorf(at[0] + NUDGE - gv_gl_float(call, 2)),
                            .y = floorf(at[1] + NUDGE - gv_gl_float(call, 3)),
                            .z = at[2] };
    bool ok = true;
    if (width && height && !gv_gl_draws_nothing(c) &&
        locate(gl->context, &gl->objects, call, &b))
        ok = draw(gl, &b, &r, err);
    gv_bytes_finish(&r.corners);
    move(c, call);
    return ok;
}

const struct gv_gl_row gv_gl_bitmap_rows[] = {
    { "glBitmap", bitmap, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
