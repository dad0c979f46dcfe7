// The steps of reading a recorded module: each takes words and makes others.
#ifndef GV_RECORDED_INTERNAL_H
#define GV_RECORDED_INTERNAL_H

#include "compiler/shader/recorded/recorded.h"

#define GV_RECORDED_MOST_PUSH_BYTES 4096u

// Where the block of push constants stands until the module is numbered. A program's
// module with this set is refused.
#define GV_RECORDED_PUSH_SET (UINT32_MAX - 1)

struct gv_recorded_words {
    const uint32_t *words;
    size_t count;
};

// Leaves one entry point, named `main`, the functions that it calls and the variables
// that these use; and no debug information but names. `from` is valid.
bool gv_recorded_strip(const struct gv_recorded_source *from, struct gv_arena *arena,
                       struct gv_recorded_words *out, struct gv_error *err);

// Makes the index of the view a specialisation constant, whose id goes to `*spec_id`:
// GV_RECORDED_NO_VIEW where the module does not read it.
bool gv_recorded_view(struct gv_recorded_words *module,
                      const struct gv_recorded_source *source, struct gv_arena *arena,
                      uint32_t *spec_id, struct gv_error *err);

// Makes input attachments images to sample, read at the fragment's place.
bool gv_recorded_input(struct gv_recorded_words *module, struct gv_arena *arena,
                       struct gv_error *err);

// Makes the push constants, if there are any, a block of uniforms at binding 0 of
// GV_RECORDED_PUSH_SET. `*bytes`: to the end of the block, a multiple of 16.
bool gv_recorded_push(struct gv_recorded_words *module, struct gv_arena *arena,
                      uint32_t *bytes, struct gv_error *err);

#endif
