// A draw by its numbers.
#ifndef GV_VK_ONE_DRAW_H
#define GV_VK_ONE_DRAW_H

#include <stdbool.h>
#include <stdint.h>

// One draw, as far as it is known.
struct gv_vk_draw {
    bool indexed;
    bool counted_on_device; // `first` and `count` are not known
    uint32_t first, count;  // vertices, or indices
    int32_t base_vertex;    // of indices
    uint32_t first_instance, instances;
    uint32_t number;  // among the draws of its call
    bool own_indices; // the runtime's, not the index buffer's
    bool outside;     // some vertex, up to `last`, lies outside its buffer
    uint64_t last;
};

#endif
