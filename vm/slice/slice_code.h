// Kept code written anew: other numbers of resources, imports and constants. Only
// vm/slice/ includes this.
#ifndef GV_SLICE_CODE_H
#define GV_SLICE_CODE_H

#include "resources/base/bytes.h"
#include "vm/payload/kept.h"
#include "vm/payload/payload_writer.h"
#include "vm/slice/slice_patch.h"

// What old numbers have become.
struct gv_recode {
    struct gv_payload *payload;       // borrowed
    struct gv_payload_writer *writer; // NULL: imports and uses are as they were
    const uint32_t *resources;        // [resource_count]; NULL: as they were
    // The address of a constant; borrowed by the function. NULL: as it was.
    uint64_t (*constant)(const void *context, uint64_t address);
    const void *context;
    const struct gv_patch *patches; // borrowed; those left, ascending
    size_t patch_count;
    const uint32_t *data; // addresses of what patches name; borrowed
    // Found out:
    uint32_t stack; // cells needed
    uint64_t uses;  // of resources, so far
    uint64_t more;  // instructions that were not there before
    uint64_t added; // instructions of patches
};

// Adds a chunk of the runs of an old one and of its patches, and its uses.
bool gv_recode_chunk(struct gv_recode *recode, const struct gv_kept *kept, size_t chunk,
                     struct gv_error *err);

// The runs of all chunks one behind the other, without END, at one command and with no
// RES_NEXT known in front. `*next`: the resource that RES_NEXT names behind them.
bool gv_recode_joined(struct gv_recode *recode, const struct gv_kept *kept,
                      struct gv_bytes *out, uint32_t *next, struct gv_error *err);

#endif
