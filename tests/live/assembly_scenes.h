// Scenes of live_scenes.c about programs of ARB assembly: in pixels, in a window of
// 240 x 180.
#ifndef GV_ASSEMBLY_SCENES_H
#define GV_ASSEMBLY_SCENES_H

void scene_assembly(int frame); // halves, state, fog, textures, positions

#endif
