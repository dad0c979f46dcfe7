#version 460
layout(set = 1, binding = 0) uniform Paint { uvec4 paint; };
layout(location = 0) out uvec4 target;
void main()
{
    target = paint;
}
