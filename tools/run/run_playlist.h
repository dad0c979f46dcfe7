// Files in a window, one after the other, as somebody at it wishes.
#ifndef GV_RUN_PLAYLIST_H
#define GV_RUN_PLAYLIST_H

#include "tools/program.h"
#include "tools/run/run_plan.h"

// Rows for the options `fps` and `aspect` of a command's struct.
// clang-format off
#define GV_OPTION_WINDOW(type)                                                       \
    { .name = "fps", .kind = GV_OPTION_TEXT, .argument = "N",                        \
      .offset = GV_OPTION_AT(type, fps),                                             \
      .help = "frames a second in a window (60)" },           \
    { .name = "aspect", .kind = GV_OPTION_TEXT, .argument = "W:H|native",            \
      .offset = GV_OPTION_AT(type, aspect),                                          \
      .help = "shape of pictures in a window (native)" }
// clang-format on

// Runs `files[count]` with the same options. `list`: one that fails is looked at, since
// there are others. Returns the exit code of the first that failed.
enum gv_exit gv_run_playlist(const struct gv_program *program,
                             const struct gv_run_options *options,
                             const char *const *files, size_t count, bool list);

#endif
