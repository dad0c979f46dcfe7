#version 460
#extension GL_GOOGLE_include_directive : require
// The display area as RGBA8, written as words. params[0]: x, y, width, height
// params[1]: row mask, flags (1 off, 2 24 bit)
#include "psx_common.glsl"

layout(local_size_x = 64) in;

layout(set = 2, binding = PSX_BIND_PICTURE, r32ui) writeonly uniform uimage2D picture;
layout(set = 2, binding = PSX_BIND_VRAM_TEXELS) uniform usamplerBuffer vram_texels;

uint expand_15(uint cell)
{
    uint c = (cell & 31u) | (cell & 0x3e0u) << 3 | (cell & 0x7c00u) << 6;
    return c << 3 | (c >> 2 & 0x070707u);
}

uint cell_at(uint x, uint y)
{
    return texelFetch(vram_texels, int(y * 1024u + (x & 1023u))).r;
}

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= params[0].z || at.y >= params[0].w)
        return;
    uint y = (params[0].y + at.y) & params[1].x, color = 0u;
    if (params[1].y == 0u)
        color = expand_15(cell_at(params[0].x + at.x, y));
    if (params[1].y == 2u) { // three bytes, which begin in either half of a cell
        uint first = 2u * params[0].x + 3u * at.x;
        uint pair = cell_at(first >> 1, y) | cell_at((first >> 1) + 1u, y) << 16;
        color = pair >> ((first & 1u) * 8u) & 0xffffffu;
    }
    imageStore(picture, ivec2(at), uvec4(color | 0xff000000u));
}
