#include "tools/verdict/pnm_read.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "resources/base/cursor.h"

#define NUMBER_MOST 1000000000u // so that no product of two of them wraps
#define WORD_BYTES 32

// What stands in front of the samples.
struct head {
    char kind; // '1' to '7'
    uint64_t width, height, depth, maximum;
};

bool gv_pnm_is(struct gv_span file)
{
    const char *text = file.data;
    return file.size > 2 && text[0] == 'P' && text[1] >= '1' && text[1] <= '7' &&
           isspace((unsigned char)text[2]);
}

static bool bad(const struct gv_cursor *c, struct gv_error *err, const char *why)
{
    return gv_fail(err, GV_ERR_FORMAT, c->pos, "PNM: %s", why);
}

// Steps over blanks, and comments from '#' to the end of their line.
static void skip_blanks(struct gv_cursor *c)
{
    bool comment = false;
    while (c->pos < c->size) {
        const uint8_t byte = c->data[c->pos];
        comment = comment ? byte != '\n' : byte == '#';
        if (!comment && !isspace(byte))
            return;
        c->pos++;
    }
}

static bool take_number(struct gv_cursor *c, uint64_t *out, struct gv_error *err)
{
    skip_blanks(c);
    const size_t start = c->pos;
    for (*out = 0; c->pos < c->size && isdigit(c->data[c->pos]); c->pos++) {
        *out = *out * 10 + (c->data[c->pos] - '0');
        if (*out > NUMBER_MOST)
            return bad(c, err, "a number is too large");
    }
    return c->pos > start || bad(c, err, "no number where one must stand");
}

// The next word, which ends in front of a blank.
static bool take_word(struct gv_cursor *c, char word[WORD_BYTES], struct gv_error *err)
{
    size_t length = 0;
    skip_blanks(c);
    for (; c->pos < c->size && !isspace(c->data[c->pos]); c->pos++) {
        if (length + 1 == WORD_BYTES)
            return bad(c, err, "a word of the head is too long");
        word[length++] = (char)c->data[c->pos];
    }
    word[length] = '\0';
    return length > 0 || bad(c, err, "the head has no end");
}

// Lines "WIDTH 64" up to "ENDHDR", of which TUPLTYPE says no more than DEPTH.
static bool take_pam_head(struct gv_cursor *c, struct head *h, struct gv_error *err)
{
    char word[WORD_BYTES];
    for (;;) {
        if (!take_word(c, word, err))
            return false;
        if (strcmp(word, "ENDHDR") == 0)
            break;
        uint64_t *to = strcmp(word, "WIDTH") == 0    ? &h->width
                       : strcmp(word, "HEIGHT") == 0 ? &h->height
                       : strcmp(word, "DEPTH") == 0  ? &h->depth
                       : strcmp(word, "MAXVAL") == 0 ? &h->maximum
                                                     : NULL;
        if (to ? !take_number(c, to, err)
               : strcmp(word, "TUPLTYPE") != 0 || !take_word(c, word, err))
            return bad(c, err, "a line of the head that is none of PAM's");
    }
    return (h->depth >= 1 && h->depth <= 4) || bad(c, err, "DEPTH is not 1 to 4");
}

// Width, height and, but for bitmaps, the largest value.
static bool take_plain_head(struct gv_cursor *c, struct head *h, struct gv_error *err)
{
    const bool bits = h->kind == '1' || h->kind == '4';
    h->depth = h->kind == '3' || h->kind == '6' ? 3 : 1;
    h->maximum = 1;
    return take_number(c, &h->width, err) && take_number(c, &h->height, err) &&
           (bits || take_number(c, &h->maximum, err));
}

static bool take_head(struct gv_cursor *c, struct head *h, struct gv_error *err)
{
    h->kind = (char)c->data[1];
    c->pos = 2;
    if (!(h->kind == '7' ? take_pam_head(c, h, err) : take_plain_head(c, h, err)))
        return false;
    if (h->maximum == 0)
        return bad(c, err, "the largest value is 0");
    if (h->maximum > 255)
        return gv_fail(err, GV_ERR_UNSUPPORTED, c->pos,
                       "PNM of values up to %" PRIu64 " (255)", h->maximum);
    c->pos += c->pos < c->size; // one blank
    return true;
}

// How many bytes the samples take at least.
static uint64_t least_bytes(const struct head *h)
{
    const uint64_t row = h->width * h->depth;
    return h->kind == '4' ? (h->width + 7) / 8 * h->height : row * h->height;
}

// Samples of a row as numbers up to `maximum`; those of bitmaps are 1 for black.
static bool take_row(struct gv_cursor *c, const struct head *h, uint8_t *row,
                     struct gv_error *err)
{
    const size_t samples = (size_t)(h->width * h->depth);
    if (h->kind == '4') {
        const uint8_t *bits = gv_cursor_take(c, (samples + 7) / 8);
        for (size_t i = 0; bits && i < samples; i++)
            row[i] = !(bits[i / 8] >> (7 - i % 8) & 1);
        return bits || bad(c, err, "the picture ends early");
    }
    if (h->kind > '4') {
        const uint8_t *bytes = gv_cursor_take(c, samples);
        if (bytes)
            memcpy(row, bytes, samples);
        return bytes || bad(c, err, "the picture ends early");
    }
    for (size_t i = 0; i < samples; i++) {
        uint64_t value = 0;
        if (h->kind == '1') { // digits may stand without blanks between them
            skip_blanks(c);
            const uint8_t digit = gv_cursor_u8(c);
            if (c->bad || (digit != '0' && digit != '1'))
                return bad(c, err, "a bit is neither 0 nor 1");
            value = digit == '0';
        } else if (!take_number(c, &value, err)) {
            return false;
        }
        row[i] = value > 255 ? 255 : (uint8_t)value;
        if (value > h->maximum)
            return bad(c, err, "a value is above the largest");
    }
    return true;
}

static uint8_t widen(const struct head *h, uint8_t value)
{
    return (uint8_t)((value * (uint64_t)255 + h->maximum / 2) / h->maximum);
}

static bool take_rows(struct gv_cursor *c, const struct head *h,
                      struct gv_pixels *pixels, struct gv_error *err)
{
    uint8_t *to = pixels->rgba;
    for (uint64_t y = 0; y < h->height; y++) {
        // The row's samples stand at its end, in front of which pixels are made of
        // them.
        uint8_t *row = to + (4 - h->depth) * h->width;
        if (!take_row(c, h, row, err))
            return false;
        for (uint64_t x = 0; x < h->width; x++, to += 4, row += h->depth) {
            uint8_t s[4] = { 0 };
            for (uint64_t i = 0; i < h->depth; i++) {
                if (row[i] > h->maximum)
                    return bad(c, err, "a value is above the largest");
                s[i] = widen(h, row[i]);
            }
            const bool grey = h->depth < 3, alpha = h->depth % 2 == 0;
            const uint8_t made[4] = { s[0], s[grey ? 0 : 1], s[grey ? 0 : 2],
                                      alpha ? s[h->depth - 1] : 255 };
            memcpy(to, made, 4);
        }
    }
    return true;
}

bool gv_pnm_read(struct gv_pixels *pixels, struct gv_span file, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(file.data, file.size);
    struct head h = { 0 };
    if (!take_head(&c, &h, err))
        return false;
    if (h.width <= GV_PIXELS_SIDE && h.height <= GV_PIXELS_SIDE &&
        least_bytes(&h) > gv_cursor_left(&c))
        return bad(&c, err, "the picture ends early");
    return gv_pixels_make(pixels, h.width, h.height, c.pos, err) &&
           take_rows(&c, &h, pixels, err);
}
