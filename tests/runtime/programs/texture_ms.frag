#version 460
layout(set = 2, binding = 0) uniform sampler2DMS image;
layout(location = 0) out vec4 target;
void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    target = texelFetch(image, at, 0) * 0.5 + texelFetch(image, at, 3) * 0.25;
}
