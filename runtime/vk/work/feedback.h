// Transform feedback: captured vertices, over suspensions of the pass.
#ifndef GV_VK_FEEDBACK_H
#define GV_VK_FEEDBACK_H

#include "runtime/vk/pipelines/kernel.h"
#include "vm/descs.h"

struct gv_handles;
struct gv_vk_commands;
struct gv_vk_draw_state;
struct gv_vk_heaps;
struct gv_vk_pass;

struct gv_vk_pipeline;

struct gv_vk_feedback_buffer {
    uint64_t handle; // 0 = none
    struct gv_vk_buffer *buffer;
    uint64_t offset, size;
};

// A counter kept by feedback_end: buffer 0's count is the payload's, the others' ours.
struct gv_vk_feedback_counter {
    uint64_t handle; // 0 = none
    struct gv_vk_buffer *buffer;
    uint64_t offset;
};

struct gv_vk_feedback {
    struct gv_vk_feedback_buffer buffers[GV_MAX_FEEDBACK_BUFFERS];
    bool active;                         // between feedback_begin and feedback_end
    bool running;                        // recorded as begun
    bool continues;                      // the next begin resumes from our counters
    struct gv_vk_feedback_counter start; // where the first begin resumes from
    struct gv_vk_feedback_counter last;  // where the last end left its count
    uint32_t bits;                       // buffers the pipeline captures into
    struct gv_vk_scratch counters;       // ours: one u32 per buffer
};

// Before a draw: begins capturing if it is wanted and the pipeline captures. The
// pipeline is bound by then. Fails where the pipeline changes what is captured.
bool gv_vk_feedback_begin_draw(const struct gv_vk_commands *commands,
                               struct gv_vk_pass *pass, struct gv_vk_feedback *f,
                               const struct gv_vk_pipeline *pipeline,
                               struct gv_error *err);
// Whether capturing must stop (by suspending the pass) before this pipeline is bound.
bool gv_vk_feedback_blocks(const struct gv_vk_draw_state *draw_state,
                           const struct gv_vk_feedback *feedback, VkPipeline pipeline);

// Rendering is about to end: capturing goes on when it resumes.
void gv_vk_feedback_pause(const struct gv_vk_commands *commands,
                          struct gv_vk_feedback *f);
// After rendering has ended: later captures see the counters.
void gv_vk_feedback_order(struct gv_vk_commands *commands,
                          const struct gv_vk_feedback *feedback);
// The pass is over: capturing that was not ended is.
void gv_vk_feedback_abandon(struct gv_vk_feedback *feedback);

// The counter that a call names; no handle: none.
bool gv_vk_feedback_find_counter(const struct gv_handles *handles, uint64_t handle,
                                 uint64_t offset, struct gv_vk_feedback_counter *out,
                                 struct gv_error *err);

// Leaves it zeroed.
void gv_vk_feedback_finish(struct gv_vk_heaps *heaps, struct gv_vk_feedback *feedback);
void gv_vk_feedback_forget(struct gv_vk_feedback *feedback, uint64_t buffer);

#endif
