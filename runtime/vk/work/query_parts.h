// Query slots and the parts that interruptions cut them into.
#ifndef GV_VK_QUERY_PARTS_H
#define GV_VK_QUERY_PARTS_H

#include "runtime/vk/pipelines/kernel.h"
#include "runtime/vk/work/query.h"

struct gv_vk_commands;

// Where the slot counts now.
struct gv_vk_query_part gv_vk_query_last_part(const struct gv_vk_query *query,
                                              uint32_t slot);

// Gives the slot another part, reset. Outside rendering, while recording.
bool gv_vk_query_add_part(const struct gv_vk_commands *commands,
                          struct gv_vk_query *query, uint32_t slot,
                          struct gv_error *err);

// Makes the slot ready for use; its later parts go back to the query.
void gv_vk_query_reset_slot(struct gv_vk_query *query, uint32_t slot);

struct gv_vk_query_sum {
    struct gv_vk_kernel kernel; // made at first use
    struct gv_vk_scratch values;
};

// Frees a query now; the device is done with it.
void gv_vk_query_free(struct gv_runtime *rt, void *query);

void gv_vk_query_sum_finish(struct gv_runtime *rt, struct gv_vk_query_sum *sum);

#endif
