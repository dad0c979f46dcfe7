#version 460
// Writes its index times a factor; the workgroup size and a constant are specialised.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint offset = 1000;
layout(constant_id = 2) const float scale = 1.0;
layout(constant_id = 3) const bool negate = false;
layout(set = 0, binding = 0) uniform Factor { uint factor; };
layout(set = 3, binding = 0) buffer Out { int values[]; };
void main()
{
    int v = int(float(gl_GlobalInvocationID.x * factor + offset) * scale);
    values[gl_GlobalInvocationID.x] = negate ? -v : v;
}
