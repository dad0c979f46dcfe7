#version 460
// Texels of one format to those of another, one to one or scaled as a blit scales.
// Depths of 24 bits and floats convert exactly both ways: integers become the nearest
// float of v / (2^24 - 1), and come back as they were. Small floats are rounded towards
// zero, as llvmpipe rounds them.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Words { uint words[]; };

// Three formats, three words each: of red and green, of blue and alpha the lowest bit
// (8 bits) and how many there are (8 bits, 0: none); bytes of a texel, and above them
// the kind. Values of the first are rounded to the second, if that has bytes.
const uint FROM = 0, BY = 3, TO = 6;

layout(push_constant) uniform Parameters {
    uint formats[9];
    uint size[3], width, height; // texels of the source, of the target
    uint texels; // of the target
    uint source, target; // their first words
    uint linear;
    float start[3], scale[3]; // where in the source the target's first texel begins
};

const uint UNORM = 0, SNORM = 1, UINT = 2, SINT = 3, FLOAT = 4, SRGB = 5, SHARED = 6,
           DEPTH24 = 7;

uint bytes_of(uint f)
{
    return formats[f + 2] & 255u;
}

uint kind_of(uint f)
{
    return formats[f + 2] >> 8;
}

uint place_of(uint f, uint i)
{
    return formats[f + (i >> 1)] >> (i & 1u) * 16u & 0xffffu;
}

uint ones(uint bits)
{
    return bits == 32u ? ~0u : (1u << bits) - 1u;
}

// ---- depth ----

// v / (2^24 - 1) is v / 2^24 and half a unit in the last place, or a little more: it
// rounds to the float after.
uint depth_float(uint v)
{
    return v == 0 ? 0 : floatBitsToUint(float(v) * 5.9604644775390625e-8) + 1;
}

// f * (2^24 - 1), rounded to the nearest, in integers: f is m * 2^-24 * 2^-shift. What
// is missing to f * 2^24 is f itself, which decides where the rest is a half.
uint depth_integer(uint f)
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

// ---- floats ----

// With five bits of exponent above the mantissa and perhaps a sign above these.
float small_float(uint v, uint mantissa)
{
    uint sign = (v >> mantissa + 5u & 1u) << 31;
    uint e = v >> mantissa & 31u, m = v & ones(mantissa);
    if (e == 0)
        return (sign == 0 ? 1.0 : -1.0) * float(m) *
               uintBitsToFloat(113u - mantissa << 23);
    return uintBitsToFloat(sign | (e == 31u ? 255u : e + 112u) << 23 |
                           m << 23u - mantissa);
}

uint small_bits(uint f, uint mantissa, bool has_sign)
{
    uint sign = f >> 31, a = f & 0x7fffffffu;
    uint most = (31u << mantissa) - 1u, infinity = 31u << mantissa;
    uint v;
    if (a > 0x7f800000u)
        return infinity | 1u;
    if (sign != 0 && !has_sign)
        return 0;
    if (a == 0x7f800000u)
        v = infinity;
    else if (a >= 0x38800000u) // 2^-14: the least with an exponent
        v = min((a - 0x38000000u) >> 23u - mantissa, most);
    else
        v = uint(uintBitsToFloat(a) * uintBitsToFloat(141u + mantissa << 23));
    return v | (has_sign ? sign << mantissa + 5u : 0);
}

float from_srgb(float c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

float to_srgb(float c)
{
    return c < 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
}

// Of EXT_texture_shared_exponent, as Mesa writes it: the greatest component decides, and
// halves are rounded up.
uint shared_bits(uvec4 v)
{
    uvec3 c;
    for (int i = 0; i < 3; i++)
        c[i] = v[i] > 0x7f800000u ? 0 : min(v[i], 0x477f8000u);
    uint greatest = max(max(c.r, c.g), c.b);
    greatest += greatest & 1u << 14;
    uint exponent = max(greatest >> 23, 111u) - 111u;
    float scale = uintBitsToFloat(152u - exponent << 23);
    uvec3 m = uvec3(uintBitsToFloat(c) * scale);
    m = (m & 1u) + (m >> 1);
    return m.r | m.g << 9 | m.b << 18 | exponent << 27;
}

// ---- components ----

uint decode(uint f, uint v, uint bits, uint i)
{
    uint kind = kind_of(f);
    float c = float(v) / float(ones(bits));
    if (kind == SINT || kind == SNORM)
        v = uint(int(v << 32u - bits) >> int(32u - bits));
    if (kind == UINT || kind == SINT || kind == FLOAT && bits == 32u)
        return v;
    if (kind == DEPTH24)
        return depth_float(v);
    if (kind == SNORM)
        c = max(float(int(v)) / float(ones(bits - 1u)), -1.0);
    if (kind == FLOAT)
        c = small_float(v, min(bits - 5u, 10u));
    if (kind == SRGB && i < 3u)
        c = from_srgb(c);
    return floatBitsToUint(c);
}

uint encode(uint f, uint value, uint bits, uint i)
{
    uint kind = kind_of(f);
    float c = uintBitsToFloat(value), least = kind == SNORM ? -1.0 : 0.0;
    if (kind == UINT || kind == SINT || kind == FLOAT && bits == 32u)
        return value & ones(bits);
    if (kind == DEPTH24)
        return depth_integer(value);
    if (kind == FLOAT)
        return small_bits(value, min(bits - 5u, 10u), bits == 16u);
    c = isnan(c) ? 0.0 : clamp(c, least, 1.0);
    if (kind == SRGB && i < 3u)
        c = to_srgb(c);
    return uint(int(roundEven(c * float(ones(kind == SNORM ? bits - 1u : bits))))) &
           ones(bits);
}

uvec4 shared_value(uint v)
{
    float scale = uintBitsToFloat((v >> 27) + 103u << 23);
    return uvec4(floatBitsToUint(vec3(v & 511u, v >> 9 & 511u, v >> 18 & 511u) * scale),
                 floatBitsToUint(1.0));
}

// The value of a texel that begins at a byte of the source; or, if there is another, what
// a format makes of it.
uvec4 value_in(uint f, uint first, uvec4 other)
{
    bool reads = f == FROM;
    if (kind_of(f) == SHARED)
        return shared_value(reads ? words[source + (first >> 2)] : shared_bits(other));
    bool integers = kind_of(f) == UINT || kind_of(f) == SINT;
    uvec4 value = uvec4(0, 0, 0, integers ? 1u : floatBitsToUint(1.0));
    for (uint i = 0; i < 4u; i++) {
        uint place = place_of(f, i), at = first + ((place & 255u) >> 3);
        uint bits = place >> 8, shift = (at & 3u) * 8u + (place & 7u);
        if (bits != 0)
            value[i] = decode(f,
                              reads ? words[source + (at >> 2)] >> shift & ones(bits)
                                    : encode(f, other[i], bits, i),
                              bits, i);
    }
    return value;
}

// ---- the source's texels that make one of the target ----

uvec4 at(ivec3 p)
{
    p = clamp(p, ivec3(0), ivec3(size[0], size[1], size[2]) - 1);
    return value_in(FROM,
                    ((uint(p.z) * size[1] + uint(p.y)) * size[0] + uint(p.x)) *
                        bytes_of(FROM),
                    uvec4(0));
}

uvec4 value_of(uint texel)
{
    uvec3 place = uvec3(texel % width, texel / width % height, texel / width / height);
    vec3 p = (vec3(place) + 0.5) * vec3(scale[0], scale[1], scale[2]) +
             vec3(start[0], start[1], start[2]);
    if (linear == 0)
        return at(ivec3(floor(p)));
    p -= 0.5;
    ivec3 low = ivec3(floor(p));
    vec3 f = p - floor(p);
    vec4 rows[2], planes[2]; // what lies before and behind in y, in z
    for (int i = 0; i < 8; i++) {
        ivec3 far = ivec3(i & 1, i >> 1 & 1, i >> 2);
        if (any(lessThan(f, vec3(far) * 1e-30)))
            continue; // it counts nothing
        vec4 one = uintBitsToFloat(at(low + far));
        rows[far.y] = far.x == 0 ? one : rows[far.y] + f.x * (one - rows[far.y]);
        planes[far.z] = far.y == 0
                            ? rows[0]
                            : rows[0] + f.y * (rows[1] - rows[0]);
    }
    return floatBitsToUint(f.z == 0 ? planes[0]
                                    : planes[0] + f.z * (planes[1] - planes[0]));
}

void main()
{
    uint bytes = bytes_of(TO), all = gl_NumWorkGroups.x * 64u;
    uint count = (texels * bytes + 3u) / 4u;
    for (uint w = gl_GlobalInvocationID.x; w < count; w += all) {
        uint last = min((w * 4u + 3u) / bytes, texels - 1u), word = 0;
        for (uint t = w * 4u / bytes; t <= last; t++) {
            uvec4 value = value_of(t);
            int base = int(t * bytes) - int(w * 4u);
            if (bytes_of(BY) != 0)
                value = value_in(BY, 0, value);
            if (kind_of(TO) == SHARED)
                word = shared_bits(value);
            for (uint i = 0; i < 4u; i++) {
                uint place = place_of(TO, i), bits = place >> 8;
                int shift = base * 8 + int(place & 255u);
                if (bits != 0 && shift >= 0 && shift < 32)
                    word |= encode(TO, value[i], bits, i) << uint(shift);
            }
        }
        words[target + w] = word;
    }
}
