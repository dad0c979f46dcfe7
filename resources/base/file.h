// Files: mapped for reading, replaced as a whole when written.
#ifndef GV_FILE_H
#define GV_FILE_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

#include <stddef.h>

// A read-only mapping of a file, or its contents in memory where it cannot be mapped
// (a pipe). `data` is never NULL after success; an empty file has size 0.
struct gv_file {
    const uint8_t *data;
    size_t size;    // bytes
    bool mapped;    // munmap rather than free
    bool in_memory; // takes as much memory as it has bytes: no pages of a file on disk
};

// At most so much is read of files that people write by hand, in bytes.
#define GV_FILE_TEXT_MAX ((size_t)64 << 20)

// Opens `path`, which is mapped if it is a regular file. Anything else (a pipe) is read
// to its end, at most `limit` bytes (more is GV_ERR_LIMIT). Whoever cuts a mapped file
// kills its reader (SIGBUS). GV_ERR_NOT_FOUND (does not exist or is a folder),
// GV_ERR_SYSTEM.
bool gv_file_open_within(struct gv_file *file, const char *path, size_t limit,
                         struct gv_error *err);

// The same with GV_FILE_TEXT_MAX.
bool gv_file_open(struct gv_file *file, const char *path, struct gv_error *err);

// gv_file_open_within, but always read into memory.
bool gv_file_load(struct gv_file *file, const char *path, size_t limit,
                  struct gv_error *err);

// The same, and never waits: what is no regular file is GV_ERR_SYSTEM.
bool gv_file_load_regular(struct gv_file *file, const char *path, size_t limit,
                          struct gv_error *err);

// Reads a descriptor to its end, at most `limit` bytes (more is GV_ERR_LIMIT).
bool gv_file_read_fd(struct gv_file *file, int fd, size_t limit, struct gv_error *err);

// The same, when the bytes `head` have been read from it already.
bool gv_file_read_behind(struct gv_file *file, struct gv_span head, int fd,
                         size_t limit, struct gv_error *err);

// Bytes [from, to) of a mapped file will hardly be read again: their pages no longer
// count as this process's. They may be read all the same.
void gv_file_forget(const void *mapped, size_t from, size_t to);

// Unmaps or frees. Fine on a zeroed file.
void gv_file_close(struct gv_file *file);

// What `path` names when links are followed, whether that is there or not. The caller
// frees it. NULL: GV_ERR_OUTPUT (links in a circle), GV_ERR_LIMIT.
char *gv_file_place(const char *path, struct gv_error *err);

// Begins what is to replace `place` (which gv_file_place gave): gv_temporary_beside,
// with the permissions of the file that is there, or of the umask.
int gv_file_begin(const char *place, char *temporary);

// Writes a whole file: to a temporary name beside it, then renamed over `path`, or over
// what it links to (gv_file_place): a link stays one. A new file has the permissions of
// the umask, a replaced one keeps its own. A device or pipe is written to directly; a
// pipe that nobody reads is waited for, but not for ever (in_place.h). GV_ERR_OUTPUT.
bool gv_file_write(const char *path, const void *data, size_t size,
                   struct gv_error *err);

// A file that programs keep for themselves, in a folder that others may write to: under
// this very name, so that a link there is replaced, never followed. A device or pipe,
// also behind a link, is refused. GV_ERR_OUTPUT.
bool gv_file_keep(const char *path, const void *data, size_t size,
                  struct gv_error *err);

// Whether gv_file_write could begin: tried by making and removing the temporary file.
// GV_ERR_OUTPUT.
bool gv_file_can_write(const char *path, struct gv_error *err);

// Makes `path` and its missing parents. An existing folder is fine. GV_ERR_OUTPUT.
bool gv_make_folders(const char *path, struct gv_error *err);
// Those that a file's path leads through.
bool gv_make_folders_of(const char *path, struct gv_error *err);

// Fails with `why`, which came from a function here, for a file that is not what the
// command is about: the message has its name once, and GV_ERR_SYSTEM is GV_ERR_USAGE.
bool gv_file_fail(const struct gv_error *why, const char *path, struct gv_error *err);

#endif
