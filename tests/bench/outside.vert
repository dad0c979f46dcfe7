#version 460
// A triangle outside of the picture: it is clipped, so that its pixels cost nothing.
layout(location = 0) out vec2 uv;
void main()
{
    uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
    gl_Position = vec4(uv + 2.0, 0.5, 1.0);
}
