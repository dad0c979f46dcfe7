// Scenes of live_scenes.c that are about textures and framebuffers of OpenGL 3 and 4.
// Each fills a window of 240 x 180; coordinates are pixels.
#ifndef GV_OBJECT_SCENES_H
#define GV_OBJECT_SCENES_H

void scene_named(int frame); // textures by name: storage, parts, clears, views, copies
void scene_targets(int frame); // framebuffers by name, sRGB, what samples itself
void scene_clips(int frame);   // clip control, limits of offsets, sample masks

#endif
