#include "tests/gl/fixed_scene.h"

#include <string.h>

#include "compiler/gl/fixed/fixed_matrix.h"

static void lighting(struct gv_gl_lighting *l)
{
    l->clamp_vertex_color = true;
    l->shade_model = GL_SMOOTH;
    l->color_control = GL_SINGLE_COLOR;
    l->color_material_face = GL_FRONT_AND_BACK;
    l->color_material_mode = GL_AMBIENT_AND_DIFFUSE;
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++) {
        struct gv_gl_light *light = &l->lights[i];
        light->position[2] = 1;
        light->spot_direction[2] = -1;
        light->spot_cutoff = 180;
        light->attenuation[0] = 1;
    }
}

static void unit(struct gv_gl_unit *u)
{
    u->env_mode = GL_MODULATE;
    for (int half = 0; half < 2; half++) {
        struct gv_gl_combine *c = &u->combine;
        c->function[half] = GL_MODULATE;
        c->scale[half] = 1;
        c->source[half][0] = GL_TEXTURE;
        c->source[half][1] = GL_PREVIOUS;
        c->source[half][2] = GL_CONSTANT;
        for (int i = 0; i < 3; i++)
            c->operand[half][i] = half || i == 2 ? GL_SRC_ALPHA : GL_SRC_COLOR;
    }
    for (int i = 0; i < 4; i++)
        u->texgen[i].mode = GL_EYE_LINEAR;
}

void fixed_scene_init(struct gv_gl_context *c, struct gv_gl_fixed_inputs *in)
{
    memset(c, 0, sizeof *c);
    lighting(&c->state.lighting);
    c->state.fog.mode = GL_EXP;
    c->state.fog.density = 1;
    c->state.fog.end = 1;
    c->state.fog.coordinate = GL_FRAGMENT_DEPTH;
    c->state.color.alpha_func = GL_ALWAYS;
    c->state.point.size = 1;
    c->state.point.max = 255;
    c->state.point.attenuation[0] = 1;
    c->state.point.origin = GL_UPPER_LEFT;
    c->modelview.entries[0] = c->projection.entries[0] = gv_gl_identity;
    for (uint32_t i = 0; i < GV_GL_UNITS; i++) {
        unit(&c->state.texture.units[i]);
        c->texture[i].entries[0] = gv_gl_identity;
    }
    *in = (struct gv_gl_fixed_inputs){
        .context = c,
        .varying = 1u << GV_GL_POSITION,
        .drawn = GV_GL_CLASS_TRIANGLES,
        .target_height = 100,
    };
}

void fixed_scene_texture(struct gv_gl_fixed_inputs *in, uint32_t number,
                         uint32_t base_format)
{
    in->units[number] = (struct gv_gl_unit_image){
        .there = true,
        .target = GV_GL_TARGET_2D,
        .base_format = (uint16_t)base_format,
        .depth_mode = GL_LUMINANCE,
        .scale = { 1, 1 },
    };
}
