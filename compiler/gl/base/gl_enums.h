// OpenGL's numbers, from the headers of its registry (Debian: libgl-dev). Nothing here
// calls OpenGL.
#ifndef GV_GL_ENUMS_H
#define GV_GL_ENUMS_H

// IWYU pragma: begin_exports
#include <GL/gl.h>
#include <GL/glext.h>
// IWYU pragma: end_exports

// Of GLES alone.
#ifndef GL_ETC1_RGB8_OES
#define GL_ETC1_RGB8_OES 0x8D64
#endif
#ifndef GL_TEXTURE_GEN_STR_OES
#define GL_TEXTURE_GEN_STR_OES 0x8D60
#endif
#ifndef GL_TEXTURE_EXTERNAL_OES
#define GL_TEXTURE_EXTERNAL_OES 0x8D65
#endif
#ifndef GL_HALF_FLOAT_OES
#define GL_HALF_FLOAT_OES 0x8D61
#endif
#ifndef GL_COMPRESSED_LUMINANCE_ALPHA_3DC_ATI
#define GL_COMPRESSED_LUMINANCE_ALPHA_3DC_ATI 0x8837
#endif
#ifndef GL_POINT_SIZE_ARRAY_OES
#define GL_POINT_SIZE_ARRAY_OES 0x8B9C
#endif

#endif
