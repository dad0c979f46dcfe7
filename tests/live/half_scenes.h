// Scenes of programs of GLSL that have vertices or fragments alone.
#ifndef GV_HALF_SCENES_H
#define GV_HALF_SCENES_H

void scene_vertices_alone(int frame);
void scene_fragments_alone(int frame);

#endif
