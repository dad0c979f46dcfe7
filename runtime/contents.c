// What objects hold, for who checks what was done to them.
#include "runtime/runtime.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/transfer/readback.h"
#include "runtime/vk/transfer/samples.h"

static bool put(struct gv_runtime *rt, const struct gv_vk_readback *readback,
                struct gv_bytes *out, struct gv_error *err)
{
    const uint8_t *bytes = gv_vk_readback_wait(rt, readback, err);
    if (!bytes)
        return false;
    gv_bytes_put(out, bytes, (size_t)readback->size);
    return !out->failed || gv_out_of_memory(err);
}

static bool put_bytes(struct gv_runtime *rt, struct gv_vk_bytes bytes,
                      struct gv_bytes *out, struct gv_error *err)
{
    struct gv_vk_readback readback = { 0 };
    bool ok = gv_vk_readback_buffer(rt, &readback, bytes, err) &&
              put(rt, &readback, out, err);
    gv_vk_readback_drop(rt, &readback);
    return ok;
}

static bool put_box(struct gv_runtime *rt, const struct gv_vk_box *box,
                    struct gv_bytes *out, struct gv_error *err)
{
    struct gv_vk_readback readback = { 0 };
    bool ok =
        gv_vk_readback_image(rt, &readback, box, err) && put(rt, &readback, out, err);
    gv_vk_readback_drop(rt, &readback);
    return ok;
}

static bool put_mip(struct gv_runtime *rt, struct gv_vk_image *image, uint32_t aspect,
                    uint32_t mip, struct gv_bytes *out, struct gv_error *err)
{
    const struct gv_vk_box box = { .image = image,
                                   .aspect = aspect,
                                   .mip = mip,
                                   .layers = image->layers,
                                   .width = gv_vk_image_mip_width(image, mip),
                                   .height = gv_vk_image_mip_height(image, mip),
                                   .depth = gv_vk_image_mip_depth(image, mip) };
    return put_box(rt, &box, out, err);
}

// Of colour, or of depth if that can be taken apart.
static bool put_samples(struct gv_runtime *rt, struct gv_vk_image *image,
                        struct gv_bytes *out, struct gv_error *err)
{
    struct gv_vk_sample sample = { .image = image, .aspect = GV_ASPECT_COLOR };
    bool ok = true;
    if (!(image->aspects & GV_ASPECT_COLOR))
        sample.aspect = GV_ASPECT_DEPTH;
    if (!gv_vk_sample_check(rt->device, &sample, NULL))
        return true;
    for (; ok && sample.layer < image->layers; sample.layer++)
        for (sample.number = 0; ok && sample.number < image->samples; sample.number++)
            ok = gv_vk_sample_read(rt, &sample, out, err);
    return ok;
}

static bool put_image(struct gv_runtime *rt, struct gv_vk_image *image,
                      struct gv_bytes *out, struct gv_error *err)
{
    static const uint32_t aspects[] = { GV_ASPECT_COLOR, GV_ASPECT_DEPTH,
                                        GV_ASPECT_STENCIL };
    bool ok = true;
    if (image->samples > 1)
        return put_samples(rt, image, out, err);
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
        for (uint32_t mip = 0; ok && aspects[i] & image->aspects && mip < image->mips;
             mip++)
            ok = put_mip(rt, image, aspects[i], mip, out, err);
    return ok;
}

static bool contents(struct gv_runtime *rt, enum gv_kind kind, uint64_t handle,
                     struct gv_bytes *out, struct gv_error *err)
{
    void *object = gv_handles_get(&rt->handles, kind, handle);
    if (!object)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no such object");
    if (kind != GV_KIND_BUFFER)
        return put_image(rt, object, out, err);
    struct gv_vk_buffer *buffer = object;
    return put_bytes(rt, (struct gv_vk_bytes){ buffer, 0, buffer->size }, out, err);
}

bool gv_runtime_sample(struct gv_runtime *rt, uint64_t image,
                       const struct gv_runtime_sample *sample, struct gv_bytes *out,
                       struct gv_error *err)
{
    const struct gv_vk_sample which = {
        .image = gv_vk_image_find(&rt->handles, image, "image", err),
        .aspect = sample->aspect,
        .layer = sample->layer,
        .number = sample->number,
    };
    return which.image && gv_runtime_outside_pass(rt, err) &&
           gv_vk_sample_check(rt->device, &which, err) &&
           gv_vk_sample_read(rt, &which, out, err);
}

bool gv_runtime_contents(struct gv_runtime *rt, enum gv_kind kind, uint64_t handle,
                         struct gv_bytes *out, struct gv_error *err)
{
    const bool in_pass = rt->in_pass;
    if (!gv_runtime_suspend(rt, err))
        return false;
    rt->in_pass = false;
    bool ok = contents(rt, kind, handle, out, err);
    rt->in_pass = in_pass;
    return ok && gv_runtime_resume(rt, err);
}

// ---- parts of them ----

bool gv_runtime_read_bytes(struct gv_runtime *rt, uint64_t buffer, uint64_t offset,
                           uint64_t size, struct gv_bytes *out, struct gv_error *err)
{
    struct gv_vk_buffer *b = gv_handles_get(&rt->handles, GV_KIND_BUFFER, buffer);
    const bool in_pass = rt->in_pass;
    if (!b)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no such buffer");
    if (offset > b->size || size > b->size - offset)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "bytes outside of the buffer");
    if (!size)
        return true;
    if (!gv_runtime_suspend(rt, err))
        return false;
    rt->in_pass = false;
    bool ok = put_bytes(rt, (struct gv_vk_bytes){ b, offset, size }, out, err);
    rt->in_pass = in_pass;
    return ok && gv_runtime_resume(rt, err);
}

static bool is_inside(const struct gv_vk_image *image, const struct gv_runtime_box *b)
{
    if (!(b->aspect & image->aspects) || b->aspect & (b->aspect - 1) ||
        b->mip >= image->mips || b->layer >= image->layers ||
        b->sample >= image->samples)
        return false;
    const uint32_t w = gv_vk_image_mip_width(image, b->mip);
    const uint32_t h = gv_vk_image_mip_height(image, b->mip);
    const uint32_t d = gv_vk_image_mip_depth(image, b->mip);
    return b->width && b->height && b->depth && b->x < w && b->y < h && b->z < d &&
           b->width <= w - b->x && b->height <= h - b->y && b->depth <= d - b->z;
}

// A sample is read as a whole layer, of which the box is taken.
static bool read_sample(struct gv_runtime *rt, struct gv_vk_image *image,
                        const struct gv_runtime_box *b, struct gv_bytes *out,
                        struct gv_error *err)
{
    const struct gv_vk_sample sample = {
        .image = image, .aspect = b->aspect, .layer = b->layer, .number = b->sample
    };
    struct gv_bytes layer = { 0 };
    bool ok = gv_vk_sample_check(rt->device, &sample, err) &&
              gv_vk_sample_read(rt, &sample, &layer, err);
    const size_t pitch = ok ? layer.size / image->height : 0;
    const size_t texel = pitch / image->width;
    for (size_t y = b->y; ok && y < (size_t)b->y + b->height; y++)
        gv_bytes_put(out, layer.data + y * pitch + b->x * texel, b->width * texel);
    ok = ok && (!out->failed || gv_out_of_memory(err));
    gv_bytes_finish(&layer);
    return ok;
}

static bool read_box(struct gv_runtime *rt, struct gv_vk_image *image,
                     const struct gv_runtime_box *b, struct gv_bytes *out,
                     struct gv_error *err)
{
    const struct gv_vk_box box = { .image = image,
                                   .aspect = b->aspect,
                                   .mip = b->mip,
                                   .layer = b->layer,
                                   .layers = 1,
                                   .x = b->x,
                                   .y = b->y,
                                   .z = b->z,
                                   .width = b->width,
                                   .height = b->height,
                                   .depth = b->depth };
    return put_box(rt, &box, out, err);
}

bool gv_runtime_read_box(struct gv_runtime *rt, uint64_t image,
                         const struct gv_runtime_box *box, struct gv_bytes *out,
                         struct gv_error *err)
{
    struct gv_vk_image *i = gv_vk_image_find(&rt->handles, image, "image", err);
    const bool in_pass = rt->in_pass;
    if (!i)
        return false;
    if (!is_inside(i, box))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "texels outside of the image");
    if (!gv_runtime_suspend(rt, err))
        return false;
    rt->in_pass = false;
    bool ok = i->samples > 1 ? read_sample(rt, i, box, out, err)
                             : read_box(rt, i, box, out, err);
    rt->in_pass = in_pass;
    return ok && gv_runtime_resume(rt, err);
}
