// Scenes of live_scenes.c about what came to OpenGL by extensions: in pixels, in a
// window of 240 x 180.
#ifndef GV_EXTENSION_SCENES_H
#define GV_EXTENSION_SCENES_H

void scene_samplers(int frame);    // sampler objects
void scene_clears(int frame);      // glClearBuffer
void scene_distances(int frame);   // of fog
void scene_buffers(int frame);     // several draw buffers
void scene_restarts(int frame);    // of primitives
void scene_attenuation(int frame); // of points

#endif
