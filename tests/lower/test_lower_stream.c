// Streams: few uploads, ahead of the pass; what comes again stays.
#include "compiler/lower/lower_stream.h"
#include "tests/compiler/builder_probe.h"
#include "tests/test.h"
#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

struct scene {
    struct probe probe;
    struct gv_lower_pass pass;
    struct gv_lower_stream stream;
    struct gv_lower_targets targets;
    uint64_t command;
    struct gv_error err;
};

static void begin(struct scene *x)
{
    memset(x, 0, sizeof *x);
    probe_begin(&x->probe, false, 1);
    struct gv_builder *b = x->probe.builder;
    x->pass = (struct gv_lower_pass){ .b = b, .streams = true };
    x->stream.pass = &x->pass;
    x->targets.colors[0] = (struct gv_lower_attachment){
        .image = gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                         .format = GV_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8,
                         .depth = 1, .mips = 1, .layers = 1, .samples = 1,
                         .usage = GV_IMAGE_USAGE_COLOR_ATTACHMENT, .flags = 0),
        .format = GV_FORMAT_R8G8B8A8_UNORM,
        .width = 8,
        .height = 8,
    };
    gv_lower_targets_fit(&x->targets);
}

static struct gv_lower_streamed draw(struct scene *x, const void *data, uint64_t size,
                                     uint32_t align)
{
    struct gv_builder *b = x->probe.builder;
    struct gv_lower_streamed at = { 0 };
    gv_builder_command(b, x->command, x->command, "draw");
    x->command++;
    struct gv_hash hash;
    CHECK(gv_lower_stream_write(&x->stream, data, size, align, &hash, &at, &x->err));
    gv_lower_pass_begin(&x->pass, &x->targets);
    gv_emit(b, bind_vertex_buffer, .slot = 0, .buffer = at.buffer, .offset = at.offset,
            .size = 0, .stride = 4);
    gv_emit(b, draw, .vertex_count = 3, .instance_count = 1, .first_vertex = 0,
            .first_instance = 0);
    return at;
}

static void end_frame(struct scene *x)
{
    gv_lower_transfer(&x->pass);
    gv_lower_stream_flush(&x->stream);
    gv_builder_frame_end(x->probe.builder, 0, 0);
}

static uint32_t occurrences(const char *text, const char *word)
{
    uint32_t n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

// The code of all chunks; freed by the caller.
static struct gv_bytes finish(struct scene *x)
{
    struct gv_bytes code = { 0 };
    gv_lower_stream_finish(&x->stream);
    CHECK(probe_end(&x->probe));
    probe_code(&x->probe, &code);
    return code;
}

static void test_one_pass(void)
{
    struct scene x;
    begin(&x);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t data[30] = { i };
        struct gv_lower_streamed at = draw(&x, data, sizeof data, 24);
        CHECK(at.offset % 24 == 0);
        CHECK(at.offset == 120 * (uint64_t)i);
    }
    end_frame(&x);
    struct gv_bytes code = finish(&x);
    const char *text = (const char *)code.data;
    CHECK(occurrences(text, "pass_begin") == 1);
    CHECK(occurrences(text, "buffer_upload") == 1);
    CHECK(occurrences(text, " draw") == 100);
    const char *upload = strstr(text, "buffer_upload"), *pass = strstr(text, "pass_b");
    CHECK(upload && pass && upload < pass);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

// What comes in every frame is uploaded twice, then it is there; what is new each time
// goes where the last frame's was.
static void test_again(void)
{
    struct scene x;
    begin(&x);
    uint32_t same[100] = { 1 }, news[100] = { 0 };
    struct gv_lower_streamed first[5], second[5];
    for (uint32_t frame = 0; frame < 5; frame++) {
        news[0] = frame + 2;
        first[frame] = draw(&x, same, sizeof same, 4);
        CHECK(draw(&x, same, sizeof same, 4).offset == first[frame].offset);
        second[frame] = draw(&x, news, sizeof news, 4);
        end_frame(&x);
    }
    CHECK(first[0].buffer.id == second[0].buffer.id && second[0].offset == 400);
    CHECK(first[1].buffer.id != second[1].buffer.id && second[1].offset == 0);
    for (uint32_t frame = 2; frame < 5; frame++) {
        CHECK(first[frame].buffer.id == first[1].buffer.id);
        CHECK(first[frame].offset == first[1].offset);
        CHECK(second[frame].buffer.id == second[0].buffer.id);
    }
    CHECK(x.stream.uploads == 1 + 2 + 3);
    struct gv_bytes code = finish(&x);
    CHECK(occurrences((const char *)code.data, "buffer_create") == 2);
    CHECK(occurrences((const char *)code.data, "buffer_upload") == 6);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

// Pieces larger than a buffer have their own; a long stretch ends by itself.
static void test_large(void)
{
    struct scene x;
    begin(&x);
    size_t size = 5u << 20;
    uint8_t *data = calloc(1, size);
    CHECK(data != NULL);
    for (uint32_t i = 0; data && i < 20; i++) {
        data[0] = (uint8_t)(i + 1);
        draw(&x, data, size, 4);
    }
    end_frame(&x);
    free(data);
    CHECK(x.stream.stretch == 2);
    struct gv_bytes code = finish(&x);
    CHECK(occurrences((const char *)code.data, "pass_begin") == 2);
    CHECK(occurrences((const char *)code.data, "buffer_create") == 13);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
    struct gv_lower_streamed at;
    struct gv_hash hash;
    begin(&x);
    CHECK(!gv_lower_stream_write(&x.stream, "", (uint64_t)1 << 30, 4, &hash, &at,
                                 &x.err));
    CHECK(x.err.status == GV_ERR_LIMIT);
    probe_finish(&x.probe);
}

// A piece that is there is used where its offset suits the draw; between pieces there
// are zeroes, whatever stood there in the frame before.
static void test_alignment(void)
{
    struct scene x;
    begin(&x);
    uint8_t before[64], piece[8] = { 1 };
    memset(before, 0xff, sizeof before);
    draw(&x, before, sizeof before, 4);
    end_frame(&x);
    CHECK(draw(&x, "abc", 4, 4).offset == 0);
    CHECK(draw(&x, piece, sizeof piece, 4).offset == 4);
    CHECK(draw(&x, piece, sizeof piece, 4).offset == 4);
    CHECK(draw(&x, piece, sizeof piece, 24).offset == 24);
    for (uint32_t i = 12; i < 24; i++)
        CHECK(x.stream.passing.list[0].bytes[i] == 0);
    end_frame(&x);
    struct gv_bytes code = finish(&x);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

// More pieces of a stretch than the table of them begins with: all are found again.
static void test_many(void)
{
    struct scene x;
    begin(&x);
    uint64_t pending = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < 1000; i++)
            CHECK(draw(&x, &i, sizeof i, 4).offset == 4 * (uint64_t)i);
        CHECK(!pass || x.stream.pending == pending);
        pending = x.stream.pending;
    }
    end_frame(&x);
    struct gv_bytes code = finish(&x);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

// A stretch ends where the code that waits for it is long, though it uploads little.
static void test_far(void)
{
    struct scene x;
    begin(&x);
    for (uint32_t i = 0; i < 3000000 && x.stream.stretch == 0; i++) {
        const uint32_t piece = i % 2;
        draw(&x, &piece, sizeof piece, 4);
    }
    CHECK(x.stream.stretch == 1 && x.command > 50000);
    end_frame(&x);
    struct gv_bytes code = finish(&x);
    CHECK(occurrences((const char *)code.data, "pass_begin") == 2);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

// What is kept on the device has a bound; beyond it a piece comes anew.
static void test_kept(void)
{
    struct scene x;
    begin(&x);
    const size_t size = 8u << 20;
    uint8_t *data = calloc(1, size);
    CHECK(data != NULL);
    for (uint32_t frame = 0; data && frame < 2; frame++) {
        for (uint32_t i = 0; i < 18; i++) {
            data[0] = (uint8_t)(i + 1);
            draw(&x, data, size, 4);
        }
        end_frame(&x);
    }
    free(data);
    CHECK(x.stream.kept_bytes == GV_STREAM_KEPT);
    gv_lower_stream_finish(&x.stream);
    probe_finish(&x.probe);
}

// Ranges of one array that overlap: what they have in common is stored once.
static void test_overlapping(void)
{
    enum { WORDS = 50000, DRAWS = 20, STEP = 3 };
    static uint32_t words[WORDS + DRAWS * STEP];
    struct scene x;
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = random = random * 1664525u + 1013904223u;
    begin(&x);
    for (size_t i = 0; i < DRAWS; i++)
        draw(&x, words + i * STEP, WORDS * sizeof *words, 12);
    end_frame(&x);
    struct gv_bytes code = finish(&x);
    CHECK(x.probe.totals.resource_bytes < 5 * sizeof words);
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

// A large array of which each frame changes a word: the changed part is uploaded and
// stored, however the array is placed; what stands in front of it is written anew.
static void test_changing(void)
{
    enum { WORDS = (1 << 18) - 1024, FRAMES = 10 };
    static uint32_t words[WORDS];
    struct scene x;
    uint32_t random = 1;
    for (size_t i = 0; i < WORDS; i++)
        words[i] = random = random * 1664525u + 1013904223u;
    begin(&x);
    uint64_t first = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const uint32_t small[3] = { frame, 1, 2 };
        words[frame * 20000 + 3] ^= 1;
        draw(&x, small, sizeof small, 4);
        CHECK(draw(&x, words, sizeof words - sizeof small, 4).offset == sizeof small);
        end_frame(&x);
        CHECK(x.stream.passing.list[0].there == sizeof words);
        CHECK(!memcmp(x.stream.passing.list[0].bytes, small, sizeof small));
        CHECK(!memcmp(x.stream.passing.list[0].bytes + sizeof small, words,
                      sizeof words - sizeof small));
        first = frame ? first : x.stream.uploads;
    }
    // The word that changes may begin or end a part, which makes it two.
    CHECK(first > 20 && x.stream.uploads <= first + (FRAMES - 1) * (1 + 4));
    struct gv_bytes code = finish(&x);
    CHECK(x.probe.totals.resource_bytes < sizeof words + FRAMES * (64 << 10));
    gv_bytes_finish(&code);
    probe_finish(&x.probe);
}

int main(void)
{
    test_changing();
    test_overlapping();
    test_one_pass();
    test_again();
    test_large();
    test_alignment();
    test_many();
    test_far();
    test_kept();
    return TEST_RESULT();
}
