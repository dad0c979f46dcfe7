#include "compiler/vulkan/track/cap_commands.h"

#include <stdlib.h>

static void forget(struct gv_cap_commands *c)
{
    *c->recorded -= c->arena.total;
    gv_arena_finish(&c->arena);
}

void gv_cap_commands_free(void *content)
{
    struct gv_cap_commands *c = content;
    forget(c);
    free((void *)c->calls);
    free(c);
}

void gv_cap_commands_reset(void *content)
{
    struct gv_cap_commands *c = content;
    forget(c);
    c->count = 0;
}

bool gv_cap_allocate_commands(struct gv_cap *cap,
                              const struct gv_vk_args_vkAllocateCommandBuffers *args,
                              struct gv_error *err)
{
    const VkCommandBufferAllocateInfo *info = args->pAllocateInfo;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct gv_cap_commands *c = calloc(1, sizeof *c);
        if (c)
            c->recorded = &cap->recorded;
        const struct gv_cap_new n = { .id = GV_VK_ID(args->pCommandBuffers[i]),
                                      .kind = GV_CAP_COMMANDS,
                                      .content = c,
                                      .finish = gv_cap_commands_free,
                                      .pool = GV_VK_ID(info->commandPool) };
        if (!gv_cap_add(cap, &n, err))
            return false;
    }
    return true;
}

bool gv_cap_record(struct gv_cap *cap, const struct gv_vk_call *call,
                   struct gv_error *err)
{
    const VkCommandBuffer *first = call->args;
    struct gv_cap_commands *c =
        gv_cap_need(cap, GV_VK_ID(*first), GV_CAP_COMMANDS, err);
    if (!c)
        return false;
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 64;
        const struct gv_vk_call **more =
            realloc((void *)c->calls, capacity * sizeof(void *));
        if (!more)
            return gv_cap_no_memory(cap, err);
        c->calls = more;
        c->capacity = capacity;
    }
    const size_t before = c->arena.total;
    const struct gv_vk_call *copy = gv_vk_call_copy(call, &c->arena);
    cap->recorded += c->arena.total - before;
    if (!copy)
        return gv_cap_no_memory(cap, err);
    c->calls[c->count++] = copy;
    return true;
}
