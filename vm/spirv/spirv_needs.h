// What a SPIR-V module asks of a pipeline: its stage, descriptors, locations and sizes;
// and the limits that it is held against.
#ifndef GV_SPIRV_NEEDS_H
#define GV_SPIRV_NEEDS_H

#include "vm/descs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_SPIRV_UNSET UINT32_MAX // a number that is not given

#define GV_MAX_SPIRV_BINDINGS GV_MAX_BINDINGS
#define GV_MAX_LOCATIONS 32 // of one interface; drivers crash beyond

enum gv_spirv_numeric { GV_SPIRV_FLOAT, GV_SPIRV_SINT, GV_SPIRV_UINT };

// One descriptor the module declares.
struct gv_spirv_binding {
    uint32_t set, binding;
    uint32_t type;  // GV_BINDING_*, never UNIFORM_BUFFER_DYNAMIC
    uint32_t count; // array elements, >= 1
    bool writable;  // a storage kind without NonWritable
    // Of image kinds.
    uint32_t view_type;    // GV_VIEW_TYPE_*; unused by texel buffers
    uint32_t numeric;      // enum gv_spirv_numeric
    uint32_t image_format; // SpvImageFormat; 0 = unknown
    bool multisampled;
    bool compares; // image or sampler used with a depth reference
    bool samples;  // without one
};

// The data at one location.
struct gv_spirv_slot {
    uint8_t mask;    // of 32-bit components used
    uint8_t numeric; // enum gv_spirv_numeric
    uint8_t bits;    // 16, 32 or 64
};

struct gv_spirv_interface {
    struct gv_spirv_slot slots[GV_MAX_LOCATIONS];
    struct gv_spirv_slot patch[GV_MAX_LOCATIONS];
};

enum gv_spirv_primitive {
    GV_SPIRV_NO_PRIMITIVE,
    GV_SPIRV_POINTS,
    GV_SPIRV_LINES,
    GV_SPIRV_LINES_ADJACENCY,
    GV_SPIRV_TRIANGLES,
    GV_SPIRV_TRIANGLES_ADJACENCY,
};

struct gv_spirv_module {
    uint32_t stage;                    // one GV_STAGE_* bit
    struct gv_spirv_binding *bindings; // owned; ascending (set, binding)
    size_t binding_count;
    struct gv_spirv_interface inputs, outputs; // without built-ins
    uint32_t second_outputs;                   // locations with Index 1 (dual source)
    enum gv_spirv_primitive input_primitive;   // geometry
    enum gv_spirv_primitive output_primitive;  // geometry, tessellation evaluation
    uint32_t output_vertices;                  // geometry, tessellation control
    uint32_t workgroup[3];                     // compute
    bool subgroups;                            // it looks at its neighbours
    uint32_t feedback_buffers; // bit per transform feedback buffer written
    bool has_spec_constants;
    bool writes_frag_depth, uses_sample_id;
    bool reads_layer;
    bool writes_point_size;
};

// Device limits the scan enforces; names as in VkPhysicalDeviceLimits.
struct gv_spirv_limits {
    uint32_t max_workgroup_size[3], max_workgroup_invocations, max_shared_bytes;
    uint32_t max_clip_distances, max_cull_distances, max_clip_and_cull_distances;
    uint32_t max_geometry_output_vertices, max_geometry_invocations;
    uint32_t max_geometry_output_components;
    uint32_t max_patch_size, max_color_attachments, max_vertex_inputs;
    uint32_t max_feedback_buffers, max_feedback_stride, max_feedback_streams;
    uint32_t float_modes; // offered, bits of float_modes.def
    // The driver compiles shaders for the values of uniforms that branches ask.
    bool compiles_for_uniforms;
    // Whether the device has a feature or extension (VK_...), by Vulkan's name.
    bool (*has)(const void *context, const char *feature);
    const void *context; // borrowed
};

#endif
