// What the compute passes of PlayStation dumps say they touch is all they touch: every
// dispatch is held to the rectangles of VRAM that it names
// (tests/runtime/range_audit.h), and VRAM, readbacks and pictures come out the same.
// Barriers and slicing rely on those ranges, and a software driver, which runs one
// dispatch after another, shows no missing barrier.
//
//   test_psx_ranges [DUMP...]     without: random streams and the demo
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
    struct gv_psx_writer demo = { 0 };
    gv_psx_write_demo(&demo);
    check_dump("demo", demo.out.data, demo.out.size, small);
    gv_bytes_finish(&demo.out);
    return TEST_RESULT();
}
