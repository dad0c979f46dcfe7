// Set and pipeline layouts, one per distinct binding list.
#ifndef GV_VK_PIPELINE_LAYOUT_H
#define GV_VK_PIPELINE_LAYOUT_H

#include "vm/descs.h"

#include <volk.h>

struct gv_runtime;

// One binding of a set.
struct gv_vk_row {
    uint32_t binding, type, count, stages; // as gv_binding_desc
    bool dynamic; // uniform bytes through a dynamic offset, not a descriptor of its own
};

struct gv_vk_set_layout {
    VkDescriptorSetLayout handle;
    uint64_t id;
    struct gv_vk_row *rows; // owned; ascending binding
    uint32_t row_count;
    uint32_t descriptor_count; // sum of counts
    struct gv_vk_set_layout *next;
};

struct gv_vk_layout {
    VkPipelineLayout handle;
    struct gv_vk_set_layout *sets[GV_MAX_SETS]; // borrowed; [set_count]
    uint32_t set_count;
    struct gv_vk_layout *next;
};

struct gv_vk_layouts {
    struct gv_vk_set_layout *sets; // owned lists
    struct gv_vk_layout *layouts;
};

// The layout of a binding list, made at first use. NULL: GV_ERR_DEVICE naming the
// device limit that the list passes, GV_ERR_LIMIT.
struct gv_vk_layout *gv_vk_layout_get(struct gv_runtime *rt,
                                      struct gv_vk_layouts *layouts,
                                      const struct gv_interface_desc *desc,
                                      struct gv_error *err);
void gv_vk_layouts_finish(struct gv_runtime *rt, struct gv_vk_layouts *layouts);

#endif
