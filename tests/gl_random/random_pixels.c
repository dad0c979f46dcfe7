#include "tests/gl_random/gl_random.h"

#include "compiler/gl/base/gl_enums.h"

// ---- pixels of OpenGL 1 ----

static bool plain(const struct gl_random *r)
{
    const struct random_target *t = &r->targets[r->draw];
    return t->colors == 1 && t->formats[0]->kind == RANDOM_FLOAT;
}

static void raster(struct gl_random *r)
{
    const struct random_target *t = &r->targets[r->draw];
    CALL("glWindowPos2i", "ii", random_between(r, 0, t->width - 1),
         random_between(r, 0, t->height - 1));
    CALL("glPixelZoom", "ff", random_chance(r, 70) ? 1.0 : random_real(r, -2, 3),
         random_chance(r, 70) ? 1.0 : random_real(r, -2, 3));
}

static void without_program(struct gl_random *r)
{
    static const int targets[] = { GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D,
                                   GL_TEXTURE_CUBE_MAP, GL_TEXTURE_RECTANGLE };
    CALL("glUseProgram", "i", 0);
    r->using = 0;
    for (int unit = RANDOM_UNITS - 1; unit >= 0; unit--) {
        CALL("glActiveTexture", "i", GL_TEXTURE0 + unit);
        for (unsigned i = 0; i < COUNT(targets); i++)
            CALL("glDisable", "i", targets[i]);
    }
}

static void draw(struct gl_random *r)
{
    static uint8_t bytes[RANDOM_MOST_BYTES];
    static const struct random_format formats[] = {
        { 0, GL_RGBA, GL_UNSIGNED_BYTE, 4, 0, 0, false, false, false },
        { 0, GL_RGB, GL_UNSIGNED_BYTE, 3, 0, 0, false, false, false },
        { 0, GL_BGRA, GL_UNSIGNED_BYTE, 4, 0, 0, false, false, false },
        { 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, 0, 0, false, false, false },
        { 0, GL_RGBA, GL_FLOAT, 16, 0, 0, false, false, false },
        { 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, 0, 0, false, false, false },
        { 0, GL_RED, GL_UNSIGNED_SHORT, 2, 0, 0, false, false, false },
        { 0, GL_DEPTH_COMPONENT, GL_FLOAT, 4, 0, 0, false, false, false },
        { 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1, 0, 0, false, false, false },
    };
    const struct random_format *f = &formats[random_below(r, COUNT(formats))];
    const struct random_target *t = &r->targets[r->draw];
    if (!plain(r) || (f->format == GL_DEPTH_COMPONENT && !t->depth) ||
        (f->format == GL_STENCIL_INDEX && !t->stencil))
        return;
    without_program(r);
    raster(r);
    if (f->format == GL_RGBA && f->type == GL_FLOAT)
        CALL("glDisable", "i", GL_FOG); // llvmpipe clamps behind it
    const int w = random_between(r, 1, 20), h = random_between(r, 1, 20);
    const unsigned size = random_image(r, f, w, h, 1, bytes);
    CALL("glDrawPixels", "iiiib", w, h, f->format, f->type, size, bytes);
}

static void bitmap(struct gl_random *r)
{
    uint8_t bytes[4 * 32];
    if (!plain(r))
        return;
    without_program(r);
    raster(r);
    random_texels(r, GL_UNSIGNED_BYTE, sizeof bytes, bytes);
    static const int zeros[] = { GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_PIXELS,
                                 GL_UNPACK_SKIP_ROWS };
    for (unsigned i = 0; i < COUNT(zeros); i++)
        CALL("glPixelStorei", "ii", zeros[i], 0);
    CALL("glPixelStorei", "ii", GL_UNPACK_ALIGNMENT, 4);
    CALL("glBitmap", "iiffffb", random_between(r, 1, 32), random_between(r, 1, 32), 0.0,
         0.0, (double)random_between(r, 0, 9), 0.0, (unsigned)sizeof bytes, bytes);
}

static void copy(struct gl_random *r)
{
    const struct random_target *from = &r->targets[r->read];
    if (!plain(r) || from->samples || r->targets[r->draw].samples || !from->colors ||
        from->formats[0]->kind != RANDOM_FLOAT)
        return;
    without_program(r);
    raster(r);
    const int x = random_between(r, 0, from->width / 2),
              y = random_between(r, 0, from->height / 2);
    CALL("glCopyPixels", "iiiii", x, y, random_between(r, 1, from->width - x),
         random_between(r, 1, from->height - y), GL_COLOR);
}

static void read(struct gl_random *r)
{
    CALL("glReadPixels", "iiiiiip", 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE,
         UINT64_C(0x7000));
}

// Mesa maps red and green alone.
static void transfer(struct gl_random *r)
{
    const bool plainly = random_chance(r, 50);
    CALL("glPixelTransferf", "if", GL_RED_SCALE,
         plainly ? 1.0 : random_real(r, 0.5, 2));
    CALL("glPixelTransferf", "if", GL_GREEN_BIAS,
         plainly ? 0.0 : random_real(r, -0.3, 0.3));
    static const float map[] = { 1, 0.75f, 0.5f, 0 };
    CALL("glPixelMapfv", "iiv", GL_PIXEL_MAP_B_TO_B, 4, 4u, map);
    CALL("glPixelTransferi", "ii", GL_MAP_COLOR,
         plainly || !r->wild ? 0 : random_chance(r, 30));
    if (plainly)
        return;
    draw(r);
    CALL("glPixelTransferf", "if", GL_RED_SCALE, 1.0);
    CALL("glPixelTransferf", "if", GL_GREEN_BIAS, 0.0);
    CALL("glPixelTransferi", "ii", GL_MAP_COLOR, 0);
}

void random_pixel_deed(struct gl_random *r)
{
    static const struct random_deed deeds[] = {
        { draw, 6, RANDOM_OLD }, { bitmap, 3, RANDOM_OLD },   { copy, 5, RANDOM_OLD },
        { read, 1, RANDOM_OLD }, { transfer, 2, RANDOM_OLD },
    };
    random_do(r, deeds, COUNT(deeds));
}

// ---- queries ----

void random_end_query(struct gl_random *r)
{
    if (r->counting)
        CALL("glEndQuery", "i", GL_ANY_SAMPLES_PASSED);
    r->counting = false;
}

static void ask(struct gl_random *r)
{
    if (r->counting)
        return;
    const int name = random_name(r);
    CALL("glGenQueries", "ia", 1, 1u, &name);
    CALL("glBeginQuery", "ii", GL_ANY_SAMPLES_PASSED, name);
    r->counting = true;
    random_draw_deed(r);
    random_end_query(r);
    if (!random_has(r, RANDOM_GL)) {
        CALL("glGetQueryObjectuiv", "iia", name, GL_QUERY_RESULT, 1u, &(int){ 1 });
        return;
    }
    CALL("glBeginConditionalRender", "ii", name, GL_QUERY_WAIT);
    random_draw_deed(r);
    CALL("glEndConditionalRender", "");
}

static void wait(struct gl_random *r)
{
    CALL("glFenceSync", "ii=p", GL_SYNC_GPU_COMMANDS_COMPLETE, 0, UINT64_C(0x8000));
    CALL("glFlush", "");
    CALL("glDeleteSync", "p", UINT64_C(0x8000));
}

void random_query_deed(struct gl_random *r)
{
    static const struct random_deed deeds[] = { { ask, 3, RANDOM_3 },
                                                { wait, 1, RANDOM_3 } };
    random_do(r, deeds, COUNT(deeds));
}

// ---- what GL answers with errors ----

void random_error_deed(struct gl_random *r)
{
    switch (random_below(r, 6)) {
    case 0:
        CALL("glEnable", "i", 0x1234);
        break;
    case 1:
        CALL("glViewport", "iiii", 0, 0, -1, 5);
        break;
    case 2:
        CALL("glBlendFunc", "ii", GL_LINEAR, GL_ONE);
        break;
    case 3:
        CALL("glDrawArrays", "iii", 99, 0, 3);
        break;
    case 4:
        CALL("glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_ADD);
        break;
    default:
        CALL("glDepthFunc", "i", GL_ADD);
    }
    CALL("glGetError", "=i", GL_INVALID_ENUM);
}
