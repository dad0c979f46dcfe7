// Times of frames: --benchmark and --frame-times. A program that does not name
// gv_run_bench_kind (tools/program.h) is without them.
#ifndef GV_RUN_BENCH_H
#define GV_RUN_BENCH_H

#include "resources/base/bytes.h"
#include "tools/base/json.h"

struct gv_run_bench;
struct gv_runtime;

struct gv_run_bench_kind {
    // NULL when memory runs out.
    struct gv_run_bench *(*create)(void);
    void (*destroy)(struct gv_run_bench *b); // NULL is fine
    // A pass begins; a frame of it has run. Times end there, whoever still waits for
    // the device.
    void (*begin)(struct gv_run_bench *b, struct gv_runtime *runtime);
    void (*frame)(struct gv_run_bench *b, struct gv_runtime *runtime, uint64_t pass,
                  uint64_t frame);
    // A pass has ended, and the device is done with it.
    void (*end)(struct gv_run_bench *b);
    // --benchmark: members of "benchmark" or, where `json` is NULL, lines.
    void (*report)(const struct gv_run_bench *b, struct gv_json *json);
    // --frame-times: all of them as CSV. False when memory ran out.
    bool (*table)(const struct gv_run_bench *b, struct gv_bytes *out);
};

#endif
