// Attribute stacks: glPushAttrib and glPushClientAttrib.
#ifndef GV_GL_ATTRIBUTES_H
#define GV_GL_ATTRIBUTES_H

#include "compiler/gl/base/gl_machine.h"

// Frees what is saved; the stacks are empty then.
void gv_gl_attributes_free(struct gv_gl_context *c);

extern const struct gv_gl_row gv_gl_attribute_rows[];

#endif
