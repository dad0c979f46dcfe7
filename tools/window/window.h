// A window that plays, in a process of its own: whoever replays has none, so that a
// lost device leaves it, and a lost display leaves the replay's parent.
#ifndef GV_WINDOW_H
#define GV_WINDOW_H

#include "resources/base/error.h"
#include "tools/window/window_layout.h"

#include <stddef.h>

struct gv_window_params {
    uint32_t millihz; // frames a second, in thousandths; 0: the source's
    bool has_aspect;  // `aspect` is what is wanted; else it is the source's
    struct gv_aspect aspect;
    uint64_t passes; // over each file
    bool quiet;      // nothing is said of how it was shown
    bool list;       // there are other files: one that fails is looked at
    // Writes a picture, rgba[height][width][4], to a file that is not there yet.
    bool (*save)(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                 struct gv_error *err);
};

struct gv_window;

// Opens a window. NULL: GV_ERR_UNSUPPORTED (no library for it), GV_ERR_OUTPUT (no
// display), GV_ERR_SYSTEM. One at a time.
struct gv_window *gv_window_create(const struct gv_window_params *params,
                                   struct gv_error *err);

// A file is next, the one at `index` of `count`; pictures that are saved get names that
// begin with `prefix`. Returns the line for who replays it (-1: GV_ERR_OUTPUT, the
// window is gone), which is the caller's.
int gv_window_open_file(struct gv_window *window, const char *name, const char *prefix,
                        uint64_t index, uint64_t count, struct gv_error *err);
// In a process that has been forked off: it does not speak for the program.
void gv_window_forget(struct gv_window *window);

// What somebody at the window wants next, once its file has ended with the exit code.
enum gv_window_wish {
    GV_WINDOW_WISH_END,
    GV_WINDOW_WISH_MOVE, // `*move` files on
    GV_WINDOW_WISH_OPEN, // the file whose name is in `name`
};
enum gv_window_wish gv_window_ask(struct gv_window *window, int code, int *move,
                                  char *name, size_t size);

// Closes it. GV_ERR_OUTPUT: it had gone before. NULL is fine.
bool gv_window_close(struct gv_window *window, struct gv_error *err);

#endif
