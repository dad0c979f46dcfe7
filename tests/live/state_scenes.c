#define GL_GLEXT_PROTOTYPES
#include "tests/live/state_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/live/scene_shapes.h"

#define COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))

// ---- what cells draw ----

// Cells of 30 x 30, eight in a row, from below; drawn around their middle.
static void at_cell(int i)
{
    const int column = i % 8, row = i / 8;
    glLoadIdentity();
    glTranslatef(15.3f + 30 * (float)column, 15.2f + 30 * (float)row, 0);
}

// A shallow bowl of lit triangles.
static void bowl(void)
{
    static const float rim[6][2] = { { 12, 0 },  { 6, 11 },   { -6, 11 },
                                     { -12, 0 }, { -6, -11 }, { 6, -11 } };
    glBegin(GL_TRIANGLE_FAN);
    glNormal3f(0, 0, 1);
    glVertex2f(0, 0);
    for (int i = 0; i <= 6; i++) {
        const float *p = rim[i % 6];
        glNormal3f(p[0] / 12, p[1] / 12, 0.6f);
        glVertex2fv(p);
    }
    glEnd();
}

// ---- glPushAttrib ----

// Changes something of every group.
static void change_all(void)
{
    glColor3f(0.9f, 0.3f, 0.2f);
    glPointSize(6);
    glEnable(GL_POINT_SMOOTH);
    glLineWidth(3);
    glEnable(GL_LINE_STIPPLE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT);
    glShadeModel(GL_FLAT);
    glEnable(GL_LIGHT1);
    glLightfv(GL_LIGHT0, GL_DIFFUSE, (const float[]){ 0, 1, 0, 1 });
    glMaterialfv(GL_FRONT, GL_SPECULAR, (const float[]){ 1, 1, 1, 1 });
    glEnable(GL_FOG);
    glFogf(GL_FOG_DENSITY, 0.5f);
    glDepthFunc(GL_GREATER);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_LESS, 0.5f);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glColorMask(1, 0, 1, 1);
    glEnable(GL_NORMALIZE);
    glMatrixMode(GL_TEXTURE);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL);
    glEnable(GL_SCISSOR_TEST);
    glScissor(10, 20, 150, 120);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 255);
    glViewport(3, 2, 230, 170);
}

// The opposite, without a stack: what changes inside of two pushes is forgotten by some
// versions of Mesa.
static void restore_all(void)
{
    static const GLenum enables[] = {
        GL_POINT_SMOOTH, GL_LINE_STIPPLE, GL_CULL_FACE,    GL_LIGHT1,
        GL_FOG,          GL_DEPTH_TEST,   GL_ALPHA_TEST,   GL_BLEND,
        GL_NORMALIZE,    GL_TEXTURE_2D,   GL_SCISSOR_TEST, GL_STENCIL_TEST
    };
    for (int i = 0; i < COUNT(enables); i++)
        glDisable(enables[i]);
    glEnable(GL_LIGHT0);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glLightfv(GL_LIGHT0, GL_POSITION, (const float[]){ 0.3f, 0.5f, 1, 0 });
    glLightfv(GL_LIGHT0, GL_DIFFUSE, (const float[]){ 1, 1, 1, 1 });
    glMaterialfv(GL_FRONT, GL_SPECULAR, (const float[]){ 0, 0, 0, 1 });
    glColor3f(1, 1, 1);
    glPointSize(1);
    glLineWidth(1);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glShadeModel(GL_SMOOTH);
    glColorMask(1, 1, 1, 1);
    glViewport(0, 0, 240, 180);
}

static void lit_cell(void)
{
    bowl();
    glBegin(GL_LINES);
    glVertex2f(-13, -13);
    glVertex2f(13, -13);
    glEnd();
    glBegin(GL_POINTS);
    glVertex2f(10, 10);
    glEnd();
}

void scene_attributes(int frame)
{
    static const GLbitfield bits[] = {
        GL_CURRENT_BIT,
        GL_POINT_BIT,
        GL_LINE_BIT,
        GL_POLYGON_BIT,
        GL_LIGHTING_BIT,
        GL_FOG_BIT,
        GL_DEPTH_BUFFER_BIT,
        GL_COLOR_BUFFER_BIT,
        GL_ENABLE_BIT,
        GL_TRANSFORM_BIT,
        GL_TEXTURE_BIT,
        GL_SCISSOR_BIT,
        GL_STENCIL_BUFFER_BIT,
        GL_VIEWPORT_BIT,
        GL_ALL_ATTRIB_BITS,
        0,
        GL_ALL_ATTRIB_BITS & ~(GLbitfield)GL_ENABLE_BIT,
        GL_ENABLE_BIT | GL_POLYGON_BIT,
    };
    for (int i = 0; i < 2 * COUNT(bits); i++) {
        restore_all();
        (i < COUNT(bits) ? glEnable : glDisable)(GL_LIGHTING);
        glPushAttrib(bits[(i + frame) % COUNT(bits)]);
        change_all();
        glPopAttrib();
        glMatrixMode(GL_MODELVIEW);
        at_cell(i);
        lit_cell();
    }
    restore_all();
}

// Changes inside of an inner level that its glPopAttrib does not cover; before, after
// and around it as well.
void scene_nesting(int frame)
{
    static const GLbitfield bits[] = {
        GL_POINT_BIT,   GL_LINE_BIT,         GL_POLYGON_BIT,      GL_LIGHTING_BIT,
        GL_FOG_BIT,     GL_DEPTH_BUFFER_BIT, GL_COLOR_BUFFER_BIT, GL_TRANSFORM_BIT,
        GL_TEXTURE_BIT, GL_SCISSOR_BIT,      GL_VIEWPORT_BIT,     GL_STENCIL_BUFFER_BIT
    };
    for (int i = 0; i < 36; i++) {
        GLbitfield inner = bits[(i + 5 * frame) % COUNT(bits)];
        restore_all();
        if (i % 2)
            glEnable(GL_LIGHTING);
        glPushAttrib(i % 5 == 4 ? GL_ALL_ATTRIB_BITS & ~(GLbitfield)GL_ENABLE_BIT
                                : GL_ALL_ATTRIB_BITS);
        if (i / 9 == 1)
            change_all();
        glPushAttrib(i / 9 == 2 ? GL_ALL_ATTRIB_BITS & ~inner : inner);
        change_all();
        if (i / 9 == 3) {
            glPushAttrib(GL_FOG_BIT | GL_LINE_BIT);
            glColor3f(0.9f, 0.1f, 0.9f);
            glPopAttrib();
        }
        glPopAttrib();
        if (i % 7 == 6)
            glColor3f(0.3f, 0.2f, 0.1f);
        glPopAttrib();
        glMatrixMode(GL_MODELVIEW);
        at_cell(i);
        lit_cell();
    }
    restore_all();
}

// ---- GL_COLOR_MATERIAL ----

static void give_material(float red, float blue)
{
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE,
                 (const float[]){ red, 0.4f, blue, 1 });
}

static void bowl_in_list(void)
{
    static GLuint list;
    if (!list) {
        list = glGenLists(1);
        glNewList(list, GL_COMPILE);
        bowl();
        glEndList();
    }
    glCallList(list);
}

// Orders of glColor, glMaterial, glColorMaterial and glEnable, that Mesa tells apart.
static void one_tracking(int i)
{
    switch (i) {
    case 0: // the same colour as before: not seen
        give_material(0.2f, 0.9f);
        glEnable(GL_COLOR_MATERIAL);
        break;
    case 1:
        give_material(0.2f, 0.9f);
        glEnable(GL_COLOR_MATERIAL);
        glColor3f(0.1f, 0.9f, 0.1f);
        break;
    case 2: // a primitive between
        give_material(0.2f, 0.9f);
        draw_rectangle(-14, -14, 4, 4);
        glEnable(GL_COLOR_MATERIAL);
        break;
    case 3:
        give_material(0.9f, 0.2f);
        glColorMaterial(GL_FRONT, GL_SPECULAR);
        glEnable(GL_COLOR_MATERIAL);
        glColorMaterial(GL_FRONT, GL_EMISSION);
        break;
    case 4: // glMaterial of what is tracked
        glEnable(GL_COLOR_MATERIAL);
        give_material(0.9f, 0.2f);
        break;
    case 5: // tracking ends: the material keeps the colour
        glEnable(GL_COLOR_MATERIAL);
        glColor3f(0.3f, 0.2f, 0.9f);
        glDisable(GL_COLOR_MATERIAL);
        glColor3f(0.9f, 0.9f, 0);
        break;
    case 6:
        glColorMaterial(GL_FRONT_AND_BACK, GL_DIFFUSE);
        glEnable(GL_COLOR_MATERIAL);
        glPushAttrib(GL_CURRENT_BIT);
        glColor3f(1, 0, 0);
        draw_rectangle(-14, -14, 4, 4);
        glPopAttrib();
        break;
    case 7:
        give_material(0.1f, 0.1f);
        glPushAttrib(GL_LIGHTING_BIT);
        glEnable(GL_COLOR_MATERIAL);
        glColor3f(1, 0, 0);
        draw_rectangle(-14, -14, 4, 4);
        glPopAttrib();
        break;
    default:
        break;
    }
}

void scene_tracking(int frame)
{
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, (const float[]){ 0.3f, 0.2f, 1, 0 });
    for (int i = 0; i < 24; i++) {
        at_cell(i);
        give_material(0.5f, 0.6f);
        draw_rectangle(-14, 10, 3, 3);
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        if (i < 16)
            glColor3f(0.8f, 0.6f, 0.1f * (float)frame);
        one_tracking(i % 8);
        if (i < 8 || i >= 16)
            bowl();
        else
            bowl_in_list();
        glPopAttrib();
    }
    glDisable(GL_LIGHTING);
}

static void square_of_arrays(void)
{
    static const GLfloat corners[] = { -12, -12, 12, -12, 12, 12, -12, 12 };
    glEnable(GL_VERTEX_ARRAY); // as EXT_vertex_array had it, and Mesa has
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glNormal3f(0.2f, 0.1f, 0.9f);
    glDrawArrays(GL_QUADS, 0, 4);
    glDisableClientState(GL_VERTEX_ARRAY);
}

static void model_ambient(float red)
{
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, (const float[]){ red, 0.1f, 0.1f, 1 });
}

// What is given before tracking begins, with or without draws and changes of state that
// make it known: Mesa gives materials once more where nothing has.
void scene_givens(int frame)
{
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, (const float[]){ 0.3f, 0.2f, 1, 0 });
    glColorMaterial(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE);
    for (int i = 0; i < 32; i++) {
        at_cell(i % 24);
        glColor3f(0.8f, 0.6f, 0.1f * (float)frame);
        give_material(0.2f, 0.7f);
        if (i & 1)
            model_ambient(0.5f);
        if (i & 2)
            square_of_arrays();
        if (i & 4)
            model_ambient(0.3f);
        glEnable(GL_COLOR_MATERIAL);
        glColor3f(0.8f, 0.6f, 0.1f * (float)frame);
        glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, (const float[]){ 0, 0, 0.2f, 1 });
        if (i & 8)
            model_ambient(0.1f);
        if (i & 16)
            square_of_arrays();
        else
            bowl_in_list();
        glDisable(GL_COLOR_MATERIAL);
    }
    model_ambient(0.2f);
    glDisable(GL_LIGHTING);
}

// ---- stencil ----

static void two_windings(void)
{
    draw_rectangle(-14, -14, 18, 18); // front
    draw_rectangle(14, -4, -18, 18);  // back
}

void scene_stencils(int frame)
{
    static const GLenum operations[] = {
        GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
        GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP
    };
    static const GLenum functions[] = { GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                        GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS };
    glClearStencil(2);
    glClear(GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    for (int i = 0; i < 32; i++) {
        const GLenum op = operations[i % 8], func = functions[(i + frame) % 8];
        at_cell(i);
        glColorMask(0, 0, 0, 0);
        glStencilMask(i < 24 ? ~0u : 0x55);
        glStencilFunc(GL_ALWAYS, 7, ~0u);
        if (i < 8) {
            glStencilOp(GL_KEEP, GL_KEEP, op);
        } else if (i < 16) {
            glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, op);
            glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_INVERT);
        } else if (i < 24) {
            glActiveStencilFaceEXT(GL_BACK);
            glStencilFunc(GL_ALWAYS, 1, ~0u);
            glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
            glActiveStencilFaceEXT(GL_FRONT);
            glStencilOp(GL_KEEP, GL_KEEP, op);
            glEnable(GL_STENCIL_TEST_TWO_SIDE_EXT);
        } else {
            glStencilFuncSeparate(GL_BACK, func, 2, 3);
            glStencilOpSeparate(GL_FRONT_AND_BACK, GL_ZERO, GL_KEEP, op);
        }
        two_windings();
        glDisable(GL_STENCIL_TEST_TWO_SIDE_EXT);
        glColorMask(1, 1, 1, 1);
        glStencilMask(~0u);
        glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
        for (int value = 0; value < 8; value++) {
            glStencilFunc(GL_EQUAL, value, 7);
            glColor3f(0.12f * (float)(value + 1), value & 1 ? 0.9f : 0.2f,
                      value & 2 ? 0.8f : 0.1f);
            draw_rectangle(-14, -14, 28, 28);
        }
        glStencilFunc(func, 5, 6);
        glColor3f(1, 1, 1);
        draw_rectangle(-3, -3, 6, 6);
    }
    glDisable(GL_STENCIL_TEST);
}

// ---- blending ----

void scene_blends(int frame)
{
    static const GLenum factors[] = { GL_ZERO,
                                      GL_ONE,
                                      GL_SRC_COLOR,
                                      GL_ONE_MINUS_SRC_COLOR,
                                      GL_DST_COLOR,
                                      GL_ONE_MINUS_DST_COLOR,
                                      GL_SRC_ALPHA,
                                      GL_ONE_MINUS_SRC_ALPHA,
                                      GL_DST_ALPHA,
                                      GL_ONE_MINUS_DST_ALPHA,
                                      GL_CONSTANT_COLOR,
                                      GL_ONE_MINUS_CONSTANT_ALPHA,
                                      GL_SRC_ALPHA_SATURATE };
    static const GLenum equations[] = { GL_FUNC_ADD, GL_FUNC_SUBTRACT,
                                        GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX };
    glBlendColor(0.3f, 0.6f, 0.8f, 0.4f);
    for (int i = 0; i < 48; i++) {
        at_cell(i);
        glColor4f(0.2f, 0.5f, 0.7f, 0.6f);
        draw_rectangle(-13, -13, 20, 20);
        if (i < 40) {
            glEnable(GL_BLEND);
            glBlendFuncSeparate(factors[i % 13], factors[(i * 5 + frame) % 12],
                                factors[(i + 3) % 13], factors[i % 12]);
            glBlendEquationSeparate(equations[i % 5], equations[(i + 1) % 5]);
        } else {
            glEnable(GL_COLOR_LOGIC_OP);
            glLogicOp(GL_CLEAR + (GLenum)(2 * i + frame) % 16);
        }
        glColor4f(0.9f, 0.3f, 0.4f, 0.7f);
        draw_rectangle(-6, -6, 19, 19);
        glDisable(GL_BLEND);
        glDisable(GL_COLOR_LOGIC_OP);
    }
    glBlendEquation(GL_FUNC_ADD);
}

// ---- fog ----

// A rectangle that goes from near to far, with coordinates of fog of its own.
static void slope(float near, float far)
{
    glBegin(GL_QUADS);
    glFogCoordf(0.1f);
    glVertex3f(-13, -13, near);
    glVertex3f(13, -13, near);
    glFogCoordf(2);
    glVertex3f(13, 13, far);
    glVertex3f(-13, 13, far);
    glEnd();
}

void scene_fogs(int frame)
{
    static const GLenum modes[] = { GL_LINEAR, GL_EXP, GL_EXP2 };
    glEnable(GL_FOG);
    glFogfv(GL_FOG_COLOR, (const float[]){ 0.9f, 0.5f, 0.1f, 1 });
    for (int i = 0; i < 24; i++) {
        at_cell(i);
        glFogi(GL_FOG_MODE, (GLint)modes[i % 3]);
        glFogf(GL_FOG_DENSITY, 0.7f + 0.3f * (float)(i % 4));
        glFogf(GL_FOG_START, 0.1f * (float)frame);
        glFogf(GL_FOG_END, i % 5 ? 1.2f : 0);
        glFogi(GL_FOG_COORD_SRC, i < 12 ? GL_FRAGMENT_DEPTH : GL_FOG_COORD);
        glColor3f(0.1f, 0.3f, 0.8f);
        glSecondaryColor3f(0.3f, 0.3f, 0);
        (i & 4 ? glEnable : glDisable)(GL_COLOR_SUM);
        slope(-0.9f, i & 8 ? 0.9f : -0.1f);
    }
    glDisable(GL_COLOR_SUM);
    glDisable(GL_FOG);
}

// ---- texture units ----

static void make_texture(GLuint name, GLint internal, int phase)
{
    unsigned char texels[8][8][4];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            texels[y][x][0] = (unsigned char)(30 * x + phase);
            texels[y][x][1] = (unsigned char)(30 * y);
            texels[y][x][2] = (unsigned char)((x ^ y) & 1 ? 200 : 60);
            texels[y][x][3] = (unsigned char)(255 - 25 * x);
        }
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
}

static void environment(GLenum pname, GLenum value)
{
    glTexEnvi(GL_TEXTURE_ENV, pname, (GLint)value);
}

// Textures of both units only where both are on.
static void combine(int i, bool both)
{
    static const GLenum functions[] = { GL_REPLACE,    GL_MODULATE,    GL_ADD,
                                        GL_ADD_SIGNED, GL_INTERPOLATE, GL_SUBTRACT,
                                        GL_DOT3_RGB,   GL_DOT3_RGBA };
    static const GLenum sources[] = { GL_TEXTURE,       GL_PREVIOUS, GL_CONSTANT,
                                      GL_PRIMARY_COLOR, GL_TEXTURE0, GL_TEXTURE1 };
    static const GLenum operands[] = { GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR,
                                       GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA };
    environment(GL_TEXTURE_ENV_MODE, GL_COMBINE);
    environment(GL_COMBINE_RGB, functions[i % 8]);
    environment(GL_COMBINE_ALPHA, functions[(i + 2) % 6]);
    for (GLenum k = 0; k < 3; k++) {
        environment(GL_SOURCE0_RGB + k, sources[((GLenum)i + 2 * k) % (both ? 6 : 5)]);
        environment(GL_SOURCE0_ALPHA + k, sources[((GLenum)i + k) % 4]);
        environment(GL_OPERAND0_RGB + k, operands[((GLenum)i / 2 + k) % 4]);
        environment(GL_OPERAND0_ALPHA + k, operands[2 + ((GLenum)i + k) % 2]);
    }
    glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, i % 3 == 2 && i % 8 < 6 ? 2 : 1);
}

void scene_units(int frame)
{
    static const GLint formats[] = {
        GL_RGBA, GL_RGB, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY
    };
    static const GLenum modes[] = { GL_MODULATE, GL_DECAL, GL_BLEND, GL_REPLACE,
                                    GL_ADD };
    const float color[4] = { 0.2f, 0.9f, 0.4f, 0.5f };
    for (int i = 0; i < 48; i++) {
        at_cell(i);
        for (int unit = 0; unit < 2; unit++) {
            glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
            make_texture(1 + (GLuint)unit, formats[(i / 5 + unit + frame) % 6],
                         20 * unit);
            if (unit == 0 || i >= 24)
                glEnable(GL_TEXTURE_2D);
            glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
            environment(GL_TEXTURE_ENV_MODE, modes[(i + unit) % 5]);
            if (i % 2)
                combine(i + unit, i >= 24);
        }
        glMultiTexCoord2f(GL_TEXTURE1, 0.7f, 0.3f);
        glColor4f(0.8f, 0.7f, 0.3f, 0.9f);
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        draw_rectangle(-13, -13, 26, 26);
        glDisable(GL_BLEND);
    }
    for (GLenum unit = 2; unit-- > 0;) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glDisable(GL_TEXTURE_2D);
    }
}

// ---- planes: clipping, generated coordinates, offsets ----

void scene_planes(int frame)
{
    static const GLint modes[] = { GL_OBJECT_LINEAR, GL_EYE_LINEAR, GL_SPHERE_MAP,
                                   GL_REFLECTION_MAP };
    make_texture(3, GL_RGB, 0);
    for (int i = 0; i < 32; i++) {
        at_cell(i);
        glRotatef(7.5f * (float)(i + frame), 0, 0.2f * (float)(i % 3), 1);
        glClipPlane(GL_CLIP_PLANE0, (const double[]){ 1, 0.5, 0, 6 });
        glClipPlane(GL_CLIP_PLANE3, (const double[]){ -1, 0.2, 0.1, 9 });
        (i & 1 ? glEnable : glDisable)(GL_CLIP_PLANE0);
        (i & 2 ? glEnable : glDisable)(GL_CLIP_PLANE3);
        glScalef(1, 1, 0.01f);
        for (GLenum c = GL_S; c <= GL_T; c++) {
            const float plane[4] = { c == GL_S ? 0.05f : 0.01f, 0.04f, 0, 0.3f };
            glTexGeni(c, GL_TEXTURE_GEN_MODE, modes[i / 8]);
            glTexGenfv(c, GL_OBJECT_PLANE, plane);
            glTexGenfv(c, GL_EYE_PLANE, plane);
        }
        if (i >= 4) {
            glEnable(GL_TEXTURE_2D);
            glEnable(GL_TEXTURE_GEN_S);
            glEnable(GL_TEXTURE_GEN_T);
        }
        glMatrixMode(GL_TEXTURE);
        glLoadTransposeMatrixf(
            (const float[]){ 1, 0.3f, 0, 0, 0, 1.2f, 0, 0.1f, 0, 0, 1, 0, 0, 0, 0, 1 });
        glMatrixMode(GL_MODELVIEW);
        glColor3f(0.9f, 0.8f, 0.5f);
        bowl();
        glDisable(GL_TEXTURE_2D);
    }
    glDisable(GL_TEXTURE_GEN_S);
    glDisable(GL_TEXTURE_GEN_T);
    glDisable(GL_CLIP_PLANE0);
    glDisable(GL_CLIP_PLANE3);
}
