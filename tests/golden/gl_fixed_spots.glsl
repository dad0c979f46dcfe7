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
    vec4 emission0;
    vec4 model_ambient;
    vec4 emission1;
    vec4 light0_direction;
    vec4 shininess;
    vec4 light0_ambient;
    vec4 light0_diffuse;
    vec4 light0_specular0;
    vec4 light0_specular1;
    vec4 light3_position;
    vec4 light3_attenuation;
    vec4 light3_spot;
    vec4 light3_ambient;
    vec4 light3_diffuse;
    vec4 light3_specular0;
    vec4 light3_specular1;
};
layout(location = 0) out vec4 front_color;
layout(location = 1) out vec4 front_secondary;
layout(location = 2) out vec4 back_color;
layout(location = 3) out vec4 back_secondary;
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    vec4 eye = ((modelview[0] * position.x + modelview[1] * position.y) + modelview[2] * position.z) + modelview[3] * position.w;
    vec3 from_viewer = eye.xyz * inversesqrt(dot(eye.xyz, eye.xyz));
    vec3 unit_normal = vec3(dot(normal.xyz, normal_rows[0].xyz), dot(normal.xyz, normal_rows[1].xyz), dot(normal.xyz, normal_rows[2].xyz));
    unit_normal *= inversesqrt(dot(unit_normal, unit_normal));
    front_color = vec4(model_ambient.rgb * color.rgb + emission0.rgb, color.a);
    front_secondary = vec4(0.0, 0.0, 0.0, 1.0);
    back_color = vec4(model_ambient.rgb * color.rgb + emission1.rgb, color.a);
    back_secondary = vec4(0.0, 0.0, 0.0, 1.0);
    vec3 lit; // how much ambient, diffuse, specular light
    // light 0: directional
    vec3 toward0 = light0_direction.xyz;
    float facing0 = dot(unit_normal, toward0);
    vec3 half0 = toward0 - from_viewer;
    half0 *= inversesqrt(dot(half0, half0));
    float shine0 = dot(unit_normal, half0);
    lit = vec3(1.0, max(facing0, 0.0), 0.0 >= min(facing0, shine0) ? 0.0 : pow(shine0, clamp(shininess.x, -128.0, 128.0)));
    front_color.rgb += (light0_ambient.rgb * color.rgb);
    front_color.rgb += lit.y * (light0_diffuse.rgb * color.rgb);
    front_secondary.rgb += lit.z * light0_specular0.rgb;
    lit = vec3(1.0, max(-facing0, 0.0), 0.0 >= min(-facing0, -shine0) ? 0.0 : pow(-shine0, clamp(shininess.y, -128.0, 128.0)));
    back_color.rgb += (light0_ambient.rgb * color.rgb);
    back_color.rgb += lit.y * (light0_diffuse.rgb * color.rgb);
    back_secondary.rgb += lit.z * light0_specular1.rgb;
    // light 3: positional, a spot
    vec3 toward3 = light3_position.xyz - eye.xyz;
    float near3 = inversesqrt(dot(toward3, toward3));
    toward3 *= near3;
    float spot3 = dot(-toward3, light3_spot.xyz);
    float weight3 = light3_spot.w < spot3 ? pow(spot3, light3_attenuation.w) : 0.0;
    float far3 = 1.0 / near3;
    float fade3 = 1.0 / dot(light3_attenuation.xyz, vec3(near3 * far3, far3, far3 * far3));
    weight3 = fade3 * weight3;
    float facing3 = dot(unit_normal, toward3);
    vec3 half3 = toward3 - from_viewer;
    half3 *= inversesqrt(dot(half3, half3));
    float shine3 = dot(unit_normal, half3);
    lit = vec3(1.0, max(facing3, 0.0), 0.0 >= min(facing3, shine3) ? 0.0 : pow(shine3, clamp(shininess.x, -128.0, 128.0)));
    lit *= weight3;
    front_color.rgb += lit.x * (light3_ambient.rgb * color.rgb);
    front_color.rgb += lit.y * (light3_diffuse.rgb * color.rgb);
    front_secondary.rgb += lit.z * light3_specular0.rgb;
    lit = vec3(1.0, max(-facing3, 0.0), 0.0 >= min(-facing3, -shine3) ? 0.0 : pow(-shine3, clamp(shininess.y, -128.0, 128.0)));
    lit *= weight3;
    back_color.rgb += lit.x * (light3_ambient.rgb * color.rgb);
    back_color.rgb += lit.y * (light3_diffuse.rgb * color.rgb);
    back_secondary.rgb += lit.z * light3_specular1.rgb;
    front_color = clamp(front_color, 0.0, 1.0);
    front_secondary = clamp(front_secondary, 0.0, 1.0);
    back_color = clamp(back_color, 0.0, 1.0);
    back_secondary = clamp(back_secondary, 0.0, 1.0);
}

#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 front_color;
layout(location = 1) in vec4 front_secondary;
layout(location = 2) in vec4 back_color;
layout(location = 3) in vec4 back_secondary;
layout(location = 0) out vec4 fragment;
void main()
{
    vec4 primary = gl_FrontFacing ? front_color : back_color;
    vec4 result = primary;
    result.rgb += (gl_FrontFacing ? front_secondary : back_secondary).rgb;
    fragment = result;
}
