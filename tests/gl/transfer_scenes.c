#define GL_GLEXT_PROTOTYPES
#include "tests/gl/transfer_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
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
