// Where memory of Vulkan is mapped in the recorded program: what was observed there is
// what the program wrote to it.
#ifndef GV_AGI_MAPPED_H
#define GV_AGI_MAPPED_H

#include "compiler/agi/agi_capture.h"
#include "compiler/vulkan/vulkan.h"

struct gv_agi_mapping {
    uint64_t address, size;
    uint64_t memory; // id
};

// Zero-initialise. No two mappings overlap.
struct gv_agi_mapped {
    struct gv_agi_mapping *list; // by address; owned
    size_t count, capacity;
};

void gv_agi_mapped_finish(struct gv_agi_mapped *mapped);
bool gv_agi_mapped_add(struct gv_agi_mapped *mapped,
                       const struct gv_agi_mapping *mapping, struct gv_error *err);
// After a call: what it mapped and unmapped.
bool gv_agi_mapped_call(struct gv_agi_mapped *mapped, const struct gv_vulkan *vulkan,
                        const struct gv_vk_call *call, struct gv_error *err);
// What a command observed before its call, as far as it lies in a mapping.
bool gv_agi_mapped_fill(const struct gv_agi_mapped *mapped, struct gv_vulkan *vulkan,
                        const struct gv_agi_event *event, struct gv_error *err);

#endif
