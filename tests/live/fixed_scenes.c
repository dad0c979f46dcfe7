#define GL_GLEXT_PROTOTYPES
#include "tests/live/fixed_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>

#define COLUMNS 6
#define ROWS 4
#define CELL 40 // pixels
#define PI 3.14159265358979f

static unsigned seed;

static int dice(int sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)sides);
}

// From 0 to 1.
static float part(void)
{
    return (float)dice(256) / 255;
}

#define PICK(...)      \
    ((const GLenum[]){ \
        __VA_ARGS__ }[dice(sizeof(GLenum[]){ __VA_ARGS__ } / sizeof(GLenum))])

static void toggle(GLenum cap, int one_in)
{
    if (dice(one_in) == 0)
        glEnable(cap);
}

static const float *color(void)
{
    static float c[4];
    for (int i = 0; i < 4; i++)
        c[i] = part();
    return c;
}

// ---- shapes ----

// Part of a sphere, open where stacks are missing.
static void ball(int stacks, int of)
{
    for (int i = 0; i < stacks; i++) {
        glBegin(GL_QUAD_STRIP);
        for (int k = 0; k <= 12; k++)
            for (int j = 0; j < 2; j++) {
                float a = PI * (float)(i + j) / (float)of, b = PI * (float)k / 6;
                float x = sinf(a) * cosf(b), y = cosf(a), z = sinf(a) * sinf(b);
                glColor4f(0.5f + x / 2, 0.5f + y / 2, 0.5f + z / 2, 0.75f);
                glNormal3f(x, y, z);
                glTexCoord2f((float)k / 12, (float)(i + j) / (float)of);
                glVertex3f(x, y, z);
            }
        glEnd();
    }
}

static void quad(void)
{
    static const float at[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    glBegin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        glColor4f((float)(i & 1), (float)(i >> 1), 0.5f, 0.25f + 0.25f * (float)i);
        glSecondaryColor3f(0.25f * (float)i, 0, 0.25f);
        glFogCoordf((float)i);
        for (GLenum u = 0; u < 3; u++)
            glMultiTexCoord2f(GL_TEXTURE0 + u, at[i][0] / 2 + 0.5f,
                              at[i][1] / 2 + 0.5f);
        glVertex3f(at[i][0], at[i][1], 0.25f * (float)i);
    }
    glEnd();
}

static void cell(int number)
{
    glViewport(number % COLUMNS * CELL + 1, number / COLUMNS * CELL + 1, CELL - 2,
               CELL - 2);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-0.5, 0.5, -0.5, 0.5, 1, 10);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(0, 0, -2.5f);
    glRotatef((float)dice(360), part(), part(), 0.1f);
}

static void begin(int frame, unsigned first)
{
    seed = first + (unsigned)frame;
    glViewport(0, 0, COLUMNS * CELL, ROWS * CELL + 20);
    glClearColor(0.2f, 0.3f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// ---- lighting ----

static void light(GLenum number)
{
    GLenum l = GL_LIGHT0 + number;
    glLightfv(l, GL_AMBIENT, color());
    glLightfv(l, GL_DIFFUSE, color());
    glLightfv(l, GL_SPECULAR, color());
    glLightfv(l, GL_POSITION,
              (float[4]){ 4 * part() - 2, 4 * part() - 2, 3, (float)dice(2) });
    if (dice(2)) {
        glLightf(l, GL_CONSTANT_ATTENUATION, 0.5f + part());
        glLightf(l, GL_QUADRATIC_ATTENUATION, part() / 4);
    }
    if (dice(3) == 0) {
        glLightf(l, GL_SPOT_CUTOFF, 20 + 40 * part());
        glLightf(l, GL_SPOT_EXPONENT, (float)dice(20));
        glLightfv(l, GL_SPOT_DIRECTION, (float[3]){ part() - 0.5f, part() - 0.5f, -1 });
    }
    glEnable(l);
}

static void materials(void)
{
    static const GLenum faces[2] = { GL_FRONT, GL_BACK };
    for (int i = 0; i < 2; i++) {
        glMaterialfv(faces[i], GL_AMBIENT, color());
        glMaterialfv(faces[i], GL_DIFFUSE, color());
        glMaterialfv(faces[i], GL_SPECULAR, color());
        glMaterialf(faces[i], GL_SHININESS, (float)(dice(4) * 10));
    }
}

void scene_lighting(int frame)
{
    begin(frame, 7000);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_LIGHTING);
        cell(i);
        for (int n = 1 + dice(3); n > 0; n--)
            light((GLenum)dice(8));
        materials();
        glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, dice(2));
        glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, dice(2));
        glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL,
                      (int)PICK(GL_SINGLE_COLOR, GL_SEPARATE_SPECULAR_COLOR));
        glShadeModel(PICK(GL_SMOOTH, GL_SMOOTH, GL_FLAT));
        glColorMaterial(PICK(GL_FRONT, GL_FRONT_AND_BACK),
                        PICK(GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION,
                             GL_AMBIENT_AND_DIFFUSE));
        toggle(GL_COLOR_MATERIAL, 3);
        toggle(GL_NORMALIZE, 2);
        toggle(GL_RESCALE_NORMAL, 3);
        if (dice(2))
            glScalef(0.5f + part() / 2, 0.5f + part() / 2, 0.5f + part() / 2);
        ball(4 + dice(4), 8);
        glPopAttrib();
    }
}

// ---- combiners ----

static void image(GLenum unit)
{
    static const GLenum formats[] = { GL_RGBA,      GL_RGB,   GL_LUMINANCE_ALPHA,
                                      GL_LUMINANCE, GL_ALPHA, GL_INTENSITY };
    unsigned char texels[8 * 8 * 4];
    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = (unsigned char)dice(256);
    glActiveTexture(GL_TEXTURE0 + unit);
    glTexImage2D(GL_TEXTURE_2D, 0, (int)formats[dice(6)], 8, 8, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_2D);
}

static void sources(GLenum source, GLenum operand, int alpha)
{
    for (GLenum i = 0; i < 3; i++) {
        glTexEnvi(GL_TEXTURE_ENV, source + i,
                  (int)PICK(GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_PRIMARY_COLOR,
                            GL_TEXTURE0, GL_TEXTURE1));
        glTexEnvi(GL_TEXTURE_ENV, operand + i,
                  (int)(alpha ? PICK(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA)
                              : PICK(GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_SRC_ALPHA,
                                     GL_ONE_MINUS_SRC_ALPHA)));
    }
}

static void environment(void)
{
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE,
              (int)PICK(GL_REPLACE, GL_MODULATE, GL_DECAL, GL_BLEND, GL_ADD, GL_COMBINE,
                        GL_COMBINE, GL_COMBINE, GL_COMBINE));
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color());
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB,
              (int)PICK(GL_REPLACE, GL_MODULATE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE,
                        GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA, GL_MODULATE_ADD_ATI));
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA,
              (int)PICK(GL_REPLACE, GL_MODULATE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE,
                        GL_SUBTRACT));
    sources(GL_SRC0_RGB, GL_OPERAND0_RGB, 0);
    sources(GL_SRC0_ALPHA, GL_OPERAND0_ALPHA, 1);
    glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, (float)(1 << dice(3)));
    glTexEnvf(GL_TEXTURE_ENV, GL_ALPHA_SCALE, (float)(1 << dice(3)));
}

void scene_combiners(int frame)
{
    begin(frame, 9000);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        cell(i);
        glEnable(GL_BLEND); // shows alpha
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        for (GLenum u = 0; u < 3; u++) {
            image(u);
            environment();
        }
        glActiveTexture(GL_TEXTURE0);
        quad();
        glPopAttrib();
    }
}

// ---- fog, tests, generated coordinates, planes, points ----

static void generate(void)
{
    static const GLenum coordinates[] = { GL_S, GL_T, GL_R };
    static const GLenum caps[] = { GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T,
                                   GL_TEXTURE_GEN_R };
    for (int i = 0; i < 3; i++) {
        glTexGeni(coordinates[i], GL_TEXTURE_GEN_MODE,
                  i == 2 ? GL_EYE_LINEAR
                         : (int)PICK(GL_OBJECT_LINEAR, GL_EYE_LINEAR, GL_SPHERE_MAP,
                                     GL_REFLECTION_MAP, GL_NORMAL_MAP));
        glTexGenfv(coordinates[i], GL_OBJECT_PLANE, color());
        glTexGenfv(coordinates[i], GL_EYE_PLANE, color());
        toggle(caps[i], 2);
    }
    glMatrixMode(GL_TEXTURE);
    glLoadIdentity();
    if (dice(2))
        glScalef(1 + part(), 1 + part(), 1);
    glMatrixMode(GL_MODELVIEW);
}

static void fog(void)
{
    glFogi(GL_FOG_MODE, (int)PICK(GL_LINEAR, GL_EXP, GL_EXP2));
    glFogi(GL_FOG_COORDINATE_SOURCE, (int)PICK(GL_FRAGMENT_DEPTH, GL_FOG_COORDINATE));
    glFogf(GL_FOG_DENSITY, part());
    glFogf(GL_FOG_START, 2 * part());
    glFogf(GL_FOG_END, 2 + 2 * part());
    glFogfv(GL_FOG_COLOR, color());
    toggle(GL_FOG, 2);
}

static void points(void)
{
    glPointSize(1 + 8 * part());
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION,
                       (float[3]){ part(), part() / 4, part() / 8 });
    glBegin(GL_POINTS);
    for (int i = 0; i < 8; i++)
        glVertex3f(part() - 0.5f, part() - 0.5f, part() - 0.5f);
    glEnd();
}

void scene_fragments(int frame)
{
    begin(frame, 5000);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        cell(i);
        image(0);
        glEnable(GL_DEPTH_TEST);
        generate();
        fog();
        toggle(GL_COLOR_SUM, 2);
        glAlphaFunc(GL_NEVER + 1 + (GLenum)dice(7), part());
        toggle(GL_ALPHA_TEST, 3);
        glClipPlane(GL_CLIP_PLANE0, (double[4]){ part() - 0.5, 1, part(), 0.25 });
        toggle(GL_CLIP_PLANE0, 3);
        if (dice(3) == 0)
            quad();
        else
            ball(8, 8);
        points();
        glDisable(GL_COLOR_SUM); // Mesa's glPopAttrib forgets it
        glMatrixMode(GL_TEXTURE);
        glLoadIdentity();
        glPopAttrib();
    }
}
