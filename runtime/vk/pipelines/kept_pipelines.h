// Pipelines that outlive a pass over the payload (--loop): the next pass asks for the
// same ones again, and a driver would translate their shaders again.
#ifndef GV_VK_KEPT_PIPELINES_H
#define GV_VK_KEPT_PIPELINES_H

#include <stddef.h>
#include <stdint.h>

struct gv_runtime;
struct gv_spirv_checked;
struct gv_vk_pipeline;

#define GV_VK_MOST_KEPT 1024 // pipelines
#define GV_VK_KEPT_SHARE 16u // of the budget they take at most one such part
#define GV_VK_KEY_STAGES 5   // of a compute pipeline the first one counts

// What a pipeline is made from. Modules are told by where the checker keeps them: each
// once, by its words.
struct gv_vk_pipeline_key {
    const struct gv_spirv_checked *stages[GV_VK_KEY_STAGES]; // borrowed
    const uint8_t *desc; // its description as calls give it; owned by pipelines
    size_t size;
};

struct gv_vk_kept_pipelines {
    struct gv_vk_pipeline *first; // owned list
    size_t count;
    uint64_t cost; // charged for them
};

// Tells a pipeline what it was made from; without memory it will not be kept.
void gv_vk_pipeline_set_key(struct gv_vk_pipeline *pipeline,
                            const struct gv_vk_pipeline_key *key);

// Takes the pipeline of a key out of those kept, or returns NULL.
struct gv_vk_pipeline *gv_vk_kept_take(struct gv_vk_kept_pipelines *kept,
                                       const struct gv_vk_pipeline_key *key);

// A pass is over, and with it this pipeline's handle: it is kept or freed. The device
// is done with it.
void gv_vk_kept_add(struct gv_runtime *rt, struct gv_vk_pipeline *pipeline);

void gv_vk_kept_finish(struct gv_runtime *rt);

#endif
