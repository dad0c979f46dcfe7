// The GPU's integer arithmetic, in the common subset of C and GLSL: set-up is written
// once, for the compiler, the oracle and the shaders alike. Only 32-bit integers;
// division is done on magnitudes, since GLSL leaves the rounding of negative quotients
// open.
#ifndef GV_PSX_MATH_H
#define GV_PSX_MATH_H

#ifdef VULKAN
#define PSX_FUNCTION
#define PSX_INT int
#define PSX_UINT uint
#define PSX_TO_INT(v) int(v)
#define PSX_TO_UINT(v) uint(v)
#else
#include <stdint.h>
#define PSX_FUNCTION static inline
#define PSX_INT int32_t
#define PSX_UINT uint32_t
#define PSX_TO_INT(v) ((int32_t)(v))
#define PSX_TO_UINT(v) ((uint32_t)(v))
#endif

PSX_FUNCTION PSX_UINT psx_magnitude(PSX_INT n)
{
    return n < 0 ? PSX_TO_UINT(-n) : PSX_TO_UINT(n);
}

// n / d toward zero; d is not 0, both are above -2^31.
PSX_FUNCTION PSX_INT psx_div_trunc(PSX_INT n, PSX_INT d)
{
    PSX_INT q = PSX_TO_INT(psx_magnitude(n) / psx_magnitude(d));
    return (n < 0) != (d < 0) ? -q : q;
}

// n / d rounded down; d > 0.
PSX_FUNCTION PSX_INT psx_div_floor(PSX_INT n, PSX_INT d)
{
    PSX_INT q = psx_div_trunc(n, d);
    return q * d > n ? q - 1 : q;
}

// n / d rounded up; d > 0.
PSX_FUNCTION PSX_INT psx_div_ceil(PSX_INT n, PSX_INT d)
{
    PSX_INT q = psx_div_trunc(n, d);
    return q * d < n ? q + 1 : q;
}

// Twice the area of a triangle sorted by y; its sign tells the side of the long edge.
PSX_FUNCTION PSX_INT psx_area(PSX_INT x0, PSX_INT y0, PSX_INT x1, PSX_INT y1,
                              PSX_INT x2, PSX_INT y2)
{
    return (x1 - x0) * (y2 - y1) - (x2 - x1) * (y1 - y0);
}

// The core vertex: the leftmost in the order the command gave them, with the tie rule.
PSX_FUNCTION PSX_INT psx_core_vertex(PSX_INT ax, PSX_INT bx, PSX_INT cx)
{
    if (bx <= ax)
        return cx <= bx ? 2 : 1;
    return cx < ax ? 2 : 0;
}

// Attribute gradient along x: values p at vertices sorted by y, differences of y; 24
// fraction bits of which the lower 12 are zero.
PSX_FUNCTION PSX_UINT psx_gradient(PSX_INT p0, PSX_INT p1, PSX_INT p2, PSX_INT d10,
                                   PSX_INT d21, PSX_INT area)
{
    PSX_INT numerator = (p1 - p0) * d21 - (p2 - p1) * d10;
    return PSX_TO_UINT(psx_div_trunc(numerator * 4096, area)) * 4096u;
}

// Step of a line's colour: 12 fraction bits.
PSX_FUNCTION PSX_INT psx_line_step(PSX_INT from, PSX_INT to, PSX_INT k)
{
    return k > 0 ? psx_div_trunc(4096 * (to - from), k) : 0;
}

// Offset of pixel i of k along the minor axis of a line, in x (ties go left) and in y
// (ties go away from the start; `rise` is a magnitude).
PSX_FUNCTION PSX_INT psx_line_x(PSX_INT i, PSX_INT dx, PSX_INT k)
{
    return psx_div_floor(2 * i * dx + k - 1, 2 * k);
}
PSX_FUNCTION PSX_INT psx_line_y(PSX_INT i, PSX_INT rise, PSX_INT k)
{
    return psx_div_floor(2 * i * rise + k, 2 * k);
}

#endif
