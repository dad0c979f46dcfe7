// What a call reads, may write and overwrites wholly: the ranges of objects that follow
// from its arguments, the roles of its row and the state it runs in.
#ifndef GV_EFFECTS_H
#define GV_EFFECTS_H

#include "vm/track/tracker.h"

enum gv_effect_kind {
    GV_EFFECT_READ,
    GV_EFFECT_WRITE,     // some of it may be written
    GV_EFFECT_OVERWRITE, // all of it is, whatever it held
};

// Bytes of a buffer, a map or volatile memory: `rows` runs of `row_bytes`, `stride`
// apart. Slots of queries count as bytes. Texels of an image: one rectangle in each of
// some mips and slices (layers, or z of 3D images) of some planes. Both are clipped to
// the object; what passes 32 or 64 bits is "to the end".
struct gv_effect {
    uint32_t object;
    uint8_t kind;   // enum gv_effect_kind
    uint8_t planes; // GV_ASPECT_* bits; 0: all
    uint64_t offset, row_bytes, stride;
    uint32_t rows;
    uint32_t mip, mips, slice, slices;
    uint32_t x, y, width, height;
};

#define GV_EFFECT_REST UINT32_MAX

struct gv_effects {
    struct gv_effect *items; // owned
    size_t count, capacity;
    bool failed; // memory
};

void gv_effects_finish(struct gv_effects *effects);

// The writes of a call of a simple unit, with the state in front of it; and its reads,
// of kind WRITE where they stand behind an OVERWRITE of the same bytes. Appended. What
// begins and ends passes and spans has its effects by the functions below.
void gv_effects_writes(const struct gv_track *track, const struct gv_track_call *call,
                       struct gv_effects *out);
void gv_effects_reads(const struct gv_track *track, const struct gv_track_call *call,
                      struct gv_effects *out);

// The clears at the beginning of a pass; its resolves at the end, and what they read.
void gv_effects_clears(const struct gv_track *track, const struct gv_track_pass *pass,
                       struct gv_effects *out);
void gv_effects_resolves(const struct gv_track *track, const struct gv_track_pass *pass,
                         enum gv_effect_kind kind, struct gv_effects *out);

// Four bytes that a counter overwrites.
void gv_effects_counter(struct gv_effects *out, uint64_t buffer, uint64_t offset);

// All that transform feedback may write with what is bound now.
void gv_effects_feedback(const struct gv_track *track, struct gv_effects *out);

// What the pipeline of draws or dispatches says: the first for `*object` 0, then those
// that may be in its place; NULL: no other.
const struct gv_track_pipeline *gv_track_pipeline(const struct gv_track *track,
                                                  uint32_t entry, uint32_t *object);

#endif
