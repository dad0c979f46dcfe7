#version 460
#extension GL_ARB_shader_draw_parameters : require
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main()
{
    float x = float(gl_InstanceIndex - gl_BaseInstanceARB);
    gl_Position = vec4((x + 0.5) / 2.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    shade = color;
}
