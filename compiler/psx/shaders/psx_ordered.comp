#version 460
#extension GL_GOOGLE_include_directive : require
// A record that samples what it draws itself: one invocation, cell by cell, in the order
// of the hardware. params[0]: record, first row, rows, upward
#include "psx_common.glsl"
#include "../psx_math.h"

#define PSX_VRAM_ACCESS
#include "psx_vram.glsl"

#define PSX_VRAM_CELL(index) load_cell((index) & 1023u, (index) >> 10)
#include "psx_pixel.glsl"

layout(local_size_x = 1) in;

// The columns of row `y` on the right side of an edge.
void cut(uvec4 e, int y, inout int first, inout int last)
{
    int a = int(e.x), rest = int(e.y) * y + int(e.z); // a*x + rest >= 0
    if (a > 0)
        first = max(first, psx_div_ceil(-rest, a));
    else if (a < 0)
        last = min(last, psx_div_floor(rest, -a));
    else if (rest < 0)
        last = first - 1;
}

void row(const Record r, uint y)
{
    int first = int(r.head.x & 0xffffu), last = int(r.head.y & 0xffffu);
    cut(r.edge0, int(y), first, last);
    cut(r.edge1, int(y), first, last);
    cut(r.edge2, int(y), first, last);
    for (int i = first; i <= last; i++) {
        uint x = uint(i), word = y * 512u + (x >> 1), shift = (x & 1u) * 16u;
        uint pair = vram[word], cell = pair >> shift & 0xffffu;
        // Cell by cell: what becomes of the second cell of the pair is dropped.
        uint next = draw(r, cell, x, y) & 0xffffu;
        if (next != cell) {
            vram[word] = (pair & ~(0xffffu << shift)) | next << shift;
            memoryBarrierBuffer();
        }
    }
}

void main()
{
    int at = int(params[0].x * PSX_SETUP_TEXELS);
    Record r = Record(texelFetch(setup_texels, at), texelFetch(setup_texels, at + 1),
                      texelFetch(setup_texels, at + 2), texelFetch(setup_texels, at + 3),
                      texelFetch(setup_texels, at + 4), texelFetch(setup_texels, at + 5),
                      texelFetch(setup_texels, at + 6), texelFetch(setup_texels, at + 7));
    for (uint i = 0u; i < params[0].z; i++)
        row(r, params[0].w != 0u ? params[0].y - i : params[0].y + i);
}
