#include "tools/run/run_session.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "resources/base/now.h"
#include "tools/audit/effect_audit.h"
#include "tools/cut_file.h"
#include "tools/leak_check.h"
#include "tools/process/driver_cache.h"
#include "tools/process/memory_bound.h"
#include "tools/program.h"
#include "tools/run/run_bench.h"
#include "tools/run/run_interactive.h"
#include "tools/run/run_job.h"
#include "tools/run/run_places.h"
#include "tools/run/run_prewarm.h"
#include "tools/run/run_slice.h"
#include "tools/run/run_walk.h"
#include "tools/run/run_window.h"
#include "tools/sandbox/sandbox.h"
#include "tools/store/stores.h"
#include "tools/store/token.h"
#include "vm/machine/progress.h"
#include "vm/machine/vm.h"

// What a session holds open.
struct parts {
    struct gv_progress *progress;
    struct gv_effect_audit *audit; // --check-effects; NULL: of dispatches alone
    struct gv_stores stores;
    struct gv_source **sources; // owned: all of them
    size_t source_count;
    struct gv_progress_bar bar;
    struct gv_run_walk walk;
};

// Software drivers allocate each frame's work anew, and what vertex shaders make of
// each draw: freed memory stays for the next one. A threshold that is set ends the
// growing of that of mmap, so it is set to the most that there may be.
#define KEPT_BYTES (1 << 30)
#define KEPT_PIECE (32 << 20)

static void keep_freed_memory(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, KEPT_PIECE);
#endif
}

// Files that a run may write beside those that are open: caches, and what was named.
// Links lead no further than that, which is said before the work instead of after.
static bool confine_files(const struct gv_run_session *s, struct gv_error *err)
{
    enum { NAMED = 3 };
    char prefix[GV_RUN_PATH];
    const char *paths[NAMED + GV_DRIVER_CACHE_PATHS + GV_OPTION_LIST_MAX] = {
        s->options->cache,
        s->plan->folder,
        gv_run_places_prefix(s->plan, s->options, prefix),
    };
    gv_driver_cache_paths(paths + NAMED);
    size_t count = NAMED + GV_DRIVER_CACHE_PATHS;
    for (size_t i = 0; i < s->plan->export_count; i++)
        if (s->plan->exports[i].each)
            paths[count++] = s->plan->exports[i].path;
    gv_sandbox_files(paths, count, true, s->log);
    return gv_run_places_check(s->plan, s->options, err);
}

static bool open_device(struct gv_run_session *s, const struct parts *parts,
                        struct gv_error *err)
{
    struct gv_runtime_params params = {
        .device = s->options->device,
        .validate = s->options->validate,
        .check_effects = s->options->check_effects,
        .memory_limit = s->memory_limit,
        .timeout_ns = s->options->timeout * 1000000000u,
        .cache_folder = s->options->cache,
        .log = s->log,
        .progress = parts->progress,
        .beside =
            s->options->job ? s->options->job->beside : (struct gv_runtime_budget){ 0 },
    };
    if (s->options->job && s->options->job->log)
        params.log = s->options->job->log;
    gv_leak_check_keep_libraries();
    keep_freed_memory();
    return gv_replay_open_device(&s->replay, s->payload, &params,
                                 s->plan->wanted_exports, err);
}

// Those of the options, behind the stream's own.
static bool list_sources(const struct gv_run_session *s, struct parts *parts,
                         struct gv_error *err)
{
    const struct gv_stores *stores = &parts->stores;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    parts->sources = calloc(stores->count + 2, sizeof *parts->sources);
    if (!parts->sources)
        return gv_out_of_memory(err);
    if (s->stream && !s->payload->thin)
        parts->sources[parts->source_count++] = gv_stream_source(s->stream->stream);
    if (s->remote)
        parts->sources[parts->source_count++] = s->remote;
    for (size_t i = 0; i < stores->count; i++)
        parts->sources[parts->source_count++] = stores->sources[i];
    return true;
}

// How many frames resources are fetched for before they are used.
static uint64_t frames_ahead(const struct gv_run_session *s)
{
    if (s->options->no_prefetch)
        return 0;
    return s->plan->tail ? UINT64_MAX : (uint64_t)s->plan->last_frame + 1;
}

// Code that is all there runs from its beginning to its end, and not again.
static bool runs_once(const struct gv_run_session *s)
{
    const struct gv_run_options *o = s->options;
    return !s->stream && !s->window && o->loop <= 1 && !o->interactive;
}

static bool open_audit(const struct gv_run_session *s, struct parts *parts,
                       struct gv_error *err)
{
    if (!s->options->check_effects || !runs_once(s))
        return true;
    parts->audit =
        gv_effect_audit_create(s->replay.runtime, s->replay.start.running, s->log, err);
    return parts->audit;
}

// Around the runtime's; NULL: its own.
static bool choose_host(const struct gv_run_session *s, struct parts *parts,
                        const struct gv_host **host, struct gv_error *err)
{
    struct gv_run_job *job = s->options->job;
    const bool watches = job && job->watch;
    if (watches)
        *host = job->watch(job, s->replay.runtime, err);
    else if (open_audit(s, parts, err))
        *host = parts->audit ? gv_effect_audit_host(parts->audit) : NULL;
    return err->status == GV_OK;
}

static bool open_machine(struct gv_run_session *s, struct parts *parts,
                         struct gv_error *err)
{
    const struct gv_host *host = NULL;
    if (!list_sources(s, parts, err) || !choose_host(s, parts, &host, err))
        return false;
    const struct gv_vm_params machine = {
        .host = host,
        .sources = parts->sources,
        .source_count = parts->source_count,
        .cache_limit = s->options->cache_mb << 20,
        .frames_ahead = frames_ahead(s),
        .once = runs_once(s),
        .stop_commands = s->plan->calls.commands,
        .stop_command_count = s->plan->calls.own.count,
    };
    return gv_replay_open_machine(&s->replay, &machine, err);
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

// Of a stream nothing is behind. Effects are checked of all code. In a window any frame
// may be wanted.
static bool begin(struct gv_run_session *s, struct gv_error *err)
{
    const uint64_t start_ns = gv_now_ns();
    struct gv_run_job *job = s->options->job;
    uint64_t frame = 0;
    if (job && job->begin)
        return job->begin(job, &s->replay, err);
    bool ok = (s->options->check_effects ||
               gv_run_slice_start(s->payload, s->plan, s->memory_limit, &frame, err)) &&
              gv_replay_begin_at(&s->replay, frame, err);
    s->times.slice_ns = gv_now_ns() - start_ns;
    s->times.began_at = s->replay.start.running->first_frame;
    return ok && (s->window || gv_run_slice(&s->replay, s->plan, s->options, err));
}

static bool open_window(struct gv_run_session *s, struct gv_error *err)
{
    const struct gv_run_window_params params = { s->payload, s->plan,
                                                 s->replay.device.name,
                                                 s->memory_limit };
    return gv_run_window_open(s->window, &params, s->replay.runtime, err);
}

static bool open_parts(struct gv_run_session *s, struct parts *parts,
                       struct gv_error *err)
{
    gv_progress_bar_init(&parts->bar, "running");
    parts->bar.unit = "frames";
    // Of a stream nobody knows the length, and who answers lines may wait for long.
    parts->bar.terminal = parts->bar.terminal && !s->options->quiet && !s->window &&
                          !s->stream && !s->options->interactive &&
                          !s->options->prewarm;
    if (!open_progress(s, parts, err))
        return false;
    if (s->stream)
        s->stream->progress = parts->progress;
    if (!gv_stores_open(&parts->stores, &s->options->stores, &s->options->fetching,
                        s->log, err))
        return false;
    if (s->line) // what replays need not know it
        gv_token_let_go(&s->options->fetching);
    gv_driver_cache_prepare(s->options->cache, s->log);
    gv_runtime_skip_drivers(s->log);
    // Only a child may give up what the program could still need.
    if (s->line && !confine_files(s, err))
        return false;
    s->phase = GV_PHASE_RUN;
    if (!open_device(s, parts, err))
        return false;
    s->phase = GV_PHASE_LOAD;
    if (!begin(s, err) || !open_machine(s, parts, err))
        return false;
    s->phase = GV_PHASE_RUN;
    if (s->window && !open_window(s, err))
        return false;
    if (s->line) { // only a child may bound itself for good: its caller has more to do
        gv_bound_memory_further(s->memory_limit);
        gv_child_confine(s->line, GV_FILTER_DRIVER, s->log);
    }
    gv_progress_bar_start(&parts->bar);
    return true;
}

static void close_parts(struct gv_run_session *s, struct parts *parts)
{
    const bool lost = s->replay.lost;
    gv_progress_bar_finish(&parts->bar);
    gv_replay_close(&s->replay);
    if (!lost) {
        gv_effect_audit_destroy(parts->audit);
        gv_stores_close(&parts->stores);
    }
    free(parts->sources);
    close_progress(parts);
}

static bool write_frame_times(const struct gv_run_session *s, struct gv_error *err)
{
    struct gv_bytes table = { 0 };
    const bool ok =
        (s->options->bench->table(s->bench, &table) || gv_out_of_memory(err)) &&
        gv_run_output_file(s->output, GV_RUN_FRAME_TIMES, table.data, table.size, err);
    gv_bytes_finish(&table);
    return ok;
}

// Behind the end of the first pass: exports are of that one.
static bool write_exports(struct gv_run_session *s, struct gv_error *err)
{
    for (size_t i = 0; i < s->plan->export_count; i++)
        if (!s->plan->exports[i].each &&
            !gv_run_output_export(s->output, i, s->replay.runtime, err))
            return false;
    return true;
}

// All of a pass that has begun. Later passes are replays alone.
static bool finish_pass(struct gv_run_session *s, struct parts *parts,
                        struct gv_error *err)
{
    const bool first = s->times.passes == 0;
    const uint64_t start = gv_now_ns();
    if (!gv_run_walk_to_end(&parts->walk, err) ||
        !gv_run_output_drain(s->output, err) ||
        !gv_runtime_finish(s->replay.runtime, err))
        return false;
    const uint64_t ns = gv_now_ns() - start;
    if (s->bench)
        s->options->bench->end(s->bench);
    s->times.passes++;
    if (first)
        s->times.first_pass_ns = ns;
    else
        s->times.later_passes_ns += ns;
    return !first || write_exports(s, err);
}

static bool run_passes(struct gv_run_session *s, struct parts *parts,
                       struct gv_error *err)
{
    for (uint64_t pass = 0; pass < s->options->loop; pass++) {
        if (pass > 0 && !gv_run_walk_restart(&parts->walk, err))
            return false;
        if (s->bench)
            s->options->bench->begin(s->bench, s->replay.runtime);
        if (!finish_pass(s, parts, err))
            return false;
    }
    gv_progress_finished(parts->progress);
    gv_run_compare_end(&s->output->compare);
    return !s->options->frame_times || write_frame_times(s, err);
}

static bool makes_something(const struct gv_run_session *s)
{
    const struct gv_run_plan *plan = s->plan;
    return plan->hash || plan->folder || plan->calls.own.count || plan->export_count;
}

// Runs to the frame, from the first one on if it lies behind.
static bool show(struct gv_run_window *window, struct gv_run_walk *walk,
                 const struct gv_run_window_wish *wish, struct gv_error *err)
{
    struct gv_picture picture = { 0 };
    const struct gv_replay *r = &walk->session->replay;
    bool ok = gv_run_walk_near(walk, wish->frame, err);
    while (ok && r->next <= wish->frame && !walk->ended)
        ok = gv_run_walk_on(walk, r->next == wish->frame ? &picture : NULL, err);
    if (ok && r->next != wish->frame + 1)
        ok =
            gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "the code ends before the frame");
    ok = ok && gv_run_window_give(window, wish, &picture, r->vm, err);
    gv_picture_finish(&picture);
    return ok;
}

// Of a stream the next frame, which is the only one that can be shown; at the end, how
// many there were.
static bool show_next(struct gv_run_session *s, struct parts *parts,
                      const struct gv_run_window_wish *wish, struct gv_error *err)
{
    struct gv_run_walk *walk = &parts->walk;
    const struct gv_replay *r = &s->replay;
    struct gv_picture picture = { 0 };
    const uint64_t next = r->next;
    bool ok = true;
    if (!walk->ended && wish->frame != next)
        ok = gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                     "a window wants frame %" PRIu64 " of a stream that is at %" PRIu64,
                     wish->frame, next);
    else if (!walk->ended)
        ok = gv_run_walk_on(walk, &picture, err);
    if (ok && r->next == next + 1)
        ok = gv_run_window_give(s->window, wish, &picture, r->vm, err);
    if (ok && walk->ended)
        gv_run_window_came(s->window, r->next);
    gv_picture_finish(&picture);
    return ok;
}

// Whether a stream has ended because nobody wants it, of which the window tells more.
static bool is_left(const struct gv_run_session *s, struct gv_error *err)
{
    if (!s->stream || !s->window->left || s->window->needs_all)
        return false;
    gv_error_clear(err);
    return true;
}

// Somebody at a window says which frame is next. What was asked for beside it is made
// as ever: what nobody has looked at, once the window is left.
static bool run_for_window(struct gv_run_session *s, struct parts *parts,
                           struct gv_error *err)
{
    struct gv_run_window *window = s->window;
    struct gv_run_window_wish wish = { 0 };
    for (;;) {
        if (s->times.passes == 0 &&
            (s->replay.next == window->count || (s->stream && parts->walk.ended)) &&
            !finish_pass(s, parts, err))
            return false;
        if (!gv_run_window_take(window, parts->progress, &wish, err))
            return false;
        if (wish.leave)
            break;
        if (!(s->stream ? show_next(s, parts, &wish, err)
                        : show(window, &parts->walk, &wish, err)) &&
            !is_left(s, err))
            return false;
    }
    if (s->times.passes == 0 && makes_something(s) && !finish_pass(s, parts, err))
        return false;
    gv_progress_finished(parts->progress);
    gv_run_compare_end(&s->output->compare);
    return true;
}

// --prewarm: says that all is ready, and waits for a line. `*go` is false at the end of
// the input.
static bool prewarm(struct gv_run_session *s, struct gv_line_reader *lines, bool *go,
                    struct gv_error *err)
{
    char line[GV_LINE_BYTES];
    size_t made = 0;
    *go = true;
    if (!s->pipelines)
        return true;
    if (!gv_run_prewarm(s->replay.runtime, s->replay.vm, s->payload, s->pipelines,
                        &made, err))
        return false;
    printf("ready\t%zu\n", made);
    fflush(stdout);
    if (s->options->interactive) // its lines are what it waits for
        return true;
    bool ended = false;
    bool read = gv_line_reader_next(lines, line, &ended, err);
    *go = !ended;
    return read;
}

static bool run_all(struct gv_run_session *s, struct parts *parts, struct gv_error *err)
{
    struct gv_line_reader lines = { .progress = parts->progress };
    bool go;
    if (s->window)
        return run_for_window(s, parts, err);
    if (!prewarm(s, &lines, &go, err))
        return false;
    if (s->options->job)
        return s->options->job->run(s->options->job, &parts->walk, err);
    if (s->options->interactive)
        return gv_run_interactive(&parts->walk, &lines, err);
    return !go || run_passes(s, parts, err);
}

bool gv_run_session_run(struct gv_run_session *s, struct gv_error *err)
{
    struct parts parts = { 0 };
    s->phase = GV_PHASE_LOAD;
    gv_child_starting(s->line);
    if (s->options->bench)
        s->bench = s->options->bench->create();
    bool ok = s->options->bench && !s->bench ? gv_out_of_memory(err)
                                             : open_parts(s, &parts, err);
    if (ok) {
        gv_child_running(s->line);
        s->started = true;
        parts.walk = (struct gv_run_walk){
            .session = s,
            .bar = &parts.bar,
            .sources = parts.sources,
            .source_count = parts.source_count,
        };
        ok = run_all(s, &parts, err);
        s->frame =
            parts.walk.at_picture ? s->output->position : gv_vm_frame(s->replay.vm);
        // What was pictured before the run ended is kept, whatever ended it.
        if (!gv_run_output_drain(s->output, err)) {
            s->frame = s->output->position;
            ok = false;
        }
        gv_vm_get_stats(s->replay.vm, &s->vm_stats);
    }
    s->times.slice_ns += s->replay.slice_ns;
    if (err->status != GV_OK)
        gv_replay_failed(&s->replay, err);
    if (s->replay.runtime) {
        gv_runtime_get_stats(s->replay.runtime, &s->runtime_stats);
        s->exact = gv_replay_is_exact(&s->replay);
        s->effect_violations = gv_runtime_effect_violations(s->replay.runtime);
        if (parts.audit)
            s->effect_violations += gv_effect_audit_violations(parts.audit);
        s->validation_messages = gv_runtime_validation_messages(s->replay.runtime);
    }
    close_parts(s, &parts);
    return ok;
}
