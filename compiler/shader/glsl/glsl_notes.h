// What is known of an upgraded program's names from outside.
#ifndef GV_GLSL_NOTES_H
#define GV_GLSL_NOTES_H

#include "compiler/shader/glsl/upgrade_program.h"

// The name that OpenGL has for a name of the upgraded text: gl_X of built-ins, what the
// program said of others. A part of `name`, or of a table.
const char *glsl_own_name(const char *name);
// In front of the name of a block that is declared again for the length of an array in
// it, with a number and `_`; its members are in the buffer of the block that it
// repeats.
#define GLSL_AGAIN GV_UPGRADE_PREFIX "again"
// The name of the block that a block repeats, or its own.
const char *glsl_repeated(const char *block);
// Whether it is a uniform that holds GL's state.
bool glsl_is_state(const char *name);

// What a stage's text says of a variable or block by its own name; NULL: nothing.
const struct glsl_note *glsl_find_note(const struct glsl_stage *s, const char *name);
// The same of any stage, of one with an initialiser first.
const struct glsl_note *glsl_find_any_note(const struct glsl_upgraded *p,
                                           const char *name);

#endif
