#include "tools/run/run_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/now.h"
#include "runtime/runtime.h"
#include "tools/program.h"

struct frame_time {
    uint64_t pass, frame, ns, record_ns, wait_ns;
};

struct gv_run_bench {
    struct gv_bytes frames; // struct frame_time each
    uint64_t began_ns;      // the pass did
    uint64_t last_ns, last_record_ns, last_wait_ns;
    uint64_t first_ns, later_ns; // of the first pass and the others, to their ends
    uint64_t passes;
};

static struct gv_run_bench *create(void)
{
    return calloc(1, sizeof(struct gv_run_bench));
}

static void destroy(struct gv_run_bench *b)
{
    if (b)
        gv_bytes_finish(&b->frames);
    free(b);
}

static void remember(struct gv_run_bench *b, struct gv_runtime *runtime)
{
    struct gv_runtime_stats stats;
    gv_runtime_get_stats(runtime, &stats);
    b->last_record_ns = stats.record_ns;
    b->last_wait_ns = stats.wait_ns;
    b->last_ns = gv_now_ns();
}

static void begin(struct gv_run_bench *b, struct gv_runtime *runtime)
{
    remember(b, runtime);
    b->began_ns = b->last_ns;
}

static void frame(struct gv_run_bench *b, struct gv_runtime *runtime, uint64_t pass,
                  uint64_t number)
{
    const struct gv_run_bench before = *b;
    remember(b, runtime);
    const struct frame_time time = {
        .pass = pass,
        .frame = number,
        .ns = b->last_ns - before.last_ns,
        .record_ns = b->last_record_ns - before.last_record_ns,
        .wait_ns = b->last_wait_ns - before.last_wait_ns,
    };
    gv_bytes_put(&b->frames, &time, sizeof time);
}

static void end(struct gv_run_bench *b)
{
    const uint64_t ns = gv_now_ns() - b->began_ns;
    if (b->passes++ == 0)
        b->first_ns = ns;
    else
        b->later_ns += ns;
}

static size_t count(const struct gv_run_bench *b)
{
    return b->frames.size / sizeof(struct frame_time);
}

static struct frame_time time_at(const struct gv_run_bench *b, size_t i)
{
    struct frame_time time;
    memcpy(&time, b->frames.data + i * sizeof time, sizeof time);
    return time;
}

// ---- --benchmark ----

static int by_value(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

struct figures {
    uint64_t warm_up_frames, frames;
    double warm_up_seconds, seconds, median_ms, p99_ms;
};

// What warms up is the first pass or, of one pass, its first frame.
static struct figures figures_of(const struct gv_run_bench *b)
{
    const size_t all = count(b);
    struct figures f = { 0 };
    if (all == 0)
        return f;
    while (f.warm_up_frames < all && time_at(b, f.warm_up_frames).pass == 0)
        f.warm_up_frames++;
    uint64_t warm_ns = b->first_ns, ns = b->later_ns;
    if (b->passes < 2) {
        f.warm_up_frames = 1;
        warm_ns = time_at(b, 0).ns;
        ns = b->first_ns - warm_ns;
    }
    f.frames = all - f.warm_up_frames;
    f.warm_up_seconds = (double)warm_ns / 1e9;
    f.seconds = (double)ns / 1e9;
    uint64_t *times = malloc((f.frames + 1) * sizeof *times);
    for (size_t i = 0; times && i < f.frames; i++)
        times[i] = time_at(b, f.warm_up_frames + i).ns;
    if (times && f.frames) {
        const size_t middle = (f.frames - 1) / 2, last = f.frames - 1 - f.frames / 100;
        qsort(times, f.frames, sizeof *times, by_value);
        f.median_ms = (double)times[middle] / 1e6;
        f.p99_ms = (double)times[last] / 1e6;
    }
    free(times);
    return f;
}

#define FIRST_RATE 4 // of the rows: those before it are known of no frame, too

static void report(const struct gv_run_bench *b, struct gv_json *json)
{
    const struct figures f = figures_of(b);
    const struct {
        const char *name;
        double value;
        int digits;
    } rows[] = {
        { "warm_up_frames", (double)f.warm_up_frames, 0 },
        { "warm_up_seconds", f.warm_up_seconds, 6 },
        { "frames", (double)f.frames, 0 },
        { "seconds", f.seconds, 6 },
        { "fps", f.seconds > 0 ? (double)f.frames / f.seconds : 0, 3 },
        { "median_ms", f.median_ms, 6 },
        { "p99_ms", f.p99_ms, 6 },
    };
    if (json)
        gv_json_begin(json, "benchmark");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        // All frames warmed up: there is no rate, which is not 0.
        const bool known = f.frames || i < FIRST_RATE;
        if (json && known)
            gv_json_real(json, rows[i].name, rows[i].value);
        else if (!json && known)
            printf("benchmark\t%s\t%.*f\n", rows[i].name, rows[i].digits,
                   rows[i].value);
        else if (!json)
            printf("benchmark\t%s\t-\n", rows[i].name);
    }
    if (json)
        gv_json_end(json);
}

// ---- --frame-times ----

static bool table(const struct gv_run_bench *b, struct gv_bytes *out)
{
    gv_bytes_printf(out, "pass,frame,ns,recording_ns,waiting_ns\n");
    for (size_t i = 0; i < count(b); i++) {
        const struct frame_time t = time_at(b, i);
        gv_bytes_printf(out,
                        "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                        t.pass, t.frame, t.ns, t.record_ns, t.wait_ns);
    }
    return !out->failed && !b->frames.failed;
}

const struct gv_run_bench_kind gv_run_bench_kind = { create, destroy, begin, frame,
                                                     end,    report,  table };
