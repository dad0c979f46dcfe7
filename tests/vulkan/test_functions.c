// Which functions of Vulkan have an effect, are silent, or are unsupported: each one
// has exactly one place in the tables.
#include "compiler/vulkan/api/vk_table.h"
#include "compiler/vulkan/vulkan.h"
#include "tests/compiler/builder_probe.h"
#include "tests/test.h"

static const uint8_t rows[GV_VK_FUNCTION_COUNT] = {
#define GV_WALK_MAKES(function, how) [GV_VK_##function] = 1,
#define GV_WALK_DROPS(function, member, kind) [GV_VK_##function] = 1,
#define GV_WALK_DOES(function) [GV_VK_##function] = 1,
#define GV_WALK_SILENT(function) [GV_VK_##function] = 2,
#include "compiler/vulkan/walk_functions.def"
#undef GV_WALK_MAKES
#undef GV_WALK_DROPS
#undef GV_WALK_DOES
#undef GV_WALK_SILENT
#define GV_WALK(function) [GV_VK_##function] = 1,
#define GV_WALK_SKIP(function) [GV_VK_##function] = 2,
#include "compiler/vulkan/walk_commands.def"
#undef GV_WALK
#undef GV_WALK_SKIP
};

// Functions of Vulkan 1.0 to 1.3 that make what is unsupported when it is used.
static const char *const core[] = {
    "vkCmdDrawIndirectCount",
    "vkCmdDrawIndexedIndirectCount",
    "vkCmdSetDeviceMask",
};

static bool is_core(const char *name)
{
    const size_t length = strlen(name);
    return length > 3 && (name[length - 1] < 'A' || name[length - 1] > 'Z');
}

static bool is_listed(const char *name)
{
    for (size_t i = 0; i < sizeof core / sizeof *core; i++)
        if (strcmp(core[i], name) == 0)
            return true;
    return false;
}

// Every function of core Vulkan but those above.
static void test_core(void)
{
    uint32_t lowered = 0, silent = 0, refused = 0;
    for (uint32_t i = 0; i < GV_VK_FUNCTION_COUNT; i++) {
        const char *name = gv_vk_function_name((enum gv_vk_function)i);
        const bool asks = !strncmp(name, "vkGet", 5) || !strncmp(name, "vkEnum", 6);
        lowered += rows[i] == 1;
        silent += rows[i] == 2 || (!rows[i] && asks);
        refused += !rows[i] && !asks;
        if (is_core(name) && !asks)
            CHECK_ROW(name, rows[i] ? !is_listed(name) : is_listed(name));
    }
    printf("%u lowered, %u silent, %u refused by name\n", lowered, silent, refused);
    CHECK(lowered > 150 && silent > 150 && refused > 50);
}

static uint64_t call(enum gv_vk_function function, const void *args)
{
    struct probe probe;
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_vk_call c = { .function = function,
                                  .args = args,
                                  .place = { .offset = 1, .block = 1 } };
    probe_begin(&probe, false, 1);
    struct gv_vulkan *v = gv_vulkan_create(
        &(struct gv_vulkan_params){ .arena = &arena, .builder = probe.builder }, &err);
    CHECK(v && gv_vulkan_call(v, &c, &err));
    gv_vulkan_destroy(v);
    CHECK(probe_end(&probe));
    const uint64_t unsupported = probe.totals.unsupported;
    probe_finish(&probe);
    gv_arena_finish(&arena);
    gv_error_clear(&err);
    return unsupported;
}

int main(void)
{
    const struct gv_vk_args_vkCreateMicromapEXT micromap = { 0 };
    const struct gv_vk_args_vkQueueWaitIdle waits = { 0 };
    const struct gv_vk_args_vkGetImageSubresourceLayout2EXT asks = { 0 };
    test_core();
    CHECK(call(GV_VK_vkCreateMicromapEXT, &micromap) == 1);
    CHECK(call(GV_VK_vkQueueWaitIdle, &waits) == 0);
    CHECK(call(GV_VK_vkGetImageSubresourceLayout2EXT, &asks) == 0);
    return TEST_RESULT();
}
