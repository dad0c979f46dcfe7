#include "tools/verdict/png_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/cursor.h"
#include "tools/base/deflate.h"
#include "tools/verdict/png_rows.h"

static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };

#define CHUNK_MOST 0x7fffffffu
#define DEFLATE_MOST 1032u // bytes that one of a stream can become

// What the chunks say.
struct png {
    struct gv_png_form form;
    bool head, ended;
    size_t head_at;
    struct gv_bytes stream; // of all IDAT; owned
    size_t stream_at;       // where the first of them begins; 0: there is none
    bool stream_over;       // another chunk followed it
};

// Where a chunk is, and what it holds.
struct chunk {
    char name[5];
    size_t at; // of its length
    const uint8_t *data;
    uint32_t size;
};

bool gv_png_is(struct gv_span file)
{
    return file.size >= sizeof signature &&
           memcmp(file.data, signature, sizeof signature) == 0;
}

static uint32_t high_first(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool bad(const struct chunk *chunk, struct gv_error *err, const char *why)
{
    return gv_fail(err, GV_ERR_FORMAT, chunk->at, "PNG: chunk %s: %s", chunk->name,
                   why);
}

static bool take_chunk(struct gv_cursor *c, struct chunk *chunk, struct gv_error *err)
{
    chunk->at = c->pos;
    const uint8_t *head = gv_cursor_take(c, 8);
    if (!head)
        return gv_fail(err, GV_ERR_FORMAT, chunk->at, "PNG: the file ends before IEND");
    for (int i = 0; i < 4; i++) {
        if (!isalpha(head[4 + i]))
            return gv_fail(err, GV_ERR_FORMAT, chunk->at + 4,
                           "PNG: the name of a chunk has other than letters");
        chunk->name[i] = (char)head[4 + i];
    }
    chunk->name[4] = '\0';
    chunk->size = high_first(head);
    if (chunk->size > CHUNK_MOST)
        return bad(chunk, err, "its length is over 2^31 - 1");
    chunk->data = gv_cursor_take(c, chunk->size);
    const uint8_t *sum = gv_cursor_take(c, 4);
    if (!sum)
        return bad(chunk, err, "it passes the end of the file");
    if (high_first(sum) != gv_deflate_crc32(head + 4, (size_t)chunk->size + 4))
        return bad(chunk, err, "its checksum is wrong");
    return true;
}

static bool take_head(struct png *png, const struct chunk *chunk, struct gv_error *err)
{
    const uint8_t *d = chunk->data;
    struct gv_png_form *form = &png->form;
    if (png->head || chunk->size != 13)
        return bad(chunk, err, png->head ? "there are two" : "it has not 13 bytes");
    png->head = true;
    png->head_at = chunk->at;
    *form = (struct gv_png_form){ .width = high_first(d),
                                  .height = high_first(d + 4),
                                  .bits = d[8],
                                  .color = d[9],
                                  .interlaced = d[12] == 1 };
    if (!gv_png_form_known(form))
        return bad(chunk, err, "no such colour type and depth");
    if (form->bits == 16)
        return gv_fail(err, GV_ERR_UNSUPPORTED, chunk->at,
                       "PNG of 16 bits a sample (8)");
    if (d[10] || d[11] || d[12] > 1)
        return bad(chunk, err, "no such compression, filter or interlacing");
    return true;
}

static bool take_palette(struct png *png, const struct chunk *chunk,
                         struct gv_error *err)
{
    struct gv_png_form *form = &png->form;
    if (form->palette_count || png->stream_at || chunk->size == 0 || chunk->size % 3 ||
        chunk->size > 768)
        return bad(chunk, err, "it is no palette of up to 256 colours");
    form->palette_count = chunk->size / 3;
    for (uint32_t i = 0; i < form->palette_count; i++) {
        memcpy(form->palette[i], chunk->data + (size_t)3 * i, 3);
        form->palette[i][3] = 255;
    }
    return true;
}

// A palette's alphas, or the colour that is transparent.
static bool take_transparency(struct png *png, const struct chunk *chunk,
                              struct gv_error *err)
{
    struct gv_png_form *form = &png->form;
    const uint32_t keys = form->color == GV_PNG_GREY ? 1 : 3;
    if (png->stream_at || form->color > GV_PNG_PALETTE)
        return bad(chunk, err, "it has no place here");
    if (form->color == GV_PNG_PALETTE) {
        if (chunk->size > form->palette_count)
            return bad(chunk, err, "more alphas than colours");
        for (uint32_t i = 0; i < chunk->size; i++)
            form->palette[i][3] = chunk->data[i];
        return true;
    }
    if (chunk->size != 2 * keys)
        return bad(chunk, err, "no colour of this picture");
    form->keyed = true;
    for (size_t i = 0; i < keys; i++)
        form->key[i] = (uint16_t)(chunk->data[2 * i] << 8 | chunk->data[2 * i + 1]);
    return true;
}

static bool take(struct png *png, const struct chunk *chunk, struct gv_error *err)
{
    const bool data = strcmp(chunk->name, "IDAT") == 0;
    if (strcmp(chunk->name, "IHDR") == 0)
        return take_head(png, chunk, err);
    if (!png->head)
        return bad(chunk, err, "it stands before IHDR");
    png->stream_over = png->stream_over || (png->stream_at && !data);
    if (data) {
        if (png->stream_over)
            return bad(chunk, err, "others stand between it and the one before");
        if (!png->stream_at)
            png->stream_at = chunk->at;
        gv_bytes_put(&png->stream, chunk->data, chunk->size);
        return !png->stream.failed || gv_out_of_memory(err);
    }
    if (strcmp(chunk->name, "PLTE") == 0)
        return take_palette(png, chunk, err);
    if (strcmp(chunk->name, "tRNS") == 0)
        return take_transparency(png, chunk, err);
    png->ended = strcmp(chunk->name, "IEND") == 0;
    if (!png->ended && isupper((unsigned char)chunk->name[0]))
        return bad(chunk, err, "it matters, and is not known");
    return true;
}

// The stream becomes rows, the rows pixels.
static bool unpack(struct png *png, struct gv_pixels *pixels, struct gv_error *err)
{
    const struct chunk from = { .name = "IDAT", .at = png->stream_at };
    const uint64_t bytes = gv_png_rows_bytes(&png->form);
    if (bytes / DEFLATE_MOST > png->stream.size)
        return bad(&from, err, "too short for the picture that IHDR says");
    if (!gv_pixels_make(pixels, png->form.width, png->form.height, png->head_at, err))
        return false;
    uint8_t *rows = malloc((size_t)bytes);
    if (!rows)
        return gv_out_of_memory(err);
    bool ok = gv_deflate_undo(png->stream.data, png->stream.size, rows, (size_t)bytes);
    if (!ok)
        bad(&from, err, "no zlib stream of the picture's size");
    if (ok && !gv_png_rows_read(&png->form, rows, pixels->rgba))
        ok = bad(&from, err, "a row of unknown filter, or a colour of no palette");
    free(rows);
    return ok;
}

bool gv_png_read(struct gv_pixels *pixels, struct gv_span file, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(file.data, file.size);
    struct png png = { 0 };
    struct chunk chunk = { 0 };
    gv_cursor_take(&c, sizeof signature);
    bool ok = true;
    while (ok && !png.ended)
        ok = take_chunk(&c, &chunk, err) && take(&png, &chunk, err);
    if (ok && !png.stream_at)
        ok = bad(&chunk, err, "there was no IDAT");
    if (ok && png.form.color == GV_PNG_PALETTE && !png.form.palette_count)
        ok = bad(&chunk, err, "there was no PLTE");
    ok = ok && unpack(&png, pixels, err);
    gv_bytes_finish(&png.stream);
    return ok;
}
