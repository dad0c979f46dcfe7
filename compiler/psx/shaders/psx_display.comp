#version 460
#extension GL_GOOGLE_include_directive : require
// The display area as RGBA8, four pixels an invocation: rows of a buffer that is then
// copied to the picture, since some devices store to images pixel by pixel.
// params[0]: x, y, width / 4, height   params[1]: row mask, flags (1 off, 2 24 bit)
#include "psx_common.glsl"

layout(local_size_x = 32) in;

#ifdef PSX_MINIMAL // VRAM is more texels than a texel buffer need hold
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_VRAM, std430) readonly buffer Vram
{
    uint vram[];
};
#define VRAM_WORD(index) vram[index]
#else
layout(set = PSX_SET_TEXTURE, binding = PSX_BIND_VRAM_WORDS) uniform usamplerBuffer vram_words;
#define VRAM_WORD(index) texelFetch(vram_words, int(index)).r
#endif
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_PICTURE, std430) writeonly buffer Picture
{
    uvec4 picture[];
};

uint expand_15(uint cell)
{
    uint c = (cell & 31u) | (cell & 0x3e0u) << 3 | (cell & 0x7c00u) << 6;
    return c << 3 | (c >> 2 & 0x070707u);
}

// Words of row `y`; the display begins at an even column, so pixels by fours do too.
uint word_at(uint i, uint y)
{
    return VRAM_WORD(y * 512u + (i & 511u));
}

uvec4 pixels_15(uint i, uint y)
{
    uint low = word_at((params[0].x + i) >> 1, y), high = word_at((params[0].x + i + 2u) >> 1, y);
    return uvec4(expand_15(low), expand_15(low >> 16), expand_15(high), expand_15(high >> 16));
}

// Three bytes each.
uvec4 pixels_24(uint i, uint y)
{
    uint first = (params[0].x >> 1) + i / 4u * 3u;
    uint a = word_at(first, y), b = word_at(first + 1u, y), c = word_at(first + 2u, y);
    return uvec4(a, a >> 24 | b << 8, b >> 16 | c << 16, c >> 8) & 0xffffffu;
}

void main()
{
    uint at = gl_GlobalInvocationID.x, row = at / params[0].z, i = at % params[0].z * 4u;
    uint y = (params[0].y + row) & params[1].x;
    uvec4 color = uvec4(0u);
    if (params[1].y == 0u)
        color = pixels_15(i, y);
    if (params[1].y == 2u)
        color = pixels_24(i, y);
    if (row < params[0].w)
        picture[at] = color | 0xff000000u;
}
