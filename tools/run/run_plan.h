// What a run has to do, once the payload is known: SETs met with its frames and
// commands, exports found by name.
#ifndef GV_RUN_PLAN_H
#define GV_RUN_PLAN_H

#include "tools/child/fetcher.h"
#include "tools/input_guard.h"
#include "tools/options.h"
#include "tools/picture/picture_file.h"
#include "tools/select/command_set.h"
#include "tools/verdict/expect_pictures.h"
#include "vm/payload/payload.h"

struct gv_run_bench_kind;
struct gv_run_job;

struct gv_run_options {
    struct gv_run_job *job; // that is done in place of passes (run_job.h), or NULL
    struct gv_given given;  // on the command line
    const char *file;       // that is run; "-" is standard input
    const char *cache;      // where pipelines are kept between runs; NULL: nowhere
    const char *frames, *screenshots, *screenshot_dir, *screenshot_prefix,
        *screenshot_format, *expect, *tolerance, *device, *progress_file, *target, *fps,
        *aspect;                               // of a window
    const char *frame_times;                   // CSV; "-" is standard output
    const struct gv_run_bench_kind *bench;     // NULL: frames are not timed
    const char *output;                        // of one frame; "-" is standard output
    const struct gv_expect_pictures *pictures; // NULL: --expect takes hashes alone
    struct gv_option_list stores, exports, hash_exports, front_end, calls, hashes;
    struct gv_fetch_params fetching; // how stores on the web are asked
    uint64_t loop, timeout, mem_mb, cache_mb, spill_mb;
    bool interactive, prewarm; // lines on standard input say when, and what
    bool window, no_prefetch, validate, stats, quiet, no_child, json, verbose, strict,
        allow_truncated;
    bool check_effects, benchmark;
    bool differing; // --screenshots differing: of frames that --expect does not pass
};

struct gv_run_export {
    uint32_t index;              // in the payload
    const struct gv_export *row; // there
    const char *name;
    const char *path;           // NULL: it is hashed
    bool each;                  // `path` is a folder, with a file for each of `frames`
    struct gv_selection frames; // owned
    enum gv_hash_form form;     // in which
    bool picture;               // or the bytes as they are
    enum gv_picture_format format;
};

struct gv_run_plan {
    uint64_t frame_count;       // of a stream: once it has ended
    bool streamed;              // selections are of one frame at a time
    uint64_t last_frame;        // the run stops after it, unless `tail`
    bool tail;                  // all frames are selected: run to the end
    struct gv_selection shots;  // screenshots; `end` included
    struct gv_selection hashes; // frames to hash; `end` included
    struct gv_command_set calls;
    bool hash;                                   // frames are hashed, or compared
    enum gv_hash_form forms[GV_HASH_FORM_COUNT]; // of --hash; at least one
    size_t form_count;
    enum gv_picture_format format;
    char *folder; // owned; where pictures go; NULL: there are none
    struct gv_expect expect;
    bool check_all; // every line of --expect must be met: all frames are hashed
    struct gv_run_export exports[2 * GV_OPTION_LIST_MAX]; // files first
    size_t export_count;
    bool exports_each;    // one is written behind frames, and not at the end
    bool *wanted_exports; // owned; [payload->export_count]
};

// GV_ERR_USAGE (also for what is out of range), GV_ERR_NOT_FOUND, GV_ERR_FORMAT
// (an --expect file that is none). gv_run_plan_finish is due either way.
bool gv_run_plan_make(struct gv_run_plan *plan, const struct gv_run_options *options,
                      const struct gv_payload *payload, struct gv_error *err);
void gv_run_plan_finish(struct gv_run_plan *plan);

// The number of the file of -o, among those that a child passes: behind all exports.
#define GV_RUN_THE_ONE GV_OPTION_LIST_MAX
#define GV_RUN_FRAME_TIMES (GV_OPTION_LIST_MAX + 1) // that of --frame-times

#define GV_RUN_END UINT64_MAX // "frame number" of the picture after the tail

// The file of a frame's picture; of the picture after a command. GV_ERR_OUTPUT: the
// name is too long.
#define GV_RUN_PATH 4096
#define GV_CALL_PREFIX "call_" // of names of commands' pictures
bool gv_run_plan_frame_path(const struct gv_run_plan *plan,
                            const struct gv_run_options *options, uint64_t frame,
                            char path[GV_RUN_PATH], struct gv_error *err);
bool gv_run_plan_call_path(const struct gv_run_plan *plan, uint64_t command,
                           char path[GV_RUN_PATH], struct gv_error *err);

// Calls `visit` for the file of each picture, and of exports of frames, until it is
// false.
typedef bool gv_run_plan_visit(void *context, const char *path, struct gv_error *err);
bool gv_run_plan_each_picture(const struct gv_run_plan *plan,
                              const struct gv_run_options *options,
                              gv_run_plan_visit *visit, void *context,
                              struct gv_error *err);

// No picture is an input, or another output: GV_ERR_USAGE.
bool gv_run_plan_guard(const struct gv_run_plan *plan,
                       const struct gv_run_options *options,
                       struct gv_input_guard *guard, struct gv_error *err);

// Whether the picture of a frame is needed.
bool gv_run_plan_wants(const struct gv_run_plan *plan, uint64_t frame);

#endif
