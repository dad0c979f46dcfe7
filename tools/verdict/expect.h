// Lines of hashes to be compared with: those that `run --hash` printed before, and bare
// checksums. People keep and edit them: the ends of lines of another system, blank
// lines, comments from `#`, other blanks between fields and upper-case digits are
// taken.
//   frame 12 64x64 sha256-rgba:HEX   a frame, its size, a hash
//   frame 12 - HEX                   of any size; MD5, SHA-1 or SHA-256 by its digits
//   checksum: HEX, or HEX alone      of the last frame
// A frame that stands in several lines may be as any of them says.
#ifndef GV_EXPECT_H
#define GV_EXPECT_H

#include "resources/base/error.h"
#include "tools/verdict/hash_frame.h"

struct gv_expect_line {
    char frame[12];                // "12", "end", "last"
    char size[24];                 // "64x64", "none"; "-": any
    char hash[GV_HASH_FRAME_TEXT]; // "FORM:hex" or "hex" in lower case, "none"
    unsigned forms;                // bits of enum gv_hash_form that it may be of
    size_t number;                 // of the line in the file, from 1
    char *picture; // owned: compared instead of a hash (expect_pictures.h); or NULL
    bool met;
};

struct gv_expect {
    struct gv_expect_line *lines; // owned; by frame, then by number
    size_t count, capacity;
};

// `path` "-" is standard input. GV_ERR_NOT_FOUND; GV_ERR_USAGE naming the line that is
// none, and why.
bool gv_expect_read(struct gv_expect *expect, const char *path, struct gv_error *err);
void gv_expect_finish(struct gv_expect *expect);

// A new line, all zero, behind the others; NULL when memory runs out. Who adds lines
// puts all of them into their order at the end.
struct gv_expect_line *gv_expect_add(struct gv_expect *expect);
void gv_expect_sort(struct gv_expect *expect);

// The lines of a frame. NULL: there are none.
struct gv_expect_line *gv_expect_lines(struct gv_expect *expect, const char *frame,
                                       size_t *count);

// Lines of "last" become those of this frame.
void gv_expect_name_last(struct gv_expect *expect, const char *frame);

#endif
