#include "runtime/vk/transfer/texel_converter.h"

#include "runtime/shaders/convert_texels.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "vm/texel.h"

#include <string.h>

#define REGIONS 64        // of one copy command
#define ALIGNMENT 48      // of a copy's offset, whatever the texel's bytes are
#define MOST_GROUPS 32768 // of one dispatch; the kernel goes round

// As convert_texels.comp has them.
enum kind { UNORM, SNORM, UINT, SINT, FLOAT, SRGB, SHARED, DEPTH24 };
struct constants {
    uint32_t from[3], by[3], to[3];
    uint32_t size[3], width, height, texels;
    uint32_t source, target, linear;
    float start[3], scale[3];
};

static const struct gv_vk_kernel_code kernel_code =
    GV_VK_KERNEL_CODE(convert_texels, sizeof(struct constants));

void gv_vk_converter_finish(struct gv_runtime *rt, struct gv_vk_converter *converter)
{
    gv_vk_kernel_finish(rt, &converter->kernel);
    gv_vk_scratch_finish(rt->heaps, &converter->scratch);
}

bool gv_vk_texels_convert(const struct gv_vk_device *device,
                          const struct gv_vk_image *image, uint32_t aspect)
{
    return aspect != GV_ASPECT_STENCIL &&
           gv_vk_device_format(device, image->format) != image->format;
}

// ---- formats, as the kernel reads them ----

static enum kind kind_of(const struct gv_texel *texel)
{
    if (texel->format == GV_FORMAT_E5B9G9R9_UFLOAT_PACK32)
        return SHARED;
    switch ((enum gv_format_kind)texel->kind) {
    case GV_FORMAT_KIND_UNORM:
        return texel->bits[0] == 24 ? DEPTH24 : UNORM;
    case GV_FORMAT_KIND_SNORM:
        return SNORM;
    case GV_FORMAT_KIND_USCALED:
    case GV_FORMAT_KIND_UINT:
        return UINT;
    case GV_FORMAT_KIND_SSCALED:
    case GV_FORMAT_KIND_SINT:
        return SINT;
    case GV_FORMAT_KIND_UFLOAT:
    case GV_FORMAT_KIND_SFLOAT:
        return FLOAT;
    case GV_FORMAT_KIND_SRGB:
        return SRGB;
    }
    return UNORM;
}

static void set_place(uint32_t code[3], uint32_t place, uint32_t shift, uint32_t bits)
{
    code[place / 2] |= (shift | bits << 8) << place % 2 * 16;
}

static bool encode_format(VkFormat format, uint32_t code[3], struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)format);
    struct gv_texel texel;
    if (!gv_texel_lay_out(&texel, info, 0) || texel.bytes > 16)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device misses what is done with format %s", info->name);
    code[2] = texel.bytes | (uint32_t)kind_of(&texel) << 8;
    for (uint32_t i = 0; i < texel.components && kind_of(&texel) != SHARED; i++)
        if (texel.place[i] < 4)
            set_place(code, texel.place[i], texel.shift[i], texel.bits[i]);
    return true;
}

// Texels whose bits are moved: up to four integers.
static void encode_bits(uint32_t bytes, uint32_t code[3])
{
    const uint32_t part = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
    code[2] = bytes | (uint32_t)UINT << 8;
    for (uint32_t i = 0; i < bytes / part; i++)
        set_place(code, i, i * part * 8, part * 8);
}

// ---- the kernel ----

struct job {
    struct constants c;
    uint64_t from_bytes, to_bytes;
};

static uint64_t texels_of(const struct gv_vk_box *box)
{
    return (uint64_t)box->width * box->height * box->depth * box->layers;
}

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Of texels that stay where they are.
static struct job plain_job(const struct gv_vk_box *box)
{
    const uint32_t slices = box->depth * box->layers;
    return (struct job){ .c = { .size = { box->width, box->height, slices },
                                .width = box->width,
                                .height = box->height,
                                .scale = { 1, 1, 1 } } };
}

// What is computed from formats and sizes; room for it.
static bool prepare(struct gv_runtime *rt, struct job *job, uint64_t texels,
                    struct gv_error *err)
{
    struct gv_vk_converter *t = rt->converter;
    struct constants *c = &job->c;
    const uint64_t source = (uint64_t)c->size[0] * c->size[1] * c->size[2];
    job->from_bytes = source * (c->from[2] & 255);
    job->to_bytes = texels * (c->to[2] & 255);
    c->texels = (uint32_t)texels;
    c->target = (uint32_t)(aligned(job->from_bytes) / 4);
    const uint64_t bytes = aligned(job->from_bytes) + aligned(job->to_bytes);
    if (bytes > GV_VK_LIMITS(rt->device)->maxStorageBufferRange)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "%llu bytes of texels to convert for this device",
                       (unsigned long long)bytes);
    if ((!t->kernel.pipeline && !gv_vk_kernel_init(rt, &t->kernel, kernel_code, err)) ||
        !gv_vk_scratch_reserve(rt, &t->scratch, bytes,
                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                   VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                   VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               err))
        return false;
    // The last copy out of the scratch buffer must be done.
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COPY_BIT, 0,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    return true;
}

// Converts what one copy has put there, for another.
static bool convert(struct gv_runtime *rt, const struct job *job, struct gv_error *err)
{
    struct gv_vk_converter *t = rt->converter;
    const uint64_t groups = (job->to_bytes + 3) / 4 / 64 + 1;
    const struct gv_vk_kernel_job run = {
        t->scratch.handle, aligned(job->from_bytes) + aligned(job->to_bytes), &job->c,
        (uint32_t)(groups < MOST_GROUPS ? groups : MOST_GROUPS)
    };
    gv_vk_scratch_order(
        rt->commands, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    // Conditions and queries are about what the payload records; a pass has left them.
    const bool outside = !rt->in_pass;
    if ((outside && !gv_runtime_suspend(rt, err)) ||
        !gv_vk_kernel_run(rt, &t->kernel, &run, err) ||
        (outside && !gv_runtime_resume(rt, err)))
        return false;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                        VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    return true;
}

static void copy_in(const struct gv_vk_commands *commands,
                    const struct gv_vk_converter *converter,
                    const struct gv_vk_box *box, VkImageLayout layout)
{
    const VkBufferImageCopy region = gv_vk_box_copy(box, 0);
    vkCmdCopyImageToBuffer(commands->buffer, box->image->handle, layout,
                           converter->scratch.handle, 1, &region);
}

static void copy_out(const struct gv_vk_commands *commands,
                     const struct gv_vk_converter *converter, const struct job *job,
                     const struct gv_vk_box *box, VkImageLayout layout)
{
    const VkBufferImageCopy region = gv_vk_box_copy(box, aligned(job->from_bytes));
    vkCmdCopyBufferToImage(commands->buffer, converter->scratch.handle,
                           box->image->handle, layout, 1, &region);
}

// ---- copies between images and buffers ----

// Between tight rows in the scratch buffer, from `at` on, and those of the copy.
static void copy_rows(struct gv_runtime *rt, const struct gv_vk_texel_copy *copy,
                      uint32_t texel_bytes, uint64_t at, bool out)
{
    const struct gv_vk_box *box = copy->box;
    VkBuffer scratch = rt->converter->scratch.handle;
    uint64_t tight = (uint64_t)box->width * texel_bytes;
    uint64_t row_bytes = copy->row_bytes ? copy->row_bytes : tight;
    uint64_t rows = copy->rows ? copy->rows : box->height;
    VkBufferCopy regions[REGIONS];
    uint32_t n = 0;
    uint64_t count = (uint64_t)box->height * box->depth * box->layers;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t row = i / box->height * rows + i % box->height;
        uint64_t there = copy->offset + row * row_bytes, here = at + i * tight;
        regions[n++] = (VkBufferCopy){ out ? here : there, out ? there : here, tight };
        if (n < REGIONS && i + 1 < count)
            continue;
        vkCmdCopyBuffer(rt->commands->buffer, out ? scratch : copy->buffer,
                        out ? copy->buffer : scratch, n, regions);
        n = 0;
    }
}

bool gv_vk_texels_read(struct gv_runtime *rt, const struct gv_vk_texel_copy *copy,
                       struct gv_error *err)
{
    const VkFormat own = copy->box->image->format;
    struct job job = plain_job(copy->box);
    if (!encode_format(gv_vk_device_format(rt->device, own), job.c.from, err) ||
        !encode_format(own, job.c.to, err) ||
        !prepare(rt, &job, texels_of(copy->box), err))
        return false;
    copy_in(rt->commands, rt->converter, copy->box, copy->layout);
    if (!convert(rt, &job, err))
        return false;
    copy_rows(rt, copy, job.c.to[2] & 255, aligned(job.from_bytes), true);
    return true;
}

bool gv_vk_texels_write(struct gv_runtime *rt, const struct gv_vk_texel_copy *copy,
                        struct gv_error *err)
{
    const VkFormat own = copy->box->image->format;
    struct job job = plain_job(copy->box);
    if (!encode_format(own, job.c.from, err) ||
        !encode_format(gv_vk_device_format(rt->device, own), job.c.to, err) ||
        !prepare(rt, &job, texels_of(copy->box), err))
        return false;
    copy_rows(rt, copy, job.c.from[2] & 255, 0, false);
    if (!convert(rt, &job, err))
        return false;
    copy_out(rt->commands, rt->converter, &job, copy->box, copy->layout);
    return true;
}

// ---- within and between images ----

bool gv_vk_texels_round(struct gv_runtime *rt, const struct gv_vk_box *box,
                        struct gv_error *err)
{
    const VkFormat own = box->image->format;
    const VkFormat kept = gv_vk_device_format(rt->device, own);
    const VkImageSubresourceRange range = gv_vk_box_range(box);
    const VkImageLayout source = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageLayout target = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    struct job job = plain_job(box);
    if (kept == own)
        return true;
    if (!encode_format(kept, job.c.from, err) || !encode_format(own, job.c.by, err) ||
        !encode_format(kept, job.c.to, err) ||
        !gv_vk_barriers_read_image(rt, box->image, &range, source, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err) ||
        !prepare(rt, &job, texels_of(box), err))
        return false;
    copy_in(rt->commands, rt->converter, box, source);
    if (!convert(rt, &job, err) ||
        !gv_vk_barriers_write_image(rt, box->image, &range, target, false, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err))
        return false;
    copy_out(rt->commands, rt->converter, &job, box, target);
    return true;
}

// The numbers of sRGB, without decoding them.
static void take_as_stored(uint32_t code[3])
{
    if (code[2] >> 8 == SRGB)
        code[2] = (code[2] & 255) | (uint32_t)UNORM << 8;
}

// The three formats of a blit: what is written has passed through its own format.
static bool encode_blit(const struct gv_vk_device *device,
                        const struct gv_vk_texel_blit *blit, struct constants *c,
                        struct gv_error *err)
{
    const VkFormat own = blit->dst->image->format;
    const VkFormat to = gv_vk_device_format(device, own);
    const VkFormat from = gv_vk_device_format(device, blit->src->image->format);
    if (blit->bits) {
        const uint32_t bytes =
            gv_format_aspect_bytes(gv_format_info((uint64_t)to), blit->dst->aspect);
        encode_bits(bytes, c->from);
        encode_bits(bytes, c->to);
        return true;
    }
    if (!encode_format(from, c->from, err) || !encode_format(to, c->to, err) ||
        (own != to && !encode_format(own, c->by, err)))
        return false;
    if (blit->encoded && own == to) {
        take_as_stored(c->from);
        take_as_stored(c->to);
    }
    return true;
}

bool gv_vk_texels_blit(struct gv_runtime *rt, const struct gv_vk_texel_blit *blit,
                       struct gv_error *err)
{
    struct job job = plain_job(blit->src);
    job.c.width = blit->dst->width;
    job.c.height = blit->dst->height;
    job.c.linear = blit->linear;
    memcpy(job.c.start, blit->start, sizeof job.c.start);
    memcpy(job.c.scale, blit->scale, sizeof job.c.scale);
    if (!encode_blit(rt->device, blit, &job.c, err) ||
        !prepare(rt, &job, texels_of(blit->dst), err))
        return false;
    copy_in(rt->commands, rt->converter, blit->src, blit->src_layout);
    if (!convert(rt, &job, err))
        return false;
    copy_out(rt->commands, rt->converter, &job, blit->dst, blit->dst_layout);
    return true;
}
