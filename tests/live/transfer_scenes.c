#define GL_GLEXT_PROTOTYPES
#include "tests/live/transfer_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Something to read: no two rows or columns alike.
static void fan(int frame)
{
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 24; i++) {
        glColor4f((float)(i % 5) / 4, (float)(i % 7) / 6, (float)(i % 3) / 2,
                  (float)(i % 4) / 3);
        glVertex2f(3 * (float)i, 0);
        glVertex2f(3 * (float)i + 7, 20 + (float)((i + frame) % 9));
        glVertex2f(2 * (float)i, 56);
    }
    glEnd();
}

static void textured(float x, float y, float side)
{
    static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    glEnable(GL_TEXTURE_2D);
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        glTexCoord2fv(corners[i]);
        glVertex2f(x + side * corners[i][0], y + side * corners[i][1]);
    }
    glEnd();
    glDisable(GL_TEXTURE_2D);
}

static const void *at(uintptr_t offset)
{
    return (const void *)offset;
}

static GLuint texture(GLint internal, GLsizei side)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 1);
    return name;
}

// All is read to the beginning of a buffer, where glretrace reads in any case.

// What is read comes back as a texture, as a part of one, and as pixels.
static void round_trips(void)
{
    static const struct {
        GLenum format, type;
        GLint internal;
        int texel;
    } rows[] = {
        { GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA, 4 },
        { GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, GL_RGBA8, 4 },
        { GL_RGB, GL_UNSIGNED_BYTE, GL_RGB, 3 },
        { GL_BGRA, GL_UNSIGNED_BYTE, GL_RGB, 4 },
        { GL_RGBA, GL_FLOAT, GL_LUMINANCE8, 16 },
        { GL_RGBA, GL_UNSIGNED_SHORT, GL_INTENSITY8, 8 },
    };
    for (int i = 0; i < 6; i++) {
        float x = 80 + 26 * (float)i;
        glReadPixels(5 + i, 3, 24, 24, rows[i].format, rows[i].type, (void *)at(0));
        GLuint name = texture(rows[i].internal, 24);
        glTexImage2D(GL_TEXTURE_2D, 0, rows[i].internal, 24, 24, 0, rows[i].format,
                     rows[i].type, at(0));
        textured(x, 4, 24);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 24);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 5, 10, 9, rows[i].format, rows[i].type,
                        at((uintptr_t)((24 * 4 + 3) * rows[i].texel)));
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        textured(x, 32, 24);
        glRasterPos2f(x, 60);
        glDrawPixels(24, 24, rows[i].format, rows[i].type, at(0));
        glDeleteTextures(1, &name);
    }
}

// From beyond the edge of the window into rows of another length, over what a buffer
// had; blended as it comes back.
static void strides(void)
{
    glPixelStorei(GL_PACK_ROW_LENGTH, 40);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 3);
    glPixelStorei(GL_PACK_SKIP_ROWS, 2);
    glReadPixels(0, 0, 30, 30, GL_RGBA, GL_UNSIGNED_BYTE, (void *)at(0));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 2);
    glReadPixels(10, 8, 30, 30, GL_RGBA, GL_UNSIGNED_BYTE, (void *)at(0));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 40);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE);
    glRasterPos2f(80, 100);
    glDrawPixels(30, 30, GL_RGBA, GL_UNSIGNED_BYTE, at((2 * 40 + 3) * 4));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 2);
    glPixelZoom(1.5f, -1);
    glRasterPos2f(120, 130);
    glDrawPixels(30, 30, GL_RGBA, GL_UNSIGNED_BYTE, at((2 * 40 + 3) * 4));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 1);
    glPixelZoom(1, 1);
    glDisable(GL_BLEND);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

// A texture's own texels, by way of a buffer into another one; then bytes of the
// program over them.
static void textures_too(int frame)
{
    uint8_t bytes[16 * 16 * 4];
    for (int i = 0; i < 16 * 16 * 4; i++)
        bytes[i] = (uint8_t)(i * 5 + frame);
    GLuint from = texture(GL_RGBA8, 16);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_BGRA, GL_UNSIGNED_BYTE, (void *)at(0));
    GLuint to = texture(GL_RGBA8, 16);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_BGRA, GL_UNSIGNED_BYTE, at(0));
    textured(80, 136, 32);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof bytes, bytes, GL_STREAM_DRAW);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, at(0));
    textured(120, 136, 32);
    glDeleteTextures(1, &from);
    glDeleteTextures(1, &to);
}

void scene_packs(int frame)
{
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    fan(frame);
    glColor4f(1, 1, 1, 1);
    for (GLuint i = 2; i > 0; i--) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, i);
        glBufferData(GL_PIXEL_PACK_BUFFER, 65536, NULL, GL_STREAM_COPY);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 1);
    round_trips();
    strides();
    textures_too(frame);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

// ---- depth and stencil ----

#define CELL 36

static void colors(GLboolean on)
{
    glColorMask(on, on, on, on);
}

static void slab(float x, float y, float low, float high)
{
    glBegin(GL_QUADS);
    glVertex3f(x, y, low);
    glVertex3f(x + CELL - 4, y, high);
    glVertex3f(x + CELL - 4, y + CELL - 4, high);
    glVertex3f(x, y + CELL - 4, low);
    glEnd();
}

// A cell whose depth rises from left to right and whose stencil values are stripes.
static void prepare(float x, float y)
{
    colors(GL_FALSE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    slab(x, y, 0.5f, -0.5f);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < 4; i++) {
        glScissor((int)x, (int)y + 8 * i, CELL - 4, 8);
        glStencilFunc(GL_ALWAYS, 0x35 * i, 0xFF);
        slab(x, y, 0, 0);
    }
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    colors(GL_TRUE);
}

// Depth as four steps of grey in one half of a cell, stencil bits in the other.
static void reveal(float x, float y)
{
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_LESS);
    glEnable(GL_SCISSOR_TEST);
    glScissor((int)x, (int)y, CELL / 2, CELL - 4);
    for (int i = 1; i < 5; i++) {
        glColor3f(0.2f * (float)i, 0.3f, 0.2f);
        slab(x, y, 0.9f - 0.4f * (float)i, 0.9f - 0.4f * (float)i);
    }
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glScissor((int)x + CELL / 2, (int)y, CELL / 2 - 4, CELL - 4);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < 8; i++) {
        glColor3ub((GLubyte)(1u << i), (GLubyte)(128u >> i), (GLubyte)(i * 3));
        glStencilFunc(GL_EQUAL, 0xFF, 1u << i);
        slab(x, y, 0, 0);
    }
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_SCISSOR_TEST);
}

enum { TEST = 1, WRITE = 2, STENCIL = 4, PAINT = 8, ALPHA = 16 };

static const struct plane_case {
    GLenum format, func;
    int flags;
    GLuint mask; // of stencil
    float zoom_x, zoom_y;
} plane_cases[] = {
    { GL_DEPTH_COMPONENT, GL_LESS, TEST | WRITE | PAINT, 0xFF, 1, 1 },
    { GL_DEPTH_COMPONENT, GL_GREATER, TEST | WRITE, 0xFF, 1, 1 },
    { GL_DEPTH_COMPONENT, GL_ALWAYS, PAINT, 0xFF, 1, 1 },
    { GL_DEPTH_COMPONENT, GL_LEQUAL, TEST | PAINT, 0xFF, 1.5f, -1 },
    { GL_DEPTH_COMPONENT, GL_ALWAYS, TEST | WRITE | STENCIL | PAINT, 0xFF, 1, 1 },
    { GL_DEPTH_COMPONENT, GL_ALWAYS, TEST | WRITE | ALPHA | PAINT, 0xFF, 1, 1 },
    { GL_STENCIL_INDEX, GL_LESS, TEST | WRITE | PAINT, 0x3C, 1, 1 },
    { GL_STENCIL_INDEX, GL_NEVER, TEST | STENCIL, 0xFF, 1.5f, 1.25f },
    { GL_STENCIL_INDEX, GL_ALWAYS, 0, 0xA5, -1, 1 },
    { GL_DEPTH_COMPONENT, GL_ALWAYS, TEST | WRITE, 0xFF, 1, 1 },
    { GL_STENCIL_INDEX, GL_ALWAYS, 0, 0xFF, 1, 1 },
    { GL_DEPTH_STENCIL, GL_NEVER, TEST | WRITE | PAINT, 0x3C, 1, 1 },
    { GL_DEPTH_STENCIL, GL_LESS, WRITE, 0xFF, 1.25f, 1 },
    { GL_DEPTH_STENCIL, GL_LESS, TEST | STENCIL, 0xFF, 1, 1 },
};
#define PLANE_CASES ((int)(sizeof plane_cases / sizeof plane_cases[0]))

static void set_case(const struct plane_case *c, float x, float y)
{
    (c->flags & TEST ? glEnable : glDisable)(GL_DEPTH_TEST);
    (c->flags & STENCIL ? glEnable : glDisable)(GL_STENCIL_TEST);
    (c->flags & ALPHA ? glEnable : glDisable)(GL_ALPHA_TEST);
    colors(c->flags & PAINT ? GL_TRUE : GL_FALSE);
    glDepthMask(c->flags & WRITE ? GL_TRUE : GL_FALSE);
    glDepthFunc(c->func);
    glStencilFunc(GL_LESS, 0x40, 0xFF);
    glStencilOp(GL_ZERO, GL_INCR, GL_INVERT);
    glStencilMask(c->mask);
    glAlphaFunc(GL_LESS, 0.5f);
    glPixelZoom(c->zoom_x, c->zoom_y);
    glColor4f(0.9f, 0.2f, 0.6f, 0.7f);
    glRasterPos2f(c->zoom_x < 0 ? x + 30 : x + 4, c->zoom_y < 0 ? y + 30 : y + 4);
}

static void reset_case(void)
{
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_ALPHA_TEST);
    glDepthMask(GL_TRUE);
    glStencilMask(0xFF);
    glPixelZoom(1, 1);
    colors(GL_TRUE);
}

// The first cells' depth and stencil as bytes of colours, stencil as alpha.
static void planes_as_colors(float x, float y)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE);
    glRasterPos2f(x, y);
    glCopyPixels(2, 146, 28, 16, GL_DEPTH_STENCIL_TO_RGBA_NV);
    glPixelZoom(0.5f, -0.5f);
    glRasterPos2f(x, y + 34);
    glCopyPixels(2, 146, 60, 30, GL_DEPTH_STENCIL_TO_BGRA_NV);
    glPixelZoom(1, 1);
    glDisable(GL_BLEND);
}

// Upper rows of cells get pixels of the program, lower ones those of the first cell.
void scene_planes_drawn(int frame)
{
    float depth[24 * 24];
    uint8_t stencil[24 * 24];
    uint32_t pairs[24 * 24];
    for (int i = 0; i < 24 * 24; i++) {
        depth[i] = (float)((i * 7 + frame) % 97) / 96;
        stencil[i] = (uint8_t)(i * 11 + frame);
        pairs[i] = (uint32_t)(depth[i] * 16777215) << 8 | stencil[i];
    }
    glClear(GL_STENCIL_BUFFER_BIT);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    prepare(0, 144);
    for (int i = 0; i < 2 * PLANE_CASES; i++) {
        const struct plane_case *c = &plane_cases[i % PLANE_CASES];
        bool copied = i >= PLANE_CASES, stencils = c->format == GL_STENCIL_INDEX;
        int column = (i + 1) % 6, row = (i + 1) / 6;
        float x = (float)(column * CELL), y = 144 - (float)(row * CELL);
        prepare(x, y);
        set_case(c, x, y);
        if (copied)
            glCopyPixels(6, 150, 24, 24,
                         stencils                        ? GL_STENCIL
                         : c->format == GL_DEPTH_STENCIL ? GL_DEPTH_STENCIL
                                                         : GL_DEPTH);
        else if (c->format == GL_DEPTH_STENCIL)
            glDrawPixels(24, 24, c->format, GL_UNSIGNED_INT_24_8, pairs);
        else if (stencils)
            glDrawPixels(24, 24, c->format, GL_UNSIGNED_BYTE, stencil);
        else
            glDrawPixels(24, 24, c->format, GL_FLOAT, depth);
        reset_case();
    }
    for (int i = 0; i <= 2 * PLANE_CASES; i++) {
        int column = i % 6, row = i / 6;
        reveal((float)(column * CELL), 144 - (float)(row * CELL));
    }
    planes_as_colors(5 * CELL, 0);
}

// ---- copies in sRGB ----

static void encoded_square(float y)
{
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        glColor3f(i & 1 ? 0.2f : 0.7f, 0.1f * (float)i, 0.5f);
        glVertex2f(i == 1 || i == 2 ? 40 : 10, y + (i > 1 ? 40.0f : 10.0f));
    }
    glEnd();
}

// Zoomed, as it is, and as it is under what changes nothing of it, which decides in
// Mesa whether it is drawn or copied.
static void copy_square(int frame, int y)
{
    static const GLenum states[] = {
        GL_BLEND,        GL_FOG,        GL_DEPTH_TEST,
        GL_STENCIL_TEST, GL_ALPHA_TEST, GL_COLOR_LOGIC_OP
    };
    static const float zooms[][2] = { { 1.7f, 1.3f }, { -1, 1 }, { 0.7f, -2 } };
    glPixelZoom(zooms[frame % 3][0], zooms[frame % 3][1]);
    glWindowPos2i(100, 40 + y);
    glCopyPixels(5, 5 + y, 30, 30, GL_COLOR);
    glPixelZoom(1, 1);
    glWindowPos2i(180, 20 + y);
    glCopyPixels(5, 5 + y, 40, 40, GL_COLOR);
    for (int i = 0; i < 6; i++) {
        const int row = i / 3;
        glEnable(states[i]);
        glWindowPos2i(50 + i % 3 * 35, 5 + 10 * row + y);
        glCopyPixels(10, 10 + y, 30, 8, GL_COLOR);
        glDisable(states[i]);
    }
}

void scene_light_copied(int frame)
{
    GLuint object, color;
    glGenFramebuffers(1, &object);
    glGenRenderbuffers(1, &color);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, 240, 90);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              color);
    glClear(GL_COLOR_BUFFER_BIT);
    if (frame > 1)
        glEnable(GL_FRAMEBUFFER_SRGB);
    encoded_square(0);
    copy_square(frame, 0);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 240, 90, 0, 0, 240, 90, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteRenderbuffers(1, &color);
    glEnable(GL_FRAMEBUFFER_SRGB);
    encoded_square(90);
    copy_square(frame, 90);
    glDisable(GL_FRAMEBUFFER_SRGB);
}
