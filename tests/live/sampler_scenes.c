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

// ---- buffers by number ----

#define CHOSEN(kind, to)                                                     \
    "#version 400\n#extension GL_ARB_compatibility : require\nin vec2 uv;\n" \
    "uniform " kind                                                          \
    "Buffer t[4]; uniform int which[2]; uniform int turn; out vec4 o;\n"     \
    "void main() { int at = int(uv.x * 6.0) + 6 * int(uv.y * 4.0);\n"        \
    "  int a = which[0], b = (which[1] + turn) % 4;\n"                       \
    "  o = vec4(" to                                                         \
    "); if (at >= textureSize(t[a]) || at >= textureSize(t[b])) o.b = 0.9; }\n"

// Buffer textures in an array, of formats and sizes of their own, by uniform numbers.
void scene_chosen_buffers(int frame)
{
    static const GLenum floats[] = { GL_RGBA8, GL_R32F, GL_RG16, GL_RGBA16 };
    static const GLenum whole[] = { GL_RGBA8UI, GL_R32UI, GL_RG16UI, GL_RGBA32UI };
    uint8_t bytes[512];
    GLuint buffer, textures[8];
    make_noise(bytes, (int)sizeof bytes, (uint32_t)frame + 9);
    for (int i = 0; i < 512; i += 4)
        bytes[i + 3] &= 0x3f; // small as floats
    glGenBuffers(1, &buffer);
    glGenTextures(8, textures);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glBufferData(GL_TEXTURE_BUFFER, sizeof bytes, bytes, GL_DYNAMIC_DRAW);
    for (int i = 0; i < 8; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_BUFFER, textures[i]);
        glTexBufferRange(GL_TEXTURE_BUFFER, i < 4 ? floats[i] : whole[i - 4], buffer,
                         32 * (i % 4), 60 + 100 * (i % 3));
    }
    for (int k = 0; k < 2; k++) {
        GLuint program = use_program(
            k ? CHOSEN("usampler", "(texelFetch(t[a], at) ^ texelFetch(t[b], at)) % "
                                   "97u) / 97.0 + vec4(0.0")
              : CHOSEN("sampler",
                       "texelFetch(t[a], at) * 0.5 + texelFetch(t[b], at) * 0.25"));
        for (int i = 0; i < 4; i++)
            glUniform1i(glGetUniformLocation(program, i == 0   ? "t[0]"
                                                      : i == 1 ? "t[1]"
                                                      : i == 2 ? "t[2]"
                                                               : "t[3]"),
                        4 * k + i);
        for (int i = 0; i < 16; i++) {
            const GLint which[] = { i % 4, i / 4 };
            glUniform1iv(glGetUniformLocation(program, "which"), 2, which);
            glUniform1i(glGetUniformLocation(program, "turn"), frame);
            tile(16 * k + i);
        }
    }
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(0);
}

// ---- ten bits ----

#define TEN_BYTES (8 * 8 * 16)

// Into textures, of every kind of pixels.
static void upload_ten(GLuint texture, const uint8_t *bytes, const float *values)
{
    static const struct {
        GLenum format, type;
    } kinds[] = {
        { GL_RGBA, GL_UNSIGNED_BYTE },
        { GL_RGBA, GL_UNSIGNED_SHORT },
        { GL_RGBA, GL_FLOAT },
        { GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV },
        { GL_BGRA, GL_UNSIGNED_INT_2_10_10_10_REV },
        { GL_RGBA, GL_UNSIGNED_INT_10_10_10_2 },
        { GL_RGB, GL_UNSIGNED_BYTE },
        { GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4 },
    };
    static const GLint internals[] = { GL_RGB10_A2, GL_RGB10 };
    for (int i = 0; i < 2 * COUNT(kinds); i++) {
        const int k = i % COUNT(kinds);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        glTexImage2D(GL_TEXTURE_2D, 0, internals[i / COUNT(kinds)], 8, 8, 0,
                     kinds[k].format, kinds[k].type,
                     kinds[k].type == GL_FLOAT ? (const void *)values : bytes);
        tile(i);
    }
}

static void into_target(int how, int frame, const float *values)
{
    switch (how) {
    case 0:
        glClearColor(0.3001f, 0.7777f, 0.1239f, 0.5f);
        glClear(GL_COLOR_BUFFER_BIT);
        break;
    case 1:
        glBegin(GL_TRIANGLE_STRIP);
        for (int c = 0; c < 4; c++) {
            glColor4f(0.1f * (float)(c + frame), 0.3f * (float)c, 1 - 0.21f * (float)c,
                      1);
            glVertex2f(c & 1 ? 1 : -1, c & 2 ? 1 : -1);
        }
        glEnd();
        break;
    case 2:
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
        glRasterPos2f(-1, -1);
        glDrawPixels(8, 4, GL_RGBA, GL_FLOAT, values);
        break;
    case 3:
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        glColor4f(0.11f, 0.23f, 0.37f, 0.4f);
        draw_rectangle(-1, -1, 2, 1.5f);
        glDisable(GL_BLEND);
        break;
    default:
        break;
    }
}

// Into targets; of the last one levels are averaged.
static void draw_ten(GLint internal, int how, int frame, const uint8_t *bytes,
                     const float *values)
{
    GLuint texture, framebuffer;
    GLint before = 0;
    glGenFramebuffers(1, &framebuffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 bytes + how);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           0);
    glViewport(0, 0, 8, 8);
    glGetIntegerv(GL_CURRENT_PROGRAM, &before);
    glUseProgram(0);
    into_target(how, frame, values);
    glUseProgram((GLuint)before);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 240, 180);
    if (how == 4) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
        glGenerateMipmap(GL_TEXTURE_2D);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    }
    glDeleteFramebuffers(1, &framebuffer);
}

// The lowest bits of formats of ten: of every kind of pixels, drawn, cleared, copied,
// averaged; and what pixels of more than eight bits leave in formats of more.
void scene_ten_bits(int frame)
{
    static const char fragment[] =
        "#version 140\n#extension GL_ARB_compatibility : require\nin vec2 uv;\n"
        "uniform sampler2D t; out vec4 o;\n"
        "void main() { o = texelFetch(t, ivec2(uv * 7.99), 0);\n"
        "  o.rgb = mod(floor(o.rgb * 1023.0 + 0.5), 8.0) / 8.0; }\n";
    static const GLint deep[] = { GL_RGBA16, GL_RGBA16F, GL_RGBA32F,
                                  GL_R11F_G11F_B10F };
    uint8_t bytes[TEN_BYTES];
    float values[8 * 8 * 4];
    GLuint texture;
    make_noise(bytes, TEN_BYTES, (uint32_t)frame + 3);
    for (int i = 0; i < 8 * 8 * 4; i++)
        values[i] = (float)bytes[i] / 200.0f + (float)bytes[i + 300] / 70000.0f;
    use_program(fragment);
    glGenTextures(1, &texture);
    upload_ten(texture, bytes, values);
    for (int how = 0; how < 5; how++) {
        draw_ten(GL_RGB10_A2, how, frame, bytes, values);
        tile(16 + how);
    }
    for (int i = 0; i < COUNT(deep); i++) {
        draw_ten(deep[i], 2, frame, bytes, values);
        tile(24 + i);
    }
    glUseProgram(0);
}
