#version 460
// Atomics far outside of images and texel buffers, and some inside.
layout(local_size_x = 64) in;
layout(set = 3, binding = 0, r32ui) uniform uimage2D flat_image;
layout(set = 3, binding = 1, r32ui) uniform uimage2DArray layers;
layout(set = 3, binding = 2, r32ui) uniform uimage3D volume;
layout(set = 3, binding = 3, r32ui) uniform uimageBuffer texels;
layout(set = 3, binding = 4, r32ui) uniform uimageCube cube;
layout(set = 3, binding = 5, r32i) uniform iimage1D lines[2];
layout(set = 0, binding = 0) uniform Where { int base; };
void main()
{
    int i = int(gl_GlobalInvocationID.x), far = base + i * 0x01000193;
    uint old = imageAtomicAdd(flat_image, ivec2(far, -far), 1u);
    old += imageAtomicAdd(flat_image, ivec2(0, far), 1u);
    old += imageAtomicCompSwap(flat_image, ivec2(4, 0), 0u, 2u);
    old += imageAtomicAdd(layers, ivec3(0, 0, far), 1u);
    old += imageAtomicXor(layers, ivec3(0, 0, 3), 1u);
    old += imageAtomicAdd(volume, ivec3(0, 1, far), 1u);
    old += imageAtomicMax(texels, far, 1u) + imageAtomicExchange(texels, 16, 1u);
    old += imageAtomicAdd(cube, ivec3(0, 0, far), 1u) + imageAtomicAdd(cube, ivec3(0, 0, 6), 1u);
    old += uint(imageAtomicMin(lines[gl_WorkGroupID.x & 1u], far, -1));
    imageAtomicAdd(flat_image, ivec2(3, 3), 1u + old);
    imageAtomicAdd(layers, ivec3(3, 3, 2), 1u);
    imageAtomicAdd(volume, ivec3(3, 3, 0), 1u);
    imageAtomicAdd(texels, 15, 1u);
    imageAtomicAdd(cube, ivec3(3, 3, 5), 1u);
    imageAtomicAdd(lines[gl_WorkGroupID.x & 1u], 3, -1);
}
