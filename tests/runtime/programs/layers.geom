#version 460
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in int layer[];
layout(location = 0) out vec4 shade;
void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        gl_Layer = layer[0];
        shade = vec4(float(layer[0] + 1) / 4.0, 0, 0, 1);
        EmitVertex();
    }
}
