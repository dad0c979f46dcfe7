// The coverage of smooth lines, where the alpha test sees it. The device scales alpha
// by it behind the fragment stage: here it is computed for the test alone, from the
// line's ends, as runtime/spirv/spirv_smooth.c computes it for devices without smooth
// lines.

#include "compiler/gl/fixed/fixed_text.h"

#define ENDS GV_FIXED_VARYINGS // locations
#define SIZES (GV_FIXED_VARYINGS + 1u)

static void declare(const char *direction, struct gv_fixed_text *t)
{
    gv_bytes_printf(&t->declared,
                    "// in pixels; half the width, the ratio of the ends' w\n"
                    "layout(location = %u) flat %s vec4 line_ends;\n"
                    "layout(location = %u) flat %s vec2 line_sizes;\n",
                    ENDS, direction, SIZES, direction);
}

static void transformed(const char *name, uint32_t slot, struct gv_fixed_text *t)
{
    gv_fixed_say(t, "    vec4 %s = ", name);
    gv_fixed_transform(&t->body, "mvp", gv_fixed_slot_name(slot));
    gv_fixed_say(t, ";\n");
}

void gv_fixed_line_ends(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (!k->line_ends)
        return;
    declare("out", t);
    gv_bytes_printf(&t->declared,
                    "// what one side of the volume leaves of a line\n"
                    "void leave(float first, float last, inout vec2 part)\n{\n"
                    "    float there = first / (first - last);\n"
                    "    if (first < 0.0)\n        part.x = max(part.x, there);\n"
                    "    if (last < 0.0)\n        part.y = min(part.y, there);\n}\n");
    gv_fixed_use(&t->block, GV_FIXED_POINT_GRID, 0);
    gv_fixed_use(&t->block, GV_FIXED_LINE, 0);
    transformed("first", GV_FIXED_FIRST_END, t);
    transformed("last", GV_FIXED_LAST_END, t);
    gv_fixed_say(t, "    vec2 part = vec2(0.0, 1.0);\n");
    for (uint32_t side = 0; side < 6; side++) {
        const char axis = "xyz"[side / 2], sign = "+-"[side & 1];
        gv_fixed_say(t, "    leave(first.w %c first.%c, last.w %c last.%c, part);\n",
                     sign, axis, sign, axis);
    }
    for (uint32_t i = 0; i < GV_GL_CLIP_PLANES; i++)
        if (k->clip_planes >> i & 1)
            gv_fixed_say(t,
                         "    leave(dot(first, clip_plane%u), dot(last, clip_plane%u), "
                         "part);\n",
                         i, i);
    gv_fixed_say(t, "    vec4 a = mix(first, last, part.x);\n"
                    "    vec4 b = mix(first, last, part.y);\n"
                    "    line_ends = vec4(a.xy / a.w, b.xy / b.w) * grid.xyxy + "
                    "grid.zwzw;\n"
                    "    line_ends.yw = line_ends.yw * line.z + line.y;\n"
                    "    line_sizes = vec2(line.x, a.w / b.w);\n");
}

void gv_fixed_line_coverage(const struct gv_fixed_fragment_key *k,
                            struct gv_fixed_text *t)
{
    if (!k->line_ends)
        return;
    declare("in", t);
    gv_fixed_say(
        t, "    // where it is in the line's rectangle, -1 to 1 along and across\n"
           "    vec2 line = line_ends.zw - line_ends.xy;\n"
           "    vec2 from = gl_FragCoord.xy - (line_ends.xy + line_ends.zw) * 0.5;\n"
           "    float extent = length(line);\n"
           "    vec2 reach = vec2(extent * 0.5 + 0.5, line_sizes.x);\n"
           "    vec2 place = vec2(dot(from, line), dot(from, vec2(-line.y, line.x))) / "
           "(reach * extent);\n"
           "    // as two triangles in perspective have it\n"
           "    float ahead = (place.x + 1.0) * 0.5;\n"
           "    float first = 1.0 - ahead, last = ahead * line_sizes.y;\n"
           "    float less = place.y - ahead;\n"
           "    float across = place.y > place.x ? less + last\n"
           "                                     : (less + 1.0) * line_sizes.y - "
           "first;\n"
           "    vec2 off = abs(vec2(last - first, across) / (first + last) * reach);\n"
           "    vec2 inside = clamp(reach - off, 0.0, 1.0);\n"
           "    float covered = min(inside.x, extent) * inside.y;\n");
}
