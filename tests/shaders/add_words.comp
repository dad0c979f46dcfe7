#version 460
// words[dst + i] = words[src + i] + amount, for sixteen words.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform Parameters {
    uint dst, src, amount;
};
layout(set = 3, binding = 0) buffer Words {
    uint words[];
};
void main()
{
    uint i = gl_LocalInvocationIndex;
    words[dst + i] = words[src + i] + amount;
}
