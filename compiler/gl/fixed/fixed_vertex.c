// The vertex stage: position, what fragments need of eye coordinates and normals,
// points, planes that clip.

#include "compiler/gl/fixed/fixed_text.h"
#include "compiler/shader/glsl/point_snap.h"

static bool output(const struct gv_fixed_vertex_key *k, uint32_t varying)
{
    return k->outputs >> varying & 1;
}

const char *gv_fixed_slot(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                          uint32_t number)
{
    if (!(k->slots >> number & 1))
        gv_fixed_use(&t->block, GV_FIXED_CURRENT, number);
    return gv_fixed_slot_name(number);
}

static bool uses_texgen(const struct gv_fixed_vertex_key *k, uint32_t modes)
{
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        for (int c = 0; c < 4; c++)
            if (modes >> k->texgen[u][c] & 1)
                return true;
    return false;
}

#define REFLECTS (1u << GV_FIXED_SPHERE | 1u << GV_FIXED_REFLECTION)

static bool needs_direction(const struct gv_fixed_vertex_key *k)
{
    return k->local_viewer || uses_texgen(k, REFLECTS);
}

static bool needs_eye(const struct gv_fixed_vertex_key *k)
{
    return needs_direction(k) || k->positional || k->attenuated ||
           uses_texgen(k, 1u << GV_FIXED_EYE_LINEAR) ||
           (output(k, GV_FIXED_FOG) && k->fog != GV_FIXED_FOG_GIVEN);
}

static bool needs_normal(const struct gv_fixed_vertex_key *k)
{
    return (k->lighting && k->lights) ||
           uses_texgen(k, REFLECTS | 1u << GV_FIXED_NORMAL);
}

// ---- parts of main ----

static void position(struct gv_fixed_text *t)
{
    gv_fixed_use(&t->block, GV_FIXED_MVP, 0);
    gv_fixed_say(t, "    gl_Position = ");
    gv_fixed_transform(&t->body, "mvp", "position");
    gv_fixed_say(t, ";\n");
}

static void clip(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < GV_GL_CLIP_PLANES; i++) {
        if (!(k->clip_planes >> i & 1))
            continue;
        gv_fixed_use(&t->block, GV_FIXED_CLIP_PLANE, i);
        gv_fixed_say(t, "    gl_ClipDistance[%u] = dot(gl_Position, clip_plane%u);\n",
                     count++, i);
    }
    if (count)
        gv_bytes_printf(&t->declared, "out float gl_ClipDistance[%u];\n", count);
    if (k->depth_zero_to_one)
        gv_fixed_say(t, "    // from -w..w to 0..w\n    gl_Position.z = "
                        "(gl_Position.z + gl_Position.w) * 0.5;\n");
}

static void eye(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (!needs_eye(k))
        return;
    gv_fixed_use(&t->block, GV_FIXED_MODELVIEW, 0);
    gv_fixed_say(t, "    vec4 eye = ");
    gv_fixed_transform(&t->body, "modelview", "position");
    gv_fixed_say(t, ";\n");
    if (needs_direction(k))
        gv_fixed_say(t, "    vec3 from_viewer = eye.xyz * inversesqrt(dot(eye.xyz, "
                        "eye.xyz));\n");
}

static void normal(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (!needs_normal(k))
        return;
    const char *given = gv_fixed_slot(k, t, GV_GL_NORMAL);
    if (k->eye_space) {
        gv_fixed_use(&t->block, GV_FIXED_NORMAL_ROWS, 0);
        gv_fixed_say(t, "    vec3 unit_normal = vec3(");
        for (int row = 0; row < 3; row++)
            gv_fixed_say(t, "%sdot(%s.xyz, normal_rows[%d].xyz)", row ? ", " : "",
                         given, row);
        gv_fixed_say(t, ");\n");
    } else {
        gv_fixed_say(t, "    vec3 unit_normal = %s.xyz; // lit in object space\n",
                     given);
    }
    if (k->normalize) {
        gv_fixed_say(
            t, "    unit_normal *= inversesqrt(dot(unit_normal, unit_normal));\n");
    } else if (k->rescale) {
        gv_fixed_use(&t->block, GV_FIXED_NORMAL_SCALE, 0);
        gv_fixed_say(t, "    unit_normal *= normal_scale.x;\n");
    }
}

static void given_color(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                        uint32_t varying, uint32_t number)
{
    if (!output(k, varying))
        return;
    char name[24];
    gv_fixed_varying_name(varying, name);
    gv_fixed_say(t, "    %s = %s;\n", name, gv_fixed_slot(k, t, number));
}

static void colors(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (k->lighting) {
        if (k->tracked)
            gv_fixed_slot(k, t, GV_GL_COLOR);
        gv_fixed_lighting(k, t);
    } else {
        given_color(k, t, GV_FIXED_FRONT_COLOR, GV_GL_COLOR);
        given_color(k, t, GV_FIXED_FRONT_SECONDARY, GV_GL_SECONDARY);
    }
    for (uint32_t v = 0; v < GV_FIXED_FOG && k->clamp; v++) {
        char name[24];
        gv_fixed_varying_name(v, name);
        if (output(k, v))
            gv_fixed_say(t, "    %s = clamp(%s, 0.0, 1.0);\n", name, name);
    }
}

static void fog(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (!output(k, GV_FIXED_FOG))
        return;
    switch ((enum gv_fixed_fog_source)k->fog) {
    case GV_FIXED_FOG_EYE_ABSOLUTE:
        gv_fixed_say(t, "    fog_distance = abs(eye.z);\n");
        return;
    case GV_FIXED_FOG_EYE:
        gv_fixed_say(t, "    fog_distance = eye.z;\n");
        return;
    case GV_FIXED_FOG_RADIAL:
        gv_fixed_say(t, "    fog_distance = sqrt(dot(eye.xyz, eye.xyz));\n");
        return;
    case GV_FIXED_FOG_GIVEN:
        gv_fixed_say(t, "    fog_distance = %s.x;\n",
                     gv_fixed_slot(k, t, GV_GL_FOG_COORD));
        return;
    }
}

static void point_size(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (k->own_size) {
        gv_fixed_say(t, "    gl_PointSize = out_%u.x;\n", GV_ARB_OUT_POINT);
        return;
    }
    if (k->slots >> GV_GL_POINT_SIZE & 1 && !k->attenuated) {
        gv_fixed_say(t, "    gl_PointSize = own_size.x;\n");
        return;
    }
    gv_fixed_use(&t->block, GV_FIXED_POINT_SIZE, 0);
    if (!k->attenuated) {
        gv_fixed_say(t, "    gl_PointSize = point_size.w;\n");
        return;
    }
    gv_fixed_use(&t->block, GV_FIXED_POINT_ATTENUATION, 0);
    gv_fixed_say(t, "    float distance_to_point = abs(eye.z);\n"
                    "    float dims = distance_to_point * point_attenuation.z + "
                    "point_attenuation.y;\n"
                    "    dims = distance_to_point * dims + point_attenuation.x;\n"
                    "    gl_PointSize = clamp(inversesqrt(dims) * point_size.x, "
                    "point_size.y, point_size.z);\n");
}

static void points(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (!k->points)
        return;
    point_size(k, t);
    if (!k->snapped)
        return;
    gv_fixed_use(&t->block, GV_FIXED_POINT_GRID, 0);
    gv_fixed_say(t, GV_POINT_SNAP("grid"));
}

static void edges(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    if (k->edges)
        gv_fixed_use(&t->block, GV_FIXED_POINT_GRID, 0);
    gv_lower_edges_declare((enum gv_lower_edges)k->edges, &t->declared);
    gv_lower_edges_write((enum gv_lower_edges)k->edges, k->multisampled, "grid",
                         &t->body);
}

// ---- the whole ----

static void attributes(const struct gv_fixed_vertex_key *k, struct gv_bytes *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < GV_GL_SLOTS; i++)
        if (k->slots >> i & 1)
            gv_bytes_printf(out, "layout(location = %u) in vec4 %s;\n",
                            gv_fixed_is_packed(k) ? count++ : i, gv_fixed_slot_name(i));
}

static void fixed_function(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    position(t);
    clip(k, t);
    eye(k, t);
    normal(k, t);
    colors(k, t);
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        for (int c = 0; c < 4; c++)
            if (output(k, GV_FIXED_COORD + u) && k->texgen[u][c] == GV_FIXED_GIVEN)
                gv_fixed_slot(k, t, GV_GL_TEXCOORD + u);
    gv_fixed_coordinates(k, t);
    fog(k, t);
}

static void assembly(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    gv_fixed_assembly_vertex(k, t);
    if (k->assembly->position_invariant)
        position(t);
    else
        gv_fixed_say(t, "    gl_Position = out_%u;\n", GV_ARB_OUT_POSITION);
    clip(k, t);
}

void gv_fixed_vertex_text(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                          struct gv_bytes *out)
{
    if (k->assembly)
        assembly(k, t);
    else
        fixed_function(k, t);
    points(k, t);
    edges(k, t);
    gv_fixed_line_ends(k, t);

    gv_fixed_version(out, GV_FIXED_VERSION);
    attributes(k, out);
    gv_fixed_block_declare(&t->block, 0, out);
    gv_fixed_varying_declare(
        &(struct gv_fixed_varyings){ k->outputs, k->flat, k->beside }, "out", out);
    gv_bytes_put(out, t->declared.data, t->declared.size);
    gv_bytes_printf(out, "void main()\n{\n");
    gv_bytes_put(out, t->body.data, t->body.size);
    gv_bytes_printf(out, "}\n");
    gv_bytes_u8(out, 0);
}
