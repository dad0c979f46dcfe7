// Set and pipeline layouts, one per distinct binding list.
#ifndef GV_VK_PIPELINE_LAYOUT_H
#define GV_VK_PIPELINE_LAYOUT_H

#include "vm/descs.h"

#include <volk.h>

struct gv_vk_heaps;
struct gv_vk_device;

#define GV_VK_MAX_DYNAMIC 64      // dynamic uniform buffers of one pipeline
#define GV_VK_DESCRIPTOR_COST 128 // of a set or layout (object_costs.h)

// One binding of a set.
struct gv_vk_row {
    uint32_t binding, type, count, stages; // as gv_binding_desc
    bool dynamic; // uniform bytes through a dynamic offset, not a descriptor of its own
};

// What the shaders of a pipeline want of one binding of its layout.
struct gv_vk_need {
    bool used; // by any shader; the rest may hold anything
    bool writable, multisampled, compares, samples;
    uint8_t view_type; // GV_VIEW_TYPE_*
    uint8_t numeric;   // enum gv_spirv_numeric
    uint32_t image_format;
    VkPipelineStageFlags2 stages;
};

// What shaders want of a whole set: equal wants of one set layout are one object.
struct gv_vk_needs {
    struct gv_vk_needs *next;
    struct gv_vk_need rows[]; // [row_count of the set layout]
};

struct gv_vk_set_layout {
    VkDescriptorSetLayout handle;
    uint64_t id;
    struct gv_vk_row *rows; // owned; ascending binding
    uint32_t row_count;
    uint32_t descriptor_count;          // sum of counts
    uint32_t bytes_count;               // rows of uniform bytes
    struct gv_vk_needs *needs;          // owned list
    VkDescriptorUpdateTemplate updates; // descriptors.c; made at first use
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
struct gv_vk_layout *gv_vk_layout_get(struct gv_vk_heaps *heaps,
                                      struct gv_vk_layouts *layouts,
                                      const struct gv_interface_desc *desc,
                                      struct gv_error *err);
// The one object for these wants, `rows[layout->row_count]`. NULL: out of memory.
const struct gv_vk_needs *gv_vk_needs_get(struct gv_vk_set_layout *layout,
                                          const struct gv_vk_need *rows,
                                          struct gv_error *err);

void gv_vk_layouts_finish(const struct gv_vk_device *device,
                          struct gv_vk_layouts *layouts);

#endif
