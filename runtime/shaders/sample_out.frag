#version 460
#extension GL_EXT_samplerless_texture_functions : require
// One sample of each texel, as bits.
layout(set = 0, binding = 0) uniform utexture2DMS many;
layout(push_constant) uniform which { int number; };
layout(location = 0) out uvec4 texel;

void main()
{
    texel = texelFetch(many, ivec2(gl_FragCoord.xy), number);
}
