#include "tools/check/golden_write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"

// What is being written.
struct writer {
    const struct gv_check_difference *difference;
    bool *written; // owned; [difference->count]
    struct gv_bytes out;
};

static const struct gv_check_differing *find(const struct writer *w, const char *frame,
                                             bool **written)
{
    for (size_t i = 0; i < w->difference->count; i++)
        if (strcmp(w->difference->items[i].frame, frame) == 0) {
            *written = &w->written[i];
            return &w->difference->items[i];
        }
    return NULL;
}

// The frame's hash in a form that the line has, digits alone where it had these alone.
static const char *hash_like(const struct gv_golden_line *line,
                             const struct gv_check_frame *frame)
{
    for (int form = 0; line && form < GV_HASH_FORM_COUNT; form++) {
        const char *hash = frame->hash[form], *colon = strchr(hash, ':');
        if (line->forms & 1u << form && colon)
            return strchr(line->hash, ':') ? hash : colon + 1;
    }
    return gv_check_any_hash(frame);
}

// `line` is the one that it replaces, or NULL.
static void put_line(struct writer *w, const struct gv_check_differing *d,
                     const struct gv_golden_line *line)
{
    const bool any = line && strcmp(line->size, "-") == 0;
    gv_bytes_printf(&w->out, "frame\t%s\t%s\t%s\n", d->frame,
                    any ? "-" : d->actual->size, hash_like(line, d->actual));
}

// A line as it stands, or what takes its place.
static bool put_old(struct writer *w, const char *text, size_t size,
                    struct gv_error *err)
{
    struct gv_golden one = { 0 };
    bool *written = NULL;
    const bool ok = gv_golden_parse(&one, "", text, size, err);
    const struct gv_golden_line *line = one.count ? one.lines : NULL;
    const struct gv_check_differing *d = line ? find(w, line->frame, &written) : NULL;
    if (!d) {
        gv_bytes_put(&w->out, text, size);
        if (size && text[size - 1] != '\n')
            gv_bytes_u8(&w->out, '\n');
    } else if (d->actual && !*written) {
        put_line(w, d, line);
        *written = true;
    }
    gv_golden_finish(&one);
    return ok;
}

static bool put_all(struct writer *w, const struct gv_file *old, struct gv_error *err)
{
    const char *at = (const char *)old->data, *stop = at + old->size;
    while (at < stop) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        const char *next = newline ? newline + 1 : stop;
        if (!put_old(w, at, (size_t)(next - at), err))
            return false;
        at = next;
    }
    for (size_t i = 0; i < w->difference->count; i++)
        if (!w->written[i] && w->difference->items[i].actual)
            put_line(w, &w->difference->items[i], w->difference->items[i].expected);
    return true;
}

static bool write_file(const char *path, const struct gv_check_difference *difference,
                       struct gv_error *err)
{
    struct gv_file old = { 0 };
    struct gv_error mine = GV_ERROR_INIT;
    struct writer w = { .difference = difference,
                        .written = calloc(difference->count + 1, sizeof(bool)) };
    bool ok = w.written || gv_out_of_memory(err);
    if (ok && !gv_file_load_regular(&old, path, GV_FILE_TEXT_MAX, &mine) &&
        mine.status != GV_ERR_NOT_FOUND)
        ok = gv_fail(err, mine.status, GV_NO_OFFSET, "%s", mine.message);
    ok = ok && put_all(&w, &old, err);
    const bool same = ok && old.data && w.out.size == old.size &&
                      (!old.size || memcmp(w.out.data, old.data, old.size) == 0);
    if (ok && !same)
        ok = w.out.failed ? gv_out_of_memory(err)
                          : gv_file_write(path, w.out.data, w.out.size, err);
    gv_file_close(&old);
    gv_bytes_finish(&w.out);
    free(w.written);
    return ok;
}

static bool make_parent(const char *path, struct gv_error *err)
{
    char folder[GV_GOLDEN_PATH];
    const size_t length = (size_t)(strrchr(path, '/') - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    return gv_make_folders(folder, err);
}

// Of a capture that shows no frame: that it has been looked at.
static bool write_none(const char *folder, const char *name, const char *device,
                       struct gv_error *err)
{
    static const char none[] = "# no frame is shown\n";
    char path[GV_GOLDEN_PATH];
    if (device[0]) {
        if (!gv_golden_path(path, folder, name, device, err))
            return false;
        if (access(path, F_OK) == 0)
            return true;
    }
    return gv_golden_path(path, folder, name, "", err) &&
           (access(path, F_OK) == 0 ||
            (make_parent(path, err) &&
             gv_file_write(path, none, sizeof none - 1, err)));
}

bool gv_golden_bless(const char *folder, const char *name, const char *device,
                     const struct gv_check_difference *difference, struct gv_error *err)
{
    char path[GV_GOLDEN_PATH];
    if (!difference->count)
        return write_none(folder, name, device, err);
    if (!gv_golden_path(path, folder, name, "", err))
        return false;
    if (device[0] && access(path, F_OK) == 0 &&
        !gv_golden_path(path, folder, name, device, err))
        return false;
    return make_parent(path, err) && write_file(path, difference, err);
}
