// The raster position: glRasterPos, transformed, clipped and lit as a vertex is, and
// glWindowPos.
#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/pixels/gl_pixel_draw.h"

#include <math.h>
#include <string.h>

// ---- lighting ----

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalize3(float v[3])
{
    float length = sqrtf(dot3(v, v));
    for (uint32_t i = 0; i < 3 && length > 0; i++)
        v[i] /= length;
}

// The material as the current colour tracks it.
static struct gv_gl_material material_of(const struct gv_gl_state *s)
{
    const struct gv_gl_lighting *l = &s->lighting;
    const float *color = s->current.slots[GV_GL_COLOR];
    struct gv_gl_material m = l->material[0];
    uint32_t mode = l->color_material_mode;
    if (!l->color_material || l->color_material_face == GL_BACK)
        return m;
    if (mode == GL_AMBIENT || mode == GL_AMBIENT_AND_DIFFUSE)
        memcpy(m.ambient, color, sizeof m.ambient);
    if (mode == GL_DIFFUSE || mode == GL_AMBIENT_AND_DIFFUSE)
        memcpy(m.diffuse, color, sizeof m.diffuse);
    if (mode == GL_SPECULAR)
        memcpy(m.specular, color, sizeof m.specular);
    if (mode == GL_EMISSION)
        memcpy(m.emission, color, sizeof m.emission);
    return m;
}

struct point { // in eye coordinates
    float eye[4], normal[3];
};

// Towards the light, and how much of it arrives.
static float reach(const struct gv_gl_light *light, const struct point *p,
                   float towards[3])
{
    float attenuation = 1;
    for (uint32_t i = 0; i < 3; i++)
        towards[i] = light->position[i] - (light->position[3] != 0 ? p->eye[i] : 0.0f);
    if (light->position[3] != 0) {
        float distance = sqrtf(dot3(towards, towards));
        const float *k = light->attenuation;
        attenuation = 1 / (k[0] + distance * (k[1] + distance * k[2]));
    }
    normalize3(towards);
    if (light->spot_cutoff != 180) {
        float axis[3] = { light->spot_direction[0], light->spot_direction[1],
                          light->spot_direction[2] };
        normalize3(axis);
        float cosine = -dot3(towards, axis);
        if (cosine < cosf(light->spot_cutoff * 0.017453292f))
            return 0;
        attenuation *= powf(cosine, light->spot_exponent);
    }
    return attenuation;
}

static void add_light(const struct gv_gl_state *s, const struct gv_gl_material *m,
                      uint32_t number, const struct point *p, float out[2][4])
{
    const struct gv_gl_light *light = &s->lighting.lights[number];
    float towards[3], half[3] = { 0, 0, 1 };
    float attenuation = reach(light, p, towards);
    float diffuse = fmaxf(dot3(p->normal, towards), 0), shine = 0;
    if (s->lighting.local_viewer) {
        for (uint32_t i = 0; i < 3; i++)
            half[i] = -p->eye[i];
        normalize3(half);
    }
    for (uint32_t i = 0; i < 3; i++)
        half[i] += towards[i];
    normalize3(half);
    if (diffuse > 0)
        shine = powf(fmaxf(dot3(p->normal, half), 0), m->shininess);
    bool apart = s->lighting.color_control == GL_SEPARATE_SPECULAR_COLOR;
    for (uint32_t i = 0; i < 3; i++) {
        out[0][i] += attenuation * (light->ambient[i] * m->ambient[i] +
                                    diffuse * light->diffuse[i] * m->diffuse[i]);
        out[apart ? 1 : 0][i] +=
            attenuation * shine * light->specular[i] * m->specular[i];
    }
}

static void light(const struct gv_gl_context *c, const struct point *p, float out[2][4])
{
    const struct gv_gl_state *s = &c->state;
    const struct gv_gl_material m = material_of(s);
    memset(out, 0, 2 * sizeof out[0]);
    for (uint32_t i = 0; i < 3; i++)
        out[0][i] = m.emission[i] + m.ambient[i] * s->lighting.model_ambient[i];
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++)
        if (s->lighting.lights[i].enabled)
            add_light(s, &m, i, p, out);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < 3; i++)
            out[k][i] = fminf(fmaxf(out[k][i], 0), 1);
    out[0][3] = fminf(fmaxf(m.diffuse[3], 0), 1);
}

// ---- texture coordinates ----

static float generated(const struct gv_gl_texgen *t, const float object[4],
                       const struct point *p, uint32_t coordinate)
{
    const float *plane = t->mode == GL_OBJECT_LINEAR ? t->object_plane : t->eye_plane;
    const float *v = t->mode == GL_OBJECT_LINEAR ? object : p->eye;
    float reflected[3], view[3] = { p->eye[0], p->eye[1], p->eye[2] };
    if (t->mode == GL_OBJECT_LINEAR || t->mode == GL_EYE_LINEAR)
        return plane[0] * v[0] + plane[1] * v[1] + plane[2] * v[2] + plane[3] * v[3];
    if (t->mode == GL_NORMAL_MAP)
        return p->normal[coordinate < 3 ? coordinate : 0];
    normalize3(view);
    for (uint32_t i = 0; i < 3; i++)
        reflected[i] = view[i] - 2 * p->normal[i] * dot3(p->normal, view);
    if (t->mode != GL_SPHERE_MAP)
        return reflected[coordinate < 3 ? coordinate : 0];
    float m = 2 * sqrtf(reflected[0] * reflected[0] + reflected[1] * reflected[1] +
                        (reflected[2] + 1) * (reflected[2] + 1));
    return m > 0 ? reflected[coordinate < 2 ? coordinate : 0] / m + 0.5f : 0.5f;
}

static void find_coordinates(struct gv_gl_context *c, const float object[4],
                             const struct point *p)
{
    struct gv_gl_state *s = &c->state;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        float v[4];
        memcpy(v, s->current.slots[GV_GL_TEXCOORD + u], sizeof v);
        for (uint32_t i = 0; i < 4; i++)
            if (s->texture.units[u].texgen[i].enabled)
                v[i] = generated(&s->texture.units[u].texgen[i], object, p, i);
        gv_gl_transform_point(s->current.raster.texcoord[u], gv_gl_top(&c->texture[u]),
                              v);
    }
}

// ---- positions ----

static bool is_clipped(const struct gv_gl_context *c, const float clip[4],
                       const float eye[4])
{
    const struct gv_gl_transform *t = &c->state.transform;
    for (uint32_t i = 0; i < (t->depth_clamp ? 2u : 3u); i++)
        if (!(clip[i] >= -clip[3] && clip[i] <= clip[3]))
            return true;
    for (uint32_t i = 0; i < GV_GL_CLIP_PLANES; i++) {
        const float *plane = t->clip_planes[i];
        if (t->clip_enabled >> i & 1 && plane[0] * eye[0] + plane[1] * eye[1] +
                                                plane[2] * eye[2] + plane[3] * eye[3] <
                                            0)
            return true;
    }
    return !(clip[3] > 0);
}

static void eye_normal(const struct gv_gl_context *c, float out[3])
{
    const struct gv_gl_matrix *m = &c->modelview.entries[c->modelview.top];
    struct gv_gl_matrix inverse;
    const float *n = c->state.current.slots[GV_GL_NORMAL];
    gv_gl_matrix_invert(&inverse, m);
    for (size_t i = 0; i < 3; i++) // n * inverse, as a row
        out[i] = n[0] * inverse.m[4 * i] + n[1] * inverse.m[4 * i + 1] +
                 n[2] * inverse.m[4 * i + 2];
    if (c->state.transform.normalize || c->state.transform.rescale_normal)
        normalize3(out);
}

static void set_colors(struct gv_gl_context *c, const struct point *p)
{
    struct gv_gl_state *s = &c->state;
    float lit[2][4];
    memcpy(s->current.raster.color, s->current.slots[GV_GL_COLOR], sizeof lit[0]);
    memcpy(s->current.raster.secondary, s->current.slots[GV_GL_SECONDARY],
           sizeof lit[0]);
    if (!s->lighting.enabled)
        return;
    light(c, p, lit);
    memcpy(s->current.raster.color, lit[0], sizeof lit[0]);
    memcpy(s->current.raster.secondary, lit[1], sizeof lit[1]);
}

// A depth between those of the near and the far plane.
static float clamped(float z, const struct gv_gl_viewport *v)
{
    const float least = (float)fmin(v->near, v->far);
    const float most = (float)fmax(v->near, v->far);
    return z < least ? least : z > most ? most : z;
}

void gv_gl_raster_pos(struct gv_gl_context *c, const float object[4])
{
    struct gv_gl_state *s = &c->state;
    const struct gv_gl_viewport *v = &s->viewport;
    struct point p = { 0 };
    float clip[4];
    gv_gl_transform_point(p.eye, gv_gl_top(&c->modelview), object);
    gv_gl_transform_point(clip, gv_gl_top(&c->projection), p.eye);
    s->current.raster.valid = !is_clipped(c, clip, p.eye);
    if (!s->current.raster.valid)
        return;
    eye_normal(c, p.normal);
    float *at = s->current.raster.position, w = 1 / clip[3];
    at[0] = v->x + (clip[0] * w + 1) * 0.5f * v->width;
    at[1] = v->y + (clip[1] * w + 1) * 0.5f * v->height;
    at[2] = (float)(v->near + ((double)(clip[2] * w) + 1) * 0.5 * (v->far - v->near));
    if (s->transform.depth_clamp)
        at[2] = clamped(at[2], &s->viewport);
    at[3] = clip[3];
    s->current.raster.distance = s->fog.coordinate == GL_FOG_COORDINATE
                                     ? s->current.slots[GV_GL_FOG_COORD][0]
                                     : fabsf(p.eye[2]);
    set_colors(c, &p);
    find_coordinates(c, object, &p);
}

static void window_pos(struct gv_gl_context *c, const float at[4])
{
    struct gv_gl_state *s = &c->state;
    float z = fminf(fmaxf(at[2], 0), 1);
    s->current.raster.position[0] = at[0];
    s->current.raster.position[1] = at[1];
    s->current.raster.position[2] =
        (float)(s->viewport.near + (double)z * (s->viewport.far - s->viewport.near));
    s->current.raster.position[3] = at[3];
    s->current.raster.distance = s->fog.coordinate == GL_FOG_COORDINATE
                                     ? s->current.slots[GV_GL_FOG_COORD][0]
                                     : 0;
    memcpy(s->current.raster.color, s->current.slots[GV_GL_COLOR],
           sizeof s->current.raster.color);
    memcpy(s->current.raster.secondary, s->current.slots[GV_GL_SECONDARY],
           sizeof s->current.raster.secondary);
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        memcpy(s->current.raster.texcoord[u], s->current.slots[GV_GL_TEXCOORD + u],
               sizeof s->current.raster.texcoord[u]);
    s->current.raster.valid = true;
}

// ---- calls ----

// "glRasterPos3fv" after the name's stem: how many, and whether they are an array.
static void read_position(const struct gv_trace_call *call, size_t stem, float out[4])
{
    const char *form = call->function->name + stem;
    uint32_t count = (uint32_t)(form[0] - '0');
    count = count >= 2 && count <= 4 ? count : 2;
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    if (strchr(form, 'v'))
        gv_gl_floats(call, 0, out, count);
    else
        for (uint32_t i = 0; i < count; i++)
            out[i] = gv_gl_float(call, i);
}

static bool raster_pos_call(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    float v[4];
    read_position(call, sizeof "glRasterPos" - 1, v);
    gv_gl_raster_pos(gl->context, v);
    return true;
}

static bool window_pos_call(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    float v[4];
    read_position(call, sizeof "glWindowPos" - 1, v);
    window_pos(gl->context, v);
    return true;
}

#define RASTER(form)                                      \
    {                                                     \
        "glRasterPos" form, raster_pos_call, GV_GL_LISTED \
    }
#define WINDOW(form)                                      \
    {                                                     \
        "glWindowPos" form, window_pos_call, GV_GL_LISTED \
    }

const struct gv_gl_row gv_gl_raster_pos_rows[] = {
    RASTER("2d"),  RASTER("2dv"), RASTER("2f"),  RASTER("2fv"),     RASTER("2i"),
    RASTER("2iv"), RASTER("2s"),  RASTER("2sv"), RASTER("3d"),      RASTER("3dv"),
    RASTER("3f"),  RASTER("3fv"), RASTER("3i"),  RASTER("3iv"),     RASTER("3s"),
    RASTER("3sv"), RASTER("4d"),  RASTER("4dv"), RASTER("4f"),      RASTER("4fv"),
    RASTER("4i"),  RASTER("4iv"), RASTER("4s"),  RASTER("4sv"),     WINDOW("2d"),
    WINDOW("2dv"), WINDOW("2f"),  WINDOW("2fv"), WINDOW("2i"),      WINDOW("2iv"),
    WINDOW("2s"),  WINDOW("2sv"), WINDOW("3d"),  WINDOW("3dv"),     WINDOW("3f"),
    WINDOW("3fv"), WINDOW("3i"),  WINDOW("3iv"), WINDOW("3s"),      WINDOW("3sv"),
    WINDOW("4d"),  WINDOW("4dv"), WINDOW("4f"),  WINDOW("4fv"),     WINDOW("4i"),
    WINDOW("4iv"), WINDOW("4s"),  WINDOW("4sv"), { NULL, NULL, 0 },
};
