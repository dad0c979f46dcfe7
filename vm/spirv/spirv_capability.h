// What SPIR-V capabilities need of a device: the rows of spirv_capabilities.def.
#ifndef GV_SPIRV_CAPABILITY_H
#define GV_SPIRV_CAPABILITY_H

#include <stddef.h>
#include <stdint.h>

struct gv_spirv_capability {
    uint32_t code;                   // of enum SpvCapability
    const char *name;                // without "Capability"
    const char *feature, *extension; // by Vulkan's names, "": none
    const char *operations;          // of subgroups, "": none
    uint32_t subgroup_bit;           // of VkSubgroupFeatureFlagBits, with operations
};

// The rows, ascending by code; one that needs two features has two.
extern const struct gv_spirv_capability gv_spirv_capabilities[];
extern const size_t gv_spirv_capability_count;

// What a lack of it is told by: operations, feature or else extension; "": never
// lacking.
const char *gv_spirv_capability_needs(const struct gv_spirv_capability *row);

#endif
