// Where a payload can be cut in two: which of the code before a frame makes the objects
// and the state that the frame begins with, and which contents the code from there on
// reads.
#ifndef GV_SLICE_CUT_H
#define GV_SLICE_CUT_H

#include "vm/slice/slice.h"

#define GV_CUT_VOLATILE UINT32_MAX // in place of a slot

// Bytes of a buffer, a map or volatile memory: `rows` runs of `size`, `stride` apart.
// Of an image a box of texels: one layer, or (3D) some slices; of several samples one.
struct gv_cut_piece {
    uint32_t slot; // that holds the object
    uint8_t kind;  // enum gv_kind; of volatile memory GV_KIND_BUFFER
    uint64_t offset, size, stride;
    uint32_t rows;
    uint32_t format, aspect, mip, layer; // GV_FORMAT_*, one bit of GV_ASPECT_*
    uint32_t x, y, z, width, height, depth;
    uint32_t mip_width, mip_height; // of the whole mip
    uint32_t samples, sample;       // of the image, and which; 1 and 0: all there is
};

struct gv_cut {
    uint64_t frame;
    const char *refused;         // why it cannot be cut here; NULL: it can
    bool coarse;                 // more is taken for read than is: the bounds were met
    struct gv_kept kept;         // makes objects and state; ends no frame, does no work
    struct gv_cut_piece *pieces; // owned
    size_t piece_count, piece_capacity;
};

struct gv_cut_params {
    const uint64_t *frames; // ascending, > 0
    size_t frame_count;
    uint64_t memory_limit; // private bytes; 0: none
    bool exports;          // all that exports post is looked at, too
    // What is looked at, instead of the pictures of all frames and the end. A cut is
    // refused where an export was posted, or the target of a picture behind a command
    // was chosen, before it. NULL: nothing but those pictures.
    const struct gv_slice_params *wanted;
};

// Fills cuts[frame_count], but for `kept`. False: the code cannot be read, or
// GV_ERR_LIMIT. Finish them either way.
bool gv_cuts_make(struct gv_cut *cuts, struct gv_payload *payload,
                  const struct gv_cut_params *params, struct gv_error *err);
// Whoever fills `kept`, of cuts one behind the other.
struct gv_cutter;
struct gv_cutter *gv_cutter_create(struct gv_payload *payload, uint64_t memory_limit,
                                   struct gv_error *err);
// Fills it, or refuses the cut; false as above. Frames ascend.
bool gv_cutter_keep(struct gv_cutter *cutter, struct gv_cut *cut, struct gv_error *err);
void gv_cutter_destroy(struct gv_cutter *cutter); // NULL is fine
// Whether all that `want` reads is of what `have` reads: pieces of cuts at one place.
bool gv_cut_covers(const struct gv_cut *have, const struct gv_cut *want);
void gv_cut_finish(struct gv_cut *cut); // one of them
void gv_cuts_finish(struct gv_cut *cuts, size_t count);

#endif
