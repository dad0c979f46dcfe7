// What a capture's frames are expected to be: NAME.tsv of a golden folder, and a
// device's own NAME.DEVICE.tsv.
#ifndef GV_GOLDEN_H
#define GV_GOLDEN_H

#include "resources/base/error.h"
#include "tools/verdict/hash_frame.h"
#include "tools/verdict/tolerance.h"

// A line as `run --hash` prints it: one of those that are accepted for its frame.
struct gv_golden_line {
    char frame[12];                // "12", "end"
    char size[24];                 // "64x64", "none", "-" for any
    char hash[GV_HASH_FRAME_TEXT]; // in lower case: "FORM:hex", bare digits, "none"
    unsigned forms;                // bits of those that the digits may be of
    size_t number;                 // of the line in its file, from 1
    bool met;                      // a frame was compared with it
};

#define GV_GOLDEN_TEXT 192
#define GV_GOLDEN_PATH 4096

struct gv_golden {
    struct gv_golden_line *lines; // owned; by frames, then as they stand
    size_t count, capacity;
    bool there; // there is a file
    bool own;   // one of the device's own
    struct gv_tolerance tolerance;
    char tolerance_text[GV_GOLDEN_TEXT]; // "" is exact
    char mask[GV_GOLDEN_TEXT];           // a picture, relative to the folder; or ""
    char known_fail[GV_GOLDEN_TEXT];     // why; or ""
    char frames[GV_GOLDEN_TEXT];         // the SET that is run; or "" for all
};

// The path of a capture's file; `device` is the short name of a device, or "".
bool gv_golden_path(char path[GV_GOLDEN_PATH], const char *folder, const char *name,
                    const char *device, struct gv_error *err);
// The path of a frame's picture.
bool gv_golden_picture(char path[GV_GOLDEN_PATH], const char *folder, const char *name,
                       const char *frame, struct gv_error *err);

// Reads NAME.tsv and, for a device with a short name, its own file, whose lines stand
// in place of those of the same frames, and whose words in place of the same words. No
// file is no error. GV_ERR_USAGE names file and line.
bool gv_golden_load(struct gv_golden *golden, const char *folder, const char *name,
                    const char *device, struct gv_error *err);
// One file alone. GV_ERR_NOT_FOUND if it is not there.
bool gv_golden_read(struct gv_golden *golden, const char *path, struct gv_error *err);
// The text of one, as it is read: `path` is for messages.
bool gv_golden_parse(struct gv_golden *golden, const char *path, const char *text,
                     size_t size, struct gv_error *err);
void gv_golden_finish(struct gv_golden *golden);

// Which frame comes first: less than, equal to or greater than 0.
int gv_golden_order(const char *a, const char *b);
// The lines of a frame: the first, or NULL; how many.
struct gv_golden_line *gv_golden_find(const struct gv_golden *golden, const char *frame,
                                      size_t *count);
// Whether the line accepts a picture. `hash` is one of `form`, or "none".
bool gv_golden_accepts(const struct gv_golden_line *line, const char *size,
                       enum gv_hash_form form, const char *hash);

#endif
