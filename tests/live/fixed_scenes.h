// Scenes of live_scenes.c: states of the fixed function, rolled by dice that fall the
// same way each time.
#ifndef GV_FIXED_SCENES_H
#define GV_FIXED_SCENES_H

void scene_lighting(int frame);
void scene_combiners(int frame);
void scene_fragments(int frame);

#endif
