#version 460
#extension GL_EXT_samplerless_texture_functions : require
// words[0] = a texel's red as a byte.
layout(local_size_x = 1) in;
layout(set = 2, binding = 0) uniform texture2D from;
layout(set = 3, binding = 0) buffer Words {
    uint words[];
};
void main()
{
    words[0] = uint(texelFetch(from, ivec2(0), 0).r * 255);
}
