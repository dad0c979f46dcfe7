#define GL_GLEXT_PROTOTYPES
#include "tests/live/step_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

// Functions and products of several steps: in another order last bits differ, and some
// of 76,800 pixels.
static const char vertex[] =
    "#version 120\n"
    "uniform mat4 turn, view; uniform mat3 bend; varying vec3 normal, at, tone;\n"
    "void main() {\n  tone = vec3(0.3, gl_Normal.y, 0.7);\n"
    "  normal = normalize(mat3(turn) * gl_Normal);\n"
    "  vec4 place = view * turn * gl_Vertex;\n"
    "  at = (bend * gl_Normal) * 0.5 + vec3(0.5);\n"
    "  gl_Position = place; }\n";

static const char *const fragments[] = {
    "  vec3 n = normalize(normal), l = normalize(vec3(3.0, 2.0, 5.0) - at);\n"
    "  color = vec3(max(dot(n, l), 0.0)) * at + pow(max(dot(reflect(-l, n), n), 0.0), "
    "9.0);\n",
    "  color = vec3(tone.r, mix(at.xy, normal.zx * 0.5 + 0.5, tone.g * tone.b));\n",
    "  color = mix(mix(vec3(0.9, 0.3, 0.2), at, 0.3), mix(vec3(1.0), at, at.x), "
    "at.z);\n",
    "  color = mix(at, vec3(1.0, 0.5, 0.0), normal.z * normal.z);\n",
    "  color = asin(normal) * 0.3 + 0.5;\n",
    "  mat3 m = bend * mat3(at, normal, at.zxy); color = m * normal * 0.2 + 0.4;\n",
    "  color = normal * bend * 0.3 + 0.5;\n",
    "  color = vec3(distance(at.x, normal.y), smoothstep(at.xy, vec2(0.9), "
    "normal.yz));\n",
};

static GLuint linked(const char *body)
{
    char fragment[1024];
    const char *texts[2] = { vertex, fragment };
    GLint ok = 0;
    GLuint program = glCreateProgram();
    snprintf(fragment, sizeof fragment,
             "#version 120\nuniform mat3 bend; varying vec3 normal, at, tone;\n"
             "void main() { vec3 color;\n%s  gl_FragColor = vec4(color, 1.0); }\n",
             body);
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program of steps does not link\n");
    return program;
}

static void set_matrices(GLuint program, int frame, int place)
{
    const float a = 0.37f + 0.21f * (float)frame + 0.1f * (float)place, c = cosf(a),
                s = sinf(a);
    const float x = 0.49f * (float)(place % 4) - 0.74f, y = place < 4 ? 0.47f : -0.473f;
    const GLfloat turn[] = { c, s * 0.3f, -s,        0, 0.11f, c, s * 0.2f, 0,
                             s, 0.07f,    c * 0.71f, 0, 0,     0, 0,        1 };
    const GLfloat view[] = { 0.21f, 0, 0,     0,     0, 0.39f, 0, 0,
                             0,     0, 0.31f, 0.13f, x, y,     0, 1.07f };
    const GLfloat bend[] = {
        0.83f, -0.31f, 0.47f, 0.29f, 0.91f, s, -0.53f, 0.17f, 0.77f
    };
    glUniformMatrix4fv(glGetUniformLocation(program, "turn"), 1, GL_FALSE, turn);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view);
    glUniformMatrix3fv(glGetUniformLocation(program, "bend"), 1, GL_FALSE, bend);
}

static void corner(int u, int v)
{
    const float a = 0.3927f * (float)u, b = 0.3491f * (float)v + 0.01f;
    const float n[] = { cosf(a) * sinf(b), cosf(b), sinf(a) * sinf(b) };
    glNormal3fv(n);
    glVertex3fv(n);
}

static void ball(void)
{
    glBegin(GL_TRIANGLES);
    for (int u = 0; u < 16; u++)
        for (int v = 0; v < 9; v++) {
            corner(u, v);
            corner(u, v + 1);
            corner(u + 1, v + 1);
            corner(u, v);
            corner(u + 1, v + 1);
            corner(u + 1, v);
        }
    glEnd();
}

// Windows take pixels on lower edges, and are shown by devices that take upper ones: in
// an object of its own nothing but the steps decides.
static GLuint make_framebuffer(const GLint *size)
{
    GLuint framebuffer, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(2, buffers);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8,
                              size[2], size[3]);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                                  i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                  GL_RENDERBUFFER, buffers[i]);
    }
    return framebuffer;
}

void scene_steps(int frame)
{
    GLint size[4];
    glGetIntegerv(GL_VIEWPORT, size);
    const GLuint framebuffer = make_framebuffer(size);
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < (int)(sizeof fragments / sizeof *fragments); i++) {
        const GLuint program = linked(fragments[i]);
        glUseProgram(program);
        set_matrices(program, frame, i);
        ball();
    }
    glUseProgram(0);
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, size[2], size[3], 0, 0, size[2], size[3],
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}
