// Pixels that are moved: framebuffer objects, blits, reads into buffers, bitmaps,
// pixels drawn and copied.
#include <GL/glx.h>

#include "tests/gl_pixels/draw_scene.h"

#include "compiler/gl/base/gl_machine.h"

// What is read into a buffer is drawn from there, wherever it was put.
static void packs(struct scene *s)
{
    color(s, RED);
    quad(s, 0, 0, 16, 8);
    color(s, BLUE);
    quad(s, 0, 8, 16, 16);
    call(s, "glPixelStorei", "ei", GL_PACK_ALIGNMENT, 1);
    call(s, "glBindBuffer", "ee", GL_PIXEL_PACK_BUFFER, 3);
    call(s, "glBindBuffer", "ee", GL_PIXEL_UNPACK_BUFFER, 3);
    call(s, "glBufferData", "epne", GL_PIXEL_PACK_BUFFER, P(4096), GL_STREAM_COPY);
    call(s, "glReadPixels", "iiiieep", 4, 0, 8, 16, GL_RGBA, GL_UNSIGNED_BYTE, P(100));
    call(s, "glRasterPos2i", "ii", 20, 8);
    call(s, "glDrawPixels", "iieep", 8, 16, GL_RGBA, GL_UNSIGNED_BYTE, P(100));
}

// Row 0 of an object is its lowest: blits turn it round. Its own clears do not reach
// the window, nor what is incomplete anything.
static void objects(struct scene *s)
{
    call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 5);
    call(s, "glRenderbufferStorage", "eeii", GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 9);
    clear_to(s, WHITE); // incomplete
    call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_RENDERBUFFER, 5);
    clear_to(s, RED);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 0, 0, 16, 8);
    clear_to(s, BLUE);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, 0);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, 16, 16, 0, 0, 16, 16,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, 16, 16, 32, 32, 16, 16,
         GL_COLOR_BUFFER_BIT, GL_NEAREST); // mirrored
}

// Renderbuffers of few bits have as few: 4 of the first three, 5 of the others.
static void few_bits(struct scene *s)
{
    static const int formats[] = { GL_RGBA2, GL_RGBA4, GL_RGB4, GL_RGB5, GL_RGB5_A1 };
    call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 5);
    for (int i = 0; i < 5; i++) {
        call(s, "glRenderbufferStorage", "eeii", GL_RENDERBUFFER, formats[i], 6, 6);
        call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 9);
        call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER,
             GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 5);
        clear_to(s, 0x474747);
        call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, 0);
        call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, 6, 6, 6 * i, 0, 6 * i + 6, 6,
             GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
}

// Triangles of an object wind as those of windows do.
static void object_faces(struct scene *s)
{
    call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 5);
    call(s, "glRenderbufferStorage", "eeii", GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 9);
    call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_RENDERBUFFER, 5);
    clear_to(s, BLACK);
    call(s, "glEnable", "e", GL_CULL_FACE);
    color(s, GREEN);
    quad(s, 0, 0, 16, 8);
    call(s, "glCullFace", "e", GL_FRONT);
    color(s, RED);
    quad(s, 0, 0, 32, 8);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, 0);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void bitmaps(struct scene *s)
{
    static const uint8_t bits[8] = { 0xF0, 0, 0, 0, 0x0F };
    color(s, GREEN);
    call(s, "glRasterPos2i", "ii", 8, 8);
    color(s, RED); // too late
    call(s, "glBitmap", "iiffffB", 8, 2, 0.0, 0.0, 16.0, 0.0, 8, bits);
    call(s, "glBitmap", "iiffffB", 8, 2, 0.0, 0.0, 0.0, 0.0, 8, bits);
    call(s, "glRasterPos2i", "ii", 40, 8); // outside: not valid
    call(s, "glBitmap", "iiffffB", 8, 2, 0.0, 0.0, -40.0, 0.0, 8, bits);
    call(s, "glBitmap", "iiffffB", 8, 2, 0.0, 0.0, 0.0, 0.0, 8, bits);
}

static void pixels(struct scene *s)
{
    static const uint8_t texels[2 * 2 * 4] = { 255, 0, 0,   255, 0,   255, 0,   255,
                                               0,   0, 255, 255, 255, 255, 255, 255 };
    call(s, "glRasterPos2i", "ii", 0, 0);
    call(s, "glPixelZoom", "ff", 4.0, 4.0);
    call(s, "glDrawPixels", "iieeB", 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, 16, texels);
    call(s, "glPixelZoom", "ff", 1.0, -1.0);
    call(s, "glRasterPos2i", "ii", 16, 32);
    call(s, "glCopyPixels", "iiiie", 0, 0, 8, 8, GL_COLOR);
}

// A quarter as 24 bits, their highest byte first, or last.
static void planes_as_colors(struct scene *s)
{
    call(s, "glClearDepth", "f", 0.25);
    call(s, "glClear", "e", GL_DEPTH_BUFFER_BIT);
    call(s, "glRasterPos2i", "ii", 4, 4);
    call(s, "glCopyPixels", "iiiie", 0, 0, 8, 8, GL_DEPTH_STENCIL_TO_RGBA_NV);
    call(s, "glRasterPos2i", "ii", 16, 16);
    call(s, "glCopyPixels", "iiiie", 0, 0, 8, 8, GL_DEPTH_STENCIL_TO_BGRA_NV);
}

// One buffer to read into and to draw from.
static void pixel_buffer(struct scene *s, uint32_t rgb)
{
    uint8_t rgba[16];
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = (uint8_t)(i % 4 == 3 ? 255 : rgb >> (16 - 8 * (i % 4)));
    call(s, "glBindBuffer", "ee", GL_PIXEL_PACK_BUFFER, 3);
    call(s, "glBindBuffer", "ee", GL_PIXEL_UNPACK_BUFFER, 3);
    call(s, "glBufferData", "epBe", GL_PIXEL_PACK_BUFFER, P(sizeof rgba), sizeof rgba,
         rgba, GL_STREAM_COPY);
}

// Its first 2 x 2 pixels, 4 x 4 each.
static void draw_buffer(struct scene *s, int x, uint32_t type)
{
    call(s, "glRasterPos2i", "ii", x, 0);
    call(s, "glPixelZoom", "ff", 4.0, 4.0);
    call(s, "glDrawPixels", "iieep", 2, 2, GL_RGBA, type, P(0));
}

static void read_texture(struct scene *s, int x, uint32_t internal, uint32_t type)
{
    static const uint8_t red[16] = { 255, 0, 0, 255, 255, 0, 0, 255,
                                     255, 0, 0, 255, 255, 0, 0, 255 };
    pixel_buffer(s, GREEN);
    call(s, "glBindBuffer", "ee", GL_PIXEL_UNPACK_BUFFER, 0);
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, internal, 2, 2, 0, GL_RGBA,
         GL_UNSIGNED_BYTE, sizeof red, red);
    call(s, "glBindBuffer", "ee", GL_PIXEL_UNPACK_BUFFER, 3);
    call(s, "glGetTexImage", "eieep", GL_TEXTURE_2D, 0, GL_RGBA, type, P(0));
    draw_buffer(s, x, type);
}

// Only what the device's image says as GL would: alpha of GL_RGB is none, light of sRGB
// is not its bytes, and four bits are not eight. Nobody knows what the buffer has then.
static void texture_reads(struct scene *s)
{
    clear_to(s, BLUE);
    read_texture(s, 0, GL_RGBA, GL_UNSIGNED_BYTE);
    read_texture(s, 8, GL_RGB, GL_UNSIGNED_BYTE);
    read_texture(s, 16, GL_SRGB8_ALPHA8, GL_UNSIGNED_BYTE);
    read_texture(s, 24, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4);
    s->unsupported = 3;
}

static void read_object(struct scene *s, int x, int samples, uint32_t internal)
{
    call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 5);
    call(s, "glRenderbufferStorageMultisample", "eieii", GL_RENDERBUFFER, samples,
         internal, 2, 2);
    call(s, "glBindFramebuffer", "ee", GL_READ_FRAMEBUFFER, 9);
    call(s, "glFramebufferRenderbuffer", "eeee", GL_READ_FRAMEBUFFER,
         GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 5);
    call(s, "glReadPixels", "iiiieep", 0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, P(0));
    draw_buffer(s, x, GL_UNSIGNED_BYTE);
}

// Errors leave the buffer as it is; what is read of sRGB nobody knows.
static void object_reads(struct scene *s)
{
    clear_to(s, BLUE);
    pixel_buffer(s, GREEN);
    call(s, "glReadBuffer", "e", GL_NONE);
    call(s, "glReadPixels", "iiiieep", 0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, P(0));
    draw_buffer(s, 0, GL_UNSIGNED_BYTE);
    read_object(s, 8, 4, GL_RGBA8);
    read_object(s, 16, 0, GL_RGBA8UI);
    read_object(s, 24, 0, GL_SRGB8_ALPHA8);
    s->unsupported = 1;
}

// What a texture gets after it was read is not what was read.
static void reads_before_uploads(struct scene *s)
{
    color(s, WHITE);
    pixel_buffer(s, WHITE);
    call(s, "glBindBuffer", "ee", GL_PIXEL_UNPACK_BUFFER, 0);
    texels(s, 1, RED, false);
    call(s, "glGetTexImage", "eieep", GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE,
         P(0));
    texels(s, 1, GREEN, true);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    quad(s, 8, 0, 16, 8);
    call(s, "glDisable", "e", GL_TEXTURE_2D);
    call(s, "glBindBuffer", "ee", GL_PIXEL_UNPACK_BUFFER, 3);
    draw_buffer(s, 0, GL_UNSIGNED_BYTE);
}

// Rectangles that show a part of each unit's texture, whatever matrices say.
static void textures(struct scene *s)
{
    static const uint8_t rgba[] = { 255, 0, 0,   255, 0,   255, 0,   255,
                                    0,   0, 255, 255, 255, 255, 255, 255 };
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 3);
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA,
         GL_UNSIGNED_BYTE, sizeof rgba, rgba);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    call(s, "glTexParameteriv", "eeI", GL_TEXTURE_2D, 0x8B9Du, INTEGERS(0, 0, 2, 2));
    call(s, "glLoadIdentity", "");
    call(s, "glScalef", "fff", 9.0, 9.0, 9.0);
    color(s, WHITE);
    call(s, "glDrawTexiOES", "iiiii", 0, 0, 0, 16, 16);
    call(s, "glTexParameteriv", "eeI", GL_TEXTURE_2D, 0x8B9Du, INTEGERS(0, 2, 1, -2));
    call(s, "glDrawTexxOES", "iiiii", 16 << 16, 0, 1 << 16, 8 << 16, 16 << 16);
    color(s, RED);
    call(s, "glDrawTexfvOES", "F", FLOATS(24, 0, 0, 8, 16));
    call(s, "glDrawTexsOES", "iiiii", 0, 0, 0, 0, 16); // rejected
}

// The sum of a half is doubled; numbers are fixed-point ones.
static void fixed_sums(struct scene *s)
{
    s->gl->recorded_visual = true;
    call(s, "glXChooseFBConfig", "piIn=I", P(1), 0, INTEGERS(GLX_ACCUM_RED_SIZE, 16, 0),
         INTEGERS(0x30));
    call(s, "glXCreateNewContext", "ppepi=p", P(1), P(0x30), GLX_RGBA_TYPE, P(0), 1,
         P(0x101));
    call(s, "glXMakeCurrent", "ppp=i", P(1), P(7), P(0x101), 1);
    clear_to(s, RED);
    call(s, "glAccumxOES", "ei", GL_LOAD, 0x8000);
    clear_to(s, BLUE);
    call(s, "glAccumxOES", "ei", GL_RETURN, 0x20000);
}

static void alpha_texture(struct scene *s, uint32_t internal, const uint8_t texels[8])
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 4);
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, internal, 2, 2, 0,
         GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, texels ? 8 : 0, texels);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
}

static void to_texture(struct scene *s)
{
    call(s, "glDisable", "e", GL_TEXTURE_2D);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 9);
    call(s, "glFramebufferTexture2D", "eeeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_TEXTURE_2D, 4, 0);
    call(s, "glViewport", "iiii", 0, 0, 2, 2);
}

// Green where the texture's alpha is 1, on what is black; of its luminance, if any.
static void show_alpha(struct scene *s, double x)
{
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 0);
    call(s, "glViewport", "iiii", 0, 0, SIDE, SIDE);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    call(s, "glEnable", "e", GL_BLEND);
    call(s, "glBlendFunc", "ee", GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    color(s, GREEN);
    quad(s, x, 0, x + 8, 8);
    call(s, "glDisable", "e", GL_BLEND);
}

// Alpha that is drawn is found by what is blended and by what is read, wherever it is.
static void alpha_target(struct scene *s, double x, uint32_t internal, uint32_t rgb)
{
    alpha_texture(s, internal, NULL);
    to_texture(s);
    call(s, "glClearColor", "ffff", 1.0, 1.0, 1.0, 0.0);
    call(s, "glClear", "e", GL_COLOR_BUFFER_BIT);
    call(s, "glEnable", "e", GL_BLEND);
    color(s, rgb);
    call(s, "glBlendFunc", "ee", GL_ONE_MINUS_DST_ALPHA, GL_ZERO);
    quad(s, 0, 0, SIDE, SIDE);
    call(s, "glBlendFunc", "ee", GL_DST_ALPHA, GL_ZERO);
    quad(s, 0, 0, SIDE, SIDE);
    show_alpha(s, x);
}

// Of the third one only the right half is drawn, what is shown is the left one; the
// fourth one the device has already.
static void alpha_targets(struct scene *s)
{
    static const uint8_t opaque[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };
    clear_to(s, BLACK);
    alpha_target(s, 0, GL_ALPHA8, BLUE);
    alpha_target(s, 8, GL_LUMINANCE16_ALPHA16, RED);
    alpha_texture(s, GL_LUMINANCE8_ALPHA8, opaque);
    to_texture(s);
    color(s, BLACK);
    quad(s, SIDE / 2.0, 0, SIDE, SIDE);
    show_alpha(s, 16);
    alpha_texture(s, GL_LUMINANCE8_ALPHA8, opaque);
    show_alpha(s, 24);
    to_texture(s);
    color(s, BLACK);
    quad(s, 0, 0, SIDE, SIDE);
    show_alpha(s, 24);
    s->unsupported = 1;
}

static const struct draw_row rows[] = {
    { "packs",
      packs,
      SIDE,
      { { 20, 8, RED },
        { 27, 15, RED },
        { 20, 16, BLUE },
        { 27, 23, BLUE },
        { 19, 8, BLACK },
        { 28, 8, BLACK },
        { 20, 7, BLACK },
        { 20, 24, BLACK } },
      2,
      2 },
    { "objects",
      objects,
      SIDE,
      { { 0, 0, BLUE },
        { 15, 7, BLUE },
        { 0, 8, RED },
        { 15, 15, RED },
        { 31, 31, BLUE },
        { 16, 16, RED },
        { 15, 16, BLACK } },
      2,
      0 },
    { "few_bits",
      few_bits,
      SIDE,
      { { 3, 3, 0x444444 },
        { 9, 3, 0x444444 },
        { 15, 3, 0x444444 },
        { 21, 3, 0x4A4A4A },
        { 27, 3, 0x4A4A4A } },
      6,
      0 },
    { "object_faces",
      object_faces,
      SIDE,
      { { 0, 0, GREEN }, { 15, 7, GREEN }, { 16, 0, BLACK }, { 0, 8, BLACK } },
      2,
      2 },
    { "bitmaps",
      bitmaps,
      SIDE,
      { { 8, 8, GREEN },
        { 11, 8, GREEN },
        { 12, 8, BLACK },
        { 12, 9, GREEN },
        { 15, 9, GREEN },
        { 24, 8, GREEN },
        { 0, 8, BLACK },
        { 8, 10, BLACK } },
      1,
      1 },
    { "pixels",
      pixels,
      SIDE,
      { { 0, 0, RED },
        { 7, 3, GREEN },
        { 3, 7, BLUE },
        { 4, 4, WHITE },
        { 8, 0, BLACK },
        { 16, 31, RED },
        { 23, 31, GREEN },
        { 16, 24, BLUE } },
      3,
      2 },
    { "planes_as_colors",
      planes_as_colors,
      SIDE,
      { { 4, 4, 0x400000 },
        { 11, 11, 0x400000 },
        { 12, 12, BLACK },
        { 16, 16, 0x000040 },
        { 3, 3, BLACK } },
      3,
      2 },
    { "texture_reads",
      texture_reads,
      SIDE,
      { { 0, 0, RED },
        { 7, 7, RED },
        { 8, 0, BLUE },
        { 15, 7, BLUE },
        { 16, 0, BLUE },
        { 23, 7, BLUE },
        { 24, 0, BLUE },
        { 31, 7, BLUE } },
      2,
      1 },
    { "object_reads",
      object_reads,
      SIDE,
      { { 0, 0, GREEN },
        { 8, 0, GREEN },
        { 16, 0, GREEN },
        { 23, 7, GREEN },
        { 24, 0, BLUE },
        { 31, 7, BLUE } },
      4,
      3 },
    { "reads_before_uploads",
      reads_before_uploads,
      SIDE,
      { { 0, 0, RED }, { 7, 7, RED }, { 8, 0, GREEN }, { 15, 7, GREEN } },
      2,
      2 },
    { "textures",
      textures,
      SIDE,
      { { 4, 4, RED },
        { 12, 4, GREEN },
        { 4, 12, BLUE },
        { 12, 12, WHITE },
        { 20, 4, BLUE },
        { 20, 12, RED },
        { 28, 4, BLACK },
        { 28, 12, RED } },
      1,
      2 },
    { "alpha_targets",
      alpha_targets,
      SIDE,
      { { 4, 4, GREEN },
        { 12, 4, GREEN },
        { 20, 4, GREEN },
        { 28, 4, GREEN },
        { 4, 12, BLACK } },
      8,
      9 },
    { "fixed_sums", fixed_sums, SIDE, { { 0, 0, RED }, { 31, 31, RED } }, 3, 0 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
