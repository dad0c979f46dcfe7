// Scenes in which stages choose layers of framebuffers and viewports.
#ifndef GV_LAYER_SCENES_H
#define GV_LAYER_SCENES_H

void scene_layers(int frame);
void scene_viewports(int frame);

#endif
