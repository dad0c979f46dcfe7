// A group: what is prepared on the device at once. It gathers compact records with
// their states, palettes loads and transfers in order, cut into batches by hazards, and
// is emitted as one upload, one set-up and one binning dispatch, then the batches and
// transfers.
#ifndef GV_PSX_GROUP_H
#define GV_PSX_GROUP_H

#include "compiler/psx/cover.h"
#include "compiler/psx/painted.h"
#include "compiler/psx/psx_device.h"
#include "resources/base/bytes.h"

#define GV_PSX_GROUP_RECORDS PSX_GROUP_RECORDS
#define GV_PSX_GROUP_STATES 1024
#define GV_PSX_GROUP_SPANS 1024
#define GV_PSX_GROUP_CLUTS 1000
#define GV_PSX_GROUP_OPS 4096
#define GV_PSX_GROUP_LIST 8192              // blocks listed
#define GV_PSX_GROUP_DATA ((size_t)8 << 20) // bytes of uploads

// A walk over rows: first row, how many, upward or not.
struct gv_psx_walk {
    uint32_t first, count, up;
};

struct gv_psx_op {
    enum {
        GV_PSX_OP_RASTER,
        GV_PSX_OP_ORDERED,
        GV_PSX_OP_FILL,
        GV_PSX_OP_CLUT,
        GV_PSX_OP_UPLOAD, // a rectangle that does not wrap, unmasked
        GV_PSX_OP_STORE,  // an upload through the move shader
        GV_PSX_OP_COPY,
        GV_PSX_OP_READ,
        GV_PSX_OP_LATCH,
    } type;
    uint32_t first, last;    // RASTER, ORDERED: records; CLUT: loads
    struct gv_psx_rect rect; // RASTER, ORDERED: bounds of what it writes; UPLOAD
    struct gv_psx_cover drawn, sampled;     // RASTER, ORDERED; CLUT: sampled
    struct gv_psx_band bands[GV_PSX_BANDS]; // RASTER: what it paints for sure
    uint32_t band_count;
    uint32_t slot, slots;      // RASTER, ORDERED: palettes it uses; CLUT: it loads
    uint32_t state;            // RASTER: flags of its records, joined
    uint32_t list, list_count; // RASTER: blocks in the group's list; 0 = all of `rect`
    struct gv_psx_walk walks[2]; // ORDERED
    struct gv_psx_place from;    // COPY, READ
    struct gv_psx_place to;      // FILL, STORE, COPY
    uint32_t y_mask;             // that the rows of both wrap by
    struct gv_psx_cells cells;   // STORE, READ: those of the place
    struct gv_psx_mask mask;     // STORE, COPY
    bool keep;                   // READ
    uint32_t word, from_vram;    // LATCH; FILL: the cell
    uint32_t skip;               // FILL: 1 + the parity of rows to leave, 0 = none
    size_t data, data_size;      // UPLOAD, STORE: in the group's data
};

struct gv_psx_group {
    struct gv_psx_device *device; // borrowed
    uint32_t batch_limit;         // records of a batch at most
    // Words of the parts (owned).
    struct gv_bytes states, records, spans, cluts, lists, data;
    uint32_t record_count, prepared_count, state_count, span_count, clut_count;
    uint32_t quads[GV_PSX_GROUP_RECORDS / 32]; // a bit for each record
    struct gv_psx_op ops[GV_PSX_GROUP_OPS];
    uint32_t op_count;
    // The open batch.
    struct gv_psx_op batch;
    bool batch_open;
    uint32_t batch_cluts; // loads before this number belong to earlier batches
    struct gv_psx_blocks written, sampled;
    struct gv_psx_painted painted;
    uint32_t clut_slot;                       // of the palette in force
    uint32_t wide_slots[PSX_CLUT_SLOTS / 32]; // a bit for each: of 256 entries
    struct gv_psx_cover palettes;             // that the open batch has loaded
    // Statistics for users.
    uint64_t batches, groups, ordered;
    uint64_t splits; // batches that ended for a hazard
};

void gv_psx_group_init(struct gv_psx_group *g, struct gv_psx_device *device,
                       uint32_t batch_limit);
void gv_psx_group_finish(struct gv_psx_group *g);

// The number of a draw state (PSX_STATE_WORDS words), added if new.
uint32_t gv_psx_group_state(struct gv_psx_group *g,
                            const uint32_t state[PSX_STATE_WORDS]);
// The number of a span's planes.
uint32_t gv_psx_group_span(struct gv_psx_group *g,
                           const uint32_t planes[PSX_SPAN_WORDS]);

// Makes room for one primitive of `records` records, emitting the group if it is full.
// State and span numbers from before become invalid then, so call it first.
void gv_psx_group_reserve(struct gv_psx_group *g, uint32_t records);

// What a record does to memory.
struct gv_psx_use {
    struct gv_psx_rect writes;  // not empty
    struct gv_psx_area samples; // count 0: none
    struct gv_psx_paint paint;
    uint32_t state; // flags
    struct gv_psx_walk
        walks[2]; // the hardware's order, for records that sample themselves
    bool ordered; // drawn so even if it does not
};
void gv_psx_group_record(struct gv_psx_group *g, const uint32_t words[PSX_RECORD_WORDS],
                         const struct gv_psx_use *use);

// Loads the palette in force from 16 or 256 cells of a row.
void gv_psx_group_clut(struct gv_psx_group *g, uint32_t x, uint32_t y, uint32_t entries,
                       uint32_t rows);

// A transfer: what it is, what it reads and writes of VRAM (count 0: nothing), and the
// bytes that it brings.
struct gv_psx_transfer {
    struct gv_psx_op op; // but for where its bytes are
    struct gv_psx_area reads, writes;
    const void *data; // borrowed
    size_t size;
};

// Adds a transfer, after or before the open batch as hazards allow. Its bytes are
// copied.
void gv_psx_group_transfer(struct gv_psx_group *g, const struct gv_psx_transfer *t);

// Emits everything gathered.
void gv_psx_group_flush(struct gv_psx_group *g);

#endif
