// Points and lines drawn as quads, on devices that know one pixel's size alone
// (largePoints, wideLines): each is an instance of a strip of four vertices, whose
// shader makes a corner of it (spirv_quads.h). Vertex buffers are read by instance.
#ifndef GV_VK_QUADS_H
#define GV_VK_QUADS_H

#include "runtime/vk/pipelines/vertex_input.h"

struct gv_vk_device;

// What a pipeline is made of in place of what the payload says. `desc` and `shaders`
// are ready for gv_vk_pipeline_make_graphics.
struct gv_vk_quad_parts {
    struct gv_spirv_quads quads;
    struct gv_graphics_desc desc;
    const struct gv_vk_shader *shaders[5];
    struct gv_vk_shader own[2]; // vertex, fragment; freed by gv_vk_quads_finish
};

// Whether the pipeline's points must become quads on this device; its lines, where
// they are wide. `*wanted` is false where the device does it. Points that cannot be had
// are refused by the feature's name; lines are not.
bool gv_vk_quads_want_points(const struct gv_vk_device *device,
                             const struct gv_graphics_desc *desc,
                             const struct gv_vk_shader *const shaders[5], bool *wanted,
                             struct gv_error *err);
bool gv_vk_quads_want_lines(const struct gv_vk_device *device,
                            const struct gv_graphics_desc *desc,
                            const struct gv_vk_shader *const shaders[5]);

// Whether the pipeline's lines are smooth and the device's are not, or not as
// lavapipe's: quads are drawn where their shaders can, and else the device's own, or
// hard edges.
bool gv_vk_smooths_lines(const struct gv_vk_device *device,
                         const struct gv_graphics_desc *desc);

// Fills `parts`, whose `quads.ends` says what is drawn; finish it either way.
bool gv_vk_quads_init(struct gv_runtime *rt, const struct gv_graphics_desc *desc,
                      const struct gv_vk_shader *const shaders[5],
                      struct gv_vk_quad_parts *parts, struct gv_error *err);
void gv_vk_quads_finish(const struct gv_vk_device *device,
                        struct gv_vk_quad_parts *parts);

// Locations of the vertex shader that no attribute of the payload feeds.
uint64_t gv_vk_quads_locations(const struct gv_vk_pipeline *p,
                               const struct gv_spirv_module *vertex);

// Turns a vertex input to instances and adds ours.
bool gv_vk_quads_input(const struct gv_vk_device *device,
                       const struct gv_vk_pipeline *p, struct gv_vk_vertex_input *out,
                       struct gv_error *err);

// What of the payload's assembly its draws must know.
void gv_vk_quads_assemble(struct gv_vk_pipeline *p,
                          const struct gv_graphics_desc *desc);

#endif
