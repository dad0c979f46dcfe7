// What objects of a snapshot hold beside their description: memory and texels, images
// of swapchains, descriptors, recorded commands.
#ifndef GV_AGI_CONTENTS_H
#define GV_AGI_CONTENTS_H

#include "compiler/agi/agi_mapped.h"
#include "compiler/agi/agi_model.h"

struct gv_agi_restored {
    struct gv_agi_model model;
    struct gv_vulkan *vulkan;
    struct gv_agi_mapped *mapped;
};

// Calls a function of Vulkan with arguments that gv_agi_fill_call made.
bool gv_agi_call(struct gv_agi_restored *r, enum gv_vk_function function,
                 const void *args);

// Behind the call that made the object with this id; of other kinds nothing.
bool gv_agi_fill_contents(struct gv_agi_restored *r, enum gv_vk_type type,
                          const struct gv_agi_message *object, uint64_t id);

// The commands of a command buffer, once everything that they name is there.
bool gv_agi_record_commands(struct gv_agi_restored *r,
                            const struct gv_agi_message *object, uint64_t id);

#endif
