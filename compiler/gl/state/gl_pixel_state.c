// How pixels lie in the program's memory, and what becomes of them on their way.
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

// ---- glPixelStore ----

static bool set_alignment(struct gv_gl_sink *sink, uint32_t *to, int32_t value)
{
    if (value != 1 && value != 2 && value != 4 && value != 8)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    *to = (uint32_t)value;
    return true;
}

static bool set_length(struct gv_gl_sink *sink, uint32_t *to, int32_t value)
{
    if (value < 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    *to = (uint32_t)value;
    return true;
}

static bool set_PixelStore(struct gv_gl_context *context, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    struct gv_gl_client *c = &context->client;
    const int32_t value = gv_gl_int(call, 1);
    switch (gv_gl_uint(call, 0)) {
#define STORE(prefix, store)                                 \
    case GL_##prefix##_SWAP_BYTES:                           \
        store.swap_bytes = value != 0;                       \
        return true;                                         \
    case GL_##prefix##_LSB_FIRST:                            \
        store.lsb_first = value != 0;                        \
        return true;                                         \
    case GL_##prefix##_ROW_LENGTH:                           \
        return set_length(sink, &store.row_length, value);   \
    case GL_##prefix##_IMAGE_HEIGHT:                         \
        return set_length(sink, &store.image_height, value); \
    case GL_##prefix##_SKIP_ROWS:                            \
        return set_length(sink, &store.skip_rows, value);    \
    case GL_##prefix##_SKIP_PIXELS:                          \
        return set_length(sink, &store.skip_pixels, value);  \
    case GL_##prefix##_SKIP_IMAGES:                          \
        return set_length(sink, &store.skip_images, value);  \
    case GL_##prefix##_ALIGNMENT:                            \
        return set_alignment(sink, &store.alignment, value); \
    case GL_##prefix##_COMPRESSED_BLOCK_WIDTH:               \
        return set_length(sink, &store.block[0], value);     \
    case GL_##prefix##_COMPRESSED_BLOCK_HEIGHT:              \
        return set_length(sink, &store.block[1], value);     \
    case GL_##prefix##_COMPRESSED_BLOCK_DEPTH:               \
        return set_length(sink, &store.block[2], value);     \
    case GL_##prefix##_COMPRESSED_BLOCK_SIZE:                \
        return set_length(sink, &store.block_bytes, value)
        STORE(PACK, c->pack);
        STORE(UNPACK, c->unpack);
#undef STORE
    case GL_PACK_INVERT_MESA:
        return value == 0 ||
               gv_gl_unsupported_of(sink, GV_GL_LACK(VALUE), "GL_PACK_INVERT_MESA");
    default:
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    }
}
GV_GL_SETTER(PixelStore)

// ---- glPixelTransfer ----

// The scale or bias of a name; NULL: of neither.
static float *transferred(struct gv_gl_pixel *p, uint32_t pname)
{
    switch (pname) {
    case GL_RED_SCALE:
        return &p->scale[0];
    case GL_GREEN_SCALE:
        return &p->scale[1];
    case GL_BLUE_SCALE:
        return &p->scale[2];
    case GL_ALPHA_SCALE:
        return &p->scale[3];
    case GL_RED_BIAS:
        return &p->bias[0];
    case GL_GREEN_BIAS:
        return &p->bias[1];
    case GL_BLUE_BIAS:
        return &p->bias[2];
    case GL_ALPHA_BIAS:
        return &p->bias[3];
    case GL_DEPTH_SCALE:
        return &p->depth_scale;
    case GL_DEPTH_BIAS:
        return &p->depth_bias;
    default:
        return NULL;
    }
}

static bool set_PixelTransfer(struct gv_gl_context *c, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call)
{
    struct gv_gl_pixel *p = &c->state.pixel;
    const uint32_t pname = gv_gl_uint(call, 0);
    float *to = transferred(p, pname);
    if (to)
        *to = gv_gl_number(call, 1);
    else if (pname == GL_MAP_COLOR)
        p->map_color = gv_gl_float(call, 1) != 0;
    else if (pname == GL_MAP_STENCIL)
        p->map_stencil = gv_gl_float(call, 1) != 0;
    else if (pname == GL_INDEX_SHIFT)
        p->index_shift = gv_gl_int(call, 1);
    else if (pname == GL_INDEX_OFFSET)
        p->index_offset = gv_gl_int(call, 1);
    else
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return true;
}
GV_GL_SETTER(PixelTransfer)

// ---- glPixelMap ----

enum form { FLOATS, UNSIGNED_INTS, UNSIGNED_SHORTS };

static enum form form_of(const char *name)
{
    const char *const rest = name + sizeof("glPixelMap") - 1;
    if (rest[0] != 'u')
        return FLOATS;
    return rest[1] == 'i' ? UNSIGNED_INTS : UNSIGNED_SHORTS;
}

// Maps that colour indices and stencils go through hold whole numbers; others hold
// components, of which the largest number is 1.
static float map_entry(double number, enum form form, bool whole)
{
    if (whole)
        return (float)number;
    const double largest[] = { 1, 4294967295.0, 65535.0 };
    const double f = number / largest[form];
    return (float)(f > 0 ? (f < 1 ? f : 1) : 0);
}

static double number_in_bytes(const uint8_t *bytes, enum form form, size_t i)
{
    if (form == UNSIGNED_SHORTS)
        return bytes[2 * i] | bytes[2 * i + 1] << 8;
    uint32_t word = 0;
    for (uint32_t k = 0; k < 4; k++)
        word |= (uint32_t)bytes[4 * i + k] << 8 * k;
    if (form == UNSIGNED_INTS)
        return word;
    union {
        uint32_t word;
        float number;
    } both = { word };
    return (double)both.number;
}

static bool gl_PixelMap(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    const uint32_t map = gv_gl_uint(call, 0) - GL_PIXEL_MAP_I_TO_I;
    const int32_t count = gv_gl_int(call, 1);
    const struct gv_trace_value *v = gv_trace_argument(call, 2);
    if (map >= GV_GL_PIXEL_MAPS)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const bool by_index = map <= GL_PIXEL_MAP_I_TO_A - GL_PIXEL_MAP_I_TO_I;
    if (count < 1 || count > (int32_t)GV_GL_MAX_PIXEL_MAP ||
        (by_index && (count & (count - 1))))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const enum form form = form_of(call->function->name);
    const uint32_t buffer = gl->context->client.unpack.buffer;
    const uint8_t *bytes = NULL;
    if (v->kind != GV_TRACE_ARRAY) {
        const uint64_t size = (uint64_t)count * (form == UNSIGNED_SHORTS ? 2 : 4);
        bytes = buffer
                    ? gv_gl_buffer_bytes(&gl->objects, buffer, gv_trace_uint(v), size)
                    : NULL;
        if (!bytes)
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    }
    const bool whole = map <= GL_PIXEL_MAP_S_TO_S - GL_PIXEL_MAP_I_TO_I;
    gl->context->state.pixel.maps[map].size = (uint32_t)count;
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        const double number = bytes ? number_in_bytes(bytes, form, i)
                                    : gv_trace_real(gv_trace_item(v, i));
        gl->context->state.pixel.maps[map].values[i] = map_entry(number, form, whole);
    }
    return true;
}

static bool set_PixelZoom(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    (void)sink;
    c->state.pixel.zoom[0] = gv_gl_number(call, 0);
    c->state.pixel.zoom[1] = gv_gl_number(call, 1);
    return true;
}
GV_GL_SETTER(PixelZoom)

const struct gv_gl_row gv_gl_pixel_state_rows[] = {
    { "glPixelStorei", gl_PixelStore, 0 },
    { "glPixelStoref", gl_PixelStore, 0 },
    { "glPixelTransferf", gl_PixelTransfer, GV_GL_LISTED },
    { "glPixelTransferi", gl_PixelTransfer, GV_GL_LISTED },
    { "glPixelTransferx", gl_PixelTransfer, GV_GL_LISTED },
    { "glPixelMapfv", gl_PixelMap, GV_GL_LISTED },
    { "glPixelMapuiv", gl_PixelMap, GV_GL_LISTED },
    { "glPixelMapusv", gl_PixelMap, GV_GL_LISTED },
    { "glPixelZoom", gl_PixelZoom, GV_GL_LISTED },
    { "glPixelZoomx", gl_PixelZoom, GV_GL_LISTED },
    { 0 },
};
