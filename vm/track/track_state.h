// What calls do to the tracker's state, and how that is taken back. Only vm/track/
// includes this.
#ifndef GV_TRACK_STATE_H
#define GV_TRACK_STATE_H

#include "vm/track/tracker.h"

// What nobody but the tracker looks at.
struct gv_track_private {
    uint64_t memory_limit;
    // Of the arrays of struct gv_track.
    size_t unit_capacity, chunk_capacity, object_capacity, record_capacity,
        pass_capacity, span_capacity, end_capacity, access_capacity, pipeline_capacity,
        binding_capacity, entry_capacity;
    size_t pipeline_count, binding_count;
    bool uncertain;                    // the unit at hand has a skip
    uint32_t results[GV_UNIT_MAX_OPS]; // objects that operations of the unit made

    // Entries of resources and pipelines by what names them: open addressing.
    struct gv_track_key {
        uint64_t a, b; // a 0: free
        uint32_t value;
    } * keys; // owned
    size_t key_count, key_capacity;

    // Scratch.
    struct gv_graphics_desc graphics;
    struct gv_compute_desc compute;
    struct gv_track_ranges ranges;
};

// Room for one more element; counts it. NULL with `opaque` set: no memory.
void *gv_track_grow(struct gv_track *track, void *array, size_t count, size_t *capacity,
                    size_t element);

bool gv_state_init(struct gv_track *track);

// Performs a call, operation `op` of the unit that is about to be added.
void gv_state_call(struct gv_track *track, const struct gv_track_call *call,
                   uint32_t op);

// Stores an object into a slot.
void gv_state_store(struct gv_track *track, uint32_t slot, uint32_t object);

// Takes back what a unit did, of which nothing later is left.
void gv_state_undo(struct gv_track *track, uint32_t unit);

#endif
