// Scenes of live_scenes.c that are about pixels which come from the framebuffer and go
// back to it. Each fills a window of 240 x 180; coordinates are pixels.
#ifndef GV_TRANSFER_SCENES_H
#define GV_TRANSFER_SCENES_H

void scene_packs(int frame);        // by way of buffer objects
void scene_planes_drawn(int frame); // depth and stencil
void scene_light_copied(int frame); // glCopyPixels in sRGB

#endif
