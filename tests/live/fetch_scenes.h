// Scenes of what programs have and Vulkan has not: EXT_shader_framebuffer_fetch,
// KHR_blend_equation_advanced, subroutines, members of gl_in,
// named strings.
#ifndef FETCH_SCENES_H
#define FETCH_SCENES_H

void scene_fetches(int frame);
void scene_equations(int frame);
void scene_subroutines(int frame);
void scene_members(int frame);
void scene_includes(int frame);

#endif
