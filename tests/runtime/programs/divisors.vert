#version 460
layout(location = 0) in float zero;
layout(location = 1) in float place;
layout(location = 2) in vec4 color;
layout(location = 0) out vec4 shade;
void main()
{
    gl_Position = vec4((place + zero + 0.5) / 4.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    shade = color;
}
