#include "runtime/vk/transfer/depth24.h"

#include "runtime/shaders/convert_depth24.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"

#include <string.h>

#define REGIONS 64 // of one copy command

struct constants {
    uint32_t count, to_float;
};

static const struct gv_vk_kernel_code kernel_code = { convert_depth24,
                                                      sizeof convert_depth24,
                                                      sizeof(struct constants) };

bool gv_vk_depth24_converts(const struct gv_vk_device *device,
                            const struct gv_vk_image *image, uint32_t aspect)
{
    return aspect == GV_ASPECT_DEPTH &&
           gv_vk_device_format(device, image->format) != image->format;
}

void gv_vk_depth24_to_float(uint8_t *texels, uint64_t bytes)
{
    for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t v;
        memcpy(&v, texels + i, 4);
        float f = (float)((v & 0xffffffu) / 16777215.0);
        memcpy(texels + i, &f, 4);
    }
}

void gv_vk_depth24_finish(struct gv_runtime *rt, struct gv_vk_depth24 *depth24)
{
    gv_vk_kernel_finish(rt, &depth24->kernel);
    gv_vk_scratch_finish(rt, &depth24->scratch);
}

static uint64_t tight_bytes(const struct gv_vk_box *box)
{
    return (uint64_t)box->width * box->height * box->depth * box->layers * 4;
}

static bool ready(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    struct gv_vk_depth24 *d = rt->depth24;
    if (bytes > GV_VK_LIMITS(rt->device)->maxStorageBufferRange)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "%llu bytes of depths to convert for this device",
                       (unsigned long long)bytes);
    return (d->kernel.pipeline ||
            gv_vk_kernel_init(rt, &d->kernel, kernel_code, err)) &&
           gv_vk_scratch_reserve(rt, &d->scratch, bytes,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 err);
}

// Converts what one copy has put there, for another.
static bool convert(struct gv_runtime *rt, uint64_t bytes, bool to_float,
                    struct gv_error *err)
{
    struct gv_vk_depth24 *d = rt->depth24;
    const struct constants c = { (uint32_t)(bytes / 4), to_float };
    uint32_t groups = c.count / 64 + 1;
    const VkAccessFlags2 storage =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COPY_BIT,
                        VK_ACCESS_2_TRANSFER_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, storage);
    const struct gv_vk_kernel_job run = { d->scratch.handle, bytes, &c,
                                          groups < 4096 ? groups : 4096 };
    if (!gv_vk_kernel_run(rt, &d->kernel, &run, err))
        return false;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                        VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    return true;
}

// Between tight rows in the scratch buffer and those of the copy.
static void copy_rows(struct gv_runtime *rt, const struct gv_vk_depth24_copy *copy,
                      bool out)
{
    const struct gv_vk_box *box = copy->box;
    VkBuffer scratch = rt->depth24->scratch.handle;
    uint64_t tight = (uint64_t)box->width * 4;
    uint64_t row_bytes = copy->row_bytes ? copy->row_bytes : tight;
    uint64_t rows = copy->rows ? copy->rows : box->height;
    VkBufferCopy regions[REGIONS];
    uint32_t n = 0;
    uint64_t count = (uint64_t)box->height * box->depth * box->layers;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t row = i / box->height * rows + i % box->height;
        uint64_t there = copy->offset + row * row_bytes, here = i * tight;
        regions[n++] = (VkBufferCopy){ out ? here : there, out ? there : here, tight };
        if (n < REGIONS && i + 1 < count)
            continue;
        vkCmdCopyBuffer(rt->commands->buffer, out ? scratch : copy->buffer,
                        out ? copy->buffer : scratch, n, regions);
        n = 0;
    }
}

static VkBufferImageCopy region_of(const struct gv_vk_box *box)
{
    return (VkBufferImageCopy){
        .imageSubresource = gv_vk_box_layers(box),
        .imageOffset = { (int32_t)box->x, (int32_t)box->y, (int32_t)box->z },
        .imageExtent = { box->width, box->height, box->depth },
    };
}

// The last copy out of the scratch buffer must be done.
static void begin(struct gv_vk_commands *commands)
{
    gv_vk_scratch_order(commands, VK_PIPELINE_STAGE_2_COPY_BIT, 0,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
}

bool gv_vk_depth24_read(struct gv_runtime *rt, const struct gv_vk_depth24_copy *copy,
                        struct gv_error *err)
{
    uint64_t bytes = tight_bytes(copy->box);
    const VkBufferImageCopy region = region_of(copy->box);
    if (!ready(rt, bytes, err))
        return false;
    begin(rt->commands);
    vkCmdCopyImageToBuffer(rt->commands->buffer, copy->box->image->handle, copy->layout,
                           rt->depth24->scratch.handle, 1, &region);
    if (!convert(rt, bytes, false, err))
        return false;
    copy_rows(rt, copy, true);
    return true;
}

bool gv_vk_depth24_write(struct gv_runtime *rt, const struct gv_vk_depth24_copy *copy,
                         struct gv_error *err)
{
    uint64_t bytes = tight_bytes(copy->box);
    const VkBufferImageCopy region = region_of(copy->box);
    if (!ready(rt, bytes, err))
        return false;
    begin(rt->commands);
    copy_rows(rt, copy, false);
    if (!convert(rt, bytes, true, err))
        return false;
    vkCmdCopyBufferToImage(rt->commands->buffer, rt->depth24->scratch.handle,
                           copy->box->image->handle, copy->layout, 1, &region);
    return true;
}
