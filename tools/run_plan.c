#include "tools/run_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/bytes.h"
#include "vm/formats.h"

static bool resolve(const char *text, uint64_t total, const char *what,
                    struct gv_selection *out, struct gv_error *err)
{
    struct gv_set set;
    if (!gv_set_parse(&set, text, err))
        return false;
    bool ok = gv_set_resolve(&set, total, what, out, err);
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

static bool plan_frames(struct gv_run_plan *plan, const struct gv_run_options *o,
                        struct gv_selection *frames, struct gv_error *err)
{
    if (!resolve(o->frames ? o->frames : "all", plan->frame_count, "frame", frames,
                 err))
        return false;
    plan->tail = frames->end || frames->count == plan->frame_count;
    if (frames->count)
        plan->last_frame = frames->numbers[frames->count - 1];
    return true;
}

static bool plan_hashes(struct gv_run_plan *plan, const struct gv_run_options *o,
                        struct gv_selection *frames, struct gv_error *err)
{
    if (o->expect && !gv_expect_read(&plan->expect, o->expect, err))
        return false;
    plan->form = plan->expect.form;
    plan->print_hashes = o->hash != NULL;
    plan->hash = o->hash || o->expect;
    if (o->hash && !gv_hash_form_find(o->hash, strlen(o->hash), &plan->form))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--hash: '%.32s' is none of sha256-rgba, sha256-rgb, md5-rgba, "
                       "md5-rgb, xxh3-rgba",
                       o->hash);
    if (plan->expect.hashed && plan->form != plan->expect.form)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s holds %s hashes", o->expect,
                       gv_hash_form_name(plan->expect.form));
    plan->check_all = !o->screenshots && !o->frames;
    if (o->screenshots)
        return resolve(o->screenshots, plan->frame_count, "frame", &plan->hashes, err);
    plan->hashes = *frames;
    *frames = (struct gv_selection){ 0 };
    return true;
}

static bool plan_shots(struct gv_run_plan *plan, const struct gv_run_options *o,
                       struct gv_error *err)
{
    if (!gv_picture_format_find(o->screenshot_format, &plan->format))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshot-format: '%.32s' is none of png, ppm, raw",
                       o->screenshot_format);
    if (o->screenshots && !o->screenshot_dir && !o->hash && !o->expect)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshots needs --screenshot-dir DIR");
    if (o->screenshot_dir && !o->screenshots && !o->calls)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshot-dir needs --screenshots SET or --calls SET");
    if (!o->screenshots || !o->screenshot_dir)
        return true;
    return resolve(o->screenshots, plan->frame_count, "frame", &plan->shots, err);
}

static bool plan_calls(struct gv_run_plan *plan, const struct gv_run_options *o,
                       const struct gv_payload *payload, struct gv_error *err)
{
    if (!o->calls)
        return true;
    if (!o->screenshot_dir)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--calls needs --screenshot-dir DIR");
    if (!resolve(o->calls, payload->command_count, "command", &plan->calls, err))
        return false;
    uint64_t last = plan->calls.count ? plan->calls.numbers[plan->calls.count - 1] : 0;
    if (!plan->tail && plan->calls.count &&
        last >= payload->frames[plan->last_frame].command_end)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--calls: command %" PRIu64 " is after the last of --frames",
                       last);
    return true;
}

static bool fail_export(const struct gv_payload *payload, const char *text,
                        size_t length, struct gv_error *err)
{
    struct gv_bytes names = { 0 };
    for (size_t i = 0; i < payload->export_count; i++)
        gv_bytes_printf(&names, "%s%.32s", i ? ", " : "", payload->exports[i].name);
    if (names.size == 0)
        gv_bytes_printf(&names, "no exports");
    gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--export: no '%.*s'; there is %.*s",
            length < 32 ? (int)length : 32, text,
            names.size < 80 ? (int)names.size : 80, (const char *)names.data);
    gv_bytes_finish(&names);
    return false;
}

// "NAME=FILE"
static bool plan_export(struct gv_run_plan *plan, const struct gv_payload *payload,
                        const char *text, struct gv_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--export: '%.64s' is not NAME=FILE", text);
    size_t length = (size_t)(equals - text), end = strlen(equals + 1);
    for (size_t i = 0; i < payload->export_count; i++) {
        const char *name = payload->exports[i].name;
        if (strlen(name) != length || memcmp(name, text, length) != 0)
            continue;
        bool picture = end > 4 && strcmp(equals + 1 + end - 4, ".png") == 0;
        if (picture && payload->exports[i].kind == GV_KIND_BUFFER &&
            payload->exports[i].format == GV_FORMAT_NONE)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "--export: '%.32s' is no picture", name);
        plan->wanted_exports[i] = true;
        plan->exports[plan->export_count++] = (struct gv_run_export){
            .index = (uint32_t)i,
            .row = &payload->exports[i],
            .name = name,
            .path = equals + 1,
            .picture = picture,
        };
        return true;
    }
    return fail_export(payload, text, length, err);
}

static bool plan_exports(struct gv_run_plan *plan, const struct gv_run_options *o,
                         const struct gv_payload *payload, struct gv_error *err)
{
    plan->wanted_exports = calloc(payload->export_count + 1, sizeof(bool));
    if (!plan->wanted_exports)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < o->exports.count; i++)
        if (!plan_export(plan, payload, o->exports.items[i], err))
            return false;
    return true;
}

bool gv_run_plan_make(struct gv_run_plan *plan, const struct gv_run_options *o,
                      const struct gv_payload *payload, struct gv_error *err)
{
    *plan = (struct gv_run_plan){ .frame_count = payload->frame_count };
    struct gv_selection frames = { 0 };
    bool ok = plan_frames(plan, o, &frames, err) &&
              plan_hashes(plan, o, &frames, err) && plan_shots(plan, o, err) &&
              check_reach(plan, err) && plan_calls(plan, o, payload, err) &&
              plan_exports(plan, o, payload, err);
    gv_selection_finish(&frames);
    return ok;
}

void gv_run_plan_finish(struct gv_run_plan *plan)
{
    gv_selection_finish(&plan->shots);
    gv_selection_finish(&plan->hashes);
    gv_selection_finish(&plan->calls);
    gv_expect_finish(&plan->expect);
    free(plan->wanted_exports);
    plan->wanted_exports = NULL;
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
    return check_path(snprintf(path, GV_RUN_PATH, "%s/%s%s.%s", o->screenshot_dir,
                               o->screenshot_prefix, number,
                               gv_picture_format_name(plan->format)),
                      path, err);
}

bool gv_run_plan_call_path(const struct gv_run_plan *plan,
                           const struct gv_run_options *o, uint64_t command,
                           char path[GV_RUN_PATH], struct gv_error *err)
{
    return check_path(snprintf(path, GV_RUN_PATH, "%s/call_%010" PRIu64 ".%s",
                               o->screenshot_dir, command,
                               gv_picture_format_name(plan->format)),
                      path, err);
}

bool gv_run_plan_guard(const struct gv_run_plan *plan, const struct gv_run_options *o,
                       struct gv_input_guard *guard, struct gv_error *err)
{
    char path[GV_RUN_PATH];
    bool ok = true;
    for (size_t i = 0; ok && i < plan->shots.count; i++)
        ok = gv_run_plan_frame_path(plan, o, plan->shots.numbers[i], path, err) &&
             gv_guard_check(guard, path, err);
    if (ok && plan->shots.end)
        ok = gv_run_plan_frame_path(plan, o, GV_RUN_END, path, err) &&
             gv_guard_check(guard, path, err);
    for (size_t i = 0; ok && i < plan->calls.count; i++)
        ok = gv_run_plan_call_path(plan, o, plan->calls.numbers[i], path, err) &&
             gv_guard_check(guard, path, err);
    return ok;
}

bool gv_run_plan_wants(const struct gv_run_plan *plan, uint64_t frame)
{
    return gv_selection_find(&plan->shots, frame) >= 0 ||
           (plan->hash && gv_selection_find(&plan->hashes, frame) >= 0);
}
