// What work uses: images that must be at rest, and who must wait for whom. Only what
// draws and dispatches name costs anything.
#ifndef GV_VK_USES_H
#define GV_VK_USES_H

#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/image.h"

// Something a descriptor lets shaders use, for hazards; neither object: nothing.
struct gv_vk_use {
    struct gv_vk_buffer *buffer; // or
    struct gv_vk_image *image;
    uint32_t mip, mips, layer, layers;
    bool write;
    VkPipelineStageFlags2 stages;
};

struct gv_vk_uses {
    const struct gv_vk_use *items; // borrowed
    size_t count;
};

// Before the round that work needs: what it uses must come to rest, and a first writer
// must wait for readers that nobody counted. Sets `urgent` where a round is needed.
void gv_vk_uses_before(struct gv_vk_barriers *barriers, struct gv_vk_uses uses);

// After that round: the work of the current work_count uses these.
void gv_vk_uses_note(struct gv_vk_barriers *barriers, struct gv_vk_uses uses);

// The same for a buffer that only fixed function reads.
void gv_vk_uses_note_buffer(struct gv_vk_barriers *barriers,
                            struct gv_vk_buffer *buffer, VkPipelineStageFlags2 stages);

#endif
