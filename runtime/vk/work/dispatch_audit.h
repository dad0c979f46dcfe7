// What dispatches with ranges write, held against what they say (under validation).
#ifndef GV_VK_DISPATCH_AUDIT_H
#define GV_VK_DISPATCH_AUDIT_H

#include "runtime/vk/pipelines/pipeline.h"

struct gv_vk_bound;
struct gv_vk_draw_state;

// A binding that the bound compute pipeline may write, and the object there. Zeroed:
// the first call finds the first.
struct gv_vk_writable {
    uint32_t set, binding, element;
    const struct gv_vk_bound *bound; // it has a buffer or an image
    // Where the search goes on.
    uint32_t row, row_start, next_element;
};

// Steps to the next one with something bound; false: there is none.
bool gv_vk_next_writable(struct gv_vk_draw_state *state, struct gv_vk_writable *w);

#define GV_VK_MAX_AUDIT (UINT64_C(256) << 20) // bytes of one buffer; larger is believed

// The buffers that one dispatch may write, as they were before. Zeroed = none.
struct gv_vk_dispatch_audit {
    struct gv_vk_audited *items; // owned
    size_t count;
    const struct gv_vk_range *ranges; // borrowed
    size_t range_count;
};

// Before the dispatch, outside rendering: records copies of those buffers. `ranges` are
// the dispatch's.
bool gv_vk_audit_begin(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                       const struct gv_vk_range *ranges, size_t count,
                       struct gv_error *err);

// After it: waits for the device, and tells each buffer of which bytes changed that no
// range names as written, as the validation layer tells its messages.
bool gv_vk_audit_end(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                     struct gv_error *err);

// Frees what begin made; `audit` may be zeroed.
void gv_vk_audit_finish(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit);

#endif
