#define GL_GLEXT_PROTOTYPES
#include "tests/live/module_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

#include "tests/live/module_blocks.spv.h"
#include "tests/live/module_constants.spv.h"
#include "tests/live/module_counters.spv.h"
#include "tests/live/module_fewer.spv.h"
#include "tests/live/module_fill.spv.h"
#include "tests/live/module_place.spv.h"
#include "tests/live/module_textures.spv.h"
#include "tests/live/module_uniforms.spv.h"

#define CORNER 20 // locations of place.vert and fewer.geom
#define SHRINK 21

struct module {
    GLenum stage;
    const uint32_t *words;
    GLsizei size;
    const GLuint *numbers, *values; // of constants
    GLuint count;
};

#define MODULE(stage, name)                              \
    {                                                    \
        stage, name, (GLsizei)sizeof name, NULL, NULL, 0 \
    }
#define SPECIAL(stage, name, numbers, values)               \
    {                                                       \
        stage, name, (GLsizei)sizeof name, numbers, values, \
            sizeof numbers / sizeof *numbers                \
    }

static GLuint linked(const struct module *modules, int count)
{
    GLint ok = 0;
    GLuint program = glCreateProgram();
    for (int i = 0; i < count; i++) {
        const struct module *m = &modules[i];
        GLuint shader = glCreateShader(m->stage);
        glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V, m->words, m->size);
        glSpecializeShader(shader, "main", m->count, m->numbers, m->values);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
        if (!ok)
            fprintf(stderr, "live_scenes: a module does not compile\n");
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: modules do not link\n");
    return program;
}

// Cell `i` of twelve, by the program that is in use.
static void cell(int i, int instances)
{
    const int column = i % 4, row = i / 4;
    glUniform2f(CORNER, -0.98f + 0.5f * (float)column, -0.95f + 0.65f * (float)row);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, instances);
}

static void show_uniforms(int frame)
{
    static const struct module modules[] = {
        MODULE(GL_VERTEX_SHADER, module_place),
        MODULE(GL_FRAGMENT_SHADER, module_uniforms),
    };
    static GLuint program;
    program = program ? program : linked(modules, 2);
    const float f = (float)frame / 4;
    glUseProgram(program);
    glUniform4f(2, 0.1f, 0.2f + f, 0.1f, 1);
    glUniform1fv(3, 2, (const float[]){ 0.5f, 0.75f });
    glUniformMatrix2fv(5, 1, GL_FALSE, (const float[]){ 0.5f, f, 0.25f, 0.125f });
    glUniform1i(7, 1);
    glUniform2i(8, 3, 5);
    for (int i = 0; i < 4; i++)
        glUniform3f(10 + i, 0.05f * (float)i, 0.1f * (float)i, 0.2f * (float)i);
    cell(0, 1);
}

static void show_textures(int frame)
{
    static const struct module modules[] = {
        MODULE(GL_VERTEX_SHADER, module_place),
        MODULE(GL_FRAGMENT_SHADER, module_textures),
    };
    static GLuint program, textures[8];
    program = program ? program : linked(modules, 2);
    if (!textures[0])
        glGenTextures(8, textures);
    for (int i = 0; i < 8; i++) {
        unsigned char texels[16];
        for (int k = 0; k < 16; k++)
            texels[k] = (unsigned char)(k % 4 == 3 ? 255 : 20 * i + 13 * k + frame);
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    }
    glUseProgram(program);
    glUniform1i(3, 2);
    glUniform1f(4, 0.5f);
    glUniform1f(8, 0.75f);
    glUniform1iv(9, 2, (const GLint[]){ 3, 4 });
    glUniform1iv(11, 2, (const GLint[]){ 5, 6 });
    glUniform1iv(13, 2, (const GLint[]){ 7, 0 });
    cell(1, 1);
    glActiveTexture(GL_TEXTURE0);
}

static GLuint buffer_of(GLenum target, GLuint point, const void *bytes, GLsizeiptr size)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBufferBase(target, point, name);
    glBufferData(target, size, bytes, GL_DYNAMIC_DRAW);
    return name;
}

// A compute shader fills what the blocks' shader reads.
static void show_blocks(int frame)
{
    static const GLuint one[] = { 1 }, four[] = { 4 };
    static const struct module fill[] = {
        SPECIAL(GL_COMPUTE_SHADER, module_fill, one, four),
    };
    static const struct module modules[] = {
        MODULE(GL_VERTEX_SHADER, module_place),
        MODULE(GL_FRAGMENT_SHADER, module_blocks),
    };
    static GLuint filling, program, stored;
    float colors[2][28] = { { 0 } };
    if (!program) {
        filling = linked(fill, 1);
        program = linked(modules, 2);
        stored = buffer_of(GL_SHADER_STORAGE_BUFFER, 2, NULL, 8 + 8 * 6);
    }
    for (int i = 0; i < 28; i++) {
        colors[0][i] = 0.03f * (float)(i + frame);
        colors[1][i] = 0.02f * (float)i;
    }
    GLuint names[2] = { buffer_of(GL_UNIFORM_BUFFER, 1, colors[0], sizeof colors[0]),
                        buffer_of(GL_UNIFORM_BUFFER, 2, colors[1], sizeof colors[1]) };
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, stored);
    glUseProgram(filling);
    glUniform2f(4, 0.05f + 0.01f * (float)frame, 0.08f);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(program);
    cell(2, 2);
    glDeleteBuffers(2, names);
}

// Each fragment counts, then another draw shows how many did.
static void show_counters(int frame)
{
    static const struct module modules[] = {
        MODULE(GL_VERTEX_SHADER, module_place),
        MODULE(GL_FRAGMENT_SHADER, module_counters),
    };
    static GLuint program;
    const GLuint start[] = { 100, 7, 4096, 1000u * (GLuint)frame };
    program = program ? program : linked(modules, 2);
    GLuint counts = buffer_of(GL_ATOMIC_COUNTER_BUFFER, 0, start, sizeof start);
    glUseProgram(program);
    glUniform1i(0, 0);
    cell(3, 1);
    glMemoryBarrier(GL_ATOMIC_COUNTER_BARRIER_BIT);
    glUniform1i(0, 1);
    cell(4, 1);
    glDeleteBuffers(1, &counts);
}

static void show_constants(int frame)
{
    static const GLuint numbers[] = { 9, 3, 11 }, values[] = { 1, 5, 6 };
    static const GLuint scale[] = { 7 }, half[] = { 0x3f000000 };
    static const struct module modules[][2] = {
        { MODULE(GL_VERTEX_SHADER, module_place),
          MODULE(GL_FRAGMENT_SHADER, module_constants) },
        { MODULE(GL_VERTEX_SHADER, module_place),
          SPECIAL(GL_FRAGMENT_SHADER, module_constants, numbers, values) },
        { MODULE(GL_VERTEX_SHADER, module_place),
          SPECIAL(GL_FRAGMENT_SHADER, module_constants, scale, half) },
    };
    static GLuint programs[3];
    for (int i = 0; i < 3; i++) {
        programs[i] = programs[i] ? programs[i] : linked(modules[i], 2);
        glUseProgram(programs[i]);
        cell(5 + (i + frame) % 3, 1);
    }
}

// Locations hold from stage to stage.
static void show_stages(int frame)
{
    static const struct module modules[] = {
        MODULE(GL_VERTEX_SHADER, module_place),
        MODULE(GL_GEOMETRY_SHADER, module_fewer),
        MODULE(GL_FRAGMENT_SHADER, module_blocks),
    };
    static GLuint program;
    const float colors[28] = { 0.2f, 0.9f, 0.4f, 1, 0.5f, 0.25f, 0.1f, 0, 0.3f };
    program = program ? program : linked(modules, 3);
    GLuint names[2] = { buffer_of(GL_UNIFORM_BUFFER, 1, colors, sizeof colors),
                        buffer_of(GL_UNIFORM_BUFFER, 2, colors, sizeof colors) };
    glUseProgram(program);
    glUniform1f(SHRINK, 0.02f * (float)frame);
    cell(8, 2);
    glDeleteBuffers(2, names);
}

void scene_modules(int frame)
{
    show_uniforms(frame);
    show_textures(frame);
    show_blocks(frame);
    show_counters(frame);
    show_constants(frame);
    show_stages(frame);
    glUseProgram(0);
}
