#version 450
// What a host does with a picture: samples it in work of its own, as it would for a screen.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) writeonly buffer Seen { uint seen[]; };
layout(push_constant) uniform How { uvec2 size; uint flipped; uint opaque; };

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, size)))
        return;
    vec2 where = (vec2(at) + 0.5) / vec2(size);
    if (flipped != 0)
        where.y = 1.0 - where.y;
    vec4 color = textureLod(picture, where, 0.0);
    if (opaque != 0)
        color.a = 1.0;
    seen[at.y * size.x + at.x] = packUnorm4x8(color);
}
