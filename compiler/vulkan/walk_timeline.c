// Timeline semaphores. Work runs in the order of the file, which is the recording
// device's order but where a submit waits for a value that a later call signals: that
// is told. Binary semaphores cannot be waited for before their signal is submitted.
#include <stdlib.h>

#include "compiler/vulkan/walk.h"

struct timeline {
    uint64_t value; // the greatest that was signalled
};

static struct timeline *find(const struct gv_vulkan *v, VkSemaphore semaphore)
{
    return gv_cap_find(&v->cap, GV_VK_ID(semaphore), GV_CAP_TIMELINE);
}

static void signal_value(const struct gv_vulkan *v, VkSemaphore semaphore,
                         uint64_t value)
{
    struct timeline *t = find(v, semaphore);
    if (t && t->value < value)
        t->value = value;
}

static void wait_value(struct gv_vulkan *v, VkSemaphore semaphore, uint64_t value)
{
    const struct timeline *t = find(v, semaphore);
    if (t && t->value < value)
        gv_walk_unsupported(
            &v->walk, "wait for a value of a timeline semaphore that a later call "
                      "signals");
}

static bool create(struct gv_vulkan *v, const struct gv_vk_args_vkCreateSemaphore *a,
                   struct gv_error *err)
{
    const VkSemaphoreTypeCreateInfo *type = gv_walk_chained(
        a->pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    if (!type || type->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE)
        return true;
    struct timeline *t = malloc(sizeof *t);
    const bool known = !v->snapshot || v->restored; // a snapshot tells no value
    if (t)
        t->value = known ? type->initialValue : UINT64_MAX;
    const struct gv_cap_new n = { .id = GV_VK_ID(*a->pSemaphore),
                                  .kind = GV_CAP_TIMELINE,
                                  .content = t,
                                  .finish = free };
    return gv_cap_add(&v->cap, &n, err);
}

bool gv_walk_semaphore_call(struct gv_vulkan *v, const struct gv_vk_call *call,
                            bool *ok, struct gv_error *err)
{
    *ok = true;
    switch ((int)call->function) {
    case GV_VK_vkCreateSemaphore:
        *ok = create(v, GV_VK_ARGS(vkCreateSemaphore, call), err);
        return true;
    case GV_VK_vkDestroySemaphore:
        gv_cap_remove(&v->cap,
                      GV_VK_ID(GV_VK_ARGS(vkDestroySemaphore, call)->semaphore),
                      GV_CAP_TIMELINE);
        return true;
    case GV_VK_vkSignalSemaphore: {
        const VkSemaphoreSignalInfo *info =
            GV_VK_ARGS(vkSignalSemaphore, call)->pSignalInfo;
        signal_value(v, info->semaphore, info->value);
        return true;
    }
    default:
        return false;
    }
}

void gv_walk_submit_waits(struct gv_vulkan *v, const VkSubmitInfo *s)
{
    const VkTimelineSemaphoreSubmitInfo *t =
        gv_walk_chained(s->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    if (!t || !t->pWaitSemaphoreValues || !s->pWaitSemaphores)
        return;
    for (uint32_t i = 0; i < s->waitSemaphoreCount && i < t->waitSemaphoreValueCount;
         i++)
        wait_value(v, s->pWaitSemaphores[i], t->pWaitSemaphoreValues[i]);
}

void gv_walk_submit_signals(struct gv_vulkan *v, const VkSubmitInfo *s)
{
    const VkTimelineSemaphoreSubmitInfo *t =
        gv_walk_chained(s->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    if (!t || !t->pSignalSemaphoreValues || !s->pSignalSemaphores)
        return;
    for (uint32_t i = 0;
         i < s->signalSemaphoreCount && i < t->signalSemaphoreValueCount; i++)
        signal_value(v, s->pSignalSemaphores[i], t->pSignalSemaphoreValues[i]);
}

void gv_walk_submit2_waits(struct gv_vulkan *v, const VkSubmitInfo2 *s)
{
    for (uint32_t i = 0; i < s->waitSemaphoreInfoCount; i++)
        wait_value(v, s->pWaitSemaphoreInfos[i].semaphore,
                   s->pWaitSemaphoreInfos[i].value);
}

void gv_walk_submit2_signals(struct gv_vulkan *v, const VkSubmitInfo2 *s)
{
    for (uint32_t i = 0; i < s->signalSemaphoreInfoCount; i++)
        signal_value(v, s->pSignalSemaphoreInfos[i].semaphore,
                     s->pSignalSemaphoreInfos[i].value);
}
