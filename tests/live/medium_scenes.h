// Scenes of programs of OpenGL ES that compute in medium precision.
#ifndef GV_MEDIUM_SCENES_H
#define GV_MEDIUM_SCENES_H

void scene_medium(int frame);

#endif
