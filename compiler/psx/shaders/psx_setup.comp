#version 460
#extension GL_GOOGLE_include_directive : require
#ifndef PSX_MINIMAL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
// One invocation prepares one record, a quad's two, and puts them into the bins of the
// tiles they touch. Order is kept by position, so that nothing needs sorting.
#include "psx_common.glsl"
#include "../psx_math.h"

layout(local_size_x = PSX_SETUP_LANES) in;

layout(set = PSX_SET_STORAGE, binding = PSX_BIND_RECORDS, std430) readonly buffer Records
{
    uint records[];
};
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_SETUP, std430) writeonly buffer Setup
{
    uvec4 prepared[];
};
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_BINS, std430) buffer Bins
{
    uint bins[];
};

// params[0]: record count, word of the first state, of the first record, of the first span
// params[1]: word of the quad mask, words per bin, tile width, tile height in cells
// params[2]: first tile (x | y << 16), tiles in a row
uint source; // first word of this record

// What is being prepared.
struct Record {
    ivec2 low, high;
    ivec3 edges[3];
    uint base[5], dx[5], dy[5];
};

uint field(uint word)
{
    return records[source + word * params[0].x];
}

ivec2 position(uint v)
{
    return ivec2(int(v << 16) >> 16, int(v) >> 16);
}

ivec3 color(uint v)
{
    return ivec3(v & 255u, v >> 8 & 255u, v >> 16 & 255u);
}

ivec2 texture_at(uint v)
{
    return ivec2(v & 255u, v >> 8 & 255u);
}

void flat_color(inout Record r, ivec3 c)
{
    for (uint i = 0u; i < 3u; i++) {
        r.base[i] = uint(c[i]) << 24;
        r.dx[i] = 0u;
        r.dy[i] = 0u;
    }
}

void no_edges(inout Record r)
{
    for (uint i = 0u; i < 3u; i++)
        r.edges[i] = ivec3(0);
}

void no_texture(inout Record r)
{
    for (uint i = 3u; i < 5u; i++) {
        r.base[i] = 0u;
        r.dx[i] = 0u;
        r.dy[i] = 0u;
    }
}

// a*x + b*y + c >= 0 on the right of the edge from p down to q; if not `left`, > 0 on its
// left. A horizontal edge bounds no row.
ivec3 edge(ivec2 p, ivec2 q, bool left)
{
    int a = q.y - p.y, b = p.x - q.x, c = -(a * p.x + b * p.y);
    if (a == 0)
        return ivec3(0);
    return left ? ivec3(a, b, c) : ivec3(-a, -b, -c - 1);
}

void swap_if(bool swap, inout ivec2 p, inout ivec2 q, inout ivec3 cp, inout ivec3 cq,
             inout ivec2 tp, inout ivec2 tq)
{
    ivec2 p2 = swap ? q : p, t2 = swap ? tq : tp;
    ivec3 c2 = swap ? cq : cp;
    q = swap ? p : q;
    tq = swap ? tp : tq;
    cq = swap ? cp : cq;
    p = p2;
    tp = t2;
    cp = c2;
}

// `second`: the other half of a quad, vertices 1, 2 and 3.
void triangle(inout Record r, bool gouraud, bool second)
{
    uint uv01 = field(7u), uv2 = field(8u), c1w = field(5u), c2w = field(6u);
    uint p1w = field(3u), p2w = field(4u);
    ivec2 p0 = position(second ? p1w : field(2u)), p1 = position(second ? p2w : p1w),
          p2 = position(second ? field(9u) : p2w);
    ivec3 c0 = color(second && gouraud ? c1w : field(1u)), c1 = color(second ? c2w : c1w),
          c2 = color(second ? field(10u) : c2w), flat0 = c0;
    ivec2 t0 = texture_at(second ? uv01 >> 16 : uv01),
          t1 = texture_at(second ? uv2 : uv01 >> 16),
          t2 = texture_at(second ? field(11u) : uv2);
    int core = psx_core_vertex(p0.x, p1.x, p2.x);
    ivec2 pc = core == 0 ? p0 : core == 1 ? p1 : p2;
    ivec3 cc = core == 0 ? c0 : core == 1 ? c1 : c2;
    ivec2 tc = core == 0 ? t0 : core == 1 ? t1 : t2;
    // Stable sort by y.
    swap_if(p1.y < p0.y, p0, p1, c0, c1, t0, t1);
    swap_if(p2.y < p1.y, p1, p2, c1, c2, t1, t2);
    swap_if(p1.y < p0.y, p0, p1, c0, c1, t0, t1);
    int area = psx_area(p0.x, p0.y, p1.x, p1.y, p2.x, p2.y);
    if (area == 0 || p0.y == p2.y) {
        r.low = ivec2(1);
        r.high = ivec2(0);
        area = 1;
    } else {
        r.low = ivec2(min(p0.x, min(p1.x, p2.x)), p0.y);
        r.high = ivec2(max(p0.x, max(p1.x, p2.x)) - 1, p2.y - 1);
    }
    r.edges[0] = edge(p0, p2, area > 0);
    r.edges[1] = edge(p0, p1, area < 0);
    r.edges[2] = edge(p1, p2, area < 0);
    int d10y = p1.y - p0.y, d21y = p2.y - p1.y, d10x = p1.x - p0.x, d21x = p2.x - p1.x;
    int v0[5] = int[5](c0.r, c0.g, c0.b, t0.x, t0.y);
    int v1[5] = int[5](c1.r, c1.g, c1.b, t1.x, t1.y);
    int v2[5] = int[5](c2.r, c2.g, c2.b, t2.x, t2.y);
    int vc[5] = int[5](cc.r, cc.g, cc.b, tc.x, tc.y);
    for (uint i = 0u; i < 5u; i++) {
        uint dx = psx_gradient(v0[i], v1[i], v2[i], d10y, d21y, area);
        uint dy = 0u - psx_gradient(v0[i], v1[i], v2[i], d10x, d21x, area);
        uint base = (uint(vc[i]) << 24) + (1u << 23);
        r.base[i] = base - dx * uint(pc.x) - dy * uint(pc.y);
        r.dx[i] = dx;
        r.dy[i] = dy;
    }
    if (!gouraud)
        flat_color(r, flat0);
}

void rectangle(inout Record r, uint flags)
{
    ivec2 corner = position(field(2u)), size = position(field(3u));
    ivec2 uv = texture_at(field(7u));
    bool flip_u = (flags & PSX_STATE_FLIP_U) != 0u, flip_v = (flags & PSX_STATE_FLIP_V) != 0u;
    uint du = flip_u ? 0u - (1u << 24) : 1u << 24, dv = flip_v ? 0u - (1u << 24) : 1u << 24;
    uint u = flip_u ? uint(uv.x) | 1u : uint(uv.x);
    r.low = corner;
    r.high = corner + size - 1;
    no_edges(r);
    flat_color(r, color(field(1u)));
    r.base[3] = (u << 24) - du * uint(corner.x);
    r.dx[3] = du;
    r.dy[3] = 0u;
    r.base[4] = (uint(uv.y) << 24) - dv * uint(corner.y);
    r.dx[4] = 0u;
    r.dy[4] = dv;
}

// A line is the cells between two edges: those whose distance from it, in 2k-ths along the
// minor axis, rounds to nothing (psx_line_x, psx_line_y).
void line(inout Record r)
{
    ivec2 p = position(field(2u)), q = position(field(3u)), none0 = ivec2(0), none1 = none0;
    ivec3 cp = color(field(1u)), cq = color(field(5u));
    int k = max(abs(q.x - p.x), abs(q.y - p.y));
    swap_if(k > 0 && p.x >= q.x, p, q, cp, cq, none0, none1);
    ivec2 d = q - p;
    int s = d.y < 0 ? -1 : 1;
    bool flat_line = d.x == k; // x is the major axis
    ivec3 e = flat_line ? ivec3(2 * abs(d.y), -2 * k * s, k) : ivec3(-2 * k, 2 * d.x * s, k - 1);
    e.z -= e.x * p.x + e.y * p.y;
    r.low = ivec2(p.x, min(p.y, q.y));
    r.high = ivec2(q.x, max(p.y, q.y));
    no_edges(r);
    if (k > 0) {
        r.edges[0] = e;
        r.edges[1] = ivec3(-e.xy, 2 * k - 1 - e.z);
    }
    for (uint i = 0u; i < 3u; i++) {
        uint change = uint(psx_line_step(cp[i], cq[i], k)) * 4096u;
        r.dx[i] = flat_line ? change : 0u;
        r.dy[i] = flat_line ? 0u : change * uint(s);
        r.base[i] = uint(4096 * cp[i] + 2048) * 4096u - r.dx[i] * uint(p.x) -
                    r.dy[i] * uint(p.y);
    }
    no_texture(r);
}

void span(inout Record r)
{
    int row = int(field(2u));
    uint columns = field(3u), planes = params[0].w + field(4u) * PSX_SPAN_WORDS;
    r.low = ivec2(columns & 0xffffu, row);
    r.high = ivec2(columns >> 16, row);
    no_edges(r);
    for (uint i = 0u; i < 5u; i++) {
        r.base[i] = records[planes + 2u * i];
        r.dx[i] = records[planes + 2u * i + 1u];
        r.dy[i] = 0u;
    }
}

void clip(inout Record r, uint state)
{
    uint clip0 = records[state], clip1 = records[state + 1u];
    r.low = max(r.low, ivec2(clip0 & 0xffffu, clip0 >> 16));
    r.high = min(r.high, ivec2(clip1 & 0xffffu, clip1 >> 16));
    if (r.low.x > r.high.x || r.low.y > r.high.y) {
        r.low = ivec2(1);
        r.high = ivec2(0);
    }
}

void store(Record r, uint index, uint state)
{
    uint at = index * PSX_SETUP_TEXELS;
    prepared[at] = uvec4(uint(r.low.x | r.low.y << 16), uint(r.high.x | r.high.y << 16),
                         records[state + 2u], records[state + 3u]);
    prepared[at + 1u] = uvec4(r.edges[0], field(8u) >> 16);
    prepared[at + 2u] = uvec4(r.edges[1], 0u);
    prepared[at + 3u] = uvec4(r.edges[2], 0u);
    prepared[at + 4u] = uvec4(r.base[0], r.base[1], r.base[2], r.base[3]);
    prepared[at + 5u] = uvec4(r.base[4], r.dx[0], r.dx[1], r.dx[2]);
    prepared[at + 6u] = uvec4(r.dx[3], r.dx[4], r.dy[0], r.dy[1]);
    prepared[at + 7u] = uvec4(r.dy[2], r.dy[3], r.dy[4], 0u);
}

// Whether some cell of the tile may lie on the right side of an edge.
bool may_touch(ivec3 e, ivec2 low, ivec2 high)
{
    return e.x * (e.x > 0 ? high.x : low.x) + e.y * (e.y > 0 ? high.y : low.y) + e.z >= 0;
}

// What an invocation has to put into bins: first and last tile (nothing: last before
// first), edges, number.
struct Binned {
    ivec2 bounds;
    ivec3 edges[3];
    uint index;
};

Binned binned(Record own, uint index, bool has_record)
{
    ivec2 size = ivec2(params[1].zw), origin = ivec2(params[2].x & 0xffffu, params[2].x >> 16);
    ivec2 low = own.low / size - origin, high = own.high / size - origin;
    bool some = has_record && own.low.x <= own.high.x;
    ivec2 bounds = some ? ivec2(low.x | low.y << 16, high.x | high.y << 16) : ivec2(0, -65536);
    return Binned(bounds, own.edges, index);
}

// Takes up to `turns` steps through the tiles of `b` from that of lane `self`, with
// `steps` of them side by side.
void walk_tiles(Binned b, ivec2 steps, uint self, int turns)
{
    ivec2 size = ivec2(params[1].zw), origin = ivec2(params[2].x & 0xffffu, params[2].x >> 16);
    ivec2 first = ivec2(b.bounds.x & 0xffff, b.bounds.x >> 16),
          last = ivec2(b.bounds.y & 0xffff, b.bounds.y >> 16);
    int across = (last.x - first.x + steps.x) / steps.x;
    ivec2 start = first + ivec2(int(self) % steps.x, int(self) / steps.x), tile = start;
    for (int turn = 0; turn < turns; turn++) {
        ivec2 corner = (tile + origin) * size, far = corner + size - 1;
        if (tile.x <= last.x && tile.y <= last.y && may_touch(b.edges[0], corner, far) &&
            may_touch(b.edges[1], corner, far) && may_touch(b.edges[2], corner, far)) {
            uint bin = uint(tile.y * int(params[2].y) + tile.x) * PSX_BIN_STRIDE(params[1].y);
            uint word = b.index / 32u;
            if (atomicOr(bins[bin + 1u + word], 1u << (b.index & 31u)) == 0u)
                atomicOr(bins[bin], 1u << word);
        }
        bool wrap = tile.x - start.x + steps.x >= across * steps.x;
        tile = wrap ? ivec2(start.x, tile.y + steps.y) : ivec2(tile.x + steps.x, tile.y);
    }
}

int turns_of(Binned b, ivec2 steps)
{
    ivec2 first = ivec2(b.bounds.x & 0xffff, b.bounds.x >> 16),
          last = ivec2(b.bounds.y & 0xffff, b.bounds.y >> 16);
    ivec2 count = (last - first + steps) / steps;
    return count.x * count.y;
}

#ifdef PSX_MINIMAL

shared Binned together[PSX_SETUP_LANES];

// Puts the records of eight neighbouring invocations into bins, one after another: they
// share a record's tiles, so that a large one does not keep the others waiting.
void put_in_bins(Record own, uint own_index, bool has_record)
{
    uint lane = gl_LocalInvocationIndex, self = lane % 8u;
    barrier(); // all are done with those of before
    together[lane] = binned(own, own_index, has_record);
    memoryBarrierShared();
    barrier();
    for (uint i = 0u; i < 8u; i++) {
        Binned b = together[lane - self + i];
        walk_tiles(b, ivec2(4, 2), self, turns_of(b, ivec2(4, 2)));
    }
}

#else

ivec3 shuffled(ivec3 v, uint lane)
{
    return ivec3(subgroupShuffle(v.x, lane), subgroupShuffle(v.y, lane), subgroupShuffle(v.z, lane));
}

// The same through subgroups, as many together as one has, up to eight. All take part,
// those without a record too, and all of a subgroup take as many turns: shuffles want them
// together.
void put_in_bins(Record own, uint own_index, bool has_record)
{
    const uint together = min(8u, gl_SubgroupSize);
    const ivec2 steps = ivec2(max(int(together) / 2, 1), together > 1u ? 2 : 1);
    Binned mine = binned(own, own_index, has_record);
    uint self = gl_SubgroupInvocationID % together, base = gl_SubgroupInvocationID - self;
    for (uint i = 0u; i < together; i++) {
        uint lane = base + i;
        Binned b;
        b.index = subgroupShuffle(own_index, lane);
        b.edges[0] = shuffled(own.edges[0], lane);
        b.edges[1] = shuffled(own.edges[1], lane);
        b.edges[2] = shuffled(own.edges[2], lane);
        b.bounds =
            ivec2(subgroupShuffle(mine.bounds.x, lane), subgroupShuffle(mine.bounds.y, lane));
        int turns = turns_of(b, steps);
        for (uint step = together; step < min(gl_SubgroupSize, PSX_SETUP_LANES); step *= 2u)
            turns = max(turns, subgroupShuffle(turns, gl_SubgroupInvocationID ^ step));
        walk_tiles(b, steps, self, turns);
    }
}

#endif

// Records before this one, quads counted twice.
uint prepared_index(uint index)
{
    uint sum = index;
    for (uint w = 0u; w < index / 32u; w++)
        sum += uint(bitCount(records[params[1].x + w]));
    uint before = (1u << (index & 31u)) - 1u;
    return sum + uint(bitCount(records[params[1].x + index / 32u] & before));
}

void main()
{
    // Where there is no record the last one is prepared again, for nothing.
    bool present = gl_GlobalInvocationID.x < params[0].x;
    uint index = min(gl_GlobalInvocationID.x, params[0].x - 1u);
    source = params[0].z + index;
    uint target = prepared_index(index), head = field(0u), kind = head & 7u;
    uint state = params[0].y + (head >> 8) * PSX_STATE_WORDS;
    bool gouraud = (head & PSX_GOURAUD) != 0u, binned = present && (head & PSX_UNBINNED) == 0u;
    uint parts = kind == PSX_KIND_QUAD ? 2u : 1u;
    for (uint part = 0u; part < 2u; part++) {
        bool wanted = part < parts;
        Record r;
        if (kind == PSX_KIND_TRIANGLE || kind == PSX_KIND_QUAD)
            triangle(r, gouraud, part == 1u);
        else if (kind == PSX_KIND_LINE)
            line(r);
        else if (kind == PSX_KIND_SPAN)
            span(r);
        else
            rectangle(r, records[state + 2u]);
        clip(r, state);
        if (present && wanted)
            store(r, target + part, state);
        put_in_bins(r, target + part, binned && wanted);
    }
}
