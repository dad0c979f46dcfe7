// Passes and dispatches against transfers: results, barriers, and what validation says.
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#include "tests/shaders/add_words.spv.h"
#include "tests/shaders/first_texel.spv.h"

#define RGBA GV_FORMAT_R8G8B8A8_UNORM
#define TARGET GV_IMAGE_USAGE_COLOR_ATTACHMENT
#define SAMPLED GV_IMAGE_USAGE_SAMPLED

static uint64_t count_barriers(void)
{
    struct gv_runtime_stats stats;
    gv_runtime_get_stats(fixture, &stats);
    return stats.barriers;
}

// ---- passes ----

static void begin_pass(uint64_t image, uint32_t mip, uint32_t layer, uint32_t load,
                       float red, uint32_t size)
{
    DO(pass_color, num(0), num(image), num(0), num(mip), num(layer), num(1), num(load),
       num(GV_STORE_OP_STORE), bits(red), bits(0), bits(0), bits(1));
    DO(pass_begin, num(size), num(size), num(1));
}

static void end_pass(void)
{
    DO(pass_end, num(0));
}

static void check_red(uint64_t image, uint32_t mip, uint32_t layer, int red)
{
    uint8_t rgba[4];
    read_picture(image, mip, layer, 1, 1, 0, rgba);
    CHECK(rgba[0] == red);
}

static void pass_clears(void)
{
    uint64_t image = make_image(RGBA, 4, 4, TARGET | SAMPLED);
    begin_pass(image, 0, 0, GV_LOAD_OP_CLEAR, 1, 4);
    end_pass();
    check_red(image, 0, 0, 255);
    begin_pass(image, 0, 0, GV_LOAD_OP_LOAD, 0, 4);
    end_pass();
    check_red(image, 0, 0, 255);
    DO(image_destroy, num(image));
}

// A target without any other use has its attachment layout for rest.
static void attachment_only(void)
{
    uint64_t image = make_image(RGBA, 4, 4, TARGET);
    for (int i = 0; i < 3; i++) {
        begin_pass(image, 0, 0, i ? GV_LOAD_OP_LOAD : GV_LOAD_OP_CLEAR, 1, 4);
        DO(clear_color, num(0), num(0), num(0), num(1), num(1), num(0), num(1),
           bits((float)i / 255), bits(0), bits(0), bits(1));
        end_pass();
    }
    check_red(image, 0, 0, 2);
    DO(image_destroy, num(image));
}

// Passes to some mips and layers, uploads and clears to others, all in one image.
static void mixed_subresources(void)
{
    uint64_t image;
    const uint8_t texel[4] = { 7, 0, 0, 0 };
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(4), num(4), num(1),
         num(3), num(2), num(1), num(TARGET | SAMPLED), num(0));
    begin_pass(image, 1, 1, GV_LOAD_OP_CLEAR, 1, 2);
    end_pass();
    DO(image_upload, num(image), num(1), num(2), num(1), num(1), num(0), num(0), num(0),
       num(1), num(1), num(1), num(0), num(0), bytes(texel), num(4));
    begin_pass(image, 0, 0, GV_LOAD_OP_CLEAR, 1, 4);
    end_pass();
    DO(image_clear_color, num(image), num(1), num(2), num(0), num(1), bits(3.0f / 255),
       bits(0), bits(0), bits(0));
    DO(image_copy, num(image), num(1), num(2), num(0), num(0), num(0), num(0),
       num(image), num(1), num(1), num(1), num(0), num(0), num(0), num(1), num(1),
       num(1), num(1));
    check_red(image, 0, 0, 255);
    check_red(image, 1, 0, 3);
    check_red(image, 2, 0, 255);
    check_red(image, 0, 1, 0);
    check_red(image, 1, 1, 255);
    check_red(image, 2, 1, 7);
    DO(image_destroy, num(image));
}

static void target_pictures(void)
{
    struct gv_picture picture;
    uint64_t image = make_image(RGBA, 4, 4, TARGET | SAMPLED);
    begin_pass(image, 0, 0, GV_LOAD_OP_CLEAR, 1, 4);
    CHECK(gv_runtime_target_picture(fixture, &picture, &fixture_error));
    CHECK(picture.width == 4 && picture.rgba && picture.rgba[0] == 255);
    gv_picture_finish(&picture);
    DO(clear_color, num(0), num(0), num(0), num(2), num(1), num(0), num(1),
       bits(9.0f / 255), bits(0), bits(0), bits(1));
    end_pass();
    CHECK(gv_runtime_target_picture(fixture, &picture, &fixture_error));
    CHECK(picture.rgba && picture.rgba[0] == 9 && picture.rgba[8] == 255);
    gv_picture_finish(&picture);
    DO(image_destroy, num(image));
    CHECK(gv_runtime_target_picture(fixture, &picture, &fixture_error));
    CHECK(picture.width == 0);
}

static void multisampled_target_picture(void)
{
    struct gv_picture picture;
    uint64_t image;
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(4), num(4), num(1),
         num(1), num(1), num(4), num(TARGET), num(0));
    begin_pass(image, 0, 0, GV_LOAD_OP_CLEAR, 1, 4);
    CHECK(gv_runtime_target_picture(fixture, &picture, &fixture_error));
    CHECK(picture.width == 4 && picture.rgba && picture.rgba[0] == 255);
    gv_picture_finish(&picture);
    end_pass();
    DO(image_destroy, num(image));
}

static void inside_a_pass(void)
{
    uint64_t image = make_image(RGBA, 4, 4, TARGET), buffer, late;
    MAKE(buffer, buffer_create, num(16), num(GV_BUFFER_USAGE_VERTEX));
    begin_pass(image, 0, 0, GV_LOAD_OP_CLEAR, 1, 4);
    REFUSE("inside a pass", buffer_fill, num(buffer), num(0), num(4), num(0));
    REFUSE("inside a pass", buffer_upload, num(buffer), num(0), bytes("abcd"), num(4));
    REFUSE("inside a pass", image_clear_color, num(image), num(0), num(1), num(0),
           num(1), num(0), num(0), num(0), num(0));
    REFUSE("inside a pass", present, num(image), num(0), num(0), num(0), num(0), num(1),
           num(1), num(0));
    REFUSE("inside a pass", frame_end, num(0));
    REFUSE("attachment", image_destroy, num(image));
    // New objects may be bound at once: they are zeroed around a pass break.
    MAKE(late, buffer_create, num(16), num(GV_BUFFER_USAGE_VERTEX));
    DO(buffer_destroy, num(late));
    CHECK(gv_runtime_finish(fixture, &fixture_error)); // splits the pass
    end_pass();
    check_red(image, 0, 0, 255);
    begin_pass(image, 0, 0, GV_LOAD_OP_CLEAR, 1, 4);
    CHECK(gv_runtime_reset(fixture, &fixture_error)); // in the middle of a pass
    REFUSE("outside a pass", pass_end, num(0));
}

// ---- dispatches ----

#define WORDS 256

static uint64_t words, pipeline, shader;

static void set_up_compute(void)
{
    static struct gv_compute_desc desc;
    struct gv_bytes encoded = { 0 };
    desc.interface.binding_count = 2;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 0, 0, GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 1,
                                  GV_STAGE_COMPUTE };
    desc.interface.bindings[1] =
        (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER, 1,
                                  GV_STAGE_COMPUTE };
    gv_compute_desc_encode(&desc, &encoded);
    MAKE(words, buffer_create, num(WORDS * 4), num(GV_BUFFER_USAGE_STORAGE));
    MAKE(shader, shader_create, bytes(add_words), num(sizeof(add_words)));
    MAKE(pipeline, pipeline_create_compute, bytes(encoded.data), num(encoded.size),
         num(shader));
    DO(bind_pipeline, num(pipeline));
    DO(bind_buffer, num(3), num(0), num(0), num(words), num(0), num(0));
    gv_bytes_finish(&encoded);
}

static void tear_down_compute(void)
{
    DO(buffer_destroy, num(words));
    DO(shader_destroy, num(shader));
    DO(pipeline_destroy, num(pipeline));
}

// words[dst + i] = words[src + i] + add, for 16 words; `ranged`: saying so.
static void add(uint32_t dst, uint32_t src, uint32_t amount, bool ranged)
{
    const uint32_t parameters[4] = { dst, src, amount, 0 };
    const struct gv_dispatch_range ranges[2] = {
        { .set = 3,
          .access = GV_RANGE_WRITE,
          .offset = dst * 4,
          .row_bytes = 64,
          .stride = 64,
          .rows = 1 },
        { .set = 3, .offset = src * 4, .row_bytes = 64, .stride = 64, .rows = 1 },
    };
    struct gv_bytes encoded = { 0 };
    gv_dispatch_ranges_encode(ranges, 2, &encoded);
    DO(bind_uniform_bytes, num(0), num(0), bytes(parameters), num(sizeof(parameters)));
    DO(dispatch, num(1), num(1), num(1), bytes(encoded.data),
       num(ranged ? encoded.size : 0));
    gv_bytes_finish(&encoded);
}

static uint32_t word(uint32_t index)
{
    uint8_t out[4];
    read_buffer(words, index * 4, 4, out);
    return out[0] | (uint32_t)out[1] << 8 | (uint32_t)out[2] << 16 |
           (uint32_t)out[3] << 24;
}

static void ranged_dispatches(void)
{
    static const struct {
        const char *name;
        uint32_t dst, src;
        bool barrier;
    } steps[] = {
        { "first", 0, 64, true }, // of the zero fill
        { "disjoint", 16, 80, false },
        { "both_read", 32, 64, false },
        { "read_after_write", 128, 0, true },
        { "still_disjoint", 144, 160, false },
        { "write_after_read", 160, 200, true },
        { "write_after_write", 160, 208, true },
        { "partial_overlap", 176, 152, true },
    };
    const bool validated = !getenv("GV_TEST_NO_VALIDATION"); // then all of them wait
    set_up_compute();
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        uint64_t before = count_barriers();
        add(steps[i].dst, steps[i].src, (uint32_t)i + 1, true);
        CHECK_ROW(steps[i].name,
                  (count_barriers() != before) == (validated || steps[i].barrier));
    }
    CHECK(word(0) == 1 && word(16) == 2 && word(32) == 3 && word(128) == 5);
    CHECK(word(144) == 5 && word(160) == 7 && word(176) == 8 + 5 && word(191) == 8 + 7);
    tear_down_compute();
}

static void dispatches_and_transfers(void)
{
    const uint32_t ten = 10;
    set_up_compute();
    add(0, 0, 1, false);
    add(0, 0, 2, false);
    DO(buffer_upload, num(words), num(4), bytes(&ten), num(4));
    add(16, 0, 5, true);
    DO(buffer_copy, num(words), num(128), num(words), num(64), num(64));
    DO(buffer_fill, num(words), num(64), num(4), num(77));
    add(48, 32, 1, true);
    add(48, 48, 1, false);
    CHECK(word(0) == 3 && word(1) == 10 && word(17) == 15 && word(16) == 77);
    CHECK(word(32) == 8 && word(33) == 15 && word(48) == 10 && word(49) == 17);
    tear_down_compute();
}

// Copies texel (2, 2) to (0, 0), which dispatches read.
static void copy_texel(uint64_t image)
{
    DO(image_copy, num(image), num(1), num(0), num(0), num(0), num(0), num(0),
       num(image), num(1), num(0), num(0), num(2), num(2), num(0), num(1), num(1),
       num(1), num(1));
}

// A copy within a mip reads and writes it in one layout, which is that of storage
// images at rest: without a change of layout it waits for those who read the mip
// before, and they for it.
static void copies_within(void)
{
    static struct gv_compute_desc desc;
    static const uint8_t red[4] = { 200, 0, 0, 255 };
    struct gv_bytes encoded = { 0 };
    uint64_t image = make_image(RGBA, 4, 4, SAMPLED | GV_IMAGE_USAGE_STORAGE);
    desc.interface.binding_count = 2;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 2, 0, GV_BINDING_SAMPLED_IMAGE, 1, GV_STAGE_COMPUTE };
    desc.interface.bindings[1] =
        (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER, 1,
                                  GV_STAGE_COMPUTE };
    gv_compute_desc_encode(&desc, &encoded);
    MAKE(words, buffer_create, num(WORDS * 4), num(GV_BUFFER_USAGE_STORAGE));
    MAKE(shader, shader_create, bytes(first_texel), num(sizeof(first_texel)));
    MAKE(pipeline, pipeline_create_compute, bytes(encoded.data), num(encoded.size),
         num(shader));
    DO(bind_pipeline, num(pipeline));
    DO(bind_buffer, num(3), num(0), num(0), num(words), num(0), num(0));
    DO(bind_texture, num(2), num(0), num(0), num(image), num(GV_VIEW_TYPE_2D), num(0),
       num(1), num(0), num(0), num(0), num(0), num(0), num(0));
    DO(image_upload, num(image), num(1), num(0), num(0), num(1), num(2), num(2), num(0),
       num(1), num(1), num(1), num(0), num(0), bytes(red), num(4));
    for (int i = 0; i < 3; i++) {
        DO(dispatch, num(1), num(1), num(1), bytes(NULL), num(0));
        copy_texel(image);
    }
    DO(dispatch, num(1), num(1), num(1), bytes(NULL), num(0));
    CHECK(word(0) == red[0]);
    tear_down_compute();
    DO(image_destroy, num(image));
    gv_bytes_finish(&encoded);
}

// A chain over many submissions.
static void long_chain(void)
{
    set_up_compute();
    for (uint32_t i = 0; i < 500; i++) {
        add(i % 2 ? 0 : 16, i % 2 ? 16 : 0, 1, i % 3 != 0);
        if (i % 100 == 99)
            DO(frame_end, num(0));
    }
    CHECK(word(0) == 500 && word(16) == 499);
    tear_down_compute();
}

static uint64_t pipelines_made(void)
{
    struct gv_runtime_stats stats;
    gv_runtime_get_stats(fixture, &stats);
    return stats.pipelines;
}

// The next pass over a payload gets the pipelines of the one before, each once.
static void kept_pipelines(void)
{
    set_up_compute();
    add(0, 0, 1, false);
    CHECK(word(0) == 1);
    uint64_t made = pipelines_made(), kept;
    CHECK(gv_runtime_reset(fixture, &fixture_error));
    REFUSE("pipeline", bind_pipeline, num(pipeline));
    set_up_compute();
    CHECK(pipelines_made() == made);
    kept = pipeline;
    add(0, 0, 2, false);
    CHECK(word(0) == 2);
    DO(buffer_destroy, num(words));
    DO(shader_destroy, num(shader));
    set_up_compute(); // beside the first one
    CHECK(pipelines_made() == made + 1);
    DO(pipeline_destroy, num(kept)); // what is destroyed is not kept
    add(0, 0, 3, false);
    CHECK(word(0) == 3);
    CHECK(gv_runtime_reset(fixture, &fixture_error));
    set_up_compute();
    CHECK(pipelines_made() == made + 1);
    DO(buffer_destroy, num(words));
    DO(shader_destroy, num(shader));
    kept = pipeline;
    set_up_compute();
    CHECK(pipelines_made() == made + 2);
    DO(pipeline_destroy, num(kept));
    tear_down_compute();
}

// Staging of unusual size is destroyed when its submission is done, and the next may
// get the same VkBuffer: a set that names the dead one must not be found again. No
// device here takes so many uniform bytes; ours is told that it does.
static void returning_handles(void)
{
    static uint32_t parameters[(2u << 20) / 4];
    struct gv_runtime_stats stats;
    uint64_t sets = 0;
    fixture->device->properties.properties.limits.maxUniformBufferRange = 4u << 20;
    set_up_compute();
    for (uint32_t i = 0; i < 8; i++) {
        parameters[2] = i + 1;
        DO(bind_uniform_bytes, num(0), num(0), bytes(parameters),
           num(sizeof(parameters)));
        DO(dispatch, num(1), num(1), num(1), bytes(NULL), num(0));
        CHECK(gv_runtime_finish(fixture, &fixture_error));
        gv_runtime_get_stats(fixture, &stats);
        CHECK(stats.descriptor_sets > sets);
        sets = stats.descriptor_sets;
    }
    CHECK(word(0) == 36);
    tear_down_compute();
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    static const struct fixture_case cases[] = {
        { "pass_clears", pass_clears },
        { "attachment_only", attachment_only },
        { "mixed_subresources", mixed_subresources },
        { "target_pictures", target_pictures },
        { "multisampled_target_picture", multisampled_target_picture },
        { "inside_a_pass", inside_a_pass },
        { "ranged_dispatches", ranged_dispatches },
        { "dispatches_and_transfers", dispatches_and_transfers },
        { "copies_within", copies_within },
        { "long_chain", long_chain },
        { "kept_pipelines", kept_pipelines },
    };
    fixture_run(cases, sizeof(cases) / sizeof(cases[0]));
    fixture_close();
    setenv("GV_TEST_NO_VALIDATION", "1", 1);
    if (fixture_open()) {
        ranged_dispatches();
        returning_handles();
    }
    fixture_close();
    return TEST_RESULT();
}
