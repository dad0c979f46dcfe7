#include "runtime/vk/pipelines/kept_pipelines.h"

#include <stdlib.h>
#include <string.h>

void gv_vk_kept_init(struct gv_vk_kept *kept, struct gv_vk_pipeline *pipeline,
                     const struct gv_vk_pipeline_key *key, uint64_t cost)
{
    uint8_t *desc = malloc(key->size ? key->size : 1);
    if (!desc)
        return;
    memcpy(desc, key->desc, key->size);
    *kept = (struct gv_vk_kept){ .key = *key, .pipeline = pipeline, .cost = cost };
    kept->key.desc = desc;
}

void gv_vk_kept_finish(struct gv_vk_kept *kept)
{
    free((void *)kept->key.desc);
    *kept = (struct gv_vk_kept){ 0 };
}

static bool same_key(const struct gv_vk_pipeline_key *a,
                     const struct gv_vk_pipeline_key *b)
{
    for (size_t i = 0; i < GV_VK_KEY_STAGES; i++)
        if (a->stages[i] != b->stages[i])
            return false;
    return a->size == b->size && memcmp(a->desc, b->desc, a->size) == 0;
}

bool gv_vk_kept_add(struct gv_vk_kept_pipelines *all, struct gv_vk_kept *kept,
                    uint64_t most)
{
    if (!kept->pipeline || all->count >= GV_VK_MOST_KEPT ||
        (most && all->cost + kept->cost > most))
        return false;
    kept->next = all->first;
    all->first = kept;
    all->count++;
    all->cost += kept->cost;
    return true;
}

struct gv_vk_pipeline *gv_vk_kept_take(struct gv_vk_kept_pipelines *all,
                                       const struct gv_vk_pipeline_key *key)
{
    struct gv_vk_kept **at = &all->first;
    while (*at && key && !same_key(&(*at)->key, key))
        at = &(*at)->next;
    struct gv_vk_kept *kept = *at;
    if (!kept)
        return NULL;
    *at = kept->next;
    kept->next = NULL;
    all->count--;
    all->cost -= kept->cost;
    return kept->pipeline;
}
