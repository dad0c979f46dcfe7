#include "tools/run/run_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "tools/picture/texels.h"
#include "tools/run/export_file.h"
#include "tools/run/run_exports.h"
#include "tools/run/run_places.h"

static bool can_write_file(const char *path, struct gv_error *err)
{
    return gv_export_is_stdout(path) ||
           (gv_make_folders_of(path, err) && gv_file_can_write(path, err));
}

// A run of hours is not to fail at its first picture or its last export.
static bool can_write(const struct gv_run_plan *plan,
                      const struct gv_run_options *options, struct gv_error *err)
{
    bool ok = !plan->folder || gv_make_folders(plan->folder, err);
    for (size_t i = 0; ok && i < plan->export_count; i++)
        ok = !plan->exports[i].path ||
             (plan->exports[i].each ? gv_make_folders(plan->exports[i].path, err)
                                    : can_write_file(plan->exports[i].path, err));
    return ok && gv_run_places_check(plan, options, err) &&
           (!options->output || can_write_file(options->output, err)) &&
           (!options->frame_times || can_write_file(options->frame_times, err));
}

bool gv_run_output_init(struct gv_run_output *out, const struct gv_run_options *options,
                        struct gv_run_plan *plan, struct gv_child_line *line,
                        struct gv_error *err)
{
    *out = (struct gv_run_output){ .options = options, .plan = plan, .line = line };
    gv_json_array(&out->exports, NULL);
    gv_run_compare_init(&out->compare, options, plan);
    if (!can_write(plan, options, err))
        return false;
    if (plan->folder)
        out->pictures = gv_picture_queue_create(plan->format, err);
    return !plan->folder || out->pictures;
}

static void forget(struct gv_run_pictures *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].hashes);
    list->count = 0;
}

void gv_run_output_finish(struct gv_run_output *out)
{
    gv_picture_queue_destroy(out->pictures);
    out->pictures = NULL;
    forget(&out->frames);
    free(out->frames.items);
    free(out->calls.items);
    gv_json_finish(&out->exports);
    gv_run_compare_finish(&out->compare);
}

static struct gv_run_picture *add_picture(struct gv_run_pictures *list, uint64_t number,
                                          const struct gv_picture *picture,
                                          struct gv_error *err)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        void *grown = realloc(list->items, capacity * sizeof *list->items);
        if (!grown) {
            gv_out_of_memory(err);
            return NULL;
        }
        list->items = grown;
        list->capacity = capacity;
    }
    struct gv_run_picture *added = &list->items[list->count++];
    *added = (struct gv_run_picture){ .number = number,
                                      .width = picture->width,
                                      .height = picture->height };
    return added;
}

static bool write_picture(struct gv_run_output *out, const char *path,
                          struct gv_picture *picture, struct gv_run_picture *row,
                          struct gv_error *err)
{
    row->file = ++out->given;
    return gv_picture_queue_put(out->pictures, path, picture, out->position, err);
}

// Of the frame at hand, into a folder, which the child has too.
static bool write_each(const struct gv_run_output *out,
                       const struct gv_run_export *wish, const void *data, size_t size,
                       struct gv_error *err)
{
    char path[GV_RUN_PATH];
    return gv_run_export_path(wish, out->position, path, err) &&
           gv_file_write(path, data, size, err);
}

bool gv_run_output_file(const struct gv_run_output *out, size_t index, const void *data,
                        size_t size, struct gv_error *err)
{
    if (index < out->plan->export_count && out->plan->exports[index].each)
        return write_each(out, &out->plan->exports[index], data, size, err);
    if (out->line)
        return gv_export_pass(out->line, (unsigned)index, data, size, err);
    return gv_export_write(index == GV_RUN_THE_ONE ? out->options->output
                           : index == GV_RUN_FRAME_TIMES
                               ? out->options->frame_times
                               : out->plan->exports[index].path,
                           data, size, err);
}

// Makes the file of a picture, and writes it.
static bool encode(const struct gv_run_output *out, size_t index,
                   enum gv_picture_format format, const uint8_t *rgba, uint32_t width,
                   uint32_t height, struct gv_error *err)
{
    struct gv_picture_encoder encoder = { 0 };
    const uint8_t *data = NULL;
    size_t size = 0;
    const bool ok =
        gv_picture_encode(&encoder, format, rgba, width, height, &data, &size, err) &&
        gv_run_output_file(out, index, data, size, err);
    gv_picture_encoder_finish(&encoder);
    return ok;
}

// The picture of -o.
static bool write_the_one(struct gv_run_output *out, const struct gv_picture *picture,
                          struct gv_run_picture *row, struct gv_error *err)
{
    row->the_one = encode(out, GV_RUN_THE_ONE, out->plan->format, picture->rgba,
                          picture->width, picture->height, err);
    out->wrote_the_one = row->the_one;
    return row->the_one;
}

static bool check_none(const struct gv_selection *s, uint64_t frame,
                       struct gv_error *err)
{
    ptrdiff_t at = gv_selection_find(s, frame);
    if (at < 0 || !s->named[at])
        return true;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "frame %" PRIu64 " has no picture",
                   frame);
}

static bool is_selected(const struct gv_selection *s, uint64_t frame)
{
    return frame == GV_RUN_END ? s->end : gv_selection_find(s, frame) >= 0;
}

bool gv_run_output_frame(struct gv_run_output *out, uint64_t frame,
                         struct gv_picture *picture, struct gv_error *err)
{
    struct gv_run_plan *plan = out->plan;
    bool hash = plan->hash && is_selected(&plan->hashes, frame);
    bool shot = is_selected(&plan->shots, frame);
    bool end = frame == GV_RUN_END, none = picture->width == 0;
    if (!hash && !shot)
        return true;
    if (none && ((hash && !check_none(&plan->hashes, frame, err)) ||
                 (shot && !check_none(&plan->shots, frame, err))))
        return false;
    if (none && end)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "there is no picture at the end");
    char number[24] = "end", path[GV_RUN_PATH];
    if (!end)
        snprintf(number, sizeof number, "%" PRIu64, frame);
    if (!out->options->json) // nobody will ask: a stream may go on for days
        forget(&out->frames);
    struct gv_run_picture *row = add_picture(&out->frames, frame, picture, err);
    if (!row || (hash && !gv_run_compare_frame(&out->compare, number, picture,
                                               &row->hashes, &row->status, err)))
        return false;
    if (out->options->differing && row->status == GV_RUN_PASS)
        return true;
    if (shot && !none && out->options->output)
        return write_the_one(out, picture, row, err);
    return !shot || none ||
           (gv_run_plan_frame_path(plan, out->options, frame, path, err) &&
            write_picture(out, path, picture, row, err));
}

bool gv_run_output_call(struct gv_run_output *out, size_t index,
                        struct gv_picture *picture, struct gv_error *err)
{
    uint64_t command = out->plan->calls.own.numbers[index];
    if (picture->width == 0 && out->plan->calls.own.named[index])
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "nothing is drawn to after command %" PRIu64, command);
    if (picture->width == 0)
        return true;
    char path[GV_RUN_PATH];
    if (!gv_run_plan_call_path(out->plan, command, path, err))
        return false;
    struct gv_run_picture *row = add_picture(&out->calls, command, picture, err);
    return row && write_picture(out, path, picture, row, err);
}

bool gv_run_output_ok(struct gv_run_output *out, struct gv_error *err)
{
    return !out->pictures || gv_picture_queue_ok(out->pictures, &out->position, err);
}

bool gv_run_output_drain(struct gv_run_output *out, struct gv_error *err)
{
    if (out->pictures)
        gv_picture_queue_drain(out->pictures);
    return gv_run_output_ok(out, err);
}

// Prints the line of --hash-export, or its members of the JSON.
static bool hash_export(struct gv_run_output *out, const struct gv_run_export *wish,
                        const uint8_t *rgba, uint32_t width, uint32_t height,
                        struct gv_error *err)
{
    char hash[GV_HASH_FRAME_TEXT];
    if (!gv_hash_frame(hash, wish->form, rgba, width, height))
        return gv_out_of_memory(err);
    if (out->options->json) {
        gv_json_number(&out->exports, "width", width);
        gv_json_number(&out->exports, "height", height);
        gv_json_text(&out->exports, "hash", hash);
        return true;
    }
    printf("export\t");
    gv_print_foreign(stdout, wish->name);
    printf("\t%ux%u\t%s\n", width, height, hash);
    return true;
}

static bool write_export(struct gv_run_output *out, size_t index,
                         const struct gv_bytes *bytes, uint32_t format, uint32_t width,
                         uint32_t height, struct gv_error *err)
{
    const struct gv_run_export *wish = &out->plan->exports[index];
    if (!wish->picture)
        return gv_run_output_file(out, index, bytes->data, bytes->size, err);
    if (width == 0 || height == 0 || width > GV_PICTURE_MAX_SIDE ||
        height > GV_PICTURE_MAX_SIDE)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "export '%.64s' is no picture",
                       wish->name);
    uint8_t *rgba = malloc((size_t)width * height * 4);
    if (!rgba)
        return gv_out_of_memory(err);
    bool ok =
        gv_texels_to_rgba(format, bytes->data, bytes->size, width, height, rgba, err) &&
        (wish->path ? encode(out, index, wish->format, rgba, width, height, err)
                    : hash_export(out, wish, rgba, width, height, err));
    free(rgba);
    return ok;
}

bool gv_run_output_export(struct gv_run_output *out, size_t index,
                          struct gv_runtime *runtime, struct gv_error *err)
{
    const struct gv_run_export *wish = &out->plan->exports[index];
    struct gv_bytes bytes = { 0 };
    uint32_t format = 0, width = 0, height = 0;
    bool ok =
        gv_runtime_export(runtime, wish->index, &bytes, &format, &width, &height, err);
    if (wish->row->kind == GV_KIND_BUFFER) { // which has no texels of its own
        format = wish->row->format;
        width = wish->row->width;
        height = wish->row->height;
    }
    const struct gv_json before = out->exports;
    const size_t size = before.out.size;
    char path[GV_RUN_PATH] = "";
    gv_json_begin(&out->exports, NULL);
    gv_json_text(&out->exports, "name", wish->name);
    ok = ok && write_export(out, index, &bytes, format, width, height, err);
    if (ok && wish->each) {
        ok = gv_run_export_path(wish, out->position, path, err);
        gv_json_number(&out->exports, "frame", out->position);
    }
    if (ok && wish->path) {
        out->exported++;
        gv_json_text(&out->exports, "path", wish->each ? path : wish->path);
        gv_json_number(&out->exports, "bytes", bytes.size);
    }
    gv_json_end(&out->exports);
    if (!ok || !out->options->json) { // nothing came of it, or nobody asks
        out->exports.out.size = size;
        out->exports.comma = before.comma;
    }
    gv_bytes_finish(&bytes);
    return ok;
}

bool gv_run_output_exports_at(struct gv_run_output *out, uint64_t frame,
                              struct gv_runtime *runtime, struct gv_error *err)
{
    out->position = (uint32_t)frame;
    for (size_t i = 0; i < out->plan->export_count; i++)
        if (gv_selection_find(&out->plan->exports[i].frames, frame) >= 0 &&
            !gv_run_output_export(out, i, runtime, err))
            return false;
    return true;
}

uint64_t gv_run_output_written(const struct gv_run_output *out)
{
    return out->pictures ? gv_picture_queue_written(out->pictures) : 0;
}

// One by name, several as a list.
static void put_hashes(struct gv_json *to, char *hashes)
{
    char *rest = NULL;
    if (!strchr(hashes, ' ')) {
        gv_json_text(to, "hash", hashes);
        return;
    }
    gv_json_array(to, "hashes");
    for (char *each = strtok_r(hashes, " ", &rest); each;
         each = strtok_r(NULL, " ", &rest))
        gv_json_text(to, NULL, each);
    gv_json_array_end(to);
}

// `path` is that of the picture's file, which counts if it was written.
static void put_picture(struct gv_json *to, const struct gv_run_picture *row,
                        const char *path, uint64_t written)
{
    gv_json_number(to, "width", row->width);
    gv_json_number(to, "height", row->height);
    if (row->hashes)
        put_hashes(to, row->hashes);
    if (row->status)
        gv_json_text(to, "status", gv_run_status_word(row->status));
    if (row->the_one || (row->file && row->file <= written))
        gv_json_text(to, "path", path);
    gv_json_end(to);
}

static void put_frames(const struct gv_run_output *out, uint64_t written,
                       struct gv_json *to)
{
    gv_json_array(to, "frames");
    for (size_t i = 0; i < out->frames.count; i++) {
        const struct gv_run_picture *row = &out->frames.items[i];
        char path[GV_RUN_PATH] = "";
        if (row->file > written && !row->hashes)
            continue;
        if (row->the_one)
            snprintf(path, sizeof path, "%s", out->options->output);
        else if (row->file)
            gv_run_plan_frame_path(out->plan, out->options, row->number, path, NULL);
        gv_json_begin(to, NULL);
        if (row->number == GV_RUN_END)
            gv_json_text(to, "frame", "end");
        else
            gv_json_number(to, "frame", row->number);
        put_picture(to, row, path, written);
    }
    gv_json_array_end(to);
}

static void put_calls(const struct gv_run_output *out, uint64_t written,
                      struct gv_json *to)
{
    gv_json_array(to, "calls");
    for (size_t i = 0; i < out->calls.count; i++) {
        const struct gv_run_picture *row = &out->calls.items[i];
        char path[GV_RUN_PATH] = "";
        if (row->file > written)
            continue;
        gv_run_plan_call_path(out->plan, row->number, path, NULL);
        gv_json_begin(to, NULL);
        gv_json_number(to, "command", row->number);
        put_picture(to, row, path, written);
    }
    gv_json_array_end(to);
}

void gv_run_output_json(struct gv_run_output *out, struct gv_json *to)
{
    uint64_t written = gv_run_output_written(out);
    put_frames(out, written, to);
    put_calls(out, written, to);
    gv_json_array_end(&out->exports);
    gv_bytes_u8(&out->exports.out, 0);
    if (!out->exports.out.failed)
        gv_json_raw(to, "exports", (const char *)out->exports.out.data);
    gv_run_compare_json(&out->compare, to);
}
