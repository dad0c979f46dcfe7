#version 460
#extension GL_EXT_samplerless_texture_functions : require
// Texels, as bits, for whichever sample the pipeline writes.
layout(set = 0, binding = 0) uniform utexture2D single;
layout(location = 0) out uvec4 texel;

void main()
{
    texel = texelFetch(single, ivec2(gl_FragCoord.xy), 0);
}
