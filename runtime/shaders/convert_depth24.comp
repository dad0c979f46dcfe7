#version 460
// Depths between 24 bits of an integer and a float. Both ways are exact: integers become
// the nearest float of v / (2^24 - 1), and come back as they were.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Words { uint words[]; };

layout(push_constant) uniform Parameters {
    uint count;
    uint to_float;
};

// v / (2^24 - 1) is v / 2^24 and half a unit in the last place, or a little more: it
// rounds to the float after.
uint float_of(uint v)
{
    return v == 0 ? 0 : floatBitsToUint(float(v) * 5.9604644775390625e-8) + 1;
}

// f * (2^24 - 1), rounded to the nearest, in integers: f is m * 2^-24 * 2^-shift. What
// is missing to f * 2^24 is f itself, which decides where the rest is a half.
uint integer_of(uint f)
{
    uint exponent = f >> 23, m = f & 0x7fffffu | 0x800000u;
    if (f >= 0x3f800000u)
        return f >> 31 == 0 ? 0xffffffu : 0;
    if (exponent == 126)
        return m == 0x800000u ? m : m - 1;
    uint shift = 126 - exponent;
    if (shift > 24)
        return 0;
    uint rest = m & (1u << shift) - 1;
    return (m >> shift) + (rest > 1u << shift - 1 ? 1 : 0);
}

void main()
{
    uint all = gl_NumWorkGroups.x * 64;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += all)
        words[i] = to_float != 0 ? float_of(words[i] & 0xffffffu)
                                 : integer_of(words[i]);
}
