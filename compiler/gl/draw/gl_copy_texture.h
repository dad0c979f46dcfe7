// glCopyTexImage and glCopyTexSubImage: from the framebuffer that is read to textures.
#ifndef GV_GL_COPY_TEXTURE_H
#define GV_GL_COPY_TEXTURE_H

#include "compiler/gl/base/gl_machine.h"

extern const struct gv_gl_row gv_gl_copy_texture_rows[];

#endif
