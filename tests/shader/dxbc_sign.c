// The checksum of DXBC containers: MD5's rounds with a tail of their own.
#include "tests/shader/dxbc_assembler.h"

#include <math.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static uint32_t mix(int i, uint32_t b, uint32_t c, uint32_t d)
{
    switch (i / 16) {
    case 0:
        return (b & c) | (~b & d);
    case 1:
        return (d & b) | (~d & c);
    case 2:
        return b ^ c ^ d;
    default:
        return c ^ (b | ~d);
    }
}

static int word_of(int i)
{
    static const int step[] = { 1, 5, 3, 7 }, first[] = { 0, 1, 5, 0 };
    return (first[i / 16] + i * step[i / 16]) % 16;
}

static void block(uint32_t state[4], const uint8_t *bytes)
{
    static const int shifts[4][4] = {
        { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 }
    };
    uint32_t w[16], a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)bytes[i * 4] | (uint32_t)bytes[i * 4 + 1] << 8 |
               (uint32_t)bytes[i * 4 + 2] << 16 | (uint32_t)bytes[i * 4 + 3] << 24;
    for (int i = 0; i < 64; i++) {
        uint32_t sine = (uint32_t)(int64_t)floor(fabs(sin(i + 1.0)) * 4294967296.0);
        uint32_t sum = a + mix(i, b, c, d) + sine + w[word_of(i)];
        a = d;
        d = c;
        c = b;
        b += rotate(sum, shifts[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void store(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

void dxbc_sign(uint8_t *blob, size_t size)
{
    uint32_t state[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    const uint8_t *data = blob + 20;
    size_t n = size - 20, whole = n / 64 * 64, rest = n - whole;
    uint32_t bits = (uint32_t)n * 8;
    uint8_t tail[64] = { 0 };
    for (size_t at = 0; at < whole; at += 64)
        block(state, data + at);
    if (rest >= 56) {
        memcpy(tail, data + whole, rest);
        tail[rest] = 0x80;
        block(state, tail);
        memset(tail, 0, sizeof tail);
        store(tail, bits);
    } else {
        store(tail, bits);
        memcpy(tail + 4, data + whole, rest);
        tail[4 + rest] = 0x80;
    }
    store(tail + 60, bits >> 2 | 1);
    block(state, tail);
    for (int i = 0; i < 4; i++)
        store(blob + 4 + i * 4, state[i]);
}
