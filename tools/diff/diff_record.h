// All that a payload does, as one list: its calls with the values they have and the
// state that work sees, found by running the code without a device.
#ifndef GV_DIFF_RECORD_H
#define GV_DIFF_RECORD_H

#include "resources/base/bytes.h"
#include "vm/desc_fields.h"
#include "vm/payload/payload.h"

#define GV_DIFF_NONE UINT32_MAX

// An argument: what it is and what it is compared by.
struct gv_diff_value {
    uint64_t raw;  // the number; the object + 1, or 0; of bytes their hash
    uint64_t same; // equal where both are the same
};

// A call as it was made.
struct gv_diff_call {
    uint8_t call;    // enum gv_call
    uint32_t name;   // of the source's command: hash of it
    uint32_t frame;  // that it belongs to
    uint32_t work;   // number in the frame, of draws and dispatches
    uint32_t values; // first in record->values
    uint32_t state;  // first in record->states, of state_count; work only
    uint32_t state_count;
    uint64_t command;
    uint64_t own, all; // hash of its values; with the state it sees
};

struct gv_diff_object {
    uint8_t kind;           // enum gv_kind
    uint32_t made;          // the call that made it
    uint64_t same;          // equal where both are made alike
    size_t desc, desc_size; // bytes in record->descs, of what has a description
};

// Zero-initialise; finish it. Everything is owned.
struct gv_diff_record {
    struct gv_bytes calls;   // struct gv_diff_call: work, transfers, outputs
    struct gv_bytes sets;    // struct gv_diff_call: what set state and made objects
    struct gv_bytes values;  // struct gv_diff_value
    struct gv_bytes states;  // uint32_t: sets by key; GV_DIFF_NONE: not set
    struct gv_bytes keys;    // struct gv_diff_key
    struct gv_bytes objects; // struct gv_diff_object
    struct gv_bytes descs;
    struct gv_bytes pictures; // struct gv_hash of each frame; none: nobody looked
    struct gv_bytes frames;   // uint32_t: first call of each, and the end of the last
};

#define GV_DIFF_KEY 40
struct gv_diff_key {
    char name[GV_DIFF_KEY]; // as of inspect: "viewport0", "tex.2.0.0"
};

// Of a verified payload. `memory_limit`: private bytes; 0: none. GV_ERR_LIMIT where the
// code would run long or makes more calls than are compared; errors of the run.
bool gv_diff_record_make(struct gv_diff_record *record, struct gv_payload *payload,
                         uint64_t memory_limit, struct gv_error *err);
void gv_diff_record_finish(struct gv_diff_record *record);

static inline const struct gv_diff_call *gv_diff_calls(const struct gv_diff_record *r)
{
    return (const void *)r->calls.data;
}
static inline const struct gv_diff_call *gv_diff_sets(const struct gv_diff_record *r)
{
    return (const void *)r->sets.data;
}
static inline const struct gv_diff_value *gv_diff_values(const struct gv_diff_record *r)
{
    return (const void *)r->values.data;
}
static inline const uint32_t *gv_diff_states(const struct gv_diff_record *r)
{
    return (const void *)r->states.data;
}
static inline const struct gv_diff_key *gv_diff_keys(const struct gv_diff_record *r)
{
    return (const void *)r->keys.data;
}
static inline const struct gv_diff_object *
gv_diff_objects(const struct gv_diff_record *r)
{
    return (const void *)r->objects.data;
}
static inline const uint32_t *gv_diff_frames(const struct gv_diff_record *r)
{
    return (const void *)r->frames.data;
}

#endif
