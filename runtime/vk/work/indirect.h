// Indirect records, bounded on the device before it uses them.
#ifndef GV_VK_INDIRECT_H
#define GV_VK_INDIRECT_H

#include "runtime/vk/pipelines/kernel.h"

enum gv_vk_record {
    GV_VK_RECORD_DRAW,
    GV_VK_RECORD_INDEXED,
    GV_VK_RECORD_DISPATCH,
};

#define GV_VK_MAX_INDIRECT_BYTES (16u << 20) // of records of one call

struct gv_vk_indirect {
    struct gv_vk_kernel clamp; // made at first use
    struct gv_vk_scratch records;
    uint64_t epoch; // the last command buffer with indirect draws
};

// Records as a call names them.
struct gv_vk_records {
    enum gv_vk_record kind;
    uint64_t buffer; // handle
    uint64_t offset;
    uint32_t count, stride;
};

// Copies records and bounds them; afterwards `rt->indirect->records` holds them from
// byte 0, `stride` apart. Suspends an open pass (the caller resumes it).
bool gv_vk_indirect_ready(struct gv_runtime *rt, const struct gv_vk_records *records,
                          struct gv_error *err);
void gv_vk_indirect_finish(struct gv_runtime *rt, struct gv_vk_indirect *indirect);

#endif
