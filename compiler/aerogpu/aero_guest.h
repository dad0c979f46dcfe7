// Guest memory as the running submission shows it, and what its copies changed there.
#ifndef GV_AERO_GUEST_H
#define GV_AERO_GUEST_H

#include "compiler/aerogpu/aero_object.h"
#include "compiler/aerogpu/trace/alloc_table.h"
#include "compiler/aerogpu/trace/gpu_trace.h"

#define GV_AERO_MAX_WRITEBACKS 4096u // of a submission

struct gv_aero_memory { // one memory range of the running submission
    uint32_t alloc_id;
    bool read_only;
    uint64_t gpa, size;
    const uint8_t *data;
};

// Guest memory that a copy of the running submission changed.
struct gv_aero_writeback {
    uint32_t alloc_id;
    uint64_t begin, end;   // bytes of the allocation
    struct gv_buffer copy; // with them
};

// The running submission.
struct gv_aero_guest {
    struct gv_aero_memory *memory; // ascending alloc_id
    uint32_t memory_count, memory_capacity;
    struct gv_aero_writeback *writebacks; // [GV_AERO_MAX_WRITEBACKS] or NULL
    uint32_t writeback_count;
    struct gv_alloc_table alloc_table;
    struct gv_arena arena; // of alloc_table
};

// ---- aero_memory.c ----

// Bytes [offset, offset + size) of guest memory, or NULL and an error.
const uint8_t *gv_aero_memory_read(struct gv_aero *a,
                                   const struct gv_aero_backing *backing,
                                   uint64_t offset, uint64_t size,
                                   struct gv_contents *observed, struct gv_error *err);
const struct gv_aero_memory *gv_aero_memory_find(const struct gv_aero *a,
                                                 uint32_t alloc_id);
bool gv_aero_memory_load(struct gv_aero *a, const struct gv_trace_submission *s,
                         struct gv_error *err);

// ---- aero_writeback.c ----

// Checks that a copy may change guest memory and notes that it does. The caller fills
// `copy` with the bytes. NULL: an error.
struct gv_aero_writeback *gv_aero_writeback_add(struct gv_aero *a,
                                                const struct gv_aero_backing *backing,
                                                uint64_t offset, uint64_t size,
                                                struct gv_error *err);
void gv_aero_writeback_clear(struct gv_aero *a);
// Whether copies of this submission changed some of these bytes.
bool gv_aero_written_back(const struct gv_aero *a,
                          const struct gv_aero_backing *backing, uint64_t offset,
                          uint64_t size);
// Lays what was changed over a buffer that holds the bytes from `target_offset`.
void gv_aero_writeback_apply(struct gv_aero *a, const struct gv_aero_backing *backing,
                             uint64_t offset, uint64_t size, struct gv_buffer target,
                             uint64_t target_offset);

#endif
