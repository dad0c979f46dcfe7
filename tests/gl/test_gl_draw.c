// What is drawn: small scenes of calls, compiled and run; pixels against those worked
// out from the specification, and how many passes and draws they take.
#include <stdarg.h>

#include "compiler/gl/gl.h"
#include "tests/compiler/builder_probe.h"
#include "tests/gl/make_call.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

#include "compiler/gl/base/gl_enums.h"

#define SIDE 32
#define MOST_CHECKS 8

enum { BLACK = 0, RED = 0xFF0000, GREEN = 0x00FF00, BLUE = 0x0000FF, WHITE = 0xFFFFFF };

struct scene {
    struct probe probe;
    struct gv_arena arena;
    struct gv_gl *gl;
    uint64_t number;
    bool ok;
};

static void call(struct scene *s, const char *name, const char *kinds, ...)
{
    struct made_call *m = calloc(1, sizeof *m);
    va_list list;
    va_start(list, kinds);
    make_call(m, name, kinds, list);
    va_end(list);
    m->call.number = s->number++;
    s->ok = s->ok && gv_gl_call(s->gl, &m->call, &s->probe.err);
    free(m);
}

#define P(n) (uint64_t)(n)

static void color(struct scene *s, uint32_t rgb)
{
    call(s, "glColor3f", "fff", (double)(rgb >> 16 & 0xFF) / 255,
         (double)(rgb >> 8 & 0xFF) / 255, (double)(rgb & 0xFF) / 255);
}

static void clear_to(struct scene *s, uint32_t rgb)
{
    call(s, "glClearColor", "ffff", (double)(rgb >> 16 & 0xFF) / 255,
         (double)(rgb >> 8 & 0xFF) / 255, (double)(rgb & 0xFF) / 255, 1.0);
    call(s, "glClear", "e", GL_COLOR_BUFFER_BIT);
}

// A window of SIDE x SIDE in which coordinates are pixels.
static void begin(struct scene *s)
{
    call(s, "glXMakeCurrent", "ppp=i", P(1), P(7), P(0x100), 1);
    call(s, "glViewport", "iiii", 0, 0, SIDE, SIDE);
    call(s, "glMatrixMode", "e", GL_PROJECTION);
    call(s, "glOrtho", "ffffff", 0.0, (double)SIDE, 0.0, (double)SIDE, -1.0, 1.0);
    call(s, "glMatrixMode", "e", GL_MODELVIEW);
    clear_to(s, BLACK);
}

static void show(struct scene *s)
{
    call(s, "glXSwapBuffers", "pp", P(1), P(7));
}

static void quad(struct scene *s, double x0, double y0, double x1, double y1)
{
    call(s, "glBegin", "e", GL_QUADS);
    call(s, "glVertex2f", "ff", x0, y0);
    call(s, "glVertex2f", "ff", x1, y0);
    call(s, "glVertex2f", "ff", x1, y1);
    call(s, "glVertex2f", "ff", x0, y1);
    call(s, "glEnd", "");
}

// ---- scenes ----

// Rows count from below; draws of one state are one.
static void rows_and_merges(struct scene *s)
{
    color(s, RED);
    quad(s, 0, 0, 8, 8);
    color(s, GREEN);
    quad(s, 24, 24, 32, 32);
    color(s, BLUE);
    quad(s, 24, 0, 32, 8);
}

static void clears(struct scene *s)
{
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 0, 0, 16, 8);
    clear_to(s, RED);
    call(s, "glScissor", "iiii", 0, 24, 16, 8);
    call(s, "glColorMask", "iiii", 0, 1, 0, 1);
    clear_to(s, WHITE);
}

// Only where two bits of stencil are set; one is masked away from the clear.
static void stencils(struct scene *s)
{
    call(s, "glClearStencil", "i", 3);
    call(s, "glStencilMask", "e", 2);
    call(s, "glClear", "e", GL_STENCIL_BUFFER_BIT);
    call(s, "glEnable", "e", GL_STENCIL_TEST);
    call(s, "glStencilFunc", "eie", GL_EQUAL, 2, 0xFF);
    color(s, RED);
    quad(s, 0, 0, 32, 16);
    call(s, "glStencilFunc", "eie", GL_EQUAL, 3, 0xFF);
    color(s, GREEN);
    quad(s, 0, 0, 32, 8);
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

// Outlines have no diagonal; back and front differ.
static void outlines(struct scene *s)
{
    call(s, "glPolygonMode", "ee", GL_FRONT, GL_LINE);
    color(s, GREEN);
    quad(s, 4.5, 4.5, 20.5, 20.5);
    color(s, RED);
    quad(s, 28, 4, 24, 8); // the other way round: filled
}

// What grew keeps what it had, lowest.
static void growth(struct scene *s)
{
    color(s, RED);
    quad(s, 0, 0, 8, 8);
    call(s, "glViewport", "iiii", 0, 0, SIDE, 2 * SIDE);
    color(s, GREEN);
    quad(s, 16, 16, 32, 32);
}

static void depths(struct scene *s)
{
    call(s, "glEnable", "e", GL_DEPTH_TEST);
    call(s, "glClear", "e", GL_DEPTH_BUFFER_BIT);
    color(s, RED);
    quad(s, 0, 0, 16, 16);
    color(s, GREEN);
    quad(s, 0, 0, 32, 16); // as far: fails where red is
    call(s, "glDepthFunc", "e", GL_LEQUAL);
    color(s, BLUE);
    quad(s, 0, 8, 8, 16);
}

// A texture of 2 x 2 texels of one colour, or new texels for it, mips and all.
static void texels(struct scene *s, uint32_t name, uint32_t rgb, bool again)
{
    uint8_t rgba[16];
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = (uint8_t)(i % 4 == 3 ? 255 : rgb >> (16 - 8 * (i % 4)));
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, name);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
    if (again)
        call(s, "glTexSubImage2D", "eiiiiieeB", GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_RGBA,
             GL_UNSIGNED_BYTE, sizeof rgba, rgba);
    else
        call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0,
             GL_RGBA, GL_UNSIGNED_BYTE, sizeof rgba, rgba);
}

// In the middle of a frame: they are filled ahead of its pass.
static void new_textures(struct scene *s)
{
    color(s, WHITE);
    quad(s, 0, 0, 8, 8);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    texels(s, 1, RED, false);
    quad(s, 8, 0, 16, 8);
    texels(s, 2, GREEN, false);
    texels(s, 2, BLUE, true); // nothing has used it yet
    quad(s, 16, 0, 24, 8);
}

// What was drawn with, or copied to, is not filled ahead of that.
static void used_textures(struct scene *s)
{
    color(s, WHITE);
    call(s, "glEnable", "e", GL_TEXTURE_2D);
    texels(s, 1, RED, false);
    quad(s, 0, 0, 8, 8);
    texels(s, 1, GREEN, true);
    quad(s, 8, 0, 16, 8);
    texels(s, 2, RED, false);
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_2D, 0, 0, 0, 0, 0, 2, 2);
    texels(s, 2, BLUE, true);
    quad(s, 16, 0, 24, 8);
}

static const struct {
    const char *name;
    void (*make)(struct scene *s);
    uint32_t height; // of the picture
    struct {
        uint32_t x, y, rgb; // GL's coordinates; of all that are named
    } checks[MOST_CHECKS];
    uint32_t passes, draws;
} rows[] = {
    { "rows_and_merges",
      rows_and_merges,
      SIDE,
      { { 0, 0, RED },
        { 7, 7, RED },
        { 8, 8, BLACK },
        { 31, 31, GREEN },
        { 31, 0, BLUE },
        { 0, 31, BLACK } },
      1,
      1 },
    { "clears",
      clears,
      SIDE,
      { { 0, 0, RED },
        { 15, 7, RED },
        { 16, 7, BLACK },
        { 0, 8, BLACK },
        { 0, 31, GREEN },
        { 15, 24, GREEN },
        { 16, 31, BLACK } },
      1,
      1 },
    { "stencils",
      stencils,
      SIDE,
      { { 0, 0, RED }, { 31, 15, RED }, { 0, 16, BLACK } },
      1,
      3 },
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
    { "outlines",
      outlines,
      SIDE,
      { { 4, 10, GREEN },
        { 20, 10, GREEN },
        { 10, 4, GREEN },
        { 10, 20, GREEN },
        { 12, 12, BLACK },
        { 25, 5, RED },
        { 26, 6, RED },
        { 12, 13, BLACK } },
      1,
      2 },
    { "growth",
      growth,
      2 * SIDE,
      { { 0, 0, RED },
        { 7, 7, RED },
        { 0, 8, BLACK },
        { 16, 32, GREEN },
        { 31, 63, GREEN },
        { 16, 31, BLACK } },
      2,
      2 },
    { "depths",
      depths,
      SIDE,
      { { 0, 0, RED },
        { 15, 15, RED },
        { 16, 0, GREEN },
        { 0, 8, BLUE },
        { 8, 8, RED } },
      1,
      2 },
    { "new_textures",
      new_textures,
      SIDE,
      { { 0, 0, WHITE }, { 8, 0, RED }, { 16, 0, BLUE }, { 24, 0, BLACK } },
      1,
      3 },
    { "used_textures",
      used_textures,
      SIDE,
      { { 0, 0, RED }, { 8, 0, GREEN }, { 16, 0, BLUE }, { 24, 0, BLACK } },
      3,
      3 },
};

// ---- what they make ----

// Lines of the payload's code that call something of these names.
static uint32_t count_of(struct probe *probe, const char *call_name)
{
    struct gv_bytes code = { 0 };
    uint32_t count = 0;
    size_t length = strlen(call_name);
    probe_code(probe, &code);
    gv_bytes_u8(&code, 0);
    for (const char *at = (const char *)code.data; (at = strstr(at, call_name)); at++)
        count += at[length] == ' ' || at[length] == '\n' || at[length] == 0;
    gv_bytes_finish(&code);
    return count;
}

static uint32_t pixel(const struct gv_picture *p, uint32_t x, uint32_t y)
{
    const uint8_t *at = p->rgba + 4 * ((size_t)(p->height - 1 - y) * p->width + x);
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static void check_pixels(size_t row, const struct gv_bytes *payload)
{
    struct gv_replay_result result;
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_replay_payload(payload->data, payload->size, true, &result, &err);
    if (!ok)
        fprintf(stderr, "%s: %s\n", rows[row].name, err.message);
    CHECK_ROW(rows[row].name, ok && result.frame_count == 1);
    CHECK_ROW(rows[row].name, result.validation_messages == 0);
    ok = ok && result.frame_count == 1;
    const struct gv_picture *p = ok ? &result.pictures[0] : NULL;
    CHECK_ROW(rows[row].name,
              !p || (p->width == SIDE && p->height == rows[row].height));
    for (size_t i = 0; p && i < MOST_CHECKS; i++) {
        uint32_t x = rows[row].checks[i].x, y = rows[row].checks[i].y;
        if (i && !x && !y && !rows[row].checks[i].rgb)
            break;
        uint32_t is = pixel(p, x, y);
        if (is != rows[row].checks[i].rgb)
            fprintf(stderr, "%s: (%u, %u) is %06x\n", rows[row].name, x, y, is);
        CHECK_ROW(rows[row].name, is == rows[row].checks[i].rgb);
    }
    gv_replay_result_finish(&result);
}

// Calls that stand apart are known by their own numbers, also where one left late.
static void calls_apart(void)
{
    static const struct {
        uint64_t command, number;
        const char *name;
    } expected[] = { { 6, 6, "glClear" },
                     { 7, 8, "glFlush" },
                     { 8, 7, "glFinish" },
                     { 13, 13, "glEnd" },
                     { 14, 14, "glXSwapBuffers" } };
    const struct gv_compile_params params = { .level = 1, .apart = true };
    struct scene s = { 0 };
    probe_begin(&s.probe, true, 1);
    const struct gv_gl_params to = { .compile = &params,
                                     .arena = &s.arena,
                                     .builder = s.probe.builder };
    s.gl = gv_gl_create(&to, &s.probe.err);
    s.ok = s.gl != NULL;
    begin(&s);
    s.number = 8;
    call(&s, "glFlush", "");
    s.number = 7;
    call(&s, "glFinish", "");
    s.number = 9;
    call(&s, "glBegin", "e", GL_TRIANGLES);
    for (int i = 0; i < 3; i++)
        call(&s, "glVertex2f", "ff", i == 1 ? 20.0 : 1.0, i == 2 ? 20.0 : 1.0);
    call(&s, "glEnd", "");
    show(&s);
    CHECK(s.ok && gv_gl_finish(s.gl, &s.probe.err));
    gv_gl_destroy(s.gl);
    CHECK(probe_end(&s.probe) && !s.probe.payload.joined);
    struct gv_source_row row;
    uint64_t position = 0;
    size_t found = 0;
    while (gv_payload_source_next(&s.probe.payload, &position, &row))
        if (found < 5 && !strcmp(row.name, expected[found].name)) {
            CHECK(row.command == expected[found].command);
            CHECK(row.number == expected[found].number);
            found++;
        }
    CHECK(found == 5);
    CHECK(count_of(&s.probe, "draw") + count_of(&s.probe, "draw_indexed") == 1);
    CHECK(count_of(&s.probe, "show") >= 3); // the window, nothing within, the window
    probe_finish(&s.probe);
    gv_arena_finish(&s.arena);
}

static bool compile(size_t row, struct scene *s)
{
    const struct gv_compile_params params = { .level = 1 };
    const struct gv_gl_params to = { .compile = &params,
                                     .arena = &s->arena,
                                     .builder = s->probe.builder };
    s->gl = gv_gl_create(&to, &s->probe.err);
    s->ok = s->gl != NULL;
    begin(s);
    rows[row].make(s);
    show(s);
    s->ok = s->ok && gv_gl_finish(s->gl, &s->probe.err);
    gv_gl_destroy(s->gl);
    return s->ok && probe_end(&s->probe);
}

int main(void)
{
    gv_leak_check_keep_libraries();
    bool device = gv_replay_device_present();
    calls_apart();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = { 0 };
        probe_begin(&s.probe, true, 1);
        bool ok = compile(i, &s);
        if (!ok)
            fprintf(stderr, "%s: %s\n", rows[i].name, s.probe.err.message);
        CHECK_ROW(rows[i].name, ok);
        if (ok) {
            uint32_t passes = count_of(&s.probe, "pass_begin");
            uint32_t draws =
                count_of(&s.probe, "draw") + count_of(&s.probe, "draw_indexed");
            if (passes != rows[i].passes || draws != rows[i].draws)
                fprintf(stderr, "%s: %u passes, %u draws\n", rows[i].name, passes,
                        draws);
            CHECK_ROW(rows[i].name, passes == rows[i].passes && draws == rows[i].draws);
        }
        if (ok && device)
            check_pixels(i, &s.probe.bytes);
        probe_finish(&s.probe);
        gv_arena_finish(&s.arena);
    }
    if (TEST_RESULT() == EXIT_SUCCESS && !device)
        return TEST_SKIP;
    return TEST_RESULT();
}
