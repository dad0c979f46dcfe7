// Pipelines that outlive a pass over the payload (--loop): the next pass asks for the
// same ones again, and a driver would translate their shaders again. This knows what
// they were made from, and nothing else of them.
#ifndef GV_VK_KEPT_PIPELINES_H
#define GV_VK_KEPT_PIPELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gv_spirv_checked;
struct gv_vk_pipeline;

#define GV_VK_MOST_KEPT 1024 // pipelines
#define GV_VK_KEY_STAGES 5   // of a compute pipeline the first one counts

// What a pipeline is made from. Modules are told by where the checker keeps them: each
// once, by its words.
struct gv_vk_pipeline_key {
    const struct gv_spirv_checked *stages[GV_VK_KEY_STAGES]; // borrowed
    const uint8_t *desc; // its description as calls give it
    size_t size;
};

// A pipeline's own; zeroed: it will not be kept.
struct gv_vk_kept {
    struct gv_vk_pipeline_key key; // the description's bytes are owned
    struct gv_vk_pipeline *pipeline;
    uint64_t cost; // charged for it
    struct gv_vk_kept *next;
};

struct gv_vk_kept_pipelines {
    struct gv_vk_kept *first;
    size_t count;
    uint64_t cost; // of all
};

// Tells what a pipeline was made from; without memory it will not be kept.
void gv_vk_kept_init(struct gv_vk_kept *kept, struct gv_vk_pipeline *pipeline,
                     const struct gv_vk_pipeline_key *key, uint64_t cost);
void gv_vk_kept_finish(struct gv_vk_kept *kept);

// Keeps one whose handle is gone. False: there are too many, or all would cost more
// than `most` (0: no bound).
bool gv_vk_kept_add(struct gv_vk_kept_pipelines *all, struct gv_vk_kept *kept,
                    uint64_t most);
// Takes one out: the one of a key, or any (NULL). NULL: there is none.
struct gv_vk_pipeline *gv_vk_kept_take(struct gv_vk_kept_pipelines *all,
                                       const struct gv_vk_pipeline_key *key);

#endif
