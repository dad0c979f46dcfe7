#version 460
// Atomics of every kind far outside of storage buffers. Each buffer is bound in a smaller
// part than its type has: at what is known to lie outside of it, at what an index leads
// to, in an array of buffers. What atomics do inside is told at the end.
layout(local_size_x = 64) in;
layout(set = 3, binding = 0) buffer Data { uint values[]; };
struct Part { int before[5]; ivec2 pair; };
layout(set = 3, binding = 1) buffer Parts { uint first; int table[16777216]; Part parts[3]; };
layout(set = 3, binding = 2) buffer Ends { uint head[1024]; uint tail[]; };
layout(set = 3, binding = 3) buffer Many { uint items[]; } many[2];

void far_away(uint i)
{
    uint far = i * 0x01000193u + 1000u;
    uint old = atomicAdd(values[(far >> 2) & 0x3fffffffu], 1u);
    old += atomicExchange(values[far | 0x80000000u], 1u);
    old += atomicCompSwap(values[0x3ffffff0u - i], 0u, 1u);
    old += atomicMax(many[i & 3u].items[far], 0xffffffffu);
    old += atomicOr(tail[far], 1u) + atomicXor(tail[i], 1u) + atomicAnd(head[i + 500u], 0u);
    atomicMin(table[i + 4000000u], -1);
    atomicAdd(table[16777215], 1);
    atomicAdd(parts[i].before[far], 1);
    atomicExchange(parts[2].pair.y, 1);
    if (old != 0u)
        values[1] = 99u;
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    far_away(i);
    for (uint k = 0u; k < 4u; k++)
        atomicAdd(values[k + 2u], k);
    atomicAdd(table[i & 1u], int(i & 1u) - 3);
    atomicAdd(many[1].items[i & 1u], 1u);
    if (i == 0u)
        values[0] = 1u;
}
