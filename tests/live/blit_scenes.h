// Scenes of blits, copies and clears: of parts, slices, views, integers, light, and of
// a texture to itself.
#ifndef GV_BLIT_SCENES_H
#define GV_BLIT_SCENES_H

// The projection is WIDTH by HEIGHT units, the lower left corner 0, 0.
void scene_cuts(int frame);
void scene_slices(int frame);
void scene_views(int frame);
void scene_zooms(int frame);
void scene_kinds(int frame);
void scene_onto(int frame);
void scene_encodings(int frame);

#endif
