#version 460
layout(triangles) in;
layout(set = 0, binding = 1) readonly buffer Shift { vec2 shift; };
layout(location = 3) out vec2 at;
void main()
{
    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
    gl_Position.xy += shift;
    at = gl_TessCoord.xy;
}
