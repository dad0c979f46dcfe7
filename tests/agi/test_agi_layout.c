// How structs lie in recorded memory: with 64 bits as the compiler of these tests lays
// them out, every one; with 32 bits by sums made by hand. And memory itself, against a
// plain array.
#include "compiler/agi/agi_layout.h"
#include "compiler/agi/agi_memory.h"
#include "tests/test.h"

static const struct gv_agi_abi lp64 = { 8, 8, 8 };
static const struct gv_agi_abi arm32 = { 4, 8, 8 };
static const struct gv_agi_abi x86 = { 4, 4, 4 };

static void test_headers(void)
{
    struct gv_arena arena = { 0 };
    const struct gv_agi_layout *l = gv_agi_layout_make(&lp64, &arena);
    uint32_t structs = 0;
    for (uint32_t i = 0; i < GV_VK_TYPE_COUNT; i++) {
        const struct gv_vk_type_info *t = &gv_vk_types[i];
        if (t->class == GV_VK_CLASS_REFUSED)
            continue;
        CHECK_ROW(gv_vk_name(t->name),
                  l->types[i].size == t->size || t->class == GV_VK_CLASS_UNION);
        if (t->class != GV_VK_CLASS_STRUCT)
            continue;
        structs++;
        for (uint32_t j = t->first; j < t->first + t->count; j++)
            CHECK_ROW(gv_vk_name(gv_vk_fields[j].name),
                      l->offsets[j] == gv_vk_fields[j].offset);
    }
    CHECK(structs > 800);
    gv_arena_finish(&arena);
}

static void test_narrow(void)
{
    static const struct {
        enum gv_vk_type type;
        uint32_t arm, x86;
    } rows[] = {
        { GV_VK_TYPE_VkInstance, 4, 4 },
        { GV_VK_TYPE_VkImage, 8, 8 },
        { GV_VK_TYPE_VkMemoryAllocateInfo, 24, 20 },     // 4 4 | 8 4 | pad
        { GV_VK_TYPE_VkBufferCreateInfo, 40, 36 },       // 4 4 4 | pad 8 4 4 4 4
        { GV_VK_TYPE_VkSubmitInfo, 36, 36 },             // nine words
        { GV_VK_TYPE_VkWriteDescriptorSet, 48, 44 },     // 4 4 8 4 4 4 4 4 4 4 | pad
        { GV_VK_TYPE_VkShaderModuleCreateInfo, 20, 20 }, // size_t is a word
        { GV_VK_TYPE_VkDescriptorImageInfo, 24, 20 },    // 8 8 4 | pad
        { GV_VK_TYPE_VkRenderPassBeginInfo, 48, 48 },    // 4 4 8 8 16 4 4
        { GV_VK_TYPE_VkPipelineShaderStageCreateInfo, 32, 32 }, // 4 4 4 4 8 4 4
        { GV_VK_TYPE_VkPhysicalDeviceLimits, 496, 488 },
    };
    struct gv_arena arena = { 0 };
    const struct gv_agi_layout *a = gv_agi_layout_make(&arm32, &arena);
    const struct gv_agi_layout *b = gv_agi_layout_make(&x86, &arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = gv_vk_name(gv_vk_types[rows[i].type].name);
        CHECK_ROW(name, a->types[rows[i].type].size == rows[i].arm);
        CHECK_ROW(name, b->types[rows[i].type].size == rows[i].x86);
    }
    gv_arena_finish(&arena);
}

#define SPACE 256u

// Random observations, and after each all there is to ask of the memory.
static void test_memory(void)
{
    struct gv_agi_memory m = { 0 };
    uint8_t wanted[SPACE] = { 0 }, got[SPACE], bytes[4096];
    bool seen[SPACE] = { 0 };
    uint32_t random = 7;
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    for (uint32_t round = 0; round < 2000; round++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t at = (random >> 8) % SPACE;
        const uint32_t size = (random >> 16) % (round % 3 ? 9 : SPACE - at + 1);
        const uint32_t n = size < SPACE - at ? size : SPACE - at;
        const uint8_t *from = bytes + random % 3000;
        CHECK(gv_agi_memory_observe(&m, 0xfff0000 + at, from, n));
        memcpy(wanted + at, from, n);
        memset(seen + at, 1, n);
        const uint32_t ask = (random >> 4) % SPACE, length = (random >> 12) % 40;
        const uint32_t most = length < SPACE - ask ? length : SPACE - ask;
        uint32_t known = 0;
        for (uint32_t j = 0; j < most; j++)
            known += seen[ask + j];
        CHECK(gv_agi_memory_read(&m, 0xfff0000 + ask, most, got) == known);
        CHECK(!memcmp(got, wanted + ask, most));
        CHECK(gv_agi_memory_has(&m, 0xfff0000 + ask, most) == (known == most));
    }
    CHECK(m.pieces <= SPACE);
    CHECK(!gv_agi_memory_has(&m, 0xffeffff, 1));
    CHECK(!gv_agi_memory_has(&m, UINT64_MAX - 3, 4));
    uint64_t length = 0;
    CHECK(gv_agi_memory_observe(&m, UINT64_MAX - 8, (const uint8_t *)"text\0...", 8));
    CHECK(gv_agi_memory_text(&m, UINT64_MAX - 8, 100, &length) && length == 5);
    CHECK(gv_agi_memory_text(&m, UINT64_MAX - 3, 2, &length) && length == 2);
    CHECK(!gv_agi_memory_text(&m, UINT64_MAX - 3, 100, &length));
    gv_agi_memory_finish(&m);
    CHECK(!m.pieces);
}

int main(void)
{
    test_headers();
    test_narrow();
    test_memory();
    return TEST_RESULT();
}
