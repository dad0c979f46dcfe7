#include "tools/prof/prof_job.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/now.h"
#include "tools/prof/prof_text.h"
#include "tools/prof/prof_trace.h"
#include "tools/run/run_walk.h"
#include "tools/select/selection.h"
#include "tools/set_file.h"
#include "tools/watch/probes.h"

static struct gv_prof *prof_of(struct gv_run_job *job)
{
    return (struct gv_prof *)job; // its first member
}

// ---- which frames ----

static bool choose(struct gv_prof *p, uint64_t count, struct gv_error *err)
{
    struct gv_set set;
    struct gv_selection frames = { 0 };
    if (!gv_set_read(&set, p->frames ? p->frames : "all", err))
        return false;
    bool ok = gv_set_resolve(&set, count, "frame", &frames, err) &&
              (!frames.end ||
               gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--frames: `end` is no frame"));
    p->wanted = ok ? calloc((size_t)count + 1, sizeof *p->wanted) : NULL;
    if (ok && !p->wanted)
        ok = gv_out_of_memory(err);
    for (size_t i = 0; ok && i < frames.count; i++) {
        p->wanted[frames.numbers[i]] = true;
        p->last_frame = frames.numbers[i];
    }
    gv_selection_finish(&frames);
    gv_set_finish(&set);
    return ok;
}

static bool plan(struct gv_run_job *job, const struct gv_payload *payload,
                 struct gv_error *err)
{
    struct gv_prof *p = prof_of(job);
    p->payload = payload;
    return choose(p, payload->frame_count, err);
}

// ---- passes ----

static enum gv_stamp_by by_of(const char *word)
{
    return strcmp(word, "frame") == 0  ? GV_STAMP_FRAME
           : strcmp(word, "pass") == 0 ? GV_STAMP_PASS
                                       : GV_STAMP_DRAW;
}

static const struct gv_host *watch(struct gv_run_job *job, struct gv_runtime *runtime,
                                   struct gv_error *err)
{
    struct gv_prof *p = prof_of(job);
    const struct gv_stamps_params params = { .runtime = runtime,
                                             .by = by_of(p->by),
                                             .frames = p->wanted,
                                             .frame_count = p->payload->frame_count };
    p->stamps = gv_stamps_create(&params, err);
    return p->stamps ? gv_stamps_host(p->stamps) : NULL;
}

// `number` 0 warms up; then every second has stamps.
static bool pass(struct gv_prof *p, struct gv_run_walk *walk, uint64_t number,
                 struct gv_error *err)
{
    const struct gv_replay *r = &walk->session->replay;
    const bool stamped = number && number % 2 == 0;
    if (number && !gv_run_walk_restart(walk, err))
        return false;
    gv_stamps_begin(p->stamps, stamped);
    const uint64_t began = gv_now_ns();
    while (!walk->ended && r->next <= p->last_frame)
        if (!gv_run_walk_on(walk, NULL, err))
            return false;
    if (!gv_runtime_finish(r->runtime, err))
        return false;
    const uint64_t ns = gv_now_ns() - began;
    return gv_stamps_end(p->stamps, err) &&
           (!number || gv_prof_figures_add(&p->figures, p->stamps, stamped, ns, err));
}

static bool write_trace(struct gv_prof *p, struct gv_error *err)
{
    struct gv_bytes text = { 0 };
    bool ok = gv_prof_trace(&p->figures, p->payload, &text, err) &&
              gv_output_file_write(&p->out, text.data, text.size, err) &&
              gv_output_file_close(&p->out, err);
    gv_bytes_finish(&text);
    return ok;
}

static bool run(struct gv_run_job *job, struct gv_run_walk *walk, struct gv_error *err)
{
    struct gv_prof *p = prof_of(job);
    const uint64_t passes = gv_prof_all_passes(p);
    p->figures.tick_ns = (double)walk->session->replay.device.timestamp_ns;
    for (uint64_t i = 0; i < passes; i++)
        if (!pass(p, walk, i, err))
            return false;
    if (!gv_prof_figures_make(&p->figures, p->payload, p->wanted, err) ||
        (job->output && !write_trace(p, err)))
        return false;
    gv_prof_figures_sort(&p->figures);
    return true;
}

// ---- around it ----

static bool open_output(struct gv_run_job *job, struct gv_error *err)
{
    struct gv_prof *p = prof_of(job);
    return !job->output || (gv_output_file_init(&p->out, job->output, err) &&
                            gv_output_file_open(&p->out, err));
}

static bool keep(struct gv_run_job *job, struct gv_error *err)
{
    return !job->output || gv_output_file_keep(&prof_of(job)->out, err);
}

static void finish(struct gv_run_job *job)
{
    struct gv_prof *p = prof_of(job);
    if (job->output)
        gv_output_file_finish(&p->out);
    gv_stamps_destroy(p->stamps);
    gv_prof_figures_finish(&p->figures);
    free(p->wanted);
}

uint64_t gv_prof_all_passes(const struct gv_prof *p)
{
    return 1 + 2 * p->passes;
}

bool gv_prof_init(struct gv_prof *p, struct gv_error *err)
{
    p->job.set = p->frames;
    p->job.open = open_output;
    p->job.plan = plan;
    p->job.watch = watch;
    p->job.run = run;
    p->job.keep = keep;
    p->job.finish = finish;
    p->job.report = gv_prof_report;
    p->job.beside = (struct gv_runtime_budget){ GV_PROBES_OBJECTS, GV_PROBES_BYTES };
    return strcmp(p->by, "frame") == 0 || strcmp(p->by, "pass") == 0 ||
           strcmp(p->by, "draw") == 0 ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--by: '%.40s' is none of frame, pass, draw", p->by);
}
