#define _DEFAULT_SOURCE // realpath, madvise
#include "resources/base/file.h"

#include "resources/base/in_place.h"
#include "resources/base/read_some.h"
#include "resources/base/temporary.h"
#include "resources/base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool fail_errno(struct gv_error *err, enum gv_status status, const char *what,
                       const char *path)
{
    return gv_fail(err, status, GV_NO_OFFSET, "%s %s: %s", what, path, strerror(errno));
}

#define READ_BYTES ((size_t)65536)

// What is read, in steps of so many bytes at most.
struct reading {
    int fd;
    size_t step, limit;
};

// Room for a step behind `size`. Doubles, but not past what may be needed.
static bool make_room(uint8_t **data, size_t *capacity, size_t size,
                      const struct reading *from)
{
    const size_t step = from->step;
    const size_t most = from->limit < SIZE_MAX / 2 ? from->limit + step : SIZE_MAX / 2;
    if (*capacity - size >= step)
        return true;
    size_t wanted = *capacity > most / 2 ? most : *capacity * 2;
    if (wanted < size + step)
        wanted = size + step;
    uint8_t *grown = realloc(*data, wanted);
    if (!grown)
        return false;
    *data = grown;
    *capacity = wanted;
    return true;
}

static bool fail_over(size_t limit, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "input is over %zu bytes", limit);
}

static bool read_all(struct gv_file *file, struct gv_span head,
                     const struct reading *from, struct gv_error *err)
{
    uint8_t *data = head.size ? malloc(head.size) : NULL;
    size_t capacity = head.size;
    file->in_memory = true;
    file->data = data;
    if (head.size && !data)
        return gv_out_of_memory(err);
    if (head.size)
        memcpy(data, head.data, head.size);
    file->size = head.size;
    for (;;) {
        if (!make_room(&data, &capacity, file->size, from))
            return gv_out_of_memory(err);
        file->data = data;
        ssize_t n = gv_read_some(from->fd, data + file->size, from->step);
        if (n < 0)
            return fail_errno(err, GV_ERR_SYSTEM, "cannot read", "the input");
        if (n == 0)
            return true;
        file->size += (size_t)n;
        if (file->size > from->limit)
            return fail_over(from->limit, err);
    }
}

static bool read_or_close(struct gv_file *file, struct gv_span head,
                          const struct reading *from, struct gv_error *err)
{
    *file = (struct gv_file){ 0 };
    if (read_all(file, head, from, err))
        return true;
    gv_file_close(file);
    return false;
}

bool gv_file_read_fd(struct gv_file *file, int fd, size_t limit, struct gv_error *err)
{
    return gv_file_read_behind(file, (struct gv_span){ NULL, 0 }, fd, limit, err);
}

bool gv_file_read_behind(struct gv_file *file, struct gv_span head, int fd,
                         size_t limit, struct gv_error *err)
{
    const struct reading from = { fd, READ_BYTES, limit };
    return read_or_close(file, head, &from, err);
}

static bool fail_open(const char *path, struct gv_error *err)
{
    return fail_errno(err, errno == ENOENT ? GV_ERR_NOT_FOUND : GV_ERR_SYSTEM,
                      "cannot open", path);
}

static bool map_fd(struct gv_file *file, int fd, const char *path, size_t limit,
                   struct gv_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return fail_errno(err, GV_ERR_SYSTEM, "cannot stat", path);
    if (S_ISDIR(st.st_mode))
        return gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET, "%s is a folder", path);
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return gv_file_read_fd(file, fd, limit, err);
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return fail_errno(err, GV_ERR_SYSTEM, "cannot map", path);
    *file = (struct gv_file){ data, (size_t)st.st_size, .mapped = true };
    return true;
}

bool gv_file_fail(const struct gv_error *why, const char *path, struct gv_error *err)
{
    const enum gv_status status =
        why->status == GV_ERR_SYSTEM ? GV_ERR_USAGE : why->status;
    return strstr(why->message, path)
               ? gv_fail(err, status, GV_NO_OFFSET, "%s", why->message)
               : gv_fail(err, status, GV_NO_OFFSET, "%.64s: %.80s", path, why->message);
}

bool gv_file_open_within(struct gv_file *file, const char *path, size_t limit,
                         struct gv_error *err)
{
    *file = (struct gv_file){ 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_open(path, err);
    bool ok = map_fd(file, fd, path, limit, err);
    close(fd);
    return ok;
}

bool gv_file_open(struct gv_file *file, const char *path, struct gv_error *err)
{
    return gv_file_open_within(file, path, GV_FILE_TEXT_MAX, err);
}

bool gv_file_load(struct gv_file *file, const char *path, size_t limit,
                  struct gv_error *err)
{
    *file = (struct gv_file){ 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_open(path, err);
    bool ok = gv_file_read_fd(file, fd, limit, err);
    close(fd);
    return ok;
}

bool gv_file_load_regular(struct gv_file *file, const char *path, size_t limit,
                          struct gv_error *err)
{
    *file = (struct gv_file){ 0 };
    struct stat st;
    // A pipe would wait for a writer.
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return fail_open(path, err);
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (!ok)
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "%s is no regular file", path);
    // Bytes that would be thrown away are not read first.
    if (ok && (uint64_t)st.st_size > limit)
        ok = fail_over(limit, err);
    // A small one takes no more memory than it fills, and a byte to see its end.
    const size_t step =
        ok && st.st_size < (off_t)READ_BYTES ? (size_t)st.st_size + 1 : READ_BYTES;
    const struct reading from = { fd, step, limit };
    ok = ok && read_or_close(file, (struct gv_span){ NULL, 0 }, &from, err);
    close(fd);
    return ok;
}

void gv_file_forget(const void *mapped, size_t from, size_t to)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t first = from / page * page, last = to / page * page;
    // A refusal costs nothing but memory.
    if (last > first)
        madvise((char *)(uintptr_t)mapped + first, last - first, MADV_DONTNEED);
}

void gv_file_close(struct gv_file *file)
{
    if (file->mapped)
        munmap((void *)(uintptr_t)file->data, file->size);
    else
        free((void *)(uintptr_t)file->data);
    *file = (struct gv_file){ 0 };
}

static bool close_written(int fd, bool ok)
{
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return fd >= 0 && ok;
}

// A device or pipe is written to as it stands: a rename would replace it by a file.
static bool write_in_place(const char *path, const void *data, size_t size,
                           struct gv_error *err)
{
    int fd = gv_open_in_place(path, err);
    if (fd < 0)
        return false;
    bool ok = close_written(fd, gv_write_all(fd, data, size));
    return ok || fail_errno(err, GV_ERR_OUTPUT, "cannot write", path);
}

// `mode` is that of the file replaced, or 0.
static int begin(const char *place, mode_t mode, char *temporary)
{
    int fd = gv_temporary_beside(place, temporary, mode ? mode & 0777 : 0666);
    struct stat st;
    // What the umask took; where that is refused it stays so.
    if (fd >= 0 && mode && fstat(fd, &st) == 0 && (st.st_mode & 0777) != (mode & 0777))
        fchmod(fd, mode & 0777);
    return fd;
}

int gv_file_begin(const char *place, char *temporary)
{
    struct stat st;
    return begin(place, stat(place, &st) == 0 ? st.st_mode : 0, temporary);
}

static bool replace(const char *path, mode_t mode, const void *data, size_t size,
                    struct gv_error *err)
{
    size_t room = strlen(path) + GV_TEMPORARY_ROOM;
    char *temporary = malloc(room);
    if (!temporary)
        return gv_out_of_memory(err);
    int fd = begin(path, mode, temporary);
    bool ok = fd >= 0 && gv_write_all(fd, data, size);
    ok = close_written(fd, ok) && rename(temporary, path) == 0;
    if (!ok)
        fail_errno(err, GV_ERR_OUTPUT, "cannot write", path);
    if (ok)
        gv_temporary_forget(temporary);
    else if (fd >= 0)
        gv_temporary_remove(temporary);
    free(temporary);
    return ok;
}

// Links that a path may go through, as Linux has it.
#define MAX_LINKS 40

// The name that the link `path` holds, counted from where the link is.
static char *read_link(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = '\0';
    const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    char *name = malloc(folder + (size_t)length + 1);
    if (name) {
        memcpy(name, path, folder);
        memcpy(name + folder, target, (size_t)length + 1);
    }
    return name;
}

char *gv_file_place(const char *path, struct gv_error *err)
{
    char *place = realpath(path, NULL);
    if (place)
        return place;
    place = strdup(path);
    struct stat st;
    for (int links = 0; place && lstat(place, &st) == 0 && S_ISLNK(st.st_mode);) {
        errno = ELOOP;
        char *next = links++ < MAX_LINKS ? read_link(place) : NULL;
        if (!next)
            fail_errno(err, GV_ERR_OUTPUT, "cannot write", path);
        free(place);
        if (!next)
            return NULL;
        place = next;
    }
    if (!place)
        gv_out_of_memory(err);
    return place;
}

bool gv_file_write(const char *path, const void *data, size_t size,
                   struct gv_error *err)
{
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode))
        return write_in_place(path, data, size, err);
    char *place = gv_file_place(path, err);
    bool ok = place && replace(place, there ? st.st_mode : 0, data, size, err);
    free(place);
    return ok;
}

bool gv_file_keep(const char *path, const void *data, size_t size, struct gv_error *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "cannot write %s: it is no regular file", path);
    return replace(path, 0, data, size, err);
}

static bool can_replace(const char *path, struct gv_error *err)
{
    char *place = gv_file_place(path, err);
    if (!place)
        return false;
    char *temporary = malloc(strlen(place) + GV_TEMPORARY_ROOM);
    int fd = temporary ? gv_temporary_beside(place, temporary, 0666) : -1;
    bool ok = fd >= 0;
    if (ok) {
        gv_temporary_remove(temporary);
        close(fd);
    } else if (temporary) {
        fail_errno(err, GV_ERR_OUTPUT, "cannot write", place);
    } else {
        gv_out_of_memory(err);
    }
    free(temporary);
    free(place);
    return ok;
}

// /dev/full, by its number in every Linux: nothing else can be known to be full.
static bool is_full(const struct stat *st)
{
    return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 7);
}

bool gv_file_can_write(const char *path, struct gv_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
        return can_replace(path, err);
    if (S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (is_full(&st))
        errno = ENOSPC;
    else if (access(path, W_OK) == 0)
        return true;
    return fail_errno(err, GV_ERR_OUTPUT, "cannot write", path);
}

bool gv_make_folders(const char *path, struct gv_error *err)
{
    errno = ENOENT;
    if (!*path)
        return fail_errno(err, GV_ERR_OUTPUT, "cannot make folder", path);
    char *copy = strdup(path);
    if (!copy)
        return gv_out_of_memory(err);
    bool ok = true;
    for (char *p = copy + 1; ok; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char kept = *p;
        *p = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            ok = fail_errno(err, GV_ERR_OUTPUT, "cannot make folder", copy);
        *p = kept;
        if (kept == '\0')
            break;
    }
    struct stat st;
    if (ok && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))) {
        errno = ENOTDIR; // what was there is something else
        ok = fail_errno(err, GV_ERR_OUTPUT, "cannot make folder", path);
    }
    free(copy);
    return ok;
}

bool gv_make_folders_of(const char *path, struct gv_error *err)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return true;
    char *folder = strndup(path, (size_t)(slash - path));
    const bool ok = folder ? gv_make_folders(folder, err) : gv_out_of_memory(err);
    free(folder);
    return ok;
}
