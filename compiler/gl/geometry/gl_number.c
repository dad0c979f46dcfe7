// Packed vertex values: 2_10_10_10 and 10F_11F_11F.
#include "compiler/gl/geometry/gl_number.h"

#include "compiler/gl/base/gl_enums.h"
#include "resources/base/cursor.h"

#include "compiler/gl/base/gl_enums.h"

static const struct {
    uint8_t shift, bits;
} fields[4] = { { 0, 10 }, { 10, 10 }, { 20, 10 }, { 30, 2 } };

bool gv_gl_unpack(uint32_t type, bool normalized, uint32_t word, float out[4])
{
    if (type == GL_UNSIGNED_INT_10F_11F_11F_REV) {
        out[0] = gv_gl_small_float(word & 0x7FF, 6);
        out[1] = gv_gl_small_float(word >> 11 & 0x7FF, 6);
        out[2] = gv_gl_small_float(word >> 22, 5);
        out[3] = 1;
        return true;
    }
    if (type != GL_INT_2_10_10_10_REV && type != GL_UNSIGNED_INT_2_10_10_10_REV)
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t bits = fields[i].bits;
        const uint32_t v = word >> fields[i].shift & ((1u << bits) - 1);
        const bool negative = type == GL_INT_2_10_10_10_REV && v >> (bits - 1);
        const double c = (double)v - (negative ? ldexp(1, (int)bits) : 0);
        if (!normalized)
            out[i] = (float)c;
        else if (type == GL_INT_2_10_10_10_REV)
            out[i] = gv_gl_signed_new(c, bits);
        else
            out[i] = gv_gl_unsigned(c, bits);
    }
    return true;
}

uint32_t gv_gl_integer(uint32_t type, const uint8_t *p)
{
    switch (type) {
    case GL_BYTE:
        return (uint32_t)(int8_t)p[0];
    case GL_UNSIGNED_BYTE:
        return p[0];
    case GL_SHORT:
        return (uint32_t)(int16_t)gv_load_u16(p);
    case GL_UNSIGNED_SHORT:
        return gv_load_u16(p);
    default:
        return gv_load_u32(p);
    }
}
