#version 460
layout(local_size_x = 1) in;
layout(set = 3, binding = 0) readonly buffer Times { uvec2 times[2]; };
layout(set = 3, binding = 1) buffer Out { uint later; };
void main()
{
    bool after = times[1].y > times[0].y || (times[1].y == times[0].y && times[1].x >= times[0].x);
    later = after && times[1] != uvec2(0) ? 1 : 0;
}
