#version 460
#extension GL_EXT_multiview : require
// An attribute's colour, another part of it in each view.
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 colour;
void main()
{
    const vec4 parts[3] = { vec4(1, 0, 1, 1), vec4(0, 1, 0.5, 1), vec4(0.5, 1, 0, 1) };
    colour = shade * parts[gl_ViewIndex];
}
