// Scenes of live_scenes.c about what becomes of vertices and fragments, in a window of
// 240 x 180.
#ifndef GV_FRAGMENT_SCENES_H
#define GV_FRAGMENT_SCENES_H

void scene_whole_distances(int frame); // gl_ClipDistance, gl_CullDistance as wholes
void scene_offsets(int frame);         // interpolation at other places of a pixel
void scene_alphas(int frame);          // the alpha test: coverage, outputs that lack
void scene_tested(int frame); // smooth lines, points, polygons under the alpha test

#endif
