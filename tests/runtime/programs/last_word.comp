#version 460
// Reads buffers of 5 bytes, of each kind. Byte 4 may be seen or not.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform Numbers { uvec4 numbers; };
layout(set = 0, binding = 1) uniform usamplerBuffer texels;
layout(set = 3, binding = 0) buffer Out { uint values[12]; };
layout(set = 3, binding = 1) buffer In { uint words[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    uint mask = i == 1 ? 0xffffff00u : 0xffffffffu;
    values[i] = numbers[i] & mask;
    values[4 + i] = words[i] & mask;
    values[8 + i] = texelFetch(texels, int(i)).x & mask;
}
