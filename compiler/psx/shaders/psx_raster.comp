#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup owns one tile and walks its records in order; one invocation owns two
// neighbouring cells, which are one word of VRAM.
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS
#include "psx_vram.glsl"
#include "../psx_math.h"
#include "psx_pixel.glsl"

layout(local_size_x_id = PSX_SPEC_TILE_W, local_size_y_id = PSX_SPEC_TILE_H) in;

layout(set = 3, binding = PSX_BIND_BINS, std430) readonly buffer Bins
{
    uint bins[];
};

// params[0]: first record, last record, words per tile, first tile (x | y << 16)
// params[1]: tiles in a row of VRAM
void main()
{
    uvec2 tile = gl_WorkGroupID.xy + uvec2(params[0].w & 0xffffu, params[0].w >> 16);
    uvec2 at = tile * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy;
    uint x = at.x * 2u, y = at.y, word = y * 512u + at.x;
    uint first = params[0].x, last = params[0].y;
    uint bin = (tile.y * params[1].x + tile.x) * params[0].z;
    uint before = vram[word], low = before & 0xffffu, high = before >> 16;
    for (uint w = first / 32u; w <= last / 32u; w++) {
        uint bits = bins[bin + w];
        if (w == first / 32u)
            bits &= ~0u << (first & 31u);
        if (w == last / 32u)
            bits &= ~0u >> (31u - (last & 31u));
        while (bits != 0u) {
            uint record = w * 32u + uint(findLSB(bits));
            bits &= bits - 1u;
            low = draw(record, low, x, y);
            high = draw(record, high, x + 1u, y);
        }
    }
    uint after = low | high << 16;
    if (after != before)
        vram[word] = after;
}
