#define GL_GLEXT_PROTOTYPES
#include "tests/live/internal_scenes.h"

#include "tests/live/scene_shapes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// The formats that pixels of RGBA become, and those of depth. Not GL_R3_G3_B2, whose
// mips and what is drawn to it keep eight bits here.
static const GLenum formats[] = {
    GL_ALPHA4,
    GL_ALPHA8,
    GL_ALPHA12,
    GL_ALPHA16,
    GL_ALPHA16F_ARB,
    GL_ALPHA32F_ARB,
    GL_ALPHA8_SNORM,
    GL_ALPHA16_SNORM,
    GL_LUMINANCE4,
    GL_LUMINANCE8,
    GL_LUMINANCE12,
    GL_LUMINANCE16,
    GL_LUMINANCE16F_ARB,
    GL_LUMINANCE32F_ARB,
    GL_LUMINANCE8_SNORM,
    GL_LUMINANCE16_SNORM,
    GL_LUMINANCE4_ALPHA4,
    GL_LUMINANCE6_ALPHA2,
    GL_LUMINANCE8_ALPHA8,
    GL_LUMINANCE12_ALPHA4,
    GL_LUMINANCE12_ALPHA12,
    GL_LUMINANCE16_ALPHA16,
    GL_LUMINANCE_ALPHA16F_ARB,
    GL_LUMINANCE_ALPHA32F_ARB,
    GL_LUMINANCE8_ALPHA8_SNORM,
    GL_LUMINANCE16_ALPHA16_SNORM,
    GL_INTENSITY4,
    GL_INTENSITY8,
    GL_INTENSITY12,
    GL_INTENSITY16,
    GL_INTENSITY16F_ARB,
    GL_INTENSITY32F_ARB,
    GL_INTENSITY8_SNORM,
    GL_INTENSITY16_SNORM,
    GL_SLUMINANCE8,
    GL_SLUMINANCE8_ALPHA8,
    GL_RGB4,
    GL_RGB5,
    GL_RGB565,
    GL_RGB8,
    GL_RGB10,
    GL_RGB12,
    GL_RGB16,
    GL_RGB16F,
    GL_RGB32F,
    GL_R11F_G11F_B10F,
    GL_RGB9_E5,
    GL_SRGB8,
    GL_RGB8_SNORM,
    GL_RGB16_SNORM,
    GL_RGBA2,
    GL_RGBA4,
    GL_RGB5_A1,
    GL_RGBA8,
    GL_RGB10_A2,
    GL_RGBA12,
    GL_RGBA16,
    GL_RGBA16F,
    GL_RGBA32F,
    GL_SRGB8_ALPHA8,
    GL_RGBA8_SNORM,
    GL_RGBA16_SNORM,
    GL_R8,
    GL_R16,
    GL_R16F,
    GL_R32F,
    GL_R8_SNORM,
    GL_R16_SNORM,
    GL_RG8,
    GL_RG16,
    GL_RG16F,
    GL_RG32F,
    GL_RG8_SNORM,
    GL_RG16_SNORM,
    GL_DEPTH_COMPONENT16,
    GL_DEPTH_COMPONENT24,
    GL_DEPTH_COMPONENT32,
    GL_DEPTH_COMPONENT32F,
    GL_DEPTH24_STENCIL8,
};

static GLuint sampled, drawn, framebuffer;
static const float scale = 12; // of a cell's square

static void pixels_as_coordinates(void)
{
    if (!sampled) {
        glGenTextures(1, &sampled);
        glGenTextures(1, &drawn);
        glGenFramebuffers(1, &framebuffer);
    }
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, 240, 0, 180, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glClearColor(0.2f, 0.3f, 0.4f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static int is_depth(GLenum format)
{
    return format == GL_DEPTH_COMPONENT16 || format == GL_DEPTH_COMPONENT24 ||
           format == GL_DEPTH_COMPONENT32 || format == GL_DEPTH_COMPONENT32F;
}

// A texture of that format with pixels that look random.
static void define(GLuint name, GLenum format, int width, int height, uint32_t seed)
{
    static uint8_t bytes[4 * 16 * 16];
    static uint32_t words[16 * 16];
    for (int i = 0; i < 4 * width * height; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
        words[i / 4] = seed;
    }
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    if (format == GL_DEPTH24_STENCIL8)
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0,
                     GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, words);
    else if (is_depth(format))
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0,
                     GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, words);
    else
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, bytes);
}

// The lower left corner of a format's cell.
static float cell_x(int i)
{
    return (float)(i % 10 * 24);
}

static float cell_y(int i)
{
    const int row = i / 10;
    return (float)(row * 20);
}

// Its levels but the first, side by side.
static void show_mips(int i)
{
    float x = cell_x(i);
    for (int level = 1; level < 4; level++) {
        const float size = level == 1 ? scale : scale / 2;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
        draw_rectangle(x, cell_y(i), size, size);
        x += size;
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
}

static void make_mips(int width, int height, uint32_t seed)
{
    for (int i = 0; i < COUNT(formats); i++) {
        define(sampled, formats[i], width, height, seed);
        glGenerateMipmap(GL_TEXTURE_2D);
        show_mips(i);
    }
}

static void filter_linearly(uint32_t seed)
{
    for (int i = 0; i < COUNT(formats); i++) {
        define(sampled, formats[i], 8, 8, seed);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        draw_rectangle(cell_x(i), cell_y(i), 20, 18);
    }
}

// Whether the format can be drawn to; then it is what is drawn to.
static int attach(GLuint name)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name,
                           0);
    const int complete =
        glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!complete)
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete;
}

// Two rectangles over the texture's colours, one of them over the other.
static void draw_blended(void)
{
    glDisable(GL_TEXTURE_2D);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glColor4f(0.9f, 0.2f, 0.4f, 0.5f);
    glRectf(-1, -1, 0.5f, 0.5f);
    glBlendFunc(GL_ONE, GL_ONE);
    glColor4f(0.1f, 0.3f, 0.2f, 0.25f);
    glRectf(-0.5f, -0.5f, 1, 1);
    glDisable(GL_BLEND);
    glEnable(GL_TEXTURE_2D);
}

static void draw_to_targets(uint32_t seed)
{
    for (int i = 0; i < COUNT(formats); i++) {
        if (is_depth(formats[i]) || formats[i] == GL_DEPTH24_STENCIL8)
            continue;
        define(drawn, formats[i], 8, 8, seed);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        if (attach(drawn)) {
            glPushMatrix();
            glMatrixMode(GL_PROJECTION);
            glPushMatrix();
            glLoadIdentity();
            glViewport(0, 0, 8, 8);
            draw_blended();
            glPopMatrix();
            glMatrixMode(GL_MODELVIEW);
            glPopMatrix();
            glBindFramebuffer(GL_FRAMEBUFFER, 0);
            glViewport(0, 0, 240, 180);
        }
        draw_rectangle(cell_x(i), cell_y(i), 16, 16);
    }
}

// To half the size in another texture of the format, and from there copied into a
// third.
static void blit_and_copy(uint32_t seed)
{
    for (int i = 0; i < COUNT(formats); i++) {
        if (is_depth(formats[i]) || formats[i] == GL_DEPTH24_STENCIL8)
            continue;
        define(sampled, formats[i], 16, 16, seed);
        define(drawn, formats[i], 16, 16, seed + 1);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        if (attach(drawn)) {
            GLuint source;
            glGenFramebuffers(1, &source);
            glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
            glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                   GL_TEXTURE_2D, sampled, 0);
            glBlitFramebuffer(0, 0, 16, 16, 1, 2, 9, 10, GL_COLOR_BUFFER_BIT,
                              GL_LINEAR);
            glBlitFramebuffer(0, 0, 7, 5, 16, 16, 8, 10, GL_COLOR_BUFFER_BIT,
                              GL_NEAREST);
            glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 9, 0, 2, 2, 7, 6);
            glBindFramebuffer(GL_FRAMEBUFFER, 0);
            glDeleteFramebuffers(1, &source);
        }
        draw_rectangle(cell_x(i), cell_y(i), 16, 16);
    }
}

void scene_internals(int frame)
{
    pixels_as_coordinates();
    if (frame == 1)
        make_mips(16, 16, 5);
    else if (frame == 2)
        filter_linearly(6);
    else if (frame == 3)
        draw_to_targets(7);
}

void scene_odd_mips(int frame)
{
    pixels_as_coordinates();
    if (frame == 1)
        make_mips(13, 11, 8);
    else if (frame == 2)
        make_mips(10, 15, 9);
    else if (frame == 3)
        blit_and_copy(10);
}

// ---- OpenGL ES ----

static GLuint linked(void)
{
    static const char *const texts[2] = {
        "attribute vec2 at; varying vec2 uv;\n"
        "void main() { gl_Position = vec4(at, 0.0, 1.0); uv = at * 0.5 + 0.5; }\n",
        "precision highp float; uniform sampler2D image; varying vec2 uv;\n"
        "void main() { gl_FragColor = texture2D(image, uv); }\n",
    };
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], 0);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    return program;
}

void scene_es_depths(int frame)
{
    static const struct {
        GLenum internal, format, type;
    } depths[] = {
        { GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT },
        { GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT },
        { GL_DEPTH_STENCIL, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8 },
        { GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT },
        { GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT },
        { GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT },
        { GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8 },
        { GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE },
    };
    static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
    static const uint32_t words[16] = {
        0x20000000, 0x60000000, 0xa0000000, 0xe0000000, 0x3f000000, 0x3e800000,
        0x3f400000, 0x3f700000, 0x12345678, 0x23456789, 0x3456789a, 0x456789ab,
        0x3d000000, 0x3f200000, 0x3f600000, 0x3e000000
    };
    glUseProgram(linked());
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    for (int i = 0; i < COUNT(depths); i++) {
        GLuint name;
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)depths[i].internal, 4, 4, 0,
                     depths[i].format, depths[i].type, words);
        glViewport(i % 4 * 60, 90 * (i / 4) + frame, 50, 80);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

// ---- beyond edges ----

// ---- textures ----

static const GLint wraps[] = { GL_CLAMP, GL_MIRROR_CLAMP_EXT,
                               GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_CLAMP_TO_BORDER };

static void make_texels(uint8_t *texels, int count, uint32_t seed)
{
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        texels[i] = (uint8_t)(seed >> 24);
    }
}

static void fill(GLenum target, int frame)
{
    uint8_t texels[8 * 8 * 4 * 4];
    make_texels(texels, (int)sizeof texels, (uint32_t)frame + target);
    if (target == GL_TEXTURE_1D)
        glTexImage1D(target, 0, GL_RGBA, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    else if (target == GL_TEXTURE_3D)
        glTexImage3D(target, 0, GL_RGBA, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    else if (target == GL_TEXTURE_2D_ARRAY)
        glTexImage3D(target, 0, GL_RGBA, 8, 8, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    else
        glTexImage2D(target, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

static void bind(GLenum target, int frame)
{
    static const float border[] = { 0.9F, 0.2F, 0.6F, 1 };
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameterfv(target, GL_TEXTURE_BORDER_COLOR, border);
    fill(target, frame);
}

static void set(GLenum target, GLint wrap, GLint min, GLint mag)
{
    glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mag);
}

// ---- programs ----

static GLuint shader(GLenum type, const char *text)
{
    GLint ok = 0;
    GLuint name = glCreateShader(type);
    glShaderSource(name, 1, &text, NULL);
    glCompileShader(name);
    glGetShaderiv(name, GL_COMPILE_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a shader does not compile\n");
    return name;
}

// NULL: the fixed function, with the same coordinates.
static void use_program(const char *fragment)
{
    static const char vertex[] =
        "#version 130\nout vec2 uv; void main() { gl_Position = gl_Vertex;\n"
        "  uv = gl_MultiTexCoord0.xy * 3.0 - 1.0; }\n";
    if (!fragment) {
        glUseProgram(0);
        glEnable(GL_TEXTURE_2D);
        glMatrixMode(GL_TEXTURE);
        glTranslatef(-1, -1, 0);
        glScalef(3, 3, 1);
        return;
    }
    GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    glUseProgram(program);
}

#define LOOKS(type, value)                                      \
    "#version 130\n#extension GL_ARB_texture_gather : enable\n" \
    "in vec2 uv; uniform " type " t;\n"                         \
    "vec4 look(" type " s) { return " value "; }\n"             \
    "void main() { gl_FragColor = look(t); }\n"

static const struct {
    GLenum target;
    const char *text;
} lookups[] = {
    { GL_TEXTURE_2D, LOOKS("sampler2D", "texture(s, uv)") },
    { GL_TEXTURE_2D, LOOKS("sampler2D", "texture(s, uv, 1.0)") },
    { GL_TEXTURE_2D, LOOKS("sampler2D", "textureProj(s, vec4(uv, 9.0, 1.0 + uv.x * "
                                        "0.1) * vec4(1.1, 1.1, 1, 1))") },
    { GL_TEXTURE_2D, LOOKS("sampler2D", "textureLod(s, uv, 0.0)") },
    { GL_TEXTURE_2D, LOOKS("sampler2D", "textureGrad(s, uv, vec2(0.1), vec2(0.2))") },
    { GL_TEXTURE_2D, LOOKS("sampler2D", "textureOffset(s, uv, ivec2(2, -3))") },
    { GL_TEXTURE_2D, LOOKS("sampler2D", "textureGather(s, uv)") },
    { GL_TEXTURE_1D, LOOKS("sampler1D", "texture(s, uv.x)") },
    { GL_TEXTURE_3D, LOOKS("sampler3D", "texture(s, uv.xyx)") },
    { GL_TEXTURE_2D_ARRAY, LOOKS("sampler2DArray", "texture(s, vec3(uv, 1.0))") },
    { GL_TEXTURE_2D, NULL }, // the fixed function
};
#define OFFSET 5 // of lookups

// Tile `i` of 12 x 8.
static void tile(int i)
{
    const int row = i / 12;

    draw_rectangle((float)(i % 12) / 6 - 1 + 0.01F, (float)row / 4 - 1 + 0.01F, 0.15F,
                   0.23F);
}

// A texture by all wraps and two pairs of filters. Offsets are of texels of a level:
// one.
static void draw_wraps(int column, int frame)
{
    const GLenum target = lookups[column].target;
    const bool mips = target == GL_TEXTURE_2D && column != OFFSET;
    bind(target, frame);
    if (mips)
        glGenerateMipmap(target);
    for (int k = 0; k < COUNT(wraps); k++) {
        set(target, wraps[k], GL_LINEAR, GL_LINEAR);
        tile(24 * k + column);
        set(target, wraps[k], mips ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR,
            frame % 2 ? GL_LINEAR : GL_NEAREST);
        tile(24 * k + 12 + column);
    }
    glBindTexture(target, 0);
}

void scene_beyond(int frame)
{
    for (int i = 0; i < COUNT(lookups); i++) {
        use_program(lookups[i].text);
        draw_wraps(i, frame);
    }
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glDisable(GL_TEXTURE_2D);
}
