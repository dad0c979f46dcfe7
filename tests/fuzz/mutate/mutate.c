#include "tests/fuzz/mutate/mutate.h"

#include <string.h>

#define MOST_BYTES ((size_t)4 << 20) // of a mutant

uint64_t gv_dice_next(struct gv_dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t gv_dice_below(struct gv_dice *d, uint64_t n)
{
    return gv_dice_next(d) % n;
}

uint64_t gv_dice_odd(struct gv_dice *d)
{
    uint64_t power = (uint64_t)1 << gv_dice_below(d, 64);
    switch (gv_dice_below(d, 8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return power;
    case 3:
        return power - 1;
    case 4:
        return UINT32_MAX - gv_dice_below(d, 4);
    case 5:
        return 0x7f800000u; // infinity; 0x7fc00000 is no number
    case 6:
        return gv_dice_next(d);
    default:
        return gv_dice_below(d, 40);
    }
}

static void put_number(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

void gv_mutate_in_place(struct gv_dice *d, uint8_t *data, size_t size)
{
    static const uint8_t widths[] = { 1, 2, 4, 4, 4, 8 };
    size_t width = widths[gv_dice_below(d, sizeof widths)];
    if (size == 0)
        return;
    if (size < width)
        width = 1;
    size_t at = gv_dice_below(d, size - width + 1), from;
    switch (gv_dice_below(d, 5)) {
    case 0:
        data[at] ^= (uint8_t)(1u << gv_dice_below(d, 8));
        break;
    case 1:
        put_number(data + at, gv_dice_odd(d), width);
        break;
    case 2: // aligned, as most formats are
        put_number(data + at / width * width, gv_dice_odd(d), width);
        break;
    case 3:
        data[at] = (uint8_t)(data[at] + (gv_dice_below(d, 2) ? 1 : 0xff));
        break;
    default:
        from = gv_dice_below(d, size - width + 1);
        memmove(data + at, data + from, width);
        break;
    }
}

static void put_range(struct gv_bytes *out, const struct gv_seed *from, size_t at,
                      size_t size)
{
    if (at < from->size && out->size < MOST_BYTES)
        gv_bytes_put(out, from->data + at,
                     size < from->size - at ? size : from->size - at);
}

void gv_mutate_bytes(struct gv_dice *d, const struct gv_seed *seed,
                     const struct gv_seed *other, struct gv_bytes *out)
{
    size_t begin = out->size, at = gv_dice_below(d, seed->size + 1);
    size_t length = gv_dice_below(d, 64) + 1;
    uint64_t how = gv_dice_below(d, 10);
    put_range(out, seed, 0, at);
    if (how == 0) // cut out
        put_range(out, seed, at + length, seed->size);
    else if (how == 1) { // twice
        put_range(out, seed, at, length);
        put_range(out, seed, at, seed->size);
    } else if (how == 2) { // of the other
        put_range(out, other, gv_dice_below(d, other->size + 1), length * 4);
        put_range(out, seed, at, seed->size);
    } else if (how != 3) // 3: ends here
        put_range(out, seed, at, seed->size);
    for (uint64_t n = gv_dice_below(d, 4) + (how > 3); n > 0 && !out->failed; n--)
        gv_mutate_in_place(d, out->data + begin, out->size - begin);
}
