// What dispatches with ranges touch, held against what they say: under validation what
// they write, where effects are checked also what they read and overwrite.
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

// The buffers that one dispatch may write, as they were before; where effects are
// checked, those that it names too.
struct gv_vk_dispatch_audit {
    // Set before it begins; borrowed.
    const struct gv_vk_range *ranges;
    size_t range_count;
    const struct gv_vk_bound *const *bound; // what ranges name, UNUSED ones too
    size_t bound_count;
    // Filled.
    struct gv_vk_audited *items; // owned
    size_t count;
    bool on_noise; // to be run on noise first
};

// Before the dispatch, outside rendering: records copies of those buffers. `sure`: it
// runs, and running it more than once leaves no other trace.
bool gv_vk_audit_begin(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                       bool sure, struct gv_error *err);

// Where `on_noise`, for turns 0 and 1: puts noise (each turn's is the other's
// complement) wherever no range says that it is read; after the dispatch, keeps what
// came out; in the end, puts back what was there.
bool gv_vk_audit_noise(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                       int turn, struct gv_error *err);
bool gv_vk_audit_keep(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                      int turn, struct gv_error *err);
bool gv_vk_audit_restore(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                         struct gv_error *err);

// After the dispatch proper: waits for the device, and tells for each buffer the first
// byte that changed and that no range names as written; of noise, the first that was
// written outside, kept though it is overwritten, or depends on what is not read.
bool gv_vk_audit_end(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit,
                     struct gv_error *err);

// Frees what begin made; `audit` may be zeroed.
void gv_vk_audit_finish(struct gv_runtime *rt, struct gv_vk_dispatch_audit *audit);

#endif
