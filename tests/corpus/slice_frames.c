// Runs a payload whole, then each of its frames again with only the code that the
// slicer says it needs, and compares the pictures.
//   slice_frames PAYLOAD [STEP]    every STEP-th frame, and the last (1)
// Prints for the last frame: calls, work, code bytes and time of slice and prefix; if
// over nine tenths of the work are kept, for what. Exit 1 if a picture differs, or a
// slice is larger than its payload may explain.
#include <inttypes.h>
#include <time.h>

#include "resources/hash.h"
#include "runtime/runtime.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "tools/leak_check.h"
#include "vm/slice/slice_write.h"
#include "vm/verify/verify.h"

struct picture_hash {
    uint32_t width, height; // 0: there is none
    struct gv_hash hash;
};

struct replay {
    struct gv_payload payload;
    struct gv_runtime *runtime;
    struct picture_hash *whole; // [frame_count]
    size_t written;             // bytes of the last slice
    struct gv_error err;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool take(struct replay *r, struct picture_hash *out)
{
    struct gv_picture picture = { 0 };
    if (!gv_runtime_frame_picture(r->runtime, &picture, &r->err))
        return false;
    *out = (struct picture_hash){ .width = picture.width, .height = picture.height };
    if (picture.width)
        out->hash =
            gv_hash_bytes(picture.rgba, (size_t)picture.width * picture.height * 4);
    gv_picture_finish(&picture);
    return true;
}

// Runs to the end of frame `last`, taking the pictures of frames from `first` on.
static bool run(struct replay *r, const struct gv_kept *kept, uint32_t first,
                uint32_t last, struct picture_hash *out)
{
    const struct gv_vm_params params = {
        .payload = &r->payload,
        .host = gv_runtime_host(r->runtime),
        .kept = kept,
    };
    struct gv_vm *vm = gv_vm_create(&params, &r->err);
    enum gv_stop stop = GV_STOP_FRAME;
    bool ok = vm != NULL;
    while (ok && stop == GV_STOP_FRAME) {
        ok = gv_vm_run(vm, &stop, &r->err);
        uint32_t frame = ok && stop == GV_STOP_FRAME ? gv_vm_frame(vm) : 0;
        if (!ok || stop != GV_STOP_FRAME)
            break;
        if (frame >= first)
            ok = take(r, &out[frame - first]);
        if (frame == last)
            break;
    }
    ok = ok && gv_runtime_finish(r->runtime, &r->err);
    gv_vm_destroy(vm);
    return gv_runtime_reset(r->runtime, &r->err) && ok;
}

// The slice as a payload: it verifies, and gives the picture under the same number.
static bool run_written(struct replay *r, const struct gv_slice *slice,
                        const struct gv_slice_params *wanted, struct picture_hash *out)
{
    struct gv_bytes bytes = { 0 };
    struct gv_payload payload = { 0 }, whole = r->payload;
    const uint32_t frame = (uint32_t)wanted->last_frame;
    const struct gv_writer_params writer = {
        .write = gv_test_append,
        .context = &bytes,
        .level = r->payload.level,
        .jobs = 1,
        .frame_group_bytes = 16 << 10 // as gpuvm slice
    };
    const struct gv_slice_write_params params = {
        .payload = &r->payload, .slice = slice, .wanted = wanted, .writer = &writer
    };
    bool ok = gv_slice_write(&params, &r->err) &&
              gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &r->err) &&
              gv_verify(&payload, &(struct gv_verify_params){ 0 }, &r->err);
    r->written = bytes.size;
    r->payload = payload;
    ok = ok && run(r, NULL, frame, frame, out);
    r->payload = whole;
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    return ok;
}

static void report(const struct gv_slice *s, double slice_s, double run_s)
{
    printf("calls %" PRIu64 "/%" PRIu64 " work %" PRIu64 "/%" PRIu64 " bytes %" PRIu64
           "/%" PRIu64 " slice %.4f s run %.3f s",
           s->calls.kept, s->calls.total, s->work.kept, s->work.total, s->bytes.kept,
           s->bytes.total, slice_s, run_s);
    if (s->whole)
        printf(" whole: %s", s->whole);
    if (s->work.kept * 10 > s->work.total * 9)
        for (size_t i = 0; i < s->chain_count; i++)
            printf("%s %s@%" PRIu64, i ? " <-" : " chain:", s->chain[i].what,
                   s->chain[i].command);
    printf("\n");
}

// Its resources have other neighbours than they had, which may compress worse: by 3 %
// where a dictionary's bytes moved.
static size_t most_bytes(size_t payload)
{
    return payload + payload / 24 + 256;
}

static bool check_frame(struct replay *r, uint32_t frame, double whole_s)
{
    const uint64_t number = frame;
    struct gv_slice slice;
    struct picture_hash got = { 0 };
    const struct gv_slice_params params = { .frames = &number,
                                            .frame_count = 1,
                                            .last_frame = frame };
    double start = now();
    if (!gv_slice_make(&slice, &r->payload, &params, &r->err))
        return false;
    double sliced = now();
    bool ok = run(r, &slice.kept, frame, frame, &got);
    double ran = now();
    struct picture_hash again = got;
    ok = ok && run_written(r, &slice, &params, &again);
    if (ok && (memcmp(&got, &r->whole[frame], sizeof got) != 0 ||
               memcmp(&again, &got, sizeof got) != 0)) {
        printf("frame %" PRIu32 " differs; ", frame);
        gv_test_failures++;
    }
    if (ok && r->written > most_bytes(r->payload.file.size)) {
        printf("the slice of frame %" PRIu32 " has %zu bytes, the payload %zu; ", frame,
               r->written, r->payload.file.size);
        gv_test_failures++;
    }
    if (ok && frame + 1 == r->payload.frame_count) {
        printf("%zu bytes of %zu whole %.3f s ", r->written, r->payload.file.size,
               whole_s);
        report(&slice, sliced - start, ran - sliced);
    }
    gv_slice_finish(&slice);
    return ok;
}

static bool check(struct replay *r, const char *path, uint32_t step)
{
    if (!gv_payload_open(&r->payload, path, 0, &r->err) ||
        !gv_verify(&r->payload, &(struct gv_verify_params){ 0 }, &r->err))
        return false;
    uint32_t count = (uint32_t)r->payload.frame_count;
    r->runtime = gv_runtime_create(
        &(struct gv_runtime_params){ .payload = &r->payload }, &r->err);
    r->whole = calloc(count + 1, sizeof *r->whole);
    double start = now();
    if (!count)
        return printf("no frames\n") > 0;
    bool ok = r->runtime && r->whole && run(r, NULL, 0, count - 1, r->whole);
    double whole_s = now() - start;
    for (uint32_t frame = 0; ok && frame < count; frame++)
        if (frame % step == 0 || frame + 1 == count)
            ok = check_frame(r, frame, whole_s);
    return ok;
}

int main(int argc, char **argv)
{
    struct replay r = { .err = GV_ERROR_INIT };
    if (argc < 2)
        return EXIT_FAILURE;
    gv_leak_check_keep_libraries();
    uint32_t step = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    if (!check(&r, argv[1], step ? step : 1)) {
        printf("%s\n", r.err.message);
        gv_test_failures++;
    }
    gv_runtime_destroy(r.runtime);
    gv_payload_finish(&r.payload);
    free(r.whole);
    return TEST_RESULT();
}
