#version 460
#extension GL_GOOGLE_include_directive : require
// A record that samples what it draws itself: one invocation, cell by cell, in the order
// of the hardware. params[0]: record; rows of the walks: params[1] first part (first row,
// rows, direction), params[2] second part.
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS
#include "psx_vram.glsl"
#include "../psx_math.h"
#include "psx_pixel.glsl"

layout(local_size_x = 1) in;

void row(uint record, uint y)
{
    uint at = record * PSX_SETUP_WORDS;
    uint first = prepared[at + PSX_SETUP_MIN] & 0xffffu;
    uint last = prepared[at + PSX_SETUP_MAX] & 0xffffu;
    for (uint x = first; x <= last; x++) {
        uint word = y * 512u + (x >> 1), shift = (x & 1u) * 16u;
        uint pair = vram[word], cell = pair >> shift & 0xffffu;
        uint next = draw(record, cell, x, y);
        if (next != cell) {
            vram[word] = (pair & ~(0xffffu << shift)) | next << shift;
            memoryBarrierBuffer();
        }
    }
}

void main()
{
    for (uint part = 1u; part <= 2u; part++)
        for (uint i = 0u; i < params[part].y; i++)
            row(params[0].x, params[part].z != 0u ? params[part].x - i : params[part].x + i);
}
