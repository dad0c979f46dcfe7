// Paths: what `gpuvm inspect` is asked for. A place in a payload, then what is looked
// at there (docs/paths.md): "f12.d40/state.viewport0".
#ifndef GV_PATH_H
#define GV_PATH_H

#include "resources/base/error.h"

#include <stdint.h>

#define GV_PATH_TEXT 160 // bytes of a path that is printed, NUL included
#define GV_PATH_WORD 64  // of what is looked at

enum gv_place_kind {
    GV_PLACE_ALL,     // "/": no place, all of the payload
    GV_PLACE_FRAME,   // f12: the end of frame 12
    GV_PLACE_WORK,    // f12.d40: behind its work 40
    GV_PLACE_PASS,    // f12.p3: behind its pass 3
    GV_PLACE_COMMAND, // c1406: behind that source command
    GV_PLACE_END,     // end: behind all code
};

struct gv_place {
    enum gv_place_kind kind;
    bool before;     // `^`: in front of it instead
    uint64_t frame;  // FRAME, WORK, PASS
    uint64_t number; // WORK, PASS; COMMAND: its place in the payload
};

struct gv_path {
    struct gv_place place;
    char word[GV_PATH_WORD]; // "" lists
};

// GV_ERR_USAGE for what is no path; GV_ERR_UNSUPPORTED for one of a kind that is not
// looked at yet, by its word. A place alone means its state.
bool gv_path_parse(struct gv_path *path, const char *text, struct gv_error *err);

// The one spelling of a path, or of its place.
void gv_path_print(const struct gv_path *path, char text[GV_PATH_TEXT]);
void gv_place_print(const struct gv_place *place, char text[GV_PATH_TEXT]);

#endif
