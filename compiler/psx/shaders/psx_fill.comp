#version 460
#extension GL_GOOGLE_include_directive : require
// A fill, eight cells an invocation: it begins and ends at multiples of 16.
// params[0]: first column / 8, first row, columns / 8, rows   params[1]: two cells, row mask,
// 1 + the parity of rows to leave (0: none)
#include "psx_common.glsl"

layout(local_size_x = 64) in;

layout(set = PSX_SET_STORAGE, binding = PSX_BIND_VRAM, std430) writeonly buffer Vram
{
    uvec4 vram[];
};

void main()
{
    uint i = gl_GlobalInvocationID.x, row = i / params[0].z, column = i % params[0].z;
    uint y = (params[0].y + row) & params[1].y;
    if (row < params[0].w && params[1].z != 1u + (y & 1u))
        vram[y * 128u + ((params[0].x + column) & 127u)] = uvec4(params[1].x);
}
