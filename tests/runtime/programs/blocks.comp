#version 460
// Buffers of every kind: a range of a uniform buffer, an array of storage buffers.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Numbers { uvec4 numbers[2]; };
layout(set = 0, binding = 1) uniform Never { uvec4 nothing; };
layout(set = 3, binding = 0) buffer Data { uint values[4]; } data[2];
layout(set = 3, binding = 2) readonly buffer Missing { uint missing[]; };
void main()
{
    data[1].values[0] = numbers[1].z;
    data[1].values[1] = data[0].values[1] + 1;
    data[1].values[2] = nothing.x + missing[3];
    data[1].values[3] = missing.length();
}
