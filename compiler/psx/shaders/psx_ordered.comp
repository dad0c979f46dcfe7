#version 460
#extension GL_GOOGLE_include_directive : require
#ifndef PSX_MINIMAL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
// A record that samples what it draws itself, in the order of the hardware. Invocations
// draw the words of a row side by side, a piece at a time; cell by cell where a texel is an
// earlier cell of the piece. With PSX_MINIMAL there is one invocation, whose piece is a
// word. params[0]: record, first row, rows, upward
#include "psx_common.glsl"
#include "../psx_math.h"

#define PSX_VRAM_ACCESS coherent
#include "psx_vram.glsl"

#define PSX_VRAM_CELL(index) load_cell((index) & 1023u, (index) >> 10)
#include "psx_pixel.glsl"

#ifdef PSX_MINIMAL
layout(local_size_x = 1) in;
#define LANE 0u
#define LANES 1u
#define SUBGROUP_BARRIER()
#define SUBGROUP_MEMORY_BARRIER()
#define OF_LANE(value, lane) (value)
#else
layout(local_size_x = PSX_SETUP_LANES) in; // whole subgroups, whose first lanes work
#define LANE gl_SubgroupInvocationID
#define LANES min(8u, gl_SubgroupSize)
#define SUBGROUP_BARRIER() subgroupBarrier()
#define SUBGROUP_MEMORY_BARRIER() subgroupMemoryBarrierBuffer()
#define OF_LANE(value, lane) subgroupShuffle(value, lane)
#endif

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

// Whether a texel of the piece that begins at column `base` is one of its earlier cells.
bool must_wait(const Record r, uint base, uint y, uint lanes, bool present)
{
    uint lane = LANE;
    uvec2 u, v;
    texture_coordinates(r, base + 2u * lane, y, u, v);
    uvec2 from = texel_cells(r.head.z, r.head.w, u, v) - (y * 1024u + base);
    bool some = present && (from.x < 2u * lane || from.y < 2u * lane + 1u);
    for (uint step = 1u; step < lanes; step *= 2u)
        some = (OF_LANE(uint(some), lane ^ step) | uint(some)) != 0u;
    return some;
}

void row(const Record r, uint y)
{
    int first = int(r.head.x & 0xffffu), last = int(r.head.y & 0xffffu);
    cut(r.edge0, int(y), first, last);
    cut(r.edge1, int(y), first, last);
    cut(r.edge2, int(y), first, last);
    uint lanes = LANES, lane = LANE;
    for (int base = first & ~1; base <= last; base += 2 * int(lanes)) {
        uint x = uint(base) + 2u * lane, word = y * 512u + (x >> 1);
        bool present = int(x) <= last;
        uint turns = must_wait(r, uint(base), y, lanes, present) ? 2u * lanes : 1u;
        for (uint i = 0u; i < turns; i++) {
            uint own = lane == i >> 1 ? 0xffffu << (i & 1u) * 16u : 0u;
            uint drawn = turns == 1u ? ~0u : own;
            uint before = present ? vram[word] : 0u;
            uint next = (before & ~drawn) | (draw(r, before, x, y) & drawn);
            SUBGROUP_BARRIER(); // all have read
            if (present && next != before)
                vram[word] = next;
            SUBGROUP_MEMORY_BARRIER();
            SUBGROUP_BARRIER();
        }
    }
}

void main()
{
#ifndef PSX_MINIMAL
    if (gl_SubgroupID != 0u || gl_SubgroupInvocationID >= 8u)
        return; // invocations of one subgroup see each other's cells in time
#endif
    int at = int(params[0].x * PSX_SETUP_TEXELS);
    Record r = Record(texelFetch(setup_texels, at), texelFetch(setup_texels, at + 1),
                      texelFetch(setup_texels, at + 2), texelFetch(setup_texels, at + 3),
                      texelFetch(setup_texels, at + 4), texelFetch(setup_texels, at + 5),
                      texelFetch(setup_texels, at + 6), texelFetch(setup_texels, at + 7));
    for (uint i = 0u; i < params[0].z; i++)
        row(r, params[0].w != 0u ? params[0].y - i : params[0].y + i);
}
