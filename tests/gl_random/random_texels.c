#include "tests/gl_random/gl_random.h"

#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/helpers.h"

#define GL_ONLY RANDOM_GL
#define ES2_ONLY RANDOM_FOR(RANDOM_ES2)
#define ES (RANDOM_FOR(RANDOM_ES3) | ES2_ONLY)
#define NEW RANDOM_3
#define OLD RANDOM_OLD

// clang-format off
//    internal format, format, type, bytes, kind, APIs, rendered to, filtered, sized
static const struct random_format formats[] = {
    { GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA8, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, 4, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA8, GL_RGBA, GL_BYTE, 4, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA8, GL_RGB, GL_FLOAT, 12, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB8, GL_BGR, GL_UNSIGNED_BYTE, 3, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, RANDOM_FLOAT, NEW, true, true, true },
    { GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB5, GL_RGB, GL_UNSIGNED_BYTE, 3, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_R3_G3_B2, GL_RGB, GL_UNSIGNED_BYTE_3_3_2, 1, RANDOM_FLOAT, GL_ONLY, false, true, true },
    { GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB10, GL_RGB, GL_UNSIGNED_SHORT, 6, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA12, GL_RGBA, GL_UNSIGNED_SHORT, 8, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_R16, GL_RED, GL_UNSIGNED_SHORT, 2, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RG16, GL_RG, GL_UNSIGNED_SHORT, 4, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGBA16F, GL_RGBA, GL_FLOAT, 16, RANDOM_FLOAT, NEW, true, true, true },
    { GL_R16F, GL_RED, GL_HALF_FLOAT, 2, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RG16F, GL_RG, GL_FLOAT, 8, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB16F, GL_RGB, GL_FLOAT, 12, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, RANDOM_FLOAT, NEW, true, false, true },
    { GL_R32F, GL_RED, GL_FLOAT, 4, RANDOM_FLOAT, NEW, true, false, true },
    { GL_RG32F, GL_RG, GL_FLOAT, 8, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, 12, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGB9_E5, GL_RGB, GL_FLOAT, 12, RANDOM_FLOAT, NEW, false, true, true },
    { GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 4, RANDOM_FLOAT, NEW, false, true, true },
    { GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, 3, RANDOM_FLOAT, NEW, false, true, true },
    { GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, NEW, true, true, true },
    { GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4, RANDOM_FLOAT, NEW, false, true, true },
    { GL_R8_SNORM, GL_RED, GL_BYTE, 1, RANDOM_FLOAT, NEW, false, true, true },
    { GL_RG8_SNORM, GL_RG, GL_BYTE, 2, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA16_SNORM, GL_RGBA, GL_SHORT, 8, RANDOM_FLOAT, GL_ONLY, true, true, true },
    { GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, ES | OLD, true, true, false },
    { GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, RANDOM_FLOAT, ES, true, true, false },
    { GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2, RANDOM_FLOAT, ES, true, true, false },
    { GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 3, RANDOM_FLOAT, ES | OLD, true, true, false },
    { GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, RANDOM_FLOAT, ES, true, true, false },
    { GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, RANDOM_FLOAT, ES | OLD, false, true, false },
    { GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, 1, RANDOM_FLOAT, ES | OLD, false, true, false },
    { GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2, RANDOM_FLOAT, ES | OLD, false, true, false },
    { GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, RANDOM_FLOAT, OLD, false, true, true },
    { GL_LUMINANCE8, GL_RGBA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, OLD, false, true, true },
    { GL_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, RANDOM_FLOAT, OLD, false, true, true },
    { GL_INTENSITY8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, RANDOM_FLOAT, OLD, false, true, true },
    { GL_LUMINANCE12_ALPHA12, GL_LUMINANCE_ALPHA, GL_UNSIGNED_SHORT, 4, RANDOM_FLOAT, OLD, false, true, true },
    { GL_LUMINANCE16, GL_LUMINANCE, GL_FLOAT, 4, RANDOM_FLOAT, OLD, false, true, true },
    { GL_SLUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, RANDOM_FLOAT, OLD, false, true, true },
    { GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 4, RANDOM_INT, NEW, true, false, true },
    { GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, RANDOM_UINT, NEW, true, false, true },
    { GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, RANDOM_UINT, NEW, true, false, true },
    { GL_RG8I, GL_RG_INTEGER, GL_BYTE, 2, RANDOM_INT, NEW, true, false, true },
    { GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 8, RANDOM_INT, NEW, true, false, true },
    { GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8, RANDOM_UINT, NEW, true, false, true },
    { GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, RANDOM_INT, NEW, true, false, true },
    { GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, RANDOM_UINT, NEW, true, false, true },
    { GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, 4, RANDOM_UINT, NEW, true, false, true },
    { GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2, RANDOM_DEPTH, NEW, true, false, true },
    { GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4, RANDOM_DEPTH, NEW, true, false, true },
    { GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4, RANDOM_DEPTH, NEW, true, false, true },
    { GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4, RANDOM_DEPTH_STENCIL, NEW, true, false, true },
};
// clang-format on

const struct random_format *random_format_of(struct gl_random *r, int kind,
                                             bool rendered)
{
    for (;;) {
        const struct random_format *f = &formats[random_below(r, COUNT(formats))];
        if (random_has(r, f->apis) && (!rendered || f->rendered) &&
            (!kind || f->kind == kind))
            return f;
    }
}

const struct random_format *random_format(struct gl_random *r, bool rendered)
{
    const struct random_format *f = random_format_of(r, 0, rendered);
    // Half of the others are plain colours too.
    return f->kind == RANDOM_FLOAT || random_chance(r, 50)
               ? f
               : random_format_of(r, RANDOM_FLOAT, rendered);
}

void random_texels(struct gl_random *r, int type, unsigned bytes, uint8_t *to)
{
    unsigned at = 0;
    for (; type == GL_FLOAT && at + 4 <= bytes; at += 4)
        memcpy(to + at, &(float){ (float)random_real(r, -0.1, 1.1) }, 4);
    for (; type == GL_HALF_FLOAT && at + 2 <= bytes; at += 2)
        memcpy(to + at,
               &(uint16_t){ (uint16_t)(random_below(r, 0x3C01 - 0x3000) + 0x3000) }, 2);
    for (; at < bytes; at++)
        to[at] = (uint8_t)random_below(r, 256);
}

// ---- layout ----

struct layout {
    int alignment, row, skip_pixels, skip_rows, image, skip_images;
};

static struct layout choose(struct gl_random *r, int width, int height)
{
    struct layout l = { .alignment = PICK(1, 1, 2, 4, 8) };
    if (!random_has(r, RANDOM_3) || !random_chance(r, 25))
        return l;
    l.row = random_chance(r, 50) ? width + random_between(r, 0, 5) : 0;
    l.skip_pixels = random_between(r, 0, 3);
    l.skip_rows = random_between(r, 0, 3);
    l.image = random_chance(r, 30) ? height + random_between(r, 0, 3) : 0;
    l.skip_images = random_chance(r, 30) ? 1 : 0;
    return l;
}

static unsigned size_of(const struct layout *l, unsigned bytes, int width, int height,
                        int depth)
{
    const unsigned pixels = (unsigned)(l->row ? l->row : width) + 0u;
    const unsigned rows = (unsigned)(l->image ? l->image : height);
    const unsigned align = (unsigned)l->alignment;
    const unsigned row = (pixels * bytes + align - 1) / align * align;
    return row * (rows * (unsigned)(l->skip_images + depth) + (unsigned)l->skip_rows) +
           ((unsigned)l->skip_pixels + 1) * bytes * 2 + row;
}

unsigned random_image(struct gl_random *r, const struct random_format *format,
                      int width, int height, int depth, uint8_t *to)
{
    struct layout l = choose(r, width, height);
    unsigned size = size_of(&l, format->bytes, width, height, depth);
    if (size > RANDOM_MOST_BYTES) {
        l = (struct layout){ .alignment = 1 };
        size = size_of(&l, format->bytes, width, height, depth);
    }
    CALL("glPixelStorei", "ii", GL_UNPACK_ALIGNMENT, l.alignment);
    if (random_has(r, RANDOM_3)) {
        CALL("glPixelStorei", "ii", GL_UNPACK_ROW_LENGTH, l.row);
        CALL("glPixelStorei", "ii", GL_UNPACK_SKIP_PIXELS, l.skip_pixels);
        CALL("glPixelStorei", "ii", GL_UNPACK_SKIP_ROWS, l.skip_rows);
        CALL("glPixelStorei", "ii", GL_UNPACK_IMAGE_HEIGHT, l.image);
        CALL("glPixelStorei", "ii", GL_UNPACK_SKIP_IMAGES, l.skip_images);
    }
    random_texels(r, format->type, size, to);
    return size;
}
