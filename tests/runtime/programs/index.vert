#version 460
// A triangle over everything; an array of outputs is written at any index.
layout(set = 0, binding = 0) uniform Where { int where; };
layout(location = 0) out float many[4];
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[3];
};
void main()
{
    gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
    for (int i = 0; i < 4; i++)
        many[i] = 1.0;
    for (int i = 0; i < 3; i++)
        gl_ClipDistance[i] = 1.0;
    many[where] = 1.0;
    gl_ClipDistance[where] = gl_Position.w;
}
