// OpenGL's numbers, from the headers of its registry (Debian: libgl-dev). Nothing here
// calls OpenGL.
#ifndef GV_GL_ENUMS_H
#define GV_GL_ENUMS_H

// IWYU pragma: begin_exports
#include <GL/gl.h>
#include <GL/glext.h>
// IWYU pragma: end_exports

#endif
