#version 460
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) in float size;
layout(location = 1) in vec4 color;
layout(location = 2) in uvec2 more;
layout(location = 0) out Colors
{
    vec4 shade;
    layout(location = 1) flat vec4 one;
};
vec4 mixed = vec4(0.0);
void shift()
{
    mixed.b += 0.25 * float(gl_DrawIDARB) + 0.125 * float(more.y);
}
// A column for each vertex, a row for each instance; vertices of odd columns lie lower.
void main()
{
    int column = gl_VertexIndex, row = gl_InstanceIndex - gl_BaseInstanceARB;
    mixed.rg += color.rg;
    shift();
    gl_Position.x = (float(column) * 8.0 + 4.0) / 32.0 - 1.0;
    gl_Position.y = (float(row) * 8.0 + 4.0 + float(more.x)) / 16.0 - 1.0;
    gl_Position.zw = vec2(float(gl_BaseVertexARB) / 16.0, 1.0);
    gl_PointSize = size;
    shade = one = vec4(mixed.rgb, 1.0);
}
