// Depth and stencil with one sample a pixel, in the format and order of rows that are
// asked for: a compute program writes the bytes of each plane, which a copy takes. Of
// several samples the first one counts, as in Mesa. One plane of two, which not every
// driver copies alone, goes through a buffer.
#include <stdio.h>

#include "compiler/gl/draw/gl_drawing.h"
#include "vm/formats.h"

#define GROUP 64u // words of a row that a workgroup has

// What a plane's bytes are.
static const struct encoding {
    uint32_t bits;
    const char *prefix; // of the texture
    const char *word;   // of a texel `v`
} encodings[GV_GL_PLANE_ENCODINGS] = {
    [GV_GL_PLANE_D16] = { 16, "", "uint(roundEven(clamp(v, 0.0, 1.0) * 65535.0))" },
    [GV_GL_PLANE_D24] = { 32, "", "uint(roundEven(clamp(v, 0.0, 1.0) * 16777215.0))" },
    [GV_GL_PLANE_D32] = { 32, "", "floatBitsToUint(v)" },
    [GV_GL_PLANE_S8] = { 8, "u", "v" },
};

enum gv_gl_plane_encoding gv_gl_plane_encoding(uint32_t format, uint32_t aspect)
{
    if (aspect == GV_ASPECT_STENCIL)
        return GV_GL_PLANE_S8;
    switch (format) {
    case GV_FORMAT_D16_UNORM:
    case GV_FORMAT_D16_UNORM_S8_UINT:
        return GV_GL_PLANE_D16;
    case GV_FORMAT_X8_D24_UNORM_PACK32:
    case GV_FORMAT_D24_UNORM_S8_UINT:
        return GV_GL_PLANE_D24;
    default:
        return GV_GL_PLANE_D32;
    }
}

// How a plane is read.
struct reading {
    bool several; // samples
    bool turned;  // its highest row first
};

static bool make(struct gv_gl_sink *sink, const struct encoding *e,
                 const struct reading *r, struct gv_pipeline *out, struct gv_error *err)
{
    static const char pattern[] =
        "#version 460\n"
        "#extension GL_EXT_samplerless_texture_functions : require\n"
        "layout(local_size_x = 64) in;\n"
        "layout(set = 1, binding = 0) uniform %stexture2D%s plane;\n"
        "layout(set = 1, binding = 1) writeonly buffer Words { uint words[]; };\n"
        "const int bits = %u, each = 32 / bits;\n"
        "void main() {\n"
        "    ivec2 size = textureSize(plane%s), at = ivec2(gl_GlobalInvocationID.xy);\n"
        "    int pitch = (size.x + each - 1) / each, x = at.x * each;\n"
        "    uint word = 0;\n"
        "    if (at.x >= pitch)\n"
        "        return;\n"
        "    for (int i = 0; i < each && x + i < size.x; i++) {\n"
        "        %s v = texelFetch(plane, ivec2(x + i, %s), 0).r;\n"
        "        word |= %s << i * bits;\n"
        "    }\n"
        "    words[at.y * pitch + at.x] = word;\n"
        "}\n";
    char text[sizeof pattern + 128];
    snprintf(text, sizeof text, pattern, e->prefix, r->several ? "MS" : "", e->bits,
             r->several ? "" : ", 0", *e->prefix ? "uint" : "float",
             r->turned ? "size.y - 1 - at.y" : "at.y", e->word);
    return gv_gl_make_compute(sink, text, out, err);
}

// Between images of one size that begin at their first row.
struct conversion {
    const struct gv_gl_held_image *from, *to;
    bool turned;
};

static bool convert(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                    const struct conversion *c, uint32_t aspect, struct gv_error *err)
{
    const struct gv_gl_held_image *from = c->from, *to = c->to;
    const enum gv_gl_plane_encoding code = gv_gl_plane_encoding(to->format, aspect);
    const struct encoding *e = &encodings[code];
    const struct reading r = { from->samples > 1, c->turned };
    struct gv_pipeline *pipeline = &d->planes[r.several][r.turned][code];
    struct gv_builder *b = gv_lower_transfer(&sink->pass);
    if (!pipeline->id && !make(sink, e, &r, pipeline, err))
        return false;
    const uint32_t pitch = (from->width + 32 / e->bits - 1) / (32 / e->bits);
    struct gv_buffer words =
        gv_emit(b, buffer_create, .size = (uint64_t)pitch * 4 * from->height,
                .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(b, bind_pipeline, .pipeline = *pipeline);
    gv_emit(b, bind_texture, .set = 1, .binding = 0, .element = 0, .image = from->image,
            .type = GV_VIEW_TYPE_2D, .format = 0, .aspect = aspect, .swizzle = 0,
            .mip = 0, .mips = 1, .layer = 0, .layers = 1, .sampler = GV_NO_SAMPLER);
    gv_emit(b, bind_buffer, .set = 1, .binding = 1, .element = 0, .buffer = words,
            .offset = 0, .size = 0);
    gv_emit(b, dispatch, .x = (pitch + GROUP - 1) / GROUP, .y = from->height, .z = 1,
            .ranges = gv_data(""), .size = 0);
    gv_emit(b, buffer_to_image, .image = to->image, .aspect = aspect, .mip = 0,
            .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = from->width,
            .height = from->height, .depth = 1, .buffer = words, .offset = 0,
            .row_bytes = pitch * 4, .rows = 0);
    gv_emit(b, buffer_destroy, .buffer = words);
    return !gv_builder_failed(sink->b, err);
}

bool gv_gl_plain_depth(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                       struct gv_lower_attachment *a,
                       const struct gv_gl_plain_depth *wanted, struct gv_error *err)
{
    const uint32_t samples = wanted->samples, format = wanted->format;
    const uint32_t has = gv_gl_format_aspects(a->format),
                   both = has & gv_gl_format_aspects(format);
    struct gv_gl_held_image *from = &d->plain_depth[0], *to = &d->plain_depth[1];
    const struct conversion c = { from, to, wanted->turned };
    if (samples <= 1 && a->format == format && !wanted->turned)
        return true;
    const struct gv_lower_attachment source =
        gv_gl_held_like(&sink->pass, from, a, a->format, samples > 1 ? samples : 1);
    const struct gv_lower_attachment plain =
        gv_gl_held_like(&sink->pass, to, a, format, 1);
    const struct gv_gl_texel_copy all = {
        .from = a,
        .to = &source,
        .part = { .width = a->width, .height = a->height },
        .aspects = has,
    };
    gv_gl_copy_texels(&sink->pass, &all);
    for (uint32_t bit = GV_ASPECT_DEPTH; bit <= GV_ASPECT_STENCIL; bit <<= 1)
        if (both & bit && !convert(d, sink, &c, bit, err))
            return false;
    *a = plain;
    return true;
}

void gv_gl_move_plane(struct gv_lower_pass *pass,
                      const struct gv_lower_attachment *from,
                      const struct gv_lower_attachment *to,
                      const struct gv_lower_rectangle *part, uint32_t aspect)
{
    struct gv_builder *b = gv_lower_transfer(pass);
    const uint32_t bytes =
        part->width * gv_format_aspect_bytes(gv_format_info(to->format), aspect);
    // Rows of copies are multiples of 4 bytes for every device.
    const uint32_t pitch = (bytes + 3) / 4 * 4;
    struct gv_buffer rows =
        gv_emit(b, buffer_create, .size = (uint64_t)pitch * part->height, .usage = 0);
    gv_emit(b, image_to_buffer, .buffer = rows, .offset = 0, .row_bytes = pitch,
            .rows = 0, .image = from->image, .aspect = aspect, .mip = from->mip,
            .layer = from->layer, .layers = 1, .x = part->x, .y = part->y, .z = 0,
            .width = part->width, .height = part->height, .depth = 1);
    gv_emit(b, buffer_to_image, .image = to->image, .aspect = aspect, .mip = to->mip,
            .layer = to->layer, .layers = 1, .x = part->x, .y = part->y, .z = 0,
            .width = part->width, .height = part->height, .depth = 1, .buffer = rows,
            .offset = 0, .row_bytes = pitch, .rows = 0);
    gv_emit(b, buffer_destroy, .buffer = rows);
}
