#version 460
#extension GL_EXT_samplerless_texture_functions : require
// The depth of one sample of each texel.
layout(set = 0, binding = 0) uniform texture2DMS many;
layout(push_constant) uniform which { int number; };

void main()
{
    gl_FragDepth = texelFetch(many, ivec2(gl_FragCoord.xy), number).x;
}
