// Points of desktop OpenGL that are no sprites, as statements of GLSL behind those that
// set gl_Position and gl_PointSize.
#ifndef GV_POINT_SNAP_H
#define GV_POINT_SNAP_H

// "Points" of the specification, section 3.3: squares of an odd size have their centre
// in that of a pixel, those of an even size on a corner. A size in the middle of two is
// the smaller one, as Mesa's rasterizer has it, to the 256th of a pixel. `grid` is a
// vec4: half the viewport's size, its centre.
#define GV_POINT_SNAP(grid)                                                            \
    "  float gv_size = round(gl_PointSize * 256.0);\n"                                 \
    "  gl_PointSize = max(floor((gv_size + 127.0) / 256.0), 1.0);\n"                   \
    "  vec2 gv_centre = gl_Position.xy / gl_Position.w * " grid ".xy + " grid ".zw;\n" \
    "  gv_centre = round(gv_centre * 256.0) / 256.0;\n"                                \
    "  gv_centre = mod(gl_PointSize, 2.0) == 1.0 ? floor(gv_centre) + 0.5 : "          \
    "floor(gv_centre + 0.5);\n"                                                        \
    "  gl_Position.xy = (gv_centre - " grid ".zw) / " grid ".xy * gl_Position.w;\n"

#endif
