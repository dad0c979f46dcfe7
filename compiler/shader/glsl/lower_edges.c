#include "compiler/shader/glsl/lower_edges.h"

// Vertices lie on a grid of 1/256 of a pixel: a push of more than half a step gets one
// to the next.
static const char polygons[] =
    "  float gv_w = 1.0 / gl_Position.w;\n"
    "  vec2 gv_at = gl_Position.xy * gv_w * gv_window.xy + gv_window.zw;\n"
    // how far it is above the nearest row of centres
    "  float gv_off = (fract(gv_at.y * gv_rows) - 0.5) / gv_rows;\n"
    // What lies so near to a row comes to lie on it. In perspective edges are seldom
    // level, and what is moved for nothing changes colours: there only what is meant to
    // be on a row counts, but for roundings.
    "  float gv_near = gl_Position.w == 1.0 ? 0.5 / 256.0 : 1.0 / 4096.0;\n"
    // To the left too, which keeps edges that pass through centres up to a slope of 1,
    // and of 2 where they come from the middle or the border of a pixel.
    "  float gv_left = abs(fract(gv_at.x * 2.0 + 0.5) - 0.5) <= 1.0 / 2048.0\n"
    "    ? 1.6 / 256.0 : 0.6 / 256.0;\n"
    "  if (gl_Position.w > 0.0 && abs(gv_off) <= gv_near)\n"
    "    gl_Position.xy -= vec2(gv_left, gv_off + 0.6 / 256.0) * gl_Position.w /\n"
    "      gv_window.xy;\n";

static const char points[] =
    "  float gv_at = gl_Position.y / gl_Position.w * gv_window.y + gv_window.w;\n"
    // of both edges
    "  vec2 gv_off = gv_at + vec2(0.5, -0.5) * max(gl_PointSize, 1.0);\n"
    "  gv_off = (fract(gv_off * gv_rows) - 0.5) / gv_rows;\n"
    "  gv_off.x = abs(gv_off.x) < abs(gv_off.y) ? gv_off.x : gv_off.y;\n"
    "  if (gl_Position.w > 0.0 && abs(gv_off.x) <= 0.5 / 256.0)\n"
    "    gl_Position.y -= (gv_off.x + 0.6 / 256.0) / gv_window.y * gl_Position.w;\n";

void gv_lower_edges_write(enum gv_lower_edges edges, bool multisampled,
                          const char *grid, struct gv_bytes *out)
{
    if (edges == GV_LOWER_EDGES_OFF)
        return;
    gv_bytes_printf(out, "  const float gv_rows = %s;\n  vec4 gv_window = %s;\n%s",
                    multisampled ? "4.0" : "1.0", grid,
                    edges == GV_LOWER_EDGES_POLYGONS ? polygons : points);
}
