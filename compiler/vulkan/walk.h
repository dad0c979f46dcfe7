// The machine behind vulkan.h: what each part of the walk shares.
//
// Work happens when command buffers are submitted. Then their calls are walked in
// order, and become calls of the builder: state where it changed, passes, draws,
// copies.
#ifndef GV_WALK_H
#define GV_WALK_H

#include "compiler/vulkan/track/cap_commands.h"
#include "compiler/vulkan/track/cap_descriptors.h"
#include "compiler/vulkan/track/cap_memory.h"
#include "compiler/vulkan/vulkan.h"
#include "resources/base/bytes.h"

#define GV_WALK_COLORS GV_MAX_COLOR_ATTACHMENTS
#define GV_WALK_SETS 32u
#define GV_WALK_PUSH_BYTES 4096u

// ---- objects beside those of the tracker ----

struct gv_walk_view {
    struct gv_cap_ref image;
    VkImageViewType type;
    VkFormat format;
    VkComponentMapping swizzle;
    VkImageSubresourceRange range; // counts resolved, as far as the image tells
};

struct gv_walk_buffer_view {
    struct gv_cap_ref buffer;
    VkFormat format;
    uint64_t offset, range;
};

struct gv_walk_sampler {
    struct gv_sampler_desc desc;
    const char *unsupported; // NULL: none
};

struct gv_walk_module {
    const uint32_t *words;
    size_t count;
};

struct gv_walk_framebuffer {
    uint32_t layers, count;
    struct gv_cap_ref views[]; // [count]
};

struct gv_walk_swapchain {
    VkSwapchainCreateInfoKHR info; // without pointers
    uint32_t count;
    uint64_t images[64]; // ids
};

struct gv_walk_queries {
    VkQueryType type;
    uint32_t count;
    VkQueryPipelineStatisticFlags statistics;
    struct gv_query lowered;
    uint32_t known;  // slots of `ready`
    uint8_t ready[]; // [known]: they were reset once
};

// ---- state of a command buffer ----

struct gv_walk_set {
    struct gv_cap_ref ref;
    struct gv_cap_set *pushed; // of the command buffer itself, instead; NULL: none
    const uint32_t *offsets;   // dynamic ones
    uint32_t offset_count;
};

// What is bound for graphics, or for compute.
struct gv_walk_point {
    struct gv_walk_pipeline *pipeline;
    struct gv_walk_set sets[GV_WALK_SETS];
};

struct gv_walk_stencil {
    uint32_t compare_mask, write_mask, reference;
    VkStencilOp fail, pass, depth_fail;
    VkCompareOp compare;
};

// Vertex input. Each one is there once, so that pointers tell them apart.
struct gv_walk_input {
    uint32_t binding_count, attribute_count;
    struct gv_walk_input_binding {
        uint32_t binding, stride, rate, divisor; // rate: GV_INPUT_RATE_*
    } bindings[GV_MAX_VERTEX_BINDINGS];
    VkVertexInputAttributeDescription attributes[GV_MAX_VERTEX_ATTRIBUTES];
};

struct gv_walk_blend {
    VkBool32 enable;
    VkColorBlendEquationEXT equation;
    VkColorComponentFlags mask;
    VkBool32 written; // the mask counts
};

#define GV_WALK_NO_CLAMP 2u // depth clipping: the opposite of clamping

// State that a pipeline has, or that commands set where it is dynamic.
struct gv_walk_dynamic {
    VkViewport viewports[GV_MAX_VIEWPORTS];
    VkRect2D scissors[GV_MAX_VIEWPORTS];
    uint32_t viewport_count;
    float line_width, bias[3] /* constant, clamp, slope */, blend[4], bounds[2];
    uint32_t stipple_factor, stipple_pattern;
    struct gv_walk_stencil stencil[2]; // front, back
    VkCullModeFlags cull;
    VkFrontFace front;
    VkPrimitiveTopology topology;
    VkBool32 depth_test, depth_write, bounds_test, stencil_test, discard, bias_enable,
        restart;
    VkCompareOp depth_compare;
    uint32_t control_points;
    VkLogicOp logic;
    VkPolygonMode polygon;
    VkBool32 clamp, minus_one, stipple, logic_enable, coverage, to_one;
    uint32_t clip; // VkBool32, or GV_WALK_NO_CLAMP
    uint32_t provoking, line_mode, samples, sample_mask, origin, stream;
    uint32_t blend_count;
    struct gv_walk_blend blends[GV_WALK_COLORS];
    const struct gv_walk_input *input; // NULL: none
};

struct gv_walk_vertices {
    struct gv_cap_ref buffer;
    uint64_t offset, size; // size VK_WHOLE_SIZE: to the end
    uint32_t stride;       // where the pipeline leaves it open
};

struct gv_walk_state {
    struct gv_walk_point graphics, compute;
    struct gv_walk_dynamic dynamic;
    struct gv_walk_vertices vertices[GV_MAX_VERTEX_BINDINGS];
    struct gv_cap_ref index_buffer;
    uint64_t index_offset;
    VkIndexType index_type;
    uint8_t push[GV_WALK_PUSH_BYTES];
};

// ---- passes ----

struct gv_walk_target {
    const struct gv_walk_view *view; // NULL: none
    struct gv_cap_image *image;
    VkAttachmentLoadOp load, stencil_load;
    VkAttachmentStoreOp store, stencil_store;
    VkClearValue clear;
    const struct gv_walk_view *resolve; // NULL: none
    struct gv_cap_image *resolve_image;
};

struct gv_walk_pass {
    struct gv_walk_target color[GV_WALK_COLORS], depth;
    uint32_t color_count, layers;
    VkRect2D area;
    bool many;                  // it renders one view of several
    uint32_t view;              // which is a layer of its targets
    VkImageAspectFlags written; // of `depth`, in this pass
    bool copied;                // what `depth` holds, for draws to read
    bool open;
};

// Of a render pass: which subpass is next, and what of its attachments was used.
struct gv_walk_render {
    const struct gv_walk_render_pass *pass; // NULL: none
    const VkRenderingInfo *rendering;       // or of dynamic rendering
    uint32_t subpass;
    VkRect2D area;
    uint32_t layers, attachment_count;
    const struct gv_walk_view **views; // [attachment_count]
    VkClearValue *clears;              // [attachment_count]
    uint32_t *used;                    // [attachment_count]: views, by bits
};

// Of a pass that is walked once for each view.
struct gv_walk_views {
    bool many;
    uint32_t left;          // views to come and this one, by bits
    uint32_t view, ordinal; // this one, and how many were before it
    // Where the pass began, and with what state.
    const struct gv_cap_commands *list;
    size_t first;
    struct gv_walk_state *state;
};

struct gv_walk_inputs {
    struct gv_walk_input_entry *first; // all that there are
    uint32_t count;
};

struct gv_walk_conditions {
    struct gv_buffer buffer; // of values
    uint32_t next;           // value
    bool open;
};

struct gv_walk_results {
    struct gv_buffer buffer; // of queries, before they are picked
    uint64_t size;
};

// What the host wrote to images, until it is uploaded.
struct gv_walk_texels {
    struct gv_cap_image *images;
    struct gv_bytes pieces; // of linear ones that the device wrote too
};

struct gv_walk_running {
    uint32_t depth; // of secondary command buffers
    uint64_t work;  // commands that ran (gv_walk_charge)
};

struct gv_walk {
    struct gv_vulkan *vulkan;
    struct gv_builder *b;
    struct gv_cap *cap;
    struct gv_arena *arena;     // of the compile
    struct gv_arena submission; // of this submit
    struct gv_walk_inputs inputs;
    struct gv_walk_conditions conditions;
    struct gv_walk_results results;
    struct gv_walk_state *state;
    struct gv_walk_pass pass;
    struct gv_walk_render render;
    struct gv_walk_views views;
    const struct gv_cap_commands *list; // that is walked, and which call of it
    size_t at;
    bool jump; // back to where the views' pass began
    struct gv_walk_texels texels;
    struct gv_walk_running running;
    bool skip; // the pass is left out, with its work
};

struct gv_vulkan {
    struct gv_builder *b;
    struct gv_arena *arena;
    struct gv_cap cap;
    struct gv_walk walk;
    uint64_t memory_limit;
    bool marked_frames;
    bool snapshot;        // the capture begins with one
    bool restored;        // and it is over
    bool software;        // recorded on Mesa's software driver
    VkExtent2D presented; // in this frame
};

// Work from here on belongs to a place of the capture: the next command, or the one
// before where that has the same block. `kinds`: GV_COMMAND_*.
void gv_walk_begin(struct gv_vulkan *v, const char *name,
                   const struct gv_vk_place *place, uint8_t kinds);
// Whether so many bytes more stay within the limit of the compile.
bool gv_walk_fits(const struct gv_vulkan *v, uint64_t bytes, struct gv_error *err);

// Leaves something out, by name.
void gv_walk_unsupported(struct gv_walk *w, const char *format, ...) GV_PRINTF(2, 3);

// The struct of a chain, or NULL.
const void *gv_walk_chained(const void *next, VkStructureType type);

// ---- walk_chains.c ----

// Tells what of a call's chains is unsupported.
void gv_walk_check_chains(struct gv_walk *w, const struct gv_vk_call *call);

// ---- walk_devices.c ----

// As gv_walk_object_call.
bool gv_walk_device_call(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                         struct gv_error *err);
// Whether the device or queue that a call begins with is there.
bool gv_walk_known_first(const struct gv_vulkan *v, const struct gv_vk_call *call,
                         struct gv_error *err);

// ---- walk_objects.c: what is made and destroyed ----

// False: `call` is none of them. Else `*ok` says whether it went well.
bool gv_walk_object_call(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                         struct gv_error *err);

// ---- walk_resources.c: buffers and images of the payload ----

// Made when first asked for; none if it cannot be made, which is told by then.
struct gv_buffer gv_walk_buffer(struct gv_walk *w, struct gv_cap_buffer *buffer);
struct gv_image gv_walk_image(struct gv_walk *w, struct gv_cap_image *image);
// One like this, made where objects can be made.
struct gv_image gv_walk_make_image(struct gv_walk *w, const VkImageCreateInfo *info,
                                   uint32_t usage);
// Around what makes or fills objects: it stands outside of passes, ahead of the one
// that is open.
void gv_walk_begin_making(struct gv_walk *w);
void gv_walk_end_making(struct gv_walk *w);
void gv_walk_drop_resource(struct gv_walk *w, struct gv_cap_resource *r);
bool gv_walk_bind_memory(struct gv_vulkan *v, uint64_t resource, uint64_t memory,
                         uint64_t offset, bool image, struct gv_error *err);
// Hands on what came to a resource: a gv_cap_write_fn, of a struct gv_walk.
bool gv_walk_write(void *walk, const struct gv_cap_write *write, struct gv_error *err);

// ---- walk_linear.c: texels that the host wrote ----

// They wait for the flush, which comes after all writes of a fill.
bool gv_walk_note_texels(struct gv_walk *w, struct gv_cap_image *image,
                         const struct gv_cap_write *write, struct gv_error *err);
bool gv_walk_flush_images(struct gv_walk *w, struct gv_error *err);

// ---- walk_optimal.c: images as the recording driver has them ----

uint64_t gv_walk_optimal_bytes(const struct gv_cap_image *image); // at least 1
bool gv_walk_read_optimal(struct gv_walk *w, struct gv_cap_image *image,
                          struct gv_error *err);

// ---- walk_alias.c ----

// The device is to read a part of a resource: what it wrote through another one in the
// same memory comes here first.
void gv_walk_reads(struct gv_walk *w, struct gv_cap_resource *r, uint64_t offset,
                   uint64_t size);
// The device writes all bytes of a part of a resource; a part that it may write only
// some of is read too.
void gv_walk_writes(struct gv_walk *w, struct gv_cap_resource *r, uint64_t offset,
                    uint64_t size);
// A resource is about to go: others receive what it holds of them.
void gv_walk_leaves(struct gv_walk *w, struct gv_cap_resource *r);
// All texels of one image of the payload to another one like it.
void gv_walk_copy_texels(struct gv_walk *w, const VkImageCreateInfo *info, uint32_t to,
                         uint32_t from);

// ---- walk_aligned.c ----

// The buffer and offset at which a part of a uniform buffer can be bound.
struct gv_buffer gv_walk_aligned(struct gv_walk *w, struct gv_cap_buffer *buffer,
                                 uint64_t *offset, uint64_t size);
void gv_walk_drop_mirrors(struct gv_walk *w, struct gv_cap_buffer *buffer);

// ---- walk_feedback.c ----

// What a draw reads instead of an image that may be attached. False: nothing can be, as
// the pass writes it, which is told by then. `writes`: the shader writes the image.
bool gv_walk_read_image(struct gv_walk *w, struct gv_cap_image *image,
                        const struct gv_walk_view *view, bool writes,
                        struct gv_image *lowered);

// ---- walk_views.c ----

// A pass begins that renders these views; 0: it is no pass of views.
bool gv_walk_begin_views(struct gv_walk *w, uint32_t mask, struct gv_error *err);
// A pass has ended. `*again`: it begins again for the next view.
bool gv_walk_next_view(struct gv_walk *w, bool *again, struct gv_error *err);

// ---- walk_pass.c ----

void gv_walk_end_pass(struct gv_walk *w);

// ---- walk_pipeline.c, walk_graphics.c: pipelines ----

bool gv_walk_create_graphics(struct gv_vulkan *v, const struct gv_vk_call *call,
                             struct gv_error *err);
bool gv_walk_create_compute(struct gv_vulkan *v, const struct gv_vk_call *call,
                            struct gv_error *err);

// ---- walk_input.c ----

// The one that is like this; NULL: no memory, or too many.
const struct gv_walk_input *gv_walk_find_input(struct gv_walk *w,
                                               const struct gv_walk_input *like);

// ---- walk_query.c ----

// The program itself makes queries ready, without a command buffer.
bool gv_walk_reset_queries(struct gv_walk *w,
                           const struct gv_vk_args_vkResetQueryPool *a,
                           struct gv_error *err);

// ---- walk_state.c ----

// The state that a draw has: the pipeline's, and commands' where it is dynamic.
void gv_walk_resolve(const struct gv_walk_state *s, struct gv_walk_dynamic *out);
void gv_walk_emit_state(struct gv_walk *w, const struct gv_walk_dynamic *d);

// ---- walk_bindings.c ----

// Binds what a pipeline's stages read and write. False: not all of it can be.
bool gv_walk_emit_bindings(struct gv_walk *w, const struct gv_walk_point *p);

// ---- walk_timeline.c: timeline semaphores ----

// As gv_walk_object_call.
bool gv_walk_semaphore_call(struct gv_vulkan *v, const struct gv_vk_call *call,
                            bool *ok, struct gv_error *err);
// Ahead of the command buffers of a submit, and behind them.
void gv_walk_submit_waits(struct gv_vulkan *v, const VkSubmitInfo *s);
void gv_walk_submit_signals(struct gv_vulkan *v, const VkSubmitInfo *s);
void gv_walk_submit2_waits(struct gv_vulkan *v, const VkSubmitInfo2 *s);
void gv_walk_submit2_signals(struct gv_vulkan *v, const VkSubmitInfo2 *s);

// ---- walk_submit.c ----

#define GV_WALK_RESET_WORK 64 // taking other state, as if it were so many commands

bool gv_walk_submit(struct gv_walk *w, uint64_t commands, struct gv_error *err);
bool gv_walk_list(struct gv_walk *w, const struct gv_cap_commands *c,
                  struct gv_error *err);
// Counts work as that of so many commands. False: more than a capture of this length
// may ask for (a list that runs lists that run lists ...).
bool gv_walk_charge(struct gv_walk *w, uint64_t amount, struct gv_error *err);

// ---- commands: a handler of each row of walk_commands.def ----

// The head of a handler.
#define GV_WALK_COMMAND(name)                                                 \
    bool gv_walk_##name(struct gv_walk *w, const struct gv_vk_args_##name *a, \
                        struct gv_error *err)

#define GV_WALK(name) GV_WALK_COMMAND(name);
#define GV_WALK_SKIP(name)
#include "compiler/vulkan/walk_commands.def"
#undef GV_WALK
#undef GV_WALK_SKIP

#endif
