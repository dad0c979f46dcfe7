// Memory of a Vulkan program: what of its writes comes to which resource, and when.
#include "compiler/vulkan/track/cap_memory.h"
#include "tests/test.h"

#include <stdlib.h>

#define MEMORY 10
#define BYTES 16384u // of the memory

struct heard {
    uint32_t count;
    uint64_t resource, at, size, bytes; // the last one; bytes of all
    uint8_t first;
};

static bool hear(void *context, const struct gv_cap_write *w, struct gv_error *err)
{
    struct heard *h = context;
    (void)err;
    h->count++;
    h->resource = w->resource->id;
    h->at = w->at;
    h->size = w->size;
    h->bytes += w->size;
    h->first = w->bytes[0];
    return true;
}

struct scene {
    struct gv_arena arena;
    struct gv_cap cap;
    struct heard heard;
    struct gv_error err;
};

static void start(struct scene *s)
{
    *s = (struct scene){ 0 };
    gv_cap_init(&s->cap, &s->arena);
    s->cap.name = "test";
    VkDeviceMemory memory = (VkDeviceMemory)(uintptr_t)MEMORY;
    const VkMemoryAllocateInfo info = { .allocationSize = BYTES };
    CHECK(gv_cap_memory_allocate(&s->cap,
                                 &(struct gv_vk_args_vkAllocateMemory){
                                     .pAllocateInfo = &info, .pMemory = &memory },
                                 &s->err));
}

static void stop(struct scene *s)
{
    gv_cap_finish(&s->cap);
    gv_arena_finish(&s->arena);
}

static bool map(struct scene *s, uint64_t offset)
{
    return gv_cap_memory_map(
        &s->cap,
        &(struct gv_vk_args_vkMapMemory){ .memory = (VkDeviceMemory)(uintptr_t)MEMORY,
                                          .offset = offset,
                                          .size = VK_WHOLE_SIZE },
        &s->err);
}

static struct gv_cap_buffer *add(struct scene *s, uint64_t id, uint64_t size)
{
    struct gv_cap_buffer *b = calloc(1, sizeof *b);
    if (b) {
        b->base.id = id;
        b->size = size;
    }
    const struct gv_cap_new n = {
        .id = id, .kind = GV_CAP_BUFFER, .content = b, .finish = gv_cap_resource_free
    };
    CHECK(gv_cap_add(&s->cap, &n, &s->err));
    return b;
}

static bool bind(struct scene *s, struct gv_cap_buffer *b, uint64_t offset)
{
    const struct gv_cap_place place = { MEMORY, offset, b->size };
    return gv_cap_bind(&s->cap, &b->base, &place, hear, &s->heard, &s->err);
}

static bool fill(struct scene *s, uint64_t offset, const void *bytes, uint64_t size)
{
    const struct gv_cap_fill f = { MEMORY, offset, size, bytes };
    s->heard = (struct heard){ 0 };
    return gv_cap_memory_fill(&s->cap, &f, hear, &s->heard, &s->err);
}

// Only what changed goes on, to the resource that lies there, from its own beginning.
static void test_changes(void)
{
    struct scene s;
    uint8_t page[4096] = { 0 };
    start(&s);
    CHECK(map(&s, 0));
    CHECK(bind(&s, add(&s, 1, 100), 0) && bind(&s, add(&s, 2, 1000), 256));
    page[300] = 5;
    CHECK(fill(&s, 0, page, sizeof page));
    CHECK(s.heard.count == 1 && s.heard.resource == 2 && s.heard.at == 44);
    CHECK(s.heard.size == 1 && s.heard.first == 5);
    CHECK(fill(&s, 0, page, sizeof page) && s.heard.count == 0);
    page[10] = 1, page[20] = 2; // near each other: one write
    page[99] = 3;               // far: another
    CHECK(fill(&s, 0, page, sizeof page));
    CHECK(s.heard.count == 2 && s.heard.bytes == 11 + 1 && s.heard.resource == 1);
    stop(&s);
}

// A write over pages is one.
static void test_long(void)
{
    struct scene s;
    uint8_t bytes[BYTES];
    memset(bytes, 9, sizeof bytes);
    start(&s);
    CHECK(map(&s, 0));
    CHECK(bind(&s, add(&s, 1, BYTES), 0));
    CHECK(fill(&s, 0, bytes, BYTES));
    CHECK(s.heard.count == 1 && s.heard.size == BYTES);
    stop(&s);
}

// Of each resource it is one, although several lie there, and although the bytes around
// a page's end are what they were. Where the device wrote these are new too.
static void test_long_shared(void)
{
    struct scene s;
    uint8_t bytes[BYTES];
    memset(bytes, 9, sizeof bytes);
    bytes[4095] = bytes[4096] = 0;
    start(&s);
    CHECK(map(&s, 0));
    struct gv_cap_buffer *b = add(&s, 1, BYTES);
    CHECK(bind(&s, b, 0) && bind(&s, add(&s, 2, 8192), 100));
    CHECK(fill(&s, 0, bytes, BYTES));
    CHECK(s.heard.count == 2 && s.heard.bytes == BYTES + 8192);
    CHECK(s.heard.resource == 2 && s.heard.at == 0);
    gv_cap_remove(&s.cap, 2, GV_CAP_BUFFER);
    gv_cap_device_wrote(&b->base, 4096, 1);
    memset(bytes, 8, sizeof bytes);
    bytes[4095] = bytes[4096] = 0;
    CHECK(fill(&s, 0, bytes, BYTES));
    CHECK(s.heard.count == 1 && s.heard.bytes == BYTES);
    stop(&s);
}

// Fills count from where the memory is mapped, and end where the mapping does.
static void test_mapping(void)
{
    struct scene s;
    const uint8_t byte = 1;
    start(&s);
    CHECK(!fill(&s, 0, &byte, 1));
    s.err = (struct gv_error){ 0 };
    CHECK(map(&s, 4096));
    CHECK(bind(&s, add(&s, 1, 100), 4096 + 50));
    CHECK(fill(&s, 60, &byte, 1));
    CHECK(s.heard.count == 1 && s.heard.at == 10);
    CHECK(!fill(&s, BYTES - 4096, &byte, 1) && s.err.status == GV_ERR_FORMAT);
    s.err = (struct gv_error){ 0 };
    CHECK(!fill(&s, UINT64_MAX, &byte, 2));
    CHECK(!map(&s, BYTES + 1));
    stop(&s);
}

// What was written before a resource is bound comes with the binding.
static void test_bound_later(void)
{
    struct scene s;
    const uint8_t bytes[3] = { 7, 8, 9 };
    start(&s);
    CHECK(map(&s, 0));
    CHECK(fill(&s, 1000, bytes, 3) && s.heard.count == 0);
    struct gv_cap_buffer *b = add(&s, 1, 64);
    CHECK(bind(&s, b, 1000));
    CHECK(s.heard.count == 1 && s.heard.at == 0 && s.heard.first == 7);
    CHECK(!bind(&s, b, 0)); // twice
    stop(&s);
}

// The device wrote there: a page that is written again puts the bytes back, once, with
// other changes or without.
static void test_device(void)
{
    struct scene s;
    uint8_t page[4096] = { 0 };
    start(&s);
    CHECK(map(&s, 0));
    struct gv_cap_buffer *b = add(&s, 1, 4096);
    CHECK(bind(&s, b, 0));
    page[0] = 1;
    CHECK(fill(&s, 0, page, sizeof page) && s.heard.count == 1);
    gv_cap_device_wrote(&b->base, 16, 8);
    CHECK(fill(&s, 0, page, sizeof page));
    CHECK(s.heard.count == 1 && s.heard.at == 16 && s.heard.size == 8);
    CHECK(fill(&s, 0, page, sizeof page) && s.heard.count == 0);
    gv_cap_device_wrote(&b->base, 16, 8);
    page[900] = 1;
    CHECK(fill(&s, 0, page, 20) && s.heard.count == 1 && s.heard.size == 4);
    CHECK(fill(&s, 0, page, sizeof page) && s.heard.count == 2 && s.heard.at == 900);
    stop(&s);
}

// Two resources at one place both get what is written; one that is gone gets nothing.
static void test_shared(void)
{
    struct scene s;
    const uint8_t byte = 1, other = 2;
    start(&s);
    CHECK(map(&s, 0));
    CHECK(bind(&s, add(&s, 1, 100), 0) && bind(&s, add(&s, 2, 100), 50));
    CHECK(fill(&s, 60, &byte, 1) && s.heard.count == 2);
    gv_cap_remove(&s.cap, 2, GV_CAP_BUFFER);
    CHECK(fill(&s, 60, &other, 1) && s.heard.count == 1 && s.heard.resource == 1);
    gv_cap_remove(&s.cap, MEMORY, GV_CAP_MEMORY);
    CHECK(!fill(&s, 60, &byte, 1));
    stop(&s);
}

// Contents set at once are known to later fills.
static void test_set(void)
{
    struct scene s;
    uint8_t page[4096] = { 0 };
    start(&s);
    CHECK(map(&s, 0));
    struct gv_cap_buffer *b = add(&s, 1, 4096);
    CHECK(bind(&s, b, 0));
    page[9] = 4;
    CHECK(gv_cap_set_content(&s.cap, &b->base, page, sizeof page, &s.err));
    CHECK(fill(&s, 0, page, sizeof page) && s.heard.count == 0);
    memset(page, 0, sizeof page);
    CHECK(fill(&s, 0, page, sizeof page) && s.heard.count == 1 && s.heard.at == 9);
    stop(&s);
}

int main(void)
{
    test_changes();
    test_long();
    test_long_shared();
    test_mapping();
    test_bound_later();
    test_device();
    test_shared();
    test_set();
    return TEST_RESULT();
}
