// Scenes of live_scenes.c that are about state: a cell of the window per case.
#ifndef GV_STATE_SCENES_H
#define GV_STATE_SCENES_H

// The projection is WIDTH by HEIGHT units, the lower left corner 0, 0.
void scene_attributes(int frame);
void scene_nesting(int frame);
void scene_tracking(int frame);
void scene_givens(int frame);
void scene_stencils(int frame);
void scene_blends(int frame);
void scene_fogs(int frame);
void scene_units(int frame);
void scene_planes(int frame);

#endif
