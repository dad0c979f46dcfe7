// Meta-data of gfxreconstruct's files: what is no call, by kind.
#ifndef GV_GFXR_META_H
#define GV_GFXR_META_H

#include "compiler/gfxr/gfxr_blocks.h"
#include "compiler/vulkan/vulkan.h"

enum gv_gfxr_meta_kind {
    GV_GFXR_IGNORED, // nothing that a picture shows, or a kind of a newer recorder
    GV_GFXR_FILL,
    GV_GFXR_SWAPCHAIN,
    GV_GFXR_BUFFER,
    GV_GFXR_IMAGE,
    GV_GFXR_MEMORY,
    GV_GFXR_DEVICE,
};

// Of the device that recorded.
struct gv_gfxr_device {
    uint64_t physical_device;
    uint32_t api, driver, vendor, device, type;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
};

struct gv_gfxr_meta {
    enum gv_gfxr_meta_kind kind;
    union {
        struct gv_vulkan_fill fill;
        struct gv_vulkan_swapchain_state swapchain;
        struct gv_vulkan_buffer_contents buffer;
        struct gv_vulkan_image_contents image;
        struct gv_vulkan_memory memory;
        struct gv_gfxr_device device;
    };
};

// Reads the meta-data of a block; what it points to lasts until the next block, or
// comes from `arena`. GV_ERR_FORMAT; GV_ERR_UNSUPPORTED, by name, for other APIs' and
// for asset files.
bool gv_gfxr_meta(struct gv_gfxr_reader *reader, struct gv_gfxr_block *block,
                  struct gv_arena *arena, struct gv_gfxr_meta *out,
                  struct gv_error *err);

// "fill memory", "kind 999".
void gv_gfxr_put_meta_name(struct gv_bytes *out, uint32_t id);

#endif
