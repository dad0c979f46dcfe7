// Several samples a pixel: clears, copies and blits of them, of colours, depth, stencil
// and integers; what blits make of light and of one plane of two.
#include <GL/glx.h>

#include "tests/gl_pixels/draw_scene.h"

#include "compiler/gl/base/gl_machine.h"

// ---- objects ----

#define WINDOW 0

static void bind(struct scene *s, uint32_t object)
{
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, object);
}

// An object of that name, bound, with so many samples; no depth: 0.
static void object(struct scene *s, uint32_t name, int samples, uint32_t color_format,
                   uint32_t depth_format)
{
    const uint32_t formats[] = { color_format, depth_format },
                   attachments[] = { GL_COLOR_ATTACHMENT0,
                                     GL_DEPTH_STENCIL_ATTACHMENT };
    bind(s, name);
    for (uint32_t i = 0; i < 2 && formats[i]; i++) {
        call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 2 * name + i);
        call(s, "glRenderbufferStorageMultisample", "eieii", GL_RENDERBUFFER, samples,
             formats[i], SIDE, SIDE);
        call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER, attachments[i],
             GL_RENDERBUFFER, 2 * name + i);
    }
}

// Two colours: left and right; with depth and stencil of the left one.
static void halves(struct scene *s, uint32_t left, uint32_t right)
{
    clear_to(s, right);
    call(s, "glClearStencil", "i", 1);
    call(s, "glClearDepth", "f", 0.0);
    call(s, "glClear", "e", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 0, 0, SIDE / 2, SIDE);
    clear_to(s, left);
    call(s, "glClearStencil", "i", 6);
    call(s, "glClearDepth", "f", 1.0);
    call(s, "glClear", "e", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
}

// All of one object to another, its left side at `x0`, its lowest row at `y0`.
static void blit_at(struct scene *s, uint32_t from, uint32_t to, uint32_t mask, int x0,
                    int y0)
{
    call(s, "glBindFramebuffer", "ee", GL_READ_FRAMEBUFFER, from);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, to);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, SIDE, SIDE, x0, y0, SIDE - x0,
         SIDE - y0, mask, GL_NEAREST);
}

static void blit(struct scene *s, uint32_t from, uint32_t to, uint32_t mask)
{
    blit_at(s, from, to, mask, 0, 0);
}

// A window of several samples instead of the one there was.
static void several_window(struct scene *s)
{
    call(s, "glXChooseFBConfig", "pinn=I", P(1), 0, INTEGERS(0x30));
    call(s, "glXGetFBConfigAttrib", "ppeI=i", P(1), P(0x30), GLX_SAMPLES, INTEGERS(4),
         0);
    call(s, "glXCreateNewContext", "ppepi=p", P(1), P(0x30), GLX_RGBA_TYPE, P(0), 1,
         P(0x101));
    call(s, "glXMakeCurrent", "ppp=i", P(1), P(7), P(0x101), 1);
    call(s, "glViewport", "iiii", 0, 0, SIDE, SIDE);
    call(s, "glMatrixMode", "e", GL_PROJECTION);
    call(s, "glLoadIdentity", "");
    call(s, "glOrtho", "ffffff", 0.0, (double)SIDE, 0.0, (double)SIDE, -1.0, 1.0);
}

// Green where depth is at the far end, then blue in the lower half where stencil is 6.
static void show_planes(struct scene *s)
{
    call(s, "glEnable", "e", GL_DEPTH_TEST);
    color(s, GREEN);
    quad(s, 0, 0, SIDE, SIDE);
    call(s, "glDisable", "e", GL_DEPTH_TEST);
    call(s, "glEnable", "e", GL_STENCIL_TEST);
    call(s, "glStencilFunc", "eie", GL_EQUAL, 6, 0xFF);
    color(s, BLUE);
    quad(s, 0, 0, SIDE, 16);
    call(s, "glDisable", "e", GL_STENCIL_TEST);
}

// ---- colours ----

// Of one sample to all, and then in another order of columns and rows.
static void colors(struct scene *s)
{
    object(s, 1, 0, GL_RGBA8, 0);
    halves(s, RED, BLUE);
    object(s, 2, 4, GL_RGBA8, 0);
    object(s, 3, 4, GL_RGBA16F, 0);
    blit(s, 1, 2, GL_COLOR_BUFFER_BIT);
    blit_at(s, 2, 3, GL_COLOR_BUFFER_BIT, SIDE, 0);
    blit_at(s, 3, WINDOW, GL_COLOR_BUFFER_BIT, 0, 0);
}

// A part of an image of several samples goes to another part of it.
static void to_itself(struct scene *s)
{
    object(s, 1, 4, GL_RGBA8, 0);
    halves(s, RED, BLUE);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 8, 0, 24, 16, 8, 16, 24, 32,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 8, 16, 24, 32, 24, 16, 8, 32,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
}

// Windows have their rows the other way round.
static void with_windows(struct scene *s)
{
    several_window(s);
    object(s, 1, 4, GL_RGBA8, 0);
    clear_to(s, RED);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 0, 0, SIDE, SIDE / 2);
    clear_to(s, BLUE);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
    clear_to(s, BLACK);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
    object(s, 2, 4, GL_RGBA8, 0);
    blit(s, WINDOW, 2, GL_COLOR_BUFFER_BIT);
    bind(s, WINDOW);
    clear_to(s, BLACK);
    blit(s, 2, WINDOW, GL_COLOR_BUFFER_BIT);
}

// Integers keep their bits.
static void integers(struct scene *s)
{
    object(s, 1, 0, GL_RGBA8UI, 0);
    call(s, "glClearBufferuiv", "eiI", GL_COLOR, 0, INTEGERS(255, 7, 0, 9));
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 0, 0, SIDE / 2, SIDE);
    call(s, "glColorMask", "iiii", 1, 0, 1, 0);
    call(s, "glClearBufferuiv", "eiI", GL_COLOR, 0, INTEGERS(0, 99, 255, 99));
    call(s, "glColorMask", "iiii", 1, 1, 1, 1);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    object(s, 2, 4, GL_RGBA8UI, 0);
    blit(s, 1, 2, GL_COLOR_BUFFER_BIT);
    object(s, 3, 4, GL_RGBA8UI, 0);
    blit_at(s, 2, 3, GL_COLOR_BUFFER_BIT, SIDE, 0);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 5);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    call(s, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_RGBA8UI, SIDE, SIDE, 0,
         GL_RGBA_INTEGER, GL_UNSIGNED_BYTE);
    bind(s, 4);
    call(s, "glFramebufferTexture2D", "eeeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_TEXTURE_2D, 5, 0);
    blit(s, 3, 4, GL_COLOR_BUFFER_BIT);
    bind(s, WINDOW);
    use_program(
        s, 10, "#version 130\nvoid main() { gl_Position = ftransform(); }",
        "#version 130\nuniform usampler2D t; void main() {\n"
        "  uvec4 v = texelFetch(t, ivec2(gl_FragCoord.xy), 0);\n"
        "  bool kept = v.g == 7u && v.a == 9u;\n"
        "  gl_FragColor = kept ? vec4(v.r, 0.0, v.b, 1.0) / 255.0 : vec4(1.0);\n"
        "}");
    quad(s, 0, 0, SIDE, SIDE);
}

// ---- depth and stencil ----

static void planes_to_one(struct scene *s)
{
    object(s, 1, 4, GL_RGBA8, GL_DEPTH24_STENCIL8);
    halves(s, BLACK, BLACK);
    blit(s, 1, WINDOW, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    show_planes(s);
}

static void planes_to_several(struct scene *s)
{
    halves(s, BLACK, BLACK);
    object(s, 1, 4, GL_RGBA8, GL_DEPTH24_STENCIL8);
    clear_to(s, BLACK);
    blit(s, WINDOW, 1, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    show_planes(s);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
}

// What goes alone leaves the other one as it is.
static void planes_alone(struct scene *s)
{
    halves(s, BLACK, BLACK);
    object(s, 1, 0, GL_RGBA8, GL_DEPTH24_STENCIL8);
    call(s, "glClearDepth", "f", 1.0);
    call(s, "glClearStencil", "i", 1);
    call(s, "glClear", "e", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    object(s, 2, 0, GL_RGBA8, GL_DEPTH24_STENCIL8);
    blit(s, WINDOW, 2, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    blit(s, 1, 2, GL_DEPTH_BUFFER_BIT);
    blit(s, 2, WINDOW, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    show_planes(s);
}

// The depth of a window of several samples, as a texture, as pixels.
static void depth_of_windows(struct scene *s)
{
    several_window(s);
    halves(s, BLACK, BLACK);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 5);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    call(s, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, SIDE,
         SIDE, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIDE,
         SIDE);
    call(s, "glEnable", "e", GL_DEPTH_TEST);
    call(s, "glDepthFunc", "e", GL_ALWAYS);
    call(s, "glRasterPos2i", "ii", 16, 16);
    call(s, "glCopyPixels", "iiiie", 0, 16, 8, 8, GL_DEPTH);
    call(s, "glDepthFunc", "e", GL_LESS);
    clear_to(s, BLACK);
    color(s, GREEN); // where depth is the farthest
    quad(s, 0, 16, SIDE, SIDE);
    call(s, "glDisable", "e", GL_DEPTH_TEST);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    color(s, WHITE);
    call(s, "glBegin", "e", GL_QUADS);
    for (int i = 0; i < 4; i++) {
        int x = i == 1 || i == 2, y = i / 2;
        call(s, "glTexCoord2f", "ff", (double)x, (double)y);
        call(s, "glVertex2f", "ff", 32.0 * x, 8.0 * y);
    }
    call(s, "glEnd", "");
}

// Depth and stencil of the client, drawn to a window of several samples and copied
// there.
static void pixels(struct scene *s)
{
    static const float far[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint8_t sixes[] = { 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6 };
    several_window(s);
    clear_to(s, BLACK);
    call(s, "glClearStencil", "i", 1);
    call(s, "glClearDepth", "f", 0.0);
    call(s, "glClear", "e", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    call(s, "glEnable", "e", GL_DEPTH_TEST);
    call(s, "glDepthFunc", "e", GL_ALWAYS);
    call(s, "glColorMask", "iiii", 0, 0, 0, 0);
    call(s, "glRasterPos2i", "ii", 0, 0);
    call(s, "glDrawPixels", "iieeB", 4, 4, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
         sizeof sixes, sixes);
    call(s, "glDrawPixels", "iieeB", 4, 4, GL_DEPTH_COMPONENT, GL_FLOAT, sizeof far,
         (const uint8_t *)far);
    call(s, "glRasterPos2i", "ii", 16, 16);
    call(s, "glCopyPixels", "iiiie", 0, 0, 4, 4, GL_DEPTH);
    call(s, "glColorMask", "iiii", 1, 1, 1, 1);
    call(s, "glDepthFunc", "e", GL_LESS);
    show_planes(s);
}

// ---- clears ----

// Beside what the scissor leaves no sample of a pixel is cleared.
static void clipped(struct scene *s)
{
    object(s, 1, 4, GL_RGBA8, GL_DEPTH24_STENCIL8);
    clear_to(s, BLACK);
    call(s, "glClearStencil", "i", 0x50);
    call(s, "glClear", "e", GL_STENCIL_BUFFER_BIT);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 8, 8, 16, 16);
    call(s, "glStencilMask", "e", 0xF);
    call(s, "glClearStencil", "i", 2);
    call(s, "glClear", "e", GL_STENCIL_BUFFER_BIT);
    call(s, "glColorMask", "iiii", 0, 0, 1, 1);
    clear_to(s, WHITE);
    call(s, "glColorMask", "iiii", 1, 1, 0, 1);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    call(s, "glEnable", "e", GL_STENCIL_TEST);
    call(s, "glStencilFunc", "eie", GL_EQUAL, 0x52, 0xFF);
    color(s, GREEN);
    quad(s, 0, 0, SIDE, SIDE);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
}

// A texture of several samples, or a part of it, is cleared.
static void textures(struct scene *s)
{
    static const uint8_t red[] = { 255, 0, 0, 255 }, blue[] = { 0, 0, 255, 255 };
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D_MULTISAMPLE, 5);
    call(s, "glTexImage2DMultisample", "eieiii", GL_TEXTURE_2D_MULTISAMPLE, 4,
         GL_SRGB8_ALPHA8, SIDE, SIDE, 1);
    call(s, "glClearTexImage", "iieeB", 5, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof red,
         red);
    call(s, "glClearTexSubImage", "iiiiiiiieeB", 5, 0, 8, 8, 0, 16, 16, 1, GL_RGBA,
         GL_UNSIGNED_BYTE, sizeof blue, blue);
    bind(s, 1);
    call(s, "glFramebufferTexture2D", "eeeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_TEXTURE_2D_MULTISAMPLE, 5, 0);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
}

// Integers of several samples are fetched, whatever filters the texture has.
static void fetched(struct scene *s)
{
    static const uint8_t texel[] = { 0, 7, 0, 0 };
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D_MULTISAMPLE, 5);
    call(s, "glTexImage2DMultisample", "eieiii", GL_TEXTURE_2D_MULTISAMPLE, 4,
         GL_RGBA8UI, SIDE, SIDE, 1);
    call(s, "glClearTexImage", "iieeB", 5, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
         sizeof texel, texel);
    use_program(s, 10, "void main() { gl_Position = ftransform(); }",
                "#version 150\nuniform usampler2DMS t; out vec4 o;\n"
                "void main() { o = vec4(texelFetch(t, ivec2(1), 3)) / 7.0; }");
    quad(s, 0, 0, SIDE, SIDE);
}

// ---- points ----

// Smooth ones are squares there, as of Mesa's software rasteriser.
static void smooth_points(struct scene *s)
{
    object(s, 1, 4, GL_RGBA8, 0);
    clear_to(s, BLACK);
    call(s, "glEnable", "e", GL_POINT_SMOOTH);
    call(s, "glPointSize", "f", 16.0);
    color(s, GREEN);
    for (int i = 0; i < 2; i++) {
        if (i)
            call(s, "glDisable", "e", GL_MULTISAMPLE);
        call(s, "glBegin", "e", GL_POINTS);
        call(s, "glVertex2f", "ff", 8.0 + 16 * i, 8.0);
        call(s, "glEnd", "");
    }
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
}

// ---- GL_MULTISAMPLE ----

// Edges would be those of one sample: named. A masked clear has none.
static void of_one_sample(struct scene *s)
{
    object(s, 1, 4, GL_RGBA8, 0);
    clear_to(s, BLACK);
    call(s, "glDisable", "e", GL_MULTISAMPLE);
    call(s, "glColorMask", "iiii", 1, 0, 0, 1);
    clear_to(s, WHITE);
    call(s, "glColorMask", "iiii", 1, 1, 1, 1);
    color(s, GREEN);
    quad(s, 16, 0, SIDE, SIDE);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
    s->unsupported = 1;
}

// ---- light ----

// What blits to windows and from sRGB, with GL_FRAMEBUFFER_SRGB and without.
static void light(struct scene *s)
{
    object(s, 1, 4, GL_SRGB8_ALPHA8, 0);
    clear_to(s, 0x404040);
    object(s, 2, 0, GL_RGBA8, 0);
    clear_to(s, 0x404040);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
    call(s, "glEnable", "e", GL_FRAMEBUFFER_SRGB);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 8, 0, 8, SIDE);
    blit(s, 1, WINDOW, GL_COLOR_BUFFER_BIT);
    call(s, "glScissor", "iiii", 16, 0, 16, SIDE);
    blit(s, 2, WINDOW, GL_COLOR_BUFFER_BIT);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    call(s, "glDisable", "e", GL_FRAMEBUFFER_SRGB);
}

// ---- errors ----

// Nothing happens: copies from several samples, blits that scale them.
static void rejected(struct scene *s)
{
    texels(s, 1, GREEN, false);
    object(s, 1, 4, GL_RGBA8, GL_DEPTH24_STENCIL8);
    clear_to(s, RED);
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_2D, 0, 0, 0, 0, 0, 2, 2);
    call(s, "glCopyTexImage2D", "eieiiiii", GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 2, 2, 0);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, WINDOW);
    call(s, "glRasterPos2i", "ii", 0, 0);
    call(s, "glCopyPixels", "iiiie", 0, 0, 8, 8, GL_COLOR);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, 8, 8, 0, 0, 16, 16,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    color(s, WHITE);
    quad(s, 16, 0, SIDE, SIDE);
}

// ---- what is expected ----

enum { GRAY = 0x404040, LIGHT = 0x898989 };

// Left and right, each low and high.
#define QUARTERS(left_low, left_high, right_low, right_high)            \
    {                                                                   \
        { 4, 4, left_low }, { 4, 28, left_high }, { 28, 4, right_low }, \
        {                                                               \
            28, 28, right_high                                          \
        }                                                               \
    }

static const struct draw_row rows[] = {
    { "colors", colors, SIDE, QUARTERS(BLUE, BLUE, RED, RED), 4, 2 },
    { "to_itself",
      to_itself,
      SIDE,
      { { 4, 28, RED },
        { 12, 28, BLUE },
        { 20, 28, RED },
        { 28, 28, BLUE },
        { 12, 4, RED },
        { 20, 4, BLUE } },
      4,
      2 },
    { "with_windows", with_windows, SIDE, QUARTERS(BLUE, RED, BLUE, RED), 5, 1 },
    { "integers", integers, SIDE, QUARTERS(RED, RED, BLUE, BLUE), 6, 4 },
    { "planes_to_one", planes_to_one, SIDE, QUARTERS(BLUE, GREEN, BLACK, BLACK), 3, 2 },
    { "planes_to_several", planes_to_several, SIDE, QUARTERS(BLUE, GREEN, BLACK, BLACK),
      4, 12 },
    { "planes_alone", planes_alone, SIDE, QUARTERS(BLUE, GREEN, GREEN, GREEN), 3, 2 },
    { "depth_of_windows",
      depth_of_windows,
      SIDE,
      { { 4, 4, WHITE },
        { 28, 4, BLACK },
        { 4, 28, GREEN },
        { 28, 28, BLACK },
        { 20, 20, GREEN },
        { 20, 28, BLACK } },
      2,
      3 },
    { "pixels",
      pixels,
      SIDE,
      { { 1, 1, BLUE }, { 4, 1, BLACK }, { 17, 17, GREEN }, { 20, 17, BLACK } },
      2,
      3 },
    { "clipped",
      clipped,
      SIDE,
      { { 7, 16, BLACK },
        { 8, 16, 0x00FFFF },
        { 23, 16, 0x00FFFF },
        { 24, 16, BLACK },
        { 16, 7, BLACK },
        { 16, 8, 0x00FFFF },
        { 16, 23, 0x00FFFF },
        { 16, 24, BLACK } },
      2,
      3 },
    { "textures",
      textures,
      SIDE,
      { { 7, 16, RED }, { 8, 16, BLUE }, { 16, 23, BLUE }, { 16, 24, RED } },
      2,
      0 },
    { "fetched", fetched, SIDE, QUARTERS(GREEN, GREEN, GREEN, GREEN), 3, 1 },
    { "smooth_points",
      smooth_points,
      SIDE,
      { { 1, 1, GREEN }, { 14, 14, GREEN }, { 17, 1, BLACK }, { 24, 8, GREEN } },
      2,
      2 },
    { "of_one_sample", of_one_sample, SIDE, QUARTERS(RED, RED, GREEN, GREEN), 2, 2 },
    { "light",
      light,
      SIDE,
      { { 4, 4, GRAY }, { 12, 4, GRAY }, { 24, 4, LIGHT } },
      3,
      0 },
    { "rejected",
      rejected,
      SIDE,
      { { 4, 4, BLACK }, { 12, 12, BLACK }, { 20, 4, GREEN } },
      3,
      1 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
