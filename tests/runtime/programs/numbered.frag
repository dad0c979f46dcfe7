#version 460
layout(location = 0) in Colors
{
    vec4 shade;
    layout(location = 1) flat vec4 one;
};
layout(location = 0) out vec4 target;
void main()
{
    target = vec4(one.rg, shade.b, gl_FrontFacing ? 1.0 : 0.5);
}
