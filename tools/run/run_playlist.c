#include "tools/run/run_playlist.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/now.h"
#include "resources/base/path_kind.h"
#include "resources/base/write_all.h"
#include "tools/base/exhausted.h"
#include "tools/input.h"
#include "tools/picture/picture_file.h"
#include "tools/run/run_file.h"
#include "tools/window/window.h"
#include "tools/window/window_pacing.h"

static bool write_new(const char *path, const uint8_t *data, size_t size,
                      struct gv_error *err)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool written = fd >= 0 && gv_write_all(fd, data, size);
    if (!written)
        gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %.100s: %s", path,
                strerror(errno));
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && !written)
        unlink(path); // ours, and not whole
    return written;
}

static bool make_folder_of(const char *path, struct gv_error *err)
{
    char folder[GV_RUN_PATH];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return true;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return gv_make_folders(folder, err);
}

// In the window's process.
static bool save(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                 struct gv_error *err)
{
    struct gv_picture_encoder encoder = { 0 };
    const uint8_t *data;
    size_t size;
    const bool saved = gv_picture_encode(&encoder, GV_PICTURE_PNG, rgba, width, height,
                                         &data, &size, err) &&
                       make_folder_of(path, err) && write_new(path, data, size, err);
    gv_picture_encoder_finish(&encoder);
    return saved;
}

struct playlist {
    const struct gv_program *program;
    const struct gv_run_options *options;
    const char *const *files;
    size_t count, at;
    bool is_list;              // of files that were looked for, or are named in a file
    bool played;               // one of them was on
    char dropped[GV_RUN_PATH]; // a file that was dropped on the window, or ""
};

static bool window_params(const struct gv_run_options *o, bool list,
                          struct gv_window_params *params, struct gv_error *err)
{
    *params = (struct gv_window_params){
        .has_aspect = o->aspect != NULL,
        .passes = o->loop,
        .list = list,
        .quiet = o->quiet,
        .save = save,
    };
    if (o->interactive || o->prewarm)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--window goes with neither --interactive nor --prewarm");
    return (!o->fps || gv_pacing_parse(o->fps, &params->millihz, err)) &&
           (!o->aspect || gv_aspect_parse(o->aspect, &params->aspect, err));
}

// What was asked for on the command line is of the files there.
static struct gv_run_options options_for(const struct playlist *list)
{
    struct gv_run_options o = *list->options;
    o.file = list->dropped[0] ? list->dropped : list->files[list->at];
    if (list->dropped[0]) {
        o.frames = o.screenshots = o.screenshot_dir = o.expect = NULL;
        o.hashes.count = o.hash_exports.count = 0;
        o.exports.count = o.calls.count = 0;
    }
    return o;
}

// Of pictures that are saved: beside the file, or where others go.
static void put_prefix(char prefix[GV_RUN_PATH], const struct gv_run_options *o)
{
    if (o->screenshot_dir)
        snprintf(prefix, GV_RUN_PATH, "%.3000s/%.1000s", o->screenshot_dir,
                 o->screenshot_prefix);
    else
        snprintf(prefix, GV_RUN_PATH, "%.3000s.frames/%.1000s",
                 strcmp(o->file, "-") == 0 ? "gpuvm" : o->file, o->screenshot_prefix);
}

// What was not named on the command line is opened if that means to wait for nobody.
static bool is_to_open(const struct playlist *list, const char *path,
                       struct gv_error *err)
{
    const bool found = list->dropped[0] || list->is_list;
    const enum gv_path_kind kind = gv_path_kind(path);
    return !found || gv_input_is_url(path) || kind == GV_PATH_NOTHING ||
           kind == GV_PATH_FILE ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no regular file");
}

static enum gv_exit run_one(const struct playlist *list, struct gv_window *window)
{
    struct gv_run_options o = options_for(list);
    struct gv_program program = *list->program;
    struct gv_error err = GV_ERROR_INIT;
    char prefix[GV_RUN_PATH];
    const char *slash = strrchr(o.file, '/');
    put_prefix(prefix, &o);
    const int line = gv_window_open_file(window, slash ? slash + 1 : o.file, prefix,
                                         list->at, list->count, &err);
    if (line < 0)
        return gv_report_error(o.file, &err, GV_PHASE_RUN, o.json);
    if (!is_to_open(list, o.file, &err)) {
        close(line);
        return gv_report_error(o.file, &err, GV_PHASE_OPEN, o.json);
    }
    gv_exhausted_forget();
    // Each file's time is its own; that of the first counts from the program's start.
    if (list->played)
        program.start_ns = gv_now_ns();
    const enum gv_exit code = gv_run_file(&program, &o, window, line);
    close(line);
    return code;
}

// Where to go next. False: nowhere.
static bool go_on(struct playlist *list, struct gv_window *window, enum gv_exit code)
{
    int move = 0;
    char name[GV_RUN_PATH];
    switch (gv_window_ask(window, (int)code, &move, name, sizeof name)) {
    case GV_WINDOW_WISH_END:
        return false;
    case GV_WINDOW_WISH_OPEN:
        snprintf(list->dropped, sizeof list->dropped, "%s", name);
        return true;
    case GV_WINDOW_WISH_MOVE:
        list->dropped[0] = '\0';
        list->at = (list->at + (move > 0 ? 1 : list->count - 1)) % list->count;
        return true;
    }
    return false;
}

enum gv_exit gv_run_playlist(const struct gv_program *program,
                             const struct gv_run_options *options,
                             const char *const *files, size_t count, bool list)
{
    struct playlist play = {
        .program = program,
        .options = options,
        .files = files,
        .count = count,
        .is_list = list,
    };
    struct gv_window_params params;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_exit first = GV_EXIT_OK, code;
    if (!window_params(options, list, &params, &err))
        return gv_report_error(NULL, &err, GV_PHASE_OPEN, options->json);
    struct gv_window *window = gv_window_create(&params, &err);
    if (!window)
        return gv_report_error(NULL, &err, GV_PHASE_RUN, options->json);
    do {
        code = run_one(&play, window);
        first = first == GV_EXIT_OK ? code : first;
        play.played = true;
    } while (go_on(&play, window, code));
    if (!gv_window_close(window, &err) && first == GV_EXIT_OK)
        first = gv_report_error(NULL, &err, GV_PHASE_RUN, options->json);
    return first;
}
