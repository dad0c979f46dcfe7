// The tracker: follows objects, slots, bindings, dynamic state and passes through
// verified code without a GPU. Forward it keeps a log; the slicer then steps back
// through it, so that the state in front of any unit is there again without having been
// stored.
#ifndef GV_TRACKER_H
#define GV_TRACKER_H

#include "vm/descs.h"
#include "vm/track/unit_walk.h"

#define GV_TRACK_NONE UINT32_MAX // no unit
// Objects are numbered by creation; 0 is none.
#define GV_TRACK_VOLATILE 1u // volatile memory is one

// What a pipeline's description says, for effects.
struct gv_track_pipeline {
    bool compute, discard, depth_test, depth_write, depth_bounds, stencil;
    uint8_t color_writes;   // bit per attachment
    uint8_t viewports;      // and scissors
    uint32_t vertex_slots;  // bit per binding
    uint32_t binding_begin; // of track->bindings
    uint32_t binding_count;
};

struct gv_track_object {
    uint8_t kind;          // enum gv_kind; of volatile memory GV_KIND_BUFFER
    uint32_t create_unit;  // GV_TRACK_NONE: before all
    uint32_t destroy_unit; // GV_TRACK_NONE: never
    uint32_t slot;         // where it was stored; GV_TRACK_NONE: nowhere
    uint32_t slot_before;  // the object that was there
    uint32_t either;       // what the slot holds if the skip around is taken; or 0
    uint8_t others;        // so many may it hold besides
    union {
        uint64_t size; // of a buffer in bytes, of a query in slots
        struct {
            uint8_t type;    // GV_IMAGE_TYPE_*
            uint8_t samples; // 1, 2, 4 ...
            uint32_t format, width, height, depth, mips, layers;
        } image;
        struct {
            uint32_t buffer; // object
            uint64_t offset, size;
        } map;
        uint32_t pipeline; // index into track->pipelines; GV_TRACK_NONE: unknown
    };
};

// Entries of state. Those of resources follow, in the order of their first use.
enum {
    GV_TRACK_GRAPHICS,
    GV_TRACK_COMPUTE,
    GV_TRACK_INDEX,
    GV_TRACK_BLEND,
    GV_TRACK_STENCIL_REFERENCE,                              // two faces
    GV_TRACK_STENCIL_MASKS = GV_TRACK_STENCIL_REFERENCE + 2, // likewise
    GV_TRACK_DEPTH_BIAS = GV_TRACK_STENCIL_MASKS + 2,
    GV_TRACK_LINE_WIDTH,
    GV_TRACK_LINE_STIPPLE,
    GV_TRACK_DEPTH_BOUNDS,
    GV_TRACK_VIEWPORT,
    GV_TRACK_SCISSOR = GV_TRACK_VIEWPORT + GV_MAX_VIEWPORTS,
    GV_TRACK_DYNAMIC_END = GV_TRACK_SCISSOR + GV_MAX_VIEWPORTS,
    GV_TRACK_VERTEX = GV_TRACK_DYNAMIC_END,
    GV_TRACK_FEEDBACK = GV_TRACK_VERTEX + GV_MAX_VERTEX_BINDINGS,
    GV_TRACK_COLOR = GV_TRACK_FEEDBACK + GV_MAX_FEEDBACK_BUFFERS, // of the next pass
    GV_TRACK_RESOLVE = GV_TRACK_COLOR + GV_MAX_COLOR_ATTACHMENTS,
    GV_TRACK_DEPTH = GV_TRACK_RESOLVE + GV_MAX_COLOR_ATTACHMENTS,
    GV_TRACK_SHOW,
    GV_TRACK_FIXED,
};

// One setting of one entry. Number 0 is none.
struct gv_track_record {
    uint32_t entry, before; // `before`: the record that it replaced
    uint32_t unit;
    uint32_t object;            // bound; 0 none
    uint8_t call;               // enum gv_call
    uint8_t aspect;             // GV_ASPECT_* of a texture
    uint8_t load, stencil_load; // GV_LOAD_OP_* of an attachment
    bool uncertain;             // set in a skip: `before` may still stand
    uint8_t others;             // so many more may
    union {
        struct {
            uint64_t offset, size; // of a buffer; size 0: to the end
        } bytes;
        struct {
            uint32_t mip, mips, layer, layers;
        } view;
        struct {
            uint32_t x, y, width, height;
        } rect; // of a scissor
    };
};

struct gv_track_pass {
    uint32_t begin, end; // units; GV_TRACK_NONE: still open
    uint32_t width, height, layers;
    uint32_t color[GV_MAX_COLOR_ATTACHMENTS]; // records
    uint32_t resolve[GV_MAX_COLOR_ATTACHMENTS], depth;
};

// From a *_begin to its *_end.
struct gv_track_span {
    uint8_t begin_call;    // condition_begin, feedback_begin, query_begin
    uint32_t begin, end;   // units; GV_TRACK_NONE: still open
    uint32_t object, slot; // of a query; the counter at the end of transform feedback
};

enum {
    GV_TRACK_COMPLEX = 1, // its effects are in track->accesses
    GV_TRACK_BARRIER = 2, // unknown: it and all before it are kept
    GV_TRACK_CALLS = 4,   // makes a call
    GV_TRACK_WORKS = 8,   // draws or dispatches
    GV_TRACK_SETS = 16,   // does no more than set state or make objects
    GV_TRACK_DRAWS = 32,  // does no more than draw
};

struct gv_track_unit {
    uint32_t begin : 24, flags : 8;
    uint32_t next_resource;
    uint64_t command;
};

// An access to memory, or (size 0) a mere use of an object, by a complex unit.
struct gv_track_access {
    uint32_t unit, object;
    bool write, destroys;
    uint64_t offset, size;
};

#define GV_TRACK_MAX_QUERIES 64 // begun at once
#define GV_TRACK_MAX_OTHERS 8   // what one entry or slot may hold besides

struct gv_track {
    struct gv_payload *payload; // borrowed
    struct gv_unit_walk walk;
    struct gv_unit unit; // at hand
    uint64_t memory;     // that it takes
    // Why what follows `units` is not known, or NULL; then nothing can be left out.
    const char *opaque;
    // Going forward, told of each unit while the state is that in front of it; or NULL.
    void (*seen)(void *context, const struct gv_unit *unit, bool simple);
    void *context;

    // The log. All owned.
    struct gv_track_unit *units;
    uint32_t *chunk_units; // [chunks followed + 1]: first unit of each
    struct gv_track_object *objects;
    struct gv_track_record *records;
    struct gv_track_pass *passes;
    struct gv_track_span *spans;
    uint32_t *ends; // spans, in the order in which they ended
    struct gv_track_access *accesses;
    struct gv_track_pipeline *pipelines;
    struct gv_binding_desc *bindings;
    size_t unit_count, chunk_count, object_count, record_count, pass_count, span_count,
        end_count, access_count;

    // The state.
    uint32_t *slots;   // objects
    uint32_t *current; // records by entry
    size_t entry_count;
    uint32_t pass, condition, feedback; // index + 1; 0 none
    // What the unit began or ended that was taken back last; likewise.
    uint32_t pass_begun, pass_ended, span_begun, span_ended;
    // Its records and objects: from record_count, object_count to here.
    size_t record_end, object_end;
    uint32_t queries[GV_TRACK_MAX_QUERIES]; // spans
    size_t query_count;
    struct gv_track_private *private; // owned; of vm/track/ alone
};

// A call of the unit at hand with its arguments as far as they are known: handles are
// object numbers.
struct gv_track_call {
    uint8_t call;
    uint32_t unknown; // bit per argument
    union gv_arg args[GV_MAX_ARGS + 1];
    const struct gv_unit_cell *bytes; // of its BYTES argument; NULL: it has none
};

// The arguments by name.
#define GV_TRACK_ARGS(call, name) \
    ((const struct gv_args_##name *)(const void *)(call)->args)

struct gv_track *gv_track_create(struct gv_payload *payload, uint64_t memory_limit,
                                 struct gv_error *err);
void gv_track_destroy(struct gv_track *track);

// Follows the chunks up to `chunk_end`, from where it is. False: the code cannot be
// read. What cannot be followed ends it early with `opaque` set.
bool gv_track_follow(struct gv_track *track, size_t chunk_end, struct gv_error *err);

// The unit again, decoded, with the state as in front of it: takes back what it set.
// Units go back one by one; gv_track_enter has been called for their chunk.
bool gv_track_enter(struct gv_track *track, size_t chunk, struct gv_error *err);
void gv_track_back(struct gv_track *track, uint32_t unit);
// Its two halves: the state, and the unit, which many need not be looked at for.
void gv_track_undo(struct gv_track *track, uint32_t unit);
void gv_track_decode(struct gv_track *track, uint32_t unit);

// The state where the log ends, and the way back there when units have been taken back.
struct gv_track_mark {
    struct gv_track log;       // its numbers alone count
    uint32_t *slots, *current; // owned
};
bool gv_track_mark(const struct gv_track *track, struct gv_track_mark *mark,
                   struct gv_error *err);
void gv_track_return(struct gv_track *track, const struct gv_track_mark *mark);
void gv_track_mark_finish(struct gv_track_mark *mark);

// The call that a simple unit makes, its arguments resolved; NULL if it makes none.
const struct gv_unit_op *gv_track_work(const struct gv_unit *unit);
void gv_track_resolve(const struct gv_track *track, const struct gv_unit_op *op,
                      struct gv_track_call *out);

// The ranges of a dispatch that has some, in constants; they stay until those of
// another are asked for. NULL: it has none.
struct gv_track_ranges {
    uint64_t at, size; // of the constants; size 0: none yet
    size_t count;
    struct gv_dispatch_range items[GV_MAX_DISPATCH_RANGES];
};
const struct gv_track_ranges *gv_track_ranges_of(const struct gv_track *track,
                                                 const struct gv_track_call *call);

// Whether a call makes and gives up what has no contents, or sets state.
bool gv_track_is_soft(uint8_t call);

// Whether the open pass resolves into an object at its end: what it holds until then
// depends on how often a run breaks the pass off.
bool gv_track_resolves(const struct gv_track *track, uint32_t object);

// The object that an address lies in; 0 for constants and resources.
uint32_t gv_track_memory(const struct gv_track *track, const struct gv_unit_cell *cell);

// The entry of a resource binding, or GV_TRACK_NONE if it was never set.
uint32_t gv_track_entry(const struct gv_track *track, uint32_t set, uint32_t binding,
                        uint32_t element);

static inline const struct gv_track_record *gv_track_at(const struct gv_track *track,
                                                        uint32_t entry)
{
    uint32_t record = entry < track->entry_count ? track->current[entry] : 0;
    return record ? &track->records[record] : NULL;
}

// What may stand in the entry too, or NULL.
static inline const struct gv_track_record *
gv_track_other(const struct gv_track *track, const struct gv_track_record *record)
{
    return record->uncertain && record->before ? &track->records[record->before] : NULL;
}

#endif
