#define GL_GLEXT_PROTOTYPES
#include "tests/live/object_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>

// ---- helpers ----

static uint32_t texels[64 * 64];

static const void *pattern(int side, int seed)
{
    for (int i = 0; i < side * side; i++) {
        unsigned x = (unsigned)(i % side), y = (unsigned)(i / side);
        texels[i] = (x * 37 + (unsigned)seed * 50) % 256 | (y * 29 % 256) << 8 |
                    ((x ^ y) * 11 + (unsigned)seed) % 256 << 16 | 0xFF000000u;
    }
    return texels;
}

static void quad(GLenum target, float x, float y, float side, float r)
{
    static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    glColor4f(1, 1, 1, 1);
    glEnable(target);
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        if (target == GL_TEXTURE_CUBE_MAP)
            glTexCoord3f(r, corners[i][1] * 1.8f - 0.9f, corners[i][0] * 1.8f - 0.9f);
        else
            glTexCoord3f(corners[i][0], corners[i][1], r);
        glVertex2f(x + side * corners[i][0], y + side * corners[i][1]);
    }
    glEnd();
    glDisable(target);
}

static GLuint made(GLenum target, GLsizei levels, GLenum format, GLsizei side)
{
    GLuint name;
    glCreateTextures(target, 1, &name);
    if (target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D)
        glTextureStorage3D(name, levels, format, side, side, 6);
    else
        glTextureStorage2D(name, levels, format, side, side);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER,
                        levels > 1 ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

// ---- textures by name ----

static void parts(int frame)
{
    GLuint t = made(GL_TEXTURE_2D, 3, GL_RGBA8, 32);
    static const GLint swizzle[] = { GL_BLUE, GL_RED, GL_ONE, GL_ALPHA };
    glTextureSubImage2D(t, 0, 0, 0, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(32, frame));
    glGenerateTextureMipmap(t);
    glBindTextureUnit(0, t);
    quad(GL_TEXTURE_2D, 4, 4, 40, 0);
    quad(GL_TEXTURE_2D, 46, 4, 9, 0);
    glTextureParameteriv(t, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
    quad(GL_TEXTURE_2D, 60, 4, 40, 0);
    static const uint8_t color[] = { 250, 20, 90, 255 };
    glClearTexSubImage(t, 0, 3, 5, 0, 11, 13, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    quad(GL_TEXTURE_2D, 104, 4, 40, 0);
    glClearTexImage(t, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    glTextureParameteri(t, GL_TEXTURE_BASE_LEVEL, 1);
    quad(GL_TEXTURE_2D, 148, 4, 40, 0);
    glDeleteTextures(1, &t);
}

static void views(int frame)
{
    GLuint t = made(GL_TEXTURE_2D, 2, GL_RGBA8, 16), view, other;
    glTextureSubImage2D(t, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(16, frame + 3));
    glTextureSubImage2D(t, 1, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(8, frame + 4));
    glGenTextures(1, &view);
    glTextureView(view, GL_TEXTURE_2D, t, GL_SRGB8_ALPHA8, 0, 1, 0, 1);
    glTextureParameteri(view, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(view, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTextureUnit(0, view);
    quad(GL_TEXTURE_2D, 4, 50, 40, 0);
    glTextureSubImage2D(t, 0, 2, 2, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, pattern(8, frame));
    quad(GL_TEXTURE_2D, 48, 50, 40, 0);
    glGenTextures(1, &other);
    glTextureView(other, GL_TEXTURE_2D, t, GL_RGBA8, 1, 1, 0, 1);
    glBindTextureUnit(0, other);
    glTextureParameteri(other, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(other, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    quad(GL_TEXTURE_2D, 92, 50, 40, 0);
    glTextureSubImage2D(other, 0, 0, 0, 4, 8, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(8, frame + 9));
    glBindTextureUnit(0, t);
    glTextureParameteri(t, GL_TEXTURE_BASE_LEVEL, 1);
    quad(GL_TEXTURE_2D, 136, 50, 40, 0);
    glDeleteTextures(1, &other);
    glDeleteTextures(1, &view);
    glDeleteTextures(1, &t);
}

static void cubes(int frame)
{
    GLuint t = made(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 16), array;
    for (int face = 0; face < 6; face++)
        glTextureSubImage3D(t, 0, 0, 0, face, 16, 16, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                            pattern(16, face + frame));
    glBindTextureUnit(0, t);
    quad(GL_TEXTURE_CUBE_MAP, 4, 96, 36, 1);
    quad(GL_TEXTURE_CUBE_MAP, 44, 96, 36, -1);
    array = made(GL_TEXTURE_3D, 1, GL_RGB5_A1, 16);
    for (int z = 0; z < 6; z++)
        glTextureSubImage3D(array, 0, 0, 0, z, 16, 16, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                            pattern(16, 2 * z + frame));
    glCopyImageSubData(array, GL_TEXTURE_3D, 0, 1, 2, 0, array, GL_TEXTURE_3D, 0, 3, 4,
                       2, 8, 9, 2); // to itself
    glBindTextureUnit(0, array);
    quad(GL_TEXTURE_3D, 84, 96, 36, 0.3f);
    glDeleteTextures(1, &t);
    t = made(GL_TEXTURE_2D, 1, GL_RGBA8, 16);
    glTextureSubImage2D(t, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(16, frame));
    GLuint to = made(GL_TEXTURE_2D, 1, GL_SRGB8_ALPHA8, 16);
    glCopyImageSubData(t, GL_TEXTURE_2D, 0, 0, 0, 0, t, GL_TEXTURE_2D, 0, 8, 9, 0, 7, 6,
                       1);
    glCopyImageSubData(t, GL_TEXTURE_2D, 0, 2, 3, 0, to, GL_TEXTURE_2D, 0, 5, 1, 0, 9,
                       10, 1);
    glBindTextureUnit(0, to);
    quad(GL_TEXTURE_2D, 124, 96, 36, 0);
    glDeleteTextures(1, &array);
    glDeleteTextures(1, &t);
    glDeleteTextures(1, &to);
}

// Units of their own: EXT_direct_state_access.
static void multi(int frame)
{
    GLuint t;
    glGenTextures(1, &t);
    glTextureImage2DEXT(t, GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA,
                        GL_UNSIGNED_BYTE, pattern(16, frame + 7));
    glTextureParameteriEXT(t, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindMultiTextureEXT(GL_TEXTURE0, GL_TEXTURE_2D, t);
    glMultiTexParameteriEXT(GL_TEXTURE0, GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                            GL_NEAREST);
    glMultiTexSubImage2DEXT(GL_TEXTURE0, GL_TEXTURE_2D, 0, 1, 2, 5, 6, GL_RGBA,
                            GL_UNSIGNED_BYTE, pattern(8, frame));
    quad(GL_TEXTURE_2D, 164, 96, 36, 0);
    glDeleteTextures(1, &t);
}

void scene_named(int frame)
{
    parts(frame);
    views(frame);
    cubes(frame);
    multi(frame);
    glBindTextureUnit(0, 0);
}

// ---- framebuffers ----

static void mesh(float side, int frame)
{
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 12; i++) {
        glColor3f((float)(i % 4) / 3, (float)((i + frame) % 5) / 4, (float)(i % 3) / 2);
        glVertex2f(side * (float)i / 12, 0);
        glVertex2f(side * (float)(i + 2) / 12, side);
        glVertex2f(side * (float)((i * 5) % 12) / 12, side * 0.7f);
    }
    glEnd();
}

static GLuint target(GLuint color)
{
    GLuint f;
    glCreateFramebuffers(1, &f);
    glNamedFramebufferTexture(f, GL_COLOR_ATTACHMENT0, color, 0);
    return f;
}

// Drawn with and without GL_FRAMEBUFFER_SRGB, shown as it is stored.
static void light(int frame)
{
    for (int on = 0; on < 2; on++) {
        GLuint t = made(GL_TEXTURE_2D, 1, GL_SRGB8_ALPHA8, 48), f = target(t);
        static const float color[] = { 0.2f, 0.5f, 0.7f, 1 };
        (on ? glEnable : glDisable)(GL_FRAMEBUFFER_SRGB);
        glClearNamedFramebufferfv(f, GL_COLOR, 0, color);
        glBindFramebuffer(GL_FRAMEBUFFER, f);
        mesh(48, frame);
        glDisable(GL_FRAMEBUFFER_SRGB);
        glBlitNamedFramebuffer(f, 0, 0, 0, 48, 48, 4 + 52 * on, 4, 52 + 52 * on, 52,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBlitNamedFramebuffer(f, 0, 0, 0, 48, 48, 108 + 60 * on, 4, 164 + 60 * on, 50,
                               GL_COLOR_BUFFER_BIT, GL_LINEAR);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glBindTextureUnit(0, t);
        quad(GL_TEXTURE_2D, 4 + (float)(52 * on), 60, 48, 0);
        glBindTextureUnit(0, 0);
        glDeleteFramebuffers(1, &f);
        glDeleteTextures(1, &t);
    }
}

// One level is made of the one above it, in one texture.
static void levels(int frame)
{
    GLuint t = made(GL_TEXTURE_2D, 4, GL_RGBA8, 64), f;
    glTextureSubImage2D(t, 0, 0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE,
                        pattern(64, frame));
    glCreateFramebuffers(1, &f);
    glBindTextureUnit(0, t);
    glPushAttrib(GL_VIEWPORT_BIT);
    for (int level = 1; level < 4; level++) {
        glNamedFramebufferTexture(f, GL_COLOR_ATTACHMENT0, t, level);
        glTextureParameteri(t, GL_TEXTURE_BASE_LEVEL, level - 1);
        glTextureParameteri(t, GL_TEXTURE_MAX_LEVEL, level - 1);
        glBindFramebuffer(GL_FRAMEBUFFER, f);
        glViewport(0, 0, 240, 180);
        quad(GL_TEXTURE_2D, 0, 0, (float)(64 >> level), 0);
    }
    glPopAttrib();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glTextureParameteri(t, GL_TEXTURE_BASE_LEVEL, 0);
    glTextureParameteri(t, GL_TEXTURE_MAX_LEVEL, 3);
    quad(GL_TEXTURE_2D, 110, 60, 32, 0);
    quad(GL_TEXTURE_2D, 146, 60, 16, 0);
    quad(GL_TEXTURE_2D, 166, 60, 8, 0);
    glDeleteFramebuffers(1, &f);
    glDeleteTextures(1, &t);
}

// Samples of textures, resolved; several colours, one of them left out.
static void samples(int frame)
{
    GLuint t[3], f, to;
    static const GLenum buffers[] = { GL_COLOR_ATTACHMENT0, GL_NONE,
                                      GL_COLOR_ATTACHMENT2 };
    glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE, 3, t);
    glCreateFramebuffers(1, &f);
    for (int i = 0; i < 3; i++) {
        const float color[] = { 0.3f * (float)i, 0.2f, 0.4f, 1 };
        glTextureStorage2DMultisample(t[i], 4, GL_RGBA8, 48, 48, GL_TRUE);
        glNamedFramebufferTexture(f, GL_COLOR_ATTACHMENT0 + (GLenum)i, t[i], 0);
        glNamedFramebufferDrawBuffer(f, GL_COLOR_ATTACHMENT0 + (GLenum)i);
        glClearNamedFramebufferfv(f, GL_COLOR, 0, color);
    }
    glNamedFramebufferDrawBuffers(f, 3, buffers);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    mesh(48, frame);
    GLuint plain = made(GL_TEXTURE_2D, 1, GL_RGBA8, 48);
    to = target(plain);
    for (int i = 0; i < 3; i++) {
        glNamedFramebufferReadBuffer(f, GL_COLOR_ATTACHMENT0 + (GLenum)i);
        glBlitNamedFramebuffer(f, to, 0, 0, 48, 48, 0, 0, 48, 48, GL_COLOR_BUFFER_BIT,
                               GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glBlitNamedFramebuffer(to, 0, 0, 0, 48, 48, 4 + 52 * i, 120, 52 + 52 * i, 168,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    glDeleteFramebuffers(1, &f);
    glDeleteFramebuffers(1, &to);
    glDeleteTextures(3, t);
    glDeleteTextures(1, &plain);
}

void scene_targets(int frame)
{
    light(frame);
    levels(frame);
    samples(frame);
}

// ---- clip space and samples ----

void scene_clips(int frame)
{
    static const GLenum origins[] = { GL_LOWER_LEFT, GL_UPPER_LEFT };
    static const GLenum depths[] = { GL_NEGATIVE_ONE_TO_ONE, GL_ZERO_TO_ONE };
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    for (int i = 0; i < 4; i++) {
        glClipControl(origins[i % 2], depths[i / 2]);
        glViewport(10 + 60 * i, 20, 50, 70);
        glMatrixMode(GL_PROJECTION);
        glLoadIdentity();
        glBegin(GL_QUADS);
        for (int k = 0; k < 8; k++) {
            float x = 0.2f * (float)k - 0.9f, y = 0.1f * (float)((k * 3 + frame) % 7);
            glColor3f((float)(k % 3) / 2, (float)(k % 2), (float)(i % 2));
            glVertex3f(x, -0.8f, -1.2f + 0.3f * (float)k);
            glVertex3f(x + 0.5f, -0.7f, -1.2f + 0.3f * (float)k);
            glVertex3f(x + 0.4f, y, 0.9f - 0.2f * (float)k);
            glVertex3f(x, y - 0.2f, 0.9f - 0.2f * (float)k);
        }
        glEnd();
    }
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glDisable(GL_CULL_FACE);
    // An offset that is limited to next to nothing.
    glEnable(GL_POLYGON_OFFSET_FILL);
    for (int i = 0; i < 3; i++) {
        glViewport(10 + 60 * i, 100, 50, 70);
        glPolygonOffsetClamp(0, 0, 0);
        glColor3f(1, 0.6f, 0);
        glRectf(-0.8f, -0.8f, 0.8f, 0.8f);
        glPolygonOffsetClamp(i ? 40 : 0, 40, i == 1 ? 1e-7f : 0);
        glDepthFunc(GL_LEQUAL);
        glBegin(GL_TRIANGLES);
        glColor3f(0, 0.3f, 1);
        glVertex3f(-0.7f, -0.5f, 0.002f);
        glVertex3f(0.7f, -0.4f, -0.002f);
        glVertex3f(0, 0.7f, 0);
        glEnd();
        glDepthFunc(GL_LESS);
    }
    glPolygonOffset(0, 0);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_TEST);
}
