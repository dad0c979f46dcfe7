// Scenes of live_scenes.c about what samplers of programs see, in a window of 240 x
// 180.
#ifndef GV_SAMPLER_SCENES_H
#define GV_SAMPLER_SCENES_H

void scene_texels(int frame);         // buffer textures
void scene_chosen_buffers(int frame); // of an array, by number
void scene_ten_bits(int frame);       // formats of ten bits
void scene_compares(int frame);       // depth textures: modes, comparisons
void scene_depth_filters(int frame);

#endif
