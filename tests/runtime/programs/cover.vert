#version 460
// A triangle that covers the viewport; texture coordinates 0..1 over it.
layout(location = 0) out vec2 uv;
void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1) * 2.0;
    uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.5, 1.0);
}
