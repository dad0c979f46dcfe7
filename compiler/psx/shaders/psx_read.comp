#version 460
#extension GL_GOOGLE_include_directive : require
// VRAM to GPUREAD words. params[0]: x, y, width, first cell   params[1]: cells, y mask
// Words go to the staging buffer from word 1; word 0 keeps the last one read.
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS readonly
#include "psx_vram.glsl"

layout(local_size_x = 64) in;

layout(set = PSX_SET_STORAGE, binding = PSX_BIND_STAGING, std430) writeonly buffer Staging
{
    uint staging[];
};

uint cell(uint i)
{
    if (i >= params[1].x)
        return 0u;
    i += params[0].w;
    return load_cell((params[0].x + i % params[0].z) & 1023u,
                     (params[0].y + i / params[0].z) & params[1].y);
}

void main()
{
    uint word = gl_GlobalInvocationID.x, words = (params[1].x + 1u) / 2u;
    if (word >= words)
        return;
    uint value = cell(2u * word) | cell(2u * word + 1u) << 16;
    staging[1u + word] = value;
    if (word == words - 1u)
        staging[0] = value;
}
