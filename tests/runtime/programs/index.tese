#version 460
layout(set = 0, binding = 0) uniform Where { int where; };
layout(triangles) in;
layout(location = 0) in float one[];
layout(location = 1) patch in float shades[3];
layout(location = 0) out vec4 color;
void main()
{
    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y +
                  gl_in[2].gl_Position * gl_TessCoord.z;
    color = vec4(one[where] * gl_in[where].gl_Position.w, shades[where],
                 gl_TessLevelOuter[where] * gl_TessLevelInner[where], 1);
}
