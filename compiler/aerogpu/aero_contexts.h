// The state of contexts: what packets set, and what of it must be emitted again.
#ifndef GV_AERO_CONTEXTS_H
#define GV_AERO_CONTEXTS_H

#include "compiler/aerogpu/aero_code.h"
#include "compiler/lower/lower_pipeline.h"
#include "compiler/lower/lower_state.h"

#define GV_AERO_MAX_CONTEXTS 256u
#define GV_AERO_CONSTANT_BUFFERS 14u // per stage
#define GV_AERO_TEXTURES 128u        // per stage, buffers included
#define GV_AERO_SAMPLERS 16u         // per stage
#define GV_AERO_UAVS 8u              // per stage
#define GV_AERO_VERTEX_BUFFERS 32u
#define GV_AERO_TARGETS 8u
#define GV_AERO_LEGACY_CONSTANTS 4096u // float4 registers of each stage

struct gv_aero_range {
    struct gv_aero_object *buffer; // NULL = unbound
    uint32_t offset, size;         // size 0 = to the end
};

struct gv_aero_stage {
    struct gv_aero_range constants[GV_AERO_CONSTANT_BUFFERS];
    struct gv_aero_object *textures[GV_AERO_TEXTURES]; // texture, view or buffer
    struct gv_aero_range resources[GV_AERO_TEXTURES];  // of buffers: their ranges
    struct gv_aero_object *samplers[GV_AERO_SAMPLERS];
    struct gv_aero_range uavs[GV_AERO_UAVS];
    float *legacy; // [GV_AERO_LEGACY_CONSTANTS][4] of SET_SHADER_CONSTANTS_F, or NULL
    uint32_t legacy_limit;    // registers of it from here were never set
    int32_t *integers;        // [256][4] of SET_SHADER_CONSTANTS_I, or NULL
    uint32_t *booleans;       // [256][4] of SET_SHADER_CONSTANTS_B, or NULL
    uint32_t dirty_constants; // bit per constant buffer slot
    bool dirty_textures, dirty_samplers, dirty_buffers;
    uint32_t texture_limit; // slots from here were never bound
    struct gv_lower_copy scratch[GV_AERO_CONSTANT_BUFFERS];
    struct gv_lower_copy *resource_scratch; // [GV_AERO_TEXTURES] or NULL
    struct gv_lower_copy *uav_scratch;      // [GV_AERO_UAVS] or NULL
};

struct gv_aero_sampler_state {     // D3D9
    uint8_t address[3], filter[3]; // u v w; mag min mip
    uint8_t max_anisotropy, max_mip, srgb;
    uint32_t border;
};

struct gv_aero_vertex_stream {
    struct gv_aero_object *buffer;
    uint32_t stride, offset;
};

struct gv_aero_blend {
    bool enable, separate_alpha;
    uint8_t src, dst, op, src_alpha, dst_alpha, op_alpha; // GV_BLEND_*
    uint8_t write_mask[GV_AERO_TARGETS];
    float constant[4];
    uint32_t sample_mask;
};

struct gv_aero_depth {
    bool enable, write, stencil_enable, two_sided;
    uint8_t compare, read_mask, write_mask, reference;
    struct gv_lower_stencil_face front, back;
};

struct gv_aero_raster {
    bool wireframe, front_ccw, scissor_enable, clamp;
    uint8_t cull; // GV_CULL_*
    int32_t depth_bias;
};

struct gv_aero_alpha_test {
    bool enable;
    uint8_t compare, reference;
};

// Bits of `dirty`: what must be emitted again before the next draw.
enum {
    GV_AERO_DIRTY_PIPELINE = 1,
    GV_AERO_DIRTY_VIEWPORT = 2, // and scissor
    GV_AERO_DIRTY_BLEND_CONSTANT = 4,
    GV_AERO_DIRTY_STENCIL = 8,
    GV_AERO_DIRTY_DEPTH_BIAS = 16,
    GV_AERO_DIRTY_TARGETS = 32,
    GV_AERO_DIRTY_ALL = 63,
};

struct gv_aero_context {
    uint32_t id;
    bool d3d9; // D3D9 rules apply
    struct gv_aero_object *shaders[GV_DXBC_STAGE_COUNT];
    struct gv_aero_object *layout;
    struct gv_aero_stage stages[GV_DXBC_STAGE_COUNT];
    struct gv_aero_sampler_state samplers9[2][GV_AERO_SAMPLERS]; // vertex, pixel
    struct gv_aero_blend blend;
    struct gv_aero_depth depth;
    struct gv_aero_raster raster;
    bool biased_in_24_bits; // the unit of the depth bias that was set last
    struct gv_aero_alpha_test alpha_test;
    uint8_t cull9; // D3DCULL as last set
    bool srgb_write;
    bool explicit_depth;                             // set by a packet
    uint32_t topology;                               // as in the ABI
    struct gv_aero_object *targets[GV_AERO_TARGETS]; // texture or view
    struct gv_aero_object *depth_target;
    struct {
        struct gv_lower_viewport to;
        bool set;
    } viewport;
    struct {
        struct gv_lower_scissor to;
        bool set;
    } scissor;
    struct gv_aero_vertex_stream streams[GV_AERO_VERTEX_BUFFERS];
    uint32_t dirty_streams;              // bit per stream
    struct gv_aero_object *index_buffer; // whose buffer `indices` has
    struct gv_lower_indices indices;
    uint32_t dirty;                     // GV_AERO_DIRTY_*
    struct gv_lower_targets target_set; // of the targets, unless they are dirty
    // What the last prepared draw used.
    struct gv_aero_pipeline *pipeline;
    uint32_t dynamic_limit; // constant buffers per stage fed as bytes
    bool skip;              // draws do nothing: empty viewport or scissor
};

struct gv_aero_contexts {
    struct gv_aero_context *items[GV_AERO_MAX_CONTEXTS];
    uint32_t count;
    struct gv_aero_context *current;   // whose state the builder holds
    struct gv_pipeline bound_pipeline; // of its draws
};

// ---- aero_context.c ----

struct gv_aero_context *gv_aero_context(struct gv_aero *a, uint32_t id,
                                        struct gv_error *err);
// Everything of a context must be emitted again.
void gv_aero_context_touch(struct gv_aero_context *x);
void gv_aero_stage_touch(struct gv_aero_stage *s);
// Switches a context to D3D9 rules.
void gv_aero_use_d3d9(struct gv_aero_context *x);

// ---- aero_stages.c ----

// The stage that (stage, stage_ex) of a packet name.
bool gv_aero_stage_of(struct gv_aero *a, uint32_t stage, uint32_t stage_ex,
                      uint32_t *out, struct gv_error *err);
// What part of which texture a texture or view is; false for all else.
bool gv_aero_subresources(struct gv_aero_object *o, struct gv_aero_view *out);
// X8, by the view's format or the texture's: alpha is 1 and stays so.
bool gv_aero_opaque(const struct gv_aero_view *v);
// Takes what is rendered to out of the textures that are read.
void gv_aero_drop_sources(struct gv_aero_context *x, struct gv_aero_object *target);

#endif
