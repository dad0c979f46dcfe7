// Paths: what `gpuvm inspect` is asked for. A place in a payload, then what is looked
// at there (docs/paths.md): "f12.d40/state.viewport0".
#ifndef GV_PATH_H
#define GV_PATH_H

#include "resources/base/error.h"

#include <stdint.h>

#define GV_PATH_TEXT 160 // bytes of a path that is printed, NUL included
#define GV_PATH_WORD 64  // of what is looked at
#define GV_PATH_TYPE 8   // of elements of bytes

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

// What has contents, by the words for it.
enum gv_thing_kind {
    GV_THING_NONE,   // state, objects or a list
    GV_THING_OBJECT, // o7
    GV_THING_COLOR,  // color0
    GV_THING_DEPTH,
    GV_THING_STENCIL,
    GV_THING_DISPLAY,  // what is shown
    GV_THING_VRAM,     // of a PlayStation
    GV_THING_VERTEX,   // vb0
    GV_THING_INDEX,    // ib
    GV_THING_FEEDBACK, // xfb0
    GV_THING_BINDING, // tex.S.B.E, image, buffer, texels, storage, uniform: any of them
    GV_THING_SHADER,  // vs, fs and others
};

// What of it: picks behind its word.
struct gv_pick {
    bool has_mip, has_layer, has_sample, has_box, has_bytes;
    uint64_t mip, layer, sample;
    uint64_t x, y, width, height; // [x,y,WxH], texels
    uint64_t offset, size;        // [0x100+64], bytes; size 0: all there is behind it
    char type[GV_PATH_TYPE];      // :f32x4; "": none
};

struct gv_path {
    struct gv_place place;
    char word[GV_PATH_WORD]; // "" lists
    enum gv_thing_kind thing;
    uint64_t number[3]; // of the thing: o7, color0, vb0; set, binding, element
    uint32_t stage;     // SHADER: one GV_STAGE_* bit
    struct gv_pick pick;
};

// GV_ERR_USAGE for what is no path; GV_ERR_UNSUPPORTED for one of a kind that is not
// looked at yet, by its word. A place alone means its state.
bool gv_path_parse(struct gv_path *path, const char *text, struct gv_error *err);

// The one spelling of a path, or of its place.
void gv_path_print(const struct gv_path *path, char text[GV_PATH_TEXT]);
void gv_place_print(const struct gv_place *place, char text[GV_PATH_TEXT]);

#endif
