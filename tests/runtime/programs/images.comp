#version 460
// Storage images of two kinds, a texel buffer read and a texel buffer written.
layout(local_size_x = 1) in;
layout(set = 2, binding = 0) uniform utextureBuffer source;
layout(set = 3, binding = 0, rgba8) uniform image2D picture;
layout(set = 3, binding = 1, r32ui) uniform uimageBuffer target;
layout(set = 3, binding = 2, r32f) uniform readonly image3D volume;
layout(set = 3, binding = 3) uniform writeonly image2DArray formatless;
void main()
{
    ivec2 at = ivec2(gl_WorkGroupID.xy);
    vec4 old = imageLoad(picture, at);
    imageStore(picture, at, vec4(at.x / 4.0, at.y / 2.0, old.b, 1));
    int i = at.y * 4 + at.x;
    uint sum = texelFetch(source, i).x + texelFetch(source, i).y * 100;
    imageStore(target, i, uvec4(sum + uint(imageLoad(volume, ivec3(0, 0, at.y)).x), 0, 0, 0));
    imageStore(formatless, ivec3(at, 1), vec4(1, 0, 1, 1));
}
