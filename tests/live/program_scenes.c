#define GL_GLEXT_PROTOTYPES
#include "tests/live/program_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

static GLuint compiled(GLenum stage, const char *text)
{
    GLint ok = 0;
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a shader does not compile\n");
    return shader;
}

static GLuint linked(const char *vertex, const char *fragment)
{
    GLint ok = 0;
    GLuint program = glCreateProgram();
    glAttachShader(program, compiled(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, compiled(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
    return program;
}

static GLint place(GLuint program, const char *name)
{
    return glGetUniformLocation(program, name);
}

static void begin_scene(void)
{
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, 240, 0, 180, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
}

static void square(float x, float y, float side)
{
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        float right = i == 1 || i == 2 ? 1 : 0, top = i > 1 ? 1 : 0;
        glColor3f(right, top, 0.5f);
        glNormal3f(0, 0.6f, 0.8f);
        glMultiTexCoord2f(GL_TEXTURE0, right, top);
        glVertex2f(x + right * side, y + top * side);
    }
    glEnd();
}

// ---- built-in names, uniforms, samplers, blocks ----

static void legacy(int frame)
{
    static const float ambient[] = { 0.2f, 0.1f, 0.3f, 1 };
    glLightfv(GL_LIGHT0, GL_AMBIENT, ambient);
    GLuint program =
        linked("#version 120\n"
               "varying vec4 light;\n"
               "void main() {\n"
               "  gl_Position = ftransform();\n"
               "  gl_FrontColor = gl_Color;\n"
               "  gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0;\n"
               "  light = gl_LightSource[0].ambient +\n"
               "    vec4(gl_NormalMatrix * gl_Normal, 0.0) * 0.5;\n"
               "}\n",
               "#version 120\n"
               "varying vec4 light;\n"
               "uniform float mixed[3];\n"
               "void main() {\n"
               "  gl_FragColor = mix(gl_Color, light, mixed[1])\n"
               "    + vec4(gl_TexCoord[0].st * mixed[2], 0.0, 0.0);\n"
               "}\n");
    const float mixed[] = { 9, 0.25f * (float)(frame % 4), 0.125f };
    glUniform1fv(place(program, "mixed"), 3, mixed);
    square(5, 5, 50);
    glUniform1f(place(program, "mixed[1]"), 1);
    square(60, 5, 50);
}

static void sampled(void)
{
    static const unsigned char texels[4][4] = {
        { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 0, 255 }
    };
    GLuint texture;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + 9);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glActiveTexture(GL_TEXTURE0);
    GLuint program =
        linked("#version 110\n"
               "void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
               "  gl_TexCoord[0] = gl_MultiTexCoord0; }\n",
               "#version 110\n"
               "uniform sampler2D image, nothing;\n"
               "void main() { gl_FragColor = texture2D(image, gl_TexCoord[0].st)\n"
               "  + texture2D(nothing, gl_TexCoord[0].st) * 0.5; }\n");
    glUniform1i(place(program, "image"), 9);
    glUniform1i(place(program, "nothing"), 11);
    square(120, 5, 50);
}

static void blocks(int frame)
{
    const float colors[2][4] = { { 0.9f, 0.3f, 0.1f * (float)frame, 1 },
                                 { 0.1f, 0.6f, 0.9f, 1 } };
    GLuint buffer,
        program =
            linked("#version 140\n"
                   "in vec2 corner;\n"
                   "uniform mat2x3 place;\n"
                   "void main() { gl_Position =\n"
                   "  vec4(place * corner, 1.0); }\n",
                   "#version 140\n"
                   "layout(std140) uniform Colors { vec4 color[2]; };\n"
                   "out vec4 result;\n"
                   "void main() { result = color[int(gl_FragCoord.y) / 8 % 2]; }\n");
    const float place_of[] = { 0.3f, 0, 0, 0, 0.3f, 0 };
    static const float corners[] = { -3, 0.4f, -1.2f, 0.4f, -2, 3 };
    glUniformMatrix2x3fv(place(program, "place"), 1, GL_FALSE, place_of);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof colors, colors, GL_STATIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffer);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Colors"), 3);
    GLint corner = glGetAttribLocation(program, "corner");
    glEnableVertexAttribArray((GLuint)corner);
    glVertexAttribPointer((GLuint)corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray((GLuint)corner);
}

void scene_programs(int frame)
{
    begin_scene();
    legacy(frame);
    sampled();
    blocks(frame);
    glUseProgram(0);
    square(180, 5, 50); // the fixed function again
}

// ---- integers, instances, numbers of vertices, points ----

static void integers(void)
{
    static const int numbers[][4] = { { -1, 16777217, 2, 3 },
                                      { -1, 16777217, 2, 3 },
                                      { -1, 16777217, 2, 3 } };
    static const float corners[] = { -0.9f, -0.9f, -0.5f, -0.9f, -0.7f, -0.3f };
    GLuint program =
        linked("#version 130\n"
               "in vec2 corner; in ivec4 number; flat out int odd;\n"
               "void main() { gl_Position = vec4(corner, 0.0, 1.0);\n"
               "  odd = number.y % 2 - number.x; }\n",
               "#version 130\n"
               "flat in int odd; out vec4 color;\n"
               "void main() { color = vec4(float(odd) / 4.0, 0.7, 0.2, 1.0); }\n");
    GLuint corner = (GLuint)glGetAttribLocation(program, "corner"),
           number = (GLuint)glGetAttribLocation(program, "number"), buffer;
    glEnableVertexAttribArray(corner);
    glEnableVertexAttribArray(number);
    glVertexAttribPointer(corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    // The recorder takes integers of the program's memory for floats.
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof numbers, numbers, GL_STATIC_DRAW);
    glVertexAttribIPointer(number, 4, GL_INT, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(corner);
    glDisableVertexAttribArray(number);
}

static void instances(int frame)
{
    static const float corners[] = { 0, 0, 0.2f, 0, 0.1f, 0.3f };
    const float steps[] = { -0.3f, -0.9f, 0, -0.8f, 0.3f, -0.7f + 0.1f * (float)frame };
    GLuint program =
        linked("#version 130\n"
               "in vec2 corner, step;\n"
               "void main() { gl_Position = vec4(corner + step, 0.0, 1.0); }\n",
               "#version 130\n"
               "out vec4 color;\n"
               "void main() { color = vec4(0.2, 0.8, 0.9, 1.0); }\n");
    GLuint corner = (GLuint)glGetAttribLocation(program, "corner"),
           step = (GLuint)glGetAttribLocation(program, "step");
    glEnableVertexAttribArray(corner);
    glEnableVertexAttribArray(step);
    glVertexAttribPointer(corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(step, 2, GL_FLOAT, GL_FALSE, 0, steps);
    glVertexAttribDivisor(step, 1);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 3);
    glVertexAttribDivisor(step, 0);
    glDisableVertexAttribArray(corner);
    glDisableVertexAttribArray(step);
}

// Steps of arrays beside the instance's number.
static void numbered_steps(int frame)
{
    static const float corners[] = { 0, 0, 0.15f, 0, 0.07f, 0.25f };
    const float steps[] = { -0.6f, -0.307f + 0.05f * (float)frame, -0.2f, -0.257f };
    GLuint program = linked(
        "#version 140\n"
        "in vec2 corner, step; out vec4 tint;\n"
        "void main() { float n = float(gl_InstanceID); tint = vec4(n, 1.0, 3.0, 1.0);\n"
        "  gl_Position = vec4(corner + step + vec2(0.2 * n, 0.0), 0.0, 1.0); }\n",
        "#version 140\n"
        "in vec4 tint; out vec4 color;\n"
        "void main() { color = vec4(tint.rgb / 4.0, 1.0); }\n");
    GLuint corner = (GLuint)glGetAttribLocation(program, "corner"),
           step = (GLuint)glGetAttribLocation(program, "step");
    glEnableVertexAttribArray(corner);
    glEnableVertexAttribArray(step);
    glVertexAttribPointer(corner, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(step, 2, GL_FLOAT, GL_FALSE, 0, steps);
    glVertexAttribDivisor(step, 2);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 4);
    glVertexAttribDivisor(step, 0);
    glDisableVertexAttribArray(corner);
    glDisableVertexAttribArray(step);
}

static void numbered(void)
{
    linked("#version 130\n"
           "void main() { gl_Position = vec4(-0.796 + 0.2 * float(gl_VertexID % 4),\n"
           "  0.105 + 0.3 * float(gl_VertexID / 4), 0.0, 1.0); gl_PointSize = 9.0; }\n",
           "#version 130\n"
           "out vec4 color;\n"
           "void main() { color = vec4(1.0, 0.4, 0.3, 1.0); }\n");
    glPointSize(5);
    glDrawArrays(GL_POINTS, 4, 4);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glDrawArrays(GL_POINTS, 8, 4);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

void scene_inputs(int frame)
{
    begin_scene();
    integers();
    instances(frame);
    numbered_steps(frame);
    numbered();
    glUseProgram(0);
}

// ---- links of what is in use ----

// Links with another text for fragments; what fails is drawn with as before.
static void relink(GLuint program, const char *fragment)
{
    GLuint shaders[2], added;
    GLint ok = 0;
    GLsizei count = 0;
    const GLchar *text = fragment;
    glGetAttachedShaders(program, 2, &count, shaders);
    added = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(added, 1, &text, NULL);
    glCompileShader(added);
    glDetachShader(program, shaders[1]);
    glAttachShader(program, added);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
        glDetachShader(program, added);
        glAttachShader(program, shaders[1]);
    }
}

void scene_relinks(int frame)
{
    static const char bad[] = "void main() { gl_FragColor = nothing; }\n";
    begin_scene();
    GLuint program = linked("uniform float right;\n"
                            "attribute vec3 own;\n"
                            "varying vec3 handed;\n"
                            "void main() { gl_Position = ftransform();\n"
                            "  gl_FrontColor = gl_Color * right; handed = own; }\n",
                            "uniform vec4 c;\n"
                            "varying vec3 handed;\n"
                            "void main() { gl_FragColor =\n"
                            "  gl_Color * c + vec4(handed, 0.0); }\n");
    glVertexAttrib3f((GLuint)glGetAttribLocation(program, "own"), 0.1f, 0.2f, 0);
    glUniform1f(place(program, "right"), 0.75f);
    glUniform4f(place(program, "c"), 1, 0.5f, 0.25f * (float)(frame % 4), 1);
    square(5, 5, 50);
    relink(program, bad);
    glUniform4f(0, 0, 0, 1, 1); // an error, as is the next one
    glUseProgram(program);
    square(60, 5, 50);
    relink(program, bad);
    square(120, 5, 50);
    relink(program, "void main() { gl_FragColor = vec4(0.4, 0.9, 0.3, 1.0); }\n");
    square(5, 65, 50);
    relink(program, bad);
    square(60, 65, 50);
    glUseProgram(0);
    glUseProgram(program); // an error: the fixed function goes on
    square(120, 65, 50);
    glUseProgram(0);
}

// ---- stages that differ ----

static GLuint two_sides(const char *const declared[2], const char *const values[2])
{
    static const char *const bodies[] = {
        "void main() { gl_Position = ftransform(); gl_FrontColor = gl_Color * ",
        "void main() { gl_FragColor = gl_Color * ",
    };
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "#version 140\n#extension GL_ARB_compatibility : require\n"
                 "uniform %s;\n%svec4(%s); }\n",
                 declared[i], bodies[i], values[i]);
        glAttachShader(program,
                       compiled(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, text));
    }
    glLinkProgram(program); // the recording does not tell whether it links
    return program;
}

// What a name means must be the same in all stages: else the program does not link, and
// what was in use goes on.
void scene_differences(int frame)
{
    static const struct {
        const char *declared[2], *values[2];
    } pairs[] = {
        { { "float a", "float a" }, { "a + 0.5", "a + 0.5" } },
        { { "float a", "int a" }, { "a + 0.5", "a + 0.5" } },
        { { "uint a", "int a" }, { "float(a) + 0.5", "float(a) + 0.5" } },
        { { "sampler2D a", "isampler2D a" },
          { "textureLod(a, vec2(0), 0) + 0.5", "vec4(texture(a, vec2(0))) + 0.5" } },
        { { "B { vec4 a; }", "B { vec4 a; }" }, { "a + 0.5", "a + 0.5" } },
        { { "B { vec4 a; }", "B { ivec4 a; }" }, { "a + 0.5", "vec4(a) + 0.5" } },
        { { "B { mat4 a; }", "B { vec4 a[4]; }" }, { "a[0] + 0.5", "a[0] + 0.5" } },
        { { "vec4 a", "sampler2D a" }, { "a + 0.5", "texture(a, vec2(0)) + 0.5" } },
        { { "B { vec4 a; }", "sampler2D a" },
          { "a + 0.5", "texture(a, vec2(0)) + 0.5" } },
        { { "B { vec4 a; }", "vec4 a" }, { "a + 0.5", "a + 0.5" } },
        { { "B { vec4 a; }", "C { vec4 a; }" }, { "a + 0.5", "a + 0.5" } },
        { { "B { vec4 a; }", "C { float a; }" }, { "a + 0.5", "a + 0.5" } },
        { { "B { vec4 a; } b", "C { float a; } c" }, { "b.a + 0.5", "c.a + 0.5" } },
        { { "B { vec4 a; } b", "float a" }, { "b.a + 0.5", "a + 0.5" } },
    };
    static const float zeros[16];
    GLuint buffer;
    begin_scene();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof zeros, zeros, GL_STATIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++) {
        const int row = i / 5;

        glUseProgram(0);
        glUseProgram(two_sides(pairs[i].declared, pairs[i].values));
        square((float)(5 + 45 * (i % 5)), (float)(5 + 45 * row + frame), 40);
    }
    glUseProgram(0);
}

// ---- lines ----

// Rows and columns between pixels and through their centres, as a diagram's grid has
// them.
void scene_ruled(int frame)
{
    begin_scene();
    GLuint program =
        linked("#version 120\n"
               "uniform vec2 size;\n"
               "void main() {\n"
               "  gl_Position = vec4(gl_Vertex.xy / size * 2.0 - 1.0, 0.0, 1.0);\n"
               "  gl_FrontColor = gl_Color;\n"
               "}\n",
               "#version 120\n"
               "void main() { gl_FragColor = gl_Color; }\n");
    glUniform2f(place(program, "size"), 240, 180);
    for (int i = 0; i < 16; i++) {
        const float at = 5 + 10 * (float)i + 0.5f * (float)((i + frame) % 2);
        glColor3f(1, (float)i / 16, 0.5f);
        glBegin(i % 4 < 2 ? GL_LINES : GL_LINE_STRIP);
        glVertex2f(4, at);
        glVertex2f(200 + (float)i, at);
        glEnd();
        glBegin(GL_LINES);
        glVertex2f(at + 40, 3);
        glVertex2f(at + 40, 150 + (float)i);
        glEnd();
    }
    glUseProgram(0);
}
