#version 460
layout(vertices = 3) out;
layout(set = 0, binding = 0) uniform Common { float scale; float level; };
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position * vec4(scale, scale, 1, 1);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = level;
    gl_TessLevelInner[0] = level;
}
