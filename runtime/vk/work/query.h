// Queries and conditional rendering across passes, suspensions and submissions.
#ifndef GV_VK_QUERY_H
#define GV_VK_QUERY_H

#include "resources/base/error.h"
#include "vm/calls.h"

#include <volk.h>

struct gv_vk_commands;
struct gv_vk_device;
struct gv_vk_buffer;

#define GV_MAX_QUERY_SLOTS 65536 // of one query object
#define GV_VK_MAX_ACTIVE_QUERIES 16

// Where one stretch of a slot's counting is: a query that a pass or submission
// interrupts goes on in a new part, and the parts are added up.
struct gv_vk_query_part {
    VkQueryPool pool; // borrowed
    uint32_t index;
};

struct gv_vk_query_parts {
    struct gv_vk_query_part *items; // owned
    uint32_t count, capacity;
};

enum gv_vk_query_status {
    GV_VK_QUERY_UNDEFINED,
    GV_VK_QUERY_RESET,
    GV_VK_QUERY_ACTIVE,
    GV_VK_QUERY_DONE,
};

struct gv_vk_query_slot {
    uint8_t status;                // enum gv_vk_query_status
    struct gv_vk_query_parts more; // parts after the first
};

struct gv_vk_query {
    VkQueryPool pool;               // first parts, by slot
    uint64_t cost;                  // charged
    uint32_t type;                  // GV_QUERY_TYPE_*
    uint32_t count, values;         // slots, numbers of one result
    struct gv_vk_query_slot *slots; // owned; [count]
    struct gv_vk_spares *spares;    // owned list: pools of later parts
    struct gv_vk_query_parts idle;  // of those pools, given back by slots
};

struct gv_vk_active_query {
    uint64_t handle;
    struct gv_vk_query *query;
    uint32_t slot;
    bool precise;
    bool inside;  // begun inside rendering: ends before it does
    bool running; // counting now
};

struct gv_vk_condition {
    uint64_t handle; // of the buffer, 0 = none
    struct gv_vk_buffer *buffer;
    uint64_t offset;
    bool inverted;
    bool running;
};

struct gv_vk_queries {
    struct gv_vk_active_query active[GV_VK_MAX_ACTIVE_QUERIES];
    uint32_t active_count;
    struct gv_vk_condition condition;
};

// Called by pass.c around rendering.
bool gv_vk_queries_before_rendering(const struct gv_vk_commands *commands,
                                    struct gv_vk_queries *q, struct gv_error *err);
void gv_vk_queries_in_rendering(struct gv_vk_commands *commands,
                                struct gv_vk_queries *q);
void gv_vk_queries_leave_rendering(struct gv_vk_commands *commands,
                                   struct gv_vk_queries *q);
bool gv_vk_queries_after_pass(struct gv_vk_commands *commands, struct gv_vk_queries *q,
                              struct gv_error *err);

// Ends what runs outside rendering, before the command buffer ends; begins it anew.
void gv_vk_queries_interrupt(struct gv_vk_commands *commands, struct gv_vk_queries *q);
bool gv_vk_queries_continue(struct gv_vk_commands *commands, struct gv_vk_queries *q,
                            struct gv_error *err);

// Around a dispatch: conditional work.
void gv_vk_condition_enter(const struct gv_vk_commands *commands,
                           struct gv_vk_queries *queries);
void gv_vk_condition_leave(const struct gv_vk_commands *commands,
                           struct gv_vk_queries *queries);

// Whether the counting queries allow a draw without rasterisation.
bool gv_vk_queries_allow_discard(const struct gv_vk_device *device,
                                 const struct gv_vk_queries *q, struct gv_error *err);

void gv_vk_queries_reset(struct gv_vk_queries *queries);
void gv_vk_queries_forget(struct gv_vk_commands *commands, struct gv_vk_queries *q,
                          enum gv_kind kind, uint64_t handle);

#endif
