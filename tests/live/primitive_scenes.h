// Scenes of live_scenes.c that are about points, lines and edges of polygons.
#ifndef GV_PRIMITIVE_SCENES_H
#define GV_PRIMITIVE_SCENES_H

// The projection is WIDTH by HEIGHT units, the lower left corner 0, 0.
void scene_sizes(int frame);
void scene_wires(int frame);
void scene_smooths(int frame);

void scene_flats(int frame);    // flat polygons as lines and points
void scene_stipples(int frame); // stippled lines of lists
void scene_biases(int frame);   // offsets of polygons as lines and points
void scene_outside(int frame);  // quads of programs, beyond the window
void scene_mixed(int frame);    // fronts and backs in modes of their own

#endif
