#include "tools/check/check_job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/foreign.h"
#include "tools/base/last_position.h"
#include "tools/check/check_golden_id.h"
#include "tools/check/check_pictures.h"
#include "tools/check/golden_write.h"
#include "tools/input.h"

#define SILENT_S 60 // of run's own --timeout, where that is less than a check's

bool gv_check_job_scratch(const struct gv_check_job *job, char path[GV_GOLDEN_PATH],
                          struct gv_error *err)
{
    return snprintf(path, GV_GOLDEN_PATH, "%s/job%zu", job->shared->scratch,
                    job->slot) < GV_GOLDEN_PATH ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the folder's name is too long");
}

static bool load_golden(struct gv_check_job *job, const struct gv_check_device *device,
                        struct gv_error *err)
{
    const char *folder = job->shared->params->golden;
    gv_golden_finish(&job->golden);
    return gv_golden_device(job->device, folder, device, err) &&
           gv_golden_load(&job->golden, folder, job->item->name, job->device, err);
}

bool gv_check_job_begin(struct gv_check_job *job, const struct gv_check_shared *shared,
                        const struct gv_check_item *item, size_t slot,
                        struct gv_error *err)
{
    *job = (struct gv_check_job){ .shared = shared, .item = item, .slot = slot };
    if (!load_golden(job, &shared->device, err) ||
        !gv_check_golden_id(job, job->golden_id, err))
        return false;
    while (job->golden.count && job->golden.lines[0].forms &&
           !(job->golden.lines[0].forms & 1u << job->form))
        job->form++;
    return true;
}

// ---- arguments ----

static void add(struct gv_check_job *job, size_t *count, const char *argument)
{
    if (*count + 1 < GV_CHECK_ARGS)
        job->args[(*count)++] = argument;
}

static void add_text(struct gv_check_job *job, size_t *count, const char *format, ...)
    GV_PRINTF(3, 4);

static void add_text(struct gv_check_job *job, size_t *count, const char *format, ...)
{
    char *text = job->texts[job->text_count++];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof job->texts[0], format, args);
    va_end(args);
    add(job, count, text);
}

static void add_pictures(struct gv_check_job *job, size_t *count)
{
    char folder[GV_GOLDEN_PATH];
    if (!job->picturing || !gv_check_job_scratch(job, folder, NULL))
        return;
    add_text(job, count, "--screenshots=@%s/frames.set", folder);
    add_text(job, count, "--screenshot-dir=%s", folder);
}

char *const *gv_check_job_next(struct gv_check_job *job)
{
    const struct gv_check_params *p = job->shared->params;
    size_t count = 0;
    job->text_count = 0;
    if (!job->item->there)
        return NULL;
    add(job, &count, job->shared->program);
    add(job, &count, "run");
    add(job, &count, "--json");
    add(job, &count, "--quiet");
    for (const char *const *arg = p->run_args; *arg; arg++)
        add(job, &count, *arg);
    if (p->timeout)
        add_text(job, &count, "--timeout=%" PRIu64,
                 p->timeout < SILENT_S ? p->timeout : SILENT_S);
    if (job->shared->mem_mb)
        add_text(job, &count, "--mem-mb=%" PRIu64, job->shared->mem_mb);
    if (job->golden.frames[0])
        add_text(job, &count, "--frames=%s", job->golden.frames);
    add_text(job, &count, "--hash=%s", gv_hash_form_name(job->form));
    add_pictures(job, &count);
    add(job, &count, "--");
    add(job, &count, job->item->file);
    job->args[count] = NULL;
    return (char *const *)job->args;
}

// ---- judging ----

static void judge(struct gv_check_job *job, enum gv_word word, const char *format, ...)
    GV_PRINTF(3, 4);

static void judge(struct gv_check_job *job, enum gv_word word, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(job->why, sizeof job->why, format, args);
    va_end(args);
    gv_foreign_mask(job->why);
    job->word = word;
}

// What `run` said of itself, or else the first line on standard error.
static const char *words_of(struct gv_check_job *job,
                            const struct gv_check_child *child, char room[512])
{
    if (job->seen.error[0])
        return job->seen.error;
    snprintf(room, 512, "%.*s", (int)strcspn(child->last_words, "\n"),
             child->last_words);
    return room;
}

// The parent's words, or those of who waited for the device.
static bool is_time_out(const char *words)
{
    return strncmp(words, GV_WHY_TIME_OUT, strlen(GV_WHY_TIME_OUT)) == 0 ||
           strstr(words, "no completed submission for");
}

// A run that has ended with an error.
static void judge_exit(struct gv_check_job *job, const struct gv_check_child *child,
                       enum gv_exit code)
{
    char room[512];
    const char *words = words_of(job, child, room);
    if (access(job->item->file, F_OK) != 0 && !gv_input_is_url(job->item->file))
        judge(job, GV_WORD_MISSING, "%s", words);
    else if (code == GV_EXIT_LOST)
        judge(job, is_time_out(words) ? GV_WORD_TIMEOUT : GV_WORD_CRASH, "%s", words);
    else if (code == GV_EXIT_DEVICE && strstr(words, "the device misses"))
        judge(job, GV_WORD_SKIP, "%s", words);
    else
        judge(job, GV_WORD_FAIL, "%s", words);
}

// What is no option of the replay is none for any capture: the gate is wrong. A SET of
// the golden file is that capture's own.
static bool is_gates(const struct gv_check_job *job, enum gv_exit code)
{
    return code == GV_EXIT_USAGE && !job->golden.frames[0] &&
           access(job->item->file, R_OK) == 0;
}

// A process that did not come to its end by itself. False: it did.
static bool judge_end(struct gv_check_job *job, const struct gv_check_child *child)
{
    if (child->end == GV_CHECK_LATE)
        judge(job, GV_WORD_TIMEOUT, "it took over %" PRIu64 " s",
              job->shared->params->timeout);
    else if (child->end == GV_CHECK_TALKED)
        judge(job, GV_WORD_FAIL, "it printed more than a check keeps");
    else if (WIFSIGNALED(child->status))
        judge(job, GV_WORD_CRASH, "the run died (%s)",
              strsignal(WTERMSIG(child->status)));
    else if (!job->seen.told)
        judge(job, GV_WORD_CRASH, "the run ended without a result (%d)",
              WEXITSTATUS(child->status));
    else
        return false;
    return true;
}

static size_t differing(const struct gv_check_job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->difference.count; i++)
        count += !job->difference.items[i].passes;
    return count;
}

// What the frames come to.
static void judge_frames(struct gv_check_job *job)
{
    const size_t count = differing(job), within = job->difference.count - count;
    const struct gv_check_differing *first = job->difference.items;
    while (count && first->passes)
        first++;
    if (!job->golden.there)
        judge(job, GV_WORD_FAIL, "no golden file; --bless makes it");
    else if (count == 1)
        judge(job, GV_WORD_FAIL, "frame %s: %s", first->frame, first->why);
    else if (count)
        judge(job, GV_WORD_FAIL, "%zu frames differ; frame %s: %s", count, first->frame,
              first->why);
    else if (within)
        judge(job, GV_WORD_PASS, "%zu frame%s within the tolerance", within,
              gv_plural(within));
    else
        judge(job, GV_WORD_PASS, "%s", "");
}

// A run that did not show all, or not as exactly as the capture wants, is no mere pass.
static void judge_quality(struct gv_check_job *job)
{
    const bool complete = job->seen.complete, exact = job->seen.exact;
    if (complete && exact)
        return;
    snprintf(job->note, sizeof job->note, "%s%s%s", complete ? "" : "incomplete",
             complete || exact ? "" : ", ", exact ? "" : "inexact");
    if (job->shared->params->strict && job->word == GV_WORD_PASS)
        judge(job, GV_WORD_FAIL, "%s, which --strict refuses",
              complete ? "the device lacks what is preferred"
                       : "unsupported calls were skipped");
}

// ---- one process after the other ----

static void drop_passing(struct gv_check_difference *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++)
        if (!d->items[i].passes)
            d->items[kept++] = d->items[i];
    d->count = kept;
}

// What is left are frames that were not shown, whose lines are not in the device's own
// file.
static bool drop_blessed(struct gv_check_job *job, struct gv_error *err)
{
    struct gv_golden now;
    struct gv_check_difference *d = &job->difference;
    size_t kept = 0, lines;
    const bool ok = gv_golden_load(&now, job->shared->params->golden, job->item->name,
                                   job->device, err);
    for (size_t i = 0; ok && i < d->count; i++)
        if (!d->items[i].actual && gv_golden_find(&now, d->items[i].frame, &lines))
            d->items[kept++] = d->items[i];
    d->count = kept;
    gv_golden_finish(&now);
    return ok;
}

static bool judge_all(struct gv_check_job *job, struct gv_error *err)
{
    judge_frames(job);
    judge_quality(job);
    const struct gv_check_params *p = job->shared->params;
    const size_t count = differing(job);
    if (!p->bless || job->golden.known_fail[0] ||
        gv_check_fails_lists(&job->shared->fails, job->item->name))
        return true;
    if (!gv_check_pictures_bless(job, err))
        return false;
    drop_passing(&job->difference);
    if (!gv_golden_bless(p->golden, job->item->name, job->device, &job->difference,
                         err) ||
        !drop_blessed(job, err))
        return false;
    if (job->difference.count)
        judge(job, GV_WORD_FAIL,
              "frame %s: it was not shown, and the lines of all devices expect it",
              job->difference.items[0].frame);
    else if ((count || !job->golden.there) && (!p->strict || !job->note[0]))
        judge(job, GV_WORD_PASS, "blessed: %zu frame%s", count, gv_plural(count));
    return true;
}

// Some line may be of another form of hash.
static bool try_form(struct gv_check_job *job, bool *again)
{
    const unsigned left =
        gv_check_forms_wanted(&job->golden, &job->difference) & ~job->forms;
    *again = left != 0;
    for (int form = 0; *again && form < GV_HASH_FORM_COUNT; form++)
        if (left & 1u << form) {
            job->form = (enum gv_hash_form)form;
            break;
        }
    return *again;
}

// The device is known better now.
static bool check_device(struct gv_check_job *job, struct gv_error *err)
{
    return !job->seen.device.name[0] ||
           strcmp(job->seen.device.name, job->shared->device.name) == 0 ||
           load_golden(job, &job->seen.device, err);
}

static bool hashes_heard(struct gv_check_job *job, bool *again, struct gv_error *err)
{
    char path[GV_GOLDEN_PATH];
    job->forms |= 1u << job->form;
    if (!check_device(job, err))
        return false;
    if (!gv_check_compare(&job->difference, &job->golden, &job->seen))
        return gv_out_of_memory(err);
    if (try_form(job, again))
        return true;
    if (!gv_check_pictures_want(job, path, again, err))
        return false;
    job->picturing = *again;
    return *again || judge_all(job, err);
}

// The frames are those that were compared: a run for pictures adds none.
static bool take(struct gv_check_job *job, const char *text)
{
    if (!job->picturing)
        return gv_check_seen_take(&job->seen, text, job->form);
    gv_check_seen_take_words(&job->seen, text);
    return true;
}

bool gv_check_job_heard(struct gv_check_job *job, const struct gv_check_child *child,
                        bool *again, struct gv_error *err)
{
    *again = false;
    job->seen.told = false;
    if (!job->ns)
        job->ns = child->ns;
    if (child->output.failed || !take(job, (const char *)child->output.data))
        return gv_out_of_memory(err);
    if (judge_end(job, child))
        return true;
    const enum gv_exit code = (enum gv_exit)WEXITSTATUS(child->status);
    if (job->picturing && code == GV_EXIT_OUTPUT)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "%s", job->seen.error);
    if (is_gates(job, code))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.40s: %.110s",
                       job->item->name, job->seen.error);
    if (code != GV_EXIT_OK) {
        judge_exit(job, child, code);
        return true;
    }
    return job->picturing ? gv_check_pictures_judge(job, err) && judge_all(job, err)
                          : hashes_heard(job, again, err);
}

// ---- the result ----

// A failure that somebody expects, and a pass that nobody does.
static void judge_expected(struct gv_check_job *job)
{
    const struct gv_check_fails *fails = &job->shared->fails;
    const char *reason = job->golden.known_fail, *name = job->item->name;
    char why[sizeof job->why];
    const bool failed = job->word == GV_WORD_FAIL || job->word == GV_WORD_CRASH ||
                        job->word == GV_WORD_TIMEOUT;
    const bool known = reason[0] || gv_check_fails_expects(fails, name, job->word);
    if (failed && known) {
        snprintf(why, sizeof why, "%s", job->why);
        judge(job, GV_WORD_EXPECTED_FAIL, "%s%s%.300s", reason, reason[0] ? ": " : "",
              why);
    } else if (job->word == GV_WORD_PASS &&
               (reason[0] || gv_check_fails_lists(fails, name))) {
        judge(job, GV_WORD_UNEXPECTED_PASS, "expected to fail%s%s",
              reason[0] ? ": " : "", reason);
    }
}

// As a shell takes it.
static void put_quoted(struct gv_bytes *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./:,@%";
    if (*text && !text[strspn(text, plain)]) {
        gv_bytes_put(out, text, strlen(text));
        return;
    }
    gv_bytes_u8(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            gv_bytes_printf(out, "'\\''");
        else
            gv_bytes_u8(out, (uint8_t)*text);
    gv_bytes_u8(out, '\'');
}

static void put_argument(struct gv_bytes *out, const char *text)
{
    gv_bytes_u8(out, ' ');
    put_quoted(out, text);
}

// The command that shows it again.
static void put_command(const struct gv_check_job *job, struct gv_bytes *out)
{
    put_quoted(out, job->shared->program);
    gv_bytes_printf(out, " run");
    for (const char *const *arg = job->shared->params->run_args; *arg; arg++)
        put_argument(out, *arg);
    const char *frame = NULL;
    for (size_t i = 0; !frame && i < job->difference.count; i++)
        if (!job->difference.items[i].passes && job->difference.items[i].actual)
            frame = job->difference.items[i].frame;
    if (frame)
        gv_bytes_printf(out, " --screenshots %s --screenshot-dir seen", frame);
    if (job->item->file[0] == '-')
        gv_bytes_printf(out, " --");
    put_argument(out, job->item->file);
}

// Texts of the frames that are told of.
struct told {
    struct gv_result_frame frames[GV_CHECK_PICTURES];
    char sides[GV_CHECK_PICTURES][2][160];
    size_t count;
};

static void tell_frames(const struct gv_check_job *job, struct told *told)
{
    told->count = 0;
    for (size_t i = 0; i < job->difference.count && told->count < GV_CHECK_PICTURES;
         i++) {
        const struct gv_check_differing *d = &job->difference.items[i];
        if (d->passes)
            continue;
        char(*sides)[160] = told->sides[told->count];
        gv_check_expected_text(d, sides[0], sizeof sides[0]);
        gv_check_actual_text(d, sides[1], sizeof sides[1]);
        told->frames[told->count++] =
            (struct gv_result_frame){ d->frame, d->why, sides[0], sides[1],
                                      d->pictures };
    }
}

bool gv_check_job_result(struct gv_check_job *job, struct gv_results *results,
                         struct gv_error *err)
{
    struct gv_bytes command = { 0 };
    struct told told;
    if (!job->item->there)
        judge(job, GV_WORD_MISSING, "there is no such file");
    judge_expected(job);
    tell_frames(job, &told);
    if (job->item->there && job->word != GV_WORD_PASS)
        put_command(job, &command);
    gv_bytes_u8(&command, 0);
    const struct gv_result r = {
        .name = job->item->name,
        .file = job->item->file,
        .note = job->note,
        .why = job->why,
        .command = command.failed ? "" : (const char *)command.data,
        .golden = job->golden_id,
        .word = job->word,
        .ns = job->ns,
        .frames = job->seen.count,
        .differing = told.frames,
        .differing_count = told.count,
        .differing_total = differing(job),
    };
    const bool ok =
        (!job->shared->params->bless || gv_check_golden_id(job, job->golden_id, err)) &&
        (gv_results_add(results, &r) || gv_out_of_memory(err));
    gv_bytes_finish(&command);
    return ok;
}

void gv_check_job_finish(struct gv_check_job *job)
{
    gv_golden_finish(&job->golden);
    gv_check_seen_finish(&job->seen);
    gv_check_difference_finish(&job->difference);
}
