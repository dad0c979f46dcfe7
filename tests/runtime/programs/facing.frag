#version 460
layout(location = 0) out vec4 target;
void main()
{
    target = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);
}
