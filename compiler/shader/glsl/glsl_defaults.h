// Initialisers of uniforms, which Vulkan has not: taken out of the text and evaluated.
#ifndef GV_GLSL_DEFAULTS_H
#define GV_GLSL_DEFAULTS_H

#include "compiler/shader/glsl/glsl_unit.h"

// Takes the initialisers out of a unit's text, when its names are upgraded. The notes
// keep them as text.
bool glsl_take_values(struct glsl_unit *u);

// Gives the unit's notes that have one their value as words, tightly packed, in the
// order of members. What is no constant expression is unsupported.
bool glsl_evaluate_values(struct glsl_unit *u);

#endif
