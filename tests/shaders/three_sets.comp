#version 460
// sum = first + second, each in a set of its own.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform First {
    uint first;
};
layout(set = 1, binding = 0) uniform Second {
    uint second;
};
layout(set = 2, binding = 0) buffer Sum {
    uint sum;
};
void main()
{
    sum = first + second;
}
