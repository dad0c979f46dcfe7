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

static bool put_buffer(struct gv_runtime *rt, struct gv_vk_buffer *buffer,
                       struct gv_bytes *out, struct gv_error *err)
{
    struct gv_vk_readback readback = { 0 };
    bool ok =
        gv_vk_readback_buffer(rt, &readback,
                              (struct gv_vk_bytes){ buffer, 0, buffer->size }, err) &&
        put(rt, &readback, out, err);
    gv_vk_readback_drop(rt, &readback);
    return ok;
}

static bool put_mip(struct gv_runtime *rt, struct gv_vk_image *image, uint32_t aspect,
                    uint32_t mip, struct gv_bytes *out, struct gv_error *err)
{
    struct gv_vk_readback readback = { 0 };
    const struct gv_vk_box box = { .image = image,
                                   .aspect = aspect,
                                   .mip = mip,
                                   .layers = image->layers,
                                   .width = gv_vk_image_mip_width(image, mip),
                                   .height = gv_vk_image_mip_height(image, mip),
                                   .depth = gv_vk_image_mip_depth(image, mip) };
    bool ok =
        gv_vk_readback_image(rt, &readback, &box, err) && put(rt, &readback, out, err);
    gv_vk_readback_drop(rt, &readback);
    return ok;
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
    return kind == GV_KIND_BUFFER ? put_buffer(rt, object, out, err)
                                  : put_image(rt, object, out, err);
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
