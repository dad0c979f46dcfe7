// glCopyTexImage and glCopyTexSubImage: from the framebuffer that is read to textures;
// and what is read to buffers (gl_read_pixels.c).
#ifndef GV_GL_COPY_TEXTURE_H
#define GV_GL_COPY_TEXTURE_H

#include "compiler/gl/base/gl_machine.h"

struct gv_gl_pixels;
struct gv_gl_texture_part;
struct gv_lower_attachment;

// For gv_gl_textures: what the device has of pixels (p->packed) to a part of a texture.
bool gv_gl_copy_packed(struct gv_gl *gl, struct gv_gl_texture_part *to,
                       const struct gv_gl_pixels *p, struct gv_error *err);

// A rectangle of a source, in GL's rows, to the image `to` of that size: from its
// lowest row up. What is outside of the source is left.
struct gv_gl_copied {
    const struct gv_lower_attachment *from;
    bool flipped; // its row 0 is the highest
    int64_t x, y, width, height;
    struct gv_image to;
};
void gv_gl_copy_out(struct gv_gl_drawing *d, struct gv_lower_pass *pass,
                    const struct gv_gl_copied *c);

extern const struct gv_gl_row gv_gl_copy_texture_rows[], gv_gl_read_pixels_rows[];

#endif
