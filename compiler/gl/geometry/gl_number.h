// Numbers of GL's types as floats: the conversions of immediate mode and of arrays.
#ifndef GV_GL_NUMBER_H
#define GV_GL_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// OpenGL 1.x to 4.1, table 2.9 ("Component conversions"), as Mesa still does for what
// glColor, glNormal and glVertexAttrib*N take: (2c + 1) / (2^b - 1).
static inline float gv_gl_signed_old(double c, uint32_t bits)
{
    return (float)((2 * c + 1) * (1 / (ldexp(1, (int)bits) - 1)));
}

// OpenGL 4.2, equation 2.2: c / (2^(b-1) - 1), not below -1; what arrays and packed
// values take.
static inline float gv_gl_signed_new(double c, uint32_t bits)
{
    const double v = c / (ldexp(1, (int)bits - 1) - 1);
    return v < -1 ? -1.0F : (float)v;
}

static inline float gv_gl_unsigned(double c, uint32_t bits)
{
    return (float)(c / (ldexp(1, (int)bits) - 1));
}

// A half: 1 sign, 5 exponent, 10 mantissa bits.
static inline float gv_gl_half(uint16_t h)
{
    const uint32_t exponent = h >> 10 & 31, mantissa = h & 1023u;
    float v;
    if (exponent == 0)
        v = ldexpf((float)mantissa, -24);
    else if (exponent == 31)
        v = mantissa ? NAN : INFINITY;
    else
        v = ldexpf((float)(mantissa | 1024u), (int)exponent - 25);
    return h & 0x8000u ? -v : v;
}

// An unsigned float of 5 exponent bits and `bits` mantissa bits (R11F_G11F_B10F).
static inline float gv_gl_small_float(uint32_t v, uint32_t bits)
{
    return gv_gl_half((uint16_t)(v << (10 - bits) & 0x7FFF));
}

// The 32 bits of an integer of a type (GL_BYTE ... GL_UNSIGNED_INT), extended by its
// sign.
uint32_t gv_gl_integer(uint32_t type, const uint8_t *p);

// The 4 values of a packed 32-bit word; false: no packed type.
bool gv_gl_unpack(uint32_t type, bool normalized, uint32_t word, float out[4]);

#endif
