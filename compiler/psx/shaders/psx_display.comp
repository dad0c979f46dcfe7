#version 460
#extension GL_GOOGLE_include_directive : require
// The display area as RGBA8. params[0]: x, y, width, height   params[1]: row mask,
// flags (1 off, 2 24 bit)
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS readonly
#include "psx_vram.glsl"

layout(local_size_x = 64) in;

layout(set = 2, binding = PSX_BIND_PICTURE, rgba8) writeonly uniform image2D picture;

vec3 expand_15(uint cell)
{
    uvec3 c = uvec3(cell, cell >> 5, cell >> 10) & 31u;
    return vec3(c << 3 | c >> 2) / 255.0;
}

uint byte_at(uint index, uint y)
{
    index &= 2047u;
    return vram[y * 512u + (index >> 2)] >> ((index & 3u) * 8u) & 255u;
}

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= params[0].z || at.y >= params[0].w)
        return;
    uint y = (params[0].y + at.y) & params[1].x;
    vec3 color = vec3(0.0);
    if (params[1].y == 0u) {
        color = expand_15(load_cell((params[0].x + at.x) & 1023u, y));
    } else if (params[1].y == 2u) {
        uint first = 2u * params[0].x + 3u * at.x;
        color = vec3(byte_at(first, y), byte_at(first + 1u, y), byte_at(first + 2u, y)) / 255.0;
    }
    imageStore(picture, ivec2(at), vec4(color, 1.0));
}
