// Words of edits: targets and values. Only vm/edit/ includes this.
#ifndef GV_EDIT_WORDS_H
#define GV_EDIT_WORDS_H

#include "vm/calls.h"
#include "vm/inspect/path.h"

#define GV_EDIT_FIELD 96 // bytes

// "f1.d0.vertex_count", "f1.d0/state.viewport0.width", "c12.buffer_fill.value",
// "o7.cull", "o7".
struct gv_edit_target {
    bool is_object;
    uint64_t object;
    struct gv_place place;     // WORK or COMMAND
    char field[GV_EDIT_FIELD]; // what is behind the place or the object
};

// GV_ERR_USAGE.
bool gv_edit_target_parse(struct gv_edit_target *target, const char *text,
                          struct gv_error *err);

// The value of an argument or a field from text, as a cell holds it: a number, true or
// false, a name of its enumeration (several with |), a format. Handles are no values.
bool gv_edit_value_parse(const struct gv_arg_info *info, const char *text,
                         uint64_t *value, struct gv_error *err);

#endif
