#version 450
layout(local_size_x_id = 1, local_size_y = 2) in;
layout(std430, binding = 2) buffer lengths { float first; vec2 rest[]; } stored;
layout(location = 4) uniform vec2 step;
shared vec2 seen[64];
void main()
{
    uint n = gl_LocalInvocationIndex;
    seen[n] = step * float(n + 1);
    barrier();
    if (n < uint(stored.rest.length()))
        stored.rest[n] = seen[gl_WorkGroupSize.x * 2u - 1u - n];
    if (n == 0)
        stored.first = 0.5;
}
