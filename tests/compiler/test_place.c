// Places of the builder: what is emitted late and stands further ahead.
#include "compiler/builder/builder.h"
#include "tests/compiler/builder_probe.h"
#include "tests/test.h"

#include <string.h>

static const uint8_t large[GV_INLINE_BYTES + 1];

static struct gv_buffer make_buffer(struct gv_builder *b, uint64_t size)
{
    return gv_emit(b, buffer_create, .size = size, .usage = GV_BUFFER_USAGE_VERTEX);
}

static void draw(struct gv_builder *b)
{
    gv_emit(b, draw, .vertex_count = 3, .instance_count = 1, .first_vertex = 0,
            .first_instance = 0);
}

static void upload(struct gv_builder *b, struct gv_buffer buffer, uint64_t size)
{
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = gv_data(large),
            .size = size);
}

// A buffer made and filled ahead of draws that come from later commands.
static void ahead(struct gv_builder *b)
{
    gv_builder_command(b, 3, 30, "first");
    gv_builder_place_open(b);
    draw(b);
    gv_builder_command(b, 4, 40, "second");
    gv_builder_place_begin(b);
    struct gv_buffer stream = make_buffer(b, 256);
    gv_builder_place_end(b);
    gv_emit(b, bind_vertex_buffer, .slot = 0, .buffer = stream, .offset = 0, .size = 0,
            .stride = 4);
    draw(b);
    gv_builder_command(b, 5, 50, "third");
    upload(b, stream, sizeof large);
    gv_builder_place_begin(b);
    upload(b, stream, sizeof large);
    upload(b, stream, 8);
    gv_builder_place_close(b);
    gv_builder_frame_end(b, 0, 0);
}

// What is made there has a slot that nothing had before: the one that is free now was
// taken then.
static void slots(struct gv_builder *b)
{
    struct gv_buffer old = make_buffer(b, 16);
    gv_builder_place_open(b);
    gv_emit(b, buffer_destroy, .buffer = old);
    gv_builder_place_begin(b);
    struct gv_buffer made = make_buffer(b, 32);
    gv_builder_place_close(b);
    upload(b, made, 4);
    make_buffer(b, 64);
    gv_builder_frame_end(b, 0, 0);
}

// Two places of a frame, the second with nothing in it.
static void two(struct gv_builder *b)
{
    struct gv_buffer buffer = make_buffer(b, 256);
    for (int i = 0; i < 2; i++) {
        gv_builder_place_open(b);
        draw(b);
        gv_builder_place_begin(b);
        upload(b, buffer, i ? 0 : 4);
        gv_builder_place_close(b);
    }
    gv_builder_place_open(b);
    draw(b);
    gv_builder_place_close(b);
    gv_builder_frame_end(b, 0, 0);
}

// An empty place, then one for what was made since.
static void empty_first(struct gv_builder *b)
{
    gv_builder_place_open(b);
    gv_builder_place_close(b);
    struct gv_buffer buffer = make_buffer(b, 256);
    gv_builder_place_open(b);
    draw(b);
    gv_builder_place_begin(b);
    upload(b, buffer, 4);
    gv_builder_place_close(b);
    gv_builder_frame_end(b, 0, 0);
}

static const struct probe_program programs[] = {
    { "empty_first", empty_first,
      "@0 r0: 256 128 buffer_create =s0 end\n"
      "@0 r0: s0 0 c0 4 buffer_upload 3 1 0 0 draw frame_end end\n" },
    { "ahead", ahead,
      "@3 r0: 256 128 buffer_create =s0 s0 0 r+ 65 buffer_upload "
      "s0 0 c0 8 buffer_upload 3 1 0 0 draw cmd+1 0 s0 0 0 4 bind_vertex_buffer "
      "3 1 0 0 draw cmd+1 s0 0 r0 65 buffer_upload frame_end end\n" },
    { "slots", slots,
      "@0 r0: 16 128 buffer_create =s0 32 128 buffer_create =s1 s0 buffer_destroy "
      "s1 0 c0 4 buffer_upload 64 128 buffer_create =s0 frame_end end\n" },
    { "two", two,
      "@0 r0: 256 128 buffer_create =s0 s0 0 c0 4 buffer_upload 3 1 0 0 draw end\n"
      "@0 r0: s0 0 c0 0 buffer_upload 3 1 0 0 draw end\n"
      "@0 r0: 3 1 0 0 draw frame_end end\n" },
};

static void test_code(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        CHECK_ROW(programs[i].name, probe_writes(&programs[i]));
}

// The most objects at once, with those made at a place counted from there on.
static void test_limits(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    slots(probe.builder);
    CHECK(probe_end(&probe));
    CHECK(probe.payload.limits.objects == 2);
    CHECK(probe.payload.limits.object_bytes == 96);
    probe_finish(&probe);
}

// Code far behind a place is cut into chunks, and the place tells when it is too far.
static void test_long(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    struct gv_buffer buffer = make_buffer(b, 256);
    uint32_t i = 0;
    gv_builder_place_open(b);
    for (; !gv_builder_place_is_far(b) && i < 3000000; i++) {
        gv_builder_command(b, i, i, "draw");
        gv_emit(b, draw, .vertex_count = 3 + i, .instance_count = 1, .first_vertex = 0,
                .first_instance = i);
    }
    CHECK(i > 100000 && i < 3000000);
    gv_builder_place_begin(b);
    upload(b, buffer, 4);
    gv_builder_place_close(b);
    gv_builder_frame_end(b, 0, 0);
    CHECK(probe_end(&probe));
    CHECK(probe.payload.chunk_count > 10);
    struct gv_bytes code = { 0 };
    probe_code(&probe, &code);
    static const char head[] = "@0 r0: 256 128 buffer_create =s0 s0 0 c0 4 "
                               "buffer_upload 3 1 0 0 draw cmd+1 4 1 0 1 draw";
    CHECK(!strncmp((const char *)code.data, head, sizeof head - 1));
    gv_bytes_finish(&code);
    probe_finish(&probe);
}

static void end_frame(struct gv_builder *b)
{
    gv_builder_place_open(b);
    gv_builder_frame_end(b, 0, 0);
}

static void open_twice(struct gv_builder *b)
{
    gv_builder_place_open(b);
    gv_builder_place_open(b);
}

static void nowhere(struct gv_builder *b)
{
    gv_builder_place_begin(b);
}

static void in_branch(struct gv_builder *b)
{
    const struct gv_requirement row = { .kind = GV_REQUIRE_FEATURE,
                                        .name = "wideLines" };
    gv_builder_either_begin(b, &row, 1);
    gv_builder_place_open(b);
}

static const struct probe_failure failures[] = {
    { "end_frame", end_frame, GV_ERR_USAGE, "a frame ends while a place is open" },
    { "open_twice", open_twice, GV_ERR_USAGE, "a place opens while a place is open" },
    { "nowhere", nowhere, GV_ERR_USAGE, "nothing can be put at a place here" },
    { "in_branch", in_branch, GV_ERR_USAGE, "a place opens inside a branch" },
};

static void test_failures(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        CHECK_ROW(failures[i].name, probe_fails(&failures[i], draw));
}

int main(void)
{
    test_code();
    test_limits();
    test_long();
    test_failures();
    return TEST_RESULT();
}
