// The command buffer being recorded, submissions, and what waits for them.
#ifndef GV_VK_COMMANDS_H
#define GV_VK_COMMANDS_H

#include "resources/base/error.h"

#include <stdatomic.h>
#include <volk.h>

struct gv_runtime;
struct gv_vk_staging;

#define GV_VK_FRAMES 3                // submissions in flight
#define GV_VK_MAX_STAGING (64u << 20) // bytes in one submission
#define GV_VK_MAX_DRAWS 10000         // draws in one submission
#define GV_VK_MAX_FIRST 6             // that compile their pipelines
// Commands of all kinds and objects that wait for one submission. Drivers keep up to a
// kilobyte for each.
#define GV_VK_MAX_RECORDED 16384

struct gv_vk_commands {
    struct gv_vk_staging *staging; // borrowed: its chunks come back with submissions
    VkCommandBuffer buffer;        // being recorded; NULL = none yet
    // Changes with every new command buffer: bound pipelines, descriptor sets, vertex
    // buffers and dynamic states must be set again when it differs from the one they
    // were set in. Never 0 while recording.
    uint64_t epoch;
    uint64_t serial;    // of the submission being recorded; from 1
    uint64_t completed; // the last one known to be done
    VkSemaphore timeline;
    struct {
        VkCommandPool pool;
        VkCommandBuffer buffer;
        uint64_t serial; // 0 = free
        uint64_t frame, command;
    } ring[GV_VK_FRAMES];
    uint32_t slot;         // of `ring`, in use
    uint32_t draws;        // in this submission
    uint32_t recorded;     // other commands, and objects given up
    uint64_t most_staging; // bytes in one submission
    uint64_t began_ns;     // when recording began
    struct gv_vk_garbage *garbage, *garbage_tail; // owned list, by serial
    uint64_t frame, command; // last recorded position, for progress
    bool lost;
    uint64_t timeout_ns;                                 // of a wait; 0 = for ever
    struct gv_progress *progress;                        // borrowed; may be NULL
    const atomic_bool *cancel;                           // borrowed; may be NULL
    uint64_t submissions, record_ns, wait_ns, submit_ns; // so far, for statistics
};

// `timeout_ns` and `progress` are set already.
bool gv_vk_commands_init(struct gv_vk_commands *commands, struct gv_error *err);
void gv_vk_commands_finish(struct gv_vk_commands *c); // waits for the device

// Waits for what was submitted, cancelled or not, as long as one waits: what the device
// is still at then makes it lost.
void gv_vk_commands_settle(struct gv_vk_commands *c);

// Makes sure that a command buffer is being recorded (rt->commands->buffer). Call it
// before recording anything: it counts a command. Who records many counts the others.
bool gv_vk_commands_begin_work(struct gv_vk_commands *c, struct gv_error *err);

// A frame has ended, and what it recorded was submitted. One that recorded nothing is
// complete with what was submitted last.
void gv_vk_commands_frame_ended(struct gv_vk_commands *commands);

void gv_vk_commands_count(struct gv_vk_commands *c, uint32_t commands);

// After each call, and wherever one records without end: submits what is recorded when
// that, or staging memory in use, reaches a limit. An active pass is suspended and
// resumed.
bool gv_vk_commands_throttle(struct gv_runtime *rt, struct gv_error *err);

// Counts a draw or dispatch as one for which the driver compiles the pipeline.
void gv_vk_commands_count_first(struct gv_vk_commands *commands);

// After each draw or dispatch: counts it, and throttles.
bool gv_vk_commands_count_draw(struct gv_runtime *rt, struct gv_error *err);

// Submits what is recorded, if anything. An active pass is suspended and resumed.
bool gv_vk_commands_submit(struct gv_runtime *rt, struct gv_error *err);

// Waits until a submission is done, at most the time-out (GV_ERR_LOST).
bool gv_vk_commands_wait(struct gv_vk_commands *c, uint64_t serial,
                         struct gv_error *err);

// Submits and waits for everything.
bool gv_vk_commands_idle(struct gv_runtime *rt, struct gv_error *err);

// Calls `destroy` when the submission being recorded now is done (or at once if nothing
// can be using the object). When memory runs out it waits for the device.
void gv_vk_commands_defer(struct gv_runtime *rt,
                          void (*destroy)(struct gv_runtime *rt, void *object),
                          void *object);

#endif
