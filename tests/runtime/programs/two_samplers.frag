#version 460
layout(set = 2, binding = 0) uniform texture2D image;
layout(set = 2, binding = 1) uniform sampler texels;
layout(set = 2, binding = 2) uniform samplerShadow depths;
layout(location = 0) out vec4 target;
void main()
{
    vec2 at = vec2(0.5);
    target = texture(sampler2D(image, texels), at) +
             vec4(texture(sampler2DShadow(image, depths), vec3(at, 0.5)));
}
