#define GL_GLEXT_PROTOTYPES
#include "tests/live/fragment_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

static void attach(GLuint program, GLenum type, const char *const *texts, int count)
{
    GLint ok = 0;
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a shader does not compile\n");
    glAttachShader(program, shader);
}

static void link_and_use(GLuint program)
{
    GLint ok = 0;
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
}

static void use(const char *vertex, const char *geometry, const char *fragment)
{
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, &vertex, 1);
    if (geometry)
        attach(program, GL_GEOMETRY_SHADER, &geometry, 1);
    attach(program, GL_FRAGMENT_SHADER, &fragment, 1);
    link_and_use(program);
}

static void rectangle(GLenum mode)
{
    static const float at[][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
    glBegin(mode);
    for (int i = 0; i < 4; i++)
        glVertexAttrib2fv(0, at[i]);
    glEnd();
}

// ---- distances ----

#define DISTANCES                                                \
    "#version 450 compatibility\nin vec2 at; float f(int i) {\n" \
    "  float t = float(i) * 0.7854 + 0.4;\n"                     \
    "  return 0.5 - dot(at, vec2(cos(t), sin(t))); }\n"
#define ALL "float[8](f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7))"

static const char plain[] = "#version 450 compatibility\nout vec4 color;\n"
                            "void main() { color = vec4(0.2, 0.9, 0.5, 1.0); }\n";
static const char distant[] =
    "#version 450 compatibility\nin float gl_ClipDistance[8]; out vec4 color;\n"
    "void main() { int i = 2; color = vec4(gl_ClipDistance[3],\n"
    "  gl_ClipDistance[i + 1] * gl_ClipDistance[0], gl_ClipDistance[5], 1.0); }\n";

static void fixed_planes(void)
{
    glUseProgram(0);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    for (unsigned k = 0; k < 8; k++) {
        const float t = (float)k * 0.7854f + 0.4f;
        const GLdouble plane[] = { -cosf(t), -sinf(t), 0, 0.5 };
        glClipPlane(GL_CLIP_PLANE0 + k, plane);
        glEnable(GL_CLIP_PLANE0 + k);
    }
    glRectf(-1, -1, 1, 1);
}

static const char held_distances[] =
    "#version 450 compatibility\n"
    "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
    "#define OF(k) gl_in[i].gl_ClipDistance[k]\nout float gl_ClipDistance[8];\n"
    "void main() { for (int i = 0; i < 3; i++) {\n"
    "  gl_ClipDistance = float[8](OF(0), OF(1), OF(2), OF(3), OF(4), OF(5), "
    "OF(6),\n"
    "    OF(7));\n"
    "  float d[8] = gl_ClipDistance;\n"
    "  gl_Position = gl_in[i].gl_Position * (d[3] > 9.0 ? 2.0 : 1.0);\n"
    "  EmitVertex(); } }\n";

void scene_whole_distances(int frame)
{
    static const char *const texts[] = {
        DISTANCES "out float gl_ClipDistance[8]; void main() {\n"
                  "  gl_Position = vec4(at, 0.0, 1.0); gl_ClipDistance = " ALL ";\n"
                  "  float d[8] = gl_ClipDistance;\n"
                  "  gl_Position.x *= d[0] > 9.0 ? 2.0 : 1.0; }\n",
        DISTANCES "out float gl_ClipDistance[8]; void main() {\n"
                  "  gl_Position = vec4(at, 0.0, 1.0); gl_ClipDistance = " ALL ";\n"
                  "  gl_Position.x *= gl_ClipDistance[2] > 9.0 ? 2.0 : 1.0; }\n",
        DISTANCES "out float gl_ClipDistance[8]; void main() {\n"
                  "  gl_Position = vec4(at, 0.0, 1.0);\n"
                  "  for (int i = 0; i < 8; i++) gl_ClipDistance[i] = f(i);\n"
                  "  float d[8] = gl_ClipDistance; int n = int(at.x) + 1;\n"
                  "  gl_Position.x *= d[n] > 9.0 ? 2.0 : 1.0; }\n",
        DISTANCES "out float gl_ClipDistance[5]; out float gl_CullDistance[3];\n"
                  "void main() {\n"
                  "  gl_Position = vec4(at, 0.0, 1.0);\n"
                  "  gl_ClipDistance = float[5](f(0), f(1), f(2), f(3), f(4));\n"
                  "  gl_CullDistance = float[3](1.0, 1.0, at.x - 0.5);\n"
                  "  float c[3] = gl_CullDistance, d[5] = gl_ClipDistance;\n"
                  "  gl_CullDistance[0] = c[0] + d[4] + 3.0; }\n",
        DISTANCES "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[6]; };\n"
                  "void change(inout float d[6]) { for (int i = 0; i < 6; i++)\n"
                  "  d[i] += 0.1 * f(i); }\n"
                  "void main() { gl_Position = vec4(at, 0.0, 1.0);\n"
                  "  gl_ClipDistance = float[6](f(0), f(1), f(2), f(3), f(4), f(5));\n"
                  "  change(gl_ClipDistance); }\n",
    };
    static const unsigned written[] = { 8, 8, 8, 5, 6, 8 };
    for (int i = 0; i < 6; i++) {
        for (unsigned k = 0; k < 8; k++)
            if (k < written[i] && (frame % 2 || k != 3))
                glEnable(GL_CLIP_DISTANCE0 + k);
            else
                glDisable(GL_CLIP_DISTANCE0 + k);
        glViewport(5 + 60 * (i % 4), 5 + 85 * (i / 4), 55, 80);
        use(texts[i % 5], i == 5 ? held_distances : NULL,
            i == 1 || i == 5 ? distant : plain);
        rectangle(GL_TRIANGLE_STRIP);
    }
    glViewport(125, 90, 55, 80);
    fixed_planes();
    glViewport(185, 90, 55, 80);
    use("#version 120\nvoid main() { gl_Position = ftransform();\n"
        "  gl_ClipVertex = gl_Vertex; }\n",
        NULL, "#version 120\nvoid main() { gl_FragColor = vec4(0.9); }\n");
    glRectf(-1, -1, 1, 1);
    for (unsigned i = 0; i < 8; i++)
        glDisable(GL_CLIP_DISTANCE0 + i);
    glUseProgram(0);
}

// ---- interpolation ----

// `same` for what is not interpolated elsewhere: lavapipe takes both for one.
#define SPREAD                                                         \
    "#version 400 compatibility\nin vec2 at; out vec2 spread, same;\n" \
    "void main() { gl_Position = vec4(at, 0.0, 1.0);\n"                \
    "  spread = same = at * 10.0; }\n"
#define AT(statements)                                                    \
    "#version 400 compatibility\nin vec2 spread, same; out vec4 color;\n" \
    "#define OFFSET(x, o) interpolateAtOffset(x, o)\n"                    \
    "void main() { vec2 o = vec2(0.0), d = o;\n" statements "\n"          \
    "  color = vec4(d * 2.0 + 0.5, dFdy(same.y) + 0.5, 1.0); }\n"

static void draw_offsets(void)
{
    static const char *const texts[] = {
        AT("d = interpolateAtOffset(spread, vec2(0.25, 0.375)) - same;"),
        AT("vec2 a[2] = vec2[2](vec2(0.0, -0.5), vec2(0.25));"
           "d = interpolateAtOffset(spread, a[int(gl_FragCoord.x) & 1]) - same;"),
        AT("d = interpolateAtSample(spread, 1) - same;"),
        AT("d = gl_SamplePosition - interpolateAtCentroid(spread) + same;"),
        AT("o = vec2(0.1, 0.3); d = OFFSET(spread, (o, o + 0.1)) - same;"),
    };
    for (int i = 0; i < 5; i++) {
        glViewport(5 + 45 * i, 5, 40, 40);
        use(SPREAD, NULL, texts[i]);
        rectangle(GL_TRIANGLE_STRIP);
    }
}

void scene_offsets(int frame)
{
    GLuint object, color;
    draw_offsets();
    glGenFramebuffers(1, &object);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, frame % 2 ? 4 : 0, GL_RGBA8, 240,
                                     50);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              color);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_offsets();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 240, 50, 0, 80, 240, 130, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteRenderbuffers(1, &color);
    glViewport(0, 0, 240, 180);
    glUseProgram(0);
}

// ---- the alpha test ----

static void tested(const char *fragment, const char *bound, GLboolean first,
                   GLboolean second, int x)
{
    GLuint program = glCreateProgram();
    const char *vertex = "#version 120\nattribute vec2 at;\n"
                         "void main() { gl_Position = vec4(at, 0.0, 1.0); }\n";
    attach(program, GL_VERTEX_SHADER, &vertex, 1);
    attach(program, GL_FRAGMENT_SHADER, &fragment, 1);
    if (bound)
        glBindFragDataLocation(program, 1, bound);
    glViewport(x, 5, 20, 40);
    glColorMaski(0, first, first, first, first);
    glColorMaski(1, second, second, second, second);
    link_and_use(program);
    rectangle(GL_TRIANGLE_STRIP);
}

static void draw_untested(void)
{
    static const char *const texts[] = {
        "#version 120\nvoid main() { gl_FragData[1] = vec4(0.0, 1.0, 0.0, 0.2); }\n",
        "#version 120\nvoid main() { gl_FragData[0] = vec4(1.0, 1.0, 0.0, 0.2);\n"
        "  gl_FragData[1] = vec4(0.0, 1.0, 0.0, 0.8); }\n",
        "#version 330\nlayout(location = 1) out vec4 o;\n"
        "void main() { o = vec4(1.0, 0.5, 0.0, 0.2); }\n",
        "#version 150\nout vec4 bound; void main() { bound = vec4(1.0, 0.5, 0.9, 0.2); "
        "}\n",
        "#version 150\nout vec4 bound, other; void main() {\n"
        "  bound = vec4(1.0, 0.0, 0.9, 0.2); other = vec4(0.8); }\n",
        "#version 150\nout vec4 bound, other; void main() {\n"
        "  bound = vec4(1.0, 0.0, 0.9, 0.8); other = vec4(0.2); }\n",
        "#version 150\nout vec3 o; void main() { o = vec3(1.0, 0.5, 1.0); }\n",
    };
    // What is written of the two buffers: what is not GL leaves open.
    static const unsigned char written[] = { 2, 3, 2, 2, 3, 3, 1 };
    for (int i = 0; i < 7; i++)
        tested(texts[i], i < 6 ? "bound" : NULL, written[i] & 1, written[i] >> 1,
               5 + 30 * i);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void scene_alphas(int frame)
{
    static const GLenum functions[] = { GL_GEQUAL, GL_LESS, GL_NEVER, GL_EQUAL };
    static const GLenum buffers[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
    GLuint object, colors[2];
    glGenFramebuffers(1, &object);
    glGenRenderbuffers(2, colors);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    for (GLuint i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, colors[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 240, 50);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, buffers[i], GL_RENDERBUFFER,
                                  colors[i]);
    }
    glDrawBuffers(2, buffers);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(functions[frame % 4], 0.5f);
    draw_untested();
    glDisable(GL_ALPHA_TEST);
    glUseProgram(0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    for (int i = 0; i < 2; i++) {
        glReadBuffer(buffers[i]);
        glBlitFramebuffer(0, 0, 240, 50, 0, 60 * i, 240, 60 * i + 50,
                          GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteRenderbuffers(2, colors);
    glViewport(0, 0, 240, 180);
}

// ---- what is covered ----

#define TURN 3.14159265f // half of one

static const struct {
    GLenum function;
    float reference;
} tests[] = { { GL_GREATER, 0.5f }, { GL_LEQUAL, 0.6f }, { GL_GEQUAL, 0.3f } };

// A star of lines in one of the modes of lines; alpha falls along each.
static void star(GLenum mode, float x, float y, float radius)
{
    glBegin(mode);
    for (int i = 0; i < 22; i++) {
        const float a = 2 * TURN * 0.041f * (float)(i * 5), r = i % 2 ? radius : 3;
        glColor4f(0.5f + 0.02f * (float)i, 1, 0.2f * (float)(i % 5), i % 2 ? 0.8f : 1);
        glVertex2f(x + r * cosf(a), y + r * sinf(a));
    }
    glEnd();
}

// Loops and strips, wide and thin, flat or not, half of them beyond the window's edge.
static void tested_lines(int frame)
{
    static const GLenum modes[] = { GL_LINES, GL_LINE_LOOP, GL_LINE_STRIP };
    static const float widths[] = { 1, 3, 5.5f, 0.5f };
    for (int i = 0; i < 8; i++) {
        glLineWidth(widths[i % 4]);
        glShadeModel(i == 5 ? GL_FLAT : GL_SMOOTH);
        star(modes[(i + frame) % 3], 28 + 60 * (float)(i % 4) + 0.37f * (float)frame,
             150 - 60 * (float)(i < 4 ? 0 : 1), 26);
    }
    glShadeModel(GL_SMOOTH);
    star(GL_LINES, 0, 90, 30);
    star(GL_LINES, 240, 90, 30);
}

// In perspective, cut by a plane of the program's and by the near one.
static void deep_lines(int frame)
{
    static const double plane[] = { 0.8, 0.3, 0.1, 0.35 };
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glLoadIdentity();
    glFrustum(-0.5, 0.5, -0.375, 0.375, 1, 20);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(0, -0.55f, -2);
    glRotatef(31 + 7 * (float)frame, 0, 1, 0);
    glClipPlane(GL_CLIP_PLANE0, plane);
    glEnable(GL_CLIP_PLANE0);
    glLineWidth(3);
    glBegin(GL_LINES);
    for (int i = 0; i < 9; i++) {
        glColor4f(1, 0.6f, 0.1f * (float)i, 1);
        glVertex3f(-1, 0.05f * (float)i - 0.2f, -6);
        glVertex3f(0.25f * (float)i - 1, 0.04f * (float)i, 3);
    }
    glEnd();
    glDisable(GL_CLIP_PLANE0);
    glLoadIdentity();
    glMatrixMode(GL_PROJECTION);
    glPopMatrix();
    glMatrixMode(GL_MODELVIEW);
}

// Outlines of polygons with edge flags and one colour each.
static void tested_outlines(void)
{
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glLineWidth(2);
    for (int i = 0; i < 5; i++) {
        glShadeModel(i % 2 ? GL_FLAT : GL_SMOOTH);
        glBegin(i == 4 ? GL_POLYGON : GL_QUADS);
        for (int k = 0; k < 4; k++) {
            const float a = TURN / 2 * (float)k + 0.3f * (float)i;
            glEdgeFlag(k != i);
            glColor4f(0.3f * (float)k, 1, 0.5f, 0.7f + 0.1f * (float)k);
            glVertex2f(20 + 22 * (float)i + 10 * cosf(a), 50 + 10 * sinf(a));
        }
        glEnd();
    }
    glEdgeFlag(GL_TRUE);
    glShadeModel(GL_SMOOTH);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

// Discs, and triangles whose edges are not scaled.
static void tested_others(void)
{
    glEnable(GL_POINT_SMOOTH);
    glEnable(GL_POLYGON_SMOOTH);
    for (int i = 0; i < 6; i++) {
        glPointSize(1 + 1.7f * (float)i);
        glBegin(GL_POINTS);
        glColor4f(1, 1, 0.3f, 0.75f);
        glVertex2f(140.3f + 12 * (float)i, 50.6f);
        glEnd();
    }
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 6; i++) {
        glColor4f(0.4f, 0.7f, 1, i % 3 ? 1 : 0.2f);
        glVertex2f(218 + 10 * cosf(2.1f * (float)i) + (i < 3 ? 0.0f : 1.0f),
                   50 + 10 * sinf(2.1f * (float)i));
    }
    glEnd();
    glDisable(GL_POINT_SMOOTH);
    glDisable(GL_POLYGON_SMOOTH);
}

static void draw_tested(int frame)
{
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(tests[frame % 3].function, tests[frame % 3].reference);
    glEnable(GL_LINE_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    tested_lines(frame);
    deep_lines(frame);
    tested_outlines();
    tested_others();
    glDisable(GL_BLEND);
    star(GL_LINES, 120, 25, 20); // its alpha replaces the window's
    glDisable(GL_LINE_SMOOTH);
    glDisable(GL_ALPHA_TEST);
    glLineWidth(1);
    glPointSize(1);
}

// Behind the first frame into a framebuffer object, whose rows run the other way.
void scene_tested(int frame)
{
    GLuint object, color;
    if (!frame) {
        draw_tested(frame);
        return;
    }
    glGenFramebuffers(1, &object);
    glGenRenderbuffers(1, &color);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, frame == 1 ? GL_RGBA8 : GL_RGBA16F, 240,
                          180);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              color);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_tested(frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 240, 180, 0, 0, 240, 180, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteRenderbuffers(1, &color);
}
