#define GL_GLEXT_PROTOTYPES
#include "tests/live/half_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

static GLuint linked(GLenum type, const char *text)
{
    GLint ok = 0;
    GLuint program = glCreateProgram(), shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: half a program does not link\n");
    glUseProgram(program);
    return program;
}

static void textures(void)
{
    static const GLubyte texels[2][16] = {
        { 255, 40, 40, 255, 60, 220, 60, 255, 80, 80, 240, 255, 250, 250, 90, 128 },
        { 255, 255, 255, 255, 90, 90, 90, 255, 90, 90, 90, 255, 255, 255, 255, 255 }
    };
    for (GLuint i = 0; i < 2; i++) {
        GLuint name;
        glGenTextures(1, &name);
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels[i]);
        glEnable(GL_TEXTURE_2D);
    }
    glActiveTexture(GL_TEXTURE0);
}

static void no_textures(void)
{
    for (GLenum i = 2; i > 0; i--) {
        glActiveTexture(GL_TEXTURE0 + i - 1);
        glDisable(GL_TEXTURE_2D);
    }
}

// A square that leans away, wound either way.
static void leaf(float x, float y, int back)
{
    static const float corners[4][2] = {
        { 0, 0 }, { 0.41f, 0.03f }, { 0.38f, 0.47f }, { 0.02f, 0.44f }
    };
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        const float *c = corners[back ? 3 - i : i];
        glNormal3f(c[0] - 0.2f, c[1] - 0.2f, 0.8f);
        glColor3f(0.4f + c[0], 0.9f - c[1], 0.3f + c[1]);
        glSecondaryColor3f(0.1f, c[0], c[1]);
        glMultiTexCoord2f(GL_TEXTURE0, c[0] * 2.4f, c[1] * 2.1f);
        glMultiTexCoord2f(GL_TEXTURE1, c[1] * 4.7f, c[0] * 4.9f);
        glVertex3f(x + c[0], y + c[1], 0.2f - c[0] * 0.7f);
    }
    glEnd();
}

static void fog(void)
{
    static const float color[] = { 0.7f, 0.3f, 0.6f, 1 };
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, -0.3f);
    glFogf(GL_FOG_END, 0.9f);
    glFogfv(GL_FOG_COLOR, color);
}

static void begin(void)
{
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    textures();
}

static void end(void)
{
    glUseProgram(0);
    no_textures();
    glDisable(GL_FOG);
    glDisable(GL_LIGHTING);
    glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 0);
    glColor3f(1, 1, 1);
}

void scene_vertices_alone(int frame)
{
    static const char *const colored =
        "#version 120\nuniform float k; void main() { gl_Position = ftransform();\n"
        "  gl_FrontColor = gl_Color * k; gl_BackColor = gl_Color.brga;\n"
        "  gl_FrontSecondaryColor = gl_SecondaryColor; gl_BackSecondaryColor = "
        "vec4(0.2);\n"
        "  gl_TexCoord[0] = gl_MultiTexCoord0; gl_TexCoord[1] = gl_MultiTexCoord1 * "
        "k;\n"
        "  gl_FogFragCoord = -gl_Vertex.z + 0.2; }\n";
    static const char *const bare =
        "#version 120\nvoid main() { gl_Position = gl_Vertex; }\n";
    begin();
    GLuint program = linked(GL_VERTEX_SHADER, colored);
    glUniform1f(glGetUniformLocation(program, "k"), 0.9f - 0.1f * (float)frame);
    leaf(-0.9f, 0.4f, 0);
    no_textures();
    leaf(-0.4f, 0.4f, 0);
    fog();
    leaf(0.1f, 0.4f, 0);
    glEnable(GL_COLOR_SUM);
    glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
    leaf(0.55f, 0.4f, 1);
    glDisable(GL_COLOR_SUM);
    glDisable(GL_FOG);
    textures();
    glActiveTexture(GL_TEXTURE1);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);
    leaf(-0.9f, -0.2f, 1);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_GREATER, 0.6f);
    leaf(-0.4f, -0.2f, 0);
    glDisable(GL_ALPHA_TEST);
    no_textures();
    linked(GL_VERTEX_SHADER, bare); // writes no colour
    glColor3f(0.9f, 0.6f, 0.1f);
    glBegin(GL_TRIANGLES);
    glVertex2f(0.1f, -0.2f);
    glVertex2f(0.5f, -0.23f);
    glVertex2f(0.2f, 0.21f);
    glEnd();
    end();
}

static const char *const alone_colored =
    "#version 120\nuniform float k; void main() {\n"
    "  gl_FragColor = gl_Color * k + gl_SecondaryColor; }\n";
static const char *const alone_textured =
    "#version 120\nuniform sampler2D a, b; void main() {\n"
    "  vec4 t = texture2D(a, gl_TexCoord[0].st) * texture2D(b, "
    "gl_TexCoord[1].st);\n"
    "  gl_FragColor = mix(t, gl_Color, 0.3); }\n";
static const char *const alone_fogged =
    "#version 120\nvoid main() { gl_FragColor = mix(gl_Fog.color, gl_Color,\n"
    "  clamp((gl_Fog.end - gl_FogFragCoord) * gl_Fog.scale, 0.0, 1.0)); }\n";

void scene_fragments_alone(int frame)
{
    static const float place[] = { 0.3f, 0.4f, 1, 0 };
    begin();
    GLuint program = linked(GL_FRAGMENT_SHADER, alone_colored);
    glUniform1f(glGetUniformLocation(program, "k"), 0.9f - 0.1f * (float)frame);
    leaf(-0.9f, 0.4f, 0);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, place);
    leaf(-0.4f, 0.4f, 0);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    leaf(0.1f, 0.4f, 1);
    glEnable(GL_COLOR_MATERIAL);
    glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    leaf(0.55f, 0.4f, 1);
    glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SINGLE_COLOR);
    glDisable(GL_COLOR_MATERIAL);
    glDisable(GL_LIGHTING);
    program = linked(GL_FRAGMENT_SHADER, alone_textured);
    glUniform1i(glGetUniformLocation(program, "b"), 1);
    leaf(-0.9f, -0.2f, 0);
    glMatrixMode(GL_TEXTURE);
    glRotatef(30, 0, 0, 1);
    glMatrixMode(GL_MODELVIEW);
    glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
    glEnable(GL_TEXTURE_GEN_S);
    leaf(-0.4f, -0.2f, 0);
    glDisable(GL_TEXTURE_GEN_S);
    glMatrixMode(GL_TEXTURE);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    fog();
    linked(GL_FRAGMENT_SHADER, alone_fogged);
    leaf(0.1f, -0.2f, 0);
    glShadeModel(GL_FLAT);
    leaf(0.55f, -0.2f, 0);
    glShadeModel(GL_SMOOTH);
    GLubyte pattern[128];
    for (int i = 0; i < 128; i++)
        pattern[i] = (GLubyte)(i * 37 + i / 4 * 11 + frame);
    glPolygonStipple(pattern);
    glEnable(GL_POLYGON_STIPPLE);
    leaf(-0.4f, -0.83f, 0);
    glDisable(GL_POLYGON_STIPPLE);
    glEnable(GL_CLIP_PLANE0);
    glClipPlane(GL_CLIP_PLANE0, (const double[]){ 1, 0.3, 0, 0.61 });
    leaf(-0.9f, -0.83f, 0);
    glDisable(GL_CLIP_PLANE0);
    end();
}
