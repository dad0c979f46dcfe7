// Lines that `run --hash` printed before, to be compared with.
#ifndef GV_EXPECT_H
#define GV_EXPECT_H

#include "resources/base/error.h"
#include "tools/hash_frame.h"

#define GV_EXPECT_FIELD 96

struct gv_expect_line {
    char frame[24];             // "12", "end"
    char size[24];              // "64x64", "none"
    char hash[GV_EXPECT_FIELD]; // "FORM:hex", "none"
    bool met;
};

struct gv_expect {
    struct gv_expect_line *lines; // owned
    size_t count, capacity;
    size_t next;            // where the line after the last one met stands
    enum gv_hash_form form; // of the first hash
};

// GV_ERR_NOT_FOUND, GV_ERR_USAGE naming the line that is none.
bool gv_expect_read(struct gv_expect *expect, const char *path, struct gv_error *err);
void gv_expect_finish(struct gv_expect *expect);

// The line of a frame, marked as met, or NULL.
const struct gv_expect_line *gv_expect_meet(struct gv_expect *expect,
                                            const char *frame);

#endif
