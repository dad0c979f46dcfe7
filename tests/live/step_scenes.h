// Scenes whose pictures hang on the order in which functions of GLSL take their steps.
#ifndef GV_STEP_SCENES_H
#define GV_STEP_SCENES_H

void scene_steps(int frame);

#endif
