#define GL_GLEXT_PROTOTYPES
#include "tests/live/texture_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

// ---- drawing ----

static void pixels_as_coordinates(void)
{
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, 240, 0, 180, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glDisable(GL_DEPTH_TEST);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

// A rectangle whose coordinates run from `low` to `high` in s and t; r grows with both.
struct tile {
    float x, y, width, height, low, high;
};

static void draw(const struct tile *t)
{
    float middle = (t->low + t->high) / 2;
    glBegin(GL_QUADS);
    glTexCoord3f(t->low, t->low, t->low);
    glVertex2f(t->x, t->y);
    glTexCoord3f(t->high, t->low, middle);
    glVertex2f(t->x + t->width, t->y);
    glTexCoord3f(t->high, t->high, t->high);
    glVertex2f(t->x + t->width, t->y + t->height);
    glTexCoord3f(t->low, t->high, middle);
    glVertex2f(t->x, t->y + t->height);
    glEnd();
}

// Tile `i` of a grid of squares with `side` pixels.
static void draw_nth(int i, int side, float low, float high)
{
    int columns = 240 / side, x = i % columns * side, y = i / columns * side;
    const struct tile t = { (float)x + 1,    (float)y + 1, (float)side - 2,
                            (float)side - 2, low,          high };
    draw(&t);
}

static void filters(GLenum target, GLint min, GLint mag)
{
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mag);
}

// Bytes that look random and are always the same.
static const void *noise(size_t size, uint32_t seed)
{
    static uint8_t bytes[1 << 16];
    for (size_t i = 0; i < size && i < sizeof bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    return bytes;
}

// ---- internal formats ----

static const GLenum all_formats[] = {
    1,
    2,
    3,
    4,
    GL_ALPHA,
    GL_ALPHA4,
    GL_ALPHA8,
    GL_ALPHA12,
    GL_ALPHA16,
    GL_LUMINANCE,
    GL_LUMINANCE4,
    GL_LUMINANCE8,
    GL_LUMINANCE12,
    GL_LUMINANCE16,
    GL_LUMINANCE_ALPHA,
    GL_LUMINANCE4_ALPHA4,
    GL_LUMINANCE6_ALPHA2,
    GL_LUMINANCE8_ALPHA8,
    GL_LUMINANCE12_ALPHA4,
    GL_LUMINANCE12_ALPHA12,
    GL_LUMINANCE16_ALPHA16,
    GL_INTENSITY,
    GL_INTENSITY4,
    GL_INTENSITY8,
    GL_INTENSITY12,
    GL_INTENSITY16,
    GL_RGB,
    GL_R3_G3_B2,
    GL_RGB4,
    GL_RGB5,
    GL_RGB8,
    GL_RGB10,
    GL_RGB12,
    GL_RGB16,
    GL_RGBA,
    GL_RGBA2,
    GL_RGBA4,
    GL_RGB5_A1,
    GL_RGBA8,
    GL_RGB10_A2,
    GL_RGBA12,
    GL_RGBA16,
    GL_SRGB8,
    GL_SRGB8_ALPHA8,
    GL_SLUMINANCE8,
    GL_SLUMINANCE8_ALPHA8,
    GL_RED,
    GL_RG,
    GL_R16,
    GL_RG16,
    GL_R16F,
    GL_RG32F,
    GL_RGB16F,
    GL_RGBA32F,
    GL_R11F_G11F_B10F,
    GL_RGB9_E5,
    GL_RGB565,
    GL_ALPHA16F_ARB,
    GL_LUMINANCE32F_ARB,
    GL_INTENSITY16F_ARB,
    GL_LUMINANCE_ALPHA16F_ARB,
    GL_RGBA8_SNORM,
};

void scene_formats(int frame)
{
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    filters(GL_TEXTURE_2D, GL_LINEAR, frame % 2 ? GL_LINEAR : GL_NEAREST);
    for (int i = 0; i < (int)COUNT(all_formats); i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)all_formats[i], 8, 8, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, noise(256, 7u * (uint32_t)frame));
        draw_nth(i, 20, 0, 1);
    }
    glDisable(GL_BLEND);
}

// ---- pixels ----

static void transfer(void)
{
    static const GLfloat falling[] = { 1, 0.7f, 0.2f, 0 },
                         grey[] = { 0, 0.5f, 1, 0.2f };
    glPixelTransferf(GL_RED_SCALE, 0.5f);
    glPixelTransferf(GL_GREEN_BIAS, 0.25f);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 noise(256, 3));
    draw_nth(60, 20, 0, 1);
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 4, falling);
    glPixelMapfv(GL_PIXEL_MAP_B_TO_B, 4, grey);
    glPixelTransferi(GL_MAP_COLOR, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 4, 4, GL_BGRA, GL_UNSIGNED_BYTE,
                    noise(64, 4));
    draw_nth(61, 20, 0, 1);
    glPixelTransferi(GL_MAP_COLOR, 0);
    glPixelTransferf(GL_RED_SCALE, 1);
    glPixelTransferf(GL_GREEN_BIAS, 0);
    glPixelMapfv(GL_PIXEL_MAP_I_TO_R, 4, falling);
    glPixelMapfv(GL_PIXEL_MAP_I_TO_G, 4, grey);
    glPixelMapfv(GL_PIXEL_MAP_I_TO_A, 4, falling);
    glPixelTransferi(GL_INDEX_OFFSET, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_COLOR_INDEX, GL_UNSIGNED_BYTE,
                 noise(64, 5));
    draw_nth(62, 20, 0, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 8, 0, GL_COLOR_INDEX, GL_BITMAP,
                 noise(16, 6));
    draw_nth(63, 20, 0, 1);
    glPixelTransferi(GL_INDEX_OFFSET, 0);
}

static void storage(void)
{
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 11);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 2);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 8, 8, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 noise(600, 8));
    draw_nth(64, 20, 0, 1);
    // A border, which is not shown.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 10, 10, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 noise(1000, 11));
    draw_nth(67, 20, 0, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    // Mesa reads these from elsewhere if rows are skipped.
    glPixelStorei(GL_UNPACK_SWAP_BYTES, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 8, 8, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5,
                 noise(600, 9));
    draw_nth(65, 20, 0, 1);
    glPixelStorei(GL_UNPACK_SWAP_BYTES, 0);
    glPixelStorei(GL_UNPACK_LSB_FIRST, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_COLOR_INDEX, GL_BITMAP,
                 noise(200, 10));
    draw_nth(66, 20, 0, 1);
    glPixelStorei(GL_UNPACK_LSB_FIRST, 0);
}

void scene_pixels(int frame)
{
    static const struct {
        GLenum format, type;
    } kinds[] = {
        { GL_RED, GL_UNSIGNED_BYTE },
        { GL_GREEN, GL_UNSIGNED_BYTE },
        { GL_BLUE, GL_BYTE },
        { GL_ALPHA, GL_UNSIGNED_SHORT },
        { GL_RGB, GL_UNSIGNED_BYTE },
        { GL_RGB, GL_SHORT },
        { GL_RGB, GL_UNSIGNED_INT },
        { GL_RGBA, GL_INT },
        { GL_RGBA, GL_UNSIGNED_SHORT },
        { GL_BGR, GL_UNSIGNED_BYTE },
        { GL_BGRA, GL_UNSIGNED_BYTE },
        { GL_ABGR_EXT, GL_UNSIGNED_BYTE },
        { GL_LUMINANCE, GL_UNSIGNED_BYTE },
        { GL_LUMINANCE, GL_UNSIGNED_SHORT },
        { GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE },
        { GL_LUMINANCE_ALPHA, GL_SHORT },
        { GL_RGB, GL_UNSIGNED_BYTE_3_3_2 },
        { GL_RGB, GL_UNSIGNED_BYTE_2_3_3_REV },
        { GL_RGB, GL_UNSIGNED_SHORT_5_6_5 },
        { GL_RGB, GL_UNSIGNED_SHORT_5_6_5_REV },
        { GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4 },
        { GL_BGRA, GL_UNSIGNED_SHORT_4_4_4_4_REV },
        { GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1 },
        { GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV },
        { GL_RGBA, GL_UNSIGNED_INT_8_8_8_8 },
        { GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV },
        { GL_RGBA, GL_UNSIGNED_INT_10_10_10_2 },
        { GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV },
        { GL_RG, GL_UNSIGNED_BYTE },
    };
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    filters(GL_TEXTURE_2D, GL_LINEAR, frame % 2 ? GL_LINEAR : GL_NEAREST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < (int)COUNT(kinds); i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, kinds[i].format, kinds[i].type,
                     noise(1024, (uint32_t)(frame + i)));
        draw_nth(i, 20, 0, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 8, 8, 0, kinds[i].format, kinds[i].type,
                     noise(1024, (uint32_t)(frame + i)));
        draw_nth(30 + i, 20, 0, 1);
    }
    transfer();
    storage();
    glDisable(GL_BLEND);
}

// ---- wraps ----

static void wrap(GLenum target, GLint mode)
{
    glTexParameteri(target, GL_TEXTURE_WRAP_S, mode);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, mode);
    glTexParameteri(target, GL_TEXTURE_WRAP_R, mode);
}

static void cube(void)
{
    for (int face = 0; face < 6; face++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, 0, GL_RGB, 4, 4, 0,
                     GL_RGB, GL_UNSIGNED_BYTE, noise(48, (uint32_t)face));
}

void scene_wraps(int frame)
{
    static const GLint modes[] = { GL_REPEAT, GL_CLAMP, GL_CLAMP_TO_EDGE,
                                   GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT };
    static const GLint bases[] = { GL_RGBA, GL_ALPHA, GL_LUMINANCE, GL_INTENSITY,
                                   GL_RGB };
    static const GLenum targets[] = { GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D,
                                      GL_TEXTURE_CUBE_MAP };
    static const GLfloat border[] = { 0.9f, 0.5f, 0.1f, 0.6f };
    int tile = 0;
    pixels_as_coordinates();
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (size_t t = 0; t < COUNT(targets); t++) {
        filters(targets[t], frame & 1 ? GL_LINEAR : GL_NEAREST,
                frame & 2 ? GL_LINEAR : GL_NEAREST);
        glTexParameterfv(targets[t], GL_TEXTURE_BORDER_COLOR, border);
        glEnable(targets[t]);
        for (size_t m = 0; m < COUNT(modes); m++, tile++) {
            const void *texels = noise(1024, (uint32_t)tile);
            wrap(targets[t], modes[m]);
            glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP_SEAMLESS,
                            m == 1 || m == 3);
            glTexImage1D(GL_TEXTURE_1D, 0, bases[m], 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         texels);
            glTexImage2D(GL_TEXTURE_2D, 0, bases[m], 4, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         texels);
            glTexImage3D(GL_TEXTURE_3D, 0, bases[m], 4, 4, 4, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, texels);
            cube();
            draw_nth(tile, 40, -0.7f, 1.9f);
        }
    }
    for (size_t t = 0; t < COUNT(targets); t++)
        glDisable(targets[t]);
    glDisable(GL_BLEND);
}

// ---- mips ----

static void given_mips(void)
{
    for (int level = 0; level < 5; level++)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGB, 16 >> level, 16 >> level, 0, GL_RGB,
                     GL_UNSIGNED_BYTE, noise(768, (uint32_t)level));
}

void scene_mips(int frame)
{
    static const GLint min[] = { GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST,
                                 GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_LINEAR };
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    for (int i = 0; i < 4; i++) {
        filters(GL_TEXTURE_2D, min[i], GL_LINEAR);
        given_mips();
        draw_nth(6 * i, 40, 0, 1 + (float)frame);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 0.75f);
        draw_nth(6 * i + 1, 40, 0, 2);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 0);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
        draw_nth(6 * i + 2, 40, 0, 7);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, 1.5f);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 2);
        draw_nth(6 * i + 3, 40, 0, 2);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, -1000);
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 1000);
        glTexImage2D(GL_TEXTURE_2D, 0, i % 2 ? GL_LUMINANCE : GL_RGBA, 37, 20, 0,
                     GL_RGBA, GL_UNSIGNED_BYTE, noise(37 * 20 * 4, (uint32_t)i));
        glGenerateMipmap(GL_TEXTURE_2D);
        draw_nth(6 * i + 4, 40, 0, 3);
        glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 4, 16, 12, GL_RGBA, GL_UNSIGNED_BYTE,
                        noise(768, 99));
        glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 0);
        draw_nth(6 * i + 5, 40, 0, 4);
    }
}

// ---- copies ----

// Into a part of an image that has texels already, and gets more behind it.
static void copy_into(GLenum base, int tile)
{
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)base, 32, 32, 0, base, GL_UNSIGNED_BYTE,
                 noise(2048, 7));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 20, 9, 9, base, GL_UNSIGNED_BYTE,
                    noise(243, 8));
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 6, 5, 9, 7, 16, 24);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 10, 8, 9, 9, base, GL_UNSIGNED_BYTE,
                    noise(243, 9));
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_nth(tile, 40, 0, 1);
    glDisable(GL_BLEND);
}

void scene_copies(int frame)
{
    static const GLenum bases[] = {
        GL_RGBA,      GL_RGB,  GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA,
        GL_INTENSITY, GL_RGB5, GL_RGBA4
    };
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    filters(GL_TEXTURE_2D, GL_LINEAR, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 noise(1024, (uint32_t)frame));
    draw_nth(0, 40, 0, 1);
    for (int i = 0; i < (int)COUNT(bases); i++) {
        glCopyTexImage2D(GL_TEXTURE_2D, 0, bases[i], 4 + frame, 7, 16, 30, 0);
        draw_nth(1 + i, 40, 0, 1);
    }
    // Partly outside of the window.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 32, 32, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 noise(3072, 5));
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 4, 4, -6, -5, 20, 22);
    draw_nth(10, 40, 0, 1);
    copy_into(GL_ALPHA, 12);
    copy_into(GL_LUMINANCE_ALPHA, 13);
    copy_into(GL_LUMINANCE, 14);
    glDisable(GL_TEXTURE_2D);
    glEnable(GL_TEXTURE_3D);
    filters(GL_TEXTURE_3D, GL_LINEAR, GL_LINEAR);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGB, 16, 16, 2, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 noise(1536, 6));
    glCopyTexSubImage3D(GL_TEXTURE_3D, 0, 2, 3, 1, 8, 8, 12, 10);
    draw_nth(11, 40, 0, 1);
    glDisable(GL_TEXTURE_3D);
}

// ---- depth ----

void scene_shadows(int frame)
{
    static const GLenum functions[] = { GL_LEQUAL, GL_GREATER, GL_EQUAL, GL_ALWAYS };
    static const GLint modes[] = { GL_LUMINANCE, GL_INTENSITY, GL_ALPHA };
    static const GLint formats[] = { GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT16,
                                     GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32 };
    int tile = 0;
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    filters(GL_TEXTURE_2D, frame % 2 ? GL_LINEAR : GL_NEAREST,
            frame % 2 ? GL_LINEAR : GL_NEAREST);
    for (int f = 0; f < 4; f++)
        for (int m = 0; m < 3; m++, tile += 2) {
            glTexImage2D(GL_TEXTURE_2D, 0, formats[f], 8, 8, 0, GL_DEPTH_COMPONENT,
                         m % 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                         noise(256, (uint32_t)(frame + f)));
            glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, modes[m]);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
            draw_nth(tile, 40, 0, 1);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
                            GL_COMPARE_R_TO_TEXTURE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC,
                            (GLint)functions[f]);
            draw_nth(tile + 1, 40, 0, 1);
        }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
}

// ---- blocks ----

// Blocks that lie apart: 8 x 8 texels at (4, 8) of 20 x 20, of the second image of two.
static void part_of_blocks(GLenum format, GLsizei bytes, int tile)
{
    static const GLenum names[] = {
        GL_UNPACK_COMPRESSED_BLOCK_WIDTH,
        GL_UNPACK_COMPRESSED_BLOCK_HEIGHT,
        GL_UNPACK_COMPRESSED_BLOCK_DEPTH,
        GL_UNPACK_COMPRESSED_BLOCK_SIZE,
        GL_UNPACK_ROW_LENGTH,
        GL_UNPACK_IMAGE_HEIGHT,
        GL_UNPACK_SKIP_PIXELS,
        GL_UNPACK_SKIP_ROWS,
    };
    const GLint values[] = { 4, 4, 1, bytes, 18, 20, 4, 8 };
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 50 * bytes, noise((size_t)bytes * 50, 3),
                 GL_STATIC_DRAW);
    for (size_t i = 0; i < COUNT(names); i++)
        glPixelStorei(names[i], values[i]);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 8, 8, 0, 4 * bytes, NULL);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 8);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 4, 8, 4, format, 2 * bytes,
                              (const void *)(intptr_t)bytes);
    for (size_t i = 0; i < COUNT(names); i++)
        glPixelStorei(names[i], 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
    draw_nth(tile, 40, 0, 1);
}

void scene_compressed(int frame)
{
    static const struct {
        GLenum format;
        GLsizei bytes;
    } blocks[] = {
        { GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8 },
        { GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 8 },
        { GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, 16 },
        { GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 16 },
        { GL_COMPRESSED_RED_RGTC1, 8 },
        { GL_COMPRESSED_RG_RGTC2, 16 },
        { GL_COMPRESSED_LUMINANCE_LATC1_EXT, 8 },
        { GL_COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT, 16 },
        { GL_COMPRESSED_RGBA_BPTC_UNORM, 16 },
        { GL_COMPRESSED_RGB8_ETC2, 8 },
        { GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8 },
        { GL_COMPRESSED_RGBA8_ETC2_EAC, 16 },
        { GL_COMPRESSED_SRGB8_ETC2, 8 },
        { GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, 16 },
        { GL_COMPRESSED_R11_EAC, 8 },
        { GL_COMPRESSED_SIGNED_R11_EAC, 8 },
        { GL_COMPRESSED_RG11_EAC, 16 },
        { GL_COMPRESSED_SIGNED_RG11_EAC, 16 },
        { GL_COMPRESSED_SIGNED_RED_RGTC1, 8 },
        { GL_COMPRESSED_SIGNED_RG_RGTC2, 16 },
        { GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, 16 },
        { GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, 16 },
    };
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    filters(GL_TEXTURE_2D, GL_LINEAR, frame % 2 ? GL_LINEAR : GL_NEAREST);
    for (int i = 0; i < (int)COUNT(blocks); i++) {
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, blocks[i].format, 14, 10, 0,
                               12 * blocks[i].bytes, noise(192, (uint32_t)(frame + i)));
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 4, 4, 4, 4, blocks[i].format,
                                  blocks[i].bytes, noise(16, 77));
        draw_nth(i, 40, 0, 1);
    }
    part_of_blocks(GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 8, 22);
    part_of_blocks(GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 16, 23);
}

// Pixels that GL makes blocks of: flat, smooth, noisy, opaque in parts. A texture of
// `format` whose sides are no blocks, a part of it replaced; level 2 of its mips beside
// it.
static const uint8_t *mixed(int kind)
{
    static uint8_t bytes[40 * 40 * 4];
    const uint8_t *random = noise(sizeof bytes, (uint32_t)kind + 9);
    for (int i = 0; i < 40 * 40 * 4; i++) {
        const int x = i / 4 % 40, y = i / 160, c = i % 4;
        const int flat = (x / 8 * 31 + y / 8 * 57 + c * 71) % 256;
        const int smooth = (x * (c + 2) + y * (5 - c)) % 256;
        const int alpha = x > 20 ? 255 : y > 20 ? 0 : random[i];
        bytes[i] = (uint8_t)(c == 3 && kind % 2         ? alpha
                             : (x / 8 + y / 8) % 3 == 0 ? flat
                             : (x / 8 + y / 8) % 3 == 1 ? smooth
                                                        : random[i]);
    }
    return bytes;
}

void scene_encoded(int frame)
{
    static const GLint formats[] = {
        GL_COMPRESSED_RGB,
        GL_COMPRESSED_RGBA,
        GL_COMPRESSED_SRGB,
        GL_COMPRESSED_SRGB_ALPHA,
        GL_COMPRESSED_RED,
        GL_COMPRESSED_RG,
        GL_COMPRESSED_LUMINANCE,
        GL_COMPRESSED_LUMINANCE_ALPHA,
        GL_COMPRESSED_ALPHA,
        GL_COMPRESSED_INTENSITY,
        GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
        GL_COMPRESSED_RGBA_S3TC_DXT1_EXT,
        GL_COMPRESSED_RGBA_S3TC_DXT3_EXT,
        GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
        GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT,
        GL_COMPRESSED_RED_RGTC1,
        GL_COMPRESSED_SIGNED_RED_RGTC1,
        GL_COMPRESSED_RG_RGTC2,
        GL_COMPRESSED_SIGNED_RG_RGTC2,
        GL_COMPRESSED_LUMINANCE_LATC1_EXT,
        GL_COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT,
        GL_COMPRESSED_RGBA_BPTC_UNORM,
        GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT,
        GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT,
        GL_COMPRESSED_RGB8_ETC2, // GL makes none of these
    };
    const GLint mip = frame > 1;
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    filters(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, mip);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, mip ? 2 : 0);
    for (int i = 0; i < (int)COUNT(formats); i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, formats[i], 38, 30, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     mixed(frame + i));
        glTexSubImage2D(GL_TEXTURE_2D, 0, 4, 8, 8, 4, GL_BGRA, GL_UNSIGNED_BYTE,
                        noise(128, 7));
        glTexSubImage2D(GL_TEXTURE_2D, 0, 6, 8, 8, 4, GL_RGBA, GL_UNSIGNED_BYTE,
                        noise(128, 8)); // an error but for plain ones
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, mip ? 1 + i % 2 : 0);
        draw_nth(i, 40, 0, 1);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 0);
    glDisable(GL_TEXTURE_2D);
}

// Targets of other shapes: where GL makes blocks and where it does not.
void scene_encoded_targets(int frame)
{
    static const GLint formats[] = { GL_COMPRESSED_RGB, GL_COMPRESSED_RGBA,
                                     GL_COMPRESSED_RED,
                                     GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
                                     GL_COMPRESSED_RGBA_BPTC_UNORM };
    static const GLenum targets[] = { GL_TEXTURE_RECTANGLE, GL_TEXTURE_1D,
                                      GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP };
    pixels_as_coordinates();
    for (int i = 0; i < 20; i++) {
        const GLenum target = targets[i % 4];
        const GLint format = formats[i / 4];
        const uint8_t *pixels = mixed(frame * 3 + i);
        GLuint texture;
        glGenTextures(1, &texture);
        glBindTexture(target, texture);
        filters(target, GL_NEAREST, GL_NEAREST);
        if (i % 4 == 0)
            glTexImage2D(target, 0, format, 30, 30, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         pixels);
        else if (i % 4 == 1)
            glTexImage1D(target, 0, format, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        else if (i % 4 == 2)
            glTexImage3D(target, 0, format, 16, 16, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         pixels);
        else
            for (GLenum face = 0; face < 6; face++)
                glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, format, 16, 16,
                             0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        glEnable(target);
        draw_nth(i, 40, 0.1f, i % 4 ? 0.9f : 29);
        glDisable(target);
        glDeleteTextures(1, &texture);
    }
}

// Every size of blocks; of noise some mean colours, and all others are errors.
void scene_astc(int frame)
{
    static const int sides[][2] = { { 4, 4 },   { 5, 4 },  { 5, 5 },  { 6, 5 },
                                    { 6, 6 },   { 8, 5 },  { 8, 6 },  { 8, 8 },
                                    { 10, 5 },  { 10, 6 }, { 10, 8 }, { 10, 10 },
                                    { 12, 10 }, { 12, 12 } };
    pixels_as_coordinates();
    glEnable(GL_TEXTURE_2D);
    filters(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST);
    for (int i = 0; i < 2 * (int)COUNT(sides); i++) {
        const int columns = 60 / sides[i / 2][0], rows = 60 / sides[i / 2][1];
        const GLsizei bytes = 16 * columns * rows;
        const GLenum first = i % 2 ? GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR
                                   : GL_COMPRESSED_RGBA_ASTC_4x4_KHR;
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, first + (GLenum)i / 2,
                               columns * sides[i / 2][0] - 1,
                               rows * sides[i / 2][1] - 1, 0, bytes,
                               noise((size_t)bytes, (uint32_t)(40 * frame + i)));
        draw_nth(i, 34, 0, 1);
    }
}
