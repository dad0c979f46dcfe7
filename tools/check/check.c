#include "tools/check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/base/path_kind.h"
#include "tools/check/check_device.h"
#include "tools/check/check_goldens.h"
#include "tools/check/check_guard.h"
#include "tools/check/check_job.h"
#include "tools/check/check_names.h"
#include "tools/check/check_report.h"
#include "tools/check/golden_times.h"
#include "tools/check/scratch.h"

// Everything of one check.
struct check {
    const struct gv_check_params *params;
    struct gv_check_shared shared;
    struct gv_check_items items;
    struct gv_check_report report;
    struct gv_golden_time *times; // owned; by name
    size_t *order;                // owned; of items
    size_t begun;                 // of the order
    size_t jobs, running;
    struct gv_check_job *slots; // owned; [jobs]
    struct gv_check_child children[GV_CHECK_JOBS];
    struct gv_scratch scratch;
    bool stop; // nothing more begins
};

// ---- before anything runs ----

static struct gv_golden_time *time_of(const struct check *c, const char *name)
{
    return gv_golden_times_find(c->times, c->items.count, name);
}

static bool plan(struct check *c, struct gv_error *err)
{
    const size_t count = c->items.count;
    c->times = calloc(count + 1, sizeof *c->times);
    if (!c->times)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        c->times[i].name = c->items.items[i].name;
    gv_golden_times_sort(c->times, count);
    if (!gv_golden_times_read(c->times, count, c->params->golden, err))
        return false;
    for (size_t i = 0; i < count; i++)
        c->items.items[i].ns = time_of(c, c->items.items[i].name)->ns;
    c->order = gv_check_items_order(&c->items);
    return c->order || gv_out_of_memory(err);
}

// A mistake in a golden file is told before hours of runs, not behind them. `take`:
// results of an earlier check become the items', where nothing has changed.
static bool read_goldens(struct check *c, bool take, struct gv_error *err)
{
    for (size_t i = 0; i < c->items.count; i++) {
        struct gv_check_job job;
        const bool ok =
            gv_check_job_begin(&job, &c->shared, &c->items.items[i], 0, err);
        gv_check_job_finish(&job);
        if (!ok)
            return false;
        if (take)
            gv_check_report_take(&c->report, i, job.item->name, job.golden_id);
    }
    return !take || gv_check_report_taken(&c->report, err);
}

static bool find_golden(const struct gv_check_params *p, struct gv_error *err)
{
    if (gv_path_kind(p->golden) == GV_PATH_FOLDER)
        return true;
    return p->bless ? gv_make_folders(p->golden, err)
                    : gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                              "%.100s: no golden folder; --bless makes it", p->golden);
}

static bool list(struct check *c, const struct gv_program *program,
                 struct gv_error *err)
{
    const struct gv_check_params *p = c->params;
    const struct gv_check_wish wish = { p->paths, p->path_count, p->filter };
    return find_golden(p, err) &&
           gv_check_items_list(&c->items, &wish, program->captures, err) &&
           gv_check_names(&c->items, p->golden, err) &&
           (!c->items.folders || p->filter ||
            gv_check_goldens_add(&c->items, p->golden, err)) &&
           (!p->fails || gv_check_fails_read(&c->shared.fails, p->fails, err));
}

static bool share_memory(struct check *c, struct gv_error *err)
{
    const uint64_t all = c->params->mem_mb;
    c->shared.mem_mb = all / c->jobs;
    return !all || c->shared.mem_mb >= GV_MEM_MB_LEAST ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--mem-mb %" PRIu64 " is less than %u for each of %zu captures at "
                   "once; see -j",
                   all, GV_MEM_MB_LEAST, c->jobs);
}

static bool prepare(struct check *c, const struct gv_program *program,
                    struct gv_error *err)
{
    const struct gv_check_params *p = c->params;
    c->shared = (struct gv_check_shared){ .params = p,
                                          .program = program->name,
                                          .scratch = c->scratch.path };
    if (!list(c, program, err) ||
        !gv_check_device_find(&c->shared.device, program->name, p->device, err))
        return false;
    c->jobs = p->jobs ? p->jobs : gv_check_device_jobs(&c->shared.device);
    if (c->jobs > c->items.count)
        c->jobs = c->items.count;
    if (!share_memory(c, err))
        return false;
    c->slots = calloc(c->jobs, sizeof *c->slots);
    return (c->slots || gv_out_of_memory(err)) && read_goldens(c, false, err) &&
           plan(c, err) && gv_check_guard(p, &c->items, err) &&
           gv_check_report_open(&c->report, c->items.count, err) &&
           (!c->report.kept || read_goldens(c, true, err)) &&
           gv_scratch_make(&c->scratch, p->output, err);
}

// ---- running ----

static bool end_item(struct check *c, struct gv_check_job *job, struct gv_error *err)
{
    const size_t item = (size_t)(job->item - c->items.items);
    if (!gv_check_job_result(job, &c->report.results, err))
        return false;
    struct gv_golden_time *time = time_of(c, job->item->name);
    if (job->word == GV_WORD_PASS && !time->ns)
        time->ns = job->ns;
    c->stop = c->stop || (c->params->fail_fast && !gv_word_is_expected(job->word));
    gv_check_job_finish(job);
    return gv_check_report_put(&c->report, item, err);
}

// Starts its next process, or ends it.
static bool go_on(struct check *c, size_t slot, bool again, struct gv_error *err)
{
    struct gv_check_job *job = &c->slots[slot];
    char *const *argv = again ? gv_check_job_next(job) : NULL;
    if (!argv)
        return end_item(c, job, err);
    c->running++;
    return gv_check_child_start(&c->children[slot], argv, c->params->timeout, err);
}

// The next item that no earlier result stands for, into a slot.
static bool begin_item(struct check *c, size_t slot, struct gv_error *err)
{
    const size_t index = c->order[c->begun++];
    const struct gv_check_item *item = &c->items.items[index];
    if (gv_check_report_has(&c->report, index))
        return true;
    return gv_check_job_begin(&c->slots[slot], &c->shared, item, slot, err) &&
           go_on(c, slot, true, err);
}

static bool fill(struct check *c, struct gv_error *err)
{
    for (size_t slot = 0; slot < c->jobs; slot++)
        while (!c->children[slot].pid && c->begun < c->items.count && !c->stop)
            if (!begin_item(c, slot, err))
                return false;
    return true;
}

static bool hear(struct check *c, struct gv_error *err)
{
    const size_t slot = gv_check_child_wait(c->children, c->jobs);
    struct gv_check_child *child = &c->children[slot];
    bool again = false;
    c->running--;
    const bool ok = gv_check_job_heard(&c->slots[slot], child, &again, err);
    gv_check_child_finish(child);
    return ok && go_on(c, slot, again, err);
}

static bool run(struct check *c, struct gv_error *err)
{
    if (!fill(c, err))
        return false;
    while (c->running)
        if (!hear(c, err) || !fill(c, err))
            return false;
    return true;
}

// ---- the end ----

static enum gv_exit judge(const struct check *c)
{
    const struct gv_results *results = &c->report.results;
    if (gv_results_unexpected(results))
        return GV_EXIT_DIFFER;
    if (gv_results_count(results, GV_WORD_SKIP) == results->count) {
        gv_say("check: the device can run none of them");
        return GV_EXIT_DEVICE;
    }
    return GV_EXIT_OK;
}

static bool end(struct check *c, struct gv_error *err)
{
    return (!c->params->bless ||
            gv_golden_times_write(c->times, c->items.count, c->params->golden, err)) &&
           gv_check_report_end(&c->report, err);
}

static void finish(struct check *c)
{
    for (size_t i = 0; i < c->jobs && c->slots; i++) {
        gv_check_child_finish(&c->children[i]);
        gv_check_job_finish(&c->slots[i]);
    }
    gv_scratch_remove(&c->scratch);
    gv_check_report_close(&c->report);
    gv_check_items_finish(&c->items);
    gv_check_fails_finish(&c->shared.fails);
    free(c->slots);
    free(c->times);
    free(c->order);
    free(c);
}

enum gv_exit gv_check(const struct gv_program *program,
                      const struct gv_check_params *params)
{
    struct gv_error err = GV_ERROR_INIT;
    struct check *c = calloc(1, sizeof *c);
    if (!c) {
        gv_out_of_memory(&err);
        return gv_report_error(NULL, &err, GV_PHASE_RUN, params->json);
    }
    c->params = c->report.params = params;
    c->report.lines.fd = -1;
    enum gv_phase phase = GV_PHASE_OPEN;
    bool ok = prepare(c, program, &err);
    if (ok) {
        phase = GV_PHASE_RUN;
        c->report.results.device = c->shared.device.name;
        c->report.device = &c->shared.device;
        ok = run(c, &err) && end(c, &err);
    }
    const enum gv_exit code =
        ok ? judge(c) : gv_report_error(NULL, &err, phase, params->json);
    finish(c);
    return code;
}
