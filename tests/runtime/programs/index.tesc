#version 460
// Control points, patch outputs and levels at any index.
layout(set = 0, binding = 0) uniform Where { int where; };
layout(vertices = 3) out;
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[3];
} gl_in[];
layout(location = 0) in float many[][4];
layout(location = 0) out float one[];
layout(location = 1) patch out float shades[3];
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    one[gl_InvocationID] = many[where][where] * gl_in[where].gl_Position.w;
    if (gl_InvocationID == 0) {
        for (int i = 0; i < 4; i++)
            gl_TessLevelOuter[i] = 1.0;
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0;
        for (int i = 0; i < 3; i++)
            shades[i] = 0.5;
        shades[where] = 0.5;
        gl_TessLevelOuter[where] = 1.0;
        gl_TessLevelInner[where] = 1.0;
    }
}
