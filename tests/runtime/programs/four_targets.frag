#version 460
layout(location = 0) out vec4 a;
layout(location = 1) out uvec4 b;
layout(location = 2) out ivec4 c;
layout(location = 3) out vec4 d;
void main()
{
    a = vec4(1.0, 0.5, 0.25, 1.0);
    b = uvec4(7, 8, 9, 10);
    c = ivec4(-7, -8, -9, -10);
    d = vec4(0.125, 2.0, -3.0, 4.0);
}
