#version 460
// Moves the vertices of a quad.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, std430) buffer Vertices
{
    vec4 vertices[]; // a position, then a colour
};
layout(push_constant) uniform Pushed
{
    float by;
};
void main()
{
    const uint i = gl_LocalInvocationIndex;
    vertices[2 * i] += vec4(by, 0, 0, 0);
    vertices[2 * i + 1] = vec4(float(i) / 3, by, 0.5, 1);
}
