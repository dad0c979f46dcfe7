// From state, shader stages and targets to one graphics pipeline: a compact key, looked
// up before anything is described.
#ifndef GV_LOWER_PIPELINE_H
#define GV_LOWER_PIPELINE_H

#include "compiler/lower/lower_bindings.h"
#include "compiler/lower/lower_input.h"
#include "compiler/shader/shader.h"

enum gv_lower_stage {
    GV_LOWER_VERTEX,
    GV_LOWER_FRAGMENT,
    GV_LOWER_GEOMETRY,
    GV_LOWER_CONTROL,
    GV_LOWER_EVALUATION,
    GV_LOWER_COMPUTE,
    GV_LOWER_STAGES,
};

struct gv_lower_blend {
    uint8_t enable;
    uint8_t src, dst, op, src_alpha, dst_alpha, op_alpha; // GV_BLEND_*
    uint8_t write_mask;                                   // GV_COLOR_MASK_*
};

struct gv_lower_stencil_face {
    uint8_t fail, depth_fail, pass, compare; // GV_STENCIL_OP_*, GV_COMPARE_*
};

// All that a graphics pipeline depends on. Compared as bytes: zero it before it is
// filled (gv_lower_key_targets does).
struct gv_lower_pipeline_key {
    uint64_t stages[GV_LOWER_STAGES]; // serials of their translations, 0 = none
    uint64_t input;                   // what vertex input follows from, with the stage
    uint64_t device_input;            // likewise, of further bindings
    uint32_t color_formats[GV_MAX_COLOR_ATTACHMENTS];
    uint32_t depth_format;
    uint16_t dynamic[GV_LOWER_STAGES]; // constant buffers fed as bytes
    struct gv_lower_blend blend[GV_MAX_COLOR_ATTACHMENTS];
    uint8_t opaque; // bit per target whose alpha is 1
    uint8_t color_count;
    uint8_t topology, control_points; // GV_TOPOLOGY_*; of patches, else 0
    uint8_t restart;                  // strips: the largest index begins a new one
    uint8_t depth_enable, depth_write, depth_compare, stencil_enable;
    struct gv_lower_stencil_face front, back;
    uint8_t wireframe;  // 1: outlined, 2: corners alone
    uint8_t discard;    // nothing is rasterised
    uint8_t lower_left; // origin of tessellated domains
    uint8_t cull, front_ccw, clamp, bias;
    uint8_t last_provokes;    // flat values come from the last vertex
    uint8_t minus_one_to_one; // clip space's z
    uint8_t line_mode;        // GV_LINE_MODE_*
    uint8_t line_stipple;
    uint8_t logic;   // 0: none, or 1 + GV_LOGIC_OP_*
    uint8_t samples; // 0: one
    uint8_t alpha_to_coverage, alpha_to_one;
    uint8_t
        wide_lines; // of other widths than 1, where a source has another way for them
    uint8_t samples_off; // bit per sample that is never written
    uint8_t viewports;   // that stages choose from; 0: one
    uint8_t shaded;      // samples of a pixel that are shaded at least; 0, 1: one
};

// Zeroes a key and takes formats and opaque alpha from the targets.
void gv_lower_key_targets(struct gv_lower_pipeline_key *k,
                          const struct gv_lower_targets *t);

// One stage as a pipeline takes it.
struct gv_lower_part {
    const struct gv_shader_stage *code; // NULL: none
    struct gv_shader module;
    // Which of its uniform buffers are fed as bytes.
    const struct gv_lower_place *dynamic;
    uint32_t dynamic_count;
};

// Merges the stages' bindings. GV_ERR_LIMIT, without a place.
bool gv_lower_interface(const struct gv_lower_part parts[GV_LOWER_STAGES],
                        struct gv_interface_desc *out, struct gv_error *err);

// Front-ends put it in front of what they remember of a pipeline.
struct gv_lower_pipeline {
    struct gv_lower_pipeline *next; // same hash bucket
    struct gv_lower_pipeline_key key;
    struct gv_pipeline object;
    struct gv_lower_slots slots;
};

#define GV_LOWER_PIPELINE_BUCKETS 1024u
struct gv_lower_pipelines {
    struct gv_builder *b;
    struct gv_arena *arena;
    struct gv_lower_pipeline **buckets; // [GV_LOWER_PIPELINE_BUCKETS]
    struct gv_graphics_desc *desc;      // the one being described
};
bool gv_lower_pipelines_init(struct gv_lower_pipelines *ps, struct gv_builder *b,
                             struct gv_arena *arena, struct gv_error *err);

// The pipeline of a key, or NULL: it must be made.
struct gv_lower_pipeline *gv_lower_pipeline_find(const struct gv_lower_pipelines *ps,
                                                 const struct gv_lower_pipeline_key *k);

// Describes the state of a key. The caller then fills the description's vertex input
// and `p->slots`, and hands both to gv_lower_pipeline_add.
struct gv_graphics_desc *gv_lower_pipeline_begin(struct gv_lower_pipelines *ps,
                                                 const struct gv_lower_pipeline_key *k);

// Makes the pipeline that gv_lower_pipeline_begin described, of `parts`: another form
// of one that is remembered (gv_builder_either_same).
bool gv_lower_pipeline_make(struct gv_lower_pipelines *ps,
                            const struct gv_lower_part parts[GV_LOWER_STAGES],
                            struct gv_pipeline *out, struct gv_error *err);

// Makes the pipeline that gv_lower_pipeline_begin described, of `parts`, and remembers
// `p`, which must last, under the key.
bool gv_lower_pipeline_add(struct gv_lower_pipelines *ps, struct gv_lower_pipeline *p,
                           const struct gv_lower_pipeline_key *k,
                           const struct gv_lower_part parts[GV_LOWER_STAGES],
                           struct gv_error *err);

#endif
