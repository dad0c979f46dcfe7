// Texture coordinates per vertex: given or generated (OpenGL 1.5 specification, section
// 2.11.4), then times the unit's matrix.

#include <stdio.h>

#include "compiler/gl/fixed/fixed_text.h"

static bool uses(const struct gv_fixed_vertex_key *k, enum gv_fixed_texgen mode)
{
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        for (int c = 0; c < 4; c++)
            if (k->texgen[u][c] == mode)
                return true;
    return false;
}

// What several units share.
static void shared(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    bool sphere = uses(k, GV_FIXED_SPHERE);
    if (!sphere && !uses(k, GV_FIXED_REFLECTION))
        return;
    gv_fixed_say(t, "    float twice = dot(unit_normal, from_viewer);\n"
                    "    twice = twice + twice;\n"
                    "    vec3 reflected = -twice * unit_normal + from_viewer;\n");
    if (sphere)
        gv_fixed_say(t,
                     "    vec3 raised = reflected + vec3(0.0, 0.0, 1.0);\n"
                     "    vec3 sphere = reflected * (inversesqrt(dot(raised, raised)) "
                     "* 0.5) + 0.5;\n");
}

static void component(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                      uint32_t unit, int c)
{
    switch ((enum gv_fixed_texgen)k->texgen[unit][c]) {
    case GV_FIXED_GIVEN:
        gv_fixed_say(t, "texcoord%u.%c", unit, "xyzw"[c]);
        return;
    case GV_FIXED_OBJECT_LINEAR:
        gv_fixed_use(&t->block, GV_FIXED_OBJECT_PLANES, unit);
        gv_fixed_say(t, "dot(position, unit%u_object[%d])", unit, c);
        return;
    case GV_FIXED_EYE_LINEAR:
        gv_fixed_use(&t->block, GV_FIXED_EYE_PLANES, unit);
        gv_fixed_say(t, "dot(eye, unit%u_eye[%d])", unit, c);
        return;
    // The fourth coordinate has none of these.
    case GV_FIXED_SPHERE:
        gv_fixed_say(t, c < 3 ? "sphere.%c" : "1.0", "xyz"[c < 3 ? c : 0]);
        return;
    case GV_FIXED_REFLECTION:
        gv_fixed_say(t, c < 3 ? "reflected.%c" : "1.0", "xyz"[c < 3 ? c : 0]);
        return;
    case GV_FIXED_NORMAL:
        gv_fixed_say(t, c < 3 ? "unit_normal.%c" : "1.0", "xyz"[c < 3 ? c : 0]);
        return;
    }
}

static void generated(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                      uint32_t unit)
{
    const uint8_t *modes = k->texgen[unit];
    if (!(modes[0] | modes[1] | modes[2] | modes[3])) { // GV_FIXED_GIVEN
        gv_fixed_say(t, "    coord%u = texcoord%u;\n", unit, unit);
        return;
    }
    gv_fixed_say(t, "    coord%u = vec4(", unit);
    for (int c = 0; c < 4; c++) {
        gv_fixed_say(t, "%s", c ? ", " : "");
        component(k, t, unit, c);
    }
    gv_fixed_say(t, ");\n");
}

void gv_fixed_coordinates(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    shared(k, t);
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        if (!(k->outputs >> (GV_FIXED_COORD + u) & 1))
            continue;
        generated(k, t, u);
        if (!(k->matrices >> u & 1))
            continue;
        char matrix[24], vector[24];
        snprintf(matrix, sizeof matrix, "unit%u_matrix", u);
        snprintf(vector, sizeof vector, "coord%u", u);
        gv_fixed_use(&t->block, GV_FIXED_TEXTURE_MATRIX, u);
        gv_fixed_say(t, "    coord%u = ", u);
        gv_fixed_transform(&t->body, matrix, vector);
        gv_fixed_say(t, ";\n");
    }
}
