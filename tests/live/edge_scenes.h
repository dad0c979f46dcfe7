// Scenes of live_scenes.c whose edges pass through centres of pixels, in a window of
// 240 x 180.
#ifndef GV_EDGE_SCENES_H
#define GV_EDGE_SCENES_H

void scene_edges(int frame);       // polygons and points that programs place
void scene_edge_stages(int frame); // that later stages make; several viewports
void scene_edge_core(int frame);   // in contexts whose points are all sprites

#endif
