#include "tools/run/play_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "resources/base/path_kind.h"
#include "tools/input.h"
#include "tools/playable.h"
#include "tools/run/run_plan.h"

#define SKIPPED_NAMED 16 // of files that are skipped; others are only counted

static bool add(struct gv_play_files *files, const char *folder, struct gv_span name,
                struct gv_error *err)
{
    if (files->count == GV_PLAY_FILES_MAX)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "there are more than %zu files",
                       GV_PLAY_FILES_MAX);
    if (files->count == files->capacity) {
        const size_t capacity = files->capacity ? files->capacity * 2 : 64;
        char **grown = realloc(files->names, capacity * sizeof *grown);
        if (!grown)
            return gv_out_of_memory(err);
        files->names = grown;
        files->capacity = capacity;
    }
    const size_t before = strlen(folder);
    char *path = malloc(before + name.size + 1);
    if (!path)
        return gv_out_of_memory(err);
    memcpy(path, folder, before);
    memcpy(path + before, name.data, name.size);
    path[before + name.size] = '\0';
    files->names[files->count++] = path;
    return true;
}

// ---- a folder ----

// Keeps the files that can be played.
static void choose(struct gv_play_files *files, const struct gv_captures *captures)
{
    size_t kept = 0, skipped = 0;
    for (size_t i = 0; i < files->count; i++) {
        struct gv_error err = GV_ERROR_INIT;
        char *path = files->names[i];
        if (gv_is_playable(path, captures, &err)) {
            files->names[kept++] = path;
            continue;
        }
        if (skipped++ < SKIPPED_NAMED)
            gv_say("%s: skipped: %s", path, err.message);
        free(path);
    }
    files->count = kept;
    if (skipped > SKIPPED_NAMED)
        gv_say("and %zu more skipped", skipped - SKIPPED_NAMED);
}

static bool add_entries(struct gv_play_files *files, DIR *folder, const char *before,
                        struct gv_error *err)
{
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(folder)) != NULL) {
        const char *name = entry->d_name;
        const struct gv_span span = { name, strlen(name) };
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            !add(files, before, span, err))
            return false;
    }
    return !errno || gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                             "cannot read the folder: %s", strerror(errno));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool read_folder(struct gv_play_files *files, const char *path,
                        const struct gv_captures *captures, struct gv_error *err)
{
    char before[GV_RUN_PATH];
    const size_t length = strlen(path);
    const char *slash = length && path[length - 1] == '/' ? "" : "/";
    if ((size_t)snprintf(before, sizeof before, "%s%s", path, slash) >= sizeof before)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the folder's name is too long");
    DIR *folder = opendir(path);
    if (!folder)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "cannot open %.100s: %s", path,
                       strerror(errno));
    const bool read = add_entries(files, folder, before, err);
    closedir(folder);
    if (!read)
        return false;
    if (files->count)
        qsort(files->names, files->count, sizeof *files->names, by_name);
    choose(files, captures);
    return files->count || gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET,
                                   "nothing in the folder can be played");
}

// ---- a list ----

static bool add_line(struct gv_play_files *files, const char *folder,
                     struct gv_span line, struct gv_error *err)
{
    char name[GV_RUN_PATH];
    const char *text = line.data;
    if (line.size && text[line.size - 1] == '\r')
        line.size--;
    if (!line.size || text[0] == '#')
        return true;
    if (line.size >= sizeof name - strlen(folder))
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "a name has more than %d bytes with its folder",
                       GV_RUN_PATH - 1);
    memcpy(name, text, line.size);
    name[line.size] = '\0';
    return add(files, name[0] == '/' || gv_input_is_url(name) ? "" : folder, line, err);
}

static bool add_lines(struct gv_play_files *files, const char *folder,
                      const struct gv_file *list, struct gv_error *err)
{
    const uint8_t *data = list->data, *nul = memchr(data, '\0', list->size);
    if (nul)
        return gv_fail(err, GV_ERR_FORMAT, (uint64_t)(nul - data),
                       "a NUL: not a list of files (run --window plays a file)");
    for (size_t at = 0; at < list->size;) {
        const uint8_t *end = memchr(data + at, '\n', list->size - at);
        const size_t size = end ? (size_t)(end - data) - at : list->size - at;
        struct gv_error mine = GV_ERROR_INIT;
        if (!add_line(files, folder, (struct gv_span){ data + at, size }, &mine))
            return gv_fail(err, mine.status, at, "%s", mine.message);
        at += size + (end != NULL);
    }
    return true;
}

// With its slash; of a list without one "./", or a name like "-" would mean another.
static bool put_folder(char folder[GV_RUN_PATH], const char *path, struct gv_error *err)
{
    const char *slash = strrchr(path, '/');
    const size_t size = slash ? (size_t)(slash - path) + 1 : 2;
    if (size >= GV_RUN_PATH)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "the list's name is too long");
    snprintf(folder, GV_RUN_PATH, "%.*s", (int)size, slash ? path : "./");
    return true;
}

static bool read_list(struct gv_play_files *files, const char *path,
                      struct gv_error *err)
{
    char folder[GV_RUN_PATH];
    struct gv_file list;
    if (!put_folder(folder, path, err) ||
        !gv_file_load_regular(&list, path, GV_PLAY_LIST_BYTES, err))
        return false;
    const bool added = add_lines(files, folder, &list, err);
    gv_file_close(&list);
    return added && (files->count || gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET,
                                             "the list names no file"));
}

bool gv_play_files_read(struct gv_play_files *files, const char *path,
                        const struct gv_captures *captures, struct gv_error *err)
{
    *files = (struct gv_play_files){ 0 };
    return gv_path_kind(path) == GV_PATH_FOLDER
               ? read_folder(files, path, captures, err)
               : read_list(files, path, err);
}

void gv_play_files_finish(struct gv_play_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
    *files = (struct gv_play_files){ 0 };
}
