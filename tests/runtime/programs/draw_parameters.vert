#version 460
// Where and in which colour a point is drawn tells what the draw's numbers are.
layout(location = 0) out vec4 shade;
void main()
{
    int vertex = gl_VertexIndex - gl_BaseVertex;
    int instance = gl_InstanceIndex - gl_BaseInstance;
    gl_Position = vec4((float(vertex + 4 * instance) + 0.5) / 8.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    shade = vec4(gl_BaseVertex, gl_BaseInstance, gl_DrawID, 255) / 255.0;
}
