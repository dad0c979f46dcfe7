// A slice as a payload of its own: the code that is kept, and of constants and
// resources what it uses.
#ifndef GV_SLICE_WRITE_H
#define GV_SLICE_WRITE_H

#include "vm/payload/payload_writer.h"
#include "vm/slice/slice.h"
#include "vm/slice/slice_patch.h"

struct gv_slice_written {
    uint64_t resources, resource_bytes;
};

struct gv_slice_write_params {
    struct gv_payload *payload;           // verified; sliced
    const struct gv_slice *slice;         // of it
    const struct gv_slice_params *wanted; // with which the slice was made
    struct gv_source *const *sources;     // of resources that are not in it
    size_t source_count;
    const struct gv_writer_params *writer;  // a thin payload's slice must be `thin`
    const char *provenance;                 // JSON; NULL: the payload's
    struct gv_slice_written *written;       // filled; may be NULL
    const struct gv_slice_patches *patches; // NULL: none
    bool whole_groups; // of groups that are used nothing is left out: they keep ids
};

// Frames keep their numbers, up to the last wanted; others have no picture. Commands,
// slots, requirements and exports keep theirs, too. Of a thin payload whole groups
// stay, since only they have ids. Errors of reading groups and of writing.
bool gv_slice_write(const struct gv_slice_write_params *params, struct gv_error *err);

#endif
