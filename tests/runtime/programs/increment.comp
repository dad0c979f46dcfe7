#version 460
layout(local_size_x = 4) in;
layout(set = 3, binding = 0) buffer Data { uint values[]; };
shared uint turned[4];
void main()
{
    uint i = gl_LocalInvocationID.x;
    turned[3 - i] = values[gl_GlobalInvocationID.x];
    barrier();
    values[gl_GlobalInvocationID.x] = turned[i] + 1;
}
