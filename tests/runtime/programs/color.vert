#version 460
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main()
{
    gl_Position = position;
    gl_PointSize = 1.0;
    shade = color;
}
