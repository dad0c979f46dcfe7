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
    struct glsl_stage *capturing; // NULL: none
    struct glsl_capture *captures;
    size_t capture_count;
};

// `texts[count]` in any order, several of one stage too. In what comes out, and in
// errors about it, `K:L` is line L of texts[K]. `options` must outlive `out`.
bool glsl_upgrade_program(const struct gv_glsl_text *texts, size_t count,
                          const struct gv_upgrade_options *options,
                          struct gv_arena *arena, struct glsl_upgraded *out,
                          struct gv_error *err);

#endif
