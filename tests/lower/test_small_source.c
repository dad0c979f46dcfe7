// A second front-end on compiler/lower/: what it compiles makes these pixels on the
// device, whatever its source shares with no other.
#include <inttypes.h>

#include "compiler/builder/targets.h"
#include "compiler/lower/lower_assembly.h"
#include "tests/compiler/builder_probe.h"
#include "tests/lower/small_source.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

#define STRIDE 13u // of vertices: two floats, four bytes, one that belongs to nobody
#define RED 0xFF0000FFu
#define GREEN 0xFF00FF00u
#define BLUE 0xFFFF0000u
#define WHITE 0xFFFFFFFFu
#define BLACK 0xFF000000u

// ---- captures ----

static void packet(struct gv_bytes *f, uint32_t code, uint32_t context, uint32_t count,
                   const uint32_t *words)
{
    gv_bytes_u32(f, code);
    gv_bytes_u32(f, context);
    gv_bytes_u32(f, count);
    for (uint32_t i = 0; i < count; i++)
        gv_bytes_u32(f, words[i]);
}
#define PACKET(f, code, context, ...)                                             \
    packet(f, code, context, (uint32_t)(sizeof((uint32_t[]){ __VA_ARGS__ }) / 4), \
           (const uint32_t[]){ __VA_ARGS__ })

static void data_packet(struct gv_bytes *f, uint32_t code, uint32_t context,
                        uint32_t name, const void *data, uint32_t size)
{
    gv_bytes_u32(f, code);
    gv_bytes_u32(f, context);
    gv_bytes_u32(f, 3 + (size + 3) / 4);
    gv_bytes_u32(f, name);
    gv_bytes_u32(f, 0);
    gv_bytes_u32(f, size);
    gv_bytes_put(f, data, size);
    while (f->size % 4)
        gv_bytes_u8(f, 0);
}

// Four corners of a square a quarter of the picture large, from the bottom left round,
// one byte behind the start of the buffer and 13 apart.
static void write_square(struct gv_bytes *f, uint32_t context, uint32_t name,
                         uint32_t color)
{
    static const float corners[4][2] = { { -1, -1 }, { 0, -1 }, { 0, 0 }, { -1, 0 } };
    uint8_t bytes[1 + 4 * STRIDE + 3] = { 0 };
    for (size_t i = 0; i < 4; i++) {
        memcpy(bytes + 1 + i * STRIDE, corners[i], 8);
        memcpy(bytes + 1 + i * STRIDE + 8, &color, 4);
    }
    data_packet(f, SMALL_BUFFER_DATA, context, name, bytes, sizeof bytes);
}

static void make_square(struct gv_bytes *f, uint32_t context, uint32_t name,
                        uint32_t color)
{
    PACKET(f, SMALL_BUFFER, context, name, 1 + 4 * STRIDE + 3);
    write_square(f, context, name, color);
    PACKET(f, SMALL_USE_VERTICES, context, name, 1, STRIDE);
}

static void move_to(struct gv_bytes *f, uint32_t context, uint32_t name, float x,
                    float y)
{
    const float by[2] = { x, y };
    data_packet(f, SMALL_BUFFER_DATA, context, name, by, sizeof by);
}

static void begin(struct gv_bytes *f)
{
    PACKET(f, SMALL_CONTEXT, 1, 0);
    PACKET(f, SMALL_CLEAR, 1, 0, 0, 0, 0x3F800000);
}

static void draw_quad(struct gv_bytes *f, uint32_t context)
{
    PACKET(f, SMALL_DRAW, context, GV_PRIMITIVE_QUADS, 0, 4);
}

// Constants that change between two draws travel with them: one pass.
static void make_constants(struct gv_bytes *f)
{
    begin(f);
    make_square(f, 1, 1, RED);
    PACKET(f, SMALL_BUFFER, 1, 2, 8);
    PACKET(f, SMALL_USE_CONSTANTS, 1, 2);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ WHITE }, 4);
    PACKET(f, SMALL_USE_TEXTURE, 1, 1);
    draw_quad(f, 1);
    move_to(f, 1, 2, 1, 0);
    draw_quad(f, 1);
    move_to(f, 1, 2, 1, 1);
    draw_quad(f, 1);
    PACKET(f, SMALL_SHOW, 1, 0);
}

// Blocks of one colour in a format that the target lacks.
static void make_decoded(struct gv_bytes *f)
{
    static const uint8_t green[8] = { 0xE0, 0x07, 0xE0, 0x07 }; // both ends 5:6:5
    begin(f);
    make_square(f, 1, 1, WHITE);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_BC1, 4, 4);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, green, sizeof green);
    PACKET(f, SMALL_USE_TEXTURE, 1, 1);
    draw_quad(f, 1);
    PACKET(f, SMALL_SHOW, 1, 0);
}

// Texels that change between two draws: a pass before and one behind.
static void make_upload_between(struct gv_bytes *f)
{
    begin(f);
    make_square(f, 1, 1, WHITE);
    PACKET(f, SMALL_BUFFER, 1, 2, 8);
    PACKET(f, SMALL_USE_CONSTANTS, 1, 2);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ RED }, 4);
    PACKET(f, SMALL_USE_TEXTURE, 1, 1);
    draw_quad(f, 1);
    move_to(f, 1, 2, 1, 0);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ BLUE }, 4);
    draw_quad(f, 1);
    PACKET(f, SMALL_SHOW, 1, 0);
}

// Textures are shared by contexts 1 and 2, not by 3; buffers by none.
static void make_shared(struct gv_bytes *f)
{
    begin(f);
    PACKET(f, SMALL_CONTEXT, 2, 1);
    PACKET(f, SMALL_CONTEXT, 3, 0);
    PACKET(f, SMALL_TEXTURE, 1, 7, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 7, &(uint32_t){ GREEN }, 4);
    PACKET(f, SMALL_TEXTURE, 3, 7, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 3, 7, &(uint32_t){ BLUE }, 4);
    for (uint32_t context = 2; context <= 3; context++) {
        make_square(f, context, 1, WHITE); // the same name in each
        PACKET(f, SMALL_BUFFER, context, 2, 8);
        PACKET(f, SMALL_USE_CONSTANTS, context, 2);
        move_to(f, context, 2, context == 2 ? 0.0f : 1.0f, 0);
        PACKET(f, SMALL_USE_TEXTURE, context, 7);
        draw_quad(f, context);
    }
    PACKET(f, SMALL_SHOW, 1, 0);
}

// The name of a texture that was forgotten is another texture's; without one: white
// where alpha is 1 and colours are zeros, which is black.
static void make_forgotten(struct gv_bytes *f)
{
    begin(f);
    make_square(f, 1, 1, WHITE);
    PACKET(f, SMALL_BUFFER, 1, 2, 8);
    PACKET(f, SMALL_USE_CONSTANTS, 1, 2);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ RED }, 4);
    PACKET(f, SMALL_USE_TEXTURE, 1, 1);
    PACKET(f, SMALL_FORGET, 1, SMALL_KIND_TEXTURE, 1);
    draw_quad(f, 1);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ GREEN }, 4);
    move_to(f, 1, 2, 1, 0);
    draw_quad(f, 1);
    PACKET(f, SMALL_SHOW, 1, 0);
}

// Constants too large to be tracked, and none at all.
static void make_untracked(struct gv_bytes *f)
{
    begin(f);
    make_square(f, 1, 1, RED);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ WHITE }, 4);
    PACKET(f, SMALL_USE_TEXTURE, 1, 1);
    draw_quad(f, 1);
    PACKET(f, SMALL_BUFFER, 1, 2, 1024);
    PACKET(f, SMALL_USE_CONSTANTS, 1, 2);
    move_to(f, 1, 2, 1, 1);
    draw_quad(f, 1);
    PACKET(f, SMALL_SHOW, 1, 0);
}

// Vertices that change between two draws are laid out anew.
static void make_vertices(struct gv_bytes *f)
{
    begin(f);
    make_square(f, 1, 1, RED);
    PACKET(f, SMALL_BUFFER, 1, 2, 8);
    PACKET(f, SMALL_USE_CONSTANTS, 1, 2);
    PACKET(f, SMALL_TEXTURE, 1, 1, SMALL_RGBA8, 1, 1);
    data_packet(f, SMALL_TEXTURE_DATA, 1, 1, &(uint32_t){ WHITE }, 4);
    PACKET(f, SMALL_USE_TEXTURE, 1, 1);
    draw_quad(f, 1);
    write_square(f, 1, 1, BLUE);
    move_to(f, 1, 2, 1, 1);
    draw_quad(f, 1);
    PACKET(f, SMALL_SHOW, 1, 0);
}

// What each makes: bottom left, bottom right, top left, top right; and its passes.
static const struct {
    const char *name;
    void (*make)(struct gv_bytes *f);
    uint32_t quarters[4];
    uint32_t passes;
} rows[] = {
    { "constants", make_constants, { RED, RED, BLACK, RED }, 2 },
    { "decoded", make_decoded, { GREEN, BLACK, BLACK, BLACK }, 2 },
    { "upload_between", make_upload_between, { RED, BLUE, BLACK, BLACK }, 3 },
    { "shared", make_shared, { GREEN, BLUE, BLACK, BLACK }, 3 },
    { "forgotten", make_forgotten, { BLACK, GREEN, BLACK, BLACK }, 3 },
    { "vertices", make_vertices, { RED, BLACK, BLACK, BLUE }, 3 },
    { "untracked", make_untracked, { RED, BLACK, BLACK, RED }, 3 },
};

// ---- what they make ----

static uint32_t count_of(struct probe *probe, const char *call)
{
    struct gv_bytes code = { 0 };
    uint32_t count = 0;
    probe_code(probe, &code);
    for (const char *at = (const char *)code.data; (at = strstr(at, call)); at++)
        count++;
    gv_bytes_finish(&code);
    return count;
}

static void check_pixels(size_t row, const struct gv_bytes *payload)
{
    static const uint32_t centres[4][2] = {
        { 4, 12 }, { 12, 12 }, { 4, 4 }, { 12, 4 }
    };
    struct gv_replay_result result;
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_replay_payload(payload->data, payload->size, true, &result, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    CHECK_ROW(rows[row].name, ok && result.frame_count == 1);
    CHECK_ROW(rows[row].name, result.validation_messages == 0);
    for (size_t i = 0; ok && i < 4 && result.frame_count == 1; i++) {
        uint32_t pixel;
        memcpy(&pixel,
               result.pictures[0].rgba +
                   4 * (centres[i][1] * (size_t)SMALL_SIDE + centres[i][0]),
               4);
        if (pixel != rows[row].quarters[i])
            fprintf(stderr, "quarter %zu is %08" PRIx32 "\n", i, pixel);
        CHECK_ROW(rows[row].name, pixel == rows[row].quarters[i]);
    }
    gv_replay_result_finish(&result);
}

static bool compile(const struct gv_bytes *capture, const struct gv_target *target,
                    struct probe *probe)
{
    struct gv_arena arena = { 0 };
    probe_begin_for(probe, target);
    bool ok = small_compile(gv_cursor_make(capture->data, capture->size), &arena,
                            probe->builder, &probe->err) &&
              probe_end(probe);
    gv_arena_finish(&arena);
    return ok;
}

static void test_rows(const struct gv_target *target, bool device)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_bytes capture = { 0 };
        struct probe probe;
        rows[i].make(&capture);
        bool ok = compile(&capture, target, &probe);
        if (!ok)
            fprintf(stderr, "%s\n", probe.err.message);
        CHECK_ROW(rows[i].name, ok);
        if (ok)
            CHECK_ROW(rows[i].name, count_of(&probe, "pass_begin") == rows[i].passes);
        if (ok && device)
            check_pixels(i, &probe.bytes);
        probe_finish(&probe);
        gv_bytes_finish(&capture);
    }
}

static void test_cut(const struct gv_target *target)
{
    struct gv_bytes capture = { 0 };
    make_constants(&capture);
    for (size_t size = 1; size < capture.size; size += 7) {
        const struct gv_bytes cut = { .data = capture.data, .size = size };
        struct probe probe;
        CHECK(compile(&cut, target, &probe) || probe.err.status == GV_ERR_FORMAT);
        probe_finish(&probe);
    }
    gv_bytes_finish(&capture);
}

int main(void)
{
    struct gv_target baseline;
    struct gv_error err = GV_ERROR_INIT;
    gv_leak_check_keep_libraries();
    bool device = gv_replay_device_present();
    CHECK(gv_target_init(&baseline, "baseline", &err));
    test_rows(&baseline, device);
    test_cut(&baseline);
    gv_target_finish(&baseline);
    if (TEST_RESULT() == EXIT_SUCCESS && !device)
        return gv_test_skip("no Vulkan device");
    return TEST_RESULT();
}
