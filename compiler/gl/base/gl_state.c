// Initial values of server state (OpenGL 1.5 specification, section 6.2).
#include "compiler/gl/base/gl_state.h"

#include <string.h>

static void set4(float out[4], float x, float y, float z, float w)
{
    const float v[4] = { x, y, z, w };
    memcpy(out, v, sizeof(v));
}

static void init_current(struct gv_gl_current *c)
{
    for (uint32_t i = 0; i < GV_GL_SLOTS; i++)
        set4(c->slots[i], 0, 0, 0, 1);
    set4(c->slots[GV_GL_NORMAL], 0, 0, 1, 1);
    set4(c->slots[GV_GL_COLOR], 1, 1, 1, 1);
    set4(c->slots[GV_GL_INDEX], 1, 0, 0, 1);
    set4(c->slots[GV_GL_POINT_SIZE], 1, 0, 0, 1);
    set4(c->slots[GV_GL_WEIGHT], 1, 0, 0, 0);
    c->edge = true;
    set4(c->raster.position, 0, 0, 0, 1);
    set4(c->raster.color, 1, 1, 1, 1);
    set4(c->raster.secondary, 0, 0, 0, 1);
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        set4(c->raster.texcoord[i], 0, 0, 0, 1);
    c->raster.valid = true;
}

static void init_lighting(struct gv_gl_lighting *l)
{
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++) {
        struct gv_gl_light *light = &l->lights[i];
        const float shine = i == 0 ? 1 : 0;
        set4(light->ambient, 0, 0, 0, 1);
        set4(light->diffuse, shine, shine, shine, 1);
        set4(light->specular, shine, shine, shine, 1);
        set4(light->position, 0, 0, 1, 0);
        light->spot_direction[2] = -1;
        light->spot_cutoff = 180;
        light->attenuation[0] = 1;
    }
    set4(l->model_ambient, 0.2f, 0.2f, 0.2f, 1);
    l->color_control = GL_SINGLE_COLOR;
    for (uint32_t i = 0; i < 2; i++) {
        struct gv_gl_material *m = &l->material[i];
        set4(m->ambient, 0.2f, 0.2f, 0.2f, 1);
        set4(m->diffuse, 0.8f, 0.8f, 0.8f, 1);
        set4(m->specular, 0, 0, 0, 1);
        set4(m->emission, 0, 0, 0, 1);
        m->indexes[1] = 1;
        m->indexes[2] = 1;
    }
    l->color_material_face = GL_FRONT_AND_BACK;
    l->color_material_mode = GL_AMBIENT_AND_DIFFUSE;
    l->shade_model = GL_SMOOTH;
    l->provoking = GL_LAST_VERTEX_CONVENTION;
    l->clamp_vertex_color = true;
}

static void init_stencil(struct gv_gl_stencil *s)
{
    static const struct gv_gl_stencil_face face = {
        .func = GL_ALWAYS,
        .fail = GL_KEEP,
        .depth_fail = GL_KEEP,
        .pass = GL_KEEP,
        .value_mask = ~0u,
        .write_mask = ~0u,
    };
    for (uint32_t i = 0; i < 2; i++)
        s->face[i] = s->back[i] = face;
}

static void init_color(struct gv_gl_color *c)
{
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++) {
        memset(c->mask[i], true, sizeof(c->mask[i]));
        c->blend[i].src = c->blend[i].src_alpha = GL_ONE;
        c->blend[i].dst = c->blend[i].dst_alpha = GL_ZERO;
        c->blend[i].equation = c->blend[i].equation_alpha = GL_FUNC_ADD;
    }
    c->dither = true;
    c->logic = GL_COPY;
    c->alpha_func = GL_ALWAYS;
}

static void init_unit(struct gv_gl_unit *u)
{
    u->env_mode = GL_MODULATE;
    static const struct gv_gl_combine combine = {
        .function = { GL_MODULATE, GL_MODULATE },
        .source = { { GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_ZERO },
                    { GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_ZERO } },
        .operand = { { GL_SRC_COLOR, GL_SRC_COLOR, GL_SRC_ALPHA,
                       GL_ONE_MINUS_SRC_COLOR },
                     { GL_SRC_ALPHA, GL_SRC_ALPHA, GL_SRC_ALPHA,
                       GL_ONE_MINUS_SRC_ALPHA } },
        .scale = { 1, 1 },
    };
    u->combine = combine;
    for (uint32_t i = 0; i < 4; i++)
        u->texgen[i].mode = GL_EYE_LINEAR;
    u->texgen[0].object_plane[0] = u->texgen[0].eye_plane[0] = 1;
    u->texgen[1].object_plane[1] = u->texgen[1].eye_plane[1] = 1;
}

static void init_rasterization(struct gv_gl_state *s)
{
    s->polygon.front_face = GL_CCW;
    s->polygon.cull_face = GL_BACK;
    s->polygon.mode[0] = s->polygon.mode[1] = GL_FILL;
    memset(s->polygon.pattern, 0xff, sizeof(s->polygon.pattern));
    s->line.width = 1;
    s->line.factor = 1;
    s->line.pattern = 0xffff;
    s->point.size = 1;
    s->point.max = GV_GL_MAX_POINT_SIZE;
    s->point.fade = 1;
    s->point.attenuation[0] = 1;
    s->point.origin = GL_UPPER_LEFT;
    s->multisample.enabled = true;
    s->multisample.value = 1;
}

static void init_evaluation(struct gv_gl_evaluation *e)
{
    e->segments1 = e->segments2[0] = e->segments2[1] = 1;
    e->domain1[1] = e->domain2[0][1] = e->domain2[1][1] = 1;
}

void gv_gl_state_init(struct gv_gl_state *s)
{
    memset(s, 0, sizeof(*s));
    init_current(&s->current);
    init_lighting(&s->lighting);
    s->fog.mode = GL_EXP;
    s->fog.coordinate = GL_FRAGMENT_DEPTH;
    s->fog.distance = GL_EYE_PLANE_ABSOLUTE_NV;
    s->fog.density = s->fog.end = 1;
    s->transform.matrix_mode = GL_MODELVIEW;
    s->viewport.far = 1;
    for (uint32_t i = 0; i < GV_GL_VIEWPORTS - 1; i++)
        s->viewports[i].far = 1;
    s->depth.write = true;
    s->depth.func = GL_LESS;
    s->depth.clear = 1;
    init_stencil(&s->stencil);
    init_color(&s->color);
    init_rasterization(s);
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        init_unit(&s->texture.units[i]);
    for (uint32_t i = 0; i < 4; i++)
        s->pixel.scale[i] = 1;
    s->pixel.depth_scale = 1;
    s->pixel.zoom[0] = s->pixel.zoom[1] = 1;
    for (uint32_t i = 0; i < GV_GL_PIXEL_MAPS; i++)
        s->pixel.maps[i].size = 1;
    init_evaluation(&s->evaluation);
}

void gv_gl_point_grid(const struct gv_gl_state *s, uint32_t viewport, float out[4])
{
    const struct gv_gl_viewport *v =
        viewport ? &s->viewports[(viewport - 1) % (GV_GL_VIEWPORTS - 1)] : &s->viewport;
    out[0] = v->width / 2;
    out[1] = v->height / 2;
    out[2] = v->x + v->width / 2;
    out[3] = v->y + v->height / 2;
    if (s->transform.clip_upper_left) // rows are counted against y of clip coordinates
        out[3] = -out[3];
}

uint32_t gv_gl_advanced_equation(uint32_t equation)
{
    static const uint32_t equations[] = {
        GL_MULTIPLY_KHR,       GL_SCREEN_KHR,    GL_OVERLAY_KHR,
        GL_DARKEN_KHR,         GL_LIGHTEN_KHR,   GL_COLORDODGE_KHR,
        GL_COLORBURN_KHR,      GL_HARDLIGHT_KHR, GL_SOFTLIGHT_KHR,
        GL_DIFFERENCE_KHR,     GL_EXCLUSION_KHR, GL_HSL_HUE_KHR,
        GL_HSL_SATURATION_KHR, GL_HSL_COLOR_KHR, GL_HSL_LUMINOSITY_KHR,
    };
    for (uint32_t i = 0; i < sizeof equations / sizeof *equations; i++)
        if (equations[i] == equation)
            return 1 + i;
    return 0;
}
