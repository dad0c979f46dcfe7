// What the files of runtime/ share: the runtime, and one function per call.
#ifndef GV_CONTEXT_H
#define GV_CONTEXT_H

#include "runtime/runtime.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/handles.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/staging.h"
#include "runtime/vk/memory/view.h"

struct gv_vk_pass;       // vk/pass.h
struct gv_vk_draw_state; // vk/draw_state.h
struct gv_vk_pipelines;  // vk/pipeline.h
struct gv_vk_outputs;    // vk/export.h

struct gv_runtime {
    struct gv_host host;
    struct gv_vk_device device;
    struct gv_vk_heaps heaps;
    struct gv_handles handles;
    struct gv_vk_commands commands;
    struct gv_vk_staging staging;
    struct gv_vk_barriers barriers;
    struct gv_vk_pass *pass;                        // owned; gv_vk_pass_create
    struct gv_vk_draw_state *draw_state;            // owned; gv_vk_draw_state_create
    struct gv_vk_pipelines *pipelines;              // owned; gv_vk_pipelines_create
    struct gv_vk_outputs *outputs;                  // owned; gv_vk_outputs_create
    struct gv_vk_view_memo views[GV_VK_VIEW_MEMOS]; // by a hash
    struct gv_table image_views, buffer_views;      // of all that live
    bool in_pass; // between pass_begin and pass_end (also while suspended)
    uint64_t next_id;
    uint64_t map_bytes;        // of open shadows
    uint64_t object_bytes;     // of live buffers and images of the payload
    bool own;                  // what is made now is none of the payload's
    struct gv_limits declared; // by the payload
    uint64_t timeout_ns;
    struct gv_progress *progress;
    const char *cache_folder; // owned copy, or NULL
    struct gv_runtime_stats stats;
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

// What an object costs beside the memory bound to it, in bytes: our own struct and what
// drivers keep, by the largest that was measured. Charged while the object exists.
enum gv_object_cost {
    GV_COST_BUFFER = 1024,
    GV_COST_IMAGE = 4096,
    GV_COST_VIEW = 512,
    GV_COST_SAMPLER = 512,
    GV_COST_SHADER = 1024, // and its code
    // What 7,400 small ones of lavapipe took: 60 KiB each for compute, 140 for
    // graphics.
    GV_COST_PIPELINE = 192u << 10,
    GV_COST_PER_CODE_BYTE = 4, // of a pipeline's shaders
    GV_COST_LAYOUT = 4096,
    GV_COST_SET = 512,
    GV_COST_DESCRIPTOR = 128, // of a set or layout
    GV_COST_QUERY = 1024,
    GV_COST_QUERY_SLOT = 512,
    GV_COST_MAP = 256, // and its bytes
};

// Waits for what is given up if `bytes` of device memory have no room beside it.
// Between commands alone, or in the middle of one for the runtime itself: then it does
// nothing.
bool gv_runtime_make_room(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err);

// A zeroed struct for an object that costs `cost`, where `device_bytes` of device
// memory have room too. What is given up is waited for if there is no room without.
// Between commands alone. NULL: GV_ERR_LIMIT, GV_ERR_MEMORY.
void *gv_runtime_object(struct gv_runtime *rt, size_t size, uint64_t cost,
                        uint64_t device_bytes, struct gv_error *err);
// Frees it and gives back the cost. NULL is fine.
void gv_runtime_object_free(struct gv_runtime *rt, void *object, uint64_t cost);

// An image that the runtime makes for itself, beside what the payload declares; also in
// the middle of a draw.
bool gv_runtime_own_image(struct gv_runtime *rt,
                          const struct gv_args_image_create *create, uint64_t *handle,
                          struct gv_error *err);

// Counts a buffer or an image of so many bytes among those that live. GV_ERR_FORMAT
// when the payload declares fewer.
bool gv_runtime_count_bytes(struct gv_runtime *rt, uint64_t bytes,
                            struct gv_error *err);

// After the creation of a buffer or image: inside a pass, which may bind it, its zeros
// are recorded at once, around a pass break.
bool gv_runtime_settle(struct gv_runtime *rt, struct gv_error *err);

// vk/pass.c. Suspending ends rendering with everything stored, resuming begins it again
// with everything loaded; both do nothing outside a pass, or when already so. Resolves
// happen at the real end only. A running query or transform feedback is ended and
// begun anew alike (its counts add up). Resuming also redoes barriers.
struct gv_vk_pass *gv_vk_pass_create(struct gv_runtime *rt, struct gv_error *err);
void gv_vk_pass_destroy(struct gv_runtime *rt, struct gv_vk_pass *pass);
bool gv_vk_pass_suspend(struct gv_runtime *rt, struct gv_error *err);
bool gv_vk_pass_resume(struct gv_runtime *rt, struct gv_error *err);
// Ends an open pass and everything that counts, for good.
bool gv_vk_pass_abandon(struct gv_runtime *rt, struct gv_error *err);
// The colour attachment 0 of the current or last pass: its live handle, mip and layer;
// 0 when there is none.
uint64_t gv_vk_pass_target(const struct gv_runtime *rt, uint32_t *mip, uint32_t *layer);

// vk/draw_state.c: bindings and dynamic states as the payload set them.
struct gv_vk_draw_state *gv_vk_draw_state_create(struct gv_runtime *rt,
                                                 struct gv_error *err);
void gv_vk_draw_state_destroy(struct gv_runtime *rt, struct gv_vk_draw_state *state);
// Forgets everything the payload bound (gv_runtime_reset).
void gv_vk_draw_state_reset(struct gv_runtime *rt);
// A bound object is about to die: bindings of it become none.
void gv_vk_draw_state_forget(struct gv_runtime *rt, enum gv_kind kind, uint64_t handle);

// vk/pipeline.c: pipeline layouts, set layouts and what else pipelines share.
struct gv_vk_pipelines *gv_vk_pipelines_create(struct gv_runtime *rt,
                                               struct gv_error *err);
void gv_vk_pipelines_destroy(struct gv_runtime *rt, struct gv_vk_pipelines *pipelines);

// Frees an object of each kind now, as gv_handles holds it; the device is done with it.
void gv_vk_sampler_free(struct gv_runtime *rt, void *object);
void gv_vk_shader_free(struct gv_runtime *rt, void *object);
void gv_vk_pipeline_free(struct gv_runtime *rt, void *object);
void gv_vk_query_free(struct gv_runtime *rt, void *object);

#endif
