// Blocks: only what changes is written, and what the machine reads in the end is what
// the front-end had, whatever lies between.
#include "compiler/builder/blocks.h"
#include "tests/compiler/builder_probe.h"
#include "tests/compiler/expected_reads.h"
#include "tests/helpers.h"
#include "tests/test.h"

// ---- runs ----

#define WORDS 48

// Letters that differ between the two are runs; a word per letter.
static const struct {
    const char *name, *before, *after, *runs; // "start+length" in words
} cases[] = {
    { "nothing", "aaaa", "aaaa", "" },
    { "first", "aaaa", "baaa", "0+1 " },
    { "last", "aaaa", "aaab", "3+1 " },
    { "all", "aaaa", "bbbb", "0+4 " },
    { "gap_joined", "aaaaaa", "baabaa", "0+4 " },
    { "gap_of_three", "aaaaaa", "baaaba", "0+1 4+1 " },
    { "trailing_gap_left_out", "aaaaaaaa", "aabbaaaa", "2+2 " },
    { "three_runs", "aaaaaaaaaaaaaaaa", "abbaaaaabaaaaaab", "1+2 8+1 15+1 " },
    { "behind_a_stretch", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "aaaaaaaaaaaaaaaaabaaaaaaaaaaaaaaaaaaaaaa", "17+1 " },
    { "at_a_stretch", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "aaaaaaaaaaaaaaaabaaaaaaaaaaaaaaaaaaaaaab", "16+1 39+1 " },
    { "before_a_stretch", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "aaaaaaaaaaaaaaabaaaaaaaaaaaaaaaaaabaaaaa", "15+1 34+1 " },
};

static void test_runs(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t before[4 * WORDS], after[4 * WORDS];
        char runs[128] = "";
        size_t words = strlen(cases[i].before), cursor = 0, start = 0, length = 0;
        for (size_t k = 0; k < 4 * words; k++) {
            before[k] = (uint8_t)cases[i].before[k / 4];
            after[k] = (uint8_t)cases[i].after[k / 4];
        }
        while (gv_block_change(before, after, 4 * words, &cursor, &start, &length)) {
            size_t at = strlen(runs);
            CHECK_ROW(cases[i].name, start % 4 == 0 && length % 4 == 0);
            snprintf(runs + at, sizeof runs - at, "%zu+%zu ", start / 4, length / 4);
        }
        CHECK_ROW(cases[i].name, strcmp(runs, cases[i].runs) == 0);
    }
    size_t cursor = 0, start = 0, length = 0; // bytes at the end that make no word
    CHECK(gv_block_change((const uint8_t *)"aaaaaa", (const uint8_t *)"aaaaab", 6,
                          &cursor, &start, &length));
    CHECK(start == 4 && length == 2);
    CHECK(!gv_block_change((const uint8_t *)"aaaaaa", (const uint8_t *)"aaaaab", 6,
                           &cursor, &start, &length));
}

// Every id its block, through growth of the table, up to the limit.
static void test_table(void)
{
    struct gv_blocks blocks = { 0 };
    for (uint64_t i = 0; i < GV_BLOCKS_MAX; i++) {
        struct gv_held_block *block = gv_blocks_find(&blocks, i << 32 | 7);
        CHECK(block && block->version == 0);
        if (!block)
            return;
        block->version = i + 1;
        blocks.count++;
    }
    for (uint64_t i = 0; i < GV_BLOCKS_MAX; i++)
        CHECK(gv_blocks_find(&blocks, i << 32 | 7)->version == i + 1);
    CHECK(gv_blocks_find(&blocks, 8) == NULL);
    gv_blocks_finish(&blocks);
}

// ---- code ----

static void bind(struct gv_builder *b, uint32_t id, const uint8_t *data, uint64_t size)
{
    gv_emit(b, bind_uniform_bytes, .set = 0, .binding = id,
            .data = gv_builder_block(b, id, data, size), .size = size);
}

static void test_code(void)
{
    static uint8_t bytes[4096], small[64];
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + 1);
    for (uint32_t i = 0; i < 9; i++) { // the last one changes nothing
        gv_builder_command(b, i, i, "bind");
        if (i == 1) // a word
            bytes[100] ^= 0xff;
        if (i == 2) // a run
            memset(bytes + 200, 9, 20);
        if (i == 3) // a run that is a resource
            memset(bytes + 1000, 8, 200);
        if (i == 5) // nearly everything: whole ...
            memset(bytes, 6, sizeof bytes);
        if (i == 6) // ... but rather not a second time in a row
            memset(bytes, 5, sizeof bytes);
        bind(b, 1, bytes, i == 4 ? 2048 : sizeof bytes); // a part of it: nothing new
        bind(b, 2, small, sizeof small);                 // a constant as ever, once
        gv_builder_frame_end(b, 0, 0);
    }
    bool good = probe_end(&probe);
    CHECK(good);
    const char *want =
        "@0 r0: v0 fetch+ 0 1 v0 4096 bind_uniform_bytes 0 2 c0 64 "
        "bind_uniform_bytes frame_end end\n"
        "@1 r0: fd2cbc442 v100 store32 0 1 v0 4096 bind_uniform_bytes frame_end end\n"
        "@2 r0: v200 c64 copy20 0 1 v0 4096 bind_uniform_bytes frame_end end\n"
        "@3 r1: v1000 fetch+ 0 1 v0 4096 bind_uniform_bytes frame_end end\n"
        "@4 r0: 0 1 v0 2048 bind_uniform_bytes frame_end end\n"
        "@5 r2: v0 fetch+ 0 1 v0 4096 bind_uniform_bytes frame_end end\n"
        "@6 r3: 0 1 r+ 4096 bind_uniform_bytes frame_end end\n"
        "@7 r3: v0 fetch+ 0 1 v0 4096 bind_uniform_bytes frame_end end\n"
        "@8 r0: frame_end end\n";
    CHECK(good && probe_code_is(&probe, "blocks", want));
    CHECK(probe.payload.limits.volatile_bytes == 4096);
    probe_finish(&probe);
}

// ---- through the machine ----

#define IDS 40
#define SIDE 20000 // bytes, most of a block
#define SPACE_BYTES 300000

// A front-end with blocks of many sizes, some growing, some written over and over, and
// an application's memory observed beside them, so that places must not meet.
static void build_frontend(struct gv_builder *b, struct expected_reads *e)
{
    static uint8_t contents[IDS][SIDE], space[SPACE_BYTES];
    uint32_t seed = 5;
    memset(contents, 0, sizeof contents);
    memset(space, 0, sizeof space);
    struct gv_buffer buffer =
        gv_emit(b, buffer_create, .size = SPACE_BYTES, .usage = 0);
    for (uint32_t i = 0; i < 3000; i++) {
        gv_builder_command(b, i, i, "draw");
        uint32_t id = gv_test_random(&seed) % (1 + i * IDS / 3000);
        size_t size = 1 + gv_test_random(&seed) % (id % 4 ? 4096 : SIDE);
        for (uint32_t k = gv_test_random(&seed) % 6; k > 0; k--) {
            size_t at = gv_test_random(&seed) % size,
                   most = gv_test_random(&seed) % 300;
            for (size_t n = 0; n < most && at + n < size; n++)
                contents[id][at + n] = (uint8_t)gv_test_random(&seed);
        }
        if (gv_test_random(&seed) % 20 == 0)
            memset(contents[id], (int)(i & 255), SIDE);
        gv_emit(b, bind_uniform_bytes, .set = 0, .binding = i,
                .data = gv_builder_block(b, id, contents[id], size), .size = size);
        expected_reads_add(e, contents[id], size);
        if (gv_test_random(&seed) % 4 == 0) {
            size_t at = gv_test_random(&seed) % (SPACE_BYTES / 2);
            size_t bytes = 1 + gv_test_random(&seed) % (SPACE_BYTES / 2);
            memset(space + at, (int)(i & 255), bytes / 7);
            gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
                    .data = gv_builder_observe(b, 0, 0x1234 + at, space + at, bytes),
                    .size = bytes);
            expected_reads_add(e, space + at, bytes);
        }
        if (gv_test_random(&seed) % 15 == 0)
            gv_builder_frame_end(b, 0, 0);
    }
}

static void test_machine(void)
{
    static struct expected_reads e;
    struct probe probes[2];
    for (int i = 0; i < 2; i++) { // the same payload, whatever the threads
        e.count = e.bytes.size = 0;
        probe_begin(&probes[i], false, i ? 2 : 1);
        build_frontend(probes[i].builder, &e);
        bool good = probe_end(&probes[i]);
        if (!good)
            fprintf(stderr, "%s\n", probes[i].err.message);
        CHECK(good);
    }
    CHECK(expected_reads_run(&e, &probes[0]));
    CHECK(probes[0].bytes.size == probes[1].bytes.size &&
          memcmp(probes[0].bytes.data, probes[1].bytes.data, probes[0].bytes.size) ==
              0);
    // Doubling rooms, and the islands.
    CHECK(probes[0].payload.limits.volatile_bytes < 2 * IDS * SIDE + 2 * SPACE_BYTES);
    expected_reads_finish(&e);
    probe_finish(&probes[0]);
    probe_finish(&probes[1]);
}

// More than blocks may take: the rest goes as bytes, and all is right.
static void test_limits(void)
{
    static uint8_t bytes[1 << 20];
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    CHECK(gv_builder_block(b, 0, bytes, sizeof bytes).type == GV_CONTENTS_BLOCK);
    CHECK(gv_builder_block(b, 1, bytes, sizeof bytes + 1).type == GV_CONTENTS_DATA);
    CHECK(gv_builder_block(b, 1, bytes, 64).type == GV_CONTENTS_DATA);
    CHECK(gv_builder_block(b, 1, bytes, 65).type == GV_CONTENTS_BLOCK);
    for (uint64_t i = 2; i < 40; i++)
        gv_builder_block(b, i, bytes, sizeof bytes);
    CHECK(gv_builder_block(b, 40, bytes, sizeof bytes).type == GV_CONTENTS_DATA);
    gv_builder_frame_end(b, 0, 0);
    CHECK(probe_end(&probe));
    CHECK(probe.payload.limits.volatile_bytes <= GV_BLOCKS_BYTES);
    probe_finish(&probe);
}

// A branch may be skipped: what it binds must not be what a block holds behind it.
static void test_branches(void)
{
    static const struct gv_requirement wide = { .kind = GV_REQUIRE_FEATURE,
                                                .name = "wideLines" };
    uint8_t data[256] = { 1 };
    struct probe p;
    probe_begin(&p, false, 1);
    struct gv_builder *b = p.builder;
    CHECK(gv_builder_block(b, 1, data, sizeof data).type == GV_CONTENTS_BLOCK);
    gv_builder_either_begin(b, &wide, 1);
    data[0] = 2;
    CHECK(gv_builder_block(b, 1, data, sizeof data).type == GV_CONTENTS_DATA);
    gv_builder_either_else(b);
    CHECK(gv_builder_block(b, 1, data, sizeof data).type == GV_CONTENTS_DATA);
    gv_builder_either_end(b);
    CHECK(gv_builder_block(b, 1, data, sizeof data).type == GV_CONTENTS_BLOCK);
    CHECK(probe_end(&p));
    probe_finish(&p);
}

int main(void)
{
    test_branches();
    test_runs();
    test_table();
    test_code();
    test_machine();
    test_limits();
    return TEST_RESULT();
}
