// What the rows of a program's block hold, computed from state (OpenGL's items of
// ARB_vertex_program, section 2.14.1, and of ARB_fragment_program, 3.11.1).
#include <math.h>
#include <string.h>

#include "compiler/gl/assembly/gl_assembly.h"
#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/base/gl_matrix.h"

#define PI 3.14159265358979323846

static void copy4(float *out, const float *in)
{
    memcpy(out, in, 4 * sizeof *out);
}

static void set4(float *out, float x, float y, float z, float w)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

static void normalise(float *v)
{
    const float length = (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2];
    if (length == 0)
        return;
    const float scale = 1.0f / sqrtf(length);
    for (int i = 0; i < 3; i++)
        v[i] *= scale;
}

// ---- parameters of programs ----

static bool program_value(const struct gv_gl_assembly_source *from, uint32_t stage,
                          const struct gv_arb_parameter *p, float *out)
{
    const struct gv_gl_assembled *a = from->context->assembled;
    const enum gv_gl_half half =
        stage == GV_STAGE_VERTEX ? GV_GL_VERTEX_HALF : GV_GL_FRAGMENT_HALF;
    switch (p->source) {
    case GV_ARB_CONSTANT:
        copy4(out, p->value);
        return true;
    case GV_ARB_ENVIRONMENT:
        if (a && p->index < GV_ARB_MAX_ENVIRONMENT)
            copy4(out, a->environment[half][p->index]);
        return true;
    case GV_ARB_LOCAL:
        if (p->index < from->object->local_count)
            copy4(out, from->object->locals[p->index]);
        return true;
    default:
        return false;
    }
}

// ---- materials and lights ----

static bool material_value(const struct gv_gl_lighting *l,
                           const struct gv_arb_parameter *p, float *out)
{
    const struct gv_gl_material *m = &l->material[p->side & 1];
    switch (p->source) {
    case GV_ARB_MATERIAL_AMBIENT:
        copy4(out, m->ambient);
        return true;
    case GV_ARB_MATERIAL_DIFFUSE:
        copy4(out, m->diffuse);
        return true;
    case GV_ARB_MATERIAL_SPECULAR:
        copy4(out, m->specular);
        return true;
    case GV_ARB_MATERIAL_EMISSION:
        copy4(out, m->emission);
        return true;
    case GV_ARB_MATERIAL_SHININESS:
        set4(out, m->shininess, 0, 0, 1);
        return true;
    case GV_ARB_MODEL_AMBIENT:
        copy4(out, l->model_ambient);
        return true;
    case GV_ARB_MODEL_SCENE:
        for (int i = 0; i < 3; i++)
            out[i] = l->model_ambient[i] * m->ambient[i] + m->emission[i];
        out[3] = m->diffuse[3];
        return true;
    default:
        return false;
    }
}

static void light_half(const struct gv_gl_light *light, float *out)
{
    copy4(out, light->position);
    normalise(out);
    out[2] += 1;
    normalise(out);
    out[3] = 1;
}

static void light_spot(const struct gv_gl_light *light, float *out)
{
    memcpy(out, light->spot_direction, 3 * sizeof *out);
    normalise(out);
    out[3] = cosf((float)((double)light->spot_cutoff * PI / 180.0));
}

static bool light_value(const struct gv_gl_lighting *l,
                        const struct gv_arb_parameter *p, float *out)
{
    const struct gv_gl_light *light = &l->lights[p->index % GV_GL_LIGHTS];
    const struct gv_gl_material *m = &l->material[p->side & 1];
    switch (p->source) {
    case GV_ARB_LIGHT_AMBIENT:
        copy4(out, light->ambient);
        return true;
    case GV_ARB_LIGHT_DIFFUSE:
        copy4(out, light->diffuse);
        return true;
    case GV_ARB_LIGHT_SPECULAR:
        copy4(out, light->specular);
        return true;
    case GV_ARB_LIGHT_POSITION:
        copy4(out, light->position);
        return true;
    case GV_ARB_LIGHT_ATTENUATION:
        memcpy(out, light->attenuation, 3 * sizeof *out);
        out[3] = light->spot_exponent;
        return true;
    case GV_ARB_LIGHT_SPOT:
        light_spot(light, out);
        return true;
    case GV_ARB_LIGHT_HALF:
        light_half(light, out);
        return true;
    case GV_ARB_PRODUCT_AMBIENT:
        gv_gl_lit_color(light->ambient, m->ambient, out);
        return true;
    case GV_ARB_PRODUCT_DIFFUSE:
        gv_gl_lit_color(light->diffuse, m->diffuse, out);
        return true;
    case GV_ARB_PRODUCT_SPECULAR:
        gv_gl_lit_color(light->specular, m->specular, out);
        return true;
    default:
        return false;
    }
}

// ---- matrices ----

static void of_form(struct gv_gl_matrix *m, uint32_t form)
{
    struct gv_gl_matrix inverse;
    if (form == GV_ARB_INVERSE || form == GV_ARB_INVTRANS) {
        gv_gl_matrix_invert(&inverse, m);
        *m = inverse;
    }
    if (form == GV_ARB_TRANSPOSE || form == GV_ARB_INVTRANS)
        gv_gl_matrix_transpose(m);
}

static const struct gv_gl_matrix *top(const struct gv_gl_matrix_stack *s)
{
    return &s->entries[s->top];
}

static bool matrix_value(const struct gv_gl_context *c,
                         const struct gv_arb_parameter *p, float *out)
{
    struct gv_gl_matrix m;
    switch (p->source) {
    case GV_ARB_MODELVIEW:
        m = *top(&c->modelview);
        break;
    case GV_ARB_PROJECTION:
        m = *top(&c->projection);
        break;
    case GV_ARB_MVP:
        gv_gl_matrix_multiply(&m, top(&c->projection), top(&c->modelview));
        break;
    case GV_ARB_TEXTURE_MATRIX:
        m = *top(&c->texture[p->index % GV_GL_UNITS]);
        break;
    case GV_ARB_PROGRAM_MATRIX:
        m = *top(&c->matrices[p->index % GV_GL_PROGRAM_MATRICES]);
        break;
    default:
        return false;
    }
    of_form(&m, p->side);
    for (uint32_t i = 0; i < 4; i++)
        out[i] = m.m[4 * i + p->part % 4];
    return true;
}

// ---- what else there is ----

static void fog_value(const struct gv_gl_fog *f, float *out)
{
    const float range = f->end - f->start;
    set4(out, f->density, f->start, f->end, range == 0 ? 1 : 1 / range);
}

static bool vertex_value(const struct gv_gl_state *s, const struct gv_arb_parameter *p,
                         float *out)
{
    const struct gv_gl_texgen *generated =
        &s->texture.units[p->index % GV_GL_UNITS].texgen[p->part % 4];
    switch (p->source) {
    case GV_ARB_TEXGEN_EYE:
        copy4(out, generated->eye_plane);
        return true;
    case GV_ARB_TEXGEN_OBJECT:
        copy4(out, generated->object_plane);
        return true;
    case GV_ARB_CLIP_PLANE:
        copy4(out, s->transform.clip_planes[p->index % GV_GL_CLIP_PLANES]);
        return true;
    case GV_ARB_POINT_SIZE:
        set4(out, s->point.size, s->point.min, s->point.max, s->point.fade);
        return true;
    case GV_ARB_POINT_ATTENUATION:
        memcpy(out, s->point.attenuation, 3 * sizeof *out);
        out[3] = 1;
        return true;
    default:
        return false;
    }
}

static void other_value(const struct gv_gl_state *s, const struct gv_arb_parameter *p,
                        float *out)
{
    const struct gv_gl_viewport *v = &s->viewport;
    switch (p->source) {
    case GV_ARB_TEXENV_COLOR:
        copy4(out, s->texture.units[p->index % GV_GL_UNITS].env_color);
        return;
    case GV_ARB_FOG_COLOR:
        copy4(out, s->fog.color);
        return;
    case GV_ARB_FOG_PARAMS:
        fog_value(&s->fog, out);
        return;
    case GV_ARB_DEPTH_RANGE:
        set4(out, (float)v->near, (float)v->far, (float)(v->far - v->near), 1);
        return;
    default:
        return;
    }
}

void gv_gl_assembly_values(const struct gv_gl_assembly_source *from,
                           const struct gv_arb_program *program, uint8_t *out)
{
    const struct gv_gl_state *s = &from->context->state;
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        const struct gv_arb_parameter *p = &program->parameters[i];
        float row[4] = { 0 };
        if (!program_value(from, program->stage, p, row) &&
            !material_value(&s->lighting, p, row) &&
            !light_value(&s->lighting, p, row) &&
            !matrix_value(from->context, p, row) && !vertex_value(s, p, row))
            other_value(s, p, row);
        memcpy(out + 16 * (size_t)i, row, sizeof row);
    }
}
