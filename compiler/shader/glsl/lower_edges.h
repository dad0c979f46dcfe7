// Edges that pass through centres of pixels, as statements of GLSL behind those that
// set gl_Position and gl_PointSize.
//
// Where the rows of GL's windows run against those of the image, GL takes pixels whose
// centres lie on lower edges, and the device those on upper ones. A vertex on such a
// row is moved just below it; all others, and with them texels and depths, stay.
#ifndef GV_LOWER_EDGES_H
#define GV_LOWER_EDGES_H

#include <stdbool.h>

#include "resources/base/bytes.h"

// Whose edges are lower ones: polygons have vertices on them, points lie in their
// middle.
enum gv_lower_edges {
    GV_LOWER_EDGES_OFF,
    GV_LOWER_EDGES_POLYGONS,
    GV_LOWER_EDGES_POINTS,
};

// Specialisation constants of that stage, from the first one on: how far vertices are
// pushed, for a grid of 1/256 of a pixel unless a pipeline says otherwise.
#define GV_LOWER_EDGES_SPEC 256u
#define GV_LOWER_EDGES_PUSHES 3u

// One of them, in pixels, for a grid of so many places a pixel.
float gv_lower_edges_push(uint32_t id, float grid);

// Declares them, in front of main.
void gv_lower_edges_declare(enum gv_lower_edges edges, struct gv_bytes *out);

// `grid` is the text of a vec4 as point_snap.h has it; `multisampled`: of four samples
// a pixel each has a row of its own.
void gv_lower_edges_write(enum gv_lower_edges edges, bool multisampled,
                          const char *grid, struct gv_bytes *out);

#endif
