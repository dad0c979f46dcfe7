// EGL images of textures and renderbuffers, and renderbuffers that are made of them
// (GL_OES_EGL_image). What textures get of images is recorded as an upload.
#ifndef GV_GL_EGL_IMAGE_H
#define GV_GL_EGL_IMAGE_H

#include "compiler/gl/draw/gl_drawing.h"

// An image under a handle, of an object of the share group `group`.
bool gv_gl_egl_image_make(struct gv_gl *gl, uint64_t handle, uint32_t group,
                          const struct gv_gl_attachment *of, struct gv_error *err);
void gv_gl_egl_image_destroy(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                             uint64_t handle);

extern const struct gv_gl_row gv_gl_egl_image_rows[];

#endif
