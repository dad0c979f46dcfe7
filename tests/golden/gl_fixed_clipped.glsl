#version 140
#extension GL_ARB_separate_shader_objects : enable
#extension GL_ARB_shading_language_420pack : enable
#extension GL_ARB_gpu_shader5 : enable
layout(location = 0) in vec4 position;
layout(set = 0, binding = 0, std140) uniform State {
    mat4 mvp;
    vec4 clip_plane0;
    vec4 clip_plane2;
};
out float gl_ClipDistance[2];
void main()
{
    gl_Position = ((mvp[0] * position.x + mvp[1] * position.y) + mvp[2] * position.z) + mvp[3] * position.w;
    gl_ClipDistance[0] = dot(gl_Position, clip_plane0);
    gl_ClipDistance[1] = dot(gl_Position, clip_plane2);
    // from -w..w to 0..w
    gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5;
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
    fragment = result;
}
