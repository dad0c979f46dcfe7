#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup loads one palette: 16 or 256 cells of a VRAM row, wrapping in x.
// params[0]: word of the first load, its number. A load: x | y << 10 | (256 entries) << 31,
// then its slot.
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS readonly
#include "psx_vram.glsl"

layout(local_size_x = 64) in;

layout(set = PSX_SET_STORAGE, binding = PSX_BIND_RECORDS, std430) readonly buffer Records
{
    uint records[];
};
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_CLUT, std430) writeonly buffer Clut
{
    uint cluts[];
};

void main()
{
    uint at = params[0].x + (params[0].y + gl_WorkGroupID.x) * 2u;
    uint from = records[at], slot = records[at + 1u];
    uint x = from & 1023u, y = from >> 10 & 1023u, words = (from >> 31) != 0u ? 128u : 8u;
    for (uint i = gl_LocalInvocationID.x; i < words; i += 64u)
        cluts[slot * PSX_CLUT_SLOT_WORDS + i] = load_cell((x + 2u * i) & 1023u, y) |
                                                load_cell((x + 2u * i + 1u) & 1023u, y) << 16;
}
