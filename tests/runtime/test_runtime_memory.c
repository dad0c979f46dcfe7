// The block allocator: pieces are aligned, disjoint, within the budget, and come back.
#include "runtime/vk/context.h"
#include "runtime/vk/device/device_open.h"
#include "runtime/vk/memory/device_memory.h"
#include "tests/helpers.h"
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#define PIECES 2000

static struct gv_vk_device device;

static bool disjoint(const struct gv_vk_memory *a, const struct gv_vk_memory *b)
{
    return a->handle != b->handle || a->offset + a->size <= b->offset ||
           b->offset + b->size <= a->offset;
}

// Pieces come and go in random order; host bytes of the living stay as written.
static void churn(void)
{
    static struct gv_vk_memory pieces[PIECES];
    struct gv_vk_heaps heaps;
    struct gv_error err = GV_ERROR_INIT;
    uint32_t seed = 1;
    gv_vk_heaps_init(&heaps, &device, 0);
    for (int step = 0; step < 20000; step++) {
        struct gv_vk_memory *piece = &pieces[gv_test_random(&seed) % PIECES];
        uint8_t mark = (uint8_t)(piece - pieces);
        if (piece->block) {
            CHECK(piece->data[0] == mark && piece->data[piece->size - 1] == mark);
            gv_vk_memory_free(&heaps, piece);
            continue;
        }
        VkMemoryRequirements needs = {
            .size = gv_test_random(&seed) % 5000 + 1,
            .alignment = (VkDeviceSize)1 << gv_test_random(&seed) % 12,
            .memoryTypeBits = UINT32_MAX,
        };
        CHECK(
            gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_UPLOAD, true, piece, &err));
        CHECK(piece->offset % needs.alignment == 0 && piece->size >= needs.size);
        memset(piece->data, mark, piece->size);
    }
    for (int i = 0; i < PIECES; i++)
        for (int j = 0; j < i && pieces[i].block; j++)
            CHECK(!pieces[j].block || disjoint(&pieces[i], &pieces[j]));
    uint64_t peak = heaps.peak;
    for (int i = 0; i < PIECES; i++)
        gv_vk_memory_free(&heaps, &pieces[i]);
    // What was freed is whole again: a piece as large as a block fits at once.
    VkMemoryRequirements large = { 3u << 20, 16, UINT32_MAX };
    CHECK(gv_vk_memory_alloc(&heaps, &large, GV_VK_MEMORY_UPLOAD, true, &pieces[0],
                             &err));
    CHECK(heaps.peak == peak);
    gv_vk_memory_free(&heaps, &pieces[0]);
    gv_vk_heaps_finish(&heaps);
    CHECK(heaps.allocated == 0);
}

static void budget(void)
{
    struct gv_vk_heaps heaps;
    struct gv_vk_memory a = { 0 }, b = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    VkMemoryRequirements needs = { 6u << 20, 16, UINT32_MAX };
    gv_vk_heaps_init(&heaps, &device, 10u << 20);
    CHECK(gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_DEVICE, true, &a, &err));
    CHECK(!gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_DEVICE, false, &b, &err));
    CHECK(err.status == GV_ERR_LIMIT);
    CHECK(heaps.allocated <= 10u << 20);
    gv_error_clear(&err);
    needs.size = UINT64_MAX;
    CHECK(!gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_DEVICE, false, &b, &err));
    CHECK(err.status == GV_ERR_LIMIT);
    gv_vk_memory_free(&heaps, &a);
    gv_vk_heaps_finish(&heaps);
}

// A piece that fits into a block there is needs no more of the budget.
static void near_the_limit(void)
{
    struct gv_vk_heaps heaps;
    struct gv_vk_memory first = { 0 }, inside = { 0 }, beside = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    VkMemoryRequirements needs = { 1u << 20, 16, UINT32_MAX };
    gv_vk_heaps_init(&heaps, &device, 5u << 20);
    CHECK(gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_DEVICE, true, &first, &err));
    CHECK(heaps.allocated == 4u << 20);
    CHECK(gv_vk_heaps_charge(&heaps, 1u << 20, &err));
    CHECK(gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_DEVICE, true, &inside, &err));
    CHECK(inside.handle == first.handle && heaps.allocated == 4u << 20);
    needs.size = 3u << 20; // 2 MiB are free
    CHECK(
        !gv_vk_memory_alloc(&heaps, &needs, GV_VK_MEMORY_DEVICE, true, &beside, &err));
    CHECK(err.status == GV_ERR_LIMIT);
    CHECK(strstr(err.message, "pass the limit") != NULL);
    gv_vk_memory_free(&heaps, &inside);
    gv_vk_memory_free(&heaps, &first);
    gv_vk_heaps_finish(&heaps);
}

// What a sampler is charged, and that all of it comes back.
static uint64_t sampler_cost(bool compares)
{
    const struct gv_sampler_desc d = { .max_lod = 1000, .compare_enable = compares };
    struct gv_bytes desc = { 0 };
    uint64_t sampler = 0, before = fixture->heaps->charged;
    gv_sampler_desc_encode(&d, &desc);
    MAKE(sampler, sampler_create, bytes(desc.data), num(desc.size));
    uint64_t cost = fixture->heaps->charged - before;
    DO(sampler_destroy, num(sampler));
    CHECK(gv_runtime_finish(fixture, &fixture_error));
    CHECK(fixture->heaps->charged == before);
    gv_bytes_finish(&desc);
    return cost;
}

// One that compares is two of the driver's.
static void samplers(void)
{
    CHECK(sampler_cost(false) > 0);
    CHECK(sampler_cost(true) == 2 * sampler_cost(false));
}

int main(void)
{
    const struct gv_vk_device_params params = { .log = &fixture_log };
    fixture_keep_libraries();
    if (!gv_vk_device_init(&device, &params, &fixture_error))
        return gv_test_skip("no Vulkan device");
    churn();
    budget();
    near_the_limit();
    gv_vk_device_finish(&device);
    if (fixture_open()) {
        samplers();
        fixture_close();
    }
    return TEST_RESULT();
}
