#include "tools/run/run_session.h"

#include <malloc.h>

#include "tools/cut_file.h"
#include "tools/leak_check.h"
#include "tools/process/memory_bound.h"
#include "tools/program.h"
#include "tools/progress_bar.h"
#include "tools/run/driver_cache.h"
#include "tools/run/run_places.h"
#include "tools/sandbox/sandbox.h"
#include "tools/store/stores.h"
#include "vm/progress.h"
#include "vm/vm.h"

// What a session holds open.
struct parts {
    struct gv_progress *progress;
    struct gv_runtime *runtime;
    struct gv_vm *vm;
    size_t next_call; // of plan->calls
    bool at_picture;  // of a command it failed, not at what runs
    struct gv_stores stores;
    struct gv_progress_bar bar;
};

// Software drivers allocate each frame's work anew: freed memory stays for the next
// one.
#define KEPT_BYTES (1 << 30)

static void keep_freed_memory(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

// Files that a run may write beside those that are open: caches, and what was named.
// Links lead no further than that, which is said before the work instead of after.
static bool confine_files(const struct gv_run_session *s, struct gv_error *err)
{
    enum { NAMED = 3 };
    char prefix[GV_RUN_PATH];
    const char *paths[NAMED + GV_DRIVER_CACHE_PATHS] = {
        s->options->cache,
        s->plan->folder,
        gv_run_places_prefix(s->plan, s->options, prefix),
    };
    gv_driver_cache_paths(paths + NAMED);
    gv_sandbox_files(paths, sizeof paths / sizeof *paths, true, s->log);
    return gv_run_places_check(s->plan, s->options, err);
}

static bool open_runtime(struct gv_run_session *s, struct parts *parts,
                         struct gv_error *err)
{
    const struct gv_runtime_params params = {
        .device = s->options->device,
        .validate = s->options->validate,
        .memory_limit = s->memory_limit,
        .timeout_ns = s->options->timeout * 1000000000u,
        .cache_folder = s->options->cache,
        .log = s->log,
        .progress = parts->progress,
        .payload = s->payload,
    };
    gv_leak_check_keep_libraries();
    keep_freed_memory();
    parts->runtime = gv_runtime_create(&params, err);
    if (!parts->runtime)
        return false;
    gv_runtime_device(parts->runtime, &s->device);
    gv_runtime_want_exports(parts->runtime, s->plan->wanted_exports,
                            s->payload->export_count);
    return true;
}

static bool open_vm(struct gv_run_session *s, struct parts *parts, struct gv_error *err)
{
    const struct gv_vm_params params = {
        .payload = s->payload,
        .host = gv_runtime_host(parts->runtime),
        .sources = parts->stores.sources,
        .source_count = parts->stores.count,
        .memory_limit = s->memory_limit,
        .log = s->log,
        .progress = parts->progress,
        .stop_commands = s->plan->calls.commands,
        .stop_command_count = s->plan->calls.own.count,
    };
    parts->vm = gv_vm_create(&params, err);
    return parts->vm && gv_runtime_charge(parts->runtime, gv_vm_memory(parts->vm), err);
}

static bool open_progress(const struct gv_run_session *s, struct parts *parts,
                          struct gv_error *err)
{
    if (!s->progress_path)
        return true;
    parts->progress = gv_progress_create(s->progress_path, err);
    if (!parts->progress)
        return false;
    size_t size;
    const void *begin = gv_progress_mapping(parts->progress, &size);
    gv_cut_file_guard(begin, size, s->progress_path, GV_ERR_OUTPUT, s->options->json);
    return true;
}

static void close_progress(struct parts *parts)
{
    size_t size;
    if (parts->progress)
        gv_cut_file_release(gv_progress_mapping(parts->progress, &size));
    gv_progress_destroy(parts->progress);
}

static bool open_parts(struct gv_run_session *s, struct parts *parts,
                       struct gv_error *err)
{
    gv_progress_bar_init(&parts->bar, "running");
    parts->bar.terminal = parts->bar.terminal && !s->options->quiet;
    if (!open_progress(s, parts, err))
        return false;
    if (!gv_stores_open(&parts->stores, &s->options->stores, &s->options->fetching,
                        s->log, err))
        return false;
    gv_driver_cache_prepare(s->options->cache, s->log);
    // Only a child may give up what the program could still need.
    if (s->line && !confine_files(s, err))
        return false;
    s->phase = GV_PHASE_RUN;
    if (!open_runtime(s, parts, err))
        return false;
    s->phase = GV_PHASE_LOAD;
    if (!open_vm(s, parts, err))
        return false;
    s->phase = GV_PHASE_RUN;
    if (s->line) { // only a child may bound itself for good: its caller has more to do
        gv_bound_memory_further(s->memory_limit);
        gv_child_confine(s->line, GV_FILTER_DRIVER, s->log);
    }
    return true;
}

static void close_parts(struct parts *parts, bool lost)
{
    gv_progress_bar_finish(&parts->bar);
    if (!lost) {
        gv_vm_destroy(parts->vm);
        gv_runtime_destroy(parts->runtime);
        gv_stores_close(&parts->stores);
    }
    close_progress(parts);
}

static bool at_frame(struct gv_run_session *s, struct parts *parts, uint32_t frame,
                     struct gv_error *err)
{
    if (!gv_run_plan_wants(s->plan, frame))
        return true;
    struct gv_picture picture = { 0 };
    s->output->position = gv_vm_frame(parts->vm);
    bool ok = gv_runtime_frame_picture(parts->runtime, &picture, err) &&
              gv_run_output_frame(s->output, frame, &picture, err);
    gv_picture_finish(&picture);
    return ok;
}

// The frame that has a command. Behind the last command of one the next has begun.
static uint32_t frame_of(const struct gv_payload *p, uint64_t command)
{
    size_t low = 0, high = p->frame_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->frames[middle].command_end <= command)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static bool at_command(struct gv_run_session *s, struct parts *parts,
                       struct gv_error *err)
{
    struct gv_picture picture = { 0 };
    s->output->position =
        frame_of(s->payload, s->plan->calls.commands[parts->next_call]);
    bool ok = gv_runtime_target_picture(parts->runtime, &picture, err) &&
              gv_run_output_call(s->output, parts->next_call++, &picture, err);
    parts->at_picture = !ok;
    gv_picture_finish(&picture);
    return ok;
}

// Commands of the last frame that runs have no successor there to stop at.
static bool at_last_frame(struct gv_run_session *s, struct parts *parts,
                          struct gv_error *err)
{
    while (parts->next_call < s->plan->calls.own.count)
        if (!at_command(s, parts, err))
            return false;
    return true;
}

// The picture after the tail: presented there, or else what the last pass drew into.
static bool at_end(struct gv_run_session *s, struct parts *parts, struct gv_error *err)
{
    if (!s->plan->shots.end && !s->plan->hashes.end)
        return true;
    struct gv_picture picture = { 0 };
    s->output->position = gv_vm_frame(parts->vm);
    bool ok = gv_runtime_frame_picture(parts->runtime, &picture, err);
    if (ok && picture.width == 0)
        ok = gv_runtime_target_picture(parts->runtime, &picture, err);
    ok = ok && gv_run_output_frame(s->output, GV_RUN_END, &picture, err);
    gv_picture_finish(&picture);
    return ok;
}

static void note_first_frame(struct gv_run_session *s)
{
    if (s->times.first_frame_ns == 0)
        s->times.first_frame_ns = gv_now_ns() - s->program->start_ns;
}

// Whether the pictures of what runs next are needed. Later passes are replays alone.
static void want_next(struct gv_run_session *s, struct parts *parts, uint64_t frame,
                      bool first)
{
    bool end = frame >= s->plan->frame_count;
    bool wanted = end ? s->plan->shots.end || s->plan->hashes.end
                      : gv_run_plan_wants(s->plan, frame);
    gv_runtime_want_pictures(parts->runtime, first && wanted);
}

static bool run_pass(struct gv_run_session *s, struct parts *parts, bool first,
                     struct gv_error *err)
{
    uint64_t total = s->plan->tail ? s->plan->frame_count : s->plan->last_frame + 1;
    want_next(s, parts, 0, first);
    for (;;) {
        enum gv_stop stop;
        if (!gv_vm_run(parts->vm, &stop, err))
            return false;
        if (stop == GV_STOP_COMMAND && first && !at_command(s, parts, err))
            return false;
        if (stop == GV_STOP_END)
            return !first || at_end(s, parts, err);
        if (stop != GV_STOP_FRAME)
            continue;
        uint32_t frame = gv_vm_frame(parts->vm);
        if (!gv_run_output_ok(s->output, err)) // no use in going on
            return false;
        if (first && !at_frame(s, parts, frame, err))
            return false;
        // Someone who times the first frame waits for it.
        if (first && frame == 0 && s->options->stats &&
            !gv_runtime_finish(parts->runtime, err))
            return false;
        note_first_frame(s);
        gv_progress_bar_update(&parts->bar, frame + 1, total);
        if (!s->plan->tail && frame >= s->plan->last_frame)
            return !first || at_last_frame(s, parts, err);
        want_next(s, parts, (uint64_t)frame + 1, first);
    }
}

static bool run_passes(struct gv_run_session *s, struct parts *parts,
                       struct gv_error *err)
{
    for (uint64_t pass = 0; pass < s->options->loop; pass++) {
        if (pass > 0) {
            if (!gv_runtime_reset(parts->runtime, err))
                return false;
            gv_vm_restart(parts->vm);
        }
        uint64_t start = gv_now_ns();
        if (!run_pass(s, parts, pass == 0, err) ||
            !gv_run_output_drain(s->output, err) ||
            !gv_runtime_finish(parts->runtime, err))
            return false;
        uint64_t ns = gv_now_ns() - start;
        s->times.passes++;
        if (pass == 0)
            s->times.first_pass_ns = ns;
        else
            s->times.later_passes_ns += ns;
        for (size_t i = 0; pass == 0 && i < s->plan->export_count; i++)
            if (!gv_run_output_export(s->output, i, parts->runtime, err))
                return false;
    }
    gv_progress_finished(parts->progress);
    gv_run_output_end(s->output);
    return true;
}

bool gv_run_session_run(struct gv_run_session *s, struct gv_error *err)
{
    struct parts parts = { 0 };
    s->phase = GV_PHASE_LOAD;
    gv_child_starting(s->line);
    bool ok = open_parts(s, &parts, err);
    if (ok) {
        gv_child_running(s->line);
        s->started = true;
        ok = run_passes(s, &parts, err);
        s->frame = parts.at_picture ? s->output->position : gv_vm_frame(parts.vm);
        // What was pictured before the run ended is kept, whatever ended it.
        if (!gv_run_output_drain(s->output, err)) {
            s->frame = s->output->position;
            ok = false;
        }
        gv_vm_get_stats(parts.vm, &s->vm_stats);
    }
    if (parts.runtime) {
        gv_runtime_get_stats(parts.runtime, &s->runtime_stats);
        s->exact = gv_runtime_exact(parts.runtime);
        s->validation_messages = gv_runtime_validation_messages(parts.runtime);
    }
    close_parts(&parts, err->status == GV_ERR_LOST);
    return ok;
}
