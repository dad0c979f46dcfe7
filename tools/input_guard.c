#define _DEFAULT_SOURCE // DT_*
#include "tools/input_guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tools/set_file.h"

#define MAX_DEPTH 4 // of folders; a store has two levels

struct gv_file_id {
    dev_t device;
    ino_t inode;
};

struct gv_guarded {
    struct gv_file_id id; // of the file, or of the folder where it is to be
    char *name;           // owned; there, of an output that is not there yet; else NULL
    char *path;           // owned; as it was given
    bool output;
};

static struct gv_file_id id_of(const struct stat *st)
{
    return (struct gv_file_id){ st->st_dev, st->st_ino };
}

static bool same_id(const struct gv_file_id *a, const struct gv_file_id *b)
{
    return a->device == b->device && a->inode == b->inode;
}

// ---- what there is ----

// Whether `path` is a regular file, "-" being the descriptor `standard`.
static bool find_file(const char *path, int standard, struct stat *st)
{
    int failed = strcmp(path, "-") == 0 ? fstat(standard, st) : stat(path, st);
    return !failed && S_ISREG(st->st_mode);
}

// The folder that a new file would be in, and its name there, which the caller frees.
// NULL: there is no such folder.
static char *find_place(const char *path, struct gv_file_id *folder)
{
    char *place = gv_file_place(path, NULL);
    const char *slash = place ? strrchr(place, '/') : NULL;
    char *parent = slash ? strndup(place, (size_t)(slash - place) + 1) : strdup(".");
    struct stat st;
    bool found = place && parent && stat(parent, &st) == 0;
    char *name = found ? strdup(slash ? slash + 1 : place) : NULL;
    free(parent);
    free(place);
    if (name)
        *folder = id_of(&st);
    return name;
}

// ---- inputs ----

static void add(struct gv_input_guard *g, const char *path, struct gv_file_id id,
                const char *name, bool output)
{
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 8;
        void *grown = realloc(g->files, capacity * sizeof *g->files);
        g->failed = g->failed || !grown;
        if (!grown)
            return;
        g->files = grown;
        g->capacity = capacity;
    }
    struct gv_guarded file = { .id = id, .path = strdup(path), .output = output };
    file.name = name ? strdup(name) : NULL;
    g->failed = g->failed || !file.path || (name && !file.name);
    g->files[g->count++] = file;
}

void gv_guard_input(struct gv_input_guard *g, const char *path)
{
    struct stat st;
    if (path && find_file(path, STDIN_FILENO, &st))
        add(g, path, id_of(&st), NULL, false);
}

static void add_set_file(void *context, const char *path)
{
    gv_guard_input(context, path);
}

void gv_guard_set(struct gv_input_guard *g, const char *set)
{
    if (set)
        gv_set_files(set, add_set_file, g);
}

void gv_guard_folder(struct gv_input_guard *g, const char *folder, const char *part)
{
    size_t size = strlen(folder) + strlen(part) + 2;
    char *path = malloc(size);
    void *grown = realloc(g->folders, (g->folder_count + 1) * sizeof *g->folders);
    if (grown)
        g->folders = grown;
    g->failed = g->failed || !path || !grown;
    if (!path || !grown) {
        free(path);
        return;
    }
    snprintf(path, size, "%s/%s", folder, part);
    g->folders[g->folder_count++] = path;
    g->listed = false;
    g->below_count = 0;
}

// ---- files below folders ----

static void add_below(struct gv_input_guard *g, struct gv_file_id id)
{
    if (g->below_count == g->below_capacity) {
        size_t capacity = g->below_capacity ? 2 * g->below_capacity : 256;
        void *grown = realloc(g->below, capacity * sizeof *g->below);
        g->failed = g->failed || !grown;
        if (!grown)
            return;
        g->below = grown;
        g->below_capacity = capacity;
    }
    g->below[g->below_count++] = id;
}

// Takes over `fd`, a folder.
static void list_folder(struct gv_input_guard *g, int fd, int depth)
{
    DIR *folder = fdopendir(fd);
    if (!folder) {
        close(fd);
        return;
    }
    for (const struct dirent *e; (e = readdir(folder)) && !g->failed;) {
        struct stat st;
        if (e->d_name[0] == '.' || fstatat(fd, e->d_name, &st, 0) != 0)
            continue;
        if (S_ISREG(st.st_mode))
            add_below(g, id_of(&st));
        if (!S_ISDIR(st.st_mode) || depth == MAX_DEPTH)
            continue;
        int inner = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (inner >= 0)
            list_folder(g, inner, depth + 1);
    }
    closedir(folder);
}

static int compare_ids(const void *a, const void *b)
{
    const struct gv_file_id *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->inode < y->inode ? -1 : x->inode > y->inode;
}

// Only an output that is there already needs the list, and a store may be large.
static bool is_below(struct gv_input_guard *g, const struct gv_file_id *id)
{
    for (size_t i = 0; !g->listed && i < g->folder_count; i++) {
        int fd = open(g->folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0)
            list_folder(g, fd, 1);
    }
    if (!g->listed && g->below_count)
        qsort(g->below, g->below_count, sizeof *g->below, compare_ids);
    g->listed = true;
    return g->below_count &&
           bsearch(id, g->below, g->below_count, sizeof *g->below, compare_ids);
}

static bool is_path_below(const char *path, const char *folder)
{
    char *file = realpath(strcmp(path, "-") == 0 ? "/proc/self/fd/0" : path, NULL);
    size_t length = strlen(folder);
    bool below = file && strncmp(file, folder, length) == 0 && file[length] == '/';
    free(file);
    return below;
}

bool gv_guard_is_below(const struct gv_input_guard *g, const char *folder,
                       const char *part)
{
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/%s", folder, part);
    char *real = size > 0 && (size_t)size < sizeof path ? realpath(path, NULL) : NULL;
    bool below = false;
    for (size_t i = 0; real && !below && i < g->count; i++)
        below = !g->files[i].output && is_path_below(g->files[i].path, real);
    free(real);
    return below;
}

// ---- outputs ----

static const char *output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

static bool fail_output(const char *path, const struct gv_guarded *file,
                        struct gv_error *err)
{
    if (file && file->output)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "two outputs are one file: %.64s and %.64s",
                       output_name(file->path), output_name(path));
    const char *name = output_name(path);
    const char *what = file ? file->path : "stored there";
    if (strcmp(what, "-") == 0)
        what = "standard input";
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "not written: %.64s is an input (%.64s)", name, what);
}

// Standard output is itself, however often it is named.
static bool is_standard_output(const struct gv_guarded *file, const char *path)
{
    return file->output && strcmp(file->path, "-") == 0 && strcmp(path, "-") == 0;
}

static bool check_file(struct gv_input_guard *g, const char *path,
                       const struct gv_file_id *id, struct gv_error *err)
{
    for (size_t i = 0; i < g->count; i++)
        if (!g->files[i].name && same_id(&g->files[i].id, id) &&
            !is_standard_output(&g->files[i], path))
            return fail_output(path, &g->files[i], err);
    return !is_below(g, id) || fail_output(path, NULL, err);
}

static bool check_place(const struct gv_input_guard *g, const char *path,
                        const struct gv_file_id *folder, const char *name,
                        struct gv_error *err)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->files[i].name && strcmp(g->files[i].name, name) == 0 &&
            same_id(&g->files[i].id, folder))
            return fail_output(path, &g->files[i], err);
    return true;
}

static void shut_standard_output(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
        close(nowhere);
}

static bool guard(struct gv_input_guard *g, const char *path, bool remember,
                  struct gv_error *err)
{
    struct gv_file_id id;
    struct stat st;
    char *name = NULL;
    bool ok = true, standard = strcmp(path, "-") == 0;
    if (find_file(path, STDOUT_FILENO, &st)) {
        id = id_of(&st);
        ok = check_file(g, path, &id, err);
    } else if (!standard && stat(path, &st) != 0 && errno == ENOENT) {
        name = find_place(path, &id);
        ok = !name || check_place(g, path, &id, name, err);
        remember = remember && name;
    } else {
        return true; // a device, a pipe; or it will be said what is wrong
    }
    if (!ok && standard)
        shut_standard_output();
    if (ok && remember)
        add(g, path, id, name, true);
    free(name);
    return ok && (!g->failed || gv_out_of_memory(err));
}

bool gv_guard_output(struct gv_input_guard *g, const char *path, struct gv_error *err)
{
    return guard(g, path, true, err);
}

bool gv_guard_check(struct gv_input_guard *g, const char *path, struct gv_error *err)
{
    return guard(g, path, false, err);
}

void gv_guard_finish(struct gv_input_guard *g)
{
    for (size_t i = 0; i < g->count; i++) {
        free(g->files[i].name);
        free(g->files[i].path);
    }
    for (size_t i = 0; i < g->folder_count; i++)
        free(g->folders[i]);
    free(g->files);
    free(g->folders);
    free(g->below);
    *g = (struct gv_input_guard){ 0 };
}
