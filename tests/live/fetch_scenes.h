// Scenes whose fragments see what is there already: EXT_shader_framebuffer_fetch,
// KHR_blend_equation_advanced.
#ifndef FETCH_SCENES_H
#define FETCH_SCENES_H

void scene_fetches(int frame);
void scene_equations(int frame);

#endif
