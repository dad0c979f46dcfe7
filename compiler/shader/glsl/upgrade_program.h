// The stages of a program upgraded together: what one stage reads decides what another
// declares; objects of one stage become one text.
#ifndef GV_UPGRADE_PROGRAM_H
#define GV_UPGRADE_PROGRAM_H

#include "compiler/shader/glsl/glsl_unit.h"

#define GLSL_MAX_OBJECTS 64 // of one program

struct glsl_upgraded {
    struct glsl_stage stages[GV_MAX_GLSL_STAGES]; // in the order of `texts`
    const char *texts[GV_MAX_GLSL_STAGES];        // GLSL 4.60
    size_t count;
    struct glsl_unit *units; // one for each object
    size_t unit_count;
};

// The name that OpenGL has for a name of the upgraded text: gl_X of built-ins, what the
// program said of others. A part of `name`, or of a table.
const char *glsl_own_name(const char *name);
// Whether it is a uniform that holds GL's state.
bool glsl_is_state(const char *name);

// What a stage's text says of a variable or block by its own name; NULL: nothing.
const struct glsl_note *glsl_find_note(const struct glsl_stage *s, const char *name);
// The same of any stage, of one with an initialiser first.
const struct glsl_note *glsl_find_any_note(const struct glsl_upgraded *p,
                                           const char *name);

// `texts[count]` in any order, several of one stage too. In what comes out, and in
// errors about it, `K:L` is line L of texts[K]. `options` must outlive `out`.
bool glsl_upgrade_program(const struct gv_glsl_text *texts, size_t count,
                          const struct gv_upgrade_options *options,
                          struct gv_arena *arena, struct glsl_upgraded *out,
                          struct gv_error *err);

#endif
