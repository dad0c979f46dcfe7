#version 460
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 result;
void main()
{
    result = vec4(gl_PointCoord, gl_FrontFacing ? 1.0 : 0.0, 1.0) * shade;
}
