// What the rooms of runtime/vk share: the runtime, which knows each subject by a
// pointer alone, and one function per call.
#ifndef GV_CONTEXT_H
#define GV_CONTEXT_H

#include "runtime/vk/handles.h"

#include <stdbool.h>
#include <stdint.h>

struct gv_runtime;

// What lower rooms need of work, which they do not see (set by gv_vk_work_create).
struct gv_vk_above {
    // Ends rendering with everything stored; begins it again with everything loaded.
    // Both do nothing outside a pass, or when already so. Resolves happen at the real
    // end only. A running query or transform feedback is ended and begun anew alike
    // (its counts add up). Resuming also redoes barriers.
    bool (*suspend)(struct gv_runtime *rt, struct gv_error *err);
    bool (*resume)(struct gv_runtime *rt, struct gv_error *err);
    // An object that may be bound is about to die.
    void (*forget)(struct gv_runtime *rt, enum gv_kind kind, uint64_t handle);
    // What was bound for dispatches, or for draws, no longer is.
    void (*compute_lost)(struct gv_runtime *rt);
    void (*graphics_lost)(struct gv_runtime *rt);
};

struct gv_runtime {
    // Each in the header that is named: who needs it includes that.
    struct gv_vk_device *device;           // device/device.h
    struct gv_vk_heaps *heaps;             // memory/device_memory.h
    struct gv_vk_objects *objects;         // memory/object_costs.h
    struct gv_vk_commands *commands;       // memory/commands.h
    struct gv_vk_staging *staging;         // memory/staging.h
    struct gv_vk_barriers *barriers;       // memory/barriers.h
    struct gv_vk_views *views;             // memory/view.h
    struct gv_vk_kept_images *kept_images; // memory/kept_images.h
    struct gv_vk_pipelines *pipelines;     // pipelines/pipeline.h
    struct gv_vk_work *work;               // work/work.c, which has all that follow
    struct gv_vk_draw_state *draw_state;   // work/draw_state.h
    struct gv_vk_pass *pass;               // work/pass.h
    struct gv_vk_queries *queries;         // work/query.h
    struct gv_vk_query_sum *query_sum;     // work/query_parts.h
    struct gv_vk_feedback *feedback;       // work/feedback.h
    struct gv_vk_indirect *indirect;       // work/indirect.h
    struct gv_vk_repack *repack;           // work/vertex_repack.h
    struct gv_vk_converter *converter;     // transfer/texel_converter.h
    struct gv_vk_outputs *outputs;         // work/export.c
    // Shared by all rooms.
    struct gv_handles handles;
    struct gv_vk_above above;
    bool in_pass;   // between pass_begin and pass_end (also while suspended)
    bool rendering; // in a pass and not suspended
};

// One function per row of calls.def, each where its subject is implemented. host.c
// wraps them: it names the call in front of every error message, so that messages here
// name only the argument at fault.
#define GV_CALL(name, code, result, sets, reads, doc)                        \
    bool gv_do_##name(struct gv_runtime *rt, const struct gv_args_##name *a, \
                      uint64_t *result_handle, struct gv_error *err);
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

// Fails with "inside a pass" when one is open, or "outside a pass" when none is.
bool gv_runtime_outside_pass(const struct gv_runtime *rt, struct gv_error *err);
bool gv_runtime_inside_pass(const struct gv_runtime *rt, struct gv_error *err);

// Interrupts an open pass, and goes on with it (struct gv_vk_above).
bool gv_runtime_suspend(struct gv_runtime *rt, struct gv_error *err);
bool gv_runtime_resume(struct gv_runtime *rt, struct gv_error *err);

#endif
