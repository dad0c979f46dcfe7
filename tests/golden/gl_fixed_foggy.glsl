#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(location = 2) in vec4 color;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
    mat4 modelview;
};
layout(location = 0) out vec4 front_color;
layout(location = 4) out float fog_distance;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    vec4 eye = ((modelview[0] * position.x + modelview[1] * position.y) + modelview[2] * position.z) + modelview[3] * position.w;
    front_color = color;
    front_color = clamp(front_color, 0.0, 1.0);
    fog_distance = abs(eye.z);
}

#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 front_color;
layout(location = 4) in float fog_distance;
layout(set = 1, binding = 0, std140) uniform State {
    vec4 fog;
    vec4 fog_color;
    vec4 alpha_reference;
};
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = front_color;
    vec4 result = primary;
    float thick = fog_distance * fog.w;
    float clear = exp2(-(thick * thick));
    clear = clamp(clear, 0.0, 1.0);
    result.rgb = fog_color.rgb * (1.0 - clear) + result.rgb * clear;
    // as the target will have it
    float alpha = roundEven(clamp(result.a, 0.0, 1.0) * 255.0);
    float reference = roundEven(alpha_reference.x * 255.0);
    if (!(alpha > reference))
        discard;
    fragment = result;
}
