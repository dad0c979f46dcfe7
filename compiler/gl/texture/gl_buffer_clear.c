// Buffers that are filled with one texel: glClearBufferData, glClearBufferSubData.
#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/texture/texture_object.h"
#include "compiler/texels/stored_texels.h"
#include "resources/base/checked.h"
#include "vm/formats.h"

#define MOST_TEXEL_BYTES 16u
#define FILLED_PER_UNIT 64u // bytes of a unit of work

// What a call fills: arguments by their places.
struct filling {
    struct gv_gl_buffer *buffer; // NULL: it was rejected
    uint64_t offset, size;
    uint8_t texel[MOST_TEXEL_BYTES];
    uint32_t bytes; // of it
};

// The texel as the internal format has it. GL_NO_ERROR, or GL's error.
static uint32_t read_texel(struct gv_gl_context *c, const struct gv_trace_call *call,
                           uint32_t format_at, struct filling *out)
{
    const struct gv_gl_texture_format *f = gv_gl_texture_format(gv_gl_uint(call, 1));
    const struct gv_trace_value *data = gv_trace_argument(call, format_at + 2);
    struct gv_gl_pixels p = { .width = 1, .height = 1, .depth = 1 };
    struct gv_stored_texel to;
    uint8_t stored[MOST_TEXEL_BYTES] = { 0 };
    if (!gv_gl_is_texel_format(c, f))
        return GL_INVALID_ENUM;
    const uint32_t error = gv_gl_pixel_format(gv_gl_uint(call, format_at),
                                              gv_gl_uint(call, format_at + 1), &p);
    if (error || (p.kind != GV_GL_PIXELS_COLOR && p.kind != GV_GL_PIXELS_INTEGER))
        return error ? error : GL_INVALID_ENUM;
    if ((p.kind == GV_GL_PIXELS_INTEGER) != gv_gl_is_integer(f->format) ||
        !gv_stored_layout(f->format, f->layout.stored, f->kept, &to))
        return GL_INVALID_OPERATION;
    out->bytes = gv_gl_texel_bytes(f);
    if (data->kind == GV_TRACE_BLOB && data->count >= p.texel.bytes) {
        int64_t integers[4];
        float rgba[4];
        if (p.kind == GV_GL_PIXELS_INTEGER) {
            gv_client_integers(&p.texel, data->bytes, 1, integers);
            gv_store_integers(&to, integers, 1, stored);
        } else {
            gv_client_rgba(&p.texel, data->bytes, 1, rgba);
            gv_store_rgba(&to, rgba, 1, stored);
        }
    }
    memcpy(out->texel, stored, sizeof stored);
    return GL_NO_ERROR;
}

// Whether the texel is one word over and over, which the device can fill with.
static bool is_word(const struct filling *f, uint32_t *word)
{
    uint8_t bytes[4];
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = f->texel[i % f->bytes];
    memcpy(word, bytes, sizeof *word);
    for (uint32_t i = 0; i < f->bytes; i++)
        if (f->texel[i] != bytes[i % 4])
            return false;
    return f->offset % 4 == 0 && f->size % 4 == 0;
}

static bool fill(struct gv_gl_sink *sink, const struct filling *f, struct gv_error *err)
{
    struct gv_gl_buffer *b = f->buffer;
    uint8_t piece[1024];
    uint32_t word;
    if (b->unknown && b->on_device && is_word(f, &word)) {
        gv_gl_buffer_fill(sink, b, f->offset, f->size, word);
        return true;
    }
    const uint64_t whole = sizeof piece - sizeof piece % f->bytes;
    for (uint64_t i = 0; i < whole; i++)
        piece[i] = f->texel[i % f->bytes];
    if (!gv_gl_work(&sink->work, f->size / FILLED_PER_UNIT, err))
        return false;
    for (uint64_t at = 0; at < f->size; at += whole)
        gv_gl_buffer_write(b, f->offset + at, piece,
                           f->size - at < whole ? f->size - at : whole);
    return true;
}

static bool clear(struct gv_gl *gl, const struct gv_trace_call *call, bool named,
                  bool part, struct gv_error *err)
{
    struct filling f = { .buffer = gv_gl_buffer_of_call(gl->context, &gl->objects,
                                                        &gl->sink, call, named) };
    if (!f.buffer)
        return true;
    f.size = f.buffer->size;
    if (part) {
        const int64_t offset = gv_trace_sint(gv_trace_argument(call, 2));
        const int64_t size = gv_trace_sint(gv_trace_argument(call, 3));
        if (offset < 0 || size < 0 ||
            !gv_range_inside((uint64_t)offset, (uint64_t)size, f.buffer->size))
            return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
        f.offset = (uint64_t)offset;
        f.size = (uint64_t)size;
    }
    const uint32_t error = read_texel(gl->context, call, part ? 4 : 2, &f);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (f.offset % f.bytes || f.size % f.bytes)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return !f.size || fill(&gl->sink, &f, err);
}

GV_GL_HANDLER(ClearBufferData, clear(gl, call, false, false, err))
GV_GL_HANDLER(ClearBufferSubData, clear(gl, call, false, true, err))
GV_GL_HANDLER(ClearNamedBufferData, clear(gl, call, true, false, err))
GV_GL_HANDLER(ClearNamedBufferSubData, clear(gl, call, true, true, err))

const struct gv_gl_row gv_gl_buffer_clear_rows[] = {
    { "glClearBufferData", gl_ClearBufferData, 0 },
    { "glClearBufferSubData", gl_ClearBufferSubData, 0 },
    { "glClearNamedBufferData", gl_ClearNamedBufferData, 0 },
    { "glClearNamedBufferSubData", gl_ClearNamedBufferSubData, 0 },
    { NULL, NULL, 0 },
};
