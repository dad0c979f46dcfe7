// Objects of a recorded Vulkan program, by the ids of its capture: one table of all
// kinds, whose entries point to what is known of each.
//
// Descriptions that others are made of (layouts, render passes, shader modules,
// pipelines) stay as long as the compile, for a program may destroy a layout and go on
// with its pipelines. What changes or grows (memory, descriptor sets, command buffers)
// is freed with its object.
#ifndef GV_CAP_OBJECT_H
#define GV_CAP_OBJECT_H

#include "compiler/lower/id_map.h"
#include "compiler/vulkan/api/vk_call.h"
#include "resources/base/error.h"

enum gv_cap_kind {
    GV_CAP_INSTANCE,
    GV_CAP_PHYSICAL_DEVICE,
    GV_CAP_DEVICE,
    GV_CAP_QUEUE,
    GV_CAP_MEMORY,
    GV_CAP_BUFFER,
    GV_CAP_IMAGE,
    GV_CAP_BUFFER_VIEW,
    GV_CAP_IMAGE_VIEW,
    GV_CAP_SAMPLER,
    GV_CAP_MODULE,
    GV_CAP_SET_LAYOUT,
    GV_CAP_PIPELINE_LAYOUT,
    GV_CAP_PIPELINE,
    GV_CAP_RENDER_PASS,
    GV_CAP_FRAMEBUFFER,
    GV_CAP_DESCRIPTOR_POOL,
    GV_CAP_SET,
    GV_CAP_TEMPLATE,
    GV_CAP_COMMAND_POOL,
    GV_CAP_COMMANDS,
    GV_CAP_QUERY_POOL,
    GV_CAP_SWAPCHAIN,
    GV_CAP_TIMELINE, // semaphore; others are not kept
    GV_CAP_KINDS,
};

struct gv_cap_object {
    struct gv_named named;
    enum gv_cap_kind kind;
    void *content; // the struct of its kind
    void (*finish)(void *content);
    // Of a pool: what it holds. Of what a pool holds: the pool, and its neighbours.
    struct gv_cap_object *first, *pool, *next, *previous;
};

// A reference that knows when its object is gone, even if another one has its place.
struct gv_cap_ref {
    struct gv_cap_object *object;
    uint64_t serial;
};

struct gv_cap {
    struct gv_arena *arena; // of descriptions
    uint64_t recorded;      // bytes that all command buffers hold
    struct gv_id_map map;
    uint64_t serials;
    uint64_t pass; // counts render passes that the device began
    // Where errors are: the call that is looked at, or the block that is none.
    const char *name;
    struct gv_vk_place place;
};

void gv_cap_init(struct gv_cap *cap, struct gv_arena *arena);
void gv_cap_finish(struct gv_cap *cap);

// Fails with the byte and the name of the current call.
bool gv_cap_fail(const struct gv_cap *cap, struct gv_error *err, const char *format,
                 ...) GV_PRINTF(3, 4);
bool gv_cap_no_memory(const struct gv_cap *cap, struct gv_error *err);

struct gv_cap_new {
    uint64_t id;
    enum gv_cap_kind kind;
    void *content;                 // NULL: there was no memory for it
    void (*finish)(void *content); // NULL: it stays
    // The descriptor pool or command pool with which it goes; 0: none.
    uint64_t pool;
};
// Gives an id to a content, which is the object's from then on, also where this fails.
bool gv_cap_add(struct gv_cap *cap, const struct gv_cap_new *object,
                struct gv_error *err);
// The same of a description, which stays.
bool gv_cap_keep(struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind, void *content,
                 struct gv_error *err);

// The content of an id, or NULL: no object of this kind has it.
void *gv_cap_find(const struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind);
// The same; none is an error.
void *gv_cap_need(const struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind,
                  struct gv_error *err);

struct gv_cap_ref gv_cap_refer(const struct gv_cap *cap, uint64_t id,
                               enum gv_cap_kind kind);
void *gv_cap_ref_content(const struct gv_cap_ref *ref, enum gv_cap_kind kind);

// Takes an object away and frees what it owns. Unknown ids are no error: a program may
// destroy what this table does not keep.
void gv_cap_remove(struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind);
// All that a pool holds.
void gv_cap_empty_pool(struct gv_cap *cap, uint64_t pool, enum gv_cap_kind kind);
// Calls `each` with all contents that a pool holds.
void gv_cap_each_pooled(const struct gv_cap *cap, uint64_t pool, enum gv_cap_kind kind,
                        void (*each)(void *content));

#endif
