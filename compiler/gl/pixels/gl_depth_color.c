// Depth and stencil as the bytes of colours: NV_copy_depth_to_color.
#include <stdio.h>

#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/pixels/gl_pixel_draw.h"
#include "vm/formats.h"

#define GROUP 64u // texels of a row that a workgroup has

static bool make(struct gv_gl_sink *sink, bool bgra, struct gv_pipeline *out,
                 struct gv_error *err)
{
    // 2^24 times a depth is exact, and so is what its fraction lacks: no doubles.
    static const char pattern[] =
        "#version 460\n"
        "#extension GL_EXT_samplerless_texture_functions : require\n"
        "layout(local_size_x = 64) in;\n"
        "layout(set = 1, binding = 0) uniform texture2D depths;\n"
        "layout(set = 1, binding = 1) uniform utexture2D stencils;\n"
        "layout(set = 1, binding = 2) writeonly buffer Words { uint words[]; };\n"
        "void main() {\n"
        "    ivec2 size = textureSize(depths, 0), at = "
        "ivec2(gl_GlobalInvocationID.xy);\n"
        "    if (at.x >= size.x)\n"
        "        return;\n"
        "    float depth = clamp(texelFetch(depths, at, 0).r, 0.0, 1.0);\n"
        "    float wide = depth * 16777216.0;\n"
        "    uint whole = uint(wide);\n"
        "    if (wide - float(whole) < depth)\n"
        "        whole--;\n"
        "    uint low = whole & 255u, middle = whole >> 8 & 255u, high = whole >> 16;\n"
        "    words[at.y * size.x + at.x] = %s | middle << 8 | %s << 16 |\n"
        "        (texelFetch(stencils, at, 0).r & 255u) << 24;\n"
        "}\n";
    char text[sizeof pattern + 16];
    snprintf(text, sizeof text, pattern, bgra ? "low" : "high", bgra ? "high" : "low");
    return gv_gl_make_compute(sink, text, out, err);
}

static void bind_plane(struct gv_builder *b, uint32_t binding, struct gv_image image,
                       uint32_t aspect)
{
    gv_emit(b, bind_texture, .set = 1, .binding = binding, .element = 0, .image = image,
            .type = GV_VIEW_TYPE_2D, .format = 0, .aspect = aspect, .swizzle = 0,
            .mip = 0, .mips = 1, .layer = 0, .layers = 1, .sampler = GV_NO_SAMPLER);
}

bool gv_gl_depth_colors(struct gv_gl *gl, const struct gv_gl_held_image *from,
                        bool bgra, struct gv_image to, struct gv_error *err)
{
    struct gv_pipeline *pipeline = &gl->drawing->depth_colors[bgra];
    struct gv_builder *b = gv_lower_transfer(&gl->sink.pass);
    const uint32_t pitch = from->width * 4;
    if (!pipeline->id && !make(&gl->sink, bgra, pipeline, err))
        return false;
    struct gv_buffer words =
        gv_emit(b, buffer_create, .size = (uint64_t)pitch * from->height,
                .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(b, bind_pipeline, .pipeline = *pipeline);
    bind_plane(b, 0, from->image, GV_ASPECT_DEPTH);
    bind_plane(b, 1, from->image, GV_ASPECT_STENCIL);
    gv_emit(b, bind_buffer, .set = 1, .binding = 2, .element = 0, .buffer = words,
            .offset = 0, .size = 0);
    gv_emit(b, dispatch, .x = (from->width + GROUP - 1) / GROUP, .y = from->height,
            .z = 1, .ranges = gv_data(""), .size = 0);
    gv_emit(b, buffer_to_image, .image = to, .aspect = GV_ASPECT_COLOR, .mip = 0,
            .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = from->width,
            .height = from->height, .depth = 1, .buffer = words, .offset = 0,
            .row_bytes = pitch, .rows = 0);
    gv_emit(b, buffer_destroy, .buffer = words);
    return !gv_builder_failed(gl->sink.b, err);
}
