#include "compiler/shader/glsl/lower_edges.h"

// A push of more than half a step of the grid gets a vertex to the next place.
// All of it in high precision, whatever a program of OpenGL ES has by default: halves
// know no row of a window from the next place of the grid.
static const char polygons[] =
    "  highp float gv_w = 1.0 / gl_Position.w;\n"
    "  highp vec2 gv_at = gl_Position.xy * gv_w * gv_window.xy + gv_window.zw;\n"
    // how far it is above the nearest row of centres
    "  highp float gv_off = (fract(gv_at.y * gv_rows) - 0.5) / gv_rows;\n"
    // What lies so near to a row comes to lie on it. In perspective edges are seldom
    // level, and what is moved for nothing changes colours: there only what is meant to
    // be on a row counts, but for roundings.
    "  highp float gv_near = gl_Position.w == 1.0 ? gv_half : 1.0 / 4096.0;\n"
    // To the left too, which keeps edges that pass through centres up to a slope of 1,
    // and of 2 where they come from the middle or the border of a pixel.
    "  highp float gv_left = abs(fract(gv_at.x * 2.0 + 0.5) - 0.5) <= 1.0 / 2048.0\n"
    "    ? gv_long : gv_step;\n"
    "  if (gl_Position.w > 0.0 && abs(gv_off) <= gv_near)\n"
    "    gl_Position.xy -= vec2(gv_left, gv_off + gv_step) * "
    "gl_Position.w /\n"
    "      gv_window.xy;\n";

static const char points[] =
    "  highp float gv_at = gl_Position.y / gl_Position.w * gv_window.y + gv_window.w;\n"
    // of both edges
    "  highp vec2 gv_off = gv_at + vec2(0.5, -0.5) * max(gl_PointSize, 1.0);\n"
    "  gv_off = (fract(gv_off * gv_rows) - 0.5) / gv_rows;\n"
    "  gv_off.x = abs(gv_off.x) < abs(gv_off.y) ? gv_off.x : gv_off.y;\n"
    "  if (gl_Position.w > 0.0 && abs(gv_off.x) <= gv_half)\n"
    "    gl_Position.y -= (gv_off.x + gv_step) / gv_window.y * "
    "gl_Position.w;\n";

static const struct {
    const char *name;
    float steps;
} pushes[GV_LOWER_EDGES_PUSHES] = {
    { "gv_half", 0.5F }, // so near the device rounds to a row
    { "gv_step", 0.6F }, // to the next place
    { "gv_long", 1.6F }, // and one further
};

float gv_lower_edges_push(uint32_t id, float grid)
{
    return pushes[id - GV_LOWER_EDGES_SPEC].steps / grid;
}

void gv_lower_edges_declare(enum gv_lower_edges edges, struct gv_bytes *out)
{
    for (uint32_t i = 0; edges != GV_LOWER_EDGES_OFF && i < GV_LOWER_EDGES_PUSHES; i++)
        gv_bytes_printf(
            out, "layout(constant_id = %u) const highp float %s = %.1f / 256.0;\n",
            GV_LOWER_EDGES_SPEC + i, pushes[i].name, (double)pushes[i].steps);
}

void gv_lower_edges_write(enum gv_lower_edges edges, bool multisampled,
                          const char *grid, struct gv_bytes *out)
{
    if (edges == GV_LOWER_EDGES_OFF)
        return;
    gv_bytes_printf(
        out, "  const highp float gv_rows = %s;\n  highp vec4 gv_window = %s;\n%s",
        multisampled ? "4.0" : "1.0", grid,
        edges == GV_LOWER_EDGES_POLYGONS ? polygons : points);
}
