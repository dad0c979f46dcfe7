#version 460
#extension GL_GOOGLE_include_directive : require
// A GPUREAD word that is not VRAM: known bits, and bits of the word read last.
// params[0]: bits, mask of those from the last word
#include "psx_common.glsl"

layout(local_size_x = 1) in;

layout(set = PSX_SET_STORAGE, binding = PSX_BIND_STAGING, std430) buffer Staging
{
    uint staging[];
};

void main()
{
    staging[1] = params[0].x | (staging[0] & params[0].y);
}
