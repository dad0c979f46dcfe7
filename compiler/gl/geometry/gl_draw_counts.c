#include "compiler/gl/geometry/gl_draw_counts.h"

#include <stdio.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/draw/gl_drawing.h"

#define GROUP 64u // commands that a workgroup has

static bool make(struct gv_gl_sink *sink, uint32_t words, struct gv_pipeline *out,
                 struct gv_error *err)
{
    // The count stands behind the commands; of each the second word is of instances.
    static const char pattern[] =
        "#version 460\n"
        "layout(local_size_x = 64) in;\n"
        "layout(set = 0, binding = 0) buffer Commands { uint words[]; };\n"
        "void main() {\n"
        "    uint last = uint(words.length()) - 1u, i = gl_GlobalInvocationID.x;\n"
        "    if (i * %uu < last && i >= words[last])\n"
        "        words[i * %uu + 1u] = 0u;\n"
        "}\n";
    char text[sizeof pattern + 16];
    snprintf(text, sizeof text, pattern, words, words);
    return gv_gl_make_compute(sink, text, out, err);
}

static void upload(struct gv_lower_pass *pass, const struct gv_gl_indirect *c,
                   uint8_t *room, struct gv_buffer to)
{
    for (uint64_t i = 0; i < c->count; i++)
        memcpy(room + i * c->size, c->bytes + i * c->stride, c->size);
    gv_emit(gv_lower_transfer(pass), buffer_upload, .buffer = to, .offset = 0,
            .data = gv_data(room), .size = c->count * c->size);
}

static bool fill(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                 const struct gv_gl_indirect *c, struct gv_buffer to,
                 struct gv_error *err)
{
    const uint64_t size = c->count * c->size;
    if (c->bytes) {
        struct gv_bytes *scratch = &d->vertices;
        scratch->size = 0;
        uint8_t *room = gv_bytes_grow(scratch, (size_t)size);
        if (!room)
            return gv_out_of_memory(err);
        upload(&sink->pass, c, room, to);
        return true;
    }
    const struct gv_buffer from = gv_gl_buffer_gpu(sink, c->buffer, 0);
    const bool dense = c->stride == c->size;
    for (uint64_t i = 0; i < (dense ? 1 : c->count); i++)
        gv_emit(gv_lower_transfer(&sink->pass), buffer_copy, .dst = to,
                .dst_offset = i * c->size, .src = from,
                .src_offset = c->offset + i * c->stride,
                .size = dense ? size : c->size);
    return true;
}

bool gv_gl_limit_draws(struct gv_gl *gl, const struct gv_gl_indirect *c,
                       const struct gv_gl_buffer_part *limit, struct gv_gl_buffer *out,
                       struct gv_error *err)
{
    struct gv_pipeline *pipeline = &gl->drawing->count_draws[c->size == 20];
    const uint64_t size = c->count * c->size;
    if (!gv_gl_made(&gl->sink, size, err) ||
        (!pipeline->id && !make(&gl->sink, c->size / 4, pipeline, err)))
        return false;
    const struct gv_buffer count = gv_gl_buffer_gpu(&gl->sink, limit->buffer, 0);
    struct gv_builder *b = gv_lower_transfer(&gl->sink.pass);
    *out = (struct gv_gl_buffer){
        .size = size + 4,
        .unknown = true,
        .on_device = true,
        .gpu_usage = GV_BUFFER_USAGE_INDIRECT | GV_BUFFER_USAGE_STORAGE,
    };
    out->gpu = gv_emit(b, buffer_create, .size = out->size, .usage = out->gpu_usage);
    if (!fill(gl->drawing, &gl->sink, c, out->gpu, err))
        return false;
    gv_emit(b, buffer_copy, .dst = out->gpu, .dst_offset = size, .src = count,
            .src_offset = limit->offset, .size = 4);
    gv_emit(b, bind_pipeline, .pipeline = *pipeline);
    gv_emit(b, bind_buffer, .set = 0, .binding = 0, .element = 0, .buffer = out->gpu,
            .offset = 0, .size = out->size);
    gv_emit(b, dispatch, .x = (uint32_t)((c->count + GROUP - 1) / GROUP), .y = 1,
            .z = 1, .ranges = gv_data(""), .size = 0);
    return !gv_builder_failed(gl->sink.b, err);
}
