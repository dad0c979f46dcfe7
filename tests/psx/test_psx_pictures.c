// Every frame's picture on the Vulkan device is the oracle's: display modes, ranges and
// positions over random cells, on machines of 1 and 2 MB; then the demo and the tour.
#include "compiler/psx/replay.h"
#include "tests/psx/psx_oracle.h"
#include "tests/psx/psx_writer.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

#define MAX_FRAMES 200

struct gallery {
    struct gv_psx_oracle oracle;
    struct gv_psx_gpu gpu;
    struct {
        uint32_t width, height;
        size_t at; // of its pixels in `rgb`
    } frames[MAX_FRAMES];
    uint32_t frame_count;
    struct gv_bytes rgb;
};

static bool hang(void *context, bool live, struct gv_error *err)
{
    struct gallery *g = context;
    struct gv_psx_display d = gv_psx_display_area(&g->gpu);
    (void)err;
    if (!live || g->frame_count == MAX_FRAMES)
        return true;
    bool none = d.width == 0 || d.height == 0;
    g->frames[g->frame_count].width = none ? 0 : d.width;
    g->frames[g->frame_count].height = none ? 0 : d.height;
    g->frames[g->frame_count++].at = g->rgb.size;
    if (!none)
        gv_psx_oracle_display(&g->oracle, &d, &g->rgb);
    return true;
}

static bool paint(struct gallery *g, const struct gv_bytes *dump)
{
    struct gv_psx_sink sink = gv_psx_oracle_sink(&g->oracle);
    const struct gv_psx_listener listener = { .context = g, .vsync = hang };
    gv_psx_gpu_init(&g->gpu, &sink);
    g->oracle.gpu = &g->gpu;
    bool ok = gv_psx_replay(gv_cursor_make(dump->data, dump->size), &g->gpu, &listener,
                            false, NULL);
    gv_psx_gpu_finish(&g->gpu);
    return ok;
}

// Rows from the top, opaque.
static bool same_picture(const struct gallery *g, uint32_t frame,
                         const struct gv_picture *p)
{
    if (p->width != g->frames[frame].width || p->height != g->frames[frame].height)
        return p->width == 0 && g->frames[frame].width == 0;
    const uint8_t *rgb = g->rgb.data + g->frames[frame].at;
    for (size_t i = 0; i < (size_t)p->width * p->height; i++)
        if (memcmp(p->rgba + 4 * i, rgb + 3 * i, 3) != 0 || p->rgba[4 * i + 3] != 255)
            return false;
    return true;
}

static void compare(const char *name, struct gv_psx_writer *w)
{
    struct gallery *g = calloc(1, sizeof *g);
    struct gv_replay_result result;
    struct gv_error err = GV_ERROR_INIT;
    gv_psx_write_end(w);
    bool ran =
        g && paint(g, &w->out) &&
        gv_replay_capture(w->out.data, w->out.size, NULL, true, false, &result, &err);
    CHECK_ROW(name, ran);
    if (!ran)
        fprintf(stderr, "  %s\n", err.message);
    if (ran) {
        size_t bytes = (size_t)gv_psx_vram_rows(&g->gpu) * 2048;
        CHECK_ROW(name, result.exports[0].size == bytes &&
                            memcmp(result.exports[0].data, g->oracle.vram, bytes) == 0);
        CHECK_ROW(name, result.frame_count == g->frame_count && g->frame_count > 0);
        for (uint32_t i = 0; i < g->frame_count && i < result.frame_count; i++) {
            bool same = same_picture(g, i, &result.pictures[i]);
            CHECK_ROW(name, same);
            if (!same)
                fprintf(stderr, "  frame %u, %ux%u\n", i, g->frames[i].width,
                        g->frames[i].height);
        }
        gv_replay_result_finish(&result);
    }
    if (g) {
        gv_bytes_finish(&g->rgb);
        gv_bytes_finish(&g->oracle.readback);
    }
    free(g);
    gv_bytes_finish(&w->out);
}

// Random cells in all rows there are.
static void fill_vram(struct gv_psx_writer *w, uint32_t rows)
{
    for (uint32_t y = 0; y < rows; y += 512) {
        gv_psx_write_gp0(w, 0xa0000000);
        gv_psx_write_gp0(w, y << 16);
        gv_psx_write_gp0(w, 0);
        for (uint32_t i = 0; i < 1024 * 512 / 2; i++)
            gv_psx_write_gp0(w, gv_psx_random(w));
    }
}

static void show(struct gv_psx_writer *w, uint32_t mode, uint32_t start,
                 uint32_t columns, uint32_t lines)
{
    gv_psx_write_gp1(w, 0x08000000 | mode);
    gv_psx_write_gp1(w, 0x05000000 | start);
    gv_psx_write_gp1(w, 0x06000000 | columns);
    gv_psx_write_gp1(w, 0x07000000 | lines);
    gv_psx_write_vsync(w);
}

static void test_modes(const char *name, uint32_t version)
{
    // Whole, at the edges, odd, empty, turned round.
    static const uint32_t starts[] = { 0, 0x3fe | 511 << 10, 0x123 | 77 << 10 };
    static const uint32_t columns[] = { 0x260 | 0xc60 << 12, 0x25b | 0x299 << 12 };
    static const uint32_t lines[] = { 16 | 256 << 10, 35 | 38 << 10 };
    struct gv_psx_writer w = { .random = version };
    gv_psx_write_header(&w, false);
    gv_psx_write_packet(&w, 0x06, &version, 1);
    gv_psx_write_defaults(&w);
    gv_psx_write_gp1(&w, 0x09000001);
    fill_vram(&w, version == 3 ? 1024 : 512);
    for (uint32_t mode = 0; mode < 128; mode++) {
        uint32_t pick = gv_psx_random(&w);
        show(&w, mode, starts[pick % 3], columns[mode % 16 == 7], lines[pick >> 8 & 1]);
    }
    show(&w, 1, 0, 0xc60 | 0x260 << 12, lines[0]);
    show(&w, 1, 0, columns[0], 256 | 16 << 10);
    show(&w, 0x37, starts[1], 0xfff << 12, lines[0]);
    gv_psx_write_gp1(&w, 0x03000001);
    show(&w, 1, 0, columns[0], lines[0]);
    compare(name, &w);
}

int main(void)
{
    gv_leak_check_keep_libraries();
    if (!gv_replay_device_present())
        return gv_test_skip("no Vulkan device");
    test_modes("v2", 2);
    test_modes("v2_2_mb", 3);
    struct gv_psx_writer demo = { 0 }, tour = { 0 };
    gv_psx_write_demo(&demo);
    compare("demo", &demo);
    gv_psx_write_tour(&tour, false);
    compare("tour", &tour);
    return TEST_RESULT();
}
