// Pictures read from files: PNGs that libpng wrote in every form, PNMs by hand, and
// what is refused, with the byte.
#include "tools/verdict/pixels.h"

#include <png.h>

#include "tests/test.h"
#include "tools/base/deflate.h"

static uint32_t state = 1;

static uint32_t next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

// ---- PNG ----

static const struct {
    const char *name;
    int color, bits, interlace;
} forms[] = {
    { "grey 1", PNG_COLOR_TYPE_GRAY, 1, 0 },
    { "grey 2", PNG_COLOR_TYPE_GRAY, 2, 1 },
    { "grey 4", PNG_COLOR_TYPE_GRAY, 4, 0 },
    { "grey 8", PNG_COLOR_TYPE_GRAY, 8, 1 },
    { "rgb", PNG_COLOR_TYPE_RGB, 8, 0 },
    { "rgb interlaced", PNG_COLOR_TYPE_RGB, 8, 1 },
    { "palette 1", PNG_COLOR_TYPE_PALETTE, 1, 1 },
    { "palette 2", PNG_COLOR_TYPE_PALETTE, 2, 0 },
    { "palette 4", PNG_COLOR_TYPE_PALETTE, 4, 1 },
    { "palette 8", PNG_COLOR_TYPE_PALETTE, 8, 0 },
    { "grey alpha", PNG_COLOR_TYPE_GRAY_ALPHA, 8, 1 },
    { "rgba", PNG_COLOR_TYPE_RGBA, 8, 0 },
    { "rgba interlaced", PNG_COLOR_TYPE_RGBA, 8, 1 },
};

static void append(png_structp png, png_bytep data, png_size_t size)
{
    gv_bytes_put(png_get_io_ptr(png), data, size);
}

static void flush(png_structp png)
{
    (void)png;
}

// A PNG of random bits, with transparency where its form has none of its own.
static void write_png(struct gv_bytes *out, size_t form, uint32_t width,
                      uint32_t height)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_color palette[256];
    png_byte alphas[256], row[4 * 64];
    const png_color_16 key = { .red = 1, .green = 2, .blue = 3, .gray = 1 };
    png_set_write_fn(png, out, append, flush);
    png_set_filter(png, 0, PNG_ALL_FILTERS);
    png_set_IHDR(png, info, width, height, forms[form].bits, forms[form].color,
                 forms[form].interlace, 0, 0);
    for (int i = 0; i < 256; i++) {
        palette[i] = (png_color){ (png_byte)next_random(), (png_byte)next_random(),
                                  (png_byte)next_random() };
        alphas[i] = (png_byte)next_random();
    }
    const int colors = 1 << forms[form].bits;
    if (forms[form].color == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, colors);
        png_set_tRNS(png, info, alphas, colors / 2, NULL);
    } else if (!(forms[form].color & PNG_COLOR_MASK_ALPHA)) {
        png_set_tRNS(png, info, NULL, 0, &key);
    }
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        state = 77;
        for (uint32_t y = 0; y < height; y++) {
            for (size_t i = 0; i < sizeof row; i++)
                row[i] = (png_byte)(next_random() & 0x83);
            png_write_row(png, row);
        }
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

// What libpng makes of it.
static bool read_by_libpng(const struct gv_bytes *file, uint8_t *rgba)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_memory(&image, file->data, file->size))
        return false;
    image.format = PNG_FORMAT_RGBA;
    return png_image_finish_read(&image, NULL, rgba, 0, NULL);
}

static void check_png(size_t form, uint32_t width, uint32_t height)
{
    static uint8_t wanted[64 * 64 * 4];
    struct gv_bytes file = { 0 };
    struct gv_pixels pixels = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const char *name = forms[form].name;
    write_png(&file, form, width, height);
    CHECK_ROW(name, read_by_libpng(&file, wanted));
    const struct gv_span span = { file.data, file.size };
    CHECK_ROW(name, gv_pixels_read(&pixels, span, &err));
    CHECK_ROW(err.message,
              pixels.width == width && pixels.height == height &&
                  memcmp(pixels.rgba, wanted, (size_t)4 * width * height) == 0);
    gv_pixels_finish(&pixels);
    // Cut anywhere, or with any byte changed, it is an error, as checksums say.
    for (size_t at = 0; at < file.size; at += 1 + at / 16) {
        CHECK_ROW(name,
                  !gv_pixels_read(&pixels, (struct gv_span){ file.data, at }, NULL));
        if (at < 8)
            continue;
        file.data[at] ^= 0x20;
        CHECK_ROW(name, !gv_pixels_read(&pixels, span, NULL) && !pixels.rgba);
        file.data[at] ^= 0x20;
    }
    gv_bytes_finish(&file);
}

// ---- PNGs by hand ----

static void put_high_first(struct gv_bytes *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        gv_bytes_u8(out, (uint8_t)(value >> shift));
}

static void put_chunk(struct gv_bytes *out, const char *name, const void *data,
                      size_t size)
{
    put_high_first(out, (uint32_t)size);
    const size_t at = out->size;
    gv_bytes_put(out, name, 4);
    gv_bytes_put(out, data, size);
    put_high_first(out, gv_deflate_crc32(out->data + at, size + 4));
}

static void begin_png(struct gv_bytes *out, uint32_t width, uint32_t height,
                      uint8_t bits, uint8_t color)
{
    struct gv_bytes head = { 0 };
    gv_bytes_put(out, "\x89PNG\r\n\x1a\n", 8);
    put_high_first(&head, width);
    put_high_first(&head, height);
    gv_bytes_u8(&head, bits);
    gv_bytes_u8(&head, color);
    gv_bytes_put(&head, "\0\0\0", 3);
    put_chunk(out, "IHDR", head.data, head.size);
    gv_bytes_finish(&head);
}

static void put_stream(struct gv_bytes *out, const void *data, size_t size)
{
    struct gv_bytes stream = { 0 };
    struct gv_deflate *d = gv_deflate_create();
    CHECK(d && gv_deflate(d, data, size, &stream));
    gv_deflate_destroy(d);
    put_chunk(out, "IDAT", stream.data, stream.size);
    gv_bytes_finish(&stream);
}

static const struct {
    const char *name;
    uint32_t width, height;
    uint8_t bits, color;
    const char *rows; // of the stream
    size_t size;
    const char *chunk; // in front of it, or NULL
    const char *says;
    enum gv_status status;
    uint64_t offset;
} refused[] = {
    { "huge", 60000, 60000, 8, 2, "\0", 1, NULL, "chunk IDAT: too short", GV_ERR_FORMAT,
      33 },
    { "wide", 40000, 1, 1, 0, "\0", 1, NULL, "40000x1 is too large", GV_ERR_LIMIT, 8 },
    { "none", 0, 1, 8, 2, "\0", 1, NULL, "a picture of 0x1", GV_ERR_FORMAT, 8 },
    { "short", 2, 1, 8, 2, "\0abc", 4, NULL, "no zlib stream of the picture's size",
      GV_ERR_FORMAT, 33 },
    { "long", 1, 1, 8, 2, "\0abcd", 5, NULL, "no zlib stream of the picture's size",
      GV_ERR_FORMAT, 33 },
    { "filter", 1, 1, 8, 2, "\5abc", 4, NULL, "a row of unknown filter", GV_ERR_FORMAT,
      33 },
    { "deep", 1, 1, 16, 2, "\0abcdef", 7, NULL, "PNG of 16 bits a sample",
      GV_ERR_UNSUPPORTED, 8 },
    { "odd depth", 1, 1, 4, 2, "\0ab", 3, NULL, "chunk IHDR: no such colour type",
      GV_ERR_FORMAT, 8 },
    { "palette missing", 1, 1, 8, 3, "\0\0", 2, NULL, "there was no PLTE",
      GV_ERR_FORMAT, GV_NO_OFFSET },
    { "unknown", 1, 1, 8, 2, "\0abc", 4, "ABCD", "chunk ABCD: it matters",
      GV_ERR_FORMAT, 33 },
    { "no name", 1, 1, 8, 2, "\0abc", 4, "A CD", "the name of a chunk", GV_ERR_FORMAT,
      37 },
    { "second head", 1, 1, 8, 2, "\0abc", 4, "IHDR", "chunk IHDR: there are two",
      GV_ERR_FORMAT, 33 },
    { "ended", 1, 1, 8, 2, "\0abc", 4, "IEND", "there was no IDAT", GV_ERR_FORMAT, 33 },
    { "known by none", 1, 1, 8, 2, "\0abc", 4, "abCD", NULL, GV_OK, 0 },
};

static void check_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_bytes file = { 0 };
        struct gv_pixels pixels;
        struct gv_error err = GV_ERROR_INIT;
        begin_png(&file, refused[i].width, refused[i].height, refused[i].bits,
                  refused[i].color);
        if (refused[i].chunk)
            put_chunk(&file, refused[i].chunk, "", 0);
        put_stream(&file, refused[i].rows, refused[i].size);
        put_chunk(&file, "IEND", "", 0);
        const bool ok =
            gv_pixels_read(&pixels, (struct gv_span){ file.data, file.size }, &err);
        CHECK_ROW(refused[i].name, ok == (refused[i].status == GV_OK));
        CHECK_ROW(refused[i].name, err.status == refused[i].status);
        CHECK_ROW(err.message, ok || strstr(err.message, refused[i].says));
        CHECK_ROW(refused[i].name, ok || refused[i].offset == GV_NO_OFFSET ||
                                       err.offset == refused[i].offset);
        gv_pixels_finish(&pixels);
        gv_bytes_finish(&file);
    }
}

// ---- PNM ----

static const struct {
    const char *name, *file;
    size_t size;
    enum gv_status status;
    const char *says; // of the error; or the pixels, eight digits each
} pnm[] = {
#define FILE_OF(text) text, sizeof text - 1
    { "ppm", FILE_OF("P6\n2 1\n255\n\1\2\3\4\5\6"), GV_OK, "010203ff040506ff" },
    { "ppm with a comment", FILE_OF("P6 # a\n# b\n1 1 255\nabc"), GV_OK, "616263ff" },
    { "scaled", FILE_OF("P6\n1 1\n15\n\17\0\1"), GV_OK, "ff0011ff" },
    { "grey", FILE_OF("P5\n2 1\n255\nab"), GV_OK, "616161ff626262ff" },
    { "bits", FILE_OF("P4\n10 1\n\x80\x40"), GV_OK,
      "000000ff"
      "ffffffff"
      "ffffffff"
      "ffffffff"
      "ffffffff"
      "ffffffff"
      "ffffffff"
      "ffffffff"
      "ffffffff"
      "000000ff" },
    { "text", FILE_OF("P3\n1 2\n9\n9 0 3\n# x\n1 2 9\n"), GV_OK, "ff0055ff1c39ffff" },
    { "text bits", FILE_OF("P1\n3 1\n101"), GV_OK, "000000ffffffffff000000ff" },
    { "text grey", FILE_OF("P2\n1 1\n2\n1"), GV_OK, "808080ff" },
    { "pam",
      FILE_OF("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE "
              "RGB_ALPHA\nENDHDR\nabcd"),
      GV_OK, "61626364" },
    { "pam grey", FILE_OF("P7 WIDTH 1 HEIGHT 2 DEPTH 2 MAXVAL 255 ENDHDR\nabcd"), GV_OK,
      "6161616263636364" },
    { "cut", FILE_OF("P6\n2 1\n255\nabcde"), GV_ERR_FORMAT, "ends early" },
    { "cut text", FILE_OF("P3\n1 1\n255\n1 2"), GV_ERR_FORMAT, "no number" },
    { "cut head", FILE_OF("P6\n2"), GV_ERR_FORMAT, "no number" },
    { "deep", FILE_OF("P6\n1 1\n65535\nabcdef"), GV_ERR_UNSUPPORTED, "65535" },
    { "none", FILE_OF("P6\n0 1\n255\n"), GV_ERR_FORMAT, "0x1" },
    { "huge", FILE_OF("P6\n30000 30000\n255\nabc"), GV_ERR_FORMAT, "ends early" },
    { "wide", FILE_OF("P6\n99999 1\n255\nabc"), GV_ERR_LIMIT, "too large" },
    { "number", FILE_OF("P6\n99999999999999999999 1\n255\n"), GV_ERR_FORMAT, "large" },
    { "above", FILE_OF("P5\n1 1\n9\n\x0a"), GV_ERR_FORMAT, "above the largest" },
    { "text above", FILE_OF("P2\n1 1\n9\n10"), GV_ERR_FORMAT, "above the largest" },
    { "bit", FILE_OF("P1\n1 1\n2"), GV_ERR_FORMAT, "neither 0 nor 1" },
    { "pam depth", FILE_OF("P7 WIDTH 1 HEIGHT 1 DEPTH 5 MAXVAL 1 ENDHDR\nabcde"),
      GV_ERR_FORMAT, "DEPTH" },
    { "pam line", FILE_OF("P7 WIDTH 1 COLOR 1 ENDHDR\n"), GV_ERR_FORMAT, "a line" },
    { "pam without end", FILE_OF("P7 WIDTH 1 HEIGHT 1"), GV_ERR_FORMAT, "no end" },
    { "zero", FILE_OF("P5\n1 1\n0\na"), GV_ERR_FORMAT, "the largest value is 0" },
    { "other", FILE_OF("P8\n1 1\n"), GV_ERR_FORMAT, "no picture" },
    { "empty", FILE_OF(""), GV_ERR_FORMAT, "no picture" },
};

static void check_pnm(void)
{
    for (size_t i = 0; i < sizeof pnm / sizeof *pnm; i++) {
        struct gv_pixels pixels;
        struct gv_error err = GV_ERROR_INIT;
        char had[200] = "";
        const bool ok =
            gv_pixels_read(&pixels, (struct gv_span){ pnm[i].file, pnm[i].size }, &err);
        CHECK_ROW(pnm[i].name, err.status == pnm[i].status);
        CHECK_ROW(err.message, ok || strstr(err.message, pnm[i].says));
        for (uint32_t at = 0; ok && at < 4 * pixels.width * pixels.height; at++)
            snprintf(had + (size_t)2 * at, 3, "%02x", pixels.rgba[at]);
        CHECK_ROW(pnm[i].name, !ok || strcmp(had, pnm[i].says) == 0);
        gv_pixels_finish(&pixels);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        check_png(i, 33, 19);
        check_png(i, 1, 1);
        check_png(i, 4, 5); // of which some passes are empty
    }
    check_refused();
    check_pnm();
    CHECK(gv_pixels_named("a/b.PNG") && gv_pixels_named("x.pam"));
    CHECK(!gv_pixels_named("png") && !gv_pixels_named("a.png/b"));
    return TEST_RESULT();
}
