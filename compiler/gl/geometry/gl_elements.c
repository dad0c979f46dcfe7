// Elements of vertex arrays as floats.
#include "compiler/gl/geometry/gl_elements.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_number.h"
#include "resources/base/cursor.h"

void gv_gl_user_arrays_finish(struct gv_gl_user_arrays *u)
{
    for (uint32_t s = 0; s < GV_GL_ARRAY_SLOTS; s++)
        free(u->slots[s].bytes);
    *u = (struct gv_gl_user_arrays){ 0 };
}

struct gv_gl_array *gv_gl_array(struct gv_gl_context *c, uint32_t slot)
{
    return &c->client.vertex_array->arrays[slot];
}

static uint32_t component_bytes(uint32_t type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return 2;
    case GL_INT:
    case GL_UNSIGNED_INT:
    case GL_FLOAT:
    case GL_FIXED:
        return 4;
    case GL_DOUBLE:
        return 8;
    default:
        return 0;
    }
}

uint32_t gv_gl_element_bytes(uint32_t type, uint32_t components)
{
    switch (type) {
    case GL_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_10F_11F_11F_REV:
        return 4;
    default:
        return component_bytes(type) * components;
    }
}

static bool from_buffer(struct gv_gl_context *c, struct gv_gl_objects *objects,
                        struct gv_gl_sink *sink, const struct gv_gl_binding *from,
                        struct gv_gl_elements *e)
{
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, from->buffer);
    if (!b || from->offset >= b->size)
        return false;
    if (b->on_device && gv_gl_is_programmed(c) && !gv_gl_is_listing(c)) {
        e->device = b;
        e->at = from->offset + e->array->relative;
        return true;
    }
    if (b->unknown) {
        gv_gl_unsupported(sink, GV_GL_LACK(UNKNOWN_VERTICES));
        return false;
    }
    e->bytes = b->bytes + from->offset;
    e->size = b->size - from->offset;
    e->serial = b->named.serial;
    e->version = b->version;
    e->place = from->offset + e->array->relative;
    return true;
}

static bool from_program(const struct gv_gl_context *c,
                         const struct gv_gl_binding *from, struct gv_gl_elements *e)
{
    const struct gv_gl_feeding *f = c->feeding;
    const uint32_t binding = e->array->binding;
    if (!f || !from->copy || f->user.slots[binding].copy != from->copy)
        return false;
    e->bytes = f->user.slots[binding].bytes;
    e->size = f->user.slots[binding].size;
    return true;
}

bool gv_gl_elements_open(struct gv_gl_context *c, struct gv_gl_objects *objects,
                         struct gv_gl_sink *sink, uint32_t slot,
                         struct gv_gl_elements *out)
{
    const struct gv_gl_array *a = gv_gl_array(c, slot);
    *out = (struct gv_gl_elements){ .array = a };
    if (!a->enabled)
        return false;
    out->element = gv_gl_element_bytes(a->type, a->size);
    const struct gv_gl_binding *from = &c->client.vertex_array->bindings[a->binding];
    out->stride = from->stride;
    out->divisor = from->divisor;
    if (!out->element || !(from->buffer ? from_buffer(c, objects, sink, from, out)
                                        : from_program(c, from, out)))
        return false;
    if (out->device)
        return true;
    const uint64_t skipped = a->relative < out->size ? a->relative : out->size;
    out->bytes += skipped;
    out->size -= skipped;
    return true;
}

uint64_t gv_gl_elements_count(const struct gv_gl_elements *e)
{
    if (e->size < e->element)
        return 0;
    return e->stride ? (e->size - e->element) / e->stride + 1 : UINT64_MAX;
}

static float component(const struct gv_gl_array *a, const uint8_t *p)
{
    const bool n = a->normalized;
    float real;
    double wide;
    switch (a->type) {
    case GL_FLOAT:
        memcpy(&real, p, sizeof real);
        return real;
    case GL_DOUBLE:
        memcpy(&wide, p, sizeof wide);
        return (float)wide;
    case GL_BYTE:
        return n ? gv_gl_signed_new((int8_t)p[0], 8) : (float)(int8_t)p[0];
    case GL_UNSIGNED_BYTE:
        return n ? gv_gl_unsigned(p[0], 8) : (float)p[0];
    case GL_SHORT:
        return n ? gv_gl_signed_new((int16_t)gv_load_u16(p), 16)
                 : (float)(int16_t)gv_load_u16(p);
    case GL_UNSIGNED_SHORT:
        return n ? gv_gl_unsigned(gv_load_u16(p), 16) : (float)gv_load_u16(p);
    case GL_INT:
        return n ? gv_gl_signed_new((int32_t)gv_load_u32(p), 32)
                 : (float)(int32_t)gv_load_u32(p);
    case GL_UNSIGNED_INT:
        return n ? gv_gl_unsigned(gv_load_u32(p), 32) : (float)gv_load_u32(p);
    case GL_FIXED:
        return (float)((int32_t)gv_load_u32(p) / 65536.0);
    default:
        return gv_gl_half(gv_load_u16(p));
    }
}

static void put_word(float *out, uint32_t word)
{
    memcpy(out, &word, sizeof word);
}

// What a packed type reads; elements of others may be shorter.
static uint32_t packed_word(const struct gv_gl_elements *e, const uint8_t *p)
{
    return e->element == 4 ? gv_load_u32(p) : 0;
}

uint32_t gv_gl_elements_floats(const struct gv_gl_elements *e)
{
    return e->array->kind == GV_GL_DOUBLES ? 8 : 4;
}

static void fetch_doubles(const struct gv_gl_elements *e, uint64_t index, float out[8])
{
    double numbers[4] = { 0, 0, 0, 1 };
    if (index < gv_gl_elements_count(e))
        memcpy(numbers, e->bytes + index * e->stride, e->element);
    memcpy(out, numbers, sizeof numbers);
}

void gv_gl_elements_fetch(const struct gv_gl_elements *e, uint64_t index, float *out)
{
    const struct gv_gl_array *a = e->array;
    if (a->kind == GV_GL_DOUBLES) {
        fetch_doubles(e, index, out);
        return;
    }
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    if (a->kind != GV_GL_FLOATS)
        put_word(&out[3], 1);
    if (index >= gv_gl_elements_count(e))
        return;
    const uint8_t *p = e->bytes + index * e->stride;
    if (a->kind != GV_GL_FLOATS) {
        const uint32_t bytes = e->element / a->size;
        for (uint32_t c = 0; c < a->size; c++)
            put_word(&out[c], gv_gl_integer(a->type, p + (size_t)c * bytes));
    } else if (a->type == GL_FLOAT) {
        memcpy(out, p, a->size * sizeof *out);
    } else if (gv_gl_unpack(a->type, a->normalized, packed_word(e, p), out)) {
        for (uint32_t c = a->size; c < 4; c++)
            out[c] = c == 3 ? 1.0F : 0.0F;
    } else {
        const uint32_t bytes = e->element / a->size;
        for (uint32_t c = 0; c < a->size; c++)
            out[c] = component(a, p + (size_t)c * bytes);
    }
    if (a->bgra) {
        const float blue = out[0];
        out[0] = out[2];
        out[2] = blue;
    }
}

// Floats as they are, of `size` components; a constant where this is inlined.
static inline void copy_floats(const struct gv_gl_elements *e, uint64_t first,
                               uint64_t count, uint32_t size, float *out)
{
    const uint8_t *p = e->bytes + first * e->stride;
    for (uint64_t i = 0; i < count; i++, p += e->stride) {
        memcpy(out + 4 * i, p, size * sizeof *out);
        for (uint32_t c = size; c < 4; c++)
            out[4 * i + c] = c == 3 ? 1.0F : 0.0F;
    }
}

void gv_gl_elements_fetch_row(const struct gv_gl_elements *e, uint64_t first,
                              uint64_t count, float *out)
{
    const struct gv_gl_array *a = e->array;
    const uint64_t elements = gv_gl_elements_count(e);
    uint64_t plain = 0;
    if (a->kind == GV_GL_FLOATS && a->type == GL_FLOAT && !a->bgra && first < elements)
        plain = count < elements - first ? count : elements - first;
    switch (plain ? a->size : 0) {
    case 1:
        copy_floats(e, first, plain, 1, out);
        break;
    case 2:
        copy_floats(e, first, plain, 2, out);
        break;
    case 3:
        copy_floats(e, first, plain, 3, out);
        break;
    case 4:
        copy_floats(e, first, plain, 4, out);
        break;
    default:
        plain = 0;
    }
    const uint32_t floats = gv_gl_elements_floats(e);
    for (uint64_t i = plain; i < count; i++)
        gv_gl_elements_fetch(e, first + i, out + floats * i);
}
