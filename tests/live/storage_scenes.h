// Scenes of compute shaders, storage blocks, atomic counters and images.
#ifndef GV_STORAGE_SCENES_H
#define GV_STORAGE_SCENES_H

void scene_computes(int frame);
void scene_blocks(int frame);
void scene_drives(int frame);
void scene_images(int frame);

#endif
