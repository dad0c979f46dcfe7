// Every fixture the tests make, compiled, run on the device and compared pixel by pixel
// with what its rule says.
//   test_aerogpu_fixtures [NAME | every N]
#include "tests/aerogpu/aerogpu_scene.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

static int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

static void check_probe(const char *name, const struct aero_scene *f,
                        const struct aero_probe *p,
                        const struct gv_replay_result *result)
{
    const struct gv_picture *picture =
        p->frame < result->frame_count ? &result->pictures[p->frame] : NULL;
    CHECK_ROW(name, picture && p->x < picture->width && p->y < picture->height);
    if (!picture || p->x >= picture->width || p->y >= picture->height)
        return;
    const uint8_t *t = picture->rgba + 4 * ((size_t)p->y * picture->width + p->x);
    for (int i = 0; i < 4; i++)
        if (distance(t[i], p->rgba[i]) > (int)f->tolerance) {
            fprintf(stderr, "[%s] frame %u (%u,%u): %u %u %u %u, not %u %u %u %u\n",
                    name, p->frame, p->x, p->y, t[0], t[1], t[2], t[3], p->rgba[0],
                    p->rgba[1], p->rgba[2], p->rgba[3]);
            gv_test_failures++;
            return;
        }
}

// A payload for devices without BC formats must not ask for one.
static void check_no_blocks(const char *name, const struct gv_bytes *bytes)
{
    struct gv_payload p;
    struct gv_error err = GV_ERROR_INIT;
    CHECK_ROW(name, gv_payload_open_memory(&p, bytes->data, bytes->size, 0, &err));
    for (size_t i = 0; i < p.requirement_count; i++)
        CHECK_ROW(name, !strstr(p.requirements[i].name, "BC"));
    gv_payload_finish(&p);
}

static void check_fixture(const struct aero_fixture *row, const char *target)
{
    static struct aero_scene f;
    struct gv_replay_result result = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    row->make(&f, row->variant);
    bool ok = gv_replay_capture_for(target, f.file.bytes.data, f.file.bytes.size,
                                    f.options, true, true, &result, &err);
    if (ok && target)
        check_no_blocks(row->name, &result.payload);
    if (!ok)
        fprintf(stderr, "[%s] at byte %lld: %s\n", row->name, (long long)err.offset,
                err.message);
    CHECK_ROW(row->name, ok);
    CHECK_ROW(row->name, result.validation_messages == 0);
    for (uint32_t i = 0; ok && i < f.frame; i++) {
        CHECK_ROW(row->name, result.pictures[i].width == f.width[i]);
        CHECK_ROW(row->name, result.pictures[i].height == f.height[i]);
    }
    for (uint32_t i = 0; ok && i < f.probe_count; i++)
        check_probe(row->name, &f, &f.probes[i], &result);
    gv_replay_result_finish(&result);
    aero_scene_finish(&f);
}

int main(int argc, char **argv)
{
    gv_leak_check_keep_libraries();
    if (!gv_replay_device_present())
        return gv_test_skip("no Vulkan device");
    // A slice: each Nth of all tables.
    size_t each = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, number = 0, count = 0;
    const char *only = argc == 2 ? argv[1] : NULL;
    for (size_t t = 0; t < aero_fixture_table_count; t++)
        for (const struct aero_fixture *row = aero_fixture_tables[t]; row->name; row++)
            if (only ? !strcmp(only, row->name) : each && number++ % each == 0) {
                int before = gv_test_failures;
                check_fixture(row, NULL);
                if (strstr(row->name, "_bc"))
                    check_fixture(row, "baseline");
                count++;
                if (gv_test_failures != before)
                    fprintf(stderr, "[%s] rule: %s\n", row->name, row->rule);
                printf("%s %s\n", gv_test_failures == before ? "ok  " : "FAIL",
                       row->name);
            }
    printf("%zu fixtures\n", count);
    return TEST_RESULT();
}
