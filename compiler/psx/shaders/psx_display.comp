#version 460
#extension GL_GOOGLE_include_directive : require
// The display area as RGBA8, four pixels an invocation: rows of a buffer that is then
// copied to the picture, since some devices store to images pixel by pixel.
// params[0]: x, y, width / 4, height   params[1]: row mask, flags (1 off, 2 24 bit)
#include "psx_common.glsl"

layout(local_size_x = 32) in;

layout(set = 2, binding = PSX_BIND_VRAM_TEXELS) uniform usamplerBuffer vram_texels;
layout(set = 3, binding = PSX_BIND_PICTURE, std430) writeonly buffer Picture
{
    uvec4 picture[];
};

uint expand_15(uint cell)
{
    uint c = (cell & 31u) | (cell & 0x3e0u) << 3 | (cell & 0x7c00u) << 6;
    return c << 3 | (c >> 2 & 0x070707u);
}

uint cell_at(uint x, uint y)
{
    return texelFetch(vram_texels, int(y * 1024u + (x & 1023u))).r;
}

uint pixel(uint i, uint y)
{
    uint color = 0u;
    if (params[1].y == 0u)
        color = expand_15(cell_at(params[0].x + i, y));
    if (params[1].y == 2u) { // three bytes, which begin in either half of a cell
        uint first = 2u * params[0].x + 3u * i;
        uint pair = cell_at(first >> 1, y) | cell_at((first >> 1) + 1u, y) << 16;
        color = pair >> ((first & 1u) * 8u) & 0xffffffu;
    }
    return color | 0xff000000u;
}

void main()
{
    uint at = gl_GlobalInvocationID.x, row = at / params[0].z, i = at % params[0].z * 4u;
    uint y = (params[0].y + row) & params[1].x;
    if (row < params[0].w)
        picture[at] = uvec4(pixel(i, y), pixel(i + 1u, y), pixel(i + 2u, y), pixel(i + 3u, y));
}
