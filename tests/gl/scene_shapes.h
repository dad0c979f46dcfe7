// What scenes of several files draw.
#ifndef GV_SCENE_SHAPES_H
#define GV_SCENE_SHAPES_H

// One of glBegin(GL_QUADS), counter-clockwise from its first corner, with a whole
// texture on it.
void draw_rectangle(float x, float y, float width, float height);

#endif
