// Parameters of the textures that are bound, as glPushAttrib(GL_TEXTURE_BIT) saves
// them.
#ifndef GV_TEXTURE_SAVED_H
#define GV_TEXTURE_SAVED_H

#include "compiler/gl/base/gl_machine.h"

struct gv_gl_saved_textures;

// Those of the current context's units; NULL: no memory. Freed by free().
struct gv_gl_saved_textures *gv_gl_textures_save(const struct gv_gl_context *c,
                                                 const struct gv_gl_objects *objects);

// Textures that were deleted since are left out.
bool gv_gl_textures_restore(struct gv_gl *gl, const struct gv_gl_saved_textures *s,
                            struct gv_error *err);

#endif
