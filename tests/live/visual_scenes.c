#include "tests/live/visual_scenes.h"

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

// Mesa reads windows of several samples as if they had the first one alone; blits
// average them.
void scene_show_read(int width, int height)
{
    unsigned char *pixels = malloc((size_t)width * (size_t)height * 4);
    GLuint object, color;
    if (!pixels)
        return;
    glGenFramebuffers(1, &object);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, object);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                              GL_RENDERBUFFER, color);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteRenderbuffers(1, &color);
    glWindowPos2i(0, 0);
    glDrawPixels(width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    free(pixels);
}

static void shapes(int frame)
{
    triangle(8.3f, 10, 100);
    glBegin(GL_LINES);
    glColor3f(1, 1, 0.2f);
    for (int i = 0; i < 6; i++) {
        glVertex2f(20, 120);
        glVertex2f(20 + 18.3f * (float)i, 172.4f - 5 * (float)i);
    }
    glEnd();
    glPointSize(6);
    glBegin(GL_POINTS);
    for (int i = 0; i < 6; i++)
        glVertex2f(120 + 8.3f * (float)i, 100.7f + 1.3f * (float)(i + frame));
    glEnd();
}

void scene_samples(int frame)
{
    shapes(frame);
    glRotatef(7, 0, 0, 1);
    glBegin(GL_QUADS);
    glColor4f(0.3f, 0.6f, 1, 0.6f);
    glVertex2f(140, 20);
    glVertex2f(200, 20);
    glVertex2f(200, 60);
    glVertex2f(140, 60);
    glEnd();
    glLoadIdentity();
    glWindowPos2i(120, 5);
    glCopyPixels(10, 10, 40, 30, GL_COLOR);
}

static GLuint make_buffer(GLenum format, int samples, GLenum point)
{
    GLuint name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, 240, 180);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, name);
    return name;
}

// Coverage by alpha, by a value and by what that leaves.
static void covered(void)
{
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    triangle(110, 60, 60);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.5f, GL_FALSE);
    triangle(170, 60, 60);
    glSampleCoverage(0.75f, GL_TRUE);
    triangle(180, 110, 60);
    glDisable(GL_SAMPLE_COVERAGE);
}

void scene_resolves(int frame)
{
    GLuint objects[2], buffers[3];
    glGenFramebuffers(2, objects);
    glBindFramebuffer(GL_FRAMEBUFFER, objects[0]);
    buffers[0] = make_buffer(GL_RGBA8, 4, GL_COLOR_ATTACHMENT0);
    buffers[1] = make_buffer(GL_DEPTH24_STENCIL8, 4, GL_DEPTH_STENCIL_ATTACHMENT);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    shapes(frame);
    covered();
    glTranslatef(0, 0, -0.5f);
    triangle(40, 30, 90); // behind
    glLoadIdentity();
    glDisable(GL_DEPTH_TEST);
    // To an object of one sample, as it is; to the window, turned over.
    glBindFramebuffer(GL_FRAMEBUFFER, objects[1]);
    buffers[2] = make_buffer(GL_RGBA8, 0, GL_COLOR_ATTACHMENT0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, objects[0]);
    glBlitFramebuffer(100, 40, 200, 120, 10, 20, 110, 100, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 240, 180, 0, 0, 240, 180, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, objects[1]);
    glBlitFramebuffer(10, 20, 110, 100, 0, 60 + frame, 100, 140 + frame,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(2, objects);
    glDeleteRenderbuffers(3, buffers);
}
