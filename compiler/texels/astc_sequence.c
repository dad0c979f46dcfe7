#include "compiler/texels/astc_sequence.h"

#include <stdbool.h>

// Bits of a value, and the base of the digit that goes with them: 0, 3, 5.
static const struct {
    uint8_t bits, base;
} ranges[GV_ASTC_RANGES] = {
    { 1, 0 }, { 0, 3 }, { 2, 0 }, { 0, 5 }, { 1, 3 }, { 3, 0 }, { 1, 5 },
    { 2, 3 }, { 4, 0 }, { 2, 5 }, { 3, 3 }, { 5, 0 }, { 3, 5 }, { 4, 3 },
    { 6, 0 }, { 4, 5 }, { 5, 3 }, { 7, 0 }, { 5, 5 }, { 6, 3 }, { 8, 0 },
};

// A value: its bits, and its digit.
struct item {
    uint32_t bits, digit;
};

uint32_t gv_astc_take(const struct gv_astc_bits *b, uint32_t at, uint32_t count)
{
    uint64_t from = 0;
    if (at < 64)
        from = b->low >> at | (at ? b->high << (64 - at) : 0);
    else if (at < 128)
        from = b->high >> (at - 64);
    return (uint32_t)(from & ((UINT64_C(1) << (count & 63)) - 1));
}

uint32_t gv_astc_sequence_bits(uint32_t range, uint32_t count)
{
    const uint32_t base = ranges[range].base;
    const uint32_t digits = base == 3   ? (8 * count + 4) / 5
                            : base == 5 ? (7 * count + 2) / 3
                                        : 0;
    return ranges[range].bits * count + digits;
}

// ---- digits ----

static bool bit(uint32_t of, uint32_t i)
{
    return of >> i & 1;
}

// Five digits of three in eight bits.
static void unpack_trits(uint32_t t, uint32_t out[5])
{
    uint32_t c = t & 31;
    if ((t >> 2 & 7) == 7) {
        c = (t >> 5 & 7) << 2 | (t & 3);
        out[4] = out[3] = 2;
    } else if ((t >> 5 & 3) == 3) {
        out[4] = 2;
        out[3] = bit(t, 7);
    } else {
        out[4] = bit(t, 7);
        out[3] = t >> 5 & 3;
    }
    if ((c & 3) == 3) {
        out[2] = 2;
        out[1] = bit(c, 4);
        out[0] = (uint32_t)bit(c, 3) << 1 | (bit(c, 2) && !bit(c, 3));
    } else if ((c >> 2 & 3) == 3) {
        out[2] = out[1] = 2;
        out[0] = c & 3;
    } else {
        out[2] = bit(c, 4);
        out[1] = c >> 2 & 3;
        out[0] = (uint32_t)bit(c, 1) << 1 | (bit(c, 0) && !bit(c, 1));
    }
}

// Three digits of five in seven bits.
static void unpack_quints(uint32_t q, uint32_t out[5])
{
    uint32_t c = q & 31;
    if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
        const bool low = bit(q, 0);
        out[2] = (uint32_t)low << 2 | (uint32_t)(bit(q, 4) && !low) << 1 |
                 (bit(q, 3) && !low);
        out[1] = out[0] = 4;
        return;
    }
    if ((q >> 1 & 3) == 3) {
        out[2] = 4;
        c = (q >> 3 & 3) << 3 | (~q >> 5 & 3) << 1 | (q & 1);
    } else {
        out[2] = q >> 5 & 3;
    }
    out[1] = (c & 7) == 5 ? 4 : c >> 3 & 3;
    out[0] = (c & 7) == 5 ? c >> 3 & 3 : c & 7;
}

// ---- sequences ----

// The next bits, as far as the sequence has them.
static uint32_t next(const struct gv_astc_bits *b, struct gv_astc_sequence *s,
                     uint32_t count)
{
    const uint32_t there = s->end - s->at < count ? s->end - s->at : count;
    const uint32_t value = gv_astc_take(b, s->at, there);
    s->at += there;
    return value;
}

// The next values that share digits; returns how many.
static uint32_t next_group(const struct gv_astc_bits *b, struct gv_astc_sequence *s,
                           struct item out[5])
{
    static const uint8_t trits[5] = { 2, 2, 1, 2, 1 }, quints[3] = { 3, 2, 2 };
    const uint32_t base = ranges[s->range].base;
    const uint32_t most = base == 3 ? 5 : base == 5 ? 3 : 1;
    uint32_t digits[5] = { 0 }, packed = 0, shift = 0;
    for (uint32_t i = 0; i < most; i++) {
        out[i].bits = next(b, s, ranges[s->range].bits);
        const uint32_t more = base == 3 ? trits[i] : base == 5 ? quints[i] : 0;
        packed |= next(b, s, more) << shift;
        shift += more;
    }
    if (base == 3)
        unpack_trits(packed, digits);
    else if (base == 5)
        unpack_quints(packed, digits);
    for (uint32_t i = 0; i < most; i++)
        out[i].digit = digits[i];
    return most;
}

// `bits` bits repeated to fill `width`.
static uint32_t repeated(uint32_t value, uint32_t bits, uint32_t width)
{
    uint32_t out = 0;
    for (int32_t shift = (int32_t)(width - bits); shift > -(int32_t)bits;
         shift -= (int32_t)bits)
        out |= shift >= 0 ? value << shift : value >> -shift;
    return out;
}

// ---- colours ----

static uint32_t color_of(uint32_t range, const struct item *v)
{
    // By bits: what a digit is worth, and where the bits above the lowest go.
    static const uint8_t worth[2][16] = { { 0, 204, 93, 44, 22, 11, 5 },
                                          { 0, 113, 54, 26, 13, 6 } };
    const uint32_t bits = ranges[range].bits, base = ranges[range].base;
    if (!base)
        return repeated(v->bits, bits, 8);
    const uint32_t a = v->bits & 1 ? 0x1FF : 0, high = v->bits >> 1;
    uint32_t b = 0;
    switch (bits + (base == 5 ? 10 : 0)) {
    case 2:
        b = high * 0x116; // b000b0bb0
        break;
    case 3:
        b = high << 7 | high << 2 | high; // cb000cbcb
        break;
    case 4:
        b = high << 6 | high; // dcb000dcb
        break;
    case 5:
        b = high << 5 | high >> 2; // edcb000ed
        break;
    case 6:
        b = high << 4 | high >> 4; // fedcb000f
        break;
    case 12:
        b = high * 0x10C; // b0000bb00
        break;
    case 13:
        b = high << 7 | high << 1 | high >> 1; // cb0000cbc
        break;
    case 14:
        b = high << 6 | high >> 1; // dcb0000dc
        break;
    case 15:
        b = high << 5 | high >> 3; // edcb0000e
        break;
    default: // one bit: none above it
        break;
    }
    const uint32_t t = (v->digit * worth[base == 5][bits & 15] + b) ^ a;
    return (a & 0x80) | t >> 2;
}

void gv_astc_colors(const struct gv_astc_bits *b, const struct gv_astc_sequence *s,
                    uint8_t *out)
{
    struct gv_astc_sequence rest = *s;
    struct item group[5];
    for (uint32_t done = 0; done < s->count;) {
        const uint32_t count = next_group(b, &rest, group);
        for (uint32_t i = 0; i < count && done < s->count; i++)
            out[done++] = (uint8_t)color_of(s->range, &group[i]);
    }
}

// ---- weights ----

// Of 0 to 63.
static uint32_t weight_of(uint32_t range, const struct item *v)
{
    static const uint8_t three[3] = { 0, 32, 63 }, five[5] = { 0, 16, 32, 47, 63 };
    static const uint8_t worth[2][4] = { { 0, 50, 23, 11 }, { 0, 28, 13 } };
    const uint32_t bits = ranges[range].bits, base = ranges[range].base;
    if (!base)
        return repeated(v->bits, bits, 6);
    if (!bits)
        return base == 3 ? three[v->digit] : five[v->digit];
    const uint32_t a = v->bits & 1 ? 0x7F : 0, high = v->bits >> 1;
    uint32_t b = 0;
    if (bits == 2)
        b = high * (base == 3 ? 0x45 : 0x42); // b000b0b, b0000b0
    else if (bits == 3)
        b = high << 5 | high; // cb000cb
    const uint32_t t = (v->digit * worth[base == 5][bits & 3] + b) ^ a;
    return (a & 0x20) | t >> 2;
}

void gv_astc_weights(const struct gv_astc_bits *b, const struct gv_astc_sequence *s,
                     uint8_t *out)
{
    struct gv_astc_sequence rest = *s;
    struct item group[5];
    for (uint32_t done = 0; done < s->count;) {
        const uint32_t count = next_group(b, &rest, group);
        for (uint32_t i = 0; i < count && done < s->count; i++) {
            const uint32_t weight = weight_of(s->range, &group[i]);
            out[done++] = (uint8_t)(weight > 32 ? weight + 1 : weight);
        }
    }
}
