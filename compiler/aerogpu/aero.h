// The AeroGPU replayer's own header: what a capture has made so far, the state each
// context keeps, and what stands between them and the builder.
//
// Flow: aero_replay.c walks records and hands each packet to its handler (the row of
// cmds.def). Handlers of state only note it and set dirty bits; aero_draw.c turns dirty
// bits into calls when a draw, clear or dispatch needs them.
#ifndef GV_AERO_H
#define GV_AERO_H

#include "compiler/aerogpu/aero_blobs.h"
#include "compiler/aerogpu/aero_enums.h"
#include "compiler/aerogpu/aero_format.h"
#include "compiler/aerogpu/trace/alloc_table.h"
#include "compiler/aerogpu/trace/cmd_stream.h"
#include "compiler/aerogpu/trace/gpu_trace.h"
#include "compiler/frontend.h"
#include "compiler/lower/id_map.h"
#include "compiler/lower/lower_image.h"
#include "compiler/lower/lower_pipeline.h"
#include "compiler/lower/lower_state.h"
#include "compiler/shader/d3d/dxbc.h"
#include "resources/hash.h"
#include "vm/formats.h"

#define GV_AERO_MAX_OBJECTS 65536u // live at once
#define GV_AERO_MAX_CONTEXTS 256u
#define GV_AERO_CONSTANT_BUFFERS 14u // per stage
#define GV_AERO_TEXTURES 128u        // per stage, buffers included
#define GV_AERO_SAMPLERS 16u         // per stage
#define GV_AERO_UAVS 8u              // per stage
#define GV_AERO_VERTEX_BUFFERS 32u
#define GV_AERO_TARGETS 8u
#define GV_AERO_LEGACY_CONSTANTS 4096u       // float4 registers of each stage
#define GV_AERO_MAX_ELEMENTS 32u             // of an input layout
#define GV_AERO_MAX_DRAW_VERTICES (1u << 26) // vertices times instances of a draw
#define GV_AERO_MAX_GROUPS 65535u            // of a dispatch, per dimension
#define GV_AERO_FRAMEBUFFER_SIDE 64u         // of the default framebuffer

// Resource usage bits.
enum {
    GV_AERO_USAGE_VERTEX = 0x01,
    GV_AERO_USAGE_INDEX = 0x02,
    GV_AERO_USAGE_CONSTANT = 0x04,
    GV_AERO_USAGE_TEXTURE = 0x08,
    GV_AERO_USAGE_RENDER_TARGET = 0x10,
    GV_AERO_USAGE_DEPTH_STENCIL = 0x20,
    GV_AERO_USAGE_SCANOUT = 0x40,
    GV_AERO_USAGE_STORAGE = 0x80,
};

enum gv_aero_kind {
    GV_AERO_BUFFER = 1,
    GV_AERO_TEXTURE,
    GV_AERO_VIEW,
    GV_AERO_SHADER,
    GV_AERO_LAYOUT,
    GV_AERO_SAMPLER,
};

// Guest memory a resource mirrors.
struct gv_aero_backing {
    uint32_t alloc_id; // 0 = none
    uint32_t offset;
};

struct gv_aero_buffer {
    struct gv_lower_buffer base; // of constant buffers the content is tracked
    uint32_t usage;
    struct gv_aero_backing backing;
    // The hidden counter of append and consume views, made when first needed.
    struct gv_buffer counter;
    uint32_t counter_start; // what a binding wants it to be
    bool counter_pending;   // and it is not yet
};

struct gv_aero_texture {
    struct gv_lower_image base;
    uint32_t usage;
    struct gv_aero_backing backing;
    bool opaque; // X8: alpha reads as 1
};

// A part of a texture, possibly in another format.
struct gv_aero_view {
    struct gv_aero_object *texture;
    const struct gv_lower_format *format;
    uint32_t mip, mips, layer, layers;
};

// What a draw asks of a shader beside its blob (aero_need.c).
struct gv_aero_need {
    uint32_t alpha_test, control_points;
    bool half_pixel;
    uint32_t missing_inputs; // locations that the stage in front does not write
    // Domain shaders: patch registers that the hull shader does not write, and what it
    // declares.
    uint32_t missing_patch, partitioning, output_primitive;
    uint32_t cubes;     // bit per bound cube that no declaration tells of
    uint64_t constants; // 4 bits per slot: log2 of vec4s bound beyond what is declared
};

// A shader blob and what it was translated to; equal blobs share it.
struct gv_aero_code {
    struct gv_aero_code *next; // same hash bucket
    struct gv_hash hash;
    const uint8_t *blob; // in the capture
    size_t size;
    uint64_t offset; // in the capture
    bool d3d9;
    struct gv_aero_variant *variants; // translations made so far
    uint32_t variant_count;
    uint64_t constants; // the largest of the variants' needs, per slot
    // Why there is none, where the creation told: the first draw that uses it ends
    // there.
    struct gv_error *refusal;
};

struct gv_aero_shader {
    struct gv_aero_code *code;
    uint32_t stage; // enum gv_dxbc_stage
};

// One translation of a shader, for the options it needed.
struct gv_aero_variant {
    struct gv_aero_variant *next;
    uint64_t serial; // unique among all variants
    struct gv_aero_need need;
    const struct gv_aero_variant *plain; // by state alone; itself. NULL: of no blob
    struct gv_dxbc_shader code;
    struct gv_shader module;
    struct gv_pipeline compute; // of a compute shader
    uint16_t compute_dynamic;
};

struct gv_aero_element {
    uint32_t semantic_hash, semantic_index; // D3D10/11 layouts
    uint32_t usage, usage_index;            // D3D9 declarations
    uint32_t format;                        // GV_FORMAT_*
    uint32_t slot, offset;
    bool instance;
    uint32_t step;
};

struct gv_aero_layout {
    struct gv_aero_element *elements;
    uint32_t count;
    bool d3d9;
};

struct gv_aero_object {
    struct gv_named named;
    uint8_t kind; // enum gv_aero_kind
    bool bound;   // some context may hold it
    union {
        struct gv_aero_buffer buffer;
        struct gv_aero_texture texture;
        struct gv_aero_view view;
        struct gv_aero_shader shader;
        struct gv_aero_layout layout;
        struct gv_sampler sampler;
    };
};

// ---- state of one context ----

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

// ---- pipelines ----

struct gv_aero_pipeline {
    struct gv_lower_pipeline base;
    const struct gv_aero_variant *variants[GV_DXBC_STAGE_COUNT]; // NULL = none
};

// A translation as a stage of a pipeline.
struct gv_aero_part {
    struct gv_lower_part part;
    struct gv_lower_place places[GV_DXBC_CBUFFER_BINDINGS];
    uint32_t count; // of places
};

#define GV_AERO_CODE_BUCKETS 256u
#define GV_AERO_MAX_WRITEBACKS 4096u // of a submission

struct gv_aero_memory { // one memory range of the running submission
    uint32_t alloc_id;
    bool read_only;
    uint64_t gpa, size;
    const uint8_t *data;
};

// Guest memory that a copy of the running submission changed.
struct gv_aero_writeback {
    uint32_t alloc_id;
    uint64_t begin, end;   // bytes of the allocation
    struct gv_buffer copy; // with them
};

struct gv_aero_token {
    uint64_t token;
    struct gv_aero_object *object; // NULL: retired
};

struct gv_aero {
    const struct gv_compile_params *params;
    struct gv_arena *arena;
    struct gv_builder *b;
    struct gv_gpu_trace trace;
    struct gv_aero_blob_map blobs;

    // Objects.
    struct gv_id_map objects; // by handle
    uint64_t next_serial;     // of objects and translations
    struct gv_aero_token *tokens;
    uint32_t token_count, token_capacity;

    // Contexts.
    struct gv_aero_context *contexts[GV_AERO_MAX_CONTEXTS];
    uint32_t context_count;
    struct gv_aero_context *current;   // whose state the builder holds
    struct gv_pipeline bound_pipeline; // of its draws

    // The running submission.
    uint32_t abi;                  // of its stream
    struct gv_aero_memory *memory; // ascending alloc_id
    uint32_t memory_count, memory_capacity;
    struct gv_aero_writeback *writebacks; // [GV_AERO_MAX_WRITEBACKS] or NULL
    uint32_t writeback_count;
    struct gv_alloc_table alloc_table;
    struct gv_arena submission_arena; // of alloc_table

    struct gv_lower_pass pass;
    struct gv_lower_buffers buffers;
    struct gv_lower_stand_ins stand_ins;
    struct gv_lower_images images;

    // Shared objects, made when first needed.
    struct gv_image framebuffer;
    uint32_t framebuffer_width, framebuffer_height;
    struct gv_lower_pipelines pipelines;
    struct gv_aero_code *codes[GV_AERO_CODE_BUCKETS];
    struct gv_aero_variant *fixed_variants[8];
    struct gv_sampler default_sampler;

    // Frames.
    uint64_t command; // number of the next packet
    bool presented;   // since the last Present record
    bool kept;        // ... in an earlier frame, which has none: see kept_picture
    struct gv_lower_attachment kept_picture; // a copy of what was presented
    uint32_t present_width, present_height;
    struct gv_lower_attachment present_color, present_depth; // for the exports
    uint32_t present_depth_aspects;
    struct gv_aero_export {
        bool made;
        uint32_t index, format, width, height;
    } export_color, export_depth;
    bool shows;      // the current frame has a Present record
    bool half_pixel; // option

    struct gv_aero_appendix *appendix; // minimal packets' objects, or NULL
    struct gv_aero_context *appendix_context;
    struct gv_graphics_desc graphics; // being described
    struct gv_compute_desc compute;   // likewise
    uint8_t *padded;                  // 64 KiB of scratch for constants
};

// Fails with the byte offset and number of the current packet.
bool gv_aero_fail(struct gv_aero *a, enum gv_status status, const struct gv_cmd *c,
                  struct gv_error *err, const char *format, ...) GV_PRINTF(5, 6);

// The same with an error that something told without a place.
bool gv_aero_refuse(struct gv_aero *a, const struct gv_cmd *c,
                    const struct gv_error *inner, struct gv_error *err);

// ---- aero_objects.c ----

// The live object of a handle, or NULL (0, unknown, destroyed, dead original).
struct gv_aero_object *gv_aero_find(struct gv_aero *a, uint32_t handle);
// An original that was destroyed while aliases of it live: its use is an error.
bool gv_aero_is_dead(struct gv_aero *a, uint32_t handle);
// Makes an object of `kind` under a handle that must be free and not 0.
struct gv_aero_object *gv_aero_create(struct gv_aero *a, const struct gv_cmd *c,
                                      uint32_t handle, enum gv_aero_kind kind,
                                      struct gv_error *err);
// Makes a free handle another name of `o`.
bool gv_aero_alias(struct gv_aero *a, const struct gv_cmd *c, uint32_t handle,
                   struct gv_aero_object *o, struct gv_error *err);
// Drops one handle. Unknown handles are no error.
void gv_aero_destroy(struct gv_aero *a, uint32_t handle);
void gv_aero_release(struct gv_aero *a, struct gv_aero_object *o);
// Takes `o` out of every binding of every context.
void gv_aero_unbind(struct gv_aero *a, struct gv_aero_object *o);
// The texture behind a texture or view, else NULL.
struct gv_aero_object *gv_aero_texture_of(struct gv_aero_object *o);

// ---- aero_memory.c ----

// Bytes [offset, offset + size) of guest memory, or NULL and an error.
const uint8_t *gv_aero_memory_read(struct gv_aero *a, const struct gv_cmd *c,
                                   const struct gv_aero_backing *backing,
                                   uint64_t offset, uint64_t size,
                                   struct gv_contents *observed, struct gv_error *err);
const struct gv_aero_memory *gv_aero_memory_find(const struct gv_aero *a,
                                                 uint32_t alloc_id);
bool gv_aero_memory_load(struct gv_aero *a, const struct gv_trace_submission *s,
                         struct gv_error *err);

// ---- aero_texture.c ----

// Writes [offset, offset + size) of the linear image; the range must be inside.
bool gv_aero_texture_write(struct gv_aero *a, const struct gv_cmd *c,
                           struct gv_aero_texture *t, uint64_t offset, uint64_t size,
                           const struct gv_lower_source *source, struct gv_error *err);
// Refreshes the subresources that a byte range touches from guest memory.
bool gv_aero_texture_fetch(struct gv_aero *a, const struct gv_cmd *c,
                           struct gv_aero_texture *t, uint64_t offset, uint64_t size,
                           struct gv_error *err);
// ---- aero_writeback.c ----

// Checks that a copy may change guest memory and notes that it does. The caller fills
// `copy` with the bytes. NULL: an error.
struct gv_aero_writeback *gv_aero_writeback_add(struct gv_aero *a,
                                                const struct gv_cmd *c,
                                                const struct gv_aero_backing *backing,
                                                uint64_t offset, uint64_t size,
                                                struct gv_error *err);
void gv_aero_writeback_clear(struct gv_aero *a);
// Whether copies of this submission changed some of these bytes.
bool gv_aero_written_back(const struct gv_aero *a,
                          const struct gv_aero_backing *backing, uint64_t offset,
                          uint64_t size);
// Lays what was changed over a buffer that holds the bytes from `target_offset`.
void gv_aero_writeback_apply(struct gv_aero *a, const struct gv_aero_backing *backing,
                             uint64_t offset, uint64_t size, struct gv_buffer target,
                             uint64_t target_offset);

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
bool gv_aero_stage_of(struct gv_aero *a, const struct gv_cmd *c, uint32_t stage,
                      uint32_t stage_ex, uint32_t *out, struct gv_error *err);
// What part of which texture a texture or view is; false for all else.
bool gv_aero_subresources(struct gv_aero_object *o, struct gv_aero_view *out);
// X8, by the view's format or the texture's: alpha is 1 and stays so.
bool gv_aero_opaque(const struct gv_aero_view *v);
// Takes what is rendered to out of the textures that are read.
void gv_aero_drop_sources(struct gv_aero_context *x, struct gv_aero_object *target);

// ---- aero_pass.c ----

// Opens a pass on the context's targets unless it is open.
void gv_aero_pass_begin(struct gv_aero *a, struct gv_aero_context *x);
// What the context renders to, the default framebuffer when nothing is bound; computed
// when the targets changed.
const struct gv_lower_targets *gv_aero_current_targets(struct gv_aero *a,
                                                       struct gv_aero_context *x);
struct gv_image gv_aero_framebuffer(struct gv_aero *a);
// The picture of this frame is the one that an earlier frame kept.
void gv_aero_present_kept(struct gv_aero *a);

// ---- aero_shader.c, aero_fixed.c ----

// The translation of a shader that a draw of this context needs. `front`: of the stage
// before it; NULL: there is none.
struct gv_aero_variant *
gv_aero_shader_variant(struct gv_aero *a, const struct gv_cmd *c,
                       const struct gv_aero_context *x, struct gv_aero_shader *shader,
                       const struct gv_aero_variant *front, struct gv_error *err);
struct gv_shader gv_aero_variant_module(struct gv_aero *a, struct gv_aero_variant *v);
enum gv_aero_fixed { // shaders for draws without any
    GV_AERO_FIXED_NONE,
    GV_AERO_FIXED_POS3_COLOR,
    GV_AERO_FIXED_POS2_COLOR,
    GV_AERO_FIXED_POS3_UV,
    GV_AERO_FIXED_FS_COLOR, // fragment shaders
    GV_AERO_FIXED_FS_TEXTURE,
};
struct gv_aero_variant *gv_aero_fixed_variant(struct gv_aero *a,
                                              enum gv_aero_fixed which,
                                              struct gv_error *err);
// What the stride of slot 0 means; NONE: nothing.
enum gv_aero_fixed gv_aero_fixed_for(const struct gv_aero_context *x);
void gv_aero_fixed_input(enum gv_aero_fixed which, struct gv_graphics_desc *desc,
                         struct gv_lower_slots *slots);

// ---- aero_need.c ----

// What the context's state asks of a shader.
void gv_aero_need_of_state(const struct gv_aero *a, const struct gv_aero_context *x,
                           const struct gv_aero_shader *s, struct gv_aero_need *n);
// Adds what follows from the translation `plain`, the stage in front (NULL: none) and
// the bindings.
void gv_aero_need_refine(const struct gv_aero_context *x,
                         const struct gv_aero_variant *plain,
                         const struct gv_aero_variant *front, struct gv_aero_need *n);
// Whether the bindings ask for another variant by now.
bool gv_aero_need_moved(const struct gv_aero_context *x,
                        const struct gv_aero_variant *v);
bool gv_aero_need_equal(const struct gv_aero_need *a, const struct gv_aero_need *b);
// Whether what was translated for `a` serves `b` too: it reads as many constants.
bool gv_aero_need_covers(const struct gv_aero_need *a, const struct gv_aero_need *b);
// The larger of the sizes of each slot.
uint64_t gv_aero_need_larger(uint64_t constants, uint64_t others);
void gv_aero_need_options(const struct gv_aero_need *n, struct gv_dxbc_options *out);

// ---- aero_input.c ----

// Fills vertex input of `desc` for a vertex shader, and what it reads.
bool gv_aero_input(struct gv_aero *a, const struct gv_cmd *c,
                   const struct gv_aero_context *x, const struct gv_dxbc_shader *vs,
                   struct gv_graphics_desc *desc, struct gv_lower_slots *slots,
                   struct gv_error *err);

// ---- aero_pipeline.c, aero_bindings.c, aero_draw.c ----

bool gv_aero_pipeline_update(struct gv_aero *a, const struct gv_cmd *c,
                             struct gv_aero_context *x,
                             const struct gv_lower_targets *targets,
                             struct gv_error *err);
// A stage of a pipeline, of its constant buffers those of `dynamic` as bytes.
void gv_aero_part(struct gv_aero *a, struct gv_aero_variant *v, uint16_t dynamic,
                  struct gv_aero_part *out);
// The builder's state is about to be this context's; NULL: somebody else's.
void gv_aero_use_context(struct gv_aero *a, struct gv_aero_context *x);
// A dispatch may have written the UAVs: copies go back, constants of them are stale.
void gv_aero_buffers_written(struct gv_aero *a, struct gv_aero_context *x);
// Which constant buffers of a stage are fed as bytes; `limit` at most.
uint16_t gv_aero_dynamic_constants(const struct gv_aero_context *x,
                                   const struct gv_aero_variant *v, uint32_t stage,
                                   uint32_t limit);
// What the scissor leaves of the context's targets; false if that is nothing.
bool gv_aero_scissor(const struct gv_aero_context *x, struct gv_lower_rectangle *out);
bool gv_aero_bind_stage(struct gv_aero *a, const struct gv_cmd *c,
                        struct gv_aero_context *x, uint32_t stage,
                        const struct gv_aero_variant *v, uint16_t dynamic,
                        struct gv_error *err);

// ---- aero_appendix.c ----

// Executes one appendix-A packet: the payload of a Packet record.
bool gv_aero_appendix_packet(struct gv_aero *a, const uint8_t *data, uint32_t size,
                             uint64_t offset, struct gv_error *err);

// ---- handlers: one per packet ----

#define GV_AERO_HANDLER(name)                                         \
    bool gv_aero_##name(struct gv_aero *a, struct gv_aero_context *x, \
                        const struct gv_cmd *c, struct gv_error *err)
#define GV_CMD(name, opcode, min, count_at, element, handler) GV_AERO_HANDLER(handler);
#define GV_FIELD(name, field, offset, kind)
#define GV_CMD_END
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
#undef GV_CMD_END

#endif
