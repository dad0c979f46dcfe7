#define GL_GLEXT_PROTOTYPES
#include "tests/live/fetch_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

#define VERTEX                                                         \
    "#version 150 compatibility\nout vec4 color;\n"                    \
    "void main() { gl_Position = gl_ModelViewProjectionMatrix\n"       \
    "* (gl_Vertex + vec4(float(gl_InstanceID) * 5.0, 0.0, 0.0, 0.0));" \
    "color = gl_Color; }"
#define PLAIN                                       \
    "#version 150 compatibility\nout vec4 color;\n" \
    "void main() { gl_Position = ftransform(); color = gl_Color; }"

static GLuint program(const char *vertex, const char *fragment)
{
    const char *const texts[] = { vertex, fragment };
    const GLenum types[] = { GL_VERTEX_SHADER, GL_FRAGMENT_SHADER };
    GLuint name = glCreateProgram();
    GLint ok = 0;
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(name, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(name);
    glGetProgramiv(name, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(name);
    return name;
}

static void begin_scene(void)
{
    glClearColor(0.3f, 0.5f, 0.7f, 0.6f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, 240, 0, 180, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
}

// Triangles each of which covers the one before in part.
static void fan(float x, float y)
{
    glBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 9; i++) {
        glColor4f(0.1f * (float)i, 1 - 0.1f * (float)i, 0.5f, 0.3f + 0.07f * (float)i);
        glVertex2f(x + (float)(i * 13 % 40), y + (float)(i * 29 % 41));
    }
    glEnd();
}

static GLuint two_targets(void)
{
    GLuint object, textures[2];
    const GLenum both[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
    glGenFramebuffers(1, &object);
    glGenTextures(2, textures);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, i ? GL_RGB8 : GL_RGBA16F, 240, 180, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
        glFramebufferTexture2D(GL_FRAMEBUFFER, both[i], GL_TEXTURE_2D, textures[i], 0);
    }
    glDrawBuffers(2, both);
    return object;
}

void scene_fetches(int frame)
{
    begin_scene();
    GLuint names[4];
    names[0] = program("void main() { gl_Position = ftransform(); }",
                       "#extension GL_EXT_shader_framebuffer_fetch : require\n"
                       "void main() { gl_FragColor = vec4(1.0 - "
                       "gl_LastFragData[0].rgb * 0.9, 1.0); }");
    fan(5, 5);
    names[1] = program(VERTEX, "#version 150 compatibility\n"
                               "#extension GL_EXT_shader_framebuffer_fetch : require\n"
                               "in vec4 color; inout vec4 shown;\n"
                               "void main() { if (shown.g < 0.2) discard;\n"
                               "shown = mix(shown, color, color.a); }");
    fan(60, 5 + (float)frame);
    glScissor(120, 10, 30, 25);
    glEnable(GL_SCISSOR_TEST);
    fan(115, 5);
    glDisable(GL_SCISSOR_TEST);
    glLineWidth(3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    fan(170, 5);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    GLuint object = two_targets();
    glClearColor(0.2f, 0.4f, 0.1f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    names[2] = program(PLAIN, "#version 330 compatibility\n"
                              "#extension GL_EXT_shader_framebuffer_fetch : require\n"
                              "in vec4 color; layout(location = 1) inout vec3 other;\n"
                              "layout(location = 0) inout vec4 first;\n"
                              "void main() { vec4 was = first;\n"
                              "first = color * 0.5 + other.grbr * 0.5;\n"
                              "other = was.rgb + color.bgr * 0.25; }");
    fan(5, 60);
    fan(20, 70);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, object);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    for (int i = 0; i < 2; i++) {
        glReadBuffer(i ? GL_COLOR_ATTACHMENT1 : GL_COLOR_ATTACHMENT0);
        glBlitFramebuffer(0, 55, 80, 130, 5 + 100 * i, 60, 85 + 100 * i, 135,
                          GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glUseProgram(0);
    for (int i = 0; i < 3; i++)
        glDeleteProgram(names[i]);
}

void scene_equations(int frame)
{
    static const GLenum equations[] = {
        GL_MULTIPLY_KHR,       GL_SCREEN_KHR,    GL_OVERLAY_KHR,
        GL_DARKEN_KHR,         GL_LIGHTEN_KHR,   GL_COLORDODGE_KHR,
        GL_COLORBURN_KHR,      GL_HARDLIGHT_KHR, GL_SOFTLIGHT_KHR,
        GL_DIFFERENCE_KHR,     GL_EXCLUSION_KHR, GL_HSL_HUE_KHR,
        GL_HSL_SATURATION_KHR, GL_HSL_COLOR_KHR, GL_HSL_LUMINOSITY_KHR,
    };
    begin_scene();
    GLuint name =
        program(PLAIN, "#version 150 compatibility\n"
                       "#extension GL_KHR_blend_equation_advanced : require\n"
                       "layout(blend_support_all_equations) out;\n"
                       "in vec4 color; out vec4 shown;\n"
                       "void main() { shown = vec4(color.rgb * color.a, color.a); }");
    glEnable(GL_BLEND);
    for (int i = 0; i < 15; i++) {
        glBlendEquation(equations[(i + frame) % 15]);
        const int column = i % 5, row = i / 5;
        fan(5 + 45 * (float)column, 5 + 45 * (float)row);
    }
    // What the program does not say is an error; so is the fixed function.
    GLuint other =
        program(PLAIN, "#version 330 compatibility\n"
                       "#extension GL_KHR_blend_equation_advanced : require\n"
                       "layout(blend_support_screen) out;\n"
                       "layout(blend_support_multiply) out;\n"
                       "in vec4 color; layout(location = 0) out vec4 shown;\n"
                       "void main() { shown = color; }");
    glBlendEquation(GL_MULTIPLY_KHR);
    fan(10, 138);
    glBlendEquation(GL_DARKEN_KHR);
    fan(60, 138);
    glUseProgram(0);
    fan(110, 138);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE);
    fan(160, 138);
    glDisable(GL_BLEND);
    glDeleteProgram(name);
    glDeleteProgram(other);
}

static const char paints_text[] =
    "#version 430 compatibility\n"
    "in vec4 color; out vec4 shown; uniform vec4 tint;\n"
    "subroutine vec4 Paint(vec4 c, in float by);\n"
    "subroutine void Change(inout vec4 c);\n"
    "subroutine float Level();\n"
    "subroutine(Paint) vec4 plain(vec4 c, in float by) { return c * by; }\n"
    "subroutine(Paint) vec4 turned(vec4 c, in float by) { return c.gbra * by; }\n"
    "layout(location = 1) subroutine uniform Paint paint[2];\n"
    "subroutine uniform Change change;\n"
    "subroutine(Change) void none(inout vec4 c) { }\n"
    "subroutine(Change) void invert(inout vec4 c) { c.rgb = 1.0 - c.rgb; }\n"
    "subroutine(Level) float low() { return 0.5; }\n"
    "subroutine(Level) float high() { return 1.0; }\n"
    "subroutine uniform Level level;\n"
    "void main() { shown = paint[0](color, level()) + paint[int(color.r > 0.4)]"
    "(tint, 0.3); change(shown); }";
static const char places_text[] =
    "#version 400 compatibility\nout vec4 color;\n"
    "subroutine vec4 Place(vec4 v);\n"
    "subroutine(Place) vec4 still(vec4 v) { return v; }\n"
    "subroutine(Place) vec4 moved(vec4 v) { return v + vec4(0.0, 20.0, 0.0, 0.0); "
    "}\n"
    "subroutine uniform Place place;\n"
    "void main() { gl_Position = gl_ModelViewProjectionMatrix * place(gl_Vertex);\n"
    "color = gl_Color; }";

void scene_subroutines(int frame)
{
    static const char *const paints[] = { "plain", "turned" };
    static const char *const changes[] = { "none", "invert" };
    static const char *const levels[] = { "low", "high" };
    begin_scene();
    GLuint name = program(places_text, paints_text);
    glUniform4f(glGetUniformLocation(name, "tint"), 0.2f, 0.9f, 0.4f, 0);
    fan(5, 130); // the first of each
    const GLint first =
        glGetSubroutineUniformLocation(name, GL_FRAGMENT_SHADER, "paint");
    const GLint change =
        glGetSubroutineUniformLocation(name, GL_FRAGMENT_SHADER, "change");
    const GLint level =
        glGetSubroutineUniformLocation(name, GL_FRAGMENT_SHADER, "level");
    GLint count = 0;
    glGetProgramStageiv(name, GL_FRAGMENT_SHADER,
                        GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, &count);
    for (int i = 0; i < 10; i++) {
        GLuint chosen[8] = { 0 };
        const int bits = i + frame;
        chosen[first] =
            glGetSubroutineIndex(name, GL_FRAGMENT_SHADER, paints[bits & 1]);
        chosen[first + 1] =
            glGetSubroutineIndex(name, GL_FRAGMENT_SHADER, paints[bits >> 1 & 1]);
        chosen[change] =
            glGetSubroutineIndex(name, GL_FRAGMENT_SHADER, changes[bits >> 2 & 1]);
        chosen[level] =
            glGetSubroutineIndex(name, GL_FRAGMENT_SHADER, levels[bits >> 3 & 1]);
        glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, count, chosen);
        chosen[0] =
            glGetSubroutineIndex(name, GL_VERTEX_SHADER, i % 3 ? "still" : "moved");
        glUniformSubroutinesuiv(GL_VERTEX_SHADER, 1, chosen);
        const int column = i % 5, row = i / 5;
        fan(5 + 45 * (float)column, 5 + 60 * (float)row);
    }
    glUseProgram(0);
    glDeleteProgram(name);
}

// What vertices have of the fixed function, through a geometry shader.
void scene_members(int frame)
{
    static const char geometry[] =
        "#version 150 compatibility\nlayout(triangles) in;\n"
        "layout(triangle_strip, max_vertices = 6) out;\n"
        "void main() { for (int k = 0; k < 2; k++) {\n"
        "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position\n"
        "+ vec4(0.0, 0.5 * float(k), 0.0, 0.0);\n"
        "gl_FrontColor = k == 0 ? gl_in[i].gl_FrontColor\n"
        ": gl_in[(i + 1) % 3].gl_TexCoord[1];\n"
        "gl_TexCoord[0] = gl_in[i].gl_TexCoord[0].yxzw;\n"
        "EmitVertex(); } EndPrimitive(); } }";
    static const char *const texts[] = {
        "#version 150 compatibility\nvoid main() { gl_Position = ftransform();\n"
        "gl_FrontColor = gl_Color; gl_TexCoord[0] = gl_Color.bgra;\n"
        "gl_TexCoord[1] = vec4(1.2, 0.3, 0.1, 1.0) * gl_Color.g; }",
        geometry,
        "#version 150 compatibility\n"
        "void main() { gl_FragColor = mix(gl_Color, gl_TexCoord[0], 0.3); }",
    };
    const GLenum types[] = { GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER };
    begin_scene();
    GLuint name = glCreateProgram();
    for (int i = 0; i < 3; i++) {
        GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(name, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(name);
    glUseProgram(name);
    for (int i = 0; i < 4; i++) {
        glShadeModel(i == 2 ? GL_FLAT : GL_SMOOTH);
        fan(5 + 50 * (float)i, 5 + (float)frame);
    }
    glShadeModel(GL_SMOOTH);
    glUseProgram(0);
    glDeleteProgram(name);
}

static void named(const char *path, const char *text)
{
    glNamedStringARB(GL_SHADER_INCLUDE_ARB, -1, path, -1, text);
}

void scene_includes(int frame)
{
    named("/lib/colors.glsl", "#include \"/lib/deep/turn.glsl\"\n"
                              "vec4 color_of(vec4 c) { return turn(c) * LEVEL; }\n");
    named("/lib/deep/turn.glsl", "#include \"/lib/level.glsl\"\n"
                                 "vec4 turn(vec4 c) { return c.gbra; }");
    named("/lib/level.glsl", "#define LEVEL 0.1\n");
    named("/lib/level.glsl", "#define LEVEL 0.8\n");
    named("/gone", "nothing");
    glDeleteNamedStringARB(-1, "/gone");
    begin_scene();
    GLuint name = program("#version 150 compatibility\n"
                          "#extension GL_ARB_shading_language_include : enable\n"
                          "#include \"/lib/level.glsl\"\nout vec4 color;\n"
                          "void main() { gl_Position = ftransform();\n"
                          "color = gl_Color * LEVEL; }",
                          "#version 150 compatibility\n"
                          "#extension GL_ARB_shading_language_include : require\n"
                          "#include </lib/./deep/../colors.glsl>\nin vec4 color;\n"
                          "void main() { gl_FragColor = color_of(color); }");
    fan(5, 5 + (float)frame);
    glUseProgram(0);
    glDeleteProgram(name);
}
