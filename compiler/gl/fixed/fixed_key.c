#include "compiler/gl/fixed/fixed_key.h"

#include <string.h>

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/base/gl_matrix.h"

static const struct gv_gl_state *state_of(const struct gv_gl_fixed_inputs *in)
{
    return &in->context->state;
}

static bool per_vertex(const struct gv_gl_fixed_inputs *in, uint32_t slot)
{
    return in->varying >> slot & 1;
}

// ---- texture coordinates ----

static bool generates(const struct gv_gl_unit *unit)
{
    return unit->texgen[0].enabled || unit->texgen[1].enabled ||
           unit->texgen[2].enabled || unit->texgen[3].enabled;
}

static bool has_matrix(const struct gv_gl_fixed_inputs *in, uint32_t unit)
{
    const struct gv_gl_matrix_stack *s = &in->context->texture[unit];
    for (int i = 0; i < 16; i++)
        if (s->entries[s->top].m[i] != gv_gl_identity_matrix.m[i])
            return true;
    return false;
}

bool gv_fixed_sprite(const struct gv_gl_fixed_inputs *in, uint32_t unit)
{
    const struct gv_gl_state *s = state_of(in);
    return in->drawn == GV_GL_CLASS_POINTS && s->point.sprite &&
           s->texture.units[unit].coord_replace;
}

static enum gv_fixed_texgen texgen_of(const struct gv_gl_texgen *t)
{
    if (!t->enabled)
        return GV_FIXED_GIVEN;
    switch (t->mode) {
    case GL_OBJECT_LINEAR:
        return GV_FIXED_OBJECT_LINEAR;
    case GL_EYE_LINEAR:
        return GV_FIXED_EYE_LINEAR;
    case GL_SPHERE_MAP:
        return GV_FIXED_SPHERE;
    case GL_REFLECTION_MAP:
        return GV_FIXED_REFLECTION;
    case GL_NORMAL_MAP:
        return GV_FIXED_NORMAL;
    default:
        return GV_FIXED_GIVEN;
    }
}

// ---- lighting ----

static bool weakens(const struct gv_gl_light *light)
{
    return light->attenuation[0] != 1 || light->attenuation[1] != 0 ||
           light->attenuation[2] != 0;
}

static bool point_attenuates(const struct gv_gl_state *s)
{
    return s->point.attenuation[0] != 1 || s->point.attenuation[1] != 0 ||
           s->point.attenuation[2] != 0;
}

static bool lights_need_eye(const struct gv_gl_fixed_inputs *in)
{
    const struct gv_gl_lighting *l = &state_of(in)->lighting;
    if (!l->enabled)
        return false;
    if (l->local_viewer || l->color_control == GL_SEPARATE_SPECULAR_COLOR)
        return true;
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++)
        if (l->lights[i].enabled &&
            (l->lights[i].position[3] != 0 || l->lights[i].spot_cutoff != 180))
            return true;
    const struct gv_gl_matrix_stack *m = &in->context->modelview;
    return !gv_gl_matrix_keeps_lengths(&m->entries[m->top]);
}

bool gv_fixed_eye_space(const struct gv_gl_fixed_inputs *in)
{
    const struct gv_gl_state *s = state_of(in);
    if (point_attenuates(s) || lights_need_eye(in))
        return true;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        if (!in->units[u].there && !in->assembly[GV_GL_FRAGMENT_HALF] && !in->beside)
            continue;
        for (int c = 0; c < 4; c++)
            if (texgen_of(&s->texture.units[u].texgen[c]) > GV_FIXED_OBJECT_LINEAR)
                return true;
    }
    return false;
}

// Which properties follow the colour, of sides that are lit.
static uint8_t tracked_of(const struct gv_gl_fixed_inputs *in, bool back)
{
    // Colours that are alike for all vertices are in the material already.
    if (!(in->varying >> GV_GL_COLOR & 1))
        return 0;
    const struct gv_gl_lighting *l = &state_of(in)->lighting;
    uint32_t tracked = gv_gl_material_tracked(l, 0);
    if (back)
        tracked |= gv_gl_material_tracked(l, 1) << 4;
    return (uint8_t)tracked;
}

static void lights_key(const struct gv_gl_lighting *l, struct gv_fixed_vertex_key *out)
{
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++) {
        const struct gv_gl_light *light = &l->lights[i];
        if (!light->enabled)
            continue;
        uint8_t bit = (uint8_t)(1u << i);
        bool positional = light->position[3] != 0;
        out->lights |= bit;
        if (positional)
            out->positional |= bit;
        if (light->spot_cutoff != 180)
            out->spots |= bit;
        if (positional && weakens(light))
            out->weakened |= bit;
    }
}

static void lighting_key(const struct gv_gl_fixed_inputs *in,
                         struct gv_fixed_vertex_key *out)
{
    bool back = out->outputs >> GV_FIXED_BACK_COLOR & 1;
    const struct gv_gl_lighting *l = &state_of(in)->lighting;
    out->lighting = 1;
    out->two_side = back;
    out->separate = l->color_control == GL_SEPARATE_SPECULAR_COLOR;
    out->no_shininess = l->material[0].shininess == 0 &&
                        (!l->two_side || l->material[1].shininess == 0);
    lights_key(l, out);
    out->local_viewer = out->lights && !out->no_shininess && l->local_viewer;
    out->tracked = tracked_of(in, back);
}

// ---- vertex stage ----

static void coordinates_key(const struct gv_gl_fixed_inputs *in,
                            struct gv_fixed_vertex_key *out)
{
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        if (!(out->outputs >> (GV_FIXED_COORD + u) & 1))
            continue;
        const struct gv_gl_unit *unit = &state_of(in)->texture.units[u];
        for (int c = 0; c < 4; c++)
            out->texgen[u][c] = (uint8_t)texgen_of(&unit->texgen[c]);
        if (has_matrix(in, u))
            out->matrices |= (uint8_t)(1u << u);
    }
}

static uint8_t fog_source_of(const struct gv_gl_fog *f)
{
    if (f->coordinate == GL_FOG_COORDINATE)
        return GV_FIXED_FOG_GIVEN;
    return f->distance == GL_EYE_RADIAL_NV ? GV_FIXED_FOG_RADIAL
           : f->distance == GL_EYE_PLANE   ? GV_FIXED_FOG_EYE
                                           : GV_FIXED_FOG_EYE_ABSOLUTE;
}

static bool needs_normal(const struct gv_fixed_vertex_key *k)
{
    if (k->lighting && k->lights)
        return true;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        for (int c = 0; c < 4; c++)
            if (k->texgen[u][c] >= GV_FIXED_SPHERE)
                return true;
    return false;
}

// Slots that the text of a key reads.
static uint32_t slots_read(const struct gv_fixed_vertex_key *k)
{
    uint32_t slots = 1u << GV_GL_POSITION;
    if (k->line_ends)
        slots |= 1u << GV_FIXED_FIRST_END | 1u << GV_FIXED_LAST_END;
    if (needs_normal(k))
        slots |= 1u << GV_GL_NORMAL;
    if (k->lighting ? k->tracked != 0 : k->outputs >> GV_FIXED_FRONT_COLOR & 1)
        slots |= 1u << GV_GL_COLOR;
    if (!k->lighting && (k->outputs >> GV_FIXED_FRONT_SECONDARY & 1))
        slots |= 1u << GV_GL_SECONDARY;
    if (k->outputs >> GV_FIXED_FOG & 1 && k->fog == GV_FIXED_FOG_GIVEN)
        slots |= 1u << GV_GL_FOG_COORD;
    if (k->points && !k->attenuated)
        slots |= 1u << GV_GL_POINT_SIZE;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        for (int c = 0; c < 4 && (k->outputs >> (GV_FIXED_COORD + u) & 1); c++)
            if (k->texgen[u][c] == GV_FIXED_GIVEN)
                slots |= 1u << (GV_GL_TEXCOORD + u);
    return slots;
}

enum gv_lower_edges gv_gl_lower_edges(const struct gv_gl_context *c,
                                      enum gv_gl_primitive_class drawn, bool flipped,
                                      bool multisampled)
{
    const struct gv_gl_point *p = &c->state.point;
    if (flipped == c->state.transform.clip_upper_left)
        return GV_LOWER_EDGES_OFF;
    if (drawn == GV_GL_CLASS_TRIANGLES)
        return gv_gl_is_placed(c) ? GV_LOWER_EDGES_POLYGONS : GV_LOWER_EDGES_OFF;
    const bool round = p->smooth && !p->sprite && !multisampled;
    return drawn == GV_GL_CLASS_POINTS && !round && !gv_gl_snaps_points(c, multisampled)
               ? GV_LOWER_EDGES_POINTS
               : GV_LOWER_EDGES_OFF;
}

// Of whatever tells the position.
static void vertices_key(const struct gv_gl_fixed_inputs *in,
                         struct gv_fixed_vertex_key *out)
{
    const struct gv_gl_state *s = state_of(in);
    out->points = in->drawn == GV_GL_CLASS_POINTS;
    out->snapped = out->points && gv_gl_snaps_points(in->context, in->multisampled);
    out->edges = (uint8_t)gv_gl_lower_edges(in->context, in->drawn, in->flipped,
                                            in->multisampled);
    out->multisampled = out->edges && in->multisampled;
    out->clip_planes = (uint8_t)s->transform.clip_enabled;
    out->line_ends = in->line_ends;
    out->depth_zero_to_one = in->depth_zero_to_one;
}

void gv_fixed_vertex_key(const struct gv_gl_fixed_inputs *in, uint32_t varyings,
                         struct gv_fixed_vertex_key *out)
{
    const struct gv_gl_state *s = state_of(in);
    memset(out, 0, sizeof *out);
    out->outputs = (uint16_t)varyings;
    out->beside = in->beside;
    if (in->assembly[GV_GL_VERTEX_HALF]) {
        gv_fixed_assembly_vertex_key(in, out);
        vertices_key(in, out);
        return;
    }
    bool colors =
        varyings & (1u << GV_FIXED_FRONT_COLOR | 1u << GV_FIXED_FRONT_SECONDARY);
    if (s->lighting.enabled && colors)
        lighting_key(in, out);
    if (colors) {
        out->clamp = s->lighting.clamp_vertex_color;
        out->flat = s->lighting.shade_model == GL_FLAT;
    }
    coordinates_key(in, out);
    if (varyings >> GV_FIXED_FOG & 1)
        out->fog = fog_source_of(&s->fog);
    vertices_key(in, out);
    out->attenuated = out->points && point_attenuates(s);
    if (needs_normal(out)) {
        out->eye_space = gv_fixed_eye_space(in);
        out->normalize = s->transform.normalize;
        // Object space undoes the scale that nobody asked to be undone.
        out->rescale = !out->normalize && out->eye_space == s->transform.rescale_normal;
    }
    out->slots = slots_read(out) & (in->varying | 1u << GV_GL_POSITION);
}

// ---- fragment stage ----

static uint8_t fog_mode_of(const struct gv_gl_fog *f)
{
    if (!f->enabled)
        return GV_FIXED_FOG_NONE;
    return f->mode == GL_LINEAR ? GV_FIXED_FOG_LINEAR
           : f->mode == GL_EXP2 ? GV_FIXED_FOG_EXP2
                                : GV_FIXED_FOG_EXP;
}

enum gv_fixed_depth_mode gv_fixed_depth_mode(uint32_t mode)
{
    return mode == GL_INTENSITY ? GV_FIXED_DEPTH_INTENSITY
           : mode == GL_ALPHA   ? GV_FIXED_DEPTH_ALPHA
           : mode == GL_RED     ? GV_FIXED_DEPTH_RED
                                : GV_FIXED_DEPTH_LUMINANCE;
}

static void unit_key(const struct gv_gl_fixed_inputs *in, uint32_t u,
                     struct gv_fixed_unit_key *out)
{
    const struct gv_gl_unit_image *image = &in->units[u];
    bool depth = image->base_format == GL_DEPTH_COMPONENT ||
                 image->base_format == GL_DEPTH_STENCIL;
    out->there = 1;
    out->target = image->target;
    out->shadow = image->shadow && depth;
    out->four = depth ? image->four : 0;
    out->depth_mode =
        out->shadow || out->four ? (uint8_t)gv_fixed_depth_mode(image->depth_mode) : 0;
    out->replaced = gv_fixed_sprite(in, u);
    out->clamp = image->clamp;
    out->plane = image->plane;
    out->fetch = (uint8_t)image->fetch;
    out->integers = image->integers;
    gv_fixed_environment(&state_of(in)->texture.units[u], u,
                         depth ? image->depth_mode : image->base_format, out);
}

static void textures_key(const struct gv_gl_fixed_inputs *in,
                         struct gv_fixed_fragment_key *out)
{
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        if (!in->units[u].there)
            continue;
        unit_key(in, u, &out->units[u]);
        if (!out->units[u].replaced && !gv_fixed_is_programmed(in) &&
            (per_vertex(in, GV_GL_TEXCOORD + u) || has_matrix(in, u) ||
             generates(&state_of(in)->texture.units[u])))
            out->inputs |= (uint16_t)(1u << (GV_FIXED_COORD + u));
    }
}

// Of what a program of assembly writes.
static void results_key(const struct gv_gl_fixed_inputs *in,
                        struct gv_fixed_fragment_key *out)
{
    const struct gv_gl_state *s = state_of(in);
    const struct gv_gl_lighting *l = &s->lighting;
    const uint32_t coordinates = ((1u << GV_GL_UNITS) - 1) << GV_FIXED_COORD;
    const uint32_t secondary =
        1u << GV_FIXED_FRONT_SECONDARY | 1u << GV_FIXED_BACK_SECONDARY;
    out->sum = s->fog.color_sum ||
               (l->enabled && l->color_control == GL_SEPARATE_SPECULAR_COLOR);
    uint32_t inputs = gv_fixed_results(in) & ~(1u << GV_FIXED_FOG);
    if (!out->sum)
        inputs &= ~secondary;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        if (!in->units[u].there || gv_fixed_sprite(in, u))
            inputs &= ~(1u << (GV_FIXED_COORD + u));
    if (inputs & (1u << GV_FIXED_BACK_COLOR | 1u << GV_FIXED_BACK_SECONDARY))
        out->two_side = in->polygons ? GV_FIXED_BOTH_SIDES : GV_FIXED_BACK_SIDE;
    out->flat = (inputs & ~coordinates) && l->shade_model == GL_FLAT;
    out->inputs |= (uint16_t)inputs;
}

static void colors_key(const struct gv_gl_fixed_inputs *in,
                       struct gv_fixed_fragment_key *out)
{
    const struct gv_gl_state *s = state_of(in);
    const struct gv_gl_lighting *l = &s->lighting;
    uint32_t inputs = 0;
    if (gv_fixed_is_programmed(in)) {
        results_key(in, out);
        return;
    }
    if (l->enabled || per_vertex(in, GV_GL_COLOR))
        inputs |= 1u << GV_FIXED_FRONT_COLOR;
    out->sum =
        l->enabled ? l->color_control == GL_SEPARATE_SPECULAR_COLOR : s->fog.color_sum;
    if (out->sum && (l->enabled || per_vertex(in, GV_GL_SECONDARY)))
        inputs |= 1u << GV_FIXED_FRONT_SECONDARY;
    if (l->enabled && l->two_side && (in->polygons || in->back))
        out->two_side = in->polygons ? GV_FIXED_BOTH_SIDES : GV_FIXED_BACK_SIDE;
    if (out->two_side)
        inputs |= inputs << (GV_FIXED_BACK_COLOR - GV_FIXED_FRONT_COLOR);
    out->flat = inputs && l->shade_model == GL_FLAT;
    out->inputs |= (uint16_t)inputs;
}

void gv_fixed_fragment_key(const struct gv_gl_fixed_inputs *in,
                           struct gv_fixed_fragment_key *out)
{
    const struct gv_gl_state *s = state_of(in);
    memset(out, 0, sizeof *out);
    out->beside = in->beside;
    if (in->assembly[GV_GL_FRAGMENT_HALF]) {
        gv_fixed_assembly_fragment_key(in, out);
    } else {
        colors_key(in, out);
        textures_key(in, out);
        out->fog = fog_mode_of(&s->fog);
    }
    out->outputs = in->outputs & 0xFE;
    out->beyond = out->outputs && !(in->outputs & 1);
    if (out->fog && (!in->beside || in->written >> GV_FIXED_FOG & 1))
        out->inputs |= 1u << GV_FIXED_FOG;
    if (s->color.alpha_test && s->color.alpha_func != GL_ALWAYS)
        out->alpha = (uint8_t)(s->color.alpha_func - GL_NEVER + 1);
    out->coarse = out->alpha > 1 && in->alpha_bits8;
    out->line_ends = in->line_ends;
    if (in->polygon_stipple)
        out->stipple = in->flipped ? 2 : 1;
    // gl_PointCoord has its origin where row 0 of the target is.
    if (in->drawn == GV_GL_CLASS_POINTS)
        out->sprite_up = (s->point.origin == GL_LOWER_LEFT) == in->flipped;
    out->round_points =
        in->point_smooth && in->drawn == GV_GL_CLASS_POINTS && !s->point.sprite;
}
