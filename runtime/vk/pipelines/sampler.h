// Samplers of the payload.
#ifndef GV_VK_SAMPLER_H
#define GV_VK_SAMPLER_H

#include "runtime/vk/link.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct gv_runtime;

struct gv_vk_sampler {
    VkSampler handle;
    VkSampler texels; // of one that compares: what shaders that do not get, else 0
    uint64_t id, texels_id; // of each; never reused
    bool compare, unnormalized, linear;
    struct gv_link *bound; // where (bound.c)
};

// Frees it now; the device is done with it.
void gv_vk_sampler_free(struct gv_runtime *rt, void *sampler);

#endif
