#version 460
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(set = 2, binding = 0) uniform sampler2D tint;
layout(location = 3) in vec2 at[];
layout(location = 0) out vec4 shade;
void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        shade = textureLod(tint, at[i], 0.0);
        EmitVertex();
    }
}
