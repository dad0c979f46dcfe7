#include "tests/apitrace/trace_scenes.h"

#include <string.h>

#include "compiler/gl/base/gl_enums.h"

#define CALL(...) trace_gl_call(t, __VA_ARGS__)

void trace_write_lists(struct trace_gl *t, unsigned vertices, unsigned calls)
{
    CALL("glNewList", "ii", 1, GL_COMPILE);
    trace_gl_shape(t, GL_TRIANGLES, vertices);
    CALL("glEndList", "");
    for (unsigned i = 0; i < calls; i++)
        CALL("glCallList", "i", 1);
}

// ---- geometry ----

static void modes(struct trace_gl *t)
{
    for (unsigned mode = GL_POINTS; mode <= GL_POLYGON; mode++) {
        CALL("glColor4ub", "iiii", 255, (int)mode * 20, 0, 128);
        CALL("glEdgeFlag", "i", (int)mode & 1);
        trace_gl_shape(t, mode, 8);
    }
    CALL("glPolygonMode", "ii", GL_FRONT, GL_LINE);
    CALL("glPolygonMode", "ii", GL_BACK, GL_POINT);
    trace_gl_shape(t, GL_QUADS, 8);
    CALL("glRectf", "ffff", -0.5, -0.5, 0.5, 0.5);
}

static void lists(struct trace_gl *t)
{
    static const uint8_t names[] = { 1, 2, 3, 0, 2 };
    trace_write_lists(t, 9, 1);
    CALL("glNewList", "ii", 2, GL_COMPILE_AND_EXECUTE);
    CALL("glColor3f", "fff", 1.0, 0.5, 0.25);
    CALL("glTranslatef", "fff", 0.1, 0.0, 0.0);
    CALL("glCallList", "i", 1);
    CALL("glEnd", "");
    CALL("glEndList", "");
    CALL("glNewList", "ii", 3, GL_COMPILE);
    CALL("glBegin", "i", GL_QUAD_STRIP); // ends in another list
    CALL("glVertex2f", "ff", 0.0, 0.0);
    CALL("glCallList", "i", 2);
    CALL("glEndList", "");
    CALL("glListBase", "i", 0);
    CALL("glCallLists", "iib", (int)sizeof names, GL_UNSIGNED_BYTE,
         (unsigned)sizeof names, names);
    CALL("glDeleteLists", "ii", 1, 2);
}

static void evaluators(struct trace_gl *t)
{
    static const float points[] = { -1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0 };
    CALL("glMap2f", "iffiiffiib", GL_MAP2_VERTEX_3, 0.0, 1.0, 3, 2, 0.0, 1.0, 6, 2,
         (unsigned)sizeof points, points);
    CALL("glMap1f", "iffiib", GL_MAP1_COLOR_4, 0.0, 1.0, 4, 3, (unsigned)sizeof points,
         points);
    CALL("glMap1f", "iffiib", GL_MAP1_VERTEX_3, 0.0, 1.0, 3, 4, (unsigned)sizeof points,
         points);
    CALL("glEnable", "i", GL_MAP2_VERTEX_3);
    CALL("glEnable", "i", GL_MAP1_VERTEX_3);
    CALL("glEnable", "i", GL_AUTO_NORMAL);
    CALL("glMapGrid2f", "iffiff", 4, 0.0, 1.0, 4, 0.0, 1.0);
    CALL("glMapGrid1f", "iff", 5, 0.0, 1.0);
    CALL("glEvalMesh2", "iiiii", GL_FILL, 0, 4, 0, 4);
    CALL("glEvalMesh1", "iii", GL_LINE, 0, 5);
    CALL("glBegin", "i", GL_POINTS);
    CALL("glEvalCoord2f", "ff", 0.5, 0.25);
    CALL("glEvalPoint1", "i", 2);
    CALL("glEnd", "");
}

static void arrays(struct trace_gl *t)
{
    static const float positions[12] = { 0, 0, 1, 0, 1, 1, 0, 1, 0.5f, 0.5f };
    static const uint8_t colors[24] = "0123456789abcdefghijklm",
                         indices[] = "\0\1\2\2\3\0";
    static const int firsts[] = { 0, 1 }, counts[] = { 3, 3 };
    CALL("glEnableClientState", "i", GL_VERTEX_ARRAY);
    CALL("glEnableClientState", "i", GL_COLOR_ARRAY);
    CALL("glVertexPointer", "iiib", 2, GL_FLOAT, 0, (unsigned)sizeof positions,
         positions);
    CALL("glColorPointer", "iiib", 4, GL_UNSIGNED_BYTE, 4, (unsigned)sizeof colors,
         colors);
    CALL("glDrawArrays", "iii", GL_TRIANGLES, 0, 3);
    CALL("glDrawArraysInstanced", "iiii", GL_TRIANGLES, 0, 3, 4);
    CALL("glDrawElements", "iiib", GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, 6u, indices);
    CALL("glMultiDrawArrays", "iaai", GL_TRIANGLE_FAN, 2u, firsts, 2u, counts, 2);
    CALL("glBindBuffer", "ii", GL_ARRAY_BUFFER, 1);
    CALL("glBufferData", "iibi", GL_ARRAY_BUFFER, 48, 48u, positions, GL_STATIC_DRAW);
    CALL("glBufferSubData", "iiib", GL_ARRAY_BUFFER, 8, 8, 8u, positions);
    CALL("glVertexPointer", "iiip", 2, GL_FLOAT, 8, UINT64_C(0));
    CALL("glBindBuffer", "ii", GL_ELEMENT_ARRAY_BUFFER, 2);
    CALL("glBufferData", "iibi", GL_ELEMENT_ARRAY_BUFFER, 6, 6u, indices,
         GL_STATIC_DRAW);
    CALL("glDrawRangeElements", "iiiiip", GL_TRIANGLES, 0, 3, 6, GL_UNSIGNED_BYTE,
         UINT64_C(0));
    CALL("glBegin", "i", GL_LINES);
    CALL("glArrayElement", "i", 1);
    CALL("glArrayElement", "i", 2);
    CALL("glEnd", "");
}

// ---- state ----

static void lighting(struct trace_gl *t)
{
    CALL("glMatrixMode", "i", GL_PROJECTION);
    CALL("glFrustum", "ffffff", -1.0, 1.0, -1.0, 1.0, 1.0, 9.0);
    CALL("glMatrixMode", "i", GL_MODELVIEW);
    CALL("glTranslatef", "fff", 0.0, 0.0, -3.0);
    CALL("glRotatef", "ffff", 30.0, 0.0, 1.0, 0.0);
    CALL("glEnable", "i", GL_LIGHTING);
    CALL("glEnable", "i", GL_LIGHT0);
    CALL("glLightf", "iif", GL_LIGHT0, GL_SPOT_CUTOFF, 40.0);
    CALL("glLightModeli", "ii", GL_LIGHT_MODEL_TWO_SIDE, 1);
    CALL("glEnable", "i", GL_COLOR_MATERIAL);
    CALL("glColorMaterial", "ii", GL_FRONT, GL_DIFFUSE);
    CALL("glBegin", "i", GL_TRIANGLES);
    for (int i = 0; i < 3; i++) {
        CALL("glNormal3f", "fff", 0.0, 0.1 * i, 1.0);
        CALL("glMaterialf", "iif", GL_FRONT, GL_SHININESS, 4.0 * i);
        CALL("glVertex3f", "fff", 0.5 * i, 0.2 * (i & 1), 0.0);
    }
    CALL("glEnd", "");
    CALL("glEnable", "i", GL_FOG);
    CALL("glFogi", "ii", GL_FOG_MODE, GL_LINEAR);
    CALL("glEnable", "i", GL_CLIP_PLANE0);
    CALL("glPushAttrib", "i", -1);
    CALL("glShadeModel", "i", GL_FLAT);
    trace_gl_shape(t, GL_TRIANGLE_STRIP, 6);
    CALL("glPopAttrib", "");
    trace_gl_shape(t, GL_POLYGON, 5);
}

static void fragments(struct trace_gl *t)
{
    CALL("glEnable", "i", GL_BLEND);
    CALL("glBlendFunc", "ii", GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    CALL("glEnable", "i", GL_ALPHA_TEST);
    CALL("glAlphaFunc", "if", GL_GREATER, 0.25);
    CALL("glEnable", "i", GL_STENCIL_TEST);
    CALL("glStencilFunc", "iii", GL_ALWAYS, 1, 255);
    CALL("glStencilOp", "iii", GL_KEEP, GL_INCR, GL_REPLACE);
    CALL("glEnable", "i", GL_SCISSOR_TEST);
    CALL("glScissor", "iiii", 2, 2, 50, 50);
    CALL("glColorMask", "iiii", 1, 0, 1, 1);
    CALL("glClear", "i", 0x4500);
    CALL("glEnable", "i", GL_LINE_STIPPLE);
    CALL("glLineStipple", "ii", 2, 0xf0f0);
    CALL("glLineWidth", "f", 3.0);
    trace_gl_shape(t, GL_LINE_LOOP, 5);
    CALL("glPointSize", "f", 5.0);
    CALL("glEnable", "i", GL_POINT_SMOOTH);
    trace_gl_shape(t, GL_POINTS, 5);
    CALL("glEnable", "i", GL_COLOR_LOGIC_OP);
    CALL("glLogicOp", "i", GL_XOR);
    CALL("glEnable", "i", GL_POLYGON_OFFSET_FILL);
    CALL("glPolygonOffset", "ff", 1.0, 2.0);
    CALL("glDepthRange", "ff", 1.0, 0.0);
    CALL("glViewport", "iiii", -5, 5, 40, 70);
    trace_gl_shape(t, GL_TRIANGLES, 6);
}

static void selection(struct trace_gl *t)
{
    CALL("glSelectBuffer", "ip", 64, UINT64_C(0x5000));
    CALL("glRenderMode", "i", GL_SELECT);
    CALL("glInitNames", "");
    CALL("glPushName", "i", 4);
    trace_gl_shape(t, GL_TRIANGLES, 3);
    CALL("glRenderMode", "i", GL_RENDER);
    CALL("glFeedbackBuffer", "iip", 64, GL_2D, UINT64_C(0x6000));
    CALL("glRenderMode", "i", GL_FEEDBACK);
    CALL("glPassThrough", "f", 1.0);
    CALL("glRenderMode", "i", GL_RENDER);
    trace_gl_shape(t, GL_TRIANGLES, 3);
}

static void contexts(struct trace_gl *t)
{
    const uint64_t display = 0x1000, second = 0x2100;
    trace_write_lists(t, 3, 0);
    CALL("glXCreateContext", "pppi=p", display, UINT64_C(1), UINT64_C(0x2000), 1,
         second);
    CALL("glXMakeCurrent", "pip=i", display, 8, second, 1);
    CALL("glViewport", "iiii", 0, 0, 32, 32);
    CALL("glCallList", "i", 1);
    CALL("glXDestroyContext", "pp", display, second);
    CALL("glCallList", "i", 1);
    CALL("glXSwapBuffers", "pi", display, 8);
    CALL("glXMakeCurrent", "pip=i", display, 7, UINT64_C(0x2000), 1);
    CALL("glCallList", "i", 1);
}

// ---- textures, pixels ----

static void triangle_textured(struct trace_gl *t)
{
    CALL("glBegin", "i", GL_TRIANGLES);
    for (int i = 0; i < 3; i++) {
        CALL("glTexCoord3f", "fff", i & 1, i / 2.0, 0.5);
        CALL("glVertex2f", "ff", i & 1, i / 2.0);
    }
    CALL("glEnd", "");
}

static void textures(struct trace_gl *t)
{
    static const uint8_t texels[64] = "what these are does not matter as long as some";
    CALL("glBindTexture", "ii", GL_TEXTURE_2D, 1);
    CALL("glEnable", "i", GL_TEXTURE_2D);
    CALL("glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    CALL("glTexImage2D", "iiiiiiiib", GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA,
         GL_UNSIGNED_BYTE, 64u, texels);
    triangle_textured(t);
    CALL("glTexSubImage2D", "iiiiiiiib", GL_TEXTURE_2D, 0, 1, 1, 2, 2, GL_BGRA,
         GL_UNSIGNED_BYTE, 16u, texels);
    CALL("glTexEnvi", "iii", GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL);
    triangle_textured(t);
    CALL("glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
         GL_LINEAR_MIPMAP_LINEAR);
    CALL("glTexParameteri", "iii", GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
    CALL("glTexImage2D", "iiiiiiiib", GL_TEXTURE_2D, 0, GL_LUMINANCE8, 8, 8, 0,
         GL_LUMINANCE, GL_UNSIGNED_BYTE, 64u, texels);
    CALL("glTexGeni", "iii", GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
    CALL("glEnable", "i", GL_TEXTURE_GEN_S);
    triangle_textured(t);
    CALL("glCopyTexSubImage2D", "iiiiiiii", GL_TEXTURE_2D, 0, 2, 2, 0, 0, 4, 4);
    CALL("glActiveTexture", "i", GL_TEXTURE0 + 1);
    CALL("glEnable", "i", GL_TEXTURE_3D);
    CALL("glTexParameteri", "iii", GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CALL("glTexImage3D", "iiiiiiiiib", GL_TEXTURE_3D, 0, GL_ALPHA, 4, 4, 4, 0, GL_ALPHA,
         GL_UNSIGNED_BYTE, 64u, texels);
    CALL("glCompressedTexImage2D", "iiiiiiib", GL_TEXTURE_2D, 0, 0x83F1, 8, 8, 0, 32,
         32u, texels);
    triangle_textured(t);
    CALL("glDeleteTextures", "ia", 1, 1u, (const int[]){ 1 });
}

static void framebuffers(struct trace_gl *t)
{
    CALL("glBindTexture", "ii", GL_TEXTURE_2D, 1);
    CALL("glTexImage2D", "iiiiiiiin", GL_TEXTURE_2D, 0, GL_RGBA8, 32, 32, 0, GL_RGBA,
         GL_UNSIGNED_BYTE);
    CALL("glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CALL("glBindFramebuffer", "ii", GL_FRAMEBUFFER, 1);
    CALL("glFramebufferTexture2D", "iiiii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_TEXTURE_2D, 1, 0);
    CALL("glBindRenderbuffer", "ii", GL_RENDERBUFFER, 1);
    CALL("glRenderbufferStorage", "iiii", GL_RENDERBUFFER, 0x88F0, 32, 32);
    CALL("glFramebufferRenderbuffer", "iiii", GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
         GL_RENDERBUFFER, 1);
    CALL("glViewport", "iiii", 0, 0, 32, 32);
    CALL("glClear", "i", 0x4100);
    trace_gl_shape(t, GL_TRIANGLES, 6);
    CALL("glGenerateMipmap", "i", GL_TEXTURE_2D);
    CALL("glBindFramebuffer", "ii", 0x8CA9, 0);
    CALL("glBlitFramebuffer", "iiiiiiiiii", 0, 0, 32, 32, 0, 64, 64, 0, 0x4000,
         GL_NEAREST);
    CALL("glBindFramebuffer", "ii", GL_FRAMEBUFFER, 0);
    CALL("glEnable", "i", GL_TEXTURE_2D);
    triangle_textured(t);
    CALL("glDeleteFramebuffers", "ia", 1, 1u, (const int[]){ 1 });
}

static void pixels(struct trace_gl *t)
{
    static const uint8_t bytes[64] =
        "\xff\x81\x81\xff some pixels, and some more of them";
    static const int map[] = { 0, 65535, 7, 99 };
    CALL("glRasterPos2f", "ff", -0.5, -0.5);
    CALL("glBitmap", "iiffffb", 8, 8, 1.0, 1.0, 9.0, 0.0, 32u, bytes);
    CALL("glPixelStorei", "ii", GL_UNPACK_ALIGNMENT, 1);
    CALL("glPixelStorei", "ii", GL_UNPACK_SKIP_PIXELS, 1);
    CALL("glPixelZoom", "ff", 2.0, -3.0);
    CALL("glDrawPixels", "iiiib", 3, 3, GL_RGBA, GL_UNSIGNED_BYTE, 64u, bytes);
    CALL("glPixelTransferf", "if", GL_RED_SCALE, 0.5);
    CALL("glPixelMapusv", "iia", GL_PIXEL_MAP_R_TO_R, 4, 4u, map);
    CALL("glPixelTransferi", "ii", GL_MAP_COLOR, 1);
    CALL("glDrawPixels", "iiiib", 4, 4, GL_LUMINANCE, GL_UNSIGNED_BYTE, 64u, bytes);
    CALL("glDrawPixels", "iiiib", 4, 4, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 64u, bytes);
    CALL("glCopyPixels", "iiiii", 0, 0, 9, 9, GL_COLOR);
    CALL("glReadPixels", "iiiiiip", 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE,
         UINT64_C(0x7000));
    CALL("glDrawBuffer", "i", GL_FRONT);
    trace_gl_shape(t, GL_TRIANGLES, 3);
    CALL("glReadBuffer", "i", GL_FRONT);
    CALL("glDrawBuffer", "i", GL_BACK);
    CALL("glCopyPixels", "iiiii", 0, 0, 9, 9, GL_COLOR);
}

const struct trace_scene trace_scenes[] = {
    { "modes", modes },
    { "lists", lists },
    { "evaluators", evaluators },
    { "arrays", arrays },
    { "lighting", lighting },
    { "fragments", fragments },
    { "selection", selection },
    { "contexts", contexts },
    { "textures", textures },
    { "pixels", pixels },
    { "framebuffers", framebuffers },
};
const size_t trace_scene_count = sizeof trace_scenes / sizeof *trace_scenes;

void trace_write_scene(struct trace_gl *t, const struct trace_scene *scene)
{
    trace_gl_begin(t);
    scene->write(t);
    trace_gl_swap(t);
}
