#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation tests 32 records against one tile and writes a bit for each that may
// touch it. Order is kept by position, so nothing needs sorting and nothing is atomic.
#include "psx_common.glsl"

layout(local_size_x = 64) in;

layout(set = 3, binding = PSX_BIND_SETUP, std430) readonly buffer Setup
{
    uint prepared[];
};
layout(set = 3, binding = PSX_BIND_BINS, std430) writeonly buffer Bins
{
    uint bins[];
};

// params[0]: record count, words per tile, first tile (x | y << 16), tiles (w | h << 16)
// params[1]: tile width and height in cells, tiles in a row of VRAM

// The largest value of an edge function over the tile.
int edge_most(uint at, ivec2 low, ivec2 high)
{
    int a = int(prepared[at]), b = int(prepared[at + 1u]), c = int(prepared[at + 2u]);
    return a * (a > 0 ? high.x : low.x) + b * (b > 0 ? high.y : low.y) + c;
}

bool touches(uint record, ivec2 low, ivec2 high)
{
    uint at = record * PSX_SETUP_WORDS;
    uint from = prepared[at + PSX_SETUP_MIN], to = prepared[at + PSX_SETUP_MAX];
    if (int(from & 0xffffu) > high.x || int(from >> 16) > high.y ||
        int(to & 0xffffu) < low.x || int(to >> 16) < low.y)
        return false;
    if ((prepared[at + PSX_SETUP_KIND] & 7u) != PSX_KIND_TRIANGLE)
        return true;
    at += PSX_SETUP_EDGES;
    return edge_most(at, low, high) >= 0 && edge_most(at + 3u, low, high) >= 0 &&
           edge_most(at + 6u, low, high) >= 0;
}

void main()
{
    uint words = params[0].y, width = params[0].w & 0xffffu;
    uint word = gl_GlobalInvocationID.x % words, tile = gl_GlobalInvocationID.x / words;
    if (tile >= width * (params[0].w >> 16))
        return;
    uvec2 at = uvec2(params[0].z & 0xffffu, params[0].z >> 16) +
               uvec2(tile % width, tile / width);
    ivec2 low = ivec2(at * params[1].xy), high = low + ivec2(params[1].xy) - 1;
    uint bits = 0u, count = min(32u, params[0].x - word * 32u);
    for (uint i = 0u; i < count; i++)
        if (touches(word * 32u + i, low, high))
            bits |= 1u << i;
    bins[(at.y * params[1].z + at.x) * words + word] = bits;
}
