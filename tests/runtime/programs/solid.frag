#version 460
layout(set = 1, binding = 0) uniform Paint { vec4 paint; };
layout(location = 0) out vec4 target;
void main()
{
    target = paint;
}
