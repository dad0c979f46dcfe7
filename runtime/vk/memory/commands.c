#include "runtime/vk/memory/commands.h"

#include "resources/base/cancel.h"
#include "resources/base/now.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/staging.h"
#include "vm/machine/progress.h"

#include <stdlib.h>

struct gv_vk_garbage {
    void (*destroy)(struct gv_runtime *rt, void *object);
    struct gv_runtime *rt; // whose object it is
    void *object;
    uint64_t serial; // of the submission that may still use it
    struct gv_vk_garbage *next;
};

static bool create_timeline(struct gv_vk_commands *commands, struct gv_error *err)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    return gv_vk_ok(vkCreateSemaphore(commands->staging->heaps->device->handle, &info,
                                      NULL, &commands->timeline),
                    "vkCreateSemaphore", err);
}

static bool create_slot(struct gv_vk_commands *c, uint32_t slot, struct gv_error *err)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = c->staging->heaps->device->queue_family,
    };
    if (!gv_vk_ok(vkCreateCommandPool(c->staging->heaps->device->handle, &pool, NULL,
                                      &c->ring[slot].pool),
                  "vkCreateCommandPool", err))
        return false;
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = c->ring[slot].pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return gv_vk_ok(vkAllocateCommandBuffers(c->staging->heaps->device->handle, &buffer,
                                             &c->ring[slot].buffer),
                    "vkAllocateCommandBuffers", err);
}

bool gv_vk_commands_init(struct gv_vk_commands *commands, struct gv_error *err)
{
    uint64_t limit = commands->staging->heaps->limit;
    commands->serial = 1;
    // Submissions in flight, and the one recorded, have room beside all else.
    commands->most_staging =
        limit && limit / 8 < GV_VK_MAX_STAGING ? limit / 8 : GV_VK_MAX_STAGING;
    if (!create_timeline(commands, err))
        return false;
    for (uint32_t i = 0; i < GV_VK_FRAMES; i++)
        if (!create_slot(commands, i, err))
            return false;
    return true;
}

// Destroys what submissions up to `serial` were using.
static void collect(struct gv_vk_commands *c, uint64_t serial)
{
    while (c->garbage && c->garbage->serial <= serial) {
        struct gv_vk_garbage *g = c->garbage;
        c->garbage = g->next;
        if (!c->garbage)
            c->garbage_tail = NULL;
        g->destroy(g->rt, g->object);
        free(g);
    }
}

void gv_vk_commands_finish(struct gv_vk_commands *c)
{
    if (!c->timeline)
        return;
    vkQueueWaitIdle(c->staging->heaps->device->queue);
    collect(c, UINT64_MAX);
    for (uint32_t i = 0; i < GV_VK_FRAMES; i++)
        vkDestroyCommandPool(c->staging->heaps->device->handle, c->ring[i].pool, NULL);
    vkDestroySemaphore(c->staging->heaps->device->handle, c->timeline, NULL);
    *c = (struct gv_vk_commands){ 0 };
}

// ---- completion ----

static void completed(struct gv_vk_commands *c, uint64_t serial)
{
    if (serial <= c->completed)
        return;
    c->completed = serial;
    for (uint32_t i = 0; i < GV_VK_FRAMES; i++) { // the oldest first
        uint32_t slot = (c->slot + i) % GV_VK_FRAMES;
        if (!c->ring[slot].serial || c->ring[slot].serial > serial)
            continue;
        gv_progress_completed(c->progress, c->ring[slot].frame, c->ring[slot].command);
        c->ring[slot].serial = 0;
    }
    gv_vk_staging_completed(c->staging, serial);
    collect(c, serial);
}

static bool lose(struct gv_vk_commands *commands)
{
    commands->lost = true;
    return false;
}

static bool poll_completion(struct gv_vk_commands *commands, struct gv_error *err)
{
    uint64_t value = 0;
    if (!gv_vk_ok(vkGetSemaphoreCounterValue(commands->staging->heaps->device->handle,
                                             commands->timeline, &value),
                  "vkGetSemaphoreCounterValue", err))
        return lose(commands);
    completed(commands, value);
    return true;
}

// What is waited for in one go: time in which the process is stopped is in one step,
// which counts for no more than it was to last.
#define STEP_NS 200000000u
#define CANCEL_STEP_NS 20000000u // where somebody may want it to end

// Until `serial`, or until nothing at all has completed for as long as there is.
static VkResult wait_in_steps(struct gv_vk_commands *commands, uint64_t serial)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &commands->timeline,
        .pValues = &serial,
    };
    const uint64_t whole = commands->timeout_ns ? commands->timeout_ns : UINT64_MAX;
    const uint64_t longest = commands->cancel ? CANCEL_STEP_NS : STEP_NS;
    for (uint64_t left = whole; left && !gv_is_cancelled(commands->cancel);) {
        uint64_t step = left < longest ? left : longest;
        uint64_t before = commands->completed;
        VkResult result =
            vkWaitSemaphores(commands->staging->heaps->device->handle, &info, step);
        if (result != VK_TIMEOUT)
            return result;
        uint64_t now = 0;
        result = vkGetSemaphoreCounterValue(commands->staging->heaps->device->handle,
                                            commands->timeline, &now);
        if (result != VK_SUCCESS)
            return result;
        completed(commands, now);
        left = now > before ? whole : left - step;
    }
    return VK_TIMEOUT;
}

bool gv_vk_commands_wait(struct gv_vk_commands *c, uint64_t serial,
                         struct gv_error *err)
{
    if (c->completed >= serial)
        return true;
    if (c->lost)
        return gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET, "the device was lost before");
    uint64_t start = gv_now_ns();
    VkResult result = wait_in_steps(c, serial);
    c->wait_ns += gv_now_ns() - start;
    if (result == VK_TIMEOUT && gv_is_cancelled(c->cancel))
        return gv_fail_cancelled(err);
    if (result == VK_TIMEOUT) {
        gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET, "no completed submission for %.3g s",
                (double)c->timeout_ns / 1e9);
        return lose(c);
    }
    if (!gv_vk_ok(result, "vkWaitSemaphores", err))
        return lose(c);
    completed(c, serial);
    return true;
}

// ---- recording ----

bool gv_vk_commands_begin_work(struct gv_vk_commands *c, struct gv_error *err)
{
    c->recorded++;
    if (c->buffer)
        return true;
    if (c->lost)
        return gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET, "the device was lost before");
    if (c->ring[c->slot].serial &&
        !gv_vk_commands_wait(c, c->ring[c->slot].serial, err))
        return false;
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VkCommandBuffer buffer = c->ring[c->slot].buffer;
    if (!gv_vk_ok(vkResetCommandPool(c->staging->heaps->device->handle,
                                     c->ring[c->slot].pool, 0),
                  "vkResetCommandPool", err) ||
        !gv_vk_ok(vkBeginCommandBuffer(buffer, &info), "vkBeginCommandBuffer", err))
        return false;
    c->buffer = buffer;
    c->epoch++;
    c->draws = 0;
    c->recorded = 1;
    c->began_ns = gv_now_ns();
    return true;
}

static bool queue_submit(struct gv_vk_commands *c, struct gv_error *err)
{
    const VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = c->buffer,
    };
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = c->timeline,
        .value = c->serial,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal,
    };
    const uint64_t start = gv_now_ns();
    VkResult result =
        vkQueueSubmit2(c->staging->heaps->device->queue, 1, &info, VK_NULL_HANDLE);
    c->submit_ns += gv_now_ns() - start;
    return gv_vk_ok(result, "vkQueueSubmit2", err) || lose(c);
}

static bool submit(struct gv_vk_commands *c, struct gv_error *err)
{
    VkCommandBuffer buffer = c->buffer;
    if (!gv_vk_ok(vkEndCommandBuffer(buffer), "vkEndCommandBuffer", err) ||
        !gv_vk_staging_submitted(c->staging, c->serial, err) || !queue_submit(c, err)) {
        c->buffer = NULL;
        return lose(c);
    }
    c->record_ns += gv_now_ns() - c->began_ns;
    c->submissions++;
    c->buffer = NULL;
    c->ring[c->slot].serial = c->serial++;
    c->ring[c->slot].frame = c->frame;
    c->ring[c->slot].command = c->command;
    c->slot = (c->slot + 1) % GV_VK_FRAMES;
    return poll_completion(c, err);
}

bool gv_vk_commands_submit(struct gv_runtime *rt, struct gv_error *err)
{
    if (!rt->commands->buffer)
        return true;
    // Queries run outside passes too: they are interrupted like passes.
    return gv_runtime_suspend(rt, err) && submit(rt->commands, err) &&
           gv_runtime_resume(rt, err);
}

void gv_vk_commands_frame_ended(struct gv_vk_commands *commands)
{
    struct gv_vk_commands *c = commands;
    uint32_t last = (c->slot + GV_VK_FRAMES - 1) % GV_VK_FRAMES;
    if (c->ring[last].serial) {
        c->ring[last].frame = c->frame;
        c->ring[last].command = c->command;
    } else if (c->completed + 1 == c->serial) {
        gv_progress_completed(c->progress, c->frame, c->command);
    }
    c->frame++;
}

void gv_vk_commands_count(struct gv_vk_commands *c, uint32_t commands)
{
    c->recorded += commands;
}

bool gv_vk_commands_throttle(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_commands *c = rt->commands;
    if (gv_is_cancelled(c->cancel))
        return gv_fail_cancelled(err);
    bool staged = rt->staging->bytes >= c->most_staging;
    if (!staged && c->draws < GV_VK_MAX_DRAWS && c->recorded < GV_VK_MAX_RECORDED)
        return true;
    // Staging comes back with a submission alone, objects given up may not need one.
    if (staged && !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    c->recorded = 0;
    return c->buffer ? gv_vk_commands_submit(rt, err)
                     : poll_completion(rt->commands, err);
}

void gv_vk_commands_count_first(struct gv_vk_commands *commands)
{
    commands->draws += GV_VK_MAX_DRAWS / GV_VK_MAX_FIRST;
}

bool gv_vk_commands_count_draw(struct gv_runtime *rt, struct gv_error *err)
{
    rt->commands->draws++;
    return gv_vk_commands_throttle(rt, err);
}

void gv_vk_commands_settle(struct gv_vk_commands *c)
{
    c->cancel = NULL;
    if (!c->lost && c->serial > 1)
        gv_vk_commands_wait(c, c->serial - 1, NULL);
}

bool gv_vk_commands_idle(struct gv_runtime *rt, struct gv_error *err)
{
    return gv_vk_commands_submit(rt, err) &&
           gv_vk_commands_wait(rt->commands, rt->commands->serial - 1, err);
}

void gv_vk_commands_defer(struct gv_runtime *rt,
                          void (*destroy)(struct gv_runtime *rt, void *object),
                          void *object)
{
    struct gv_vk_commands *c = rt->commands;
    struct gv_vk_garbage *g = NULL;
    if ((c->buffer || c->completed + 1 < c->serial) && !(g = malloc(sizeof(*g))))
        gv_vk_commands_idle(rt, NULL);
    if (!g) {
        destroy(rt, object);
        return;
    }
    *g = (struct gv_vk_garbage){ destroy, rt, object, c->serial, NULL };
    c->recorded++;
    if (c->garbage_tail)
        c->garbage_tail->next = g;
    else
        c->garbage = g;
    c->garbage_tail = g;
}
