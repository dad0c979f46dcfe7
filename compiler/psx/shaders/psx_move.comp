#version 460
#extension GL_GOOGLE_include_directive : require
// Copies and masked uploads, exactly: a workgroup goes row by row, reads a row whole, then
// writes it. Each invocation owns words of the destination row, so that two cells of one
// word are never written apart.
// params[0]: source x, y; destination x, y   params[1]: width, height, flags, y mask
// flags: 1 mask set, 2 mask check, 4 the source is the staging buffer (tight, at word
// params[2].x, params[2].y cells of which are missing at the start and .z present)
// params[2].w: rows of a workgroup, all where a row depends on those above
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS coherent // rows read what other invocations wrote into those above
#include "psx_vram.glsl"

layout(local_size_x = PSX_MOVE_LANES) in;

layout(set = PSX_SET_STORAGE, binding = PSX_BIND_STAGING, std430) readonly buffer Staging
{
    uint staging[];
};

shared uint row[1024];

uint source_cell(uint i, uint j)
{
    if ((params[1].z & 4u) == 0u)
        return load_cell((params[0].x + i) & 1023u, (params[0].y + j) & params[1].w);
    uint cell = j * params[1].x + i - params[2].y; // wraps, and is too large, if missing
    if (cell >= params[2].z)
        return 0u;
    return staging[params[2].x + (cell >> 1)] >> ((cell & 1u) * 16u) & 0xffffu;
}

// Cell `x` of the destination row after the move; `before` is what it holds.
uint moved(uint x, uint j, uint before)
{
    uint i = (x - params[0].z) & 1023u, number = j * params[1].x + i;
    bool staged = (params[1].z & 4u) != 0u;
    bool present = !staged || (number >= params[2].y && number < params[2].y + params[2].z);
    bool kept = (params[1].z & 2u) != 0u && before >= 0x8000u;
    if (i >= params[1].x || !present || kept)
        return before;
    return row[i] | ((params[1].z & 1u) != 0u ? 0x8000u : 0u);
}

void main()
{
    uint begin = gl_WorkGroupID.x * params[2].w, end = begin + params[2].w;
    uint words = min((params[0].z & 1u) + params[1].x + 1u >> 1, 512u);
    for (uint j = begin; j < end; j++) {
        for (uint i = gl_LocalInvocationID.x; i < params[1].x; i += PSX_MOVE_LANES)
            row[i] = source_cell(i, j);
        memoryBarrierShared();
        barrier();
        uint y = (params[0].w + j) & params[1].w;
        for (uint k = gl_LocalInvocationID.x; k < words; k += PSX_MOVE_LANES) {
            uint w = ((params[0].z >> 1) + k) & 511u, before = vram[y * 512u + w];
            uint after = moved(2u * w, j, before & 0xffffu) |
                         moved(2u * w + 1u, j, before >> 16) << 16;
            if (after != before)
                vram[y * 512u + w] = after;
        }
        memoryBarrierBuffer();
        memoryBarrierShared();
        barrier();
    }
}
