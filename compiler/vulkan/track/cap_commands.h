// Command buffers: what was recorded into each, as decoded calls in the order of their
// recording, copied into memory of the command buffer's own.
#ifndef GV_CAP_COMMANDS_H
#define GV_CAP_COMMANDS_H

#include "compiler/vulkan/track/cap_object.h"

struct gv_cap_commands {
    struct gv_arena arena;           // of the calls
    uint64_t *recorded;              // of the tracker, this arena among it
    const struct gv_vk_call **calls; // owned; [count]
    size_t count, capacity;
};

void gv_cap_commands_free(void *commands);

bool gv_cap_allocate_commands(struct gv_cap *cap,
                              const struct gv_vk_args_vkAllocateCommandBuffers *args,
                              struct gv_error *err);
// Recording begins: what was recorded is forgotten.
void gv_cap_commands_reset(void *commands);

// Appends a call, whose first argument is the command buffer.
bool gv_cap_record(struct gv_cap *cap, const struct gv_vk_call *call,
                   struct gv_error *err);

#endif
