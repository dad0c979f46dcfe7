#version 460
layout(quads) in;
layout(location = 0) patch in vec4 shade;
layout(location = 0) out vec4 color;
void main()
{
    vec4 top = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    vec4 bottom = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    gl_Position = mix(top, bottom, gl_TessCoord.y);
    color = shade * vec4(1, 1, gl_TessCoord.y, 1);
}
