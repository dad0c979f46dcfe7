// What two records differ in, told row by row.
#ifndef GV_DIFF_COMPARE_H
#define GV_DIFF_COMPARE_H

#include "tools/diff/diff_record.h"
#include "vm/inspect/path.h"

enum gv_diff_kind {
    GV_DIFF_CHANGED,  // a value of a call
    GV_DIFF_STATE,    // a value of the state that work sees
    GV_DIFF_DESC,     // a field of a description that work uses
    GV_DIFF_SHADER,   // a stage of the pipeline that work uses
    GV_DIFF_MISSING,  // a call or a frame that only A has
    GV_DIFF_INSERTED, // that only B has
    GV_DIFF_MOVED,    // that stands elsewhere in B
    GV_DIFF_PICTURE,  // of a frame
};

// "changed", "state", ...
const char *gv_diff_kind_name(enum gv_diff_kind kind);

#define GV_DIFF_PATH 64

// One difference; texts are borrowed for the call.
struct gv_diff_row {
    enum gv_diff_kind kind;
    const char *a, *b;             // paths: "f1.d0", "c12.buffer_fill", "f3"; "-": none
    const char *name;              // "viewport0.width"; "": the whole
    const char *a_value, *b_value; // "-": none
    uint64_t a_setter, b_setter;   // commands that set them; GV_DIFF_NO_COMMAND: none
};
#define GV_DIFF_NO_COMMAND UINT64_MAX

typedef bool gv_diff_tell(void *context, const struct gv_diff_row *row,
                          struct gv_error *err);

// All of it: frames are aligned, then calls in them; a difference of the state is told
// where it first shows.
bool gv_diff_compare(const struct gv_diff_record *a, const struct gv_diff_record *b,
                     gv_diff_tell *tell, void *context, struct gv_error *err);

// Work at one place of each alone. GV_ERR_USAGE: there is none.
bool gv_diff_compare_at(const struct gv_diff_record *a, const struct gv_place *at_a,
                        const struct gv_diff_record *b, const struct gv_place *at_b,
                        gv_diff_tell *tell, void *context, struct gv_error *err);

#endif
