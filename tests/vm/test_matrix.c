// Matrices: the order of operations, NaN, and that every build has the same bits.
#include "resources/hash.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/matrix/matrix.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

// One operation after another, none of which a compiler may join.
static float element(const float *left, const float *right, int row, int column)
{
    volatile float sum = left[row] * right[4 * column];
    for (int i = 1; i < 4; i++) {
        volatile float product = left[4 * i + row] * right[4 * column + i];
        sum = sum + product;
    }
    return sum;
}

// From -2^n to 2^n; now and then a zero.
static float number(uint32_t *seed, int n)
{
    const uint32_t r = gv_test_random(seed);
    return r % 7 == 0 ? 0.0f : ldexpf((float)(r % 65536) / 32768.0f - 1.0f, n);
}

static void fill(uint32_t *seed, float m[16])
{
    const int n = (int)(gv_test_random(seed) % 60) - 30;
    for (int i = 0; i < 16; i++)
        m[i] = number(seed, n);
}

static void test_order(void)
{
    uint32_t seed = 1, wrong = 0;
    for (int round = 0; round < 2000; round++) {
        float a[16], b[16], p[16];
        fill(&seed, a);
        fill(&seed, b);
        gv_matrix_product(p, a, b);
        for (int i = 0; i < 16; i++)
            wrong += bits_of(p[i]) != bits_of(element(a, b, i % 4, i / 4));
    }
    CHECK(wrong == 0);
}

// Matrices of every kind that is inverted in a way of its own.
static void shape(uint32_t *seed, uint32_t kind, float m[16])
{
    fill(seed, m);
    if (kind == 0)
        return;
    m[3] = m[7] = m[11] = 0;
    m[15] = 1;
    if (kind == 2) {
        m[1] = m[2] = m[4] = m[6] = m[8] = m[9] = 0;
    } else if (kind == 3) { // 3, 4, 5: a rotation
        const float turn[12] = { 0.6f, 0.8f, 0, 0, -0.8f, 0.6f, 0, 0, 0, 0, 1, 0 };
        memcpy(m, turn, sizeof turn);
    }
}

// Written down once: every compiler and machine has to agree with it.
static void test_bits(void)
{
    static uint8_t all[4000][64];
    uint32_t seed = 7, found = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        float a[16], b[16], p[16];
        shape(&seed, i % 4, a);
        shape(&seed, i / 4 % 4, b);
        gv_matrix_product(p, a, b);
        memcpy(all[2 * i], p, sizeof p);
        found += gv_matrix_inverse(p, a);
        memcpy(all[2 * i + 1], p, sizeof p);
    }
    const struct gv_hash hash = gv_hash_bytes(all, sizeof all);
    char text[GV_HASH_HEX];
    gv_hash_to_hex(&hash, text);
    CHECK(found == 1780);
    CHECK(!strcmp(text, "27ed2bd4f4e7692ecfcc70afb213a53f"));
}

static void test_nan(void)
{
    const float infinity = INFINITY;
    float m[16] = { 0 }, p[16], negative;
    const uint32_t payload = 0xffc12345;
    memcpy(&negative, &payload, sizeof negative);
    m[0] = infinity; // infinity times zero
    m[5] = negative;
    gv_matrix_product(p, m, m);
    CHECK(bits_of(p[4]) == 0x7fc00000);
    CHECK(bits_of(p[5]) == 0x7fc00000);
    CHECK(bits_of(p[0]) == 0x7f800000);
    gv_matrix_inverse(p, m);
    for (int i = 0; i < 16; i++)
        CHECK(p[i] == p[i] || bits_of(p[i]) == 0x7fc00000);
}

static void test_none(void)
{
    float m[16] = { 0 };
    CHECK(!gv_matrix_inverse(m, m));
    for (int i = 0; i < 16; i++)
        CHECK(bits_of(m[i]) == (i % 5 ? 0 : 0x3f800000));
}

int main(void)
{
    test_order();
    test_bits();
    test_nan();
    test_none();
    return TEST_RESULT();
}
