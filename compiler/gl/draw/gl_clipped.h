// Draws that reach out of what is seen.
#ifndef GV_GL_CLIPPED_H
#define GV_GL_CLIPPED_H

#include "compiler/gl/base/gl_context.h"
#include "compiler/gl/base/gl_geometry.h"

// Whether a vertex lies outside the volume of clip coordinates or one of the planes
// that clip.
bool gv_gl_is_clipped(const struct gv_gl_context *c, const struct gv_gl_geometry *g);

// Whether quads are cut along v0-v2. Mesa's software rasteriser does so with what comes
// in order and needs no stage ahead of it, which clips, stipples and outlines; those
// stages cut along v1-v3, as it does where the first vertex provokes, and where values
// of fragments are of the last vertex, which the caller knows. `fixed_place`: the fixed
// function places the vertices, or a program that does as it does; of others nobody
// knows which are clipped.
bool gv_gl_first_diagonal(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                          bool fixed_place);

// Whether the half of a strip's quad that has its first edge is drawn first, likewise;
// those stages draw the other half first.
bool gv_gl_begun_first(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                       bool fixed_place);

#endif
