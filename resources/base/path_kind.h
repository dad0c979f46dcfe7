// What a path names now, when links are followed. Between the answer and its use the
// path may come to name something else: who must be sure looks at what was opened.
#ifndef GV_PATH_KIND_H
#define GV_PATH_KIND_H

#include <stdbool.h>

enum gv_path_kind {
    GV_PATH_NOTHING, // `errno` says why
    GV_PATH_FILE,    // a regular one
    GV_PATH_FOLDER,
    GV_PATH_PIPE,
    GV_PATH_OTHER, // a terminal, a socket, a device
};

enum gv_path_kind gv_path_kind(const char *path);

#endif
