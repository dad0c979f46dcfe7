// Samplers of the payload.
#ifndef GV_VK_SAMPLER_H
#define GV_VK_SAMPLER_H

#include "runtime/vk/context.h"

struct gv_vk_sampler {
    VkSampler handle;
    uint64_t id; // never reused
    bool compare, unnormalized, linear;
    struct gv_link *bound; // where (bound.c)
};

#endif
