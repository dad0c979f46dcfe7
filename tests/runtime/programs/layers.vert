#version 460
layout(location = 0) flat out int layer;
void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1) * 2.0;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.5, 1.0);
    layer = gl_InstanceIndex;
}
