// Command buffers as they run: each of their calls in order, secondary ones in place.
#include "compiler/vulkan/walk_pipeline.h"

#include <string.h>

#define DEEPEST 8 // of secondary command buffers
// Work that a capture may ask for, in commands: so much, and more for each call in it.
#define WORK_AT_LEAST ((uint64_t)1 << 24)
#define WORK_PER_CALL ((uint64_t)1 << 16)

typedef bool (*command_fn)(struct gv_walk *w, const void *args, struct gv_error *err);

#define GV_WALK(name)                                                                  \
    static bool call_##name(struct gv_walk *w, const void *args, struct gv_error *err) \
    {                                                                                  \
        return gv_walk_##name(w, args, err);                                           \
    }
#define GV_WALK_SKIP(name)
#include "compiler/vulkan/walk_commands.def"
#undef GV_WALK
#undef GV_WALK_SKIP

static const struct {
    command_fn perform; // NULL: nothing to do, if `known`
    bool known;
} commands[GV_VK_FUNCTION_COUNT] = {
#define GV_WALK(name) [GV_VK_##name] = { call_##name, true },
#define GV_WALK_SKIP(name) [GV_VK_##name] = { NULL, true },
#include "compiler/vulkan/walk_commands.def"
#undef GV_WALK
#undef GV_WALK_SKIP
};

bool gv_vulkan_lowers(enum gv_vk_function function)
{
    return commands[function].known ||
           (function != GV_VK_vkQueueBindSparse &&
            strncmp(gv_vk_function_name(function), "vkCmd", 5) != 0);
}

bool gv_walk_charge(struct gv_walk *w, uint64_t amount, struct gv_error *err)
{
    const uint64_t most = WORK_AT_LEAST + w->cap->place.block * WORK_PER_CALL;
    w->running.work += amount;
    return w->running.work <= most ||
           gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset,
                   "block %llu, %s: command buffers run more than %llu commands",
                   (unsigned long long)w->cap->place.block, w->cap->name,
                   (unsigned long long)most);
}

static bool reset(struct gv_walk *w, struct gv_error *err)
{
    memset(w->state, 0, sizeof *w->state);
    return gv_walk_charge(w, GV_WALK_RESET_WORK, err);
}

bool gv_walk_list(struct gv_walk *w, const struct gv_cap_commands *c,
                  struct gv_error *err)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct gv_vk_call *call = c->calls[i];
        w->list = c;
        w->at = i;
        w->cap->name = gv_vk_function_name(call->function);
        w->cap->place = call->place;
        if (!gv_walk_charge(w, 1, err))
            return false;
        gv_walk_check_chains(w, call);
        if (!commands[call->function].known)
            gv_walk_unsupported(w, "%s", w->cap->name);
        else if (commands[call->function].perform &&
                 !commands[call->function].perform(w, call->args, err))
            return false;
        if (gv_builder_failed(w->b, err))
            return false;
        if (w->jump)
            i = w->views.first;
        w->jump = false;
    }
    return true;
}

bool gv_walk_submit(struct gv_walk *w, uint64_t id, struct gv_error *err)
{
    const struct gv_cap_commands *c = gv_cap_need(w->cap, id, GV_CAP_COMMANDS, err);
    if (!c)
        return false;
    const char *name = w->cap->name;
    const struct gv_vk_place place = w->cap->place;
    const bool ok = reset(w, err) && gv_walk_list(w, c, err);
    gv_walk_end_pass(w);
    if (w->conditions.open)
        gv_emit0(w->b, condition_end);
    w->conditions.open = false;
    w->render = (struct gv_walk_render){ 0 };
    w->views.many = false;
    gv_arena_finish(&w->submission);
    w->cap->name = name;
    w->cap->place = place;
    return ok;
}

bool gv_walk_vkCmdExecuteCommands(struct gv_walk *w,
                                  const struct gv_vk_args_vkCmdExecuteCommands *a,
                                  struct gv_error *err)
{
    if (w->running.depth == DEEPEST)
        return gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset,
                       "secondary command buffers nest deeper than %d", DEEPEST);
    w->running.depth++;
    bool ok = true;
    for (uint32_t i = 0; ok && i < a->commandBufferCount; i++) {
        const struct gv_cap_commands *c =
            gv_cap_need(w->cap, GV_VK_ID(a->pCommandBuffers[i]), GV_CAP_COMMANDS, err);
        // Neither inherits the other's state.
        ok = c && reset(w, err) && gv_walk_list(w, c, err);
    }
    w->running.depth--;
    return ok && reset(w, err);
}
