#version 460
layout(set = 1, binding = 0) uniform Paint { vec4 paint; };
layout(set = 3, binding = 0) buffer Data { uint values[]; };
layout(location = 0) out vec4 target;
void main()
{
    uint i = uint(gl_FragCoord.x);
    values[i] = values[i] * 3 + 1;
    target = paint;
}
