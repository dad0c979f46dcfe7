#include "tools/inspect/shown_bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE 16 // bytes of a row in hexadecimal

// ---- elements ----

// Of "f32x4": 'f', 32, 4.
struct element {
    char kind;
    uint32_t bits, count;
};

static struct element element_of(const char *type)
{
    struct element e = { .kind = type[0], .count = 1 };
    const char *at = type + 1;
    for (; *at >= '0' && *at <= '9'; at++)
        e.bits = e.bits * 10 + (uint32_t)(*at - '0');
    if (*at == 'x')
        e.count = (uint32_t)(at[1] - '0');
    return e;
}

static uint64_t load(const uint8_t *p, uint32_t bits)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bits / 8; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static double half_of(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), rest = (int)(bits & 1023);
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == 31)
        return rest ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(rest | 1024, exponent - 25) : ldexp(rest, -24));
}

static double float_of(uint64_t bits, uint32_t width)
{
    const uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    if (width == 16)
        return half_of(bits);
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return width == 32 ? (double)single : wide;
}

static size_t print_number(const struct element *e, const uint8_t *p, char *text,
                           size_t size)
{
    const uint64_t bits = load(p, e->bits);
    const uint64_t sign = UINT64_C(1) << (e->bits - 1);
    int n;
    if (e->kind == 'f')
        n = snprintf(text, size, "%.*g", e->bits == 64 ? 17 : 9,
                     float_of(bits, e->bits));
    else if (e->kind == 's')
        n = snprintf(text, size, "%" PRId64, (int64_t)((bits ^ sign) - sign));
    else
        n = snprintf(text, size, "%" PRIu64, bits);
    return n > 0 ? (size_t)n : 0;
}

static void print_element(const struct element *e, const uint8_t *p, char *text,
                          size_t size)
{
    size_t n = 0;
    for (uint32_t i = 0; i < e->count; i++, p += e->bits / 8) {
        if (i)
            n += (size_t)snprintf(text + n, size - n, ",");
        n += print_number(e, p, text + n, size - n);
    }
}

static void print_hex(const uint8_t *p, size_t count, char *text)
{
    for (size_t i = 0; i < count; i++)
        snprintf(text + 2 * i, 3, "%02x", p[i]);
}

// ---- rows ----

struct piece {
    uint64_t at, size; // bytes
    char text[128];
};

static bool put_row(const struct gv_shown_bytes *shown, struct gv_sheet *s,
                    const struct piece *piece, struct gv_error *err)
{
    struct gv_path path = *shown->path;
    char name[GV_PATH_TEXT];
    path.pick.offset = (path.pick.has_bytes ? path.pick.offset : 0) + piece->at;
    path.pick.size = piece->size;
    path.pick.has_bytes = true;
    gv_path_print(&path, name);
    const struct gv_sheet_row row = { name, NULL, shown->command, false };
    gv_sheet_begin(s, &row);
    gv_sheet_value(s, path.pick.type[0] ? "value" : "hex", piece->text);
    return gv_sheet_end(s, &row, err);
}

bool gv_shown_bytes_put(const struct gv_shown_bytes *shown, struct gv_sheet *s,
                        struct gv_error *err)
{
    const struct gv_pick *pick = &shown->path->pick;
    const bool typed = pick->type[0] && pick->type[0] != 'b';
    const struct element e = typed ? element_of(pick->type) : (struct element){ 0 };
    const uint64_t step = typed ? (uint64_t)e.bits / 8 * e.count : LINE;
    const uint64_t most = typed || pick->has_bytes ? GV_SHOWN_ROWS : GV_SHOWN_HEX;
    for (uint64_t row = 0; row < most && row * step < shown->bytes->size; row++) {
        const uint64_t left = shown->bytes->size - row * step;
        struct piece piece = { row * step, left < step ? left : step, "" };
        const uint8_t *at = shown->bytes->data + piece.at;
        if (typed && left < step) // a part of an element is none
            break;
        if (typed)
            print_element(&e, at, piece.text, sizeof piece.text);
        else
            print_hex(at, (size_t)piece.size, piece.text);
        if (!put_row(shown, s, &piece, err))
            return false;
    }
    return true;
}
