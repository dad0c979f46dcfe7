// What scenes of several files draw.
#ifndef GV_SCENE_SHAPES_H
#define GV_SCENE_SHAPES_H

#include <GL/gl.h>

// One of glBegin(GL_QUADS), counter-clockwise from its first corner, with a whole
// texture on it.
static inline void draw_rectangle(float x, float y, float width, float height)
{
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0);
    glVertex2f(x, y);
    glTexCoord2f(1, 0);
    glVertex2f(x + width, y);
    glTexCoord2f(1, 1);
    glVertex2f(x + width, y + height);
    glTexCoord2f(0, 1);
    glVertex2f(x, y + height);
    glEnd();
}

#endif
