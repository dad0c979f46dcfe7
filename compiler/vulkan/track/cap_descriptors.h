// Descriptor sets: layouts, and what every element of a set holds. Sets are read when
// work runs, not when it is recorded: a set may be written behind its recording.
#ifndef GV_CAP_DESCRIPTORS_H
#define GV_CAP_DESCRIPTORS_H

#include "compiler/vulkan/track/cap_object.h"

#define GV_CAP_MAX_ELEMENTS (1u << 20) // of a set
#define GV_CAP_MAX_BINDINGS (1u << 14) // of a set, elements or none

struct gv_cap_binding {
    uint32_t binding;
    VkDescriptorType type;
    uint32_t count;   // elements
    uint32_t first;   // of the set's elements
    uint32_t dynamic; // offsets that those before it take
    VkShaderStageFlags stages;
    const struct gv_cap_ref *samplers; // [count]; NULL: none is immutable
};
struct gv_cap_set_layout {
    uint32_t count, elements, dynamic;     // dynamic: offsets that it takes
    const struct gv_cap_binding *bindings; // [count], ascending
};
bool gv_cap_is_dynamic(VkDescriptorType type);
const struct gv_cap_binding *gv_cap_layout_find(const struct gv_cap_set_layout *l,
                                                uint32_t binding);

struct gv_cap_pipeline_layout {
    uint32_t set_count;
    const struct gv_cap_set_layout *const *sets; // NULL in the gaps of libraries
    uint32_t push_bytes;                         // from 0 on
};

// One element. Which members count follows from the type of its binding.
struct gv_cap_descriptor {
    bool written;
    struct gv_cap_ref sampler, view, buffer;
    uint64_t offset, range; // range may be VK_WHOLE_SIZE
};
struct gv_cap_set {
    const struct gv_cap_set_layout *layout;
    struct gv_cap_descriptor elements[]; // [layout->elements]
};

bool gv_cap_set_layout(struct gv_cap *cap,
                       const struct gv_vk_args_vkCreateDescriptorSetLayout *args,
                       struct gv_error *err);
bool gv_cap_pipeline_layout(struct gv_cap *cap,
                            const struct gv_vk_args_vkCreatePipelineLayout *args,
                            struct gv_error *err);
bool gv_cap_allocate_sets(struct gv_cap *cap,
                          const struct gv_vk_args_vkAllocateDescriptorSets *args,
                          struct gv_error *err);
bool gv_cap_update_sets(struct gv_cap *cap,
                        const struct gv_vk_args_vkUpdateDescriptorSets *args,
                        struct gv_error *err);

// Writes descriptors of a set, which may be none that the program allocated: `dstSet`
// does not count. NULL: it has been refused.
bool gv_cap_write_set(const struct gv_cap *cap, struct gv_cap_set *set,
                      const VkWriteDescriptorSet *write, struct gv_error *err);
bool gv_cap_write_with_template(const struct gv_cap *cap, struct gv_cap_set *set,
                                uint64_t id, const struct gv_vk_template_data *data,
                                struct gv_error *err);

// Where a template's descriptors are bound, if they are pushed.
bool gv_cap_template_point(const struct gv_cap *cap, uint64_t id,
                           VkPipelineBindPoint *point, struct gv_error *err);

// Updates through templates, whose entries say where the descriptors go.
bool gv_cap_create_template(
    struct gv_cap *cap, const struct gv_vk_args_vkCreateDescriptorUpdateTemplate *args,
    struct gv_error *err);
bool gv_cap_update_with_template(
    struct gv_cap *cap, const struct gv_vk_args_vkUpdateDescriptorSetWithTemplate *args,
    struct gv_error *err);

#endif
