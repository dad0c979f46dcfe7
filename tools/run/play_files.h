// Which files are played one after the other: those of a folder, or of a list.
#ifndef GV_PLAY_FILES_H
#define GV_PLAY_FILES_H

#include "tools/program.h"

// More entries of a folder, or names of a list, than this are GV_ERR_LIMIT.
#define GV_PLAY_FILES_MAX ((size_t)65536)
#define GV_PLAY_LIST_BYTES ((size_t)4 << 20) // of a list

struct gv_play_files {
    char **names; // owned, and so is each
    size_t count, capacity;
};

// Of a folder: its regular files, by name, that are payloads or (with `captures`)
// captures by their content; others are named on standard error. Of a list: a name or
// URL a line, relative to the list's folder; blank lines and those that begin with #
// are not looked at, and whether such a file is there is told by who plays it.
// GV_ERR_NOT_FOUND (also: there are none), GV_ERR_FORMAT (no list), GV_ERR_LIMIT,
// GV_ERR_SYSTEM. gv_play_files_finish is due either way.
bool gv_play_files_read(struct gv_play_files *files, const char *path,
                        const struct gv_captures *captures, struct gv_error *err);
void gv_play_files_finish(struct gv_play_files *files);

#endif
