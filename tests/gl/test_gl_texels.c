// Texels of clients to RGBA, RGBA to texels of images: values worked out from the
// specifications of OpenGL 1.5 (section 3.6.4), EXT_packed_float,
// EXT_texture_shared_exponent, OES_compressed_paletted_texture.
#include <math.h>

#include "compiler/gl/texture/gl_pixels.h"
#include "compiler/gl/texture/gl_texture_format.h"
#include "compiler/texels/byte_texels.h"
#include "compiler/texels/palette_texels.h"
#include "compiler/texels/stored_texels.h"
#include "tests/test.h"
#include "vm/formats.h"

// ---- one texel of the client ----

static const struct {
    const char *name;
    uint32_t format, type;
    bool swap;
    uint8_t bytes[16];
    uint8_t rgba[4];
} clients[] = {
    { "rgb", GL_RGB, GL_UNSIGNED_BYTE, false, { 1, 2, 3 }, { 1, 2, 3, 255 } },
    { "bgra", GL_BGRA, GL_UNSIGNED_BYTE, false, { 1, 2, 3, 4 }, { 3, 2, 1, 4 } },
    { "abgr", GL_ABGR_EXT, GL_UNSIGNED_BYTE, false, { 1, 2, 3, 4 }, { 4, 3, 2, 1 } },
    { "green", GL_GREEN, GL_UNSIGNED_BYTE, false, { 9 }, { 0, 9, 0, 255 } },
    { "alpha", GL_ALPHA, GL_UNSIGNED_BYTE, false, { 9 }, { 0, 0, 0, 9 } },
    { "luminance", GL_LUMINANCE, GL_UNSIGNED_BYTE, false, { 9 }, { 9, 9, 9, 255 } },
    { "luminance alpha",
      GL_LUMINANCE_ALPHA,
      GL_UNSIGNED_BYTE,
      false,
      { 9, 7 },
      { 9, 9, 9, 7 } },
    { "shorts are scaled",
      GL_RG,
      GL_UNSIGNED_SHORT,
      false,
      { 0xFF, 0xFF, 0, 0x80 },
      { 255, 128, 0, 255 } },
    { "shorts swapped",
      GL_RED,
      GL_UNSIGNED_SHORT,
      true,
      { 0x80, 0 },
      { 128, 0, 0, 255 } },
    { "negative bytes", GL_RG, GL_BYTE, false, { 0x80, 127 }, { 0, 255, 0, 255 } },
    { "integers",
      GL_RED,
      GL_INT,
      false,
      { 0xFF, 0xFF, 0xFF, 0x7F },
      { 255, 0, 0, 255 } },
    { "half of one", GL_RED, GL_HALF_FLOAT, false, { 0, 0x38 }, { 128, 0, 0, 255 } },
    { "floats are clamped",
      GL_RGB,
      GL_FLOAT,
      false,
      { 0, 0, 0, 0x40, 0, 0, 0x80, 0xBF, 0, 0, 0xC0, 0x7F }, // 2, -1, NaN
      { 255, 0, 0, 255 } },
    { "332", GL_RGB, GL_UNSIGNED_BYTE_3_3_2, false, { 0xE3 }, { 255, 0, 255, 255 } },
    { "233 reversed",
      GL_RGB,
      GL_UNSIGNED_BYTE_2_3_3_REV,
      false,
      { 0x47 },
      { 255, 0, 85, 255 } },
    { "565",
      GL_RGB,
      GL_UNSIGNED_SHORT_5_6_5,
      false,
      { 0x1F, 0x80 },
      { 132, 0, 255, 255 } },
    { "4444",
      GL_RGBA,
      GL_UNSIGNED_SHORT_4_4_4_4,
      false,
      { 0x34, 0x12 },
      { 17, 34, 51, 68 } },
    { "4444 of bgra",
      GL_BGRA,
      GL_UNSIGNED_SHORT_4_4_4_4,
      false,
      { 0x34, 0x12 },
      { 51, 34, 17, 68 } },
    { "5551 swapped",
      GL_RGBA,
      GL_UNSIGNED_SHORT_5_5_5_1,
      true,
      { 0xF8, 0x01 },
      { 255, 0, 0, 255 } },
    { "1555 reversed",
      GL_BGRA,
      GL_UNSIGNED_SHORT_1_5_5_5_REV,
      false,
      { 0, 0x7C },
      { 255, 0, 0, 0 } },
    { "8888", GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, false, { 4, 3, 2, 1 }, { 1, 2, 3, 4 } },
    { "1010102",
      GL_RGBA,
      GL_UNSIGNED_INT_10_10_10_2,
      false,
      { 2, 0, 0xC0, 0xFF },
      { 255, 0, 0, 170 } },
    { "11f 11f 10f: one, two, a half",
      GL_RGB,
      GL_UNSIGNED_INT_10F_11F_11F_REV,
      false,
      { 0xC0, 0x03, 0x20, 0x70 },
      { 255, 255, 128, 255 } },
    { "5999: 1, 1/2, 0",
      GL_RGB,
      GL_UNSIGNED_INT_5_9_9_9_REV,
      false,
      { 0x00, 0x01, 0x01, 0x80 },
      { 255, 128, 0, 255 } },
};

static void test_clients(void)
{
    for (size_t i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
        struct gv_gl_pixels p = { 0 };
        uint8_t rgba[4];
        float floats[4];
        CHECK_ROW(clients[i].name,
                  gv_gl_pixel_format(clients[i].format, clients[i].type, &p) ==
                      GL_NO_ERROR);
        p.texel.swap = clients[i].swap;
        gv_client_rgba8(&p.texel, clients[i].bytes, 1, rgba);
        CHECK_ROW(clients[i].name, memcmp(rgba, clients[i].rgba, 4) == 0);
        gv_client_rgba(&p.texel, clients[i].bytes, 1, floats);
        for (int c = 0; c < 4; c++)
            CHECK_ROW(clients[i].name,
                      gv_float_to_unorm(floats[c], 8) == clients[i].rgba[c]);
    }
}

static void test_refused(void)
{
    static const struct {
        uint32_t format, type, error;
    } rows[] = {
        { GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4, GL_INVALID_OPERATION },
        { GL_RGBA, GL_UNSIGNED_SHORT_5_6_5, GL_INVALID_OPERATION },
        { GL_BGR, GL_UNSIGNED_SHORT_5_6_5, GL_INVALID_OPERATION },
        { GL_ABGR_EXT, GL_UNSIGNED_SHORT_5_5_5_1, GL_INVALID_OPERATION },
        { GL_DEPTH_STENCIL, GL_UNSIGNED_BYTE, GL_INVALID_ENUM },
        { GL_RGBA, GL_BITMAP, GL_INVALID_ENUM },
        { GL_RGBA, 0x1234, GL_INVALID_ENUM },
        { 0x1234, GL_UNSIGNED_BYTE, GL_INVALID_ENUM },
        { GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, GL_NO_ERROR },
        { GL_COLOR_INDEX, GL_BITMAP, GL_NO_ERROR },
        { GL_ABGR_EXT, GL_UNSIGNED_SHORT_4_4_4_4, GL_NO_ERROR },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct gv_gl_pixels p;
        CHECK(gv_gl_pixel_format(rows[i].format, rows[i].type, &p) == rows[i].error);
    }
}

static void test_depth_and_indices(void)
{
    struct gv_gl_pixels p = { 0 };
    double depth[1];
    uint8_t stencil[1];
    int32_t indices[3];
    gv_gl_pixel_format(GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, &p);
    gv_client_depth_stencil(&p.texel, (const uint8_t[]){ 0x5A, 0xFF, 0xFF, 0xFF }, 1,
                            depth, stencil);
    CHECK(depth[0] == 1 && stencil[0] == 0x5A);
    gv_gl_pixel_format(GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, &p);
    gv_client_depth_stencil(&p.texel,
                            (const uint8_t[]){ 0, 0, 0, 0x3F, 7, 0xFF, 0xFF, 0xFF }, 1,
                            depth, stencil);
    CHECK(depth[0] == 0.5 && stencil[0] == 7);
    gv_gl_pixel_format(GL_COLOR_INDEX, GL_BITMAP, &p);
    gv_client_indices(&p.texel, (const uint8_t[]){ 0x01, 0x80 }, 7, 3, indices);
    CHECK(indices[0] == 1 && indices[1] == 1 && indices[2] == 0);
    p.texel.lsb_first = true;
    gv_client_indices(&p.texel, (const uint8_t[]){ 0x80, 0x01 }, 7, 3, indices);
    CHECK(indices[0] == 1 && indices[1] == 1 && indices[2] == 0);
    gv_gl_pixel_format(GL_COLOR_INDEX, GL_FLOAT, &p);
    gv_client_indices(&p.texel, (const uint8_t[]){ 0, 0, 0x20, 0xC0 }, 0, 1, indices);
    CHECK(indices[0] == -3); // of -2.5
}

// ---- one texel of an image ----

static const struct {
    const char *name;
    uint32_t internal;
    float rgba[4];
    uint8_t bytes[16];
    uint8_t size;
} images[] = {
    { "rgba", GL_RGBA, { 1, 0.5f, 0, 0.2f }, { 255, 128, 0, 51 }, 4 },
    { "rgb has alpha 1", GL_RGB, { 1, 0, 0, 0 }, { 255, 0, 0, 255 }, 4 },
    { "alpha", GL_ALPHA, { 1, 1, 1, 0.2f }, { 51 }, 1 },
    { "luminance is red", GL_LUMINANCE, { 0.2f, 1, 1, 1 }, { 51 }, 1 },
    { "luminance alpha", GL_LUMINANCE_ALPHA, { 0.2f, 1, 1, 0.4f }, { 51, 102 }, 2 },
    { "intensity is red", GL_INTENSITY, { 0.2f, 1, 1, 0.4f }, { 51 }, 1 },
    { "alpha of 16 bits", GL_ALPHA16, { 0, 0, 0, 1 }, { 0xFF, 0xFF }, 2 },
    { "565", GL_RGB565, { 1, 0, 0, 0 }, { 0, 0xF8 }, 2 },
    { "4444", GL_RGBA4, { 1, 0, 0, 0.2f }, { 0xF3, 0x00 }, 2 },
    { "5551", GL_RGB5_A1, { 0, 0, 1, 1 }, { 0x1F, 0x80 }, 2 },
    { "332 in bytes", GL_R3_G3_B2, { 0.5f, 1, 0.3f, 0 }, { 0x92, 255, 85, 255 }, 4 },
    { "1010102", GL_RGB10_A2, { 1, 0, 0, 1 }, { 0xFF, 0x03, 0, 0xC0 }, 4 },
    { "halves", GL_LUMINANCE_ALPHA16F_ARB, { 1, 0, 0, -2 }, { 0, 0x3C, 0, 0xC0 }, 4 },
    { "floats", GL_R32F, { -0.5f, 0, 0, 0 }, { 0, 0, 0, 0xBF }, 4 },
    { "11f 11f 10f",
      GL_R11F_G11F_B10F,
      { 1, 2, 0.5f, 0 },
      { 0xC0, 0x03, 0x20, 0x70 },
      4 },
    { "5999", GL_RGB9_E5, { 1, 0.5f, 0, 0 }, { 0x00, 0x01, 0x01, 0x80 }, 4 },
    { "signed", GL_RGBA8_SNORM, { 1, -1, 0, -2 }, { 127, 0x81, 0, 0x81 }, 4 },
};

static const struct {
    const char *name;
    uint32_t internal, format, type;
    uint8_t from[16], to[16], size;
} integers[] = {
    { "bytes",
      GL_RGBA8UI,
      GL_RGBA_INTEGER,
      GL_UNSIGNED_BYTE,
      { 1, 2, 3, 255 },
      { 1, 2, 3, 255 },
      4 },
    { "no alpha is 1",
      GL_RGBA8I,
      GL_RGB_INTEGER,
      GL_BYTE,
      { 0x80, 2, 0x7F },
      { 0x80, 2, 0x7F, 1 },
      4 },
    { "the other way round",
      GL_RGBA8UI,
      GL_BGRA_INTEGER,
      GL_UNSIGNED_BYTE,
      { 1, 2, 3, 4 },
      { 3, 2, 1, 4 },
      4 },
    { "less than it has",
      GL_R8I,
      GL_RED_INTEGER,
      GL_INT,
      { 0, 0, 0, 0x80 },
      { 0x80 },
      1 },
    { "more than it has",
      GL_R8UI,
      GL_RED_INTEGER,
      GL_UNSIGNED_SHORT,
      { 0, 1 },
      { 255 },
      1 },
    { "no sign", GL_R16UI, GL_RED_INTEGER, GL_SHORT, { 0xFF, 0xFF }, { 0, 0 }, 2 },
    { "rgb has alpha 1",
      GL_RGB16UI,
      GL_RGBA_INTEGER,
      GL_UNSIGNED_BYTE,
      { 1, 2, 3, 4 },
      { 1, 0, 2, 0, 3, 0, 1, 0 },
      8 },
    { "1010102",
      GL_RGB10_A2UI,
      GL_RGBA_INTEGER,
      GL_UNSIGNED_INT_2_10_10_10_REV,
      { 0xFF, 0x03, 0, 0xC0 },
      { 0xFF, 0x03, 0, 0xC0 },
      4 },
    { "luminance is red",
      GL_LUMINANCE8UI_EXT,
      GL_LUMINANCE_INTEGER_EXT,
      GL_UNSIGNED_BYTE,
      { 7 },
      { 7 },
      1 },
};

// Integers are kept as they are, or as the nearest that there is.
static void test_integers(void)
{
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        const struct gv_gl_texture_format *f =
            gv_gl_texture_format(integers[i].internal);
        struct gv_gl_pixels p = { 0 };
        struct gv_stored_texel s;
        int64_t rgba[4];
        uint8_t out[16];
        CHECK_ROW(integers[i].name,
                  f && !gv_gl_pixel_format(integers[i].format, integers[i].type, &p) &&
                      p.kind == GV_GL_PIXELS_INTEGER &&
                      gv_stored_layout(f->format, f->layout.stored, f->kept, &s) &&
                      s.bytes == integers[i].size);
        gv_client_integers(&p.texel, integers[i].from, 1, rgba);
        gv_store_integers(&s, rgba, 1, out);
        CHECK_ROW(integers[i].name, !memcmp(out, integers[i].to, integers[i].size));
    }
    struct gv_gl_pixels p = { 0 };
    CHECK(gv_gl_pixel_format(GL_RGBA_INTEGER, GL_FLOAT, &p) == GL_INVALID_OPERATION);
}

static void test_images(void)
{
    for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
        const struct gv_gl_texture_format *f = gv_gl_texture_format(images[i].internal);
        struct gv_stored_texel s;
        uint8_t out[16];
        CHECK_ROW(images[i].name,
                  f && gv_stored_layout(f->format, f->layout.stored, f->kept, &s));
        CHECK_ROW(images[i].name, s.bytes == images[i].size);
        gv_store_rgba(&s, images[i].rgba, 1, out);
        CHECK_ROW(images[i].name, memcmp(out, images[i].bytes, s.bytes) == 0);
        if (!s.bytewise)
            continue;
        uint8_t rgba[4], again[16];
        for (int c = 0; c < 4; c++)
            rgba[c] = (uint8_t)gv_float_to_unorm(images[i].rgba[c], 8);
        gv_store_rgba8(&s, rgba, 1, again);
        CHECK_ROW(images[i].name, memcmp(again, out, s.bytes) == 0);
    }
}

// In one step as by way of floats.
static void test_whole_bytes(void)
{
    static const uint32_t given[] = {
        GL_RGBA, GL_RGB, GL_LUMINANCE, GL_BGRA, GL_LUMINANCE_ALPHA, GL_RED, GL_ALPHA
    };
    static const uint32_t internals[] = {
        GL_RGBA8, GL_RGB8, GL_R8, GL_INTENSITY8, GL_ALPHA8, GL_RG8, GL_LUMINANCE8_ALPHA8
    };
    static const uint8_t bytes[8] = { 1, 50, 100, 150, 200, 250, 7, 90 };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        for (size_t k = 0; k < sizeof internals / sizeof *internals; k++) {
            const struct gv_gl_texture_format *f = gv_gl_texture_format(internals[k]);
            struct gv_gl_pixels p = { 0 };
            struct gv_stored_texel s;
            struct gv_texel_bytes first, second;
            float rgba[8];
            uint8_t wanted[8], made[8];
            CHECK(f && !gv_gl_pixel_format(given[i], GL_UNSIGNED_BYTE, &p) &&
                  gv_stored_layout(f->format, f->layout.stored, f->kept, &s) &&
                  gv_client_bytes(&p.texel, &first) && gv_stored_bytes(&s, &second));
            gv_client_rgba(&p.texel, bytes, 2, rgba);
            gv_store_rgba(&s, rgba, 2, wanted);
            const struct gv_texel_bytes both = gv_texel_bytes_through(&first, &second);
            gv_texel_bytes_make(&both, bytes, p.texel.bytes, 2, made);
            CHECK(memcmp(made, wanted, (size_t)2 * s.bytes) == 0);
        }
}

static void test_every_format(void)
{
    static const uint32_t compressed[] = { GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
                                           GL_COMPRESSED_RGBA_BPTC_UNORM };
    static const uint32_t unknown[] = { 0, 5, GL_COLOR_INDEX, 0x7FFFFFFF };
    for (size_t i = 0; i < sizeof(compressed) / sizeof(compressed[0]); i++) {
        const struct gv_gl_texture_format *f = gv_gl_texture_format(compressed[i]);
        struct gv_stored_texel s;
        CHECK(f && !gv_stored_layout(f->format, f->layout.stored, f->kept, &s));
    }
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        CHECK(!gv_gl_texture_format(unknown[i]));
}

// What an unsized internal format keeps follows from the pixels.
static void test_sizes_from_pixels(void)
{
    static const struct {
        uint32_t internal, format, type;
        bool es;
        uint32_t stored;
    } rows[] = {
        { GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, false, GV_FORMAT_R8G8B8A8_UNORM },
        { GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, false,
          GV_FORMAT_R5G6B5_UNORM_PACK16 },
        { GL_RGB8, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, false, GV_FORMAT_R8G8B8A8_UNORM },
        { GL_RGBA, GL_BGRA, GL_UNSIGNED_SHORT_4_4_4_4, false,
          GV_FORMAT_B4G4R4A4_UNORM_PACK16 },
        { GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT, false, GV_FORMAT_R16G16B16A16_UNORM },
        { GL_RGBA, GL_BGRA, GL_UNSIGNED_SHORT, false, GV_FORMAT_R8G8B8A8_UNORM },
        { GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_SHORT, false, GV_FORMAT_R16_UNORM },
        { GL_RED, GL_RED, GL_UNSIGNED_SHORT, false, GV_FORMAT_R16_UNORM },
        { GL_RG, GL_RG, GL_UNSIGNED_SHORT, false, GV_FORMAT_R16G16_UNORM },
        { GL_RGB, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, false,
          GV_FORMAT_A1R5G5B5_UNORM_PACK16 },
        { GL_RGB, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, false,
          GV_FORMAT_A2B10G10R10_UNORM_PACK32 },
        { GL_RGBA, GL_RGBA, GL_FLOAT, false, GV_FORMAT_R8G8B8A8_UNORM },
        { GL_RGBA, GL_RGBA, GL_FLOAT, true, GV_FORMAT_R32G32B32A32_SFLOAT },
        { GL_ALPHA, GL_ALPHA, GV_GL_HALF_FLOAT_OES, true, GV_FORMAT_R16_SFLOAT },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct gv_gl_pixels p = { .format = rows[i].format,
                                        .type = rows[i].type };
        const struct gv_gl_texture_format *f =
            gv_gl_texture_format_for(rows[i].internal, &p, rows[i].es, true);
        CHECK(f && f->format == rows[i].stored);
    }
    // What has no format of its own keeps fewer bits of another.
    const struct gv_gl_pixels bytes = { .format = GL_RGB,
                                        .type = GL_UNSIGNED_BYTE_3_3_2 };
    CHECK(gv_gl_texture_format_for(GL_COMPRESSED_RGB, &bytes, false, true) ==
          gv_gl_texture_format(GL_COMPRESSED_RGB_S3TC_DXT1_EXT));
    CHECK(gv_gl_texture_format_for(GL_COMPRESSED_RGB, &bytes, false, false) ==
          gv_gl_texture_format(GL_COMPRESSED_RGB));
    CHECK(gv_gl_texture_format_for(GL_RGB, &bytes, false, true) ==
          gv_gl_texture_format(GL_R3_G3_B2));
}

// ---- numbers ----

static void test_numbers(void)
{
    CHECK(gv_unorm_to_unorm(31, 5, 8) == 255 && gv_unorm_to_unorm(16, 5, 8) == 132);
    CHECK(gv_unorm_to_unorm(128, 8, 5) == 16 && gv_unorm_to_unorm(255, 8, 1) == 1);
    CHECK(gv_unorm_to_unorm(0xFFFFFFFF, 32, 8) == 255);
    CHECK(gv_unorm_to_unorm(1, 1, 32) == 0xFFFFFFFF);
    CHECK(gv_float_to_unorm(NAN, 8) == 0 && gv_float_to_unorm(INFINITY, 8) == 255);
    CHECK(gv_float_to_half(1) == 0x3C00 && gv_float_to_half(-0.0f) == 0x8000);
    CHECK(gv_float_to_half(65520) == 0x7C00 && gv_float_to_half(65519) == 0x7BFF);
    CHECK(gv_float_to_half(0x1p-24f) == 1 && gv_float_to_half(0x1p-26f) == 0);
    CHECK((gv_float_to_half(NAN) & 0x7FFF) > 0x7C00);
    for (uint32_t h = 0; h < 0x10000; h++)
        if ((h & 0x7FFF) <= 0x7C00) // numbers
            CHECK(gv_float_to_half(gv_half_to_float((uint16_t)h)) == h);
}

// ---- palettes ----

static void test_palettes(void)
{
    uint8_t bytes[16 * 3 + 2] = { 10, 20, 30, 40, 50, 60, [48] = 0x01, 0x10 };
    uint8_t rgba[12];
    struct gv_palette_texels p;
    CHECK(gv_palette_open(0, bytes, sizeof(bytes), &p));
    CHECK(gv_palette_fits(&p, 3) && gv_palette_fits(&p, 4) && !gv_palette_fits(&p, 5));
    gv_palette_decode(&p, 3, rgba);
    CHECK(memcmp(rgba,
                 (const uint8_t[]){ 10, 20, 30, 255, 40, 50, 60, 255, 40, 50, 60, 255 },
                 12) == 0);
    CHECK(!gv_palette_fits(&p, 1)); // levels begin at bytes
    CHECK(!gv_palette_open(0, bytes, 47, &p) && !gv_palette_open(10, bytes, 50, &p));
    CHECK(!gv_palette_has_alpha(0) && gv_palette_has_alpha(6) &&
          !gv_palette_has_alpha(7));
}

int main(void)
{
    test_clients();
    test_refused();
    test_depth_and_indices();
    test_images();
    test_integers();
    test_whole_bytes();
    test_every_format();
    test_sizes_from_pixels();
    test_numbers();
    test_palettes();
    return TEST_RESULT();
}
