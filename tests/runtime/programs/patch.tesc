#version 460
layout(vertices = 4) out;
layout(location = 0) patch out vec4 shade;
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID == 0) {
        shade = vec4(1, 0, 1, 1);
        gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 2.0;
        gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 2.0;
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;
    }
}
