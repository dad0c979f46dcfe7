#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec2 place[];
layout(location = 1) flat in int number[];
layout(location = 0) out vec2 place_out;
layout(location = 1) flat out int number_out;
layout(location = 21) uniform float shrink;
void main()
{
    for (int i = 0; i < 3; i++) {
        place_out = place[i].yx;
        number_out = number[i] + 1;
        gl_Position = gl_in[i].gl_Position + vec4(shrink, shrink * 0.5, 0, 0);
        EmitVertex();
    }
    EndPrimitive();
}
