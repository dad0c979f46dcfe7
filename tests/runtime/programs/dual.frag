#version 460
layout(set = 1, binding = 0) uniform Paint { vec4 paint, second; };
layout(location = 0, index = 0) out vec4 target;
layout(location = 0, index = 1) out vec4 factor;
void main()
{
    target = paint;
    factor = second;
}
