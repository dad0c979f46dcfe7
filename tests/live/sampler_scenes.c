#define GL_GLEXT_PROTOTYPES
#include "tests/live/sampler_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/live/scene_shapes.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

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

static GLuint use_program(const char *fragment)
{
    static const char vertex[] =
        "#version 140\n#extension GL_ARB_compatibility : require\n"
        "out vec2 uv; void main() { gl_Position = gl_Vertex;\n"
        "  uv = gl_MultiTexCoord0.xy; }\n";
    GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

// Tile `i` of 8 x 6.
static void tile(int i)
{
    const int row = i / 8;

    draw_rectangle((float)(i % 8) / 4 - 1 + 0.01f, (float)row / 3 - 1 + 0.01f, 0.23f,
                   0.31f);
    glFlush(); // Mesa draws it before anything else is done
}

// Bytes that look random and are always the same.
static void make_noise(uint8_t *bytes, int count, uint32_t seed)
{
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(seed >> 24);
    }
}

// ---- buffers ----

#define READS(kind, to)                                                 \
    "#version 140\nin vec2 uv; uniform " kind "Buffer t; out vec4 o;\n" \
    "void main() { int at = int(uv.x * 6.0) + 6 * int(uv.y * 4.0);\n"   \
    "  o = vec4(" to "); if (at >= textureSize(t)) o = vec4(0.3); }\n"

static void draw_formats(GLuint buffer, const GLenum *formats, int count, int first)
{
    for (int i = 0; i < count; i++) {
        if (i % 2)
            glTexBuffer(GL_TEXTURE_BUFFER, formats[i], buffer);
        else
            glTexBufferRange(GL_TEXTURE_BUFFER, formats[i], buffer, 32, 200 + i);
        tile(first + i);
    }
}

void scene_texels(int frame)
{
    static const GLenum floats[] = {
        GL_R8,         GL_RG8,        GL_RGBA8,
        GL_R16,        GL_RG16,       GL_RGBA16,
        GL_ALPHA8,     GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8,
        GL_INTENSITY8, GL_ALPHA16,    GL_INTENSITY16,
    };
    static const GLenum whole[] = { GL_R8UI,     GL_RG8UI,    GL_RGBA8UI, GL_R16UI,
                                    GL_RGBA16UI, GL_RGBA32UI, GL_RGB32UI };
    static const GLenum with_sign[] = { GL_R8I, GL_RG16I, GL_RGBA32I, GL_RGB32I };
    static const GLenum real[] = { GL_R32F, GL_RG32F, GL_RGB32F, GL_RGBA32F };
    uint8_t bytes[512];
    float values[64];
    GLuint buffers[2], texture;
    make_noise(bytes, (int)sizeof bytes, (uint32_t)frame);
    for (int i = 0; i < 64; i++)
        values[i] = (float)bytes[i] / 255.0f;
    glGenBuffers(2, buffers);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glBindBuffer(GL_TEXTURE_BUFFER, buffers[0]);
    glBufferData(GL_TEXTURE_BUFFER, sizeof bytes, bytes, GL_DYNAMIC_DRAW);
    use_program(READS("sampler", "texelFetch(t, at)"));
    draw_formats(buffers[0], floats, COUNT(floats), 0);
    for (int i = 0; i < 4; i++) { // each draw sees what was written before it
        glBufferSubData(GL_TEXTURE_BUFFER, 4 * i, 64, bytes + 64 * i);
        tile(COUNT(floats) + i);
    }
    glBindBuffer(GL_TEXTURE_BUFFER, buffers[1]);
    glBufferData(GL_TEXTURE_BUFFER, sizeof values, values, GL_DYNAMIC_DRAW);
    draw_formats(buffers[1], real, COUNT(real), 16);
    use_program(READS("usampler", "texelFetch(t, at) % 97u) / 97.0 + vec4(0.0"));
    draw_formats(buffers[0], whole, COUNT(whole), 24);
    use_program(READS("isampler", "texelFetch(t, at) & 127) / 127.0 + vec4(0.0"));
    draw_formats(buffers[0], with_sign, COUNT(with_sign), 32);
    glUseProgram(0);
}

// ---- depth ----

#define SAMPLED(version, type, value)                                  \
    "#version " version "\n#extension GL_ARB_compatibility : enable\n" \
    "varying vec2 uv; uniform " type " t; void main() { gl_FragColor = " value "; }\n"

static void depth_texture(GLint format, uint32_t seed)
{
    uint8_t bytes[256];
    make_noise(bytes, (int)sizeof bytes, seed);
    glTexImage2D(GL_TEXTURE_2D, 0, format, 8, 8, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                 bytes);
}

static void draw_modes(int first)
{
    static const GLint modes[] = { GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED };
    for (int i = 0; i < COUNT(modes); i++) {
        glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, modes[i]);
        tile(first + i);
    }
}

void scene_compares(int frame)
{
    static const GLint formats[] = { GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24,
                                     GL_DEPTH_COMPONENT32F };
    static const GLint functions[] = { GL_LESS, GL_GEQUAL, GL_NOTEQUAL, GL_NEVER };
    GLint filter = frame % 2 ? GL_LINEAR : GL_NEAREST;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (int i = 0; i < COUNT(formats); i++) {
        depth_texture(formats[i], (uint32_t)(frame + i));
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
        use_program(SAMPLED("130", "sampler2D", "texture(t, uv) * 0.8 + 0.1"));
        draw_modes(12 * i);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
                        GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, functions[i]);
        use_program(SAMPLED("120", "sampler2DShadow",
                            "shadow2D(t, vec3(uv, 0.5)) * 0.8 + 0.1"));
        draw_modes(12 * i + 4);
        use_program(SAMPLED("130", "sampler2DShadow",
                            "vec4(texture(t, vec3(uv, 0.4 + 0.3 * uv.x))) * 0.8"));
        glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, GL_LUMINANCE);
        for (int k = 0; k < 4; k++) { // each draw compares its own way
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC,
                            functions[(i + k) % 4]);
            tile(12 * i + 8 + k);
        }
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glUseProgram(0);
}

// A texture of depth of `side` x `side`, with all of its levels.
static void depth_levels(GLint side)
{
    static uint8_t bytes[4 * 64 * 64];
    for (GLint level = 0; side; level++, side /= 2) {
        make_noise(bytes, 4 * side * side, (uint32_t)side);
        glTexImage2D(GL_TEXTURE_2D, level, GL_DEPTH_COMPONENT24, side, side, 0,
                     GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, bytes);
    }
}

// Of the fixed function, larger and smaller than its texels are.
void scene_depth_filters(int frame)
{
    static const GLint filters[][2] = {
        { GL_NEAREST, GL_LINEAR },
        { GL_LINEAR, GL_NEAREST },
        { GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR },
        { GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST },
        { GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR },
        { GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST },
    };
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glEnable(GL_TEXTURE_2D);
    glMatrixMode(GL_TEXTURE);
    glTranslatef(0, 0, 0.4f); // what is compared
    for (int i = 0; i < 4 * COUNT(filters); i++) {
        const GLint *f = filters[i / 4];
        depth_levels(i % 2 ? 64 : 8);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, f[0]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, f[1]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
                        i / 2 % 2 ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC,
                        frame % 2 ? GL_LEQUAL : GL_GREATER);
        tile(i);
    }
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glDisable(GL_TEXTURE_2D);
}
