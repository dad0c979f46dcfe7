// How fast slices are found, without a GPU.
//   bench_slice PAYLOAD...
// For each payload one line of JSON: calls up to the last frame, microseconds of CPU
// that slicing for it takes, and millions of calls a second; then those of up to 16
// frames, each alone. The fastest of several rounds.
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vm/slice/slice.h"
#include "vm/verify/verify.h"

#define ROUNDS 5
#define FRAMES 16
#define LEAST_NS 2e7 // of a round

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Every `step`-th frame, the last one among them. Adds up their calls.
static bool slice_each(struct gv_payload *payload, uint64_t step, uint64_t *calls,
                       struct gv_error *err)
{
    const uint64_t count = payload->frame_count;
    for (uint64_t frame = (count - 1) % step; frame < count; frame += step) {
        struct gv_slice slice;
        const struct gv_slice_params params = { .frames = &frame,
                                                .frame_count = 1,
                                                .last_frame = frame };
        if (!gv_slice_make(&slice, payload, &params, err))
            return false;
        *calls += slice.calls.total;
        gv_slice_finish(&slice);
    }
    return true;
}

// Nanoseconds of one pass over the frames.
static bool measure(struct gv_payload *payload, uint64_t step, uint64_t *calls,
                    double *best, struct gv_error *err)
{
    *best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_ns();
        double passed = 0;
        uint64_t passes = 0;
        for (; passed < LEAST_NS; passes++, passed = now_ns() - start) {
            *calls = 0;
            if (!slice_each(payload, step, calls, err))
                return false;
        }
        *best = passed / (double)passes < *best ? passed / (double)passes : *best;
    }
    return true;
}

static bool bench(const char *path, struct gv_error *err)
{
    struct gv_payload payload = { 0 };
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    double one, some;
    uint64_t calls, some_calls;
    bool ok = gv_payload_open(&payload, path, 0, err) &&
              gv_verify(&payload, &(struct gv_verify_params){ 0 }, err) &&
              (payload.frame_count ||
               gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no frames")) &&
              measure(&payload, payload.frame_count, &calls, &one, err) &&
              measure(&payload, (payload.frame_count + FRAMES - 1) / FRAMES,
                      &some_calls, &some, err);
    if (ok)
        printf("{\"bench\":\"slice\",\"name\":\"%s\",\"calls\":%" PRIu64
               ",\"us\":%.1f,\"mcalls_s\":%.2f,\"some_calls\":%" PRIu64
               ",\"some_us\":%.1f,\"some_mcalls_s\":%.2f}\n",
               name, calls, one / 1e3, (double)calls * 1e3 / one, some_calls,
               some / 1e3, (double)some_calls * 1e3 / some);
    gv_payload_finish(&payload);
    return ok;
}

int main(int argc, char **argv)
{
    struct gv_error err = GV_ERROR_INIT;
    // Memory comes from the kernel once, as in a run.
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    for (int i = 1; i < argc; i++)
        if (!bench(argv[i], &err)) {
            fprintf(stderr, "%s: %s\n", argv[i], err.message);
            return EXIT_FAILURE;
        }
    return EXIT_SUCCESS;
}
