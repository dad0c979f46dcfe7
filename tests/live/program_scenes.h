// Scenes of live_scenes.c that draw with GLSL programs, in a window of 240 x 180.
#ifndef GV_PROGRAM_SCENES_H
#define GV_PROGRAM_SCENES_H

void scene_programs(int frame);    // built-in names, uniforms, samplers, blocks
void scene_inputs(int frame);      // integers, instances, numbers of vertices, points
void scene_relinks(int frame);     // links that fail, of the program in use
void scene_differences(int frame); // names that stages declare differently
void scene_ruled(int frame);       // lines

#endif
