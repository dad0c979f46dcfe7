#version 460
// Points side by side, coloured by an attribute and an instance attribute.
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 more;
layout(location = 0) out vec4 shade;
void main()
{
    int x = gl_VertexIndex + gl_InstanceIndex * 4;
    gl_Position = vec4((float(x) + 0.5) / 8.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    shade = vec4(color.rg, color.b + more.x, color.a);
}
