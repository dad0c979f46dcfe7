#version 460
// Vertices of the primitive and an array in each at any index.
layout(set = 0, binding = 0) uniform Where { int where; };
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[3];
} gl_in[];
layout(location = 0) in float many[][4];
layout(location = 0) out vec4 color;
void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        color = vec4(many[where][where], 0.5, gl_in[where].gl_Position.w, 1);
        EmitVertex();
    }
}
