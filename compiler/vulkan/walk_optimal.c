// Texels of optimal images in memory that a program had mapped when its capture began:
// they stand there as the recording driver lays them out. Mesa's software driver is
// known: sides rounded up to four texels, rows and mips to 64 bytes, slices behind each
// other in their mip.
#include "compiler/vulkan/walk.h"

#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

#define ROW_ALIGN 64u
#define SIDE_ALIGN 4u

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

struct level {
    uint32_t width, height, slices;
    uint64_t offset, pitch, slice_bytes, size; // bytes
};

// Walks to a mip; false: sizes that no memory has.
static bool find_level(const VkImageCreateInfo *info, const struct gv_format_info *f,
                       uint32_t mip, struct level *out)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i <= mip; i++) {
        out->width = gv_mip_size(info->extent.width, i);
        out->height = gv_mip_size(info->extent.height, i);
        out->slices = info->imageType == VK_IMAGE_TYPE_3D
                          ? gv_mip_size(info->extent.depth, i)
                          : info->arrayLayers;
        const uint64_t columns =
            round_up(round_up(out->width, SIDE_ALIGN), f->block_width) / f->block_width;
        const uint64_t rows =
            round_up(round_up(out->height, SIDE_ALIGN), f->block_height) /
            f->block_height;
        out->offset = offset;
        out->pitch = round_up(columns * f->block_bytes, ROW_ALIGN);
        if (out->width > UINT16_MAX || out->height > UINT16_MAX ||
            out->slices > UINT16_MAX)
            return false;
        out->slice_bytes = out->pitch * rows;
        out->size = out->slice_bytes * out->slices;
        offset += round_up(out->size, ROW_ALIGN);
    }
    return true;
}

// What of an image can be read out of memory.
static const struct gv_format_info *readable(const VkImageCreateInfo *info)
{
    const struct gv_format_info *f = gv_format_info((uint64_t)info->format);
    return f && f->aspects == GV_ASPECT_COLOR && info->mipLevels <= 16 &&
                   info->samples == VK_SAMPLE_COUNT_1_BIT
               ? f
               : NULL;
}

uint64_t gv_walk_optimal_bytes(const struct gv_cap_image *image)
{
    struct level last;
    const struct gv_format_info *f = readable(&image->info);
    return f && image->info.mipLevels &&
                   find_level(&image->info, f, image->info.mipLevels - 1, &last)
               ? last.offset + last.size
               : 1;
}

static bool upload(struct gv_walk *w, struct gv_cap_image *image, uint32_t mip,
                   const struct level *l, struct gv_error *err)
{
    const bool deep = image->info.imageType == VK_IMAGE_TYPE_3D;
    if (!gv_walk_fits(w->vulkan, l->size, err))
        return false;
    uint8_t *texels = malloc((size_t)l->size);
    if (!texels)
        return gv_cap_no_memory(w->cap, err);
    const uint64_t rows = l->slice_bytes / l->pitch;
    gv_cap_memory_read(&image->base, l->offset, l->size, texels);
    gv_emit(w->b, image_upload, .image = gv_walk_image(w, image),
            .aspect = GV_ASPECT_COLOR, .mip = mip, .layer = 0,
            .layers = deep ? 1 : l->slices, .x = 0, .y = 0, .z = 0, .width = l->width,
            .height = l->height, .depth = deep ? l->slices : 1,
            .row_bytes = (uint32_t)l->pitch, .rows = (uint32_t)rows,
            .data = gv_data(texels), .size = l->size);
    free(texels);
    return true;
}

bool gv_walk_read_optimal(struct gv_walk *w, struct gv_cap_image *image,
                          struct gv_error *err)
{
    const struct gv_format_info *f = readable(&image->info);
    if (!w->vulkan->software || !f) {
        gv_walk_unsupported(w, "texels in memory as another driver lays them out");
        return true;
    }
    if (!gv_walk_image(w, image).id)
        return true;
    for (uint32_t i = 0; i < image->info.mipLevels; i++) {
        struct level l;
        if (find_level(&image->info, f, i, &l) && l.offset < image->base.size &&
            l.size <= image->base.size - l.offset && !upload(w, image, i, &l, err))
            return false;
    }
    return true;
}

void gv_vulkan_device(struct gv_vulkan *v, const char *name)
{
    v->software = !strncmp(name, "llvmpipe", strlen("llvmpipe"));
}
