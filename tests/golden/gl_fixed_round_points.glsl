#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
    vec4 point_size;
};
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    gl_PointSize = point_size.w;
}

#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(set = 1, binding = 0, std140) uniform State {
    vec4 color;
};
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = color;
    vec4 result = primary;
    vec2 off = gl_PointCoord * 2.0 - 1.0;
    if (off.x * off.x + off.y * off.y > 1.0)
        discard;
    fragment = result;
}
