// A changed payload: commands and work that did not happen, other arguments, state,
// descriptions, shaders and texels, at one place or wherever an object is used. It
// takes words and bytes; the slicer's writer makes the payload.
#ifndef GV_EDIT_H
#define GV_EDIT_H

#include "resources/source.h"
#include "vm/payload/payload_writer.h"

enum gv_edit_kind {
    GV_EDIT_SKIP,      // work of `target` ("f1.d0") did not happen
    GV_EDIT_SET,       // `target` ("f1.d0.vertex_count", "o7.cull") is `value`
    GV_EDIT_SHADER,    // `target` ("f1.d0.fs", "o7") has the SPIR-V `bytes`
    GV_EDIT_PICTURE,   // `target` ("o7") has `width` x `height` texels, RGBA in `bytes`
    GV_EDIT_UNDEFINED, // what passes begin with undefined is `value`: zero, pattern
};

// All borrowed. docs/commands/edit.md has the words.
struct gv_edit_item {
    enum gv_edit_kind kind;
    const char *target, *value;
    struct gv_span bytes;
    uint32_t width, height;
};

struct gv_edit_params {
    struct gv_payload *payload; // verified
    const struct gv_edit_item *items;
    size_t item_count;
    const uint64_t *skipped; // commands that did not happen, ascending
    size_t skipped_count;
    struct gv_source *const *sources; // of resources that are not in it
    size_t source_count;
    uint64_t memory_limit;                 // private bytes; 0: none
    const struct gv_writer_params *writer; // a thin payload's must be `thin`
    const char *provenance;                // JSON; NULL: the payload's
};

// Groups of resources stay as they are and keep their ids; what is new is among the
// constants. Keyframes are left out. GV_ERR_USAGE: there is no such place, object,
// field or value, or two edits contradict; GV_ERR_UNSUPPORTED: what is named cannot be
// edited there; errors of reading groups and of writing. Whether the result verifies,
// and runs, is for the caller to find out.
bool gv_edit_write(const struct gv_edit_params *params, struct gv_error *err);

#endif
