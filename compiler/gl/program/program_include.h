// Texts of shaders that include named strings (gl_shader_include.c).
#ifndef GV_PROGRAM_INCLUDE_H
#define GV_PROGRAM_INCLUDE_H

#include "compiler/gl/program/program_object.h"

#define GV_GL_SEARCH_FOLDERS 16u

// Where names are looked for that do not begin at the root.
struct gv_gl_search {
    uint32_t count;
    char folders[GV_GL_SEARCH_FOLDERS][GV_GL_MAX_NAME_BYTES];
};

// What a text is with all that it includes, as a text of its own; NULL in `*out`: it
// includes nothing, or more than there may be, which was said. False: `err`.
bool gv_gl_include(struct gv_gl *gl, const struct gv_gl_text *from,
                   const struct gv_gl_search *search, struct gv_gl_text **out,
                   struct gv_error *err);

// Frees all strings.
void gv_gl_strings_finish(struct gv_gl_programs *programs);
// Frees those of the group gl->group.
void gv_gl_strings_end_group(struct gv_gl_objects *objects);

#endif
