#include "tests/gl/fixed_scene.h"

#include <string.h>

void fixed_scene_init(struct gv_gl_context *c, struct gv_gl_fixed_inputs *in)
{
    memset(c, 0, sizeof *c);
    gv_gl_context_init(c);
    *in = (struct gv_gl_fixed_inputs){
        .context = c,
        .varying = 1u << GV_GL_POSITION,
        .drawn = GV_GL_CLASS_TRIANGLES,
        .polygons = true,
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
