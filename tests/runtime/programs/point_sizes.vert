#version 460
layout(location = 0) in vec4 position;
layout(location = 1) in float size;
layout(location = 2) in vec4 color;
layout(location = 0) out vec4 shade;
void main()
{
    gl_Position = position;
    gl_PointSize = size;
    shade = color;
}
