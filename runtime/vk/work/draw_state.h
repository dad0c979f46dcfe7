// What the payload has bound and set, and what of that the command buffer knows.
#ifndef GV_VK_DRAW_STATE_H
#define GV_VK_DRAW_STATE_H

#include "runtime/vk/memory/staging.h"
#include "runtime/vk/memory/uses.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/pipelines/descriptors.h"
#include "runtime/vk/pipelines/dummy.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "runtime/vk/pipelines/sampler.h"
#include "vm/calls.h"

struct gv_handles;
struct gv_vk_commands;
struct gv_vk_heaps;
struct gv_vk_pass;

enum gv_vk_bound_kind {
    GV_VK_BOUND_NONE,
    GV_VK_BOUND_BYTES,
    GV_VK_BOUND_BUFFER,
    GV_VK_BOUND_TEXELS,
    GV_VK_BOUND_TEXTURE,
    GV_VK_BOUND_SAMPLER,
    GV_VK_BOUND_STORAGE_IMAGE,
};

// What is bound at (set, binding, element).
struct gv_vk_bound {
    uint8_t kind; // enum gv_vk_bound_kind
    uint32_t set, binding;
    struct gv_link of_object, of_sampler; // among all places of the buffer or image
    uint64_t handle, sampler_handle;
    struct gv_vk_buffer *buffer; // of a live handle
    struct gv_vk_image *image;
    struct gv_vk_sampler *sampler;
    uint64_t offset, size; // of buffers
    uint32_t format;       // of texels
    struct gv_view_shape view;
    VkImageView image_view;      // of `view`
    VkBufferView texel_views[2]; // of texels, for loads and for stores; made when used
    uint64_t version;            // GV_VK_STAMP when it last changed
    // Uniform bytes: our copy, and where it was staged in which submission.
    uint8_t *bytes; // owned
    size_t byte_count;
    struct gv_vk_slice slice;
    uint64_t slice_serial; // 0 = not staged
};

struct gv_vk_elements {
    struct gv_vk_bound *items; // owned
    uint32_t count;
    uint64_t version; // the latest of the items'
};

struct gv_vk_set_state {
    struct gv_vk_elements *bindings; // owned; [GV_MAX_BINDING_NUMBER], NULL if unused
    uint64_t version;       // when a binding other than uniform bytes last changed
    uint64_t bytes_version; // when uniform bytes did
};

// What a set holds, of one layout and for shaders of equal needs. It outlives draws, so
// that only bindings that have changed since are looked at again.
struct gv_vk_content {
    struct gv_vk_set_layout *layout; // NULL: nothing is kept here
    const struct gv_vk_needs *needs;
    struct gv_vk_descriptor *items; // owned; [layout->descriptor_count]
    struct gv_vk_use *uses;         // owned; of each item
    uint32_t capacity;
    uint64_t built;         // all that changed up to then is in; 0 = nothing is
    uint64_t hash;          // of the items
    VkDescriptorSet handle; // with these contents; NULL = to be looked up
    uint64_t generation;    // of the cache, for `handle`
};

#define GV_VK_CONTENTS 4 // kept of one set: shaders taking turns want different ones

struct gv_vk_contents {
    struct gv_vk_content items[GV_VK_CONTENTS];
    uint32_t next;                   // to be given up next
    const struct gv_vk_content *now; // of the last draw or dispatch
};

// A set as the command buffer has it.
struct gv_vk_emitted_set {
    const struct gv_vk_set_layout *layout;
    const struct gv_vk_needs *needs;
    VkDescriptorSet handle;
    uint64_t version, bytes_version, generation; // what `handle` was made for
    uint64_t noted; // the pass instance that knows what the set uses; 0 = none
    uint32_t offset_count;
    uint32_t offsets[GV_VK_MAX_DYNAMIC];
};

// Draws and dispatches each have a pipeline and sets of their own.
struct gv_vk_point {
    uint64_t handle; // of the payload's pipeline, 0 = none
    struct gv_vk_pipeline *pipeline;
    uint64_t epoch; // the command buffer that the following were set in
    VkPipeline emitted;
    struct gv_vk_emitted_set sets[GV_MAX_SETS];
};

struct gv_vk_vertex_buffer {
    uint64_t handle;
    struct gv_vk_buffer *buffer;
    uint64_t offset, size;
    uint32_t stride;
};

struct gv_vk_index_buffer {
    uint64_t handle;
    struct gv_vk_buffer *buffer;
    uint64_t offset;
    VkIndexType type;
    uint32_t index_bytes;
};

// The dynamic states; `dirty` has GV_STATE_* bits of those the command buffer lacks.
struct gv_vk_dynamic {
    VkViewport viewports[GV_MAX_VIEWPORTS];
    VkRect2D scissors[GV_MAX_VIEWPORTS];
    uint32_t viewports_set, scissors_set; // bits; others cover the whole pass
    float blend[4];
    uint32_t reference[2], compare_mask[2], write_mask[2]; // front, back
    float bias[3];                                         // constant, clamp, slope
    bool bias_in_24_bits; // the unit that `bias` was emitted in
    float line_width;
    uint32_t stipple_factor, stipple_pattern;
    float bounds[2];
    uint32_t dirty;
    uint32_t emitted_viewports;             // how many
    uint32_t emitted_width, emitted_height; // of the pass they were made for
};

// The vertex buffers of a command buffer, in the order of a pipeline's bindings.
struct gv_vk_vertex_buffers {
    uint32_t count;
    VkBuffer buffers[GV_MAX_VERTEX_BINDINGS + 1];
    VkDeviceSize offsets[GV_MAX_VERTEX_BINDINGS + 1], sizes[GV_MAX_VERTEX_BINDINGS + 1],
        strides[GV_MAX_VERTEX_BINDINGS + 1];
};

struct gv_vk_draw_state {
    struct gv_vk_set_state sets[GV_MAX_SETS];
    struct gv_vk_point graphics, compute;
    struct gv_vk_vertex_buffer vertex[GV_MAX_VERTEX_BINDINGS];
    struct gv_vk_index_buffer index;
    struct gv_vk_dynamic dynamic;
    uint64_t vertex_pipeline; // whose slots the command buffer has
    // The pass instances that know of the vertex and index buffers.
    uint64_t vertex_noted, index_noted;
    struct gv_vk_vertex_buffers vertex_emitted;
    bool vertex_dirty, index_dirty;
    struct gv_vk_descriptors descriptors;
    struct gv_vk_contents contents[2][GV_MAX_SETS]; // by point (graphics, compute)
    // Reads as zeros wherever nothing is bound.
    VkBuffer zero_buffer;
    struct gv_vk_memory zero_memory;
    uint64_t zero_size;
    VkSampler zero_sampler, zero_compare_sampler;
    VkBufferView zero_texels[3]; // by enum gv_spirv_numeric; made at first use
    struct gv_vk_dummies dummies;
    uint64_t draws, dispatches; // so far, for statistics
};

bool gv_vk_draw_state_init(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *state,
                           struct gv_error *err);
// Fine on a half-made one.
void gv_vk_draw_state_finish(struct gv_runtime *rt, struct gv_vk_draw_state *state);
// Forgets everything the payload bound, all objects being about to die.
void gv_vk_draw_state_reset(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *state);
// A bound object is about to die: bindings of it become none.
void gv_vk_draw_state_forget(struct gv_vk_heaps *heaps,
                             const struct gv_handles *handles,
                             struct gv_vk_draw_state *draw_state, enum gv_kind kind,
                             uint64_t handle);

// The element, made when `create`; NULL if it does not exist or memory runs out.
struct gv_vk_bound *gv_vk_bound_at(struct gv_vk_draw_state *state, uint32_t set,
                                   uint32_t binding, uint32_t element, bool create);

// Notes a change of what is bound: bytes or anything else.
void gv_vk_bound_changed(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                         struct gv_vk_bound *bound, bool bytes);

// Puts other contents in the same place: no bytes; its objects know of it.
void gv_vk_bound_replace(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                         struct gv_vk_bound *bound, const struct gv_vk_bound *wanted);

// Empties all places of a buffer or image that dies, or of a sampler.
void gv_vk_bound_forget(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                        struct gv_link **places);
void gv_vk_bound_forget_sampler(struct gv_vk_heaps *heaps,
                                struct gv_vk_draw_state *draw_state,
                                struct gv_vk_sampler *sampler);
// Frees all places; the objects die with them, or are dead already.
void gv_vk_bound_free(struct gv_vk_draw_state *state);

// descriptor_content.c: brings `content` up to date with what is bound in its set.
bool gv_vk_content_update(struct gv_runtime *rt, uint32_t set,
                          struct gv_vk_content *content, struct gv_error *err);

// Puts uniform bytes where work of this submission can read them.
bool gv_vk_stage_bytes(struct gv_runtime *rt, struct gv_vk_bound *b,
                       struct gv_error *err);

// descriptor_sets.c: brings the sets of the point's pipeline into the command buffer.
// The pipeline must have been emitted (its layout counts).
bool gv_vk_emit_sets(struct gv_runtime *rt, struct gv_vk_point *point,
                     struct gv_error *err);

// dynamic_state.c: brings dynamic states into the command buffer.
void gv_vk_dynamic_reset(struct gv_vk_dynamic *dynamic);
void gv_vk_emit_dynamic(const struct gv_vk_commands *c,
                        struct gv_vk_draw_state *draw_state,
                        const struct gv_vk_pass *pass,
                        const struct gv_vk_pipeline *pipeline);

// draw_state.c: makes the point's pipeline current in the command buffer, forgetting
// what an older command buffer had.
void gv_vk_emit_pipeline(const struct gv_vk_commands *commands,
                         struct gv_vk_draw_state *state, struct gv_vk_point *point);

// What a set of the point's pipeline uses, as it was emitted last.
struct gv_vk_uses gv_vk_uses_of(const struct gv_vk_draw_state *state,
                                const struct gv_vk_point *point, uint32_t set);

// Frees (or merely forgets) what is kept of sets.
void gv_vk_contents_finish(struct gv_vk_draw_state *state);
void gv_vk_contents_forget(struct gv_vk_draw_state *state);

#endif
