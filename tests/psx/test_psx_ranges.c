// What the compute passes of PlayStation dumps say they touch is all they touch: every
// dispatch is held to the rectangles of VRAM that it names
// (tests/runtime/range_audit.h), and VRAM, readbacks and pictures come out the same.
// Barriers and slicing rely on those ranges, and a software driver, which runs one
// dispatch after another, shows no missing barrier.
//
//   test_psx_ranges [DUMP...]     without: random streams and scenes
#include "resources/base/file.h"
#include "tests/psx/psx_writer.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

#include <stdlib.h>

#define STREAMS 4
#define COMMANDS 250

static bool same_exports(const struct gv_replay_result *a,
                         const struct gv_replay_result *b)
{
    for (int i = 0; i < 4; i++)
        if (a->exports[i].size != b->exports[i].size ||
            (a->exports[i].size &&
             memcmp(a->exports[i].data, b->exports[i].data, a->exports[i].size) != 0))
            return false;
    return true;
}

static bool same_pictures(const struct gv_replay_result *a,
                          const struct gv_replay_result *b)
{
    for (size_t i = 0; i < a->frame_count && i < b->frame_count; i++) {
        const struct gv_picture *p = &a->pictures[i], *q = &b->pictures[i];
        if (p->width != q->width || p->height != q->height ||
            (p->width &&
             memcmp(p->rgba, q->rgba, (size_t)p->width * p->height * 4) != 0))
            return false;
    }
    return a->frame_count == b->frame_count;
}

static void check_dump(const char *name, const void *dump, size_t size,
                       const char *const *options)
{
    struct gv_replay_result free_run, held_run;
    struct gv_error err = GV_ERROR_INIT;
    bool ran = gv_replay_capture(dump, size, options, true, false, &free_run, &err) &&
               gv_replay_capture_audited(dump, size, options, &held_run, &err);
    if (!ran)
        fprintf(stderr, "%s does not run: %s\n", name, err.message);
    CHECK_ROW(name, ran);
    if (!ran)
        return;
    CHECK_ROW(name, same_exports(&free_run, &held_run));
    CHECK_ROW(name, same_pictures(&free_run, &held_run));
    CHECK_ROW(name, held_run.audited > 0);
    printf("%s: %llu dispatches held\n", name, (unsigned long long)held_run.audited);
    gv_replay_result_finish(&free_run);
    gv_replay_result_finish(&held_run);
}

static void check_stream(uint64_t seed, const char *const *options)
{
    struct gv_psx_writer w = { .random = seed };
    char name[32];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    gv_psx_write_header(&w, false);
    gv_psx_write_defaults(&w);
    for (int i = 0; i < COMMANDS; i++)
        gv_psx_write_rare(&w);
    gv_psx_write_vsync(&w);
    gv_psx_write_end(&w);
    check_dump(name, w.out.data, w.out.size, options);
    gv_bytes_finish(&w.out);
}

static uint32_t below(struct gv_psx_writer *w, uint32_t n)
{
    return gv_psx_random(w) % n;
}

// 64 x 64 cells at (640, 0) and a row of palettes below, now and then with zeros:
// texels that are transparent.
static void write_texture(struct gv_psx_writer *w, bool zeros)
{
    static const uint32_t sizes[2][2] = { { 64, 64 }, { 256, 1 } };
    for (int i = 0; i < 2; i++) {
        gv_psx_write_gp0(w, 0xa0000000);
        gv_psx_write_gp0(w, i ? 480u << 16 : 640);
        gv_psx_write_gp0(w, sizes[i][0] | sizes[i][1] << 16);
        for (uint32_t k = 0; k < sizes[i][0] * sizes[i][1] / 2; k++)
            gv_psx_write_gp0(w, zeros && !below(w, 40)
                                    ? 0
                                    : gv_psx_random(w) | (i ? 0x00010001 : 0x11111111));
    }
    gv_psx_write_gp0(w, 0x01000000); // the palette is loaded again
}

// A rectangle, or a quad whose corners lie along the axes or anywhere, of a size that
// says what is overwritten: blended or not, with a texture or without.
static void write_large(struct gv_psx_writer *w)
{
    const uint32_t kind = below(w, 3), flags = below(w, 8); // semi 2, textured 4
    const uint32_t width = 30 + below(w, 200), height = 20 + below(w, 150);
    const uint32_t x = below(w, 200), y = below(w, 150), slant = kind == 2 ? 9 : 0;
    const uint32_t u = below(w, 2) << 3, clut = 480u << 22;
    const uint32_t corners[4][2] = { { x, y },
                                     { x + width, y + slant },
                                     { x + slant, y + height },
                                     { x + width, y + height } };
    if (!below(w, 8))
        gv_psx_write_gp0(w, 0xe6000000 | below(w, 4));
    if (!below(w, 12)) { // black cells, which are transparent texels
        gv_psx_write_gp0(w, 0x60000000);
        gv_psx_write_gp0(w, (640 + below(w, 56)) | below(w, 56) << 16);
        gv_psx_write_gp0(w, 6 | 6 << 16);
    }
    gv_psx_write_gp0(w, 0xe1000400 | 640 / 64 | below(w, 3) << 7);
    gv_psx_write_gp0(w, 0xe2000000 | 0x18 | 0x18 << 5); // 64 texels repeat
    gv_psx_write_gp0(w, (kind ? 0x28000000u : 0x60000000u) | (flags & 6) << 24 |
                            (gv_psx_random(w) & 0xffffff));
    for (int i = 0; i < (kind ? 4 : 1); i++) {
        gv_psx_write_gp0(w, corners[i][0] | corners[i][1] << 16);
        if (flags & 4)
            gv_psx_write_gp0(w, (u + (i & 1 ? 40 : 0)) | (i & 2 ? 0x1800 : 0) |
                                    (i == 1   ? (640u / 64 | below(w, 3) << 7) << 16
                                     : i == 0 ? clut
                                              : 0));
    }
    if (!kind)
        gv_psx_write_gp0(w, width | height << 16);
}

static void check_large(uint64_t seed)
{
    struct gv_psx_writer w = { .random = seed };
    char name[32];
    snprintf(name, sizeof name, "large %llu", (unsigned long long)seed);
    gv_psx_write_header(&w, false);
    gv_psx_write_defaults(&w);
    if (seed % 3 == 0)
        gv_psx_write_gp1(&w, 0x08000024); // 480 lines: of one field rows are drawn
    for (int i = 0; i < COMMANDS; i++) {
        if (i % 25 == 0)
            write_texture(&w, i % 50 != 0);
        write_large(&w);
        if (i % 5 == 4)
            gv_psx_write_vsync(&w);
    }
    gv_psx_write_end(&w);
    check_dump(name, w.out.data, w.out.size, NULL);
    gv_bytes_finish(&w.out);
}

static void check_file(const char *path)
{
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    bool opened = gv_file_open(&file, path, &err);
    CHECK_ROW(path, opened);
    if (!opened)
        return;
    check_dump(path, file.data, file.size, NULL);
    gv_file_close(&file);
}

int main(int argc, char **argv)
{
    // Small batches make neighbours of dispatches that do not depend on each other.
    static const char *const small[] = { "psx.batch=5", NULL };
    gv_leak_check_keep_libraries();
    if (!gv_replay_device_present())
        return gv_test_skip("no Vulkan device");
    for (int i = 1; i < argc; i++)
        check_file(argv[i]);
    if (argc > 1)
        return TEST_RESULT();
    for (uint64_t seed = 1; seed <= STREAMS; seed++)
        check_stream(seed, seed % 2 ? small : NULL);
    for (uint64_t seed = 1; seed <= STREAMS; seed++)
        check_large(seed);
    struct gv_psx_writer demo = { 0 };
    gv_psx_write_demo(&demo);
    check_dump("demo", demo.out.data, demo.out.size, small);
    gv_bytes_finish(&demo.out);
    struct gv_psx_writer tiles = { 0 };
    gv_psx_write_tiles(&tiles, 6);
    check_dump("tiles", tiles.out.data, tiles.out.size, NULL);
    gv_bytes_finish(&tiles.out);
    return TEST_RESULT();
}
