#include "compiler/gl/draw/gl_device_input.h"

#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "resources/hash.h"
#include "vm/formats.h"

const struct gv_gl_device_array *gv_gl_device_array(const struct gv_gl_draw *d,
                                                    uint32_t input)
{
    return d->geometry->devices ? d->geometry->device[gv_gl_draw_slot(d, input)] : NULL;
}

// 0: the device has no such elements.
static uint32_t format_of(const struct gv_gl_device_array *a, uint32_t scalar)
{
    static const uint32_t halves[] = { GV_FORMAT_R16_SFLOAT, GV_FORMAT_R16G16_SFLOAT, 0,
                                       GV_FORMAT_R16G16B16A16_SFLOAT };
    const bool words = a->kind == GV_GL_FLOATS || a->kind == GV_GL_DOUBLES
                           ? a->type == GL_FLOAT
                           : a->type == GL_INT || a->type == GL_UNSIGNED_INT;
    if (a->size < 1 || a->size > 4)
        return 0;
    if (words)
        return gv_gl_input_format(scalar, a->size);
    if (scalar != GV_GLSL_FLOAT || a->kind != GV_GL_FLOATS)
        return 0;
    if (a->type == GL_HALF_FLOAT)
        return halves[a->size - 1];
    return a->type == GL_UNSIGNED_BYTE && a->size == 4 && a->normalized
               ? (uint32_t)GV_FORMAT_R8G8B8A8_UNORM
               : 0;
}

const struct gv_gl_lack *gv_gl_device_missing(const struct gv_gl_draw *d)
{
    for (uint32_t i = 0; i < d->stages.input_count; i++) {
        const struct gv_gl_device_array *a = gv_gl_device_array(d, i);
        if (!a)
            continue;
        if (!format_of(a, d->stages.inputs[i].scalar))
            return GV_GL_LACK(DEVICE_ELEMENTS);
        if (a->offset % 4 || a->stride % 4)
            return GV_GL_LACK(DEVICE_PLACES);
    }
    return NULL;
}

uint64_t gv_gl_device_layout(const struct gv_gl_draw *d)
{
    struct gv_hash hash;
    uint32_t words[GV_MAX_VERTEX_ATTRIBUTES][2] = { { 0 } };
    uint64_t out;
    if (!d->geometry->devices && !d->step_stride)
        return 0;
    for (uint32_t i = 0; i < d->stages.input_count; i++) {
        const struct gv_gl_device_array *a = gv_gl_device_array(d, i);
        words[i][0] = a ? format_of(a, d->stages.inputs[i].scalar) : 0;
        words[i][1] = a ? a->divisor : gv_gl_draw_steps(d, i);
    }
    hash = gv_hash_bytes(words, sizeof words);
    memcpy(&out, hash.bytes, sizeof out);
    return out | 1;
}

void gv_gl_describe_device(const struct gv_gl_draw *d, uint32_t input, uint32_t binding,
                           struct gv_graphics_desc *out)
{
    const struct gv_gl_device_array *a = gv_gl_device_array(d, input);
    const struct gv_gl_stage_input *in = &d->stages.inputs[input];
    out->vertex_attributes[input].location = in->location;
    out->vertex_attributes[input].slot = 1 + input;
    out->vertex_attributes[input].format = format_of(a, in->scalar);
    out->vertex_attributes[input].offset = 0;
    out->vertex_bindings[binding].slot = 1 + input;
    out->vertex_bindings[binding].rate =
        a->divisor ? GV_INPUT_RATE_INSTANCE : GV_INPUT_RATE_VERTEX;
    out->vertex_bindings[binding].divisor = a->divisor ? a->divisor : 1;
}

// Elements in front of the first one of a draw.
static uint64_t skipped(const struct gv_gl_draw *d, const struct gv_gl_device_array *a,
                        uint32_t first)
{
    const uint32_t base = d->stages.based ? 0 : d->geometry->base_instance;
    return a->divisor ? base : first;
}

uint32_t gv_gl_device_bindings(struct gv_gl_sink *sink, const struct gv_gl_draw *d,
                               uint32_t first,
                               struct gv_gl_batch_array out[GV_MAX_VERTEX_ATTRIBUTES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->stages.input_count; i++) {
        const struct gv_gl_device_array *a = gv_gl_device_array(d, i);
        if (!a)
            continue;
        const uint64_t offset = a->offset + skipped(d, a, first) * a->stride;
        const bool there = offset < a->buffer->size;
        out[count++] = (struct gv_gl_batch_array){
            .slot = 1 + i,
            .stride = a->stride,
            .buffer =
                there ? gv_gl_buffer_gpu(sink, a->buffer, 0) : (struct gv_buffer){ 0 },
            .offset = there ? offset : 0,
        };
    }
    return count;
}
