#version 460
#extension GL_EXT_samplerless_texture_functions : require
// Depths for whichever sample the pipeline writes.
layout(set = 0, binding = 0) uniform texture2D single;

void main()
{
    gl_FragDepth = texelFetch(single, ivec2(gl_FragCoord.xy), 0).x;
}
