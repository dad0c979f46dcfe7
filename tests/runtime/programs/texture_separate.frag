#version 460
layout(set = 1, binding = 0) uniform Where { vec4 at; float lod; };
layout(set = 2, binding = 0) uniform texture2D image;
layout(set = 2, binding = 1) uniform sampler filtering[2];
layout(location = 0) out vec4 target;
void main()
{
    vec4 a = textureLod(sampler2D(image, filtering[0]), at.xy, lod);
    vec4 b = textureLod(sampler2D(image, filtering[1]), at.xy, lod);
    target = vec4(a.xy, b.xy);
}
