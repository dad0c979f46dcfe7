#version 460
layout(set = 0, binding = 0) uniform Place { float z; };
void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1) * 2.0;
    gl_Position = vec4(corner * 2.0 - 1.0, z, 1.0);
}
