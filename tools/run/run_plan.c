#define _DEFAULT_SOURCE // strcasecmp
#include "tools/run/run_plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "resources/base/bytes.h"
#include "resources/base/path_kind.h"
#include "tools/input.h"
#include "tools/payload_commands.h"
#include "tools/picture/texels.h"
#include "tools/run/export_file.h"
#include "tools/run/run_exports.h"
#include "tools/set_file.h"
#include "vm/formats.h"

// Of a stream nothing is known but whether the picture at the end is wanted
// (tools/run/run_stream.h).
static bool resolve(const struct gv_run_plan *plan, const char *text,
                    struct gv_selection *out, struct gv_error *err)
{
    struct gv_set set;
    if (!gv_set_read(&set, text, err))
        return false;
    bool ok = true;
    if (!plan->streamed)
        ok = gv_set_resolve(&set, plan->frame_count, "frame", out, err);
    for (size_t i = 0; plan->streamed && i < set.count; i++)
        out->end = out->end || set.items[i].kind == GV_SET_END;
    gv_set_finish(&set);
    return ok;
}

// Pictures of frames that the run does not reach would silently be missing. --hash
// takes no frames of its own: those of --screenshots, or all that run.
static bool check_reach(const struct gv_run_plan *plan, struct gv_error *err)
{
    const struct gv_selection *s = &plan->hashes;
    if (plan->tail)
        return true;
    if (s->end)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshots: 'end' needs all frames to run");
    if (s->count && s->numbers[s->count - 1] > plan->last_frame)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshots: frame %" PRIu64 " is after the last of --frames",
                       s->numbers[s->count - 1]);
    return true;
}

// A stream ends after the last frame that was named, or when it ends.
static bool plan_streamed_frames(struct gv_run_plan *plan, const char *text,
                                 struct gv_error *err)
{
    struct gv_set set;
    uint64_t total;
    if (!gv_set_read(&set, text, err))
        return false;
    plan->tail = !gv_set_bound(&set, &total);
    plan->last_frame = plan->tail ? 0 : total - 1;
    gv_set_finish(&set);
    return true;
}

static bool plan_frames(struct gv_run_plan *plan, const struct gv_run_options *o,
                        struct gv_selection *frames, struct gv_error *err)
{
    const char *text = o->frames ? o->frames : "all";
    if (!resolve(plan, text, frames, err))
        return false;
    if (plan->streamed)
        return plan_streamed_frames(plan, text, err);
    plan->tail = frames->end || frames->count == plan->frame_count;
    if (frames->count)
        plan->last_frame = frames->numbers[frames->count - 1];
    return true;
}

// Forms of --hash, each once; without any that of the first line that is compared.
static bool plan_forms(struct gv_run_plan *plan, const struct gv_run_options *o,
                       struct gv_error *err)
{
    unsigned had = 0;
    for (size_t i = 0; i < o->hashes.count; i++) {
        const char *name = o->hashes.items[i];
        enum gv_hash_form form;
        if (!gv_hash_form_find(name, strlen(name), &form))
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "--hash: '%.32s' is none of " GV_HASH_FORMS, name);
        if (!(had >> form & 1))
            plan->forms[plan->form_count++] = form;
        had |= 1u << form;
    }
    for (size_t i = 0; !plan->form_count && i < plan->expect.count; i++)
        for (int form = 0; !plan->form_count && form < GV_HASH_FORM_COUNT; form++)
            if (plan->expect.lines[i].forms >> form & 1)
                plan->forms[plan->form_count++] = (enum gv_hash_form)form;
    if (!plan->form_count)
        plan->forms[plan->form_count++] = GV_HASH_SHA256_RGBA;
    return true;
}

static bool read_pictures(struct gv_run_plan *plan, const struct gv_run_options *o,
                          struct gv_error *err)
{
    const char *slash = strrchr(o->screenshot_prefix, '/');
    if (!o->pictures)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: --expect FOLDER by this program: gpuvm has it");
    return o->pictures->read(&plan->expect, o->expect,
                             slash ? slash + 1 : o->screenshot_prefix,
                             o->tolerance ? o->tolerance : "exact", err);
}

static bool read_expected(struct gv_run_plan *plan, const struct gv_run_options *o,
                          struct gv_error *err)
{
    char last[24];
    if (!o->expect)
        return true;
    if (gv_path_kind(o->expect) == GV_PATH_FOLDER)
        return read_pictures(plan, o, err);
    if (o->tolerance)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--tolerance is of pictures: --expect FOLDER");
    if (strcmp(o->expect, "-") == 0 && (strcmp(o->file, "-") == 0 || o->prewarm))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--expect: standard input is for something else");
    if (!gv_expect_read(&plan->expect, o->expect, err))
        return false;
    // Of a stream nobody knows it.
    snprintf(last, sizeof last, "%" PRIu64, plan->frame_count - 1);
    if (!plan->streamed && plan->frame_count)
        gv_expect_name_last(&plan->expect, last);
    return true;
}

static bool plan_hashes(struct gv_run_plan *plan, const struct gv_run_options *o,
                        struct gv_selection *frames, struct gv_error *err)
{
    plan->hash = o->hashes.count || o->expect;
    if (!read_expected(plan, o, err) || !plan_forms(plan, o, err))
        return false;
    plan->check_all = !o->screenshots && !o->frames;
    if (o->screenshots)
        return resolve(plan, o->screenshots, &plan->hashes, err);
    if (o->interactive) // which ones, lines will say
        return true;
    plan->hashes = *frames;
    *frames = (struct gv_selection){ 0 };
    return true;
}

// Where pictures go: --screenshot-dir, or beside the file that is run.
static bool plan_folder(struct gv_run_plan *plan, const struct gv_run_options *o,
                        struct gv_error *err)
{
    // With hashes, --screenshots alone tells which.
    bool wanted =
        o->calls.count || o->differing || (o->screenshots && !plan->hash && !o->output);
    const bool named = o->screenshots || o->differing || o->calls.count;
    if (o->screenshot_dir && !named && !o->interactive && !o->window)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshot-dir needs --screenshots SET or --calls SET");
    if (!wanted && (!o->screenshot_dir || (o->window && !named)))
        return true; // of a window somebody saves pictures by a key
    if (!o->screenshot_dir && (strcmp(o->file, "-") == 0 || gv_input_is_url(o->file)))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "pictures of standard input or a URL need --screenshot-dir DIR");
    const char *name = o->screenshot_dir ? o->screenshot_dir : o->file;
    size_t size = strlen(name) + sizeof ".frames";
    plan->folder = malloc(size);
    if (!plan->folder)
        return gv_out_of_memory(err);
    snprintf(plan->folder, size, "%s%s", name, o->screenshot_dir ? "" : ".frames");
    return true;
}

// -o: the one frame of --screenshots, or the last that runs.
static bool plan_one(struct gv_run_plan *plan, const struct gv_run_options *o,
                     struct gv_error *err)
{
    char last[24];
    snprintf(last, sizeof last, "%" PRIu64, plan->last_frame);
    if (o->window || o->interactive || o->screenshot_dir || o->differing)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "-o goes without --window, --interactive, --screenshot-dir, "
                       "--screenshots differing");
    if (!gv_export_is_stdout(o->output) &&
        !gv_picture_format_of_path(o->output, &plan->format))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "-o: '%.64s' ends in neither .png nor .ppm", o->output);
    if (!resolve(plan, o->screenshots ? o->screenshots : last, &plan->shots, err))
        return false;
    return plan->shots.count + plan->shots.end == 1 ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "-o is the picture of one frame, and --screenshots names %zu",
                   plan->shots.count + plan->shots.end);
}

static bool plan_shots(struct gv_run_plan *plan, const struct gv_run_options *o,
                       struct gv_error *err)
{
    if (!gv_picture_format_find(o->screenshot_format, &plan->format))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshot-format: '%.32s' is none of png, ppm, raw",
                       o->screenshot_format);
    if (o->differing && (!o->expect || o->window))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshots differing needs --expect, without --window");
    bool only_hashes = !o->screenshot_dir && plan->hash;
    if (!plan_folder(plan, o, err))
        return false;
    if (o->output)
        return plan_one(plan, o, err);
    if (o->differing) // whichever they are, they are compared
        return gv_selection_copy(&plan->hashes, &plan->shots, err);
    if (!o->screenshots || only_hashes)
        return true;
    return resolve(plan, o->screenshots, &plan->shots, err);
}

// Digits behind it would be a command's picture, if it stays in the folder.
static bool is_name_of_call(const char *prefix)
{
    const char *slash = strrchr(prefix, '/');
    prefix = slash ? slash + 1 : prefix;
    size_t length = strlen(GV_CALL_PREFIX);
    return strncmp(prefix, GV_CALL_PREFIX, length) == 0 &&
           !prefix[length + strspn(prefix + length, "0123456789")];
}

// Commands from `end` on do not run: an error of those that are named.
static bool leave_out(struct gv_command_set *calls, uint64_t end, struct gv_error *err)
{
    struct gv_selection *own = &calls->own;
    const size_t all = own->count;
    while (own->count && calls->commands[own->count - 1] >= end) {
        own->count--;
        if (own->named[own->count])
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "--calls: command %" PRIu64 " is after the last of --frames",
                           own->numbers[own->count]);
    }
    return own->count || !all ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--calls: all of them are after the last of --frames");
}

static bool plan_calls(struct gv_run_plan *plan, const struct gv_run_options *o,
                       const struct gv_payload *payload, struct gv_error *err)
{
    if (!o->calls.count)
        return true;
    if (!gv_payload_commands(&plan->calls, &o->calls, payload, err))
        return false;
    if (plan->shots.count && is_name_of_call(o->screenshot_prefix))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshot-prefix %.32s makes names of --calls",
                       o->screenshot_prefix);
    return plan->tail ||
           leave_out(&plan->calls, payload->frames[plan->last_frame].command_end, err);
}

bool gv_run_plan_make(struct gv_run_plan *plan, const struct gv_run_options *o,
                      const struct gv_payload *payload, struct gv_error *err)
{
    *plan = (struct gv_run_plan){ .frame_count = payload->frame_count,
                                  .streamed = payload->streamed };
    struct gv_selection frames = { 0 };
    bool ok = plan_frames(plan, o, &frames, err) &&
              plan_hashes(plan, o, &frames, err) && plan_shots(plan, o, err) &&
              check_reach(plan, err) && plan_calls(plan, o, payload, err) &&
              gv_run_exports_plan(plan, o, payload, err);
    gv_selection_finish(&frames);
    return ok;
}

void gv_run_plan_finish(struct gv_run_plan *plan)
{
    gv_selection_finish(&plan->shots);
    gv_selection_finish(&plan->hashes);
    gv_command_set_finish(&plan->calls);
    gv_expect_finish(&plan->expect);
    gv_run_exports_finish(plan);
    free(plan->folder);
    plan->folder = NULL;
}

static bool check_path(int length, const char *path, struct gv_error *err)
{
    return (length >= 0 && length < GV_RUN_PATH) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "file name too long: %.64s", path);
}

bool gv_run_plan_frame_path(const struct gv_run_plan *plan,
                            const struct gv_run_options *o, uint64_t frame,
                            char path[GV_RUN_PATH], struct gv_error *err)
{
    char number[24] = "end";
    if (frame != GV_RUN_END)
        snprintf(number, sizeof number, "%06" PRIu64, frame);
    return check_path(snprintf(path, GV_RUN_PATH, "%s/%s%s.%s", plan->folder,
                               o->screenshot_prefix, number,
                               gv_picture_format_name(plan->format)),
                      path, err);
}

bool gv_run_plan_call_path(const struct gv_run_plan *plan, uint64_t command,
                           char path[GV_RUN_PATH], struct gv_error *err)
{
    return check_path(snprintf(path, GV_RUN_PATH,
                               "%s/" GV_CALL_PREFIX "%010" PRIu64 ".%s", plan->folder,
                               command, gv_picture_format_name(plan->format)),
                      path, err);
}

static bool each_export(const struct gv_run_plan *plan, gv_run_plan_visit *visit,
                        void *context, struct gv_error *err)
{
    char path[GV_RUN_PATH];
    bool ok = true;
    for (size_t i = 0; ok && i < plan->export_count; i++) {
        const struct gv_run_export *wish = &plan->exports[i];
        for (size_t k = 0; ok && k < wish->frames.count; k++)
            ok = gv_run_export_path(wish, wish->frames.numbers[k], path, err) &&
                 visit(context, path, err);
    }
    return ok;
}

bool gv_run_plan_each_picture(const struct gv_run_plan *plan,
                              const struct gv_run_options *o, gv_run_plan_visit *visit,
                              void *context, struct gv_error *err)
{
    char path[GV_RUN_PATH];
    bool ok = each_export(plan, visit, context, err);
    if (!plan->folder)
        return ok;
    for (size_t i = 0; ok && i < plan->shots.count; i++)
        ok = gv_run_plan_frame_path(plan, o, plan->shots.numbers[i], path, err) &&
             visit(context, path, err);
    if (ok && plan->shots.end)
        ok = gv_run_plan_frame_path(plan, o, GV_RUN_END, path, err) &&
             visit(context, path, err);
    for (size_t i = 0; ok && i < plan->calls.own.count; i++)
        ok = gv_run_plan_call_path(plan, plan->calls.own.numbers[i], path, err) &&
             visit(context, path, err);
    return ok;
}

static bool check_guard(void *guard, const char *path, struct gv_error *err)
{
    return gv_guard_check(guard, path, err);
}

bool gv_run_plan_guard(const struct gv_run_plan *plan, const struct gv_run_options *o,
                       struct gv_input_guard *guard, struct gv_error *err)
{
    return gv_run_plan_each_picture(plan, o, check_guard, guard, err);
}

bool gv_run_plan_wants(const struct gv_run_plan *plan, uint64_t frame)
{
    return gv_selection_find(&plan->shots, frame) >= 0 ||
           (plan->hash && gv_selection_find(&plan->hashes, frame) >= 0);
}
