#include "tools/results/result_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/base/write_all.h"
#include "tools/base/json.h"
#include "tools/base/json_check.h"
#include "tools/base/json_read.h"

#define LINE_BYTES (1 << 20) // of a line that is read
#define LINES_BYTES ((size_t)1 << 30)
#define SHOWN 64 // differing frames that a line has at most

// ---- writing ----

static void put_frame(struct gv_json *j, const struct gv_result_frame *f)
{
    gv_json_begin(j, NULL);
    gv_json_text(j, "frame", f->frame);
    gv_json_text(j, "why", f->why);
    gv_json_text(j, "expected", f->expected);
    gv_json_text(j, "actual", f->actual);
    gv_json_number(j, "pictures", f->pictures);
    gv_json_end(j);
}

static void put_result(struct gv_json *j, const struct gv_result *r)
{
    gv_json_begin(j, NULL);
    gv_json_text(j, "name", r->name);
    gv_json_text(j, "file", r->file);
    gv_json_text(j, "result", gv_word_name(r->word));
    gv_json_text(j, "note", r->note);
    gv_json_text(j, "why", r->why);
    gv_json_number(j, "ns", r->ns);
    gv_json_number(j, "frames", r->frames);
    gv_json_number(j, "differing_total", r->differing_total);
    gv_json_array(j, "differing");
    for (size_t i = 0; i < r->differing_count; i++)
        put_frame(j, &r->differing[i]);
    gv_json_array_end(j);
    gv_json_text(j, "command", r->command);
    gv_json_text(j, "golden", r->golden);
    gv_json_end(j);
}

static void put_about(struct gv_json *j, const char *about)
{
    gv_json_begin(j, NULL);
    gv_json_text(j, "about", about);
    gv_json_end(j);
}

static bool put_line(struct gv_result_lines *lines, struct gv_json *j,
                     struct gv_error *err)
{
    gv_bytes_u8(&j->out, '\n');
    const bool ok =
        j->out.failed ? gv_out_of_memory(err)
        : gv_write_all(lines->fd, j->out.data, j->out.size)
            ? true
            : gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %.100s: %s",
                      lines->path, strerror(errno));
    gv_json_finish(j);
    return ok;
}

bool gv_result_lines_put(struct gv_result_lines *lines, const struct gv_result *r,
                         struct gv_error *err)
{
    struct gv_json j = { 0 };
    put_result(&j, r);
    return put_line(lines, &j, err);
}

// ---- reading ----

static const char *take(struct gv_arena *arena, const char *value, char *room)
{
    const bool text = gv_json_copy(value, room, LINE_BYTES);
    return gv_arena_copy(arena, text ? room : "", text ? strlen(room) : 0);
}

static bool is_sound(const struct gv_result *r)
{
    return r->name && r->name[0] && r->file && r->note && r->why && r->command &&
           r->golden;
}

static bool take_frames(struct gv_result *r, struct gv_result_frame frames[SHOWN],
                        const char *object, struct gv_arena *arena, char *room)
{
    const char *at = gv_json_first(gv_json_member(object, "differing"));
    for (; at && r->differing_count < SHOWN; at = gv_json_after(at)) {
        struct gv_result_frame *f = &frames[r->differing_count++];
        f->frame = take(arena, gv_json_member(at, "frame"), room);
        f->why = take(arena, gv_json_member(at, "why"), room);
        f->expected = take(arena, gv_json_member(at, "expected"), room);
        f->actual = take(arena, gv_json_member(at, "actual"), room);
        f->pictures = (unsigned)gv_json_whole(gv_json_member(at, "pictures"), 0) & 7;
        if (!f->frame || !f->why || !f->expected || !f->actual)
            return false;
    }
    r->differing = frames;
    return true;
}

// A line that was checked to be an object.
static bool take_result(struct gv_results *results, const char *object, char *room)
{
    struct gv_arena texts = { 0 };
    struct gv_result_frame frames[SHOWN];
    struct gv_result r = {
        .name = take(&texts, gv_json_member(object, "name"), room),
        .file = take(&texts, gv_json_member(object, "file"), room),
        .note = take(&texts, gv_json_member(object, "note"), room),
        .why = take(&texts, gv_json_member(object, "why"), room),
        .command = take(&texts, gv_json_member(object, "command"), room),
        .golden = take(&texts, gv_json_member(object, "golden"), room),
        .ns = gv_json_whole(gv_json_member(object, "ns"), 0),
        .frames = gv_json_whole(gv_json_member(object, "frames"), 0),
        .differing_total = gv_json_whole(gv_json_member(object, "differing_total"), 0),
    };
    char word[32];
    const bool ok = gv_json_copy(gv_json_member(object, "result"), word, sizeof word) &&
                    gv_word_find(word, strlen(word), &r.word) && is_sound(&r) &&
                    take_frames(&r, frames, object, &texts, room) &&
                    gv_results_add(results, &r);
    gv_arena_finish(&texts);
    return ok;
}

// What is being read.
struct reader {
    struct gv_results *results;
    const char *path, *about; // which the first line has to say; NULL: anything
    char *line, *room;        // LINE_BYTES each
    size_t number;
    struct gv_error *err;
};

static bool fail_line(struct reader *r, const char *why)
{
    return gv_fail(r->err, r->about ? GV_ERR_USAGE : GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%.100s: line %zu: %s", r->path, r->number, why);
}

static bool read_line(struct reader *r, const char *text, size_t size)
{
    r->number++;
    if (size >= LINE_BYTES)
        return fail_line(r, "longer than any that check writes");
    memcpy(r->line, text, size);
    r->line[size] = '\0';
    if (strlen(r->line) != size || r->line[0] != '{' || !gv_json_is_object(r->line))
        return fail_line(r, "no object of JSON");
    if (r->number > 1)
        return take_result(r->results, r->line, r->room) ||
               fail_line(r, "not a result of check");
    if (!gv_json_copy(gv_json_member(r->line, "about"), r->room, LINE_BYTES))
        return fail_line(r, "does not say what was checked");
    return !r->about || strcmp(r->room, r->about) == 0 ||
           fail_line(r, "--resume: that check had other options or files");
}

// `*whole` is where the last whole line ends.
static bool read_lines(struct reader *r, const struct gv_file *file, size_t *whole)
{
    const char *text = (const char *)file->data;
    *whole = 0;
    for (const char *end; *whole < file->size &&
                          (end = memchr(text + *whole, '\n', file->size - *whole));) {
        const size_t size = (size_t)(end - text) - *whole;
        if (!read_line(r, text + *whole, size))
            return false;
        *whole += size + 1;
    }
    return true;
}

static bool read_all(struct reader *r, size_t *whole)
{
    struct gv_file file;
    if (!gv_file_load_regular(&file, r->path, LINES_BYTES, r->err))
        return false;
    char *rooms = malloc(2 * (size_t)LINE_BYTES);
    r->line = rooms;
    r->room = rooms + LINE_BYTES;
    const bool ok = rooms ? read_lines(r, &file, whole) : gv_out_of_memory(r->err);
    free(rooms);
    gv_file_close(&file);
    return ok;
}

static bool put_path(char path[4096], const char *folder, struct gv_error *err)
{
    return snprintf(path, 4096, "%s/%s", folder, GV_RESULT_LINES) < 4096 ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the folder's name is too long");
}

bool gv_result_lines_read(struct gv_results *results, const char *folder,
                          struct gv_error *err)
{
    char path[4096];
    size_t whole;
    struct reader r = { .results = results, .path = path, .err = err };
    return put_path(path, folder, err) && read_all(&r, &whole);
}

// Reads what is there, if anything. `*whole` bytes of it are kept.
static bool go_on(const char *path, const char *about, struct gv_results *earlier,
                  size_t *whole, struct gv_error *err)
{
    struct reader r = { .results = earlier, .path = path, .about = about, .err = err };
    return access(path, F_OK) != 0 || read_all(&r, whole);
}

bool gv_result_lines_open(struct gv_result_lines *lines, const char *folder,
                          const char *about, bool resume, struct gv_results *earlier,
                          struct gv_error *err)
{
    size_t whole = 0;
    lines->fd = -1;
    if (!put_path(lines->path, folder, err) ||
        (resume && !go_on(lines->path, about, earlier, &whole, err)))
        return false;
    lines->fd = open(lines->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (lines->fd < 0 || ftruncate(lines->fd, (off_t)whole) != 0)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %.100s: %s",
                       lines->path, strerror(errno));
    if (whole)
        return true;
    struct gv_json j = { 0 };
    put_about(&j, about);
    return put_line(lines, &j, err);
}

bool gv_result_lines_drop(struct gv_result_lines *lines, const char *about,
                          const struct gv_results *results, const bool *dropped,
                          struct gv_error *err)
{
    struct gv_bytes all = { 0 };
    struct gv_json j = { 0 };
    put_about(&j, about);
    for (size_t i = 0;; i++) {
        gv_bytes_put(&all, j.out.data, j.out.size);
        gv_bytes_u8(&all, '\n');
        gv_json_finish(&j);
        while (i < results->count && dropped[i])
            i++;
        if (i >= results->count)
            break;
        put_result(&j, &results->items[i]);
    }
    gv_result_lines_close(lines);
    bool ok = all.failed ? gv_out_of_memory(err)
                         : gv_file_write(lines->path, all.data, all.size, err);
    gv_bytes_finish(&all);
    if (ok)
        lines->fd = open(lines->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return ok && (lines->fd >= 0 ||
                  gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %.100s: %s",
                          lines->path, strerror(errno)));
}

void gv_result_lines_close(struct gv_result_lines *lines)
{
    if (lines->fd >= 0)
        close(lines->fd);
    lines->fd = -1;
}
