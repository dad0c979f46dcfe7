#include "runtime/vk/pipelines/kept_pipelines.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/pipelines/pipeline.h"

#include <stdlib.h>
#include <string.h>

void gv_vk_pipeline_set_key(struct gv_vk_pipeline *p,
                            const struct gv_vk_pipeline_key *key)
{
    uint8_t *desc = malloc(key->size ? key->size : 1);
    if (!desc)
        return;
    memcpy(desc, key->desc, key->size);
    p->key = *key;
    p->key.desc = desc;
}

static bool same_key(const struct gv_vk_pipeline_key *a,
                     const struct gv_vk_pipeline_key *b)
{
    for (size_t i = 0; i < GV_VK_KEY_STAGES; i++)
        if (a->stages[i] != b->stages[i])
            return false;
    return a->size == b->size && memcmp(a->desc, b->desc, a->size) == 0;
}

struct gv_vk_pipeline *gv_vk_kept_take(struct gv_vk_kept_pipelines *kept,
                                       const struct gv_vk_pipeline_key *key)
{
    struct gv_vk_pipeline **at = &kept->first;
    while (*at && !same_key(&(*at)->key, key))
        at = &(*at)->next;
    struct gv_vk_pipeline *p = *at;
    if (!p)
        return NULL;
    *at = p->next;
    p->next = NULL;
    kept->count--;
    kept->cost -= p->cost;
    return p;
}

// What is kept stays charged; the next pass must have room beside it.
static bool has_room(const struct gv_runtime *rt, const struct gv_vk_pipeline *p)
{
    const struct gv_vk_kept_pipelines *kept = &rt->pipelines->kept;
    uint64_t limit = rt->heaps->limit;
    return kept->count < GV_VK_MOST_KEPT &&
           (!limit || kept->cost + p->cost <= limit / GV_VK_KEPT_SHARE);
}

void gv_vk_kept_add(struct gv_runtime *rt, struct gv_vk_pipeline *p)
{
    struct gv_vk_kept_pipelines *kept = &rt->pipelines->kept;
    if (!p->key.desc || !has_room(rt, p)) {
        gv_vk_pipeline_free(rt, p);
        return;
    }
    p->next = kept->first;
    kept->first = p;
    kept->count++;
    kept->cost += p->cost;
}

void gv_vk_kept_finish(struct gv_runtime *rt)
{
    struct gv_vk_kept_pipelines *kept = &rt->pipelines->kept;
    for (struct gv_vk_pipeline *p = kept->first, *next; p; p = next) {
        next = p->next;
        gv_vk_pipeline_free(rt, p);
    }
    *kept = (struct gv_vk_kept_pipelines){ 0 };
}
