#version 460
layout(location = 0) in uint value;
layout(set = 2, binding = 0) uniform utextureBuffer again;
void main()
{
    float x = float(value + texelFetch(again, 1).x) - 17.0;
    gl_Position = vec4((x + 0.5) / 4.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
