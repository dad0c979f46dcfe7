// Lighting per vertex (OpenGL 1.5 specification, section 2.14.1), in Mesa's order of
// operations: products of lights and materials and what is constant are computed ahead,
// unless the material follows the vertex's colour.

#include <stdio.h>

#include "compiler/gl/fixed/fixed_text.h"

static const char *const properties[] = { "ambient", "diffuse", "specular",
                                          "emission" };

static bool tracks(const struct gv_fixed_vertex_key *k, uint32_t side,
                   enum gv_fixed_property property)
{
    return k->tracked >> (property + 4 * side) & 1;
}

// The name of a side's material: the colour where that is tracked.
static void material(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                     uint32_t side, enum gv_fixed_property property, char name[24])
{
    if (tracks(k, side, property)) {
        snprintf(name, 24, "color");
        return;
    }
    static const enum gv_fixed_source sources[] = {
        GV_FIXED_MATERIAL_AMBIENT,
        GV_FIXED_MATERIAL_DIFFUSE,
        GV_FIXED_MATERIAL_SPECULAR,
        GV_FIXED_MATERIAL_EMISSION,
    };
    gv_fixed_use(&t->block, sources[property], side);
    snprintf(name, 24, "%s%u", properties[property], side);
}

// What is there without lights: emission and the scene's ambient light.
static void scene(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                  uint32_t side)
{
    const char *target = side ? "back" : "front";
    if (tracks(k, side, GV_FIXED_AMBIENT) || tracks(k, side, GV_FIXED_DIFFUSE) ||
        tracks(k, side, GV_FIXED_EMISSION)) {
        char ambient[24], diffuse[24], emission[24];
        material(k, t, side, GV_FIXED_AMBIENT, ambient);
        material(k, t, side, GV_FIXED_DIFFUSE, diffuse);
        material(k, t, side, GV_FIXED_EMISSION, emission);
        gv_fixed_use(&t->block, GV_FIXED_MODEL_AMBIENT, 0);
        gv_fixed_say(
            t, "    %s_color = vec4(model_ambient.rgb * %s.rgb + %s.rgb, %s.a);\n",
            target, ambient, emission, diffuse);
    } else {
        gv_fixed_use(&t->block, GV_FIXED_SCENE_COLOR, side);
        gv_fixed_say(t, "    %s_color = scene_color%u;\n", target, side);
    }
    if (k->separate)
        gv_fixed_say(t, "    %s_secondary = vec4(0.0, 0.0, 0.0, 1.0);\n", target);
}

// `toward<i>`, and `near<i>` (1 / distance) of a positional light.
static void direction(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                      uint32_t i)
{
    if (!(k->positional >> i & 1)) {
        gv_fixed_use(&t->block, GV_FIXED_LIGHT_DIRECTION, i);
        gv_fixed_say(t, "    vec3 toward%u = light%u_direction.xyz;\n", i, i);
        return;
    }
    gv_fixed_use(&t->block, GV_FIXED_LIGHT_POSITION, i);
    gv_fixed_say(t,
                 "    vec3 toward%u = light%u_position.xyz - eye.xyz;\n"
                 "    float near%u = inversesqrt(dot(toward%u, toward%u));\n"
                 "    toward%u *= near%u;\n",
                 i, i, i, i, i, i, i);
}

// `weight<i>`: what distance and spot leave of a light.
static bool weight(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                   uint32_t i)
{
    bool spot = k->spots >> i & 1, weakened = k->weakened >> i & 1;
    if (!spot && !weakened)
        return false;
    gv_fixed_use(&t->block, GV_FIXED_LIGHT_ATTENUATION, i);
    if (spot) {
        gv_fixed_use(&t->block, GV_FIXED_LIGHT_SPOT, i);
        gv_fixed_say(t,
                     "    float spot%u = dot(-toward%u, light%u_spot.xyz);\n"
                     "    float weight%u = light%u_spot.w < spot%u ? pow(spot%u, "
                     "light%u_attenuation.w) : 0.0;\n",
                     i, i, i, i, i, i, i, i);
    }
    if (weakened) {
        gv_fixed_say(
            t,
            "    float far%u = 1.0 / near%u;\n"
            "    float fade%u = 1.0 / dot(light%u_attenuation.xyz, vec3(near%u "
            "* far%u, far%u, far%u * far%u));\n",
            i, i, i, i, i, i, i, i, i);
        if (spot)
            gv_fixed_say(t, "    weight%u = fade%u * weight%u;\n", i, i, i);
        else
            gv_fixed_say(t, "    float weight%u = fade%u;\n", i, i);
    }
    return true;
}

// `half<i>`: between the light and the viewer.
static void half_way(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                     uint32_t i)
{
    if (!k->local_viewer && !(k->positional >> i & 1)) {
        gv_fixed_use(&t->block, GV_FIXED_LIGHT_HALF, i);
        gv_fixed_say(t, "    vec3 half%u = light%u_half.xyz;\n", i, i);
        return;
    }
    gv_fixed_say(t, "    vec3 half%u = toward%u %s;\n", i, i,
                 k->local_viewer ? "- from_viewer" : "+ vec3(0.0, 0.0, 1.0)");
    gv_fixed_say(t, "    half%u *= inversesqrt(dot(half%u, half%u));\n", i, i, i);
}

// The product of light and material: computed ahead unless the material is tracked.
static void product(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                    const uint32_t light_side[2], enum gv_fixed_property property,
                    char name[64])
{
    static const enum gv_fixed_source ahead[2][3] = {
        { GV_FIXED_FRONT_AMBIENT, GV_FIXED_FRONT_DIFFUSE, GV_FIXED_FRONT_SPECULAR },
        { GV_FIXED_BACK_AMBIENT, GV_FIXED_BACK_DIFFUSE, GV_FIXED_BACK_SPECULAR },
    };
    static const enum gv_fixed_source lights[3] = { GV_FIXED_LIGHT_AMBIENT,
                                                    GV_FIXED_LIGHT_DIFFUSE,
                                                    GV_FIXED_LIGHT_SPECULAR };
    uint32_t light = light_side[0], side = light_side[1];
    if (tracks(k, side, property)) {
        gv_fixed_use(&t->block, lights[property], light);
        snprintf(name, 64, "(light%u_%s.rgb * color.rgb)", light, properties[property]);
    } else {
        gv_fixed_use(&t->block, ahead[side][property], light);
        snprintf(name, 64, "light%u_%s%u.rgb", light, properties[property], side);
    }
}

// Adds a light to a side. The back has the opposite normal.
static void side_of_light(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                          const uint32_t light_side[2], bool weighted)
{
    uint32_t i = light_side[0], side = light_side[1];
    const char *sign = side ? "-" : "", *target = side ? "back" : "front";
    char ambient[64], diffuse[64], specular[64];
    product(k, t, light_side, GV_FIXED_AMBIENT, ambient);
    product(k, t, light_side, GV_FIXED_DIFFUSE, diffuse);
    product(k, t, light_side, GV_FIXED_SPECULAR, specular);
    gv_fixed_say(t, "    lit = vec3(1.0, max(%sfacing%u, 0.0), ", sign, i);
    if (!k->no_shininess)
        // To the power of 0, 0 is 0 with Mesa and anything with others.
        gv_fixed_say(t,
                     "0.0 >= min(%sfacing%u, %sshine%u) ? 0.0 : pow(%sshine%u, "
                     "clamp(shininess.%c, -128.0, 128.0)));\n",
                     sign, i, sign, i, sign, i, side ? 'y' : 'x');
    else if (weighted) // Mesa's, which matters only to specular materials of exponent 0
        gv_fixed_say(t,
                     "0.0 >= %sfacing%u ? 0.0 : pow(max(%sfacing%u, 0.0), "
                     "clamp(%sfacing%u, -128.0, 128.0)));\n",
                     sign, i, sign, i, sign, i);
    else
        gv_fixed_say(t, "0.0 < %sfacing%u ? 1.0 : 0.0);\n", sign, i);
    if (weighted)
        gv_fixed_say(t, "    lit *= weight%u;\n    %s_color.rgb += lit.x * %s;\n", i,
                     target, ambient);
    else
        gv_fixed_say(t, "    %s_color.rgb += %s;\n", target, ambient);
    gv_fixed_say(t, "    %s_color.rgb += lit.y * %s;\n", target, diffuse);
    gv_fixed_say(t, "    %s_%s.rgb += lit.z * %s;\n", target,
                 k->separate ? "secondary" : "color", specular);
}

static void light(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                  uint32_t i)
{
    gv_fixed_say(t, "    // light %u: %s%s\n", i,
                 k->positional >> i & 1 ? "positional" : "directional",
                 k->spots >> i & 1 ? ", a spot" : "");
    direction(k, t, i);
    bool weighted = weight(k, t, i);
    gv_fixed_say(t, "    float facing%u = dot(unit_normal, toward%u);\n", i, i);
    if (!k->no_shininess) {
        gv_fixed_use(&t->block, GV_FIXED_SHININESS, 0);
        half_way(k, t, i);
        gv_fixed_say(t, "    float shine%u = dot(unit_normal, half%u);\n", i, i);
    }
    for (uint32_t side = 0; side < 1u + k->two_side; side++)
        side_of_light(k, t, (const uint32_t[2]){ i, side }, weighted);
}

void gv_fixed_lighting(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t)
{
    scene(k, t, 0);
    if (k->two_side)
        scene(k, t, 1);
    if (!k->lights)
        return;
    gv_fixed_say(t, "    vec3 lit; // how much ambient, diffuse, specular light\n");
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++)
        if (k->lights >> i & 1)
            light(k, t, i);
}
