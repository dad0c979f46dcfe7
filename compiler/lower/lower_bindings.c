#include "compiler/lower/lower_bindings.h"

#include <string.h>

#include "vm/formats.h"

// ---- constants ----

const uint8_t *gv_lower_known_bytes(const struct gv_lower_bound *r, uint32_t size,
                                    uint8_t *scratch)
{
    const uint8_t *bytes = r->buffer->known + r->offset;
    if (r->size >= size)
        return bytes;
    memcpy(scratch, bytes, (size_t)r->size);
    memset(scratch + r->size, 0, size - (size_t)r->size);
    return scratch;
}

void gv_lower_bind_bytes(struct gv_builder *b, const struct gv_lower_place *at,
                         uint64_t id, const uint8_t *bytes, uint32_t size)
{
    gv_emit(b, bind_uniform_bytes, .set = at->set, .binding = at->binding,
            .data = gv_builder_block(b, id, bytes, size), .size = size);
}

static void bind(struct gv_builder *b, const struct gv_lower_place *at,
                 struct gv_buffer buffer, uint64_t offset, uint64_t size)
{
    gv_emit(b, bind_buffer, .set = at->set, .binding = at->binding, .element = 0,
            .buffer = buffer, .offset = offset, .size = size);
}

void gv_lower_bind_uniform(struct gv_lower_buffers *bs, const struct gv_lower_place *at,
                           const struct gv_lower_bound *r, uint32_t size,
                           struct gv_lower_copy *copy)
{
    struct gv_buffer gpu;
    uint64_t offset = 0;
    if (!r->buffer) {
        gpu = gv_lower_zeros(bs);
    } else if (r->offset % GV_LOWER_BUFFER_ALIGN || r->size < size) {
        const struct gv_lower_buffer_range from = { r->buffer, r->offset };
        gpu = gv_lower_copy_aligned(bs, copy, &from, size,
                                    r->size < size ? r->size : size);
    } else {
        gpu = gv_lower_buffer_gpu(bs, r->buffer);
        offset = r->offset;
    }
    bind(bs->pass->b, at, gpu, offset, size);
}

// ---- buffers ----

void gv_lower_bind_storage(struct gv_lower_buffers *bs, const struct gv_lower_place *at,
                           const struct gv_lower_bound *r, bool written,
                           struct gv_lower_copy *copy)
{
    bool there = r->buffer && r->size;
    struct gv_buffer gpu = GV_NO_BUFFER;
    uint64_t offset = there ? r->offset : 0;
    if (there)
        gpu = written ? gv_lower_buffer_target(bs, r->buffer)
                      : gv_lower_buffer_gpu(bs, r->buffer);
    if (gv_lower_is_unaligned(r)) {
        const struct gv_lower_buffer_range from = { r->buffer, r->offset };
        gpu = gv_lower_copy_aligned(bs, copy, &from, r->size, r->size);
        copy->written = written;
        offset = 0;
    }
    bind(bs->pass->b, at, gpu, offset, there ? r->size : 0);
}

// ---- textures ----

struct gv_image gv_lower_stand_in(struct gv_lower_stand_ins *s,
                                  enum gv_lower_shape shape, uint32_t texels)
{
    static const uint8_t types[] = { [GV_LOWER_SHAPE_1D] = GV_IMAGE_TYPE_1D,
                                     [GV_LOWER_SHAPE_2D] = GV_IMAGE_TYPE_2D,
                                     [GV_LOWER_SHAPE_CUBE] = GV_IMAGE_TYPE_2D,
                                     [GV_LOWER_SHAPE_3D] = GV_IMAGE_TYPE_3D,
                                     [GV_LOWER_SHAPE_SAMPLES] = GV_IMAGE_TYPE_2D };
    static const uint8_t formats[] = {
        [GV_LOWER_TEXELS_FLOAT] = GV_FORMAT_R8G8B8A8_UNORM,
        [GV_LOWER_TEXELS_UINT] = GV_FORMAT_R8G8B8A8_UINT,
        [GV_LOWER_TEXELS_SINT] = GV_FORMAT_R8G8B8A8_SINT,
        [GV_LOWER_TEXELS_DEPTH] = GV_FORMAT_D16_UNORM,
    };
    struct gv_image *image = &s->images[shape][texels];
    bool cube = shape == GV_LOWER_SHAPE_CUBE;
    if (!image->id)
        *image = gv_emit(gv_lower_transfer(s->pass), image_create, .type = types[shape],
                         .format = formats[texels], .width = 1, .height = 1, .depth = 1,
                         .mips = 1, .layers = cube ? 6 : 1,
                         .samples = shape == GV_LOWER_SHAPE_SAMPLES ? 4 : 1,
                         .usage = GV_IMAGE_USAGE_SAMPLED,
                         .flags = cube ? GV_IMAGE_FLAG_CUBE_COMPATIBLE : 0);
    return *image;
}

void gv_lower_bind_texture(struct gv_builder *b, const struct gv_lower_place *at,
                           const struct gv_lower_texture *t)
{
    gv_emit(b, bind_texture, .set = at->set, .binding = at->binding,
            .element = at->element, .image = t->image, .type = t->type,
            .format = t->format, .aspect = t->aspect, .swizzle = t->swizzle,
            .mip = t->mip, .mips = t->mips, .layer = t->layer, .layers = t->layers,
            .sampler = t->sampler);
}
