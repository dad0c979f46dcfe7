// Edits under way: calls that change, and twins of what is bound at a place. Only
// vm/edit/ includes this.
#ifndef GV_EDIT_PLACE_H
#define GV_EDIT_PLACE_H

#include "vm/edit/edit.h"
#include "vm/edit/edit_code.h"
#include "vm/edit/edit_words.h"

struct gv_editor {
    const struct gv_edit_params *params;
    struct gv_track *track; // owned; followed to the end
    struct gv_edit_code code;
    bool *skipped;           // owned; [units]
    struct gv_bytes changes; // struct gv_edit_change each
    uint32_t *change_of;     // owned; [units]: number of its change + 1; 0: none
    struct gv_bytes states;  // struct gv_edit_state each
    struct gv_bytes twins;   // struct gv_edit_twin each
    struct gv_bytes uploads; // struct gv_edit_upload each: of all images
};

// A unit whose call is made with other arguments.
struct gv_edit_change {
    uint32_t unit;
    struct gv_edit_call call;
};

// State that the work of a unit sees otherwise: `set` in front of it, `back` behind.
struct gv_edit_state {
    uint32_t unit;
    uint32_t setter, op; // the call that set it so far
    uint8_t face;        // that of a stencil state, GV_FACE_*; else 0
    struct gv_edit_call set, back;
};

// Of a pipeline or a sampler one more, for one state.
struct gv_edit_twin {
    uint32_t state; // number of the state
    uint32_t maker; // unit that makes the original
    struct gv_edit_call create;
};

struct gv_edit_upload {
    uint32_t unit, object;
};

// The call of a unit, to be changed; stays valid until the next one is asked for.
struct gv_edit_call *gv_edit_change(struct gv_editor *e, uint32_t unit,
                                    struct gv_error *err);
// The same as it is by now, to be made once more.
bool gv_edit_call_now(struct gv_editor *e, uint32_t unit, struct gv_edit_call *call,
                      struct gv_error *err);
// The unit of an object's creation. GV_ERR_UNSUPPORTED: it is not known.
bool gv_edit_maker(const struct gv_editor *e, uint32_t object, uint32_t *unit,
                   struct gv_error *err);

// A field of the description that a call makes something of.
bool gv_edit_desc(struct gv_editor *e, struct gv_edit_call *call, const char *field,
                  const char *value, struct gv_error *err);

// edit_place.c: what stands at fN.dN.
bool gv_edit_work(struct gv_editor *e, const struct gv_edit_target *target,
                  const struct gv_edit_item *item, struct gv_error *err);
// edit_image.c: texels of all uploads to an image.
bool gv_edit_picture(struct gv_editor *e, uint32_t object,
                     const struct gv_edit_item *item, struct gv_error *err);

#endif
