// Scenes of live_scenes.c that are about textures. Each fills a window of 240 x 180 (or
// a part of it); coordinates are pixels.
#ifndef GV_TEXTURE_SCENES_H
#define GV_TEXTURE_SCENES_H

void scene_formats(int frame); // what internal formats keep
void scene_pixels(int frame);  // formats, types and storage of pixels
void scene_wraps(int frame);   // wrap modes, filters, targets
void scene_mips(int frame);    // levels, generated and given
void scene_copies(int frame);  // from the framebuffer
void scene_shadows(int frame); // depth textures
void scene_compressed(int frame);
void scene_encoded(int frame); // blocks that GL makes of pixels
void scene_encoded_targets(int frame);
void scene_astc(int frame); // blocks

#endif
