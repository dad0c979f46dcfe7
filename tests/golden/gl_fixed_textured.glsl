#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(location = 2) in vec4 color;
layout(location = 8) in vec4 texcoord0;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
};
layout(location = 0) out vec4 front_color;
layout(location = 5) out vec4 coord0;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    front_color = color;
    front_color = clamp(front_color, 0.0, 1.0);
    coord0 = texcoord0;
}

#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 front_color;
layout(location = 5) in vec4 coord0;
layout(set = 2, binding = 0) uniform sampler2D texture0;
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = front_color;
    vec4 result = primary;
    vec4 at0 = coord0;
    at0.xyz *= 1.0 / at0.w;
    vec3 across0 = dFdx(at0.xyz), down0 = dFdy(at0.xyz);
    at0.y = clamp(at0.y, 0.0, 1.0);
    vec4 texel0 = textureGrad(texture0, at0.xy, across0.xy, down0.xy);
    // unit 0
    result = texel0 * result;
    fragment = result;
}
