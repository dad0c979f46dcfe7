#version 450
// A square of one cell: its corners by number, the place on it by location.
layout(location = 20) uniform vec2 corner;
layout(location = 0) out vec2 place;
layout(location = 1) flat out int number;
void main()
{
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    number = gl_InstanceID;
    gl_Position = vec4(corner + place * 0.5, 0, 1);
}
