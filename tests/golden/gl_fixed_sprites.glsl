#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(location = 2) in vec4 color;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
    mat4 modelview;
    vec4 point_size;
    vec4 point_attenuation;
};
layout(location = 0) out vec4 front_color;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    vec4 eye = ((modelview[0] * position.x + modelview[1] * position.y) + modelview[2] * position.z) + modelview[3] * position.w;
    front_color = color;
    front_color = clamp(front_color, 0.0, 1.0);
    float distance_to_point = abs(eye.z);
    float dims = distance_to_point * point_attenuation.z + point_attenuation.y;
    dims = distance_to_point * dims + point_attenuation.x;
    gl_PointSize = clamp(inversesqrt(dims) * point_size.x, point_size.y, point_size.z);
}

#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 front_color;
layout(set = 2, binding = 0) uniform sampler2D texture0;
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = front_color;
    vec4 result = primary;
    vec4 at0 = vec4(gl_PointCoord.x, 1.0 - gl_PointCoord.y, 0.0, 1.0);
    at0.xyz *= 1.0 / at0.w;
    vec4 texel0 = texture(texture0, at0.xy);
    // unit 0
    result = vec4(result.rgb, texel0.a * result.a);
    fragment = result;
}
