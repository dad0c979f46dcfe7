#version 460
layout(location = 0) flat in ivec4 shade;
layout(location = 0) out ivec4 target;
void main()
{
    target = shade;
}
