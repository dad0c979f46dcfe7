#version 460
// One step of words and of a texel, v -> v * factor + offset: two of them do not commute.
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint factor = 1;
layout(constant_id = 1) const uint offset = 0;
layout(set = 3, binding = 0) buffer Words { uint words[]; };
layout(set = 3, binding = 1) readonly buffer Added { uint added[]; };
layout(set = 3, binding = 2, r32ui) uniform uimage2D image;
void main()
{
    uint i = gl_GlobalInvocationID.x;
    words[i] = words[i] * factor + offset + added[i];
    uint texel = imageLoad(image, ivec2(0)).x;
    if (i == 0)
        imageStore(image, ivec2(0), uvec4(texel * factor + offset));
}
