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
layout(set = 1, binding = 0, std140) uniform State {
    vec4 texcoord1;
    vec4 unit0_color;
    vec4 unit1_color;
};
layout(set = 2, binding = 0) uniform sampler2D texture0;
layout(set = 2, binding = 1) uniform sampler2D texture1;
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = front_color;
    vec4 result = primary;
    vec4 at0 = coord0;
    at0.xyz *= 1.0 / at0.w;
    vec4 texel0 = texture(texture0, at0.xy);
    vec4 at1 = texcoord1;
    at1.xyz *= 1.0 / at1.w;
    vec4 texel1 = texture(texture1, at1.xy);
    // unit 0
    result = vec4(unit0_color.rgb * texel0.rgb + result.rgb * (1.0 - texel0.rgb), texel0.a * result.a);
    // unit 1
    result = vec4(texel0.rgb * unit1_color.aaa + (1.0 - result.rgb) * (1.0 - unit1_color.aaa), clamp(texel1.a - result.a, 0.0, 1.0));
    result = clamp(result * vec4(vec3(2.0), 1.0), 0.0, 1.0);
    fragment = result;
}
