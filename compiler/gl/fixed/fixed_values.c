#include "compiler/gl/fixed/fixed_values.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/fixed/fixed_key.h"

#define PI 3.14159265358979323846
#define LOG2_E 1.4426950408889634074
#define ROOT_LOG2_E 1.201122408786449815 // its square root
#define POINT_SIZE_LEAST 1.0f            // of points that are not smooth
#define ROUND_SIZE_LEAST 2.0f // of smooth ones: Mesa's, where it knows the size
#define POINT_SIZE_LARGEST 255.0f

// State with what several members need of it, computed when first asked for.
struct values {
    const struct gv_gl_fixed_inputs *in;
    const struct gv_gl_state *s;
    const struct gv_gl_matrix *modelview, *projection;
    struct gv_gl_matrix inverse; // of the modelview
    bool inverted, eye_space;
};

static const struct gv_gl_matrix *top(const struct gv_gl_matrix_stack *s)
{
    return &s->entries[s->top];
}

static const struct gv_gl_matrix *inverse_of(struct values *v)
{
    if (!v->inverted)
        gv_gl_matrix_invert(&v->inverse, v->modelview);
    v->inverted = true;
    return &v->inverse;
}

// ---- vectors ----

static void copy4(float *out, const float *in)
{
    memcpy(out, in, 4 * sizeof *out);
}

static void normalise(float *v)
{
    float length = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
    if (length == 0)
        return;
    length = 1.0f / sqrtf(length);
    for (int i = 0; i < 3; i++)
        v[i] *= length;
}

// A normal, or any row vector, by the upper part of a matrix.
static void transform_normal(float *out, const float *n, const float *m)
{
    for (size_t i = 0; i < 3; i++)
        out[i] = (n[0] * m[4 * i] + n[1] * m[4 * i + 1]) + n[2] * m[4 * i + 2];
}

static float saturate(float x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

// ---- lights ----

// Where a light is, in the space that lighting is done in.
static void light_position(struct values *v, uint32_t light, float out[4])
{
    const float *position = v->s->lighting.lights[light].position;
    if (v->eye_space)
        copy4(out, position);
    else
        gv_gl_transform_point(out, inverse_of(v), position);
}

static void point_light(struct values *v, uint32_t light, float out[4])
{
    light_position(v, light, out);
    float scale = 1.0f / out[3];
    for (int i = 0; i < 3; i++)
        out[i] *= scale;
}

static void light_direction(struct values *v, uint32_t light, float out[4])
{
    light_position(v, light, out);
    normalise(out);
}

static void light_half(struct values *v, uint32_t light, float out[4])
{
    static const float toward_viewer[3] = { 0, 0, 1 };
    float viewer[3] = { 0, 0, 1 };
    if (!v->eye_space)
        transform_normal(viewer, toward_viewer, v->modelview->m);
    light_direction(v, light, out);
    for (int i = 0; i < 3; i++)
        out[i] += viewer[i];
    normalise(out);
    out[3] = 1;
}

static void light_spot(const struct values *v, uint32_t light, float out[4])
{
    const struct gv_gl_light *l = &v->s->lighting.lights[light];
    memcpy(out, l->spot_direction, 3 * sizeof *out);
    normalise(out);
    float cosine = cosf((float)((double)l->spot_cutoff * PI / 180.0));
    out[3] = cosine > 0 ? cosine : 0;
}

static void light_attenuation(const struct values *v, uint32_t light, float out[4])
{
    const struct gv_gl_light *l = &v->s->lighting.lights[light];
    memcpy(out, l->attenuation, 3 * sizeof *out);
    out[3] = l->spot_exponent;
}

static void scene_color(const struct gv_gl_lighting *l, uint32_t side, float out[4])
{
    const struct gv_gl_material *m = &l->material[side];
    for (int i = 0; i < 3; i++)
        out[i] = l->model_ambient[i] * m->ambient[i] + m->emission[i];
    out[3] = m->diffuse[3];
}

// Members that are of lights and materials. False: it is another one.
static bool material_value(const struct values *v, const struct gv_fixed_member *member,
                           float *out)
{
    const struct gv_gl_lighting *l = &v->s->lighting;
    uint32_t i = member->index;
    const struct gv_gl_material *side = &l->material[i & 1];
    switch (member->source) {
    case GV_FIXED_SCENE_COLOR:
        scene_color(l, i, out);
        return true;
    case GV_FIXED_MODEL_AMBIENT:
        copy4(out, l->model_ambient);
        return true;
    case GV_FIXED_MATERIAL_AMBIENT:
        copy4(out, side->ambient);
        return true;
    case GV_FIXED_MATERIAL_DIFFUSE:
        copy4(out, side->diffuse);
        return true;
    case GV_FIXED_MATERIAL_SPECULAR:
        copy4(out, side->specular);
        return true;
    case GV_FIXED_MATERIAL_EMISSION:
        copy4(out, side->emission);
        return true;
    case GV_FIXED_SHININESS:
        out[0] = l->material[0].shininess;
        out[1] = l->material[1].shininess;
        return true;
    default:
        return false;
    }
}

// Of a light and of what it falls on.
static bool product_value(const struct values *v, const struct gv_fixed_member *member,
                          float *out)
{
    const struct gv_gl_material *material = v->s->lighting.material;
    const struct gv_gl_light *light = &v->s->lighting.lights[member->index];
    switch (member->source) {
    case GV_FIXED_FRONT_AMBIENT:
        gv_gl_lit_color(light->ambient, material[0].ambient, out);
        return true;
    case GV_FIXED_FRONT_DIFFUSE:
        gv_gl_lit_color(light->diffuse, material[0].diffuse, out);
        return true;
    case GV_FIXED_FRONT_SPECULAR:
        gv_gl_lit_color(light->specular, material[0].specular, out);
        return true;
    case GV_FIXED_BACK_AMBIENT:
        gv_gl_lit_color(light->ambient, material[1].ambient, out);
        return true;
    case GV_FIXED_BACK_DIFFUSE:
        gv_gl_lit_color(light->diffuse, material[1].diffuse, out);
        return true;
    case GV_FIXED_BACK_SPECULAR:
        gv_gl_lit_color(light->specular, material[1].specular, out);
        return true;
    default:
        return false;
    }
}

static bool light_value(struct values *v, const struct gv_fixed_member *member,
                        float *out)
{
    uint32_t i = member->index;
    const struct gv_gl_light *light = &v->s->lighting.lights[i];
    switch (member->source) {
    case GV_FIXED_LIGHT_AMBIENT:
        copy4(out, light->ambient);
        return true;
    case GV_FIXED_LIGHT_DIFFUSE:
        copy4(out, light->diffuse);
        return true;
    case GV_FIXED_LIGHT_SPECULAR:
        copy4(out, light->specular);
        return true;
    case GV_FIXED_LIGHT_POSITION:
        point_light(v, i, out);
        return true;
    case GV_FIXED_LIGHT_DIRECTION:
        light_direction(v, i, out);
        return true;
    case GV_FIXED_LIGHT_HALF:
        light_half(v, i, out);
        return true;
    case GV_FIXED_LIGHT_SPOT:
        light_spot(v, i, out);
        return true;
    case GV_FIXED_LIGHT_ATTENUATION:
        light_attenuation(v, i, out);
        return true;
    default:
        return false;
    }
}

// ---- geometry ----

static void normal_scale(struct values *v, float *out)
{
    out[0] = 1;
    if (gv_gl_matrix_keeps_lengths(v->modelview))
        return;
    const float *m = inverse_of(v)->m;
    float f = (m[2] * m[2] + m[6] * m[6]) + m[10] * m[10];
    if (f < 1e-12f)
        f = 1;
    out[0] = v->eye_space ? 1.0f / sqrtf(f) : sqrtf(f);
}

// Planes of GL clip in eye coordinates; here they stand where positions are clipped.
static void clip_plane(const struct values *v, uint32_t plane, float *out)
{
    struct gv_gl_matrix m;
    gv_gl_matrix_invert(&m, v->projection);
    const float *p = v->s->transform.clip_planes[plane];
    for (size_t i = 0; i < 4; i++)
        out[i] = ((p[0] * m.m[4 * i] + p[1] * m.m[4 * i + 1]) + p[2] * m.m[4 * i + 2]) +
                 p[3] * m.m[4 * i + 3];
}

static void texgen_planes(const struct values *v, const struct gv_fixed_member *member,
                          float *out)
{
    const struct gv_gl_texgen *t = v->s->texture.units[member->index].texgen;
    for (size_t c = 0; c < 4; c++)
        copy4(out + 4 * c, member->source == GV_FIXED_OBJECT_PLANES ? t[c].object_plane
                                                                    : t[c].eye_plane);
}

static void point_size(const struct gv_gl_point *p, float *out)
{
    out[0] = p->size;
    out[1] = p->min > POINT_SIZE_LEAST ? p->min : POINT_SIZE_LEAST;
    out[2] = p->max < POINT_SIZE_LARGEST ? p->max : POINT_SIZE_LARGEST;
    // Of points that are not attenuated.
    float clamped = p->size > p->min ? p->size : p->min;
    clamped = clamped < p->max ? clamped : p->max;
    bool round = p->smooth && !p->sprite;
    out[3] = round && clamped < ROUND_SIZE_LEAST ? ROUND_SIZE_LEAST : clamped;
}

static void place(const struct values *v, float *out)
{
    struct gv_gl_matrix m;
    gv_gl_matrix_multiply(&m, v->projection, v->modelview);
    for (uint32_t column = 0; v->in->depth_offset != 0 && column < 4; column++)
        m.m[4 * column + 2] += v->in->depth_offset * m.m[4 * column + 3];
    memcpy(out, m.m, sizeof m.m);
}

// Which row of the target one of GL's is: gv_gl_point_grid counts them the other way
// where y of clip coordinates is.
static void line(const struct values *v, float *out)
{
    const float width = v->s->line.width;
    out[0] = ((width < 1 ? 1 : width > 255 ? 255 : width) + 1) / 2;
    out[1] = v->in->flipped ? v->in->target_height : 0;
    out[2] = v->in->flipped == v->s->transform.clip_upper_left ? 1 : -1;
}

static bool geometry_value(struct values *v, const struct gv_fixed_member *member,
                           float *out)
{
    switch (member->source) {
    case GV_FIXED_MVP:
        place(v, out);
        return true;
    case GV_FIXED_MODELVIEW:
        memcpy(out, v->modelview->m, sizeof v->modelview->m);
        return true;
    case GV_FIXED_NORMAL_ROWS: // columns of the inverse
        memcpy(out, inverse_of(v)->m, 12 * sizeof *out);
        return true;
    case GV_FIXED_NORMAL_SCALE:
        normal_scale(v, out);
        return true;
    case GV_FIXED_OBJECT_PLANES:
    case GV_FIXED_EYE_PLANES:
        texgen_planes(v, member, out);
        return true;
    case GV_FIXED_TEXTURE_MATRIX:
        memcpy(out, top(&v->in->context->texture[member->index])->m, 16 * sizeof *out);
        return true;
    case GV_FIXED_CLIP_PLANE:
        clip_plane(v, member->index, out);
        return true;
    case GV_FIXED_POINT_SIZE:
        point_size(&v->s->point, out);
        return true;
    case GV_FIXED_POINT_GRID:
        gv_gl_point_grid(v->s, 0, out);
        return true;
    case GV_FIXED_LINE:
        line(v, out);
        return true;
    case GV_FIXED_POINT_ATTENUATION:
        memcpy(out, v->s->point.attenuation, 3 * sizeof *out);
        return true;
    default:
        return false;
    }
}

// ---- fragments ----

static void fog_parameters(const struct gv_gl_fog *f, float *out)
{
    float slope = f->end == f->start ? 1.0f : -1.0f / (f->end - f->start);
    out[0] = slope;
    out[1] = f->end * -slope;
    out[2] = (float)((double)f->density * LOG2_E);
    out[3] = (float)((double)f->density * ROOT_LOG2_E);
}

// A current value; colours are clamped where those of vertices are.
static void current(const struct values *v, uint32_t slot, bool clamped, float *out)
{
    copy4(out, v->s->current.slots[slot]);
    if (clamped && v->s->lighting.clamp_vertex_color &&
        (slot == GV_GL_COLOR || slot == GV_GL_SECONDARY))
        for (int i = 0; i < 4; i++)
            out[i] = saturate(out[i]);
}

static void clamped4(const float *in, float *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = saturate(in[i]);
}

static void fragment_value(const struct values *v, const struct gv_fixed_member *member,
                           float *out)
{
    const struct gv_gl_unit_image *image = &v->in->units[member->index & 7];
    switch (member->source) {
    case GV_FIXED_ENV_COLOR:
        clamped4(v->s->texture.units[member->index].env_color, out);
        return;
    case GV_FIXED_RECTANGLE_SCALE:
        memcpy(out, image->scale, 2 * sizeof *out);
        return;
    case GV_FIXED_FOG_COLOR:
        clamped4(v->s->fog.color, out);
        return;
    case GV_FIXED_FOG_PARAMETERS:
        fog_parameters(&v->s->fog, out);
        return;
    case GV_FIXED_ALPHA_REFERENCE:
        out[0] = saturate(v->s->color.alpha_reference);
        return;
    case GV_FIXED_STIPPLE:
        memcpy(out, v->s->polygon.pattern, sizeof v->s->polygon.pattern);
        return;
    case GV_FIXED_TARGET:
        out[0] = v->in->target_height;
        return;
    default:
        assert(false && "a uniform without a value");
    }
}

void gv_fixed_values(const struct gv_fixed_block *b,
                     const struct gv_gl_fixed_inputs *in, uint8_t *out)
{
    struct values v = {
        .in = in,
        .s = &in->context->state,
        .modelview = top(&in->context->modelview),
        .projection = top(&in->context->projection),
        .eye_space = gv_fixed_eye_space(in),
    };
    const struct gv_gl_assembly_source assembly = {
        .context = in->context,
        .object = in->objects[b->fragment ? GV_GL_FRAGMENT_HALF : GV_GL_VERTEX_HALF],
    };
    if (b->assembly)
        gv_gl_assembly_values(&assembly, b->assembly, out);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct gv_fixed_member *m = &b->members[i];
        float rows[32] = { 0 }; // the widest member: 8 rows
        if (m->source == GV_FIXED_CURRENT)
            current(&v, m->index, b->fragment, rows);
        else if (!material_value(&v, m, rows) && !product_value(&v, m, rows) &&
                 !light_value(&v, m, rows) && !geometry_value(&v, m, rows))
            fragment_value(&v, m, rows);
        memcpy(out + 16 * (size_t)m->row, rows,
               16 * (size_t)gv_fixed_rows((enum gv_fixed_source)m->source));
    }
}
