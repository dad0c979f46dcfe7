#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 color;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
    mat4 modelview;
    vec4 normal_rows[3];
    vec4 texcoord0;
    mat4 unit0_matrix;
};
layout(location = 0) out vec4 front_color;
layout(location = 5) out vec4 coord0;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    vec4 eye = ((modelview[0] * position.x + modelview[1] * position.y) + modelview[2] * position.z) + modelview[3] * position.w;
    vec3 from_viewer = eye.xyz * inversesqrt(dot(eye.xyz, eye.xyz));
    vec3 unit_normal = vec3(dot(normal.xyz, normal_rows[0].xyz), dot(normal.xyz, normal_rows[1].xyz), dot(normal.xyz, normal_rows[2].xyz));
    front_color = color;
    front_color = clamp(front_color, 0.0, 1.0);
    float twice = dot(unit_normal, from_viewer);
    twice = twice + twice;
    vec3 reflected = -twice * unit_normal + from_viewer;
    vec3 raised = reflected + vec3(0.0, 0.0, 1.0);
    vec3 sphere = reflected * (inversesqrt(dot(raised, raised)) * 0.5) + 0.5;
    coord0 = vec4(sphere.x, sphere.y, texcoord0.z, texcoord0.w);
    coord0 = ((unit0_matrix[0] * coord0.x + unit0_matrix[1] * coord0.y) + unit0_matrix[2] * coord0.z) + unit0_matrix[3] * coord0.w;
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
    vec4 texel0 = texture(texture0, at0.xy);
    // unit 0
    result = vec4(texel0.rgb, result.a);
    fragment = result;
}
