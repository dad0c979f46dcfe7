#define GL_GLEXT_PROTOTYPES
#include "tests/live/wrap_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/live/scene_shapes.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

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
