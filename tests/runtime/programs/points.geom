#version 460
// Every point becomes a square around it.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) out vec4 shade;
void main()
{
    for (int i = 0; i < 4; i++) {
        gl_Position = gl_in[0].gl_Position + vec4(i & 1, i >> 1, 0, 0) * 0.5 - vec4(0.25, 0.25, 0, 0);
        shade = vec4(0, 1, 1, 1);
        EmitVertex();
    }
}
