#define GL_GLEXT_PROTOTYPES
#include "tests/live/rule_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 24
#define CELL 10 // pixels
#define BUFFERS 4
#define BUFFER_FLOATS 128

static const struct {
    const char *name, *version, *vertex, *place, *fragment, *body;
} rules[] = {
#define GLSL_RULE(name, version, globals, body) \
    { #name, version, "", "", globals, body },
#define GLSL_STAGES(name, version, vertex, place, fragment, body) \
    { #name, version, vertex, place, fragment, body },
#include "tests/live/glsl_rules.def"
#undef GLSL_RULE
#undef GLSL_STAGES
};
#define RULES (int)(sizeof rules / sizeof *rules)

static void complain(int i, const char *log)
{
    fprintf(stderr, "live_scenes: rule %s: %s\n", rules[i].name, log);
}

static GLuint shader_of(int i, GLenum stage, const char *text)
{
    char log[400] = "";
    GLint ok = 0;
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!ok)
        complain(i, log);
    return shader;
}

// By numbers that the program asks nobody for.
static void bind_blocks(int i, GLuint program)
{
    GLint count = 0;
    if (strncmp(rules[i].name, "indices_", 8) != 0)
        return;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLuint k = 0; k < (GLuint)count; k++)
        glUniformBlockBinding(program, k, k % BUFFERS);
    glGetProgramInterfaceiv(program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES,
                            &count);
    for (GLuint k = 0; k < (GLuint)count; k++)
        glShaderStorageBlockBinding(program, k, k % BUFFERS);
}

static GLuint program_of(int i)
{
    static char text[1 << 14];
    char log[400] = "";
    const long version = strtol(rules[i].version, NULL, 10);
    const int es = version == 100 || strstr(rules[i].version, "es") != NULL;
    const int old = version < 130;
    const char *precision = es ? "precision highp float;\nprecision highp int;\n" : "";
    GLint ok = 0;
    GLuint program = glCreateProgram();
    snprintf(text, sizeof text,
             "#version %s\n%s%s vec4 gv_place;\n%s vec2 at;\n%s\nvoid main() {\n"
             "  gl_Position = gv_place; at = gv_place.xy * 0.5 + 0.5;\n  %s\n}\n",
             rules[i].version, precision, old ? "attribute" : "in",
             old ? "varying" : "out", rules[i].vertex, rules[i].place);
    glAttachShader(program, shader_of(i, GL_VERTEX_SHADER, text));
    snprintf(text, sizeof text,
             "#version %s\n%s%s vec2 at;\n%s%s\nvoid main() {\n  vec4 r;\n  %s\n"
             "  %s = r;\n}\n",
             rules[i].version, precision, old ? "varying" : "in",
             old ? "" : "out vec4 gv_shown;\n", rules[i].fragment, rules[i].body,
             old ? "gl_FragColor" : "gv_shown");
    glAttachShader(program, shader_of(i, GL_FRAGMENT_SHADER, text));
    glBindAttribLocation(program, 0, "gv_place");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!ok)
        complain(i, log);
    bind_blocks(i, program);
    return program;
}

static void make_buffers(void)
{
    static float floats[BUFFER_FLOATS];
    GLuint names[BUFFERS];
    glGenBuffers(BUFFERS, names);
    for (GLuint i = 0; i < BUFFERS; i++) {
        for (int k = 0; k < BUFFER_FLOATS; k++)
            floats[k] = (float)((k * 7 + (int)i * 3) % 17) / 16.0f;
        glBindBuffer(GL_UNIFORM_BUFFER, names[i]);
        glBufferData(GL_UNIFORM_BUFFER, sizeof floats, floats, GL_STATIC_DRAW);
        glBindBufferBase(GL_UNIFORM_BUFFER, i, names[i]);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, names[i]);
    }
}

// How many samples a pixel has, where it has several.
static void draw_samples(int x, int y)
{
    static const char text[] =
        "#version 400\nout vec4 o;\nvoid main() {\n"
        "  o = vec4(float(gl_NumSamples) * 0.125, 0.5, 0, 1);\n}\n";
    GLint samples = 0;
    GLuint framebuffer, colors, program = glCreateProgram();
    glAttachShader(program, shader_of(0, GL_FRAGMENT_SHADER, text));
    glLinkProgram(program);
    glUseProgram(program);
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &colors);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, colors);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, CELL, CELL);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              colors);
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &samples);
    if (samples != 4)
        fprintf(stderr, "live_scenes: %d samples\n", samples);
    glViewport(0, 0, CELL, CELL);
    glRectf(-1, -1, 1, 1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, CELL, CELL, x, y, x + CELL, y + CELL, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void scene_rules(int frame)
{
    static GLuint programs[RULES];
    GLint viewport[4];
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glGetIntegerv(GL_VIEWPORT, viewport);
    if (!programs[0])
        make_buffers();
    for (int i = 0; i < RULES; i++) {
        if (!programs[i])
            programs[i] = program_of(i);
        glUseProgram(programs[i]);
        glViewport(i % COLUMNS * CELL, i / COLUMNS * CELL, CELL - 1 - frame % 2,
                   CELL - 1);
        glRectf(-1, -1, 1, 1);
    }
    draw_samples(RULES % COLUMNS * CELL, RULES / COLUMNS * CELL);
    glUseProgram(0);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}
