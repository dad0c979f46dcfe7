#include "tools/issues/issues_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/issues/issue_text.h"
#include "tools/run/run_walk.h"
#include "tools/watch/probes.h"

#define VALIDATION "validation: " // how the runtime begins such messages

static struct gv_issues_job *job_of(struct gv_run_job *job)
{
    return (struct gv_issues_job *)job; // its first member
}

// ---- what the payload and the device say ----

static void add_diagnostics(struct gv_issues_job *j)
{
    static const enum gv_issue_severity severities[] = {
        [GV_NOTE] = GV_ISSUE_NOTE,
        [GV_WARNING] = GV_ISSUE_WARNING,
        [GV_UNSUPPORTED] = GV_ISSUE_ERROR,
    };
    for (size_t i = 0; i < j->payload->diagnostic_count; i++) {
        const struct gv_diagnostic *d = &j->payload->diagnostics[i];
        struct gv_issue one = {
            .severity =
                d->severity <= GV_UNSUPPORTED ? severities[d->severity] : GV_ISSUE_NOTE,
            .code = d->code,
            .command = d->command,
            .offset = d->offset,
        };
        if (d->count > 1)
            snprintf(one.text, sizeof one.text, "%.160s (%" PRIu64 " times)", d->text,
                     d->count);
        else
            snprintf(one.text, sizeof one.text, "%.190s", d->text);
        gv_issues_add(&j->issues, j->payload, &one);
    }
}

// What of the payload's wishes this device does in another way.
static bool add_fallbacks(struct gv_issues_job *j, const struct gv_device_info *mine,
                          struct gv_error *err)
{
    struct gv_device_info *devices = NULL;
    size_t count = 0;
    bool ok = gv_runtime_devices(j->payload, &devices, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (memcmp(devices[i].uuid, mine->uuid, sizeof mine->uuid) != 0)
            continue;
        for (size_t k = 0; k < devices[i].fallback_count; k++) {
            const struct gv_device_fallback *f = &devices[i].fallbacks[k];
            struct gv_issue one = {
                .severity = strcmp(f->strength, "preferred") == 0 ? GV_ISSUE_WARNING
                                                                  : GV_ISSUE_NOTE,
                .code = "fallback",
                .command = GV_NO_COMMAND,
                .offset = GV_NO_OFFSET,
            };
            snprintf(one.text, sizeof one.text, "the device misses %.60s: %.110s",
                     f->missed, f->fallback);
            gv_issues_add(&j->issues, j->payload, &one);
        }
        break;
    }
    gv_device_infos_free(devices, count);
    return ok;
}

// Resources that nobody has end the run, and are an issue of their command.
static bool take_failed_fetch(struct gv_issues_job *j, struct gv_error *err)
{
    if (err->status != GV_ERR_FETCH)
        return false;
    struct gv_issue one = { .severity = GV_ISSUE_ERROR,
                            .code = "fetch",
                            .command = err->command,
                            .offset = GV_NO_OFFSET };
    snprintf(one.text, sizeof one.text, "%.160s; nothing behind it was looked at",
             err->message);
    gv_issues_add(&j->issues, j->payload, &one);
    gv_error_clear(err);
    return true;
}

// ---- the run ----

static bool plan(struct gv_run_job *job, const struct gv_payload *payload,
                 struct gv_error *err)
{
    (void)err;
    job_of(job)->payload = payload;
    return true;
}

static const struct gv_host *watch(struct gv_run_job *job, struct gv_runtime *runtime,
                                   struct gv_error *err)
{
    struct gv_issues_job *j = job_of(job);
    j->host = gv_issue_host_create(runtime, j->payload, &j->issues, err);
    return j->host ? gv_issue_host_calls(j->host) : NULL;
}

static bool run(struct gv_run_job *job, struct gv_run_walk *walk, struct gv_error *err)
{
    struct gv_issues_job *j = job_of(job);
    const struct gv_replay *r = &walk->session->replay;
    add_diagnostics(j);
    if (!add_fallbacks(j, &r->device, err))
        return false;
    bool ok = gv_run_walk_to_end(walk, err) || take_failed_fetch(j, err);
    ok = ok && gv_issue_host_end(j->host, err) && gv_runtime_finish(r->runtime, err);
    gv_issues_sort(&j->issues);
    return ok;
}

// ---- around it ----

static void on_log(void *context, enum gv_log_level level, const char *text)
{
    struct gv_issues_job *j = context;
    const size_t length = strlen(VALIDATION);
    if (j->host && strncmp(text, VALIDATION, length) == 0)
        gv_issue_host_message(j->host, text + length);
    else if (j->further.write)
        j->further.write(j->further.context, level, text);
}

static bool open_nothing(struct gv_run_job *job, struct gv_error *err)
{
    (void)job;
    (void)err;
    return true;
}

static void finish(struct gv_run_job *job)
{
    struct gv_issues_job *j = job_of(job);
    gv_issue_host_destroy(j->host);
    gv_issues_finish(&j->issues);
}

static enum gv_exit code_of(const struct gv_run_job *job)
{
    const struct gv_issues_job *j = (const struct gv_issues_job *)job;
    for (size_t i = 0; j->fail_on && i < gv_issues_count(&j->issues); i++)
        if (gv_issues_at(&j->issues, i)->severity >= j->least)
            return GV_EXIT_DIFFER;
    return GV_EXIT_OK;
}

bool gv_issues_job_init(struct gv_issues_job *j, struct gv_error *err)
{
    j->further = gv_stderr_log(j->verbose);
    j->log = (struct gv_log){ on_log, j };
    j->job = (struct gv_run_job){
        .open = open_nothing,
        .keep = open_nothing,
        .finish = finish,
        .plan = plan,
        .beside = { GV_PROBES_OBJECTS, GV_PROBES_BYTES },
        .log = &j->log,
        .watch = watch,
        .run = run,
        .report = gv_issues_report,
        .code = code_of,
    };
    return !j->fail_on || gv_issue_severity_find(j->fail_on, &j->least) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--fail-on: '%.40s' is none of note, warning, error", j->fail_on);
}
