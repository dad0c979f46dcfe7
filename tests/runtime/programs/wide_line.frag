#version 460
layout(location = 0) in vec4 shade;
layout(location = 1) flat in vec4 one;
layout(location = 0) out vec4 result;
void main()
{
    result = vec4(shade.rg, one.b, gl_FrontFacing ? 1.0 : 0.5);
}
