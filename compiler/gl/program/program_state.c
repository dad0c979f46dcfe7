// Values of built-in uniforms: GL's state by the names that GLSL gives it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/program/program_object.h"

#define PI 3.14159265358979323846

// A name taken apart: "gl_LightSource[2].diffuse".
struct part {
    const struct gv_gl_program_inputs *in;
    const struct gv_gl_context *c;
    uint32_t index;     // in brackets, or the element that was asked for
    const char *member; // behind the dot, or ""
};

static void copy(float *out, const float *from, uint32_t count)
{
    memcpy(out, from, count * sizeof *out);
}

static bool member_is(const struct part *p, const char *name)
{
    return !strcmp(p->member, name);
}

// ---- matrices ----

static const struct gv_gl_matrix *top(const struct gv_gl_matrix_stack *s)
{
    return &s->entries[s->top];
}

// gl_XMatrix, gl_XMatrixInverse, ...Transpose, ...InverseTranspose.
static void matrix(const char *suffix, const struct gv_gl_matrix *m, float out[16])
{
    struct gv_gl_matrix value = *m;
    if (!strncmp(suffix, "Inverse", 7)) {
        gv_gl_matrix_invert(&value, m);
        suffix += 7;
    }
    if (!strcmp(suffix, "Transpose"))
        gv_gl_matrix_transpose(&value);
    copy(out, value.m, 16);
}

static bool matrix_value(const struct part *p, const char *name, float out[16])
{
    static const char mvp[] = "gl_ModelViewProjectionMatrix";
    static const char modelview[] = "gl_ModelViewMatrix";
    static const char projection[] = "gl_ProjectionMatrix";
    static const char texture[] = "gl_TextureMatrix";
    const struct gv_gl_context *c = p->c;
    struct gv_gl_matrix both;
    if (!strncmp(name, mvp, sizeof mvp - 1)) {
        gv_gl_matrix_multiply(&both, top(&c->projection), top(&c->modelview));
        matrix(name + sizeof mvp - 1, &both, out);
    } else if (!strncmp(name, modelview, sizeof modelview - 1)) {
        matrix(name + sizeof modelview - 1, top(&c->modelview), out);
    } else if (!strncmp(name, projection, sizeof projection - 1)) {
        matrix(name + sizeof projection - 1, top(&c->projection), out);
    } else if (!strncmp(name, texture, sizeof texture - 1)) {
        matrix(name + sizeof texture - 1, top(&c->texture[p->index % GV_GL_UNITS]),
               out);
    } else {
        return false;
    }
    return true;
}

// The inverse of the modelview, transposed: its upper left part.
static void normal_matrix(const struct part *p, float *out)
{
    struct gv_gl_matrix inverse;
    gv_gl_matrix_invert(&inverse, top(&p->c->modelview));
    for (uint32_t column = 0; column < 3; column++)
        for (uint32_t row = 0; row < 3; row++)
            out[3 * column + row] = inverse.m[4 * row + column];
}

static void normal_scale(const struct part *p, float *out)
{
    struct gv_gl_matrix inverse;
    out[0] = 1;
    if (gv_gl_matrix_keeps_lengths(top(&p->c->modelview)))
        return;
    gv_gl_matrix_invert(&inverse, top(&p->c->modelview));
    const float *m = inverse.m;
    const float f = (m[2] * m[2] + m[6] * m[6]) + m[10] * m[10];
    out[0] = 1.0f / sqrtf(f < 1e-12f ? 1 : f);
}

// ---- lights ----

static void normalise(float *v)
{
    const float length = sqrtf((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    for (int i = 0; i < 3 && length != 0; i++)
        v[i] /= length;
}

// Half way between the light and the viewer, of a light far away.
static void half_vector(const struct gv_gl_light *l, float *out)
{
    copy(out, l->position, 3);
    normalise(out);
    out[2] += 1;
    normalise(out);
    out[3] = 1;
}

static void light_source(const struct part *p, float *out)
{
    const struct gv_gl_light *l = &p->c->state.lighting.lights[p->index % GV_GL_LIGHTS];
    if (member_is(p, "ambient"))
        copy(out, l->ambient, 4);
    else if (member_is(p, "diffuse"))
        copy(out, l->diffuse, 4);
    else if (member_is(p, "specular"))
        copy(out, l->specular, 4);
    else if (member_is(p, "position"))
        copy(out, l->position, 4);
    else if (member_is(p, "halfVector"))
        half_vector(l, out);
    else if (member_is(p, "spotDirection"))
        copy(out, l->spot_direction, 3);
    else if (member_is(p, "spotExponent"))
        out[0] = l->spot_exponent;
    else if (member_is(p, "spotCutoff"))
        out[0] = l->spot_cutoff;
    else if (member_is(p, "spotCosCutoff"))
        out[0] = (float)cos((double)l->spot_cutoff * PI / 180.0);
    else if (member_is(p, "constantAttenuation"))
        out[0] = l->attenuation[0];
    else if (member_is(p, "linearAttenuation"))
        out[0] = l->attenuation[1];
    else
        out[0] = l->attenuation[2];
}

static void material(const struct part *p, uint32_t side, float *out)
{
    const struct gv_gl_material *m = &p->c->state.lighting.material[side];
    if (member_is(p, "emission"))
        copy(out, m->emission, 4);
    else if (member_is(p, "ambient"))
        copy(out, m->ambient, 4);
    else if (member_is(p, "diffuse"))
        copy(out, m->diffuse, 4);
    else if (member_is(p, "specular"))
        copy(out, m->specular, 4);
    else
        out[0] = m->shininess;
}

static void scene_color(const struct part *p, uint32_t side, float *out)
{
    const struct gv_gl_lighting *l = &p->c->state.lighting;
    const struct gv_gl_material *m = &l->material[side];
    for (int i = 0; i < 3; i++)
        out[i] = l->model_ambient[i] * m->ambient[i] + m->emission[i];
    out[3] = m->diffuse[3];
}

static void light_product(const struct part *p, uint32_t side, float *out)
{
    const struct gv_gl_lighting *s = &p->c->state.lighting;
    const struct gv_gl_light *l = &s->lights[p->index % GV_GL_LIGHTS];
    const struct gv_gl_material *m = &s->material[side];
    const bool ambient = member_is(p, "ambient"), diffuse = member_is(p, "diffuse");
    const float *of_light = ambient ? l->ambient : diffuse ? l->diffuse : l->specular;
    const float *of_side = ambient ? m->ambient : diffuse ? m->diffuse : m->specular;
    for (int i = 0; i < 3; i++)
        out[i] = of_light[i] * of_side[i];
    out[3] = of_side[3];
}

static bool light_value(const struct part *p, const char *name, float *out)
{
    if (!strcmp(name, "gl_LightSource"))
        light_source(p, out);
    else if (!strcmp(name, "gl_FrontMaterial"))
        material(p, 0, out);
    else if (!strcmp(name, "gl_BackMaterial"))
        material(p, 1, out);
    else if (!strcmp(name, "gl_LightModel"))
        copy(out, p->c->state.lighting.model_ambient, 4);
    else if (!strcmp(name, "gl_FrontLightModelProduct"))
        scene_color(p, 0, out);
    else if (!strcmp(name, "gl_BackLightModelProduct"))
        scene_color(p, 1, out);
    else if (!strcmp(name, "gl_FrontLightProduct"))
        light_product(p, 0, out);
    else if (!strcmp(name, "gl_BackLightProduct"))
        light_product(p, 1, out);
    else
        return false;
    return true;
}

// ---- textures ----

static bool texgen_value(const struct part *p, const char *name, float *out)
{
    static const char *const planes[2] = { "gl_EyePlane", "gl_ObjectPlane" };
    static const char coordinates[] = "STRQ";
    const struct gv_gl_unit *u = &p->c->state.texture.units[p->index % GV_GL_UNITS];
    for (int object = 0; object < 2; object++) {
        const size_t length = strlen(planes[object]);
        if (strncmp(name, planes[object], length) != 0)
            continue;
        const char *at = name[length] ? strchr(coordinates, name[length]) : NULL;
        const struct gv_gl_texgen *t = &u->texgen[at ? at - coordinates : 0];
        copy(out, object ? t->object_plane : t->eye_plane, 4);
        return true;
    }
    return false;
}

// ---- the rest ----

static void point(const struct part *p, float *out)
{
    const struct gv_gl_point *s = &p->c->state.point;
    out[0] = member_is(p, "size")                          ? s->size
             : member_is(p, "sizeMin")                     ? s->min
             : member_is(p, "sizeMax")                     ? s->max
             : member_is(p, "fadeThresholdSize")           ? s->fade
             : member_is(p, "distanceConstantAttenuation") ? s->attenuation[0]
             : member_is(p, "distanceLinearAttenuation")   ? s->attenuation[1]
                                                           : s->attenuation[2];
}

static void fog(const struct part *p, float *out)
{
    const struct gv_gl_fog *s = &p->c->state.fog;
    if (member_is(p, "color"))
        copy(out, s->color, 4);
    else if (member_is(p, "density"))
        out[0] = s->density;
    else if (member_is(p, "start"))
        out[0] = s->start;
    else if (member_is(p, "end"))
        out[0] = s->end;
    else
        out[0] = s->end == s->start ? 1 : 1 / (s->end - s->start);
}

static void depth_range(const struct part *p, float *out)
{
    const struct gv_gl_viewport *v = &p->c->state.viewport;
    out[0] = (float)(member_is(p, "near")  ? v->near
                     : member_is(p, "far") ? v->far
                                           : v->far - v->near);
}

// A plane that clips, in eye coordinates; or where positions are clipped.
static void clip_plane(const struct part *p, bool in_clip_space, float *out)
{
    const float *plane =
        p->c->state.transform.clip_planes[p->index % GV_GL_CLIP_PLANES];
    if (in_clip_space)
        gv_gl_transform_plane(out, top(&p->c->projection), plane);
    else
        copy(out, plane, 4);
}

static void put_integer(uint32_t number, float *out)
{
    memcpy(out, &number, sizeof number);
}

bool gv_gl_program_sizes_points(const struct gv_gl_context *c)
{
    return c->family != GV_GL_DESKTOP || c->state.point.by_program;
}

// What a program leaves open that is to give a size: 1.
static float point_size(const struct gv_gl_context *c)
{
    const float size = c->state.point.size;
    if (gv_gl_program_sizes_points(c))
        return 1;
    return size < GV_GL_MAX_POINT_SIZE ? size : GV_GL_MAX_POINT_SIZE;
}

static void other_value(const struct part *p, const char *name, float *out)
{
    const struct gv_gl_state *s = &p->c->state;
    if (!strcmp(name, "gl_NormalMatrix"))
        normal_matrix(p, out);
    else if (!strcmp(name, "gl_NormalScale"))
        normal_scale(p, out);
    else if (!strcmp(name, "gl_DepthRange"))
        depth_range(p, out);
    else if (!strcmp(name, "gl_ClipPlane"))
        clip_plane(p, false, out);
    else if (!strcmp(name, "gl_UserClipPlane"))
        clip_plane(p, true, out);
    else if (!strcmp(name, "gl_Point"))
        point(p, out);
    else if (!strcmp(name, "gl_Fog"))
        fog(p, out);
    else if (!strcmp(name, "gl_TextureEnvColor"))
        copy(out, s->texture.units[p->index % GV_GL_UNITS].env_color, 4);
    else if (!strcmp(name, "gl_TargetHeight"))
        out[0] = p->in->target_height;
    else if (!strcmp(name, "gl_AlphaReference"))
        out[0] = s->color.alpha_reference;
    else if (!strcmp(name, "gl_StipplePattern"))
        memcpy(out, s->polygon.pattern + 4 * (size_t)(p->index % 8), 4 * sizeof *out);
    else if (!strcmp(name, "gl_StippleHeight")) // rows go up from 0, or down from there
        out[0] = p->in->flipped ? p->in->target_height : 0;
    else if (!strcmp(name, "gl_StateSize"))
        out[0] = point_size(p->c);
    else if (!strcmp(name, "gl_PointGrid"))
        gv_gl_point_grid(s, 0, out);
    else if (!strcmp(name, "gl_ViewportGrids"))
        gv_gl_point_grid(s, p->index, out);
    else if (!strcmp(name, "gl_StateOuterLevel"))
        copy(out, p->c->patches.outer, 4);
    else if (!strcmp(name, "gl_StateInnerLevel"))
        copy(out, p->c->patches.inner, 2);
    else if (!strcmp(name, "gl_FirstVertex")) // the device counts from 0
        put_integer(0u - p->in->first_vertex, out);
    else if (!strcmp(name, "gl_BaseVertex"))
        put_integer((uint32_t)p->in->base_vertex, out);
    else if (!strcmp(name, "gl_DrawID"))
        put_integer(p->in->draw, out);
    else if (!strcmp(name, "gl_NumSamples"))
        put_integer(p->in->samples > 1 ? p->in->samples : 1, out);
}

void gv_gl_state_value(const struct gv_gl_program_inputs *in, const char *name,
                       uint32_t element, float out[16])
{
    char base[64];
    struct part p = { in, in->context, element, "" };
    const size_t length = strcspn(name, "[.");
    const char *dot = strchr(name, '.');
    if (length >= sizeof base)
        return;
    memcpy(base, name, length);
    base[length] = 0;
    if (name[length] == '[' && dot)
        p.index = (uint32_t)strtoul(name + length + 1, NULL, 10);
    if (dot)
        p.member = dot + 1;
    if (!matrix_value(&p, base, out) && !light_value(&p, base, out) &&
        !texgen_value(&p, base, out))
        other_value(&p, base, out);
}
