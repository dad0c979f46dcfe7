#version 460
layout(location = 0) flat in uvec4 shade;
layout(location = 0) out uvec4 target;
void main()
{
    target = shade;
}
