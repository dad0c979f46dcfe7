#define GL_GLEXT_PROTOTYPES
#include "tests/live/extension_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>

static void square(float x, float y, float side, float low, float high)
{
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        bool right = i == 1 || i == 2, top = i > 1;
        glMultiTexCoord2f(GL_TEXTURE0, right ? high : low, top ? high : low);
        glMultiTexCoord2f(GL_TEXTURE1, right ? high : low, top ? high : low);
        glVertex2f(right ? x + side : x, top ? y + side : y);
    }
    glEnd();
}

static void checkers(void)
{
    static unsigned char texels[16 * 16][4];
    for (int i = 0; i < 16 * 16; i++)
        for (int c = 0; c < 4; c++)
            texels[i][c] =
                (unsigned char)((i / 16 / 2 + i % 16 / 2) % 2 ? 220 - 40 * c
                                                              : i * (c + 3) % 90);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
}

static void set_samplers(const GLuint names[4])
{
    static const float border[] = { 0.9f, 0.2f, 0.6f, 1 };
    glSamplerParameteri(names[0], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(names[0], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glSamplerParameteri(names[1], GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(names[1], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glSamplerParameteri(names[1], GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT);
    glSamplerParameterfv(names[1], GL_TEXTURE_BORDER_COLOR, border);
    glSamplerParameteri(names[2], GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    glSamplerParameterf(names[2], GL_TEXTURE_MIN_LOD, 1);
    glSamplerParameteri(names[2], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
}

void scene_samplers(int frame)
{
    GLuint names[4], texture;
    glGenTextures(1, &texture);
    glGenSamplers(4, names);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
    checkers();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glEnable(GL_TEXTURE_2D);
    set_samplers(names);
    // Without one, with each, and the texture's own again.
    for (int i = 0; i < 5; i++) {
        glBindSampler(0, i > 0 && i < 4 ? names[i - 1] : 0);
        square(5 + 47 * (float)i, 5, 42, -0.4f, 1.6f);
        square(5 + 47 * (float)i, 50, 9, 0, 1);
    }
    // One texture, two units.
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, texture);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);
    glBindSampler(0, names[0]);
    glBindSampler(1, names[1]);
    square(5, 70, 60, 0.317f, 1.294f);
    // Changed while it is bound; a filter that is none; gone.
    glSamplerParameteri(names[1], GL_TEXTURE_WRAP_S, frame % 2 ? GL_REPEAT : GL_CLAMP);
    glSamplerParameteri(names[1], GL_TEXTURE_MAG_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    square(70, 70, 60, 0.317f, 1.294f);
    glDeleteSamplers(1, &names[1]);
    square(135, 70, 60, 0.317f, 1.294f);
    glBindSampler(0, 0);
    glBindSampler(1, 0);
    glDisable(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_TEXTURE_2D);
    glDeleteSamplers(4, names);
    glDeleteTextures(1, &texture);
}

void scene_clears(int frame)
{
    static const float colors[][4] = { { 0.2f, 0.7f, 0.3f, 1 },
                                       { 0.8f, 0.1f, 0.5f, 0.5f },
                                       { 1.5f, -1, 0.5f, 2 } };
    const float depth = 0.25f;
    const GLint stencil = 0x105;
    glClearBufferfv(GL_COLOR, 0, colors[0]);
    glEnable(GL_SCISSOR_TEST);
    glScissor(10, 10, 80, 70 + frame);
    glClearBufferfv(GL_COLOR, 0, colors[1]);
    glClearBufferfv(GL_DEPTH, 0, &depth);
    glScissor(50, 40, 100, 80);
    glClearBufferiv(GL_STENCIL, 0, &stencil);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    glClearBufferfv(GL_COLOR, 0, colors[2]);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glScissor(170, 20, 50, 50);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.9f, 5);
    glClearBufferfi(GL_DEPTH, 0, 0, 0);     // an error
    glClearBufferfv(GL_STENCIL, 0, &depth); // likewise
    glClearBufferfv(GL_DEPTH, 1, &depth);   // likewise
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    glColor3f(1, 1, 0);
    glPushMatrix();
    glTranslatef(0, 0, 0.1f);
    square(20, 20, 140, 0, 1);
    glPopMatrix();
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 5, 0xFF);
    glColor3f(0, 0.5f, 1);
    square(60, 30, 130, 0, 1);
    glDisable(GL_STENCIL_TEST);
}

void scene_distances(int frame)
{
    static const GLenum modes[] = { GL_EYE_PLANE_ABSOLUTE_NV, GL_EYE_PLANE,
                                    GL_EYE_RADIAL_NV };
    static const float color[] = { 0.7f, 0.8f, 0.9f, 1 };
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glLoadIdentity();
    glFrustum(-0.66, 0.66, -0.5, 0.5, 0.4, 20);
    glMatrixMode(GL_MODELVIEW);
    glEnable(GL_FOG);
    glFogfv(GL_FOG_COLOR, color);
    glFogi(GL_FOG_MODE, frame == 2 ? GL_EXP : GL_LINEAR);
    glFogf(GL_FOG_START, 0.5f);
    glFogf(GL_FOG_END, 6);
    for (int i = 0; i < 3; i++) {
        glFogi(GL_FOG_DISTANCE_MODE_NV, (GLint)modes[i]);
        glLoadIdentity();
        glTranslatef(0, 1.2f * (float)(i - 1), -1.5f);
        glRotatef(-70, 1, 0, 0);
        glColor3f(0.3f * (float)i, 0.2f, 0.4f);
        square(-4, 0, 8, 0, 1);
    }
    glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_LINEAR); // an error
    glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_PLANE_ABSOLUTE_NV);
    glDisable(GL_FOG);
    glLoadIdentity();
    glMatrixMode(GL_PROJECTION);
    glPopMatrix();
    glMatrixMode(GL_MODELVIEW);
}

static GLuint make_target(int side)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    return texture;
}

// Three attachments, drawn to together, two of them, one; blended; cleared apart.
static void draw_to_several(const GLuint targets[3])
{
    static const GLenum all[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                  GL_COLOR_ATTACHMENT2 };
    static const GLenum two[] = { GL_NONE, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2 };
    static const float gray[] = { 0.4f, 0.4f, 0.4f, 1 }, red[] = { 0.6f, 0.1f, 0, 1 };
    GLuint object;
    glGenFramebuffers(1, &object);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    for (GLenum i = 0; i < 3; i++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, all[i], GL_TEXTURE_2D, targets[i], 0);
    glPushAttrib(GL_VIEWPORT_BIT);
    glViewport(0, 0, 64, 64);
    glDrawBuffers(3, all);
    glClearBufferfv(GL_COLOR, 0, gray);
    glClearBufferfv(GL_COLOR, 1, red);
    glClearBufferfv(GL_COLOR, 2, gray);
    glColor3f(0.2f, 0.9f, 0.4f);
    square(30, 30, 100, 0, 1);
    glDrawBuffers(3, two);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glColor3f(0.3f, 0, 0.3f);
    square(80, 60, 120, 0, 1);
    glDisable(GL_BLEND);
    glDrawBuffers(1, &all[2]);
    glColor3f(1, 1, 1);
    square(10, 100, 40, 0, 1);
    glPopAttrib();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
}

void scene_buffers(int frame)
{
    GLuint targets[3];
    for (int i = 0; i < 3; i++)
        targets[i] = make_target(64);
    draw_to_several(targets);
    glEnable(GL_TEXTURE_2D);
    glColor3f(1, 1, 1);
    for (int i = 0; i < 3; i++) {
        glBindTexture(GL_TEXTURE_2D, targets[i]);
        square(10 + 75 * (float)i, 10, 64, 0, 1);
    }
    glDisable(GL_TEXTURE_2D);
    // Both buffers of the window; then what the front got is copied to the back.
    glDrawBuffer(GL_FRONT_AND_BACK);
    glColor3f(0.1f, 0.3f, 0.2f);
    square(10, 85, 90, 0, 1);
    glColor3f(0.9f, 0.6f, 0.1f);
    square(20 + 5 * (float)frame, 90, 60, 0, 1);
    glDrawBuffer(GL_BACK);
    glReadBuffer(GL_FRONT);
    glWindowPos2i(140, 90);
    glCopyPixels(20, 90, 80, 60, GL_COLOR);
    glReadBuffer(GL_BACK);
    glDeleteTextures(3, targets);
}

static void zigzag(float x, float y, int from, int to)
{
    for (int i = from; i < to; i++) {
        glColor3f(0.2f + 0.1f * (float)i, 0.9f - 0.1f * (float)i, 0.5f);
        glVertex2f(x + 11.3f * (float)i, y + (i % 2 ? 30.2f : 0.3f));
    }
}

// Primitives that begin anew, in and out of lists and among indices.
void scene_restarts(int frame)
{
    static const float points[][2] = { { 10, 130 }, { 20, 170 }, { 40, 132 },
                                       { 50, 130 }, { 60, 171 }, { 80, 133 } };
    static const GLushort order[] = { 0, 1, 2, 9, 3, 4, 5 };
    static const unsigned char dots[4 * 4 * 3] = { 200, 90, 40, 10, 250, 90 };
    glBegin(GL_TRIANGLE_STRIP);
    zigzag(10, 10, 0, 4);
    glPrimitiveRestartNV();
    zigzag(10, 10, 5 + frame % 2, 9);
    glEnd();
    glPrimitiveRestartNV(); // an error
    glNewList(77, GL_COMPILE_AND_EXECUTE);
    glBegin(GL_LINE_LOOP);
    zigzag(120, 10, 0, 3);
    glPrimitiveRestartNV();
    zigzag(120, 10, 4, 8);
    glEnd();
    glEndList();
    glTranslatef(3, 50, 0);
    glCallList(77);
    glTranslatef(-3, -50, 0);
    glEnableClientState(GL_PRIMITIVE_RESTART_NV);
    glPrimitiveRestartIndexNV(9);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, points);
    glDrawElements(GL_TRIANGLE_FAN, 7, GL_UNSIGNED_SHORT, order);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_PRIMITIVE_RESTART_NV);
    glWindowPos4fMESA(20, 70, 0.5f, 2);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelZoom(8, 8);
    glDrawPixels(4, 4, GL_RGB, GL_UNSIGNED_BYTE, dots);
    glPixelZoom(1, 1);
}

// Points that shrink with distance, between their bounds, of all kinds.
void scene_attenuation(int frame)
{
    static const float weights[][3] = { { 0, 0.5f, 0 },
                                        { 1, 0, 0.2f },
                                        { 0.1f, 0, 0 } };
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glLoadIdentity();
    glFrustum(-0.66, 0.66, -0.5, 0.5, 1, 30);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    checkers();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    for (int i = 0; i < 9; i++) {
        if (i % 3 == 1)
            glEnable(GL_POINT_SMOOTH);
        if (i % 3 == 2) {
            glEnable(GL_POINT_SPRITE);
            glEnable(GL_TEXTURE_2D);
        }
        glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, weights[i / 3]);
        glPointParameterf(GL_POINT_SIZE_MIN, i < 6 ? 1 : 4);
        glPointParameterf(GL_POINT_SIZE_MAX, i < 3 ? 60 : 14);
        glPointSize(12);
        glColor3f(0.9f - 0.1f * (float)i, 0.3f, 0.1f * (float)i);
        glBegin(GL_POINTS);
        for (int k = 0; k < 8; k++) {
            float z = 1.5f + 1.3f * (float)k + 0.2f * (float)frame;
            glVertex3f((-0.55f + 0.14f * (float)k) * z, (-0.44f + 0.11f * (float)i) * z,
                       -z);
        }
        glEnd();
        glDisable(GL_POINT_SMOOTH);
        glDisable(GL_POINT_SPRITE);
        glDisable(GL_TEXTURE_2D);
    }
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (const float[]){ 1, 0, 0 });
    glMatrixMode(GL_PROJECTION);
    glPopMatrix();
    glMatrixMode(GL_MODELVIEW);
}
