// Objects of a payload as a host around the runtime's sees them: what was written of
// each, what the last uploads were, and what pipelines read and write.
#ifndef GV_ISSUE_OBJECTS_H
#define GV_ISSUE_OBJECTS_H

#include "resources/hash.h"
#include "vm/calls.h"
#include "vm/descs.h"

// What draws and dispatches with a pipeline touch.
struct gv_issue_pipeline {
    bool graphics;
    bool discards;     // before rasterisation
    bool writes;       // a target, as its masks and tests have it
    bool stores;       // through a storage binding
    uint32_t vertices; // bits of slots
    struct gv_binding_desc bindings[GV_MAX_BINDINGS];
    uint32_t binding_count;
};

// Of uploads that still stand as they were.
#define GV_ISSUE_UPLOADS 8
struct gv_issue_upload {
    uint8_t call;                   // 0: none
    union gv_arg args[GV_MAX_ARGS]; // bytes as 0
    struct gv_hash hash;            // of them
};

struct gv_issue_object {
    uint64_t handle;                    // 0: none
    uint8_t kind;                       // enum gv_kind
    bool told;                          // that it is read, and nothing wrote it
    uint32_t written;                   // bits of mips; of a buffer any
    struct gv_issue_pipeline *pipeline; // owned
    struct gv_issue_upload uploads[GV_ISSUE_UPLOADS]; // the last ones
    unsigned next_upload;
};

// Zero-initialise.
struct gv_issue_objects {
    struct gv_issue_object **items; // owned: by the low half of the handle
    size_t count;
};

// False: no memory.
bool gv_issue_objects_make(struct gv_issue_objects *objects, uint8_t call,
                           const union gv_arg *args, uint64_t handle);
void gv_issue_objects_destroy(struct gv_issue_objects *objects, uint64_t handle);
struct gv_issue_object *gv_issue_objects_find(const struct gv_issue_objects *objects,
                                              uint64_t handle);
void gv_issue_objects_finish(struct gv_issue_objects *objects);

// Mips that argument `i` of a call, an image, stands for, as bits.
uint32_t gv_issue_mips(uint8_t call, const union gv_arg *args, unsigned i);

// Notes an upload; whether the object held those bytes already.
bool gv_issue_upload(struct gv_issue_object *object, uint8_t call,
                     const union gv_arg *args);
// Something else has written the object.
void gv_issue_written(struct gv_issue_object *object, uint32_t mips);

#endif
