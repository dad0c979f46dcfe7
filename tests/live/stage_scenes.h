// Scenes of live_scenes.c with stages between vertices and fragments, and with
// transform feedback, in a window of 240 x 180.
#ifndef GV_STAGE_SCENES_H
#define GV_STAGE_SCENES_H

void scene_stages(int frame);   // geometry and tessellation shaders
void scene_captures(int frame); // transform feedback, what is drawn of it
void scene_sides(int frame);    // polygon modes of one side

#endif
