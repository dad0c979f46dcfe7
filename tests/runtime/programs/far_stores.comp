#version 460
// Stores and loads far outside of everything that is bound.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Small { uint small[4]; };
layout(set = 2, binding = 0) uniform utextureBuffer texels;
layout(set = 3, binding = 0) buffer Data { uint values[]; };
layout(set = 3, binding = 1, r32ui) uniform uimage2D picture;
layout(set = 3, binding = 2, r32ui) uniform uimageBuffer stores;
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint far = i * 0x01000193u + 1000u;
    values[far & 0x3fffffffu] = 0xdeadbeefu;
    uint sum = values[0x3ffffff0u - i] + small[far & 0x3fffffffu];
    sum += texelFetch(texels, int(far & 0x7fffffffu)).x;
    sum += imageLoad(picture, ivec2(far, -int(far))).x;
    imageStore(picture, ivec2(far, i + 100u), uvec4(1));
    imageStore(stores, int(far), uvec4(1));
    if (i == 0u)
        values[0] = sum == 0u ? 1u : 2u;
}
