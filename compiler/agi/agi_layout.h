// How structs of Vulkan lie in the memory of a recorded program: by its ABI, from the
// members that vk_api.def lists.
#ifndef GV_AGI_LAYOUT_H
#define GV_AGI_LAYOUT_H

#include "compiler/vulkan/api/vk_table.h"

// Bytes. Pointers and size_t have one size, and are aligned to it.
struct gv_agi_abi {
    uint8_t pointer;    // 4 or 8
    uint8_t wide_align; // of 64-bit integers
    uint8_t double_align;
};

struct gv_agi_extent {
    uint32_t size, align;
};

struct gv_agi_layout {
    struct gv_agi_abi abi;
    struct gv_agi_extent types[GV_VK_TYPE_COUNT];
    uint32_t *offsets; // by index in gv_vk_fields, of members; of the arena
};

// NULL: there is no memory.
struct gv_agi_layout *gv_agi_layout_make(const struct gv_agi_abi *abi,
                                         struct gv_arena *arena);
// Of a member's own bytes.
struct gv_agi_extent gv_agi_layout_field(const struct gv_agi_layout *layout,
                                         const struct gv_vk_field *field);
// Whether values of a type are the same bytes there and here.
bool gv_agi_layout_same(const struct gv_agi_layout *layout, enum gv_vk_type type);

#endif
