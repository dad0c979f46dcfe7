#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(location = 2) in vec4 color;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
};
layout(location = 0) out vec4 front_color;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    front_color = color;
    front_color = clamp(front_color, 0.0, 1.0);
}

#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 front_color;
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = front_color;
    vec4 result = primary;
    fragment = result;
}
