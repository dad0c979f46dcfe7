#include "tests/gl/visual_scenes.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

static void triangle(float x, float y, float size)
{
    glBegin(GL_TRIANGLES);
    glColor4f(0.9f, 0.3f, 0.1f, 0.5f);
    glVertex2f(x, y);
    glColor4f(0.2f, 0.9f, 0.4f, 0.9f);
    glVertex2f(x + size, y + size / 3);
    glColor4f(0.1f, 0.4f, 1, 1);
    glVertex2f(x + size / 2, y + size);
    glEnd();
}

void scene_accum(int frame)
{
    glClearAccum(0.1f, -0.05f, 0.02f, 0.5f);
    glClear(GL_ACCUM_BUFFER_BIT);
    for (int i = 0; i < 5; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        triangle(20 + 3.3f * (float)(i * (frame + 1)), 15 + 2.7f * (float)i, 120);
        glAccum(i == 1 ? GL_LOAD : GL_ACCUM, 0.21f);
    }
    glEnable(GL_SCISSOR_TEST);
    glScissor(90, 20, 70, 130);
    glAccum(GL_MULT, 0.8f);
    glAccum(GL_ADD, 0.07f);
    glScissor(10, 60, 60, 60);
    glClear(GL_ACCUM_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glAccum(GL_RETURN, 1);
    // Over part of it again, without green, beyond what a colour holds.
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(130, 100, 100, 70);
    glAccum(GL_RETURN, frame == 2 ? -1 : 2.5f);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    triangle(150, 10, 80);
}

void scene_show_read(int width, int height)
{
    unsigned char *pixels = malloc((size_t)width * (size_t)height * 4);
    if (!pixels)
        return;
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glWindowPos2i(0, 0);
    glDrawPixels(width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    free(pixels);
}
