#define _DEFAULT_SOURCE // strcasecmp
#include "tools/picture/picture_file.h"

#include <string.h>
#include <strings.h>

static const char *const format_names[] = { "png", "ppm", "raw" };

bool gv_picture_format_find(const char *name, enum gv_picture_format *format)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, format_names[i]) != 0)
            continue;
        *format = (enum gv_picture_format)i;
        return true;
    }
    return false;
}

bool gv_picture_format_of_path(const char *path, enum gv_picture_format *format)
{
    const char *end = strrchr(path, '.');
    for (int i = 0; end && i < 2; i++) { // raw bytes are no picture by name
        if (strcasecmp(end + 1, format_names[i]) != 0)
            continue;
        *format = (enum gv_picture_format)i;
        return true;
    }
    return false;
}

const char *gv_picture_format_name(enum gv_picture_format format)
{
    return format_names[format];
}

void gv_picture_encoder_finish(struct gv_picture_encoder *e)
{
    gv_deflate_destroy(e->deflate);
    gv_bytes_finish(&e->rows);
    gv_bytes_finish(&e->bytes);
    e->deflate = NULL;
}

static void clear(struct gv_bytes *bytes)
{
    if (bytes->failed)
        gv_bytes_finish(bytes);
    bytes->size = 0;
}

// ---- PNG ----

#define CHUNK_MAX 0x7fffffffu // bytes
#define COLOR_RGB 2
#define COLOR_RGBA 6

static void store_high_first(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_high_first(struct gv_bytes *out, uint32_t value)
{
    uint8_t *to = gv_bytes_grow(out, 4);
    if (to)
        store_high_first(to, value);
}

// Returns where the chunk begins, for end_chunk.
static size_t begin_chunk(struct gv_bytes *out, const char *name)
{
    size_t at = out->size;
    put_high_first(out, 0);
    gv_bytes_put(out, name, 4);
    return at;
}

static void end_chunk(struct gv_bytes *out, size_t at)
{
    if (out->failed)
        return;
    uint8_t *chunk = out->data + at;
    size_t size = out->size - at - 8;
    store_high_first(chunk, (uint32_t)size);
    put_high_first(out, gv_deflate_crc32(chunk + 4, size + 4));
}

// Texels without their alpha.
static void drop_alpha(uint8_t *rgb, const uint8_t *rgba, size_t texels)
{
    for (size_t i = 0; i < texels; i++, rgb += 3, rgba += 4) {
        rgb[0] = rgba[0];
        rgb[1] = rgba[1];
        rgb[2] = rgba[2];
    }
}

static bool is_opaque(const uint8_t *rgba, size_t texels)
{
    uint8_t alpha = 0xff;
    for (size_t i = 0; i < texels; i++)
        alpha &= rgba[4 * i + 3];
    return alpha == 0xff;
}

// Each row behind filter 0, "none": rendered pictures repeat themselves without help.
static bool filter_rows(struct gv_bytes *rows, const uint8_t *rgba, uint32_t width,
                        uint32_t height, bool opaque)
{
    size_t row_bytes = (size_t)width * (opaque ? 3 : 4);
    clear(rows);
    uint8_t *to = gv_bytes_grow(rows, (row_bytes + 1) * height);
    for (uint32_t y = 0; to && y < height; y++, to += row_bytes + 1) {
        const uint8_t *from = rgba + (size_t)y * width * 4;
        to[0] = 0;
        if (opaque)
            drop_alpha(to + 1, from, width);
        else
            memcpy(to + 1, from, row_bytes);
    }
    return to != NULL;
}

static bool encode_png(struct gv_picture_encoder *e, const uint8_t *rgba,
                       uint32_t width, uint32_t height, struct gv_error *err)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    struct gv_bytes *out = &e->bytes;
    if (!e->deflate)
        e->deflate = gv_deflate_create();
    bool opaque = is_opaque(rgba, (size_t)width * height);
    if (!e->deflate || !filter_rows(&e->rows, rgba, width, height, opaque))
        return gv_out_of_memory(err);
    gv_bytes_put(out, signature, sizeof signature);
    size_t at = begin_chunk(out, "IHDR");
    put_high_first(out, width);
    put_high_first(out, height);
    // 8 bits; deflate, the five filters, rows in order.
    gv_bytes_put(out, (const uint8_t[]){ 8, opaque ? COLOR_RGB : COLOR_RGBA, 0, 0, 0 },
                 5);
    end_chunk(out, at);
    at = begin_chunk(out, "IDAT");
    if (!gv_deflate(e->deflate, e->rows.data, e->rows.size, out))
        return gv_out_of_memory(err);
    if (out->size - at - 8 > CHUNK_MAX)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "a picture of %ux%u does not fit a PNG", width, height);
    end_chunk(out, at);
    end_chunk(out, begin_chunk(out, "IEND"));
    return !out->failed || gv_out_of_memory(err);
}

// ---- all ----

static bool encode_ppm(struct gv_bytes *out, const uint8_t *rgba, uint32_t width,
                       uint32_t height, struct gv_error *err)
{
    size_t texels = (size_t)width * height;
    gv_bytes_printf(out, "P6\n%u %u\n255\n", width, height);
    uint8_t *rgb = gv_bytes_grow(out, 3 * texels);
    if (rgb)
        drop_alpha(rgb, rgba, texels);
    return rgb || gv_out_of_memory(err);
}

bool gv_picture_encode(struct gv_picture_encoder *e, enum gv_picture_format format,
                       const uint8_t *rgba, uint32_t width, uint32_t height,
                       const uint8_t **data, size_t *size, struct gv_error *err)
{
    bool ok = true;
    clear(&e->bytes);
    switch (format) {
    case GV_PICTURE_PNG:
        ok = encode_png(e, rgba, width, height, err);
        break;
    case GV_PICTURE_PPM:
        ok = encode_ppm(&e->bytes, rgba, width, height, err);
        break;
    case GV_PICTURE_RAW:
        *data = rgba;
        *size = (size_t)width * height * 4;
        return true;
    }
    *data = e->bytes.data;
    *size = e->bytes.size;
    return ok;
}
