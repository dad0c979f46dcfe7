// Blits and copies of slices, of views and of a texture to itself, and which texels a
// blit takes of which a part is cut off.
#include "tests/gl_pixels/draw_scene.h"

#include "compiler/gl/base/gl_machine.h"

#define WINDOW 0

static void read_and_draw(struct scene *s, uint32_t read, uint32_t draw)
{
    call(s, "glBindFramebuffer", "ee", GL_READ_FRAMEBUFFER, read);
    call(s, "glBindFramebuffer", "ee", GL_DRAW_FRAMEBUFFER, draw);
}

static void blit(struct scene *s, const int c[8], uint32_t filter)
{
    call(s, "glBlitFramebuffer", "iiiiiiiiee", c[0], c[1], c[2], c[3], c[4], c[5], c[6],
         c[7], GL_COLOR_BUFFER_BIT, filter);
}

static void to_window(struct scene *s, uint32_t object)
{
    static const int all[8] = { 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE };
    read_and_draw(s, object, WINDOW);
    blit(s, all, GL_NEAREST);
}

// A level of a texture as an object of its own.
static void object(struct scene *s, uint32_t name, uint32_t texture, int level)
{
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, name);
    call(s, "glFramebufferTexture2D", "eeeei", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_TEXTURE_2D, texture, level);
}

static void storage(struct scene *s, uint32_t texture, uint32_t format, int levels)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, texture);
    call(s, "glTexStorage2D", "eieii", GL_TEXTURE_2D, levels, format, SIDE, SIDE);
}

static void part(struct scene *s, int x, int y, int width, int height, uint32_t rgb)
{
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", x, y, width, height);
    clear_to(s, rgb);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
}

// Left red, right blue.
static void halves(struct scene *s)
{
    clear_to(s, BLUE);
    part(s, 0, 0, SIDE / 2, SIDE, RED);
}

// ---- cuts ----

// Eight texels to 20 pixels: those of the first texel end at pixel 2.5, of the second
// at
// 5. A scissor that begins at pixel 1 changes none of them.
static void cut_by_scissor(struct scene *s)
{
    static const int corners[8] = { 0, 0, 8, 8, 0, 0, 20, 20 };
    storage(s, 1, GL_RGBA8, 1);
    object(s, 1, 1, 0);
    clear_to(s, GREEN);
    part(s, 0, 0, 1, 8, RED);
    part(s, 1, 0, 1, 8, BLUE);
    read_and_draw(s, 1, WINDOW);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", 1, 1, 9, 9);
    blit(s, corners, GL_NEAREST);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
}

// Three texels of the source's side are beyond it: pixels up to 7.5 stay.
// To a target that begins as far below the window as numbers reach: its last row alone
// is seen.
static void far_below(struct scene *s)
{
    storage(s, 1, GL_RGBA8, 1);
    object(s, 1, 1, 0);
    clear_to(s, RED);
    part(s, 0, SIDE - 1, SIDE, 1, GREEN);
    read_and_draw(s, 1, WINDOW);
    blit(s, (const int[8]){ 0, 0, SIDE, SIDE, 0, INT32_MIN, SIDE, SIDE }, GL_NEAREST);
}

static void cut_by_source(struct scene *s)
{
    static const int corners[8] = { -3, 0, 5, 8, 0, 0, 20, 20 };
    storage(s, 1, GL_RGBA8, 1);
    object(s, 1, 1, 0);
    clear_to(s, GREEN);
    part(s, 0, 0, 1, 8, RED);
    part(s, 1, 0, 1, 8, BLUE);
    read_and_draw(s, 1, WINDOW);
    clear_to(s, WHITE);
    blit(s, corners, GL_NEAREST);
}

// ---- slices ----

static void slice(struct scene *s, uint32_t name, int z)
{
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, name);
    call(s, "glFramebufferTextureLayer", "eeeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         1, 0, z);
}

// From slice 2 to slice 1, scaled and as it is, and parts of it to slice 3.
static void slices(struct scene *s)
{
    static const int turned[8] = { 0, 0, SIDE, SIDE, SIDE, 0, 0, SIDE / 2 };
    call(s, "glBindTexture", "ei", GL_TEXTURE_3D, 1);
    call(s, "glTexStorage3D", "eieiii", GL_TEXTURE_3D, 1, GL_RGBA8, SIDE, SIDE, 4);
    for (int z = 1; z < 4; z++) {
        slice(s, (uint32_t)z, z);
        clear_to(s, GREEN);
    }
    slice(s, 2, 2);
    halves(s);
    read_and_draw(s, 2, 1);
    blit(s, turned, GL_LINEAR);
    call(s, "glBindFramebuffer", "ee", GL_READ_FRAMEBUFFER, 1);
    call(s, "glCopyTexSubImage3D", "eiiiiiiii", GL_TEXTURE_3D, 0, 0, 0, 3, 0, 0, SIDE,
         SIDE);
    to_window(s, 3);
}

// ---- one dimension ----

// To a texture of one dimension from others, of several samples too, and all of it
// seen.
static void lines(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_1D, 1);
    call(s, "glTexStorage1D", "eiei", GL_TEXTURE_1D, 1, GL_RGBA8, SIDE);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 1);
    call(s, "glFramebufferTexture1D", "eeeei", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_TEXTURE_1D, 1, 0);
    storage(s, 2, GL_RGBA8, 1);
    object(s, 2, 2, 0);
    halves(s);
    call(s, "glBindFramebuffer", "ee", GL_FRAMEBUFFER, 3);
    call(s, "glBindRenderbuffer", "ee", GL_RENDERBUFFER, 3);
    call(s, "glRenderbufferStorageMultisample", "eieii", GL_RENDERBUFFER, 4, GL_RGBA8,
         SIDE, SIDE);
    call(s, "glFramebufferRenderbuffer", "eeee", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
         GL_RENDERBUFFER, 3);
    clear_to(s, GREEN);
    read_and_draw(s, 2, 1);
    blit(s, (const int[8]){ 0, 5, SIDE, 6, 0, 0, SIDE, 1 }, GL_NEAREST);
    read_and_draw(s, 3, 1);
    blit(s, (const int[8]){ 0, 0, 8, 1, 0, 0, 8, 1 }, GL_NEAREST);
    call(s, "glCopyImageSubData", "eeiiiieeiiiiiii", 2, GL_TEXTURE_2D, 0, 0, 3, 0, 1,
         GL_TEXTURE_1D, 0, 24, 0, 0, 4, 1, 1);
    read_and_draw(s, 1, WINDOW);
    blit(s, (const int[8]){ 0, 0, SIDE, 1, 0, 0, SIDE, SIDE }, GL_NEAREST);
}

// To one layer of a 1D array: z says which, as of other arrays.
static void lines_of_array(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_1D_ARRAY, 1);
    call(s, "glTexStorage2D", "eieii", GL_TEXTURE_1D_ARRAY, 1, GL_RGBA8, SIDE, 3);
    for (int z = 0; z < 3; z++) {
        slice(s, (uint32_t)z + 1, z);
        clear_to(s, GREEN);
    }
    storage(s, 2, GL_RGBA8, 1);
    object(s, 4, 2, 0);
    halves(s);
    call(s, "glCopyImageSubData", "eeiiiieeiiiiiii", 2, GL_TEXTURE_2D, 0, 8, 5, 0, 1,
         GL_TEXTURE_1D_ARRAY, 0, 0, 0, 2, 16, 1, 1);
    call(s, "glCopyImageSubData", "eeiiiieeiiiiiii", 2, GL_TEXTURE_2D, 0, 8, 5, 0, 1,
         GL_TEXTURE_1D_ARRAY, 0, 0, 1, 0, 16, 1, 1); // outside: there is one row
    read_and_draw(s, 2, WINDOW);
    blit(s, (const int[8]){ 0, 0, SIDE, 1, 0, 0, SIDE, 16 }, GL_NEAREST);
    read_and_draw(s, 3, WINDOW);
    blit(s, (const int[8]){ 0, 0, SIDE, 1, 0, 16, SIDE, SIDE }, GL_NEAREST);
}

// To layers of a 1D array that is sRGB, whose bits go another way.
static void lines_of_light(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_1D_ARRAY, 1);
    call(s, "glTexStorage2D", "eieii", GL_TEXTURE_1D_ARRAY, 1, GL_SRGB8_ALPHA8, SIDE,
         3);
    storage(s, 2, GL_RGBA8, 1);
    object(s, 4, 2, 0);
    halves(s);
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_1D_ARRAY, 0, 0, 1, 0, 5, SIDE,
         2);
    slice(s, 3, 2);
    read_and_draw(s, 3, WINDOW);
    blit(s, (const int[8]){ 0, 0, SIDE, 1, 0, 0, SIDE, SIDE }, GL_NEAREST);
}

// ---- textures that are not complete ----

// Nothing is copied while the filter asks for mips that are not there.
static void incomplete(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 1);
    call(s, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0,
         GL_RGBA, GL_UNSIGNED_BYTE);
    object(s, 1, 1, 0);
    clear_to(s, RED);
    storage(s, 2, GL_RGBA8, 1);
    object(s, 2, 2, 0);
    clear_to(s, GREEN);
    call(s, "glCopyImageSubData", "eeiiiieeiiiiiii", 1, GL_TEXTURE_2D, 0, 0, 0, 0, 2,
         GL_TEXTURE_2D, 0, 0, 0, 0, SIDE, SIDE, 1);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 1);
    call(s, "glTexParameteri", "eei", GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    call(s, "glCopyImageSubData", "eeiiiieeiiiiiii", 1, GL_TEXTURE_2D, 0, 0, 0, 0, 2,
         GL_TEXTURE_2D, 0, 0, 0, 0, SIDE, 8, 1);
    to_window(s, 2);
}

// ---- views ----

// RGBA8 of what is stored as one number of 32 bits: copied to and from.
static void copied_views(struct scene *s)
{
    storage(s, 1, GL_R32F, 2);
    call(s, "glTextureView", "eeeeiiii", 2, GL_TEXTURE_2D, 1, GL_RGBA8, 0, 2, 0, 1);
    storage(s, 3, GL_RGBA8, 1);
    object(s, 1, 2, 0);
    halves(s);
    object(s, 2, 3, 0);
    clear_to(s, GREEN);
    part(s, 0, 16, SIDE, 16, WHITE);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 2); // to the view
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_2D, 0, 0, 0, 0, 8, SIDE, 16);
    call(s, "glBindFramebuffer", "ee", GL_READ_FRAMEBUFFER, 1); // and back
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 3);
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIDE,
         SIDE);
    to_window(s, 2);
}

// A view of the second level and layer, blitted from and to.
static void part_views(struct scene *s)
{
    static const int half[8] = { 0, 0, 16, 16, 0, 0, SIDE, SIDE };
    static const int up[8] = { 0, 0, SIDE, SIDE, 0, 8, 16, 16 };
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D_ARRAY, 1);
    call(s, "glTexStorage3D", "eieiii", GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8UI, SIDE, SIDE,
         3);
    call(s, "glTextureView", "eeeeiiii", 2, GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1, 2, 1);
    object(s, 1, 2, 0);
    clear_to(s, BLUE);
    part(s, 0, 0, 8, 16, RED);
    storage(s, 3, GL_RGBA8, 1);
    object(s, 2, 3, 0);
    clear_to(s, GREEN);
    read_and_draw(s, 2, 1);
    blit(s, up, GL_LINEAR);
    read_and_draw(s, 1, WINDOW);
    blit(s, half, GL_NEAREST);
}

// ---- to itself ----

// A part that overlaps its copy, the same object read and drawn to by another one, and
// the level that is read defined anew.
static void to_itself(struct scene *s)
{
    static const int across[8] = { 0, 0, 16, 8, 16, 24, SIDE, SIDE };
    storage(s, 1, GL_RGBA8, 1);
    object(s, 1, 1, 0);
    halves(s);
    call(s, "glCopyTexSubImage2D", "eiiiiiii", GL_TEXTURE_2D, 0, 8, 0, 4, 0, 16, 16);
    object(s, 2, 1, 0);
    read_and_draw(s, 1, 2);
    blit(s, across, GL_NEAREST);
    to_window(s, 2);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 2);
    call(s, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA,
         GL_UNSIGNED_BYTE);
    object(s, 3, 2, 0);
    clear_to(s, GREEN);
    call(s, "glCopyTexImage2D", "eieiiiii", GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 4, 4, 0);
    read_and_draw(s, 3, WINDOW);
    blit(s, (const int[8]){ 0, 0, 4, 4, 0, 28, 4, 32 }, GL_NEAREST);
}

// To formats that Mesa keeps in blocks, by name or by choice, and to others; pixels in
// blocks that nobody here makes.
static void to_blocks(struct scene *s)
{
    static const uint32_t formats[] = { GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
                                        GL_COMPRESSED_RGBA, GL_COMPRESSED_ALPHA,
                                        GL_RGBA8 };
    clear_to(s, RED);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 1);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        call(s, "glCopyTexImage2D", "eieiiiii", GL_TEXTURE_2D, 0, formats[i], 2, 2, 4,
             4, 0);
    call(s, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_FXT1_3DFX,
         8, 8, 0, GL_RGB, GL_UNSIGNED_BYTE);
    s->unsupported = 3;
}

// ---- what is expected ----

static const struct draw_row rows[] = {
    { "cut_by_scissor",
      cut_by_scissor,
      SIDE,
      { { 0, 4, BLACK },
        { 1, 4, RED },
        { 3, 4, BLUE },
        { 4, 4, BLUE },
        { 5, 4, GREEN },
        { 9, 4, GREEN },
        { 10, 4, BLACK },
        { 4, 10, BLACK } },
      3,
      1 },
    { "far_below", far_below, SIDE, { { 4, 1, GREEN }, { 20, 30, GREEN } }, 3, 1 },
    { "cut_by_source",
      cut_by_source,
      SIDE,
      { { 6, 4, WHITE },
        { 8, 4, RED },
        { 9, 4, RED },
        { 10, 4, BLUE },
        { 11, 4, BLUE },
        { 13, 4, GREEN },
        { 19, 4, GREEN },
        { 20, 4, WHITE } },
      4,
      1 },
    { "slices",
      slices,
      SIDE,
      { { 4, 4, BLUE }, { 28, 4, RED }, { 4, 28, GREEN }, { 28, 28, GREEN } },
      5,
      0 },
    { "lines",
      lines,
      SIDE,
      { { 4, 4, GREEN },
        { 12, 28, RED },
        { 20, 4, BLUE },
        { 25, 4, RED },
        { 30, 28, BLUE } },
      3,
      0 },
    { "lines_of_array",
      lines_of_array,
      SIDE,
      { { 4, 8, GREEN }, { 4, 24, RED }, { 12, 24, BLUE }, { 20, 24, GREEN } },
      5,
      0 },
    { "lines_of_light",
      lines_of_light,
      SIDE,
      { { 4, 8, RED }, { 15, 24, RED }, { 16, 8, BLUE }, { 28, 24, BLUE } },
      2,
      0 },
    { "incomplete", incomplete, SIDE, { { 4, 4, RED }, { 4, 12, GREEN } }, 3, 0 },
    { "copied_views",
      copied_views,
      SIDE,
      { { 4, 4, GREEN }, { 4, 12, WHITE }, { 4, 20, RED }, { 28, 20, BLUE } },
      3,
      0 },
    { "part_views",
      part_views,
      SIDE,
      { { 4, 4, RED }, { 28, 4, BLUE }, { 4, 28, GREEN }, { 28, 28, GREEN } },
      3,
      0 },
    { "to_blocks", to_blocks, SIDE, { { 4, 4, RED } }, 1, 0 },
    { "to_itself",
      to_itself,
      SIDE,
      { { 4, 4, RED },
        { 19, 4, RED },
        { 20, 4, BLUE },
        { 23, 4, BLUE },
        { 20, 20, BLUE },
        { 20, 28, RED },
        { 2, 30, GREEN },
        { 6, 30, RED } },
      3,
      0 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
