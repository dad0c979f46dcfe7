#include "tools/run/run_exports.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "resources/base/path_kind.h"
#include "tools/picture/texels.h"
#include "tools/run/export_file.h"
#include "tools/set_file.h"
#include "vm/formats.h"

static bool fail_export(const struct gv_payload *payload, const char *text,
                        size_t length, struct gv_error *err)
{
    struct gv_bytes names = { 0 };
    for (size_t i = 0; i < payload->export_count; i++)
        gv_bytes_printf(&names, "%s%.32s", i ? ", " : "", payload->exports[i].name);
    if (names.size == 0)
        gv_bytes_printf(&names, "none");
    gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no '%.*s' among the exports: %.*s",
            length < 32 ? (int)length : 32, text,
            names.size < 80 ? (int)names.size : 80, (const char *)names.data);
    gv_bytes_finish(&names);
    return false;
}

static bool names_folder(const char *path)
{
    const size_t length = strlen(path);
    return (length && path[length - 1] == '/') || gv_path_kind(path) == GV_PATH_FOLDER;
}

// Bytes go to names that say nothing else: "vram", "vram.bin", "vram.2".
static bool plan_export_format(struct gv_run_export *wish, struct gv_error *err)
{
    static const char *const plain[] = { "bin", "raw", "dat", "vram" };
    const char *slash = strrchr(wish->path, '/');
    const char *dot = strrchr(slash ? slash : wish->path, '.');
    wish->picture = gv_picture_format_of_path(wish->path, &wish->format);
    if (wish->picture || !dot || !isalpha((unsigned char)dot[1]))
        return true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcasecmp(dot + 1, plain[i]) == 0)
            return true;
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--export: '%.32s' is none of .png, .ppm (pictures), .bin, .raw, "
                   ".dat, .vram (bytes)",
                   dot);
}

// What can be known of a picture before there is one.
static bool check_export(const struct gv_run_export *wish, struct gv_error *err)
{
    uint32_t format = wish->row->format;
    if (!wish->picture)
        return true;
    if (format != GV_FORMAT_NONE)
        return gv_texels_to_rgba(format, NULL, 0, 0, 0, NULL, err);
    return wish->row->kind == GV_KIND_IMAGE ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "export '%.32s' is no picture",
                   wish->name);
}

// The export of that name.
static bool find_export(struct gv_run_plan *plan, const struct gv_payload *payload,
                        struct gv_run_export *wish, const char *text, size_t length,
                        struct gv_error *err)
{
    for (size_t i = 0; i < payload->export_count; i++) {
        const char *name = payload->exports[i].name;
        if (strlen(name) != length || memcmp(name, text, length) != 0)
            continue;
        wish->index = (uint32_t)i;
        wish->row = &payload->exports[i];
        wish->name = name;
        plan->wanted_exports[i] = true;
        plan->exports[plan->export_count++] = *wish;
        return check_export(wish, err);
    }
    return fail_export(payload, text, length, err);
}

// "NAME:FORM"
static bool plan_hash_export(struct gv_run_plan *plan, const struct gv_payload *payload,
                             const char *text, struct gv_error *err)
{
    const char *colon = strrchr(text, ':');
    struct gv_run_export wish = { .picture = true };
    if (!colon || colon == text ||
        !gv_hash_form_find(colon + 1, strlen(colon + 1), &wish.form))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--hash-export: '%.40s' is not NAME:FORM with " GV_HASH_FORMS,
                       text);
    return find_export(plan, payload, &wish, text, (size_t)(colon - text), err);
}

// "@SET": which frames.
static bool plan_frames(const struct gv_run_plan *plan, struct gv_run_export *wish,
                        const char *text, size_t length, struct gv_error *err)
{
    struct gv_set set = { 0 };
    char *words = strndup(text, length);
    bool ok = words ? gv_set_read(&set, words, err) : gv_out_of_memory(err);
    ok = ok && gv_set_resolve(&set, plan->frame_count, "frame", &wish->frames, err);
    gv_set_finish(&set);
    free(words);
    const struct gv_selection *s = &wish->frames;
    if (ok && (s->end || !s->count))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       s->end ? "--export: NAME=FILE is of the end, NAME@SET of frames"
                              : "--export: no frame is in '%.64s'",
                       text);
    return ok && (plan->tail || s->numbers[s->count - 1] <= plan->last_frame ||
                  gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                          "--export: frame %" PRIu64 " is after the last of --frames",
                          s->numbers[s->count - 1]));
}

// "NAME@SET=DIR": pictures in the format of screenshots, or bytes.
static bool plan_each(struct gv_run_plan *plan, const struct gv_payload *payload,
                      const struct gv_run_options *o, const char *text,
                      struct gv_error *err)
{
    const char *at = strchr(text, '@'), *equals = strchr(at, '=');
    struct gv_run_export wish = { .path = equals + 1, .each = true };
    if (memchr(text, '/', (size_t)(at - text)))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--export: a name with / goes as NAME=FILE alone");
    if (!find_export(plan, payload, &wish, text, (size_t)(at - text), err))
        return false;
    struct gv_run_export *kept = &plan->exports[plan->export_count - 1];
    plan->exports_each = true;
    kept->picture = gv_picture_format_find(o->screenshot_format, &kept->format) &&
                    kept->format != GV_PICTURE_RAW &&
                    (kept->row->kind == GV_KIND_IMAGE || kept->row->format);
    return check_export(kept, err) &&
           plan_frames(plan, kept, at + 1, (size_t)(equals - at - 1), err);
}

// "NAME=FILE"
static bool plan_export(struct gv_run_plan *plan, const struct gv_payload *payload,
                        const struct gv_run_options *o, const char *text,
                        struct gv_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--export: '%.64s' is not NAME=FILE or NAME@SET=DIR", text);
    if (gv_run_export_has_set(text))
        return plan_each(plan, payload, o, text, err);
    size_t length = (size_t)(equals - text);
    struct gv_run_export wish = { .path = equals + 1 };
    if (names_folder(wish.path))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--export: %.60s is a folder; a file, as %.*s=%.40s%s%.*s.png",
                       wish.path, (int)length, text, wish.path,
                       wish.path[strlen(wish.path) - 1] == '/' ? "" : "/", (int)length,
                       text);
    if (!plan_export_format(&wish, err))
        return false;
    return find_export(plan, payload, &wish, text, length, err);
}

// Standard output has room for one picture or export, and for that alone.
static bool check_stdout(const struct gv_run_plan *plan, const struct gv_run_options *o,
                         struct gv_error *err)
{
    const bool lines = plan->hash || o->interactive || o->prewarm || o->stats ||
                       o->benchmark || o->hash_exports.count;
    size_t count = o->output && gv_export_is_stdout(o->output);
    count += o->frame_times && gv_export_is_stdout(o->frame_times);
    for (size_t i = 0; i < plan->export_count; i++)
        count += plan->exports[i].path && gv_export_is_stdout(plan->exports[i].path);
    return !count || (count == 1 && !lines && !o->json) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "a file on standard output leaves no room there for %s",
                   count > 1 ? "a second one"
                   : o->json ? "--json"
                             : "--hash, --hash-export, --expect, --stats, --benchmark, "
                               "--interactive, "
                               "--prewarm");
}

bool gv_run_exports_plan(struct gv_run_plan *plan, const struct gv_run_options *o,
                         const struct gv_payload *payload, struct gv_error *err)
{
    plan->wanted_exports = calloc(payload->export_count + 1, sizeof(bool));
    if (!plan->wanted_exports)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < o->exports.count; i++)
        if (!plan_export(plan, payload, o, o->exports.items[i], err))
            return false;
    for (size_t i = 0; i < o->hash_exports.count; i++)
        if (!plan_hash_export(plan, payload, o->hash_exports.items[i], err))
            return false;
    return check_stdout(plan, o, err);
}

void gv_run_exports_finish(struct gv_run_plan *plan)
{
    for (size_t i = 0; i < plan->export_count; i++)
        gv_selection_finish(&plan->exports[i].frames);
    free(plan->wanted_exports);
    plan->wanted_exports = NULL;
}

bool gv_run_export_has_set(const char *text)
{
    return text[strcspn(text, "@=")] == '@' && strchr(text, '=');
}

bool gv_run_export_path(const struct gv_run_export *wish, uint64_t frame,
                        char path[GV_RUN_PATH], struct gv_error *err)
{
    return snprintf(path, GV_RUN_PATH, "%s/%s_%06" PRIu64 ".%s", wish->path, wish->name,
                    frame,
                    wish->picture ? gv_picture_format_name(wish->format) : "bin") <
               GV_RUN_PATH ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "file name too long: %.64s", path);
}
