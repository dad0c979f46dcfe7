#define GL_GLEXT_PROTOTYPES
#include "tests/live/blit_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/live/scene_shapes.h"

#define WIDTH 240
#define HEIGHT 180
#define SIDE 40

// ---- things to copy ----

// No two rows or columns alike; `n` makes another picture.
static void paint(int n)
{
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 20; i++) {
        const float x = (float)(i * 7 % 20) / 10 - 1;
        glColor4f((float)((i + n) % 5) / 4, (float)(i % 7) / 6,
                  (float)((i * 3 + n) % 8) / 7, (float)(i % 4) / 3);
        glVertex3f(x, -0.93f, (float)(i % 10) / 10);
        glVertex3f(x + 0.35f, -0.2f + (float)((i + n) % 9) / 9, 0.1f);
        glVertex3f(-x, 0.91f, -(float)(i % 6) / 7);
    }
    glEnd();
}

static void place(GLsizei width, GLsizei height)
{
    glViewport(0, 0, width, height);
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glLoadIdentity();
}

static void place_back(void)
{
    glPopMatrix();
    glMatrixMode(GL_MODELVIEW);
    glViewport(0, 0, WIDTH, HEIGHT);
}

// Colours, and depth and stencil where the framebuffer has them.
static void fill(GLuint framebuffer, GLsizei width, GLsizei height, int n)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    place(width, height);
    glClearColor(0.1f * (float)(n % 9), 0.3f, 0.2f, 0.6f);
    glClearStencil(n * 23 & 255);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_INCR_WRAP, GL_INCR_WRAP, GL_INVERT);
    paint(n);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_DEPTH_TEST);
    place_back();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static GLuint named(GLenum target)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    if (target != GL_TEXTURE_2D_MULTISAMPLE) {
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    return name;
}

static GLuint texture(GLenum internal, GLsizei width, GLsizei height)
{
    GLuint name = named(GL_TEXTURE_2D);
    glTexStorage2D(GL_TEXTURE_2D, 1, internal, width, height);
    return name;
}

static GLuint framebuffer_of(GLenum attachment, GLenum target, GLuint name)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (target == GL_RENDERBUFFER)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, target, name);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, target, name, 0);
    return framebuffer;
}

static GLuint slice_of(GLuint name, GLint level, GLint slice)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (slice % 2)
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, level,
                                  slice);
    else
        glFramebufferTexture3D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_3D,
                               name, level, slice);
    return framebuffer;
}

// ---- things to see ----

static void show(GLuint name, float x, float y, float width, float height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glEnable(GL_TEXTURE_2D);
    draw_rectangle(x, y, width, height);
    glDisable(GL_TEXTURE_2D);
}

static GLuint linked(const char *fragments)
{
    static const char *const vertices =
        "#version 130\n"
        "void main() { gl_TexCoord[0] = gl_MultiTexCoord0; gl_Position = ftransform(); "
        "}\n";
    const char *const texts[2] = { vertices, fragments };
    GLint ok = 0;
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    return program;
}

// Integers, signed ones or not, as colours.
static void show_integers(GLuint name, GLboolean is_signed, float x, float y,
                          float width, float height)
{
    static GLuint programs[2];
    if (!programs[0]) {
        programs[0] = linked("#version 130\nuniform usampler2D t;\n"
                             "void main() { gl_FragColor = vec4(texture(t, "
                             "gl_TexCoord[0].xy) & 255u) / 255.0; }\n");
        programs[1] = linked("#version 130\nuniform isampler2D t;\n"
                             "void main() { gl_FragColor = vec4(texture(t, "
                             "gl_TexCoord[0].xy) & 255) / 255.0; }\n");
    }
    glUseProgram(programs[is_signed]);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, name);
    draw_rectangle(x, y, width, height);
    glUseProgram(0);
}

static void blit(GLuint from, GLuint to, const int c[8], GLbitfield mask, GLenum filter)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], mask, filter);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void scissor(int x, int y, int width, int height)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, width, height);
}

// Of stencil of the window: where a bit is set.
static void show_stencil(float x, float y, float width, float height)
{
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    for (int bit = 0; bit < 8; bit++) {
        glStencilFunc(GL_NOTEQUAL, 0, 1u << bit);
        glColor3f((float)(bit % 3) / 2, (float)bit / 7, (float)(bit % 2));
        draw_rectangle(x + width * (float)bit / 8, y, width / 8, height);
    }
    glDisable(GL_STENCIL_TEST);
}

// ---- blits of which parts are cut off ----

static void cut_colors(int frame)
{
    static const struct {
        int corners[8], scissor[4];
        GLenum filter;
    } rows[] = {
        { { 3, 3, 33, 24, 2, 2, 75, 58 }, { 7, 9, 51, 31 }, GL_NEAREST },
        { { 3, 3, 33, 24, 82, 2, 155, 58 }, { 87, 9, 51, 31 }, GL_LINEAR },
        { { -7, -4, 36, 49, 162, 2, 235, 58 }, { 0, 0, 240, 180 }, GL_NEAREST },
        { { 36, 49, -7, -4, 2, 62, 75, 118 }, { 0, 0, 240, 180 }, GL_LINEAR },
        { { 33, 3, 3, 24, 82, 62, 155, 118 }, { 93, 71, 44, 40 }, GL_NEAREST },
        { { 3, 24, 33, 3, 235, 62, 162, 118 }, { 170, 66, 29, 33 }, GL_LINEAR },
        { { 0, 0, 40, 40, -33, 131, 61, 179 }, { 0, 125, 240, 47 }, GL_NEAREST },
        { { 0, 0, 40, 40, 205, 179, 62, 131 }, { 63, 125, 120, 47 }, GL_LINEAR },
    };
    GLuint color = texture(GL_RGBA8, SIDE, SIDE);
    GLuint from = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color);
    fill(from, SIDE, SIDE, frame);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int *s = rows[i].scissor;
        scissor(s[0], s[1], s[2], s[3]);
        blit(from, 0, rows[i].corners, GL_COLOR_BUFFER_BIT, rows[i].filter);
    }
    glDisable(GL_SCISSOR_TEST);
}

// Between objects: integers, an sRGB target, several samples by way of one.
static void cut_objects(int frame)
{
    static const struct {
        GLenum format;
        int corners[8];
    } rows[] = {
        { GL_RGBA8UI, { 3, 2, 37, 39, -9, 4, 41, 55 } },
        { GL_SRGB8_ALPHA8, { 38, 5, -6, 44, 3, -8, 44, 39 } },
        { GL_RGB8, { 1, 30, 29, 4, 5, -8, 61, 37 } },
        { GL_RGBA16F, { -3, -5, 44, 45, 3, 2, 38, 37 } },
    };
    for (int i = 0; i < 4; i++) {
        const GLboolean integers = i == 0;
        GLuint names[2];
        GLuint framebuffers[2];
        for (int k = 0; k < 2; k++) {
            names[k] = texture(rows[i].format, SIDE, SIDE);
            framebuffers[k] =
                framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, names[k]);
            if (!integers)
                fill(framebuffers[k], SIDE, SIDE, frame + 3 * k);
        }
        for (GLuint k = 0; integers && k < 100; k++) {
            const GLuint value[4] = { k * 31, k * 7, 200 - k, k };
            glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[k == 0]);
            scissor((int)(k * 13 % 37), (int)(k * 7 % 33), 9, 7);
            glClearBufferuiv(GL_COLOR, 0, value);
        }
        scissor(3, 5, 31, 29);
        blit(framebuffers[0], framebuffers[1], rows[i].corners, GL_COLOR_BUFFER_BIT,
             i % 2 ? GL_LINEAR : GL_NEAREST);
        glDisable(GL_SCISSOR_TEST);
        if (integers)
            show_integers(names[1], GL_FALSE, 190, 125, 48, 48);
        else
            show(names[1], 190, 125 - 50 * (float)i + 50, 24, 24);
    }
}

// To the planes of the window, which then choose what is drawn.
static void cut_planes(int frame)
{
    static const int corners[2][8] = { { 3, 5, 35, 37, 4, 121, 80, 179 },
                                       { 37, -5, -4, 35, 92, 120, 160, 177 } };
    GLuint plane = texture(GL_DEPTH24_STENCIL8, SIDE, SIDE);
    GLuint from = framebuffer_of(GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, plane);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    fill(from, SIDE, SIDE, frame);
    glClear(GL_STENCIL_BUFFER_BIT);
    scissor(9, 124, 130, 47);
    for (int i = 0; i < 2; i++)
        blit(from, 0, corners[i], GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
             GL_NEAREST);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GREATER);
    for (int i = 0; i < 7; i++) { // the nearest one behind what is there
        glPushMatrix();
        glTranslatef(0, 0, -0.9f + 0.25f * (float)i);
        glColor3f((float)i / 6, 1 - (float)i / 6, 0.5f);
        draw_rectangle(4, 121, 156, 28);
        glPopMatrix();
    }
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    show_stencil(4, 150, 156, 28);
}

void scene_cuts(int frame)
{
    if (frame % 2)
        cut_colors(frame);
    else
        cut_objects(frame);
    if (frame > 1)
        cut_planes(frame);
}

// ---- slices of 3D textures ----

static GLuint volume(GLenum internal)
{
    GLuint name = named(GL_TEXTURE_3D);
    glTexStorage3D(GL_TEXTURE_3D, 3, internal, SIDE, SIDE, 8);
    for (int level = 0; level < 2; level++)
        for (int z = 0; z < 8 >> level; z++)
            fill(slice_of(name, level, z), SIDE >> level, SIDE >> level, 8 * level + z);
    return name;
}

static void show_slices(GLuint name, float x, float y)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_3D, name);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glEnable(GL_TEXTURE_3D);
    for (int z = 0; z < 8; z++) {
        const int row = z / 4;
        const float left = x + 26 * (float)(z % 4), low = y + 26 * (float)row,
                    r = ((float)z + 0.5f) / 8;
        glBegin(GL_QUADS);
        glTexCoord3f(0, 0, r);
        glVertex2f(left, low);
        glTexCoord3f(1, 0, r);
        glVertex2f(left + 24, low);
        glTexCoord3f(1, 1, r);
        glVertex2f(left + 24, low + 24);
        glTexCoord3f(0, 1, r);
        glVertex2f(left, low + 24);
        glEnd();
    }
    glDisable(GL_TEXTURE_3D);
}

static GLuint several_samples(int frame)
{
    GLuint name = named(GL_TEXTURE_2D_MULTISAMPLE);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, SIDE, SIDE,
                              GL_TRUE);
    GLuint framebuffer =
        framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, name);
    fill(framebuffer, SIDE, SIDE, frame);
    return framebuffer;
}

// Pixels of a slice to a flat texture, on the device.
static void slice_through_buffer(GLuint from, GLuint flat)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, SIDE * SIDE * 4, NULL, GL_STREAM_COPY);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, slice_of(from, 0, 2));
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, flat);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE,
                    NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    show(flat, 122, 118, 46, 46);
}

void scene_slices(int frame)
{
    static const int whole[8] = { 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE };
    static const int scaled[8] = { 2, 3, 19, 17, 5, 35, 37, 4 };
    static const int cut[8] = { -3, 3, 29, 27, 5, 35, 47, 4 };
    static const int seen[8] = { 0, 0, SIDE, SIDE, 122, 10, 168, 60 };
    GLuint to = volume(GL_RGBA8), name = volume(frame % 2 ? GL_RGBA8 : GL_RGBA16F);
    blit(slice_of(name, 0, 5), slice_of(to, 0, 2), whole, GL_COLOR_BUFFER_BIT,
         GL_NEAREST);
    blit(slice_of(name, 1, 3), slice_of(to, 0, 7), scaled, GL_COLOR_BUFFER_BIT,
         GL_LINEAR);
    blit(slice_of(to, 0, 6), slice_of(to, 0, 1), cut, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    blit(several_samples(frame), slice_of(to, 0, 3), whole, GL_COLOR_BUFFER_BIT,
         GL_NEAREST);
    blit(slice_of(name, 0, frame + 1), 0, seen, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    scissor(180, 121, 50, 100);
    blit(several_samples(frame), 0, (const int[8]){ 3, 2, 38, 37, 177, 116, 236, 176 },
         GL_COLOR_BUFFER_BIT, GL_SCALED_RESOLVE_NICEST_EXT);
    glDisable(GL_SCISSOR_TEST);
    blit(several_samples(frame + 1), slice_of(to, 0, 4),
         (const int[8]){ 1, 2, 22, 37, 0, 4, 36, 39 }, GL_COLOR_BUFFER_BIT,
         GL_SCALED_RESOLVE_FASTEST_EXT);
    // Copies from a slice, to one, and between two of one texture.
    GLuint flat = texture(GL_RGBA8, SIDE, SIDE);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, slice_of(name, 0, 6));
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 4, 3, 1, 2, 30, 33);
    show(flat, 122, 66, 46, 46);
    glBindTexture(GL_TEXTURE_3D, to);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, slice_of(to, 0, 0));
    glCopyTexSubImage3D(GL_TEXTURE_3D, 0, 7, 9, 4, 0, 3, 29, 27);
    glCopyImageSubData(name, GL_TEXTURE_3D, 0, 3, 3, 1, to, GL_TEXTURE_3D, 0, 8, 8, 5,
                       frame % 2 ? 20 : 0, 20, 2);
    slice_through_buffer(to, flat);
    // Pixels to the window from one.
    glBindFramebuffer(GL_READ_FRAMEBUFFER, slice_of(to, 0, 7));
    glRasterPos2i(180, 10);
    glCopyPixels(2, 2, 36, 36, GL_COLOR);
    glBindFramebuffer(GL_FRAMEBUFFER, slice_of(to, 0, 7));
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    scissor(3, 3, 11, 30);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    show_slices(to, 4, 4);
    glBindTexture(GL_TEXTURE_3D, name);
    glGenerateMipmap(GL_TEXTURE_3D);
    blit(slice_of(name, 1, 2), 0, (const int[8]){ 0, 0, 20, 20, 180, 60, 230, 110 },
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
    show_slices(name, 4, 64);
}

// ---- views ----

// A view in `seen` of a texture that is made in `made`.
static GLuint view_of(GLenum made, GLenum seen, GLuint *original)
{
    GLuint name;
    *original = named(GL_TEXTURE_2D);
    glTexStorage2D(GL_TEXTURE_2D, 3, made, SIDE, SIDE);
    glGenTextures(1, &name);
    glTextureView(name, GL_TEXTURE_2D, *original, seen, 0, 3, 0, 1);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

static void one_view(GLenum made, GLenum seen, int frame, float y)
{
    static const int whole[8] = { 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE };
    const int corners[3][8] = {
        { 0, 0, SIDE, SIDE, 4, (int)y, 44, (int)y + 40 },
        { 2, 3, 37, 30, 48, (int)y + 40, 88, (int)y },
        { -3, 3, 37, 50, 92, (int)y, 130, (int)y + 40 },
    };
    GLuint original;
    GLuint plain = texture(GL_RGBA8, SIDE, SIDE), other;
    GLuint view = view_of(made, seen, &original), second = view_of(made, seen, &other);
    GLuint from = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view);
    GLuint to = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, second);
    GLuint flat = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, plain);
    fill(from, SIDE, SIDE, frame);
    fill(flat, SIDE, SIDE, frame + 2);
    for (int i = 0; i < 3; i++)
        blit(from, 0, corners[i], GL_COLOR_BUFFER_BIT, i ? GL_LINEAR : GL_NEAREST);
    blit(flat, to, whole, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    blit(flat, to, (const int[8]){ 1, 3, 30, 20, 4, 25, 44, 3 }, GL_COLOR_BUFFER_BIT,
         GL_LINEAR);
    show(second, 134, y, 40, 40);
    glBindTexture(GL_TEXTURE_2D, view);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    show(view, 202, y, 20, 20);
    glBindTexture(GL_TEXTURE_2D, view);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2);
    show(view, 202, y + 21, 20, 20);
}

void scene_views(int frame)
{
    one_view(GL_R32F, GL_RGBA8, frame, 4);
    one_view(GL_RGBA8, GL_SRGB8_ALPHA8, frame, 48);
    one_view(GL_RGBA8UI, GL_RGB10_A2, frame, 92);
    glEnable(GL_FRAMEBUFFER_SRGB);
    one_view(GL_SRGB8_ALPHA8, GL_RGBA8, frame, 136);
    glDisable(GL_FRAMEBUFFER_SRGB);
}

// ---- clears of attachments of several kinds ----

static void attach(GLuint name, GLenum attachment)
{
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, name, 0);
}

// Where bits of the stencil are set, in the colours of the window.
static void show_planes(GLuint framebuffer, int x, int y)
{
    glClearStencil(0);
    glClear(GL_STENCIL_BUFFER_BIT);
    blit(framebuffer, 0, (const int[8]){ 0, 0, SIDE, SIDE, x, y, x + SIDE, y + SIDE },
         GL_STENCIL_BUFFER_BIT, GL_NEAREST);
    show_stencil((float)x, (float)y, SIDE, SIDE);
}

static void clear_kinds(const GLuint names[4], const GLenum *buffers, GLsizei count)
{
    static const GLint integers[4] = { -9, 70, 33, 120 };
    static const GLuint naturals[4] = { 250, 40, 133, 20 };
    static const GLfloat numbers[4] = { 0.9f, 0.4f, 0.1f, 0.5f };
    attach(names[3], GL_DEPTH_STENCIL_ATTACHMENT);
    glDrawBuffers(count, buffers);
    glDisable(GL_SCISSOR_TEST);
    glStencilMask(255);
    glClearStencil(0x35);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    for (GLint i = 0; i < count; i++) {
        const GLenum at = buffers[i];
        scissor(2 + i, 3, 30, 29);
        if (at == GL_COLOR_ATTACHMENT1)
            glClearBufferiv(GL_COLOR, i, integers);
        else if (at == GL_COLOR_ATTACHMENT2)
            glClearBufferuiv(GL_COLOR, i, naturals);
        else if (at == GL_COLOR_ATTACHMENT0)
            glClearBufferfv(GL_COLOR, i, numbers);
        glColorMaski((GLuint)i, 1, 0, 1, 0);
        scissor(9, 13 - i, 30, 21);
        if (at == GL_COLOR_ATTACHMENT1)
            glClearBufferiv(GL_COLOR, i, (const GLint[4]){ 90, -1, 5, 4 });
        else if (at == GL_COLOR_ATTACHMENT2)
            glClearBufferuiv(GL_COLOR, i, (const GLuint[4]){ 3, 200, 190, 7 });
        else if (at == GL_COLOR_ATTACHMENT0)
            glClearBufferfv(GL_COLOR, i, (const GLfloat[4]){ 0.2f, 1, 0.7f, 1 });
        glColorMaski((GLuint)i, 1, 1, 1, 1);
    }
    scissor(5, 5, 19, 25);
    glStencilMask(0x4C);
    glClearStencil(0xF9);
    glClear(GL_STENCIL_BUFFER_BIT);
    scissor(15, 15, 19, 25);
    glStencilMask(0x81);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25f, 0xC0);
    glStencilMask(255);
    glDisable(GL_SCISSOR_TEST);
    // The fixed function draws nothing where integers are attached.
    place(SIDE, SIDE);
    glColor4f(0.3f, 0.9f, 0.2f, 1);
    draw_rectangle(0.2f, 0.3f, 0.5f, 0.4f);
    place_back();
}

void scene_kinds(int frame)
{
    static const struct {
        GLenum buffers[3];
        GLsizei count;
    } rows[] = {
        { { GL_COLOR_ATTACHMENT1 }, 1 },
        { { GL_COLOR_ATTACHMENT0, GL_NONE, GL_COLOR_ATTACHMENT2 }, 3 },
        { { GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT0 }, 2 },
        { { GL_NONE }, 1 },
    };
    for (int i = 0; i < 4; i++) {
        const GLuint names[4] = { texture(GL_RGBA8, SIDE, SIDE),
                                  texture(frame % 2 ? GL_RG8I : GL_RGBA16I, SIDE, SIDE),
                                  texture(frame % 2 ? GL_RGBA8UI : GL_RG32UI, SIDE,
                                          SIDE),
                                  texture(GL_DEPTH24_STENCIL8, SIDE, SIDE) };
        const float x = 4 + 58 * (float)i;
        GLuint framebuffer =
            framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, names[0]);
        for (GLenum k = 0; k < 3; k++) {
            attach(names[k], GL_COLOR_ATTACHMENT0);
            glDrawBuffer(GL_COLOR_ATTACHMENT0);
            if (k == 0)
                glClearBufferfv(GL_COLOR, 0, (const GLfloat[4]){ 0.1f, 0.2f, 0.5f, 1 });
            else if (k == 1)
                glClearBufferiv(GL_COLOR, 0, (const GLint[4]){ 60, -60, 9, 9 });
            else
                glClearBufferuiv(GL_COLOR, 0, (const GLuint[4]){ 40, 90, 30, 1 });
        }
        for (GLenum k = 0; k < 3; k++)
            attach(names[k], GL_COLOR_ATTACHMENT0 + k);
        clear_kinds(names, rows[i].buffers, rows[i].count);
        show(names[0], x, 4, SIDE, SIDE);
        show_integers(names[1], GL_TRUE, x, 47, SIDE, SIDE);
        show_integers(names[2], GL_FALSE, x, 90, SIDE, SIDE);
        show_planes(framebuffer, (int)x, 134);
    }
}

// ---- copies of a texture to itself ----

static GLuint levels(GLenum format, int frame)
{
    GLuint name = named(GL_TEXTURE_2D);
    for (int level = 0; level < 3; level++)
        glTexImage2D(GL_TEXTURE_2D, level, (GLint)format, SIDE >> level, SIDE >> level,
                     0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    GLuint framebuffer = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name);
    fill(framebuffer, SIDE, SIDE, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindTexture(GL_TEXTURE_2D, name);
    return name;
}

static void show_levels(GLuint name, float x, float y)
{
    for (int level = 0; level < 3; level++) {
        glBindTexture(GL_TEXTURE_2D, name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
        show(name, x + 27 * (float)level, y, 25, 25);
    }
}

// Parts of a level to others of it and of the next ones.
static void copy_parts(GLenum format, int frame, float y)
{
    GLuint name = levels(format, frame);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 22, 20, 1, 2, 17, 18);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 7, 9, 20, 20);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 2, 2, 1, 20, 20, 8, 9);
    show_levels(name, 4, y);
    name = levels(format, frame + 1);
    glCopyImageSubData(name, GL_TEXTURE_2D, 0, 2, 2, 0, name, GL_TEXTURE_2D, 0, 20, 19,
                       0, 17, 15, 1);
    glCopyImageSubData(name, GL_TEXTURE_2D, 0, 2, 2, 0, name, GL_TEXTURE_2D, 1, 3, 4, 0,
                       15, 14, 1);
    show_levels(name, 90, y);
    name = texture(format, SIDE, SIDE);
    GLuint both = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name);
    fill(both, SIDE, SIDE, frame);
    blit(both, both, (const int[8]){ 1, 1, 15, 14, 38, 2, 19, 17 }, GL_COLOR_BUFFER_BIT,
         GL_LINEAR);
    show(name, 176, y, 25, 25);
}

// Levels that are defined anew, by what another one has.
static void redefine(GLenum format, int frame, float y)
{
    GLuint name = levels(format, frame);
    glCopyTexImage2D(GL_TEXTURE_2D, 1, format, 3, 5, 20, 20, 0);
    glCopyTexImage2D(GL_TEXTURE_2D, 2, format, 9, 2, 10, 10, 0);
    show_levels(name, 4, y);
    name = levels(format, frame);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, format, 2, 4, 30, 33, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    show(name, 90, y, 25, 25);
    name = levels(format, frame + 2);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, format, 0, 0, SIDE, SIDE, 0);
    show(name, 120, y, 25, 25);
}

// The same of depth, of a cube's faces and an array's layers.
static void copy_others(int frame, float y)
{
    GLuint depth = named(GL_TEXTURE_2D);
    for (int level = 0; level < 2; level++)
        glTexImage2D(GL_TEXTURE_2D, level, GL_DEPTH_COMPONENT24, SIDE >> level,
                     SIDE >> level, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    GLuint framebuffer = framebuffer_of(GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    fill(framebuffer, SIDE, SIDE, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindTexture(GL_TEXTURE_2D, depth);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 21, 20, 1, 2, 17, 18);
    glCopyTexImage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, 8, 7, 20, 20, 0);
    for (int level = 0; level < 2; level++) {
        glBindTexture(GL_TEXTURE_2D, depth);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
        show(depth, 4 + 27 * (float)level, y, 25, 25);
    }
    GLuint array = named(GL_TEXTURE_2D_ARRAY);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, SIDE, SIDE, 3, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    for (int i = 0; i < 3; i++)
        fill(slice_of(array, 0, 2 * (i / 2) + 1), SIDE, SIDE, frame + i);
    GLuint read = slice_of(array, 0, 1);
    glBindFramebuffer(GL_FRAMEBUFFER, read);
    glBindTexture(GL_TEXTURE_2D_ARRAY, array);
    glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 3, 4, 2, 1, 1, 30, 30);
    glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 20, 20, 1, 1, 1, 15, 15);
    for (int i = 1; i < 3; i++) {
        GLuint from;
        glGenFramebuffers(1, &from);
        glBindFramebuffer(GL_FRAMEBUFFER, from);
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, i);
        blit(from, 0,
             (const int[8]){ 0, 0, SIDE, SIDE, 58 + 42 * i, (int)y, 98 + 42 * i,
                             (int)y + SIDE },
             GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
}

void scene_onto(int frame)
{
    copy_parts(GL_RGBA8, frame, 4);
    copy_parts(GL_RGB8, frame, 32);
    redefine(GL_RGBA8, frame, 60);
    redefine(GL_RGBA16F, frame, 88);
    copy_others(frame, 118);
}

// ---- copies between light and numbers ----

// To a texture of `to` from one of `from`: as a part, as a level, as pixels.
static void copy_encoded(GLenum from, GLenum to, int frame, float x, float y)
{
    GLuint source = texture(from, SIDE, SIDE), target = texture(to, SIDE, SIDE);
    GLuint read = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, source);
    GLuint drawn = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target);
    fill(read, SIDE, SIDE, frame);
    fill(drawn, SIDE, SIDE, frame + 4);
    glBindFramebuffer(GL_FRAMEBUFFER, read);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 4, 20, 1, 2, 30, 18);
    show(target, x, y, 36, 36);
    GLuint level = named(GL_TEXTURE_2D);
    glBindFramebuffer(GL_FRAMEBUFFER, read);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, to, 3, 4, 33, 29, 0);
    show(level, x + 38, y, 18, 36);
}

void scene_encodings(int frame)
{
    static const GLenum formats[] = { GL_RGBA8, GL_SRGB8_ALPHA8, GL_RGBA16F, GL_SRGB8 };
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            copy_encoded(formats[i], formats[k], frame, 4 + 59 * (float)i,
                         4 + 38 * (float)k);
    // Pixels of light to light.
    GLuint light[2];
    for (int i = 0; i < 2; i++) {
        light[i] = texture(GL_SRGB8_ALPHA8, SIDE, SIDE);
        GLuint framebuffer =
            framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, light[i]);
        fill(framebuffer, SIDE, SIDE, frame + i);
        glBindFramebuffer(i ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER, framebuffer);
        light[i] = i ? light[i] : framebuffer;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, light[0]);
    place(SIDE, SIDE);
    glRasterPos2f(-0.8f, -0.7f);
    glCopyPixels(3, 2, 30, 30, GL_COLOR);
    place_back();
    show(light[1], 4, 156, 22, 22);
    // The window's, by way of a buffer.
    GLuint buffer;
    GLuint target = texture(GL_SRGB8_ALPHA8, SIDE, SIDE);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, SIDE * SIDE * 4, NULL, GL_STREAM_COPY);
    glReadPixels(5, 5, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE,
                    NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    show(target, 30, 156, 22, 22);
}

// ---- ties ----

// Texels of a framebuffer object that lie on the edge between two of another, or of the
// window: blits and zoomed copies of colours and of depth, this way and that way.
void scene_zooms(int frame)
{
    static const int sizes[][2] = {
        { 20, 16 }, { 60, 48 }, { 30, 24 }, { 50, 12 }, { 13, 37 }
    };
    static const float zooms[][2] = { { 0.5f, 0.5f },
                                      { 1.5f, -1.5f },
                                      { -0.5f, 1.5f },
                                      { 2.5f, 0.25f },
                                      { -1.25f, -0.75f } };
    const GLenum mask =
        frame % 2 ? GL_COLOR_BUFFER_BIT : GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT;
    GLuint from =
        framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture(GL_RGBA8, 40, 32));
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                           texture(GL_DEPTH_COMPONENT24, 40, 32), 0);
    fill(from, 40, 32, frame);
    for (int i = 0; i < 5; i++) {
        GLuint name = texture(GL_RGBA8, 60, 60), other = texture(GL_RGBA8, 60, 60);
        GLuint depth = texture(GL_DEPTH_COMPONENT24, 60, 60);
        GLuint to = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                               depth, 0);
        fill(to, 60, 60, i);
        const int turned = (i + frame) % 3;
        const int left = turned == 1 ? 40 : 0, low = turned == 2 ? sizes[i][1] : 0;
        const int c[8] = { left, 0,   40 - left,   32,
                           0,    low, sizes[i][0], sizes[i][1] - low };
        blit(from, to, c, mask, GL_NEAREST);
        GLuint copied = framebuffer_of(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, other);
        fill(copied, 60, 60, i + 3);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, copied);
        place(60, 60);
        glRasterPos2f(zooms[i][0] < 0 ? 0.9f : -0.9f, zooms[i][1] < 0 ? 0.9f : -0.9f);
        glPixelZoom(zooms[i][0], zooms[i][1]);
        glCopyPixels(1, 2, 30, 24, GL_COLOR);
        glPixelZoom(1, 1);
        place_back();
        const float x = -0.99f + 0.4f * (float)i;
        show(name, x, -0.95f, 0.38f, 0.6f);
        show(depth, x, -0.3f, 0.38f, 0.6f);
        show(other, x, 0.35f, 0.38f, 0.6f);
        glDeleteFramebuffers(2, (const GLuint[]){ to, copied });
    }
    glDeleteFramebuffers(1, &from);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
