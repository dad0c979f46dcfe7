#version 460
// A line with its neighbours: drawn from the first neighbour to the last.
layout(lines_adjacency) in;
layout(line_strip, max_vertices = 2) out;
layout(location = 0) out vec4 shade;
void main()
{
    shade = vec4(1, 1, 0, 1);
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
    shade = vec4(1, 1, 0, 1);
    gl_Position = gl_in[3].gl_Position;
    EmitVertex();
}
