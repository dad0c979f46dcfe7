// A scene of coordinates beyond a texture's edges, as programs of GLSL look them up.
#ifndef GV_WRAP_SCENES_H
#define GV_WRAP_SCENES_H

void scene_beyond(int frame);

#endif
