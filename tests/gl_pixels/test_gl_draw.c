// What is drawn: the order of draws, clears, tests and textures.
#include <GL/glx.h>

#include "compiler/gl/gl.h"
#include "tests/gl_pixels/draw_scene.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

#include "compiler/gl/base/gl_enums.h"

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

// An object of several samples, cleared; then it is what is drawn to.
static void samples(struct scene *s)
{
    static const uint32_t formats[] = { GL_RGBA8, GL_DEPTH24_STENCIL8 },
                          attachments[] = { GL_COLOR_ATTACHMENT0,
                                            GL_DEPTH_STENCIL_ATTACHMENT };
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 9);
    for (uint32_t i = 0; i < 2; i++) {
        call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 5 + i);
        call(s, "glRenderbufferStorageMultisample", "eieii", GL_RENDERBUFFER, 4,
             formats[i], SIDE, SIDE);
        call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER, attachments[i],
             GL_RENDERBUFFER, 5 + i);
    }
    call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_RENDERBUFFER, 99); // there is none: what is attached stays
    clear_to(s, BLACK);
    call(s, "glClear", "e", GL_STENCIL_BUFFER_BIT);
}

// Parts of texels are cleared, and stencil is drawn, in all samples.
static void whole_samples(struct scene *s)
{
    static const uint8_t twos[16] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 };
    samples(s);
    call(s, "glEnable", "e", GL_SAMPLE_ALPHA_TO_COVERAGE);
    call(s, "glColorMask", "iiii", 1, 1, 0, 1);
    call(s, "glClearColor", "ffff", 1.0, 0.0, 1.0, 0.0);
    call(s, "glClear", "e", GL_COLOR_BUFFER_BIT);
    call(s, "glColor4f", "ffff", 1.0, 1.0, 1.0, 0.0);
    call(s, "glRasterPos2i", "ii", 4, 4);
    call(s, "glStencilMask", "e", 2);
    call(s, "glDrawPixels", "iieeB", 4, 4, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
         sizeof twos, twos);
    call(s, "glDisable", "e", GL_SAMPLE_ALPHA_TO_COVERAGE);
    call(s, "glEnable", "e", GL_SAMPLE_COVERAGE);
    call(s, "glSampleCoverage", "fi", 0.0, 0);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 16, 0, 16, SIDE);
    clear_to(s, GREEN);
    call(s, "glRasterPos2i", "ii", 20, 4);
    call(s, "glDrawPixels", "iieeB", 4, 4, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
         sizeof twos, twos);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    call(s, "glDisable", "e", GL_SAMPLE_COVERAGE);
    call(s, "glEnable", "e", GL_STENCIL_TEST);
    call(s, "glStencilFunc", "eie", GL_EQUAL, 2, 2);
    call(s, "glColorMask", "iiii", 1, 1, 1, 1);
    color(s, WHITE);
    quad(s, 0, 0, SIDE, SIDE);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, 0);
    call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE,
         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// Of all layers that are attached, parts of texels are cleared.
static void masked_layers(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D_ARRAY, 5);
    call(s, "glTexStorage3D", "eieiii", GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, SIDE, SIDE,
         2);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 9);
    call(s, "glFramebufferTexture", "eeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, 5, 0);
    clear_to(s, RED);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 0, 0, 16, SIDE);
    call(s, "glColorMask", "iiii", 0, 1, 0, 1);
    clear_to(s, GREEN);
    call(s, "glColorMask", "iiii", 1, 1, 1, 1);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, 0);
    for (int layer = 0; layer < 2; layer++) {
        call(s, "glFramebufferTextureLayer", "eeiii", GL_READ_FRAMEBUFFER,
             GL_COLOR_ATTACHMENT0, 5, 0, layer);
        call(s, "glBlitFramebuffer", "iiiiiiiiee", 0, 0, SIDE, 8, 0, 8 * layer, SIDE,
             8 * layer + 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
}

// What is drawn and what is cleared to a window, as sRGB.
static void light(struct scene *s)
{
    call(s, "glEnable", "e", GL_FRAMEBUFFER_SRGB);
    clear_to(s, 0x808080);
    color(s, 0x404040);
    quad(s, 0, 0, 16, 8);
    call(s, "glDisable", "e", GL_FRAMEBUFFER_SRGB);
    quad(s, 16, 0, 32, 8);
}

// Three squares that turn, each about its own place, as one list says.
static void turned_list(struct scene *s)
{
    s->products = 8; // once enough could have been saved
    call(s, "glNewList", "ie", 1, GL_COMPILE);
    for (int i = 0; i < 3; i++) {
        call(s, "glPushMatrix", "");
        call(s, "glTranslatef", "fff", 3.5 + 10 * i, 5.5 + 3 * i, 0.0);
        call(s, "glRotatef", "ffff", 23.0 + 31 * i, 1.0, 2.0, 4.0);
        quad(s, -3, -3, 3, 3);
        call(s, "glPopMatrix", "");
    }
    call(s, "glEndList", "");
    color(s, GREEN);
    for (int frame = 0; frame < 12; frame++) {
        clear_to(s, BLACK);
        call(s, "glLoadIdentity", "");
        call(s, "glScalef", "fff", 1.0, 1.0, 0.01); // nothing is clipped
        call(s, "glTranslatef", "fff", 0.0, 0.5 * frame, 0.0);
        call(s, "glRotatef", "ffff", 3.0 * frame, 0.0, 0.0, 1.0);
        call(s, "glCallList", "i", 1);
        if (frame < 11)
            show(s);
    }
}

// Halves that lie one over the other: unless the strip is clipped, the one with its
// second edge is the later one. Of flat quads the last vertex provokes by either
// convention.
static void folded_strips(struct scene *s)
{
    for (int i = 0; i < 2; i++) {
        const double y = 16.0 * i;
        call(s, "glBegin", "e", GL_QUAD_STRIP);
        color(s, BLACK);
        call(s, "glVertex2f", "ff", i ? -1.0 : 0.0, y);
        color(s, GREEN);
        call(s, "glVertex2f", "ff", 0.0, y + 16);
        color(s, RED);
        call(s, "glVertex2f", "ff", 0.0, y + 12);
        color(s, BLACK);
        call(s, "glVertex2f", "ff", 16.0, y + 16);
        call(s, "glEnd", "");
    }
    call(s, "glShadeModel", "e", GL_FLAT);
    call(s, "glProvokingVertex", "e", GL_FIRST_VERTEX_CONVENTION);
    for (int i = 0; i < 2; i++) {
        const double y = 16.0 * i;
        call(s, "glBegin", "e", i ? GL_QUADS : GL_QUAD_STRIP);
        color(s, RED);
        call(s, "glVertex2f", "ff", 16.0, y);
        call(s, "glVertex2f", "ff", 32.0, y);
        call(s, "glVertex2f", "ff", i ? 32.0 : 16.0, y + 16);
        color(s, BLUE);
        call(s, "glVertex2f", "ff", i ? 16.0 : 32.0, y + 16);
        call(s, "glEnd", "");
    }
}

// Smooth lines between two rows of pixels, of which each covers 0.75 of two: the alpha
// test sees it, but of a line that a pattern cuts.
static void tested_lines(struct scene *s)
{
    static const uint32_t functions[] = { GL_ALWAYS, GL_GREATER, GL_GREATER };
    static const double references[] = { 0.5, 0.7, 0.8 };
    call(s, "glEnable", "e", GL_LINE_SMOOTH);
    call(s, "glEnable", "e", GL_ALPHA_TEST);
    call(s, "glLineWidth", "f", 1.5);
    for (int i = 0; i < 4; i++) {
        if (i == 3) {
            call(s, "glEnable", "e", GL_LINE_STIPPLE);
            call(s, "glLineStipple", "ie", 1, 0x5555);
        } else {
            call(s, "glAlphaFunc", "ef", functions[i], references[i]);
        }
        call(s, "glBegin", "e", GL_LINES);
        call(s, "glVertex2f", "ff", 2.0, 4.0 + 8 * i);
        call(s, "glVertex2f", "ff", 30.0, 4.0 + 8 * i);
        call(s, "glEnd", "");
    }
    s->unsupported = 1;
}

static const struct draw_row rows[] = {
    { "folded_strips",
      folded_strips,
      SIDE,
      { { 3, 9, 0x800000 }, { 3, 25, 0x005900 }, { 20, 20, BLUE }, { 20, 4, BLUE } },
      1,
      2 },
    { "masked_layers",
      masked_layers,
      SIDE,
      { { 4, 4, 0xFFFF00 }, { 28, 4, RED }, { 4, 12, 0xFFFF00 }, { 28, 12, RED } },
      4,
      2 },
    { "turned_list",
      turned_list,
      SIDE,
      { { 0, 0, BLACK }, { 6, 19, GREEN }, { 13, 27, GREEN }, { 30, 2, BLACK } },
      12,
      36 },
    { "light",
      light,
      SIDE,
      { { 0, 31, 0xBCBCBC }, { 4, 4, 0x898989 }, { 20, 4, 0x404040 } },
      3,
      2 },
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
    { "tested_lines",
      tested_lines,
      SIDE,
      { { 9, 3, WHITE },
        { 9, 4, WHITE },
        { 9, 5, BLACK },
        { 9, 11, WHITE },
        { 9, 12, WHITE },
        { 9, 19, BLACK },
        { 9, 20, BLACK } },
      1,
      4 },
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
    { "whole_samples",
      whole_samples,
      SIDE,
      { { 0, 0, RED },
        { 14, 31, RED },
        { 16, 0, GREEN },
        { 31, 31, GREEN },
        { 4, 4, WHITE },
        { 7, 7, WHITE },
        { 20, 4, WHITE },
        { 24, 8, GREEN } },
      6,
      7 },
};

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

int main(void)
{
    gv_leak_check_keep_libraries();
    bool device = gv_replay_device_present();
    calls_apart();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_draw(&rows[i], device);
    if (TEST_RESULT() == EXIT_SUCCESS && !device)
        return gv_test_skip("no Vulkan device");
    return TEST_RESULT();
}
