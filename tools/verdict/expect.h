// Lines that `run --hash` printed before, to be compared with. People keep and edit
// them: the ends of lines of another system, blank lines, comments from `#`, other
// blanks between fields and upper-case digits are taken.
#ifndef GV_EXPECT_H
#define GV_EXPECT_H

#include "resources/base/error.h"
#include "tools/verdict/hash_frame.h"

struct gv_expect_line {
    char frame[12];                // "12", "end"
    char size[24];                 // "64x64", "none"
    char hash[GV_HASH_FRAME_TEXT]; // "FORM:hex" in lower case, "none"
    size_t number;                 // of the line in the file, from 1
    bool met;
};

struct gv_expect {
    struct gv_expect_line *lines; // owned
    size_t count, capacity;
    size_t next;            // where the line after the last one met stands
    bool hashed;            // some line has a hash
    enum gv_hash_form form; // of all of them
};

// GV_ERR_NOT_FOUND; GV_ERR_USAGE naming the line that is none, and why.
bool gv_expect_read(struct gv_expect *expect, const char *path, struct gv_error *err);
void gv_expect_finish(struct gv_expect *expect);

// The line of a frame, marked as met, or NULL.
const struct gv_expect_line *gv_expect_meet(struct gv_expect *expect,
                                            const char *frame);

#endif
