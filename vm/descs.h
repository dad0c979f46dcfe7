// What BYTES arguments describe: pipelines, samplers, dispatch ranges. As C structs,
// and as the byte form a payload carries (little-endian, shortest LEB128;
// docs/calls.md).
//
// Encoding is canonical: equal descriptions give equal bytes, so a front-end can use
// the bytes as the key of "the same description is the same object". Decoding accepts
// exactly what encoding produces, checks every enumeration and limit, and names the
// field at fault.
#ifndef GV_DESCS_H
#define GV_DESCS_H

#include "resources/base/bytes.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"
#include "vm/calls.h"

#define GV_MAX_VERTEX_BINDINGS 32
#define GV_MAX_VERTEX_ATTRIBUTES 32
#define GV_MAX_COLOR_ATTACHMENTS 8
#define GV_MAX_BINDINGS 512 // rows of a pipeline's binding list
#define GV_MAX_SETS 4       // set numbers are below
#define GV_MAX_BINDING_NUMBER 1024
#define GV_MAX_BINDING_ELEMENTS 1024 // array elements of one binding
#define GV_MAX_DESCRIPTORS 4096      // elements of all bindings of a pipeline
#define GV_MAX_SPEC_CONSTANTS 64
#define GV_MAX_ATTRIBUTE_OFFSET 65535 // bytes
#define GV_MAX_DISPATCH_RANGES 4096   // of one dispatch
#define GV_MAX_VIEWPORTS 16
#define GV_MAX_FEEDBACK_BUFFERS 4
#define GV_MAX_INDIRECT_VERTICES (1u << 26)  // per draw record, clamped on the device
#define GV_MAX_INDIRECT_INSTANCES (1u << 16) // likewise
#define GV_MAX_INDIRECT_GROUPS 65535         // per dimension, likewise
#define GV_MAX_DISPATCH_GROUPS UINT32_MAX    // in all: software devices count so far

// One descriptor of a pipeline's interface. By convention sets follow stage and
// frequency: set 0 = uniform data of vertex-like and compute stages, set 1 = uniform
// data of the fragment stage, set 2 = textures, samplers and texel buffers, set 3 =
// storage buffers and storage images. A pipeline uses those it needs; the runtime
// checks each shader's SPIR-V against this list.
struct gv_binding_desc {
    uint32_t set, binding;
    uint32_t type;   // GV_BINDING_*
    uint32_t count;  // array elements, >= 1
    uint32_t stages; // GV_STAGE_* bits
};

// A specialisation constant of a stage.
struct gv_spec_constant {
    uint32_t stage; // one GV_STAGE_* bit
    uint32_t id;
    uint32_t value; // 32 bits: bool, int, uint or float pattern
};

struct gv_interface_desc {
    struct gv_binding_desc
        bindings[GV_MAX_BINDINGS]; // strictly ascending (set, binding)
    uint32_t binding_count;
    struct gv_spec_constant
        spec_constants[GV_MAX_SPEC_CONSTANTS]; // ascending (stage, id)
    uint32_t spec_constant_count;
};

struct gv_stencil_desc {
    uint32_t fail_op, pass_op, depth_fail_op; // GV_STENCIL_OP_*
    uint32_t compare;                         // GV_COMPARE_*
};

struct gv_blend_desc {
    bool enable;
    uint32_t src_color, dst_color, color_op; // GV_BLEND_FACTOR_*, GV_BLEND_OP_*
    uint32_t src_alpha, dst_alpha, alpha_op;
    uint32_t write_mask; // GV_COLOR_MASK_*
};

// Everything of a graphics pipeline but its shaders. Viewports, scissors, blend
// constants, stencil references and masks, depth bias values, line width, stipple and
// vertex strides are dynamic (calls set_* and bind_vertex_buffer).
struct gv_graphics_desc {
    // Vertex input.
    struct {
        uint32_t slot;    // of bind_vertex_buffer; ascending
        uint32_t rate;    // GV_INPUT_RATE_*
        uint32_t divisor; // instances per step for INSTANCE; 1 is usual, 0 never steps
    } vertex_bindings[GV_MAX_VERTEX_BINDINGS];
    uint32_t vertex_binding_count;
    struct {
        uint32_t location; // ascending
        uint32_t slot;
        uint32_t format; // GV_FORMAT_*
        uint32_t offset; // bytes
    } vertex_attributes[GV_MAX_VERTEX_ATTRIBUTES];
    uint32_t vertex_attribute_count;
    // Input assembly, tessellation.
    uint32_t topology; // GV_TOPOLOGY_*
    bool primitive_restart;
    uint32_t patch_control_points; // 1..32 for PATCH_LIST, else 0
    uint32_t tessellation_origin;  // GV_TESSELLATION_ORIGIN_*
    // Rasterisation.
    uint32_t viewport_count; // 1..GV_MAX_VIEWPORTS, scissors alike
    bool rasterizer_discard;
    bool depth_clamp;
    bool depth_clip;          // usually the opposite of depth_clamp
    bool negative_one_to_one; // clip-space z is -1..1 (VK_EXT_depth_clip_control)
    uint32_t polygon_mode;    // GV_POLYGON_MODE_*
    uint32_t cull;            // GV_CULL_* bits
    uint32_t front_face;      // GV_FRONT_FACE_*
    bool depth_bias;
    uint32_t provoking_vertex; // GV_PROVOKING_VERTEX_*
    uint32_t line_mode;        // GV_LINE_MODE_*
    bool line_stipple;
    uint32_t rasterization_stream;
    // Multisampling.
    uint32_t samples; // 1, 2, 4, 8, 16
    bool sample_shading;
    float min_sample_shading;
    uint32_t sample_mask; // bit per sample
    bool alpha_to_coverage, alpha_to_one;
    // Depth and stencil.
    bool depth_test, depth_write, depth_bounds, stencil_test;
    uint32_t depth_compare; // GV_COMPARE_*
    struct gv_stencil_desc front, back;
    // Targets. A format 0 is a gap.
    uint32_t color_formats[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_blend_desc blend[GV_MAX_COLOR_ATTACHMENTS];
    uint32_t color_count;
    uint32_t depth_stencil_format; // 0 = none
    bool logic_op_enable;
    uint32_t logic_op; // GV_LOGIC_OP_*
    struct gv_interface_desc interface;
};

struct gv_compute_desc {
    struct gv_interface_desc interface;
};

struct gv_sampler_desc {
    uint32_t mag_filter, min_filter, mip_filter; // GV_FILTER_*
    uint32_t address_u, address_v, address_w;    // GV_ADDRESS_MODE_*
    float lod_bias, min_lod, max_lod;            // max_lod 1000 = unbounded
    float max_anisotropy;                        // 0 = off
    bool compare_enable;
    uint32_t compare;          // GV_COMPARE_*
    uint32_t border;           // GV_BORDER_COLOR_*
    uint32_t border_values[4]; // raw patterns for the CUSTOM borders, else 0
    bool unnormalized;
    bool non_seamless_cube;
};

// What a range of a dispatch says of its bytes.
enum gv_range_access {
    GV_RANGE_READ,      // they may be read
    GV_RANGE_WRITE,     // some may be written, and all be read
    GV_RANGE_OVERWRITE, // all are written, whatever they held; READ tells of reads
    GV_RANGE_UNUSED,    // nothing of what is bound there is touched; row_bytes is 0
};

// One range a dispatch touches. Rows: `rows` ranges of `row_bytes`, `stride` apart; one
// row for a plain range. binding selects the bound storage or uniform buffer; images
// are named whole by row_bytes 0, which is never OVERWRITE. Where ranges meet, READ
// counts, then OVERWRITE, then WRITE.
struct gv_dispatch_range {
    uint32_t set, binding, element;
    uint32_t access; // enum gv_range_access
    uint64_t offset, row_bytes, stride;
    uint32_t rows;
};

// Each encoder appends the canonical form. Each decoder reads exactly one description
// that must fill the cursor; GV_ERR_FORMAT with an offset into the description.
void gv_graphics_desc_encode(const struct gv_graphics_desc *desc, struct gv_bytes *out);
bool gv_graphics_desc_decode(struct gv_cursor *c, struct gv_graphics_desc *out,
                             struct gv_error *err);
void gv_compute_desc_encode(const struct gv_compute_desc *desc, struct gv_bytes *out);
bool gv_compute_desc_decode(struct gv_cursor *c, struct gv_compute_desc *out,
                            struct gv_error *err);
void gv_sampler_desc_encode(const struct gv_sampler_desc *desc, struct gv_bytes *out);
bool gv_sampler_desc_decode(struct gv_cursor *c, struct gv_sampler_desc *out,
                            struct gv_error *err);
void gv_dispatch_ranges_encode(const struct gv_dispatch_range *ranges, size_t count,
                               struct gv_bytes *out);
// Reads the next range; false at the end of `c` (then c->bad is false) or when
// malformed (then it is true).
bool gv_dispatch_range_next(struct gv_cursor *c, struct gv_dispatch_range *out);

// A description with the values most pipelines want: triangle list, fill, no culling,
// depth clip on, one sample, mask all ones, no tests, line mode default. For
// front-ends.
void gv_graphics_desc_default(struct gv_graphics_desc *desc);

// Whether a GV_TOPOLOGY_* is one of lines.
bool gv_topology_is_line(uint32_t topology);

#endif
