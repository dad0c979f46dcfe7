#version 460
// Atomics far outside of a storage buffer.
layout(local_size_x = 64) in;
layout(set = 2, binding = 0) uniform utextureBuffer texels;
layout(set = 3, binding = 0) buffer Data { uint values[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint far = i * 0x01000193u + 1000u;
    atomicAdd(values[(far >> 2) & 0x3fffffffu], 1u);
    if (i == 0u)
        values[0] = texelFetch(texels, 0).x == 3u ? 1u : 2u;
}
