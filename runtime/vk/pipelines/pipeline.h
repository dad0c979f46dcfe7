// Pipelines, and what making them shares: checked shaders and layouts.
#ifndef GV_VK_PIPELINE_H
#define GV_VK_PIPELINE_H

#include "runtime/spirv/spirv_check.h"
#include "runtime/spirv/spirv_quads.h"
#include "runtime/vk/pipelines/kept_pipelines.h"
#include "runtime/vk/pipelines/mip_draw.h"
#include "runtime/vk/pipelines/pipeline_layout.h"
#include "vm/formats.h"

struct gv_handles;
struct gv_vk_commands;
struct gv_vk_heaps;

struct gv_vk_pipelines {
    struct gv_spirv_checker *checker;
    uint64_t checker_charged; // bytes
    struct gv_vk_layouts layouts;
    struct gv_vk_kept_pipelines kept;
    struct gv_vk_mip_draws mip_draws;
    uint64_t made; // so far, for statistics
};

struct gv_vk_pipelines *gv_vk_pipelines_create(const struct gv_vk_device *device,
                                               struct gv_error *err);
void gv_vk_pipelines_destroy(const struct gv_vk_device *device,
                             struct gv_vk_pipelines *pipelines);

// A module of the payload.
struct gv_vk_shader {
    const struct gv_spirv_checked *checked; // borrowed from the checker
    VkShaderModule handle;
};

// A vertex buffer slot as the pipeline reads it.
struct gv_vk_vertex_slot {
    uint32_t slot;      // of bind_vertex_buffer
    uint32_t extent;    // bytes of one vertex its attributes reach
    uint32_t alignment; // of addresses, the largest component's bytes
    bool instance; // elements by instance, `divisor` instances each (0: one for all)
    uint32_t divisor;
    // What the device lacks (vertex_repack.h):
    bool expand;       // the divisor
    bool convert;      // a format; then elements are laid out anew,
    uint32_t repacked; // in so many bytes
};

// An attribute, as the payload has it and as it is repacked.
struct gv_vk_repack_attribute {
    const struct gv_format_info *info;
    uint32_t binding; // of the pipeline
    uint32_t offset;  // in an element of the payload's buffer
    uint32_t place;   // in an element of ours
    bool convert;     // to gv_format_wide
};

// How the indices of a pipeline are rewritten.
enum gv_vk_assembly {
    GV_VK_ASSEMBLY_AS_IS,
    GV_VK_ASSEMBLY_LIST,     // whole primitives between restarts
    GV_VK_ASSEMBLY_FAN,      // triangles, to be coloured by their first vertex
    GV_VK_ASSEMBLY_FAN_LAST, // by their last
    GV_VK_ASSEMBLY_LINES,    // lines of a strip
};

static inline bool gv_vk_assembles_fan(enum gv_vk_assembly assembly)
{
    return assembly == GV_VK_ASSEMBLY_FAN || assembly == GV_VK_ASSEMBLY_FAN_LAST;
}

struct gv_vk_pipeline {
    VkPipeline handle;
    VkPipelineBindPoint bind_point;
    uint64_t id;
    uint64_t cost; // charged
    struct gv_vk_kept kept;
    struct gv_vk_layout *layout; // borrowed
    struct gv_vk_need *needs;    // owned; all rows of all sets, one after another
    const struct gv_vk_needs *set_needs[GV_MAX_SETS]; // the same; borrowed from layouts
    bool writes_storage;                              // some used binding is writable
    bool full_subgroups; // compute: its workgroups are whole subgroups
    // Graphics only.
    struct gv_vk_vertex_slot vertex[GV_MAX_VERTEX_BINDINGS + 1];
    uint32_t vertex_count;
    struct gv_vk_repack_attribute attributes[GV_MAX_VERTEX_ATTRIBUTES];
    uint32_t attribute_count;
    bool repacks;                // some slot expands or converts
    bool pushes_draw_parameters; // spirv_rewrite.h
    bool zero_slot;              // the last of `vertex` always reads zeros
    uint8_t assembly;            // enum gv_vk_assembly: what the device lacks
    uint32_t assembly_vertices;  // of a list's primitive
    bool primitive_restart;
    struct gv_spirv_quads quads; // quads.h; `ends` 0: it draws what it says
    struct gv_vk_pipeline *wide; // owned: the same for lines of other widths, or NULL
    bool draws_lines; // which become quads in other widths than 1, or are refused
    uint32_t viewport_count;
    uint32_t color_formats[GV_MAX_COLOR_ATTACHMENTS], color_count;
    uint32_t depth_stencil_format;
    uint32_t samples;
    uint32_t feedback_buffers; // bits
    bool rasterizer_discard;
    bool rounds; // blends with colours that are kept in a wider format than theirs
    bool ran;    // some draw or dispatch was recorded with it
};

// Before the draw or dispatch is counted. Software drivers compile a pipeline when it
// runs for the first time: few such runs make a submission, so that some complete.
void gv_vk_pipeline_runs(struct gv_vk_commands *commands,
                         struct gv_vk_pipeline *pipeline);

#define GV_VK_NO_VERTEX_SLOT UINT32_MAX

struct gv_vk_pipeline *gv_vk_pipeline_find(const struct gv_handles *handles,
                                           uint64_t handle, const char *argument,
                                           struct gv_error *err);

// Its handle is gone with a pass over the payload: it is kept for the next one, or
// freed. The device is done with it.
void gv_vk_pipeline_keep(struct gv_runtime *rt, struct gv_vk_pipeline *pipeline);
void gv_vk_pipelines_free_kept(struct gv_runtime *rt);

// Frees it now; the device is done with it.
void gv_vk_pipeline_free(struct gv_runtime *rt, void *pipeline);

// shader.c: the device's module of what has passed; and freeing one of the payload's.
bool gv_vk_shader_init(const struct gv_vk_device *device, struct gv_vk_shader *shader,
                       const struct gv_spirv_checked *checked, struct gv_error *err);
void gv_vk_shader_free(struct gv_vk_heaps *heaps, void *shader);

// pipeline_graphics.c: the pipeline of a decoded description; layout and needs stand.
bool gv_vk_pipeline_make_graphics(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                                  const struct gv_graphics_desc *desc,
                                  const struct gv_vk_shader *const shaders[5],
                                  struct gv_error *err);

// What a pipeline tells the shaders made safe (spirv_robust.h).
struct gv_vk_given {
    uint32_t vertices; // of an input patch of the stage, >= 1
    uint32_t samples;  // >= 1
};

// Specialisation of one stage; storage lives as long as the struct.
struct gv_vk_specialization {
    VkSpecializationInfo info;
    VkSpecializationMapEntry entries[GV_MAX_SPEC_CONSTANTS + 2];
    uint32_t values[GV_MAX_SPEC_CONSTANTS + 2];
    uint32_t count;
};
void gv_vk_specialize(const struct gv_interface_desc *desc,
                      const struct gv_vk_shader *shader,
                      const struct gv_vk_given *given,
                      struct gv_vk_specialization *out);

#endif
