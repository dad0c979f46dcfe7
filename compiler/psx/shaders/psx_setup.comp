#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation prepares one record: clipping, edges, gradients.
#include "psx_common.glsl"
#include "../psx_math.h"

layout(local_size_x = 64) in;

layout(set = 3, binding = PSX_BIND_RECORDS, std430) readonly buffer Records
{
    uint records[];
};
layout(set = 3, binding = PSX_BIND_SETUP, std430) writeonly buffer Setup
{
    uint prepared[];
};

// params[0]: record count, word of the first state, of the first record, of the first span
// params[1]: word of the quad mask
uint source; // first word of this record
uint target; // word of its prepared form

uint field(uint word)
{
    return records[source + word * params[0].x];
}

ivec2 position(uint word)
{
    uint v = field(word);
    return ivec2(int(v << 16) >> 16, int(v) >> 16);
}

ivec3 color(uint word)
{
    uint v = field(word);
    return ivec3(v & 255u, v >> 8 & 255u, v >> 16 & 255u);
}

ivec2 texture_at(uint vertex)
{
    uint v = vertex < 3u ? field(7u + vertex / 2u) >> (vertex % 2u) * 16u : field(11u);
    return ivec2(v & 255u, v >> 8 & 255u);
}

void put(uint word, uint value)
{
    prepared[target + word] = value;
}

void put_plane(uint index, uint base, uint dx, uint dy)
{
    put(PSX_SETUP_PLANES + 3u * index, base);
    put(PSX_SETUP_PLANES + 3u * index + 1u, dx);
    put(PSX_SETUP_PLANES + 3u * index + 2u, dy);
}

// a*x + b*y + c >= 0 (> 0 if strict) on the right of the edge from p down to q.
void put_edge(uint index, ivec2 p, ivec2 q, bool left)
{
    int a = q.y - p.y, b = p.x - q.x, c = -(a * p.x + b * p.y);
    if (a == 0) { // a horizontal edge bounds no row
        b = 0;
        c = 0;
    } else if (!left) { // on its left, the edge itself excluded
        a = -a;
        b = -b;
        c = -c - 1;
    }
    put(PSX_SETUP_EDGES + 3u * index, uint(a));
    put(PSX_SETUP_EDGES + 3u * index + 1u, uint(b));
    put(PSX_SETUP_EDGES + 3u * index + 2u, uint(c));
}

void put_no_edges()
{
    for (uint i = 0u; i < 9u; i++)
        put(PSX_SETUP_EDGES + i, 0u);
}

void put_bounds(ivec2 low, ivec2 high, uint state)
{
    uint clip0 = records[state], clip1 = records[state + 1u];
    low = max(low, ivec2(clip0 & 0xffffu, clip0 >> 16));
    high = min(high, ivec2(clip1 & 0xffffu, clip1 >> 16));
    if (low.x > high.x || low.y > high.y) {
        low = ivec2(1);
        high = ivec2(0);
    }
    put(PSX_SETUP_MIN, uint(low.x | low.y << 16));
    put(PSX_SETUP_MAX, uint(high.x | high.y << 16));
}

void flat_colors()
{
    ivec3 c = color(1u);
    for (uint i = 0u; i < 3u; i++)
        put_plane(i, uint(c[i]) << 24, 0u, 0u);
}

void swap_if(bool swap, inout ivec2 p, inout ivec2 q, inout ivec3 cp, inout ivec3 cq,
             inout ivec2 tp, inout ivec2 tq)
{
    if (!swap)
        return;
    ivec2 t = p;
    p = q;
    q = t;
    ivec3 c = cp;
    cp = cq;
    cq = c;
    t = tp;
    tp = tq;
    tq = t;
}

// `second`: the other half of a quad, vertices 1, 2 and 3.
void triangle(bool gouraud, bool second, uint state)
{
    ivec2 p0 = position(second ? 3u : 2u), p1 = position(second ? 4u : 3u),
          p2 = position(second ? 9u : 4u);
    ivec3 c0 = color(second ? 5u : 1u), c1 = color(second ? 6u : 5u),
          c2 = color(second ? 10u : 6u);
    ivec2 t0 = texture_at(second ? 1u : 0u), t1 = texture_at(second ? 2u : 1u),
          t2 = texture_at(second ? 3u : 2u);
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
        put(PSX_SETUP_MIN, 0x00010001u);
        put(PSX_SETUP_MAX, 0u);
        return;
    }
    int low_x = min(p0.x, min(p1.x, p2.x)), high_x = max(p0.x, max(p1.x, p2.x));
    put_bounds(ivec2(low_x, p0.y), ivec2(high_x, p2.y - 1), state);
    put_edge(0u, p0, p2, area > 0);
    put_edge(1u, p0, p1, area < 0);
    put_edge(2u, p1, p2, area < 0);
    int d10y = p1.y - p0.y, d21y = p2.y - p1.y, d10x = p1.x - p0.x, d21x = p2.x - p1.x;
    int v0[5] = int[5](c0.r, c0.g, c0.b, t0.x, t0.y);
    int v1[5] = int[5](c1.r, c1.g, c1.b, t1.x, t1.y);
    int v2[5] = int[5](c2.r, c2.g, c2.b, t2.x, t2.y);
    int vc[5] = int[5](cc.r, cc.g, cc.b, tc.x, tc.y);
    for (uint i = 0u; i < 5u; i++) {
        uint dx = psx_gradient(v0[i], v1[i], v2[i], d10y, d21y, area);
        uint dy = 0u - psx_gradient(v0[i], v1[i], v2[i], d10x, d21x, area);
        uint base = (uint(vc[i]) << 24) + (1u << 23);
        put_plane(i, base - dx * uint(pc.x) - dy * uint(pc.y), dx, dy);
    }
    if (!gouraud)
        flat_colors();
}

void rectangle(uint state, uint flags)
{
    ivec2 corner = position(2u), size = position(3u), uv = texture_at(0u);
    uint du = 1u << 24, dv = 1u << 24, u = uint(uv.x);
    if ((flags & PSX_STATE_FLIP_U) != 0u) {
        u |= 1u;
        du = 0u - du;
    }
    if ((flags & PSX_STATE_FLIP_V) != 0u)
        dv = 0u - dv;
    put_bounds(corner, corner + size - 1, state);
    put_no_edges();
    flat_colors();
    put_plane(3u, (u << 24) - du * uint(corner.x), du, 0u);
    put_plane(4u, (uint(uv.y) << 24) - dv * uint(corner.y), 0u, dv);
}

void line(uint state)
{
    ivec2 p = position(2u), q = position(3u);
    ivec3 cp = color(1u), cq = color(5u);
    ivec2 none0 = ivec2(0), none1 = ivec2(0);
    int k = max(abs(q.x - p.x), abs(q.y - p.y));
    swap_if(k > 0 && p.x >= q.x, p, q, cp, cq, none0, none1);
    put_bounds(ivec2(p.x, min(p.y, q.y)), ivec2(q.x, max(p.y, q.y)), state);
    put(PSX_SETUP_LINE, uint(p.x));
    put(PSX_SETUP_LINE + 1u, uint(p.y));
    put(PSX_SETUP_LINE + 2u, uint(q.x - p.x));
    put(PSX_SETUP_LINE + 3u, uint(q.y - p.y));
    put(PSX_SETUP_LINE + 4u, uint(k));
    for (uint i = 0u; i < 3u; i++)
        put_plane(i, uint(4096 * cp[i] + 2048), uint(psx_line_step(cp[i], cq[i], k)), 0u);
}

void span(uint state)
{
    int row = int(field(2u));
    uint columns = field(3u);
    uint planes = params[0].w + field(4u) * PSX_SPAN_WORDS;
    put_bounds(ivec2(columns & 0xffffu, row), ivec2(columns >> 16, row), state);
    put_no_edges();
    for (uint i = 0u; i < 5u; i++)
        put_plane(i, records[planes + 2u * i], records[planes + 2u * i + 1u], 0u);
}

// Records before this one, quads counted twice.
uint prepared_index(uint index)
{
    uint sum = index;
    for (uint w = 0u; w < index / 32u; w++)
        sum += uint(bitCount(records[params[1].x + w]));
    uint before = (1u << (index & 31u)) - 1u;
    return sum + uint(bitCount(records[params[1].x + index / 32u] & before));
}

void put_common(uint head, uint kind, uint state)
{
    put(PSX_SETUP_KIND, kind | (head & 8u));
    put(PSX_SETUP_STATE, records[state + 2u]);
    put(PSX_SETUP_STATE + 1u, records[state + 3u]);
    put(PSX_SETUP_CLUT, field(8u) >> 16);
    put(PSX_SETUP_CELL, field(1u));
}

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= params[0].x)
        return;
    source = params[0].z + index;
    target = prepared_index(index) * PSX_SETUP_WORDS;
    uint head = field(0u), kind = head & 7u;
    bool gouraud = (head & 8u) != 0u, quad = kind == PSX_KIND_QUAD;
    uint state = params[0].y + (head >> 8) * PSX_STATE_WORDS;
    if (quad)
        kind = PSX_KIND_TRIANGLE;
    put_common(head, kind, state);
    if (kind == PSX_KIND_TRIANGLE)
        triangle(gouraud, false, state);
    else if (kind == PSX_KIND_LINE)
        line(state);
    else if (kind == PSX_KIND_SPAN)
        span(state);
    else
        rectangle(state, records[state + 2u]);
    if (quad) {
        target += PSX_SETUP_WORDS;
        put_common(head, kind, state);
        triangle(gouraud, true, state);
    }
}
