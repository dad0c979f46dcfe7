#version 460
// Makes one attribute of a vertex buffer as a device can fetch it: elements repeated for
// an instance divisor, components decoded to 32 bits each, zeros for what lies outside.
// Source and result are parts of one buffer; the result was filled with zeros.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Words { uint words[]; };

layout(push_constant) uniform Parameters {
    uint count;          // elements to make
    uint divisor;        // of them that one element of the source serves; 0 = all
    uint source;         // first byte
    uint source_bytes;   // what lies beyond is outside
    uint source_stride;
    uint offset;         // of the attribute in an element
    uint bytes;          // of the attribute
    uint result;         // first byte, with the attribute's offset
    uint result_stride;
    uint kind;           // 0: as it is, else 1 + enum gv_format_kind
    uint bits;           // of each component in memory order, 8 bits each
    uint places;         // where each goes, 0 = r to 3 = a, 4 bits each
    uint components;
};

const uint UNORM = 1, SNORM = 2, USCALED = 3, SSCALED = 4, UINT = 5, SINT = 6;

uint load_byte(uint at)
{
    return words[at >> 2] >> (at & 3) * 8 & 0xffu;
}

// `width` bits (1 to 32) that begin `bit` bits after a byte.
uint load_bits(uint at, uint bit, uint width)
{
    at += bit >> 3;
    uint shift = bit & 7, value = 0, have = 0;
    while (have < width + shift && have < 32) {
        value |= load_byte(at++) << have;
        have += 8;
    }
    value >>= shift;
    return width == 32 ? value : value & ((1u << width) - 1);
}

// In bits: lavapipe (Mesa 22.3) dies of unpackHalf2x16 on machines without AVX.
uint decode_half(uint h)
{
    uint m = h & 0x7fffu, bits = (m << 13) + 0x38000000u;
    if (m < 0x400u)
        bits = floatBitsToUint(float(m) * 5.9604644775390625e-8); // subnormal: times 2^-24
    if (m > 0x7bffu)
        bits = m << 13 | 0x7f800000u;
    return (h & 0x8000u) << 16 | bits;
}

uint decode(uint value, uint width)
{
    int sign = int(value << 32 - width) >> int(32 - width);
    float most = float((1u << width - 1) - 1);
    if (kind == UNORM)
        return floatBitsToUint(float(value) / float((1u << width) - 1));
    if (kind == SNORM)
        return floatBitsToUint(max(float(sign) / most, -1.0));
    if (kind == USCALED)
        return floatBitsToUint(float(value));
    if (kind == SSCALED)
        return floatBitsToUint(float(sign));
    if (kind == SINT)
        return uint(sign);
    if (kind == UINT || width == 32)
        return value;
    return decode_half(value);
}

void put_decoded(uint from, uint to, bool inside)
{
    uint one = kind == UINT || kind == SINT ? 1u : floatBitsToUint(1.0);
    uint texel[4] = { 0, 0, 0, one };
    uint bit = 0;
    for (uint i = 0; i < components; i++) {
        uint width = bits >> i * 8 & 0xffu;
        uint value = inside ? load_bits(from, bit, width) : 0;
        texel[places >> i * 4 & 3u] = decode(value, width);
        bit += width;
    }
    for (uint i = 0; i < 4; i++)
        words[(to >> 2) + i] = texel[i];
}

void put_bytes(uint from, uint to)
{
    for (uint i = 0; i < bytes; i++)
        atomicOr(words[to + i >> 2], load_byte(from + i) << (to + i & 3) * 8);
}

void main()
{
    uint all = gl_NumWorkGroups.x * 64;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += all) {
        uint element = divisor == 0 ? 0 : i / divisor;
        uint last = source_bytes / max(source_stride, 1u);
        uint at = min(element, last) * source_stride + offset;
        bool inside = element <= last && at <= source_bytes &&
                      bytes <= source_bytes - at;
        if (kind != 0)
            put_decoded(source + at, result + i * result_stride, inside);
        else if (inside)
            put_bytes(source + at, result + i * result_stride);
    }
}
