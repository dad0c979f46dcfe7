// Structs of chains that nothing here reads.
#include "compiler/vulkan/walk.h"

#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

static const bool known[GV_VK_TYPE_COUNT] = {
#define GV_WALK_CHAIN(type) [GV_VK_TYPE_##type] = true,
#define GV_WALK_PASS(type) [GV_VK_TYPE_##type] = true,
#include "compiler/vulkan/walk_chains.def"
#undef GV_WALK_CHAIN
#undef GV_WALK_PASS
};

static void look_at(void *walk, uint32_t structure_type)
{
    const enum gv_vk_type type = gv_vk_find_struct(structure_type);
    if (type == GV_VK_TYPE_COUNT)
        gv_walk_unsupported(walk, "structure type %u", structure_type);
    else if (!known[type])
        gv_walk_unsupported(walk, "%s", gv_vk_name(gv_vk_types[type].name));
}

// Calls that ask, and those that enable what is unsupported only when it is used.
static bool is_harmless(const char *name)
{
    return !strncmp(name, "vkGet", 5) || !strncmp(name, "vkEnumerate", 11) ||
           !strcmp(name, "vkCreateInstance") || !strcmp(name, "vkCreateDevice") ||
           !strncmp(name, "vkSetDebug", 10);
}

void gv_walk_check_chains(struct gv_walk *w, const struct gv_vk_call *call)
{
    if (!is_harmless(gv_vk_function_name(call->function)))
        gv_vk_each_chained(call, look_at, w);
}
