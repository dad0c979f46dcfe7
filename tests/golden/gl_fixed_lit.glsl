#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
    vec4 normal_scale;
    vec4 scene_color0;
    vec4 light0_direction;
    vec4 shininess;
    vec4 light0_half;
    vec4 light0_ambient0;
    vec4 light0_diffuse0;
    vec4 light0_specular0;
};
layout(location = 0) out vec4 front_color;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    vec3 unit_normal = normal.xyz; // lit in object space
    unit_normal *= normal_scale.x;
    front_color = scene_color0;
    vec3 lit; // how much ambient, diffuse, specular light
    // light 0: directional
    vec3 toward0 = light0_direction.xyz;
    float facing0 = dot(unit_normal, toward0);
    vec3 half0 = light0_half.xyz;
    float shine0 = dot(unit_normal, half0);
    lit = vec3(1.0, max(facing0, 0.0), 0.0 >= min(facing0, shine0) ? 0.0 : pow(shine0, clamp(shininess.x, -128.0, 128.0)));
    front_color.rgb += light0_ambient0.rgb;
    front_color.rgb += lit.y * light0_diffuse0.rgb;
    front_color.rgb += lit.z * light0_specular0.rgb;
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
