#version 450
layout(binding = 0, offset = 4) uniform atomic_uint counts[3];
layout(binding = 0, offset = 0) uniform atomic_uint whole;
layout(location = 0) uniform int shown;
layout(location = 0) out vec4 color;
void main()
{
    if (shown == 0) {
        uint before = atomicCounterIncrement(whole) - atomicCounter(whole);
        uint behind = atomicCounterDecrement(counts[1]);
        color = vec4(before > 100000u, behind > 5000u, 0.5, 1);
        return;
    }
    color = vec4(atomicCounter(whole), atomicCounter(counts[1]), atomicCounter(counts[2]), 4096) / 4096.0;
}
