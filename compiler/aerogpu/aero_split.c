// Uploads whose ends stand inside a texel: the texels are read back on the GPU, the
// bytes laid over them, and the texels written again.
#include "compiler/aerogpu/aero.h"

bool gv_aero_upload_split(struct gv_aero *a, const struct gv_cmd *c,
                          const struct gv_aero_texture *t,
                          const struct gv_aero_subresource *s, uint32_t row,
                          uint32_t begin, uint32_t end, struct gv_contents data,
                          struct gv_error *err)
{
    const struct gv_aero_format *f = t->format;
    uint32_t first = begin / f->bytes, last = (end + f->bytes - 1) / f->bytes;
    uint32_t x = first * f->block, y = row * f->block;
    uint32_t width = (last - first) * f->block, height = f->block;
    uint32_t size = (last - first) * f->bytes;
    uint32_t aspect =
        f->flags & GV_AERO_FORMAT_DEPTH ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR;
    // Not the bytes of the capture: see gv_aero_gpu_format.
    if (f->flags & GV_AERO_FORMAT_STENCIL || gv_aero_gpu_format(a, f->vk) != f->vk)
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, c, err,
                            "unsupported: UPLOAD_RESOURCE that splits a texel of %s",
                            f->name);
    if (width > s->width - x)
        width = s->width - x;
    if (height > s->height - y)
        height = s->height - y;
    struct gv_buffer texels =
        gv_emit(gv_lower_transfer(&a->pass), buffer_create, .size = (size + 3) & ~3u,
                .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(a->b, image_to_buffer, .buffer = texels, .offset = 0, .row_bytes = 0,
            .rows = 0, .image = t->gpu, .aspect = aspect, .mip = s->mip,
            .layer = s->layer, .layers = 1, .x = x, .y = y, .z = 0, .width = width,
            .height = height, .depth = 1);
    gv_emit(a->b, buffer_upload, .buffer = texels, .offset = begin - first * f->bytes,
            .data = data, .size = end - begin);
    gv_emit(a->b, buffer_to_image, .image = t->gpu, .aspect = aspect, .mip = s->mip,
            .layer = s->layer, .layers = 1, .x = x, .y = y, .z = 0, .width = width,
            .height = height, .depth = 1, .buffer = texels, .offset = 0, .row_bytes = 0,
            .rows = 0);
    gv_emit(a->b, buffer_destroy, .buffer = texels);
    return true;
}
