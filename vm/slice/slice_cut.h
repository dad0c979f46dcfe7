// Where a payload can be cut in two: which of the code before a frame makes the objects
// and the state that the frame begins with, and which contents the code from there on
// reads.
#ifndef GV_SLICE_CUT_H
#define GV_SLICE_CUT_H

#include "vm/kept.h"

#define GV_CUT_VOLATILE UINT32_MAX // in place of a slot

// Bytes of a buffer, a map or volatile memory: `rows` runs of `size`, `stride` apart.
// Of an image a box of texels: one layer, or (3D) some slices.
struct gv_cut_piece {
    uint32_t slot; // that holds the object
    uint8_t kind;  // enum gv_kind; of volatile memory GV_KIND_BUFFER
    uint64_t offset, size, stride;
    uint32_t rows;
    uint32_t format, aspect, mip, layer; // GV_FORMAT_*, one bit of GV_ASPECT_*
    uint32_t x, y, z, width, height, depth;
    uint32_t mip_width, mip_height; // of the whole mip
};

struct gv_cut {
    uint64_t frame;
    const char *refused;         // why it cannot be cut here; NULL: it can
    struct gv_kept kept;         // makes objects and state; ends no frame, does no work
    struct gv_cut_piece *pieces; // owned
    size_t piece_count, piece_capacity;
};

struct gv_cut_params {
    const uint64_t *frames; // ascending, > 0
    size_t frame_count;
    uint64_t memory_limit; // private bytes; 0: none
};

// Fills cuts[frame_count], but for `kept`. What exports posted before would hold behind
// a cut is not looked at. False: the code cannot be read, or GV_ERR_LIMIT. Finish them
// either way.
bool gv_cuts_make(struct gv_cut *cuts, struct gv_payload *payload,
                  const struct gv_cut_params *params, struct gv_error *err);
// Fills `kept`, or refuses, too.
bool gv_cut_keep(struct gv_cut *cut, struct gv_payload *payload, uint64_t memory_limit,
                 struct gv_error *err);
void gv_cuts_finish(struct gv_cut *cuts, size_t count);

#endif
