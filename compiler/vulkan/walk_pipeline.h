// Pipelines and render passes as they were created. Pipelines of the payload are made
// of them when a draw first needs one: the same recorded pipeline is several where
// commands set state that payloads have in the pipeline.
#ifndef GV_WALK_PIPELINE_H
#define GV_WALK_PIPELINE_H

#include "compiler/vulkan/walk.h"

#define GV_WALK_UNUSED VK_ATTACHMENT_UNUSED

struct gv_walk_attachment {
    VkFormat format;
    VkAttachmentLoadOp load, stencil_load;
    VkAttachmentStoreOp store, stencil_store;
    uint32_t last; // the subpass that uses it last
};

struct gv_walk_subpass {
    uint32_t color_count;
    uint32_t color[GV_WALK_COLORS], resolve[GV_WALK_COLORS], depth; // or GV_WALK_UNUSED
    uint32_t views;                                                 // by bits
    const char *unsupported;                                        // NULL: none
};

struct gv_walk_render_pass {
    uint32_t attachment_count, subpass_count;
    struct gv_walk_attachment *attachments;
    struct gv_walk_subpass *subpasses;
};

bool gv_walk_render_pass(struct gv_vulkan *v,
                         const struct gv_vk_args_vkCreateRenderPass *a,
                         struct gv_error *err);
bool gv_walk_render_pass2(struct gv_vulkan *v,
                          const struct gv_vk_args_vkCreateRenderPass2 *a,
                          struct gv_error *err);

// A binding that stages use, where it was recorded and where the payload has it.
struct gv_walk_used {
    uint32_t set;
    const struct gv_cap_binding *binding;
    struct gv_binding_desc desc;
};

// State that a recorded pipeline leaves to commands: bits by gv_walk_dynamic_bit.
uint32_t gv_walk_dynamic_bit(VkDynamicState state); // 64: one without a bit
#define GV_WALK_IS_DYNAMIC(p, state) \
    ((p)->dynamic >> gv_walk_dynamic_bit(VK_DYNAMIC_STATE_##state) & 1)

// What one form of a graphics pipeline differs in from others of the same recorded one.
// Compared as bytes: zeroed before it is filled.
struct gv_walk_form {
    const struct gv_walk_input *input;
    uint32_t topology, cull, front, depth_compare, logic;
    uint32_t viewport_count, color_count, depth_format;
    uint32_t colors[GV_WALK_COLORS];
    uint32_t stencil[2][4]; // fail, pass, depth fail, compare
    uint32_t blends[GV_WALK_COLORS]
                   [7]; // source, destination, operation; of alpha; mask
    uint32_t polygon, provoking, line_mode, samples, sample_mask;
    uint16_t stream, view;
    uint16_t strides[GV_MAX_VERTEX_BINDINGS];
    uint8_t control_points, restart, discard, bias;
    uint8_t depth_test, depth_write, bounds_test, stencil_test;
    uint8_t clamp, clip, minus_one, stipple, logic_enable, coverage, to_one, origin;
    uint8_t blend_enable[GV_WALK_COLORS];
};

// A slot of the payload's vertex input: a recorded binding, or an attribute of one that
// lies behind its stride.
struct gv_walk_slot {
    uint32_t binding, offset, stride;
    bool stride_open; // commands say it
};

struct gv_walk_variant {
    struct gv_walk_variant *next;
    struct gv_walk_form form;
    struct gv_pipeline pipeline;
    struct gv_walk_slot slots[GV_MAX_VERTEX_BINDINGS];
    uint32_t slot_count;
};

struct gv_walk_pipeline {
    const VkGraphicsPipelineCreateInfo *graphics; // or
    const VkComputePipelineCreateInfo *compute;
    const struct gv_cap_pipeline_layout *layout;
    const struct gv_walk_render_pass *render_pass; // NULL: dynamic rendering
    struct gv_walk_dynamic fixed;                  // state that is not dynamic
    uint64_t dynamic;
    const char *unsupported; // NULL: none

    // Made with the first form.
    bool prepared;
    struct gv_stage_shaders shaders;
    struct gv_shader compute_shader;
    struct gv_interface_desc *interface;
    struct gv_walk_used *used;
    uint32_t used_count, push_bytes;
    uint64_t view_specs; // of the interface's constants: the view index, by bits
    struct gv_walk_variant *variants;
    struct gv_pipeline compute_pipeline;
};

// The shaders and the interface; `p->interface` is NULL where they are unsupported.
bool gv_walk_prepare(struct gv_walk *w, struct gv_walk_pipeline *p,
                     struct gv_error *err);

// The form of a graphics pipeline that this state wants; `*out` is NULL where it is
// unsupported.
bool gv_walk_variant(struct gv_walk *w, struct gv_walk_pipeline *p,
                     const struct gv_walk_dynamic *d,
                     const struct gv_walk_variant **out, struct gv_error *err);

// State that a pipeline itself has. NULL: all of it is supported; else the name.
const char *gv_walk_read_fixed(struct gv_vulkan *v,
                               const VkGraphicsPipelineCreateInfo *info,
                               struct gv_walk_dynamic *out);

// The description of a form: everything but shaders and interface.
bool gv_walk_describe(struct gv_walk *w, const struct gv_walk_pipeline *p,
                      struct gv_walk_variant *variant, struct gv_graphics_desc *out);

// ---- walk_bindings.c ----

bool gv_walk_emit_vertices(struct gv_walk *w, const struct gv_walk_variant *v);
bool gv_walk_emit_indices(struct gv_walk *w); // false: none are bound

// ---- walk_shader.c ----

// The stages of a pipeline as the payload has them, and its interface: NULL where they
// are unsupported.
bool gv_walk_shaders(struct gv_walk *w, struct gv_walk_pipeline *p,
                     const VkPipelineShaderStageCreateInfo *stages, uint32_t count,
                     struct gv_error *err);

// Where push constants are, as uniform bytes.
#define GV_WALK_PUSH_SET 0u
#define GV_WALK_PUSH_BINDING 0u

#endif
