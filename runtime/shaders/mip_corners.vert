#version 460
// The corners of a whole level, in the order in which Mesa's own blits draw them: what is
// interpolated from them is the same to the bit.
layout(location = 0) noperspective out vec2 place;

void main()
{
    const vec2 corners[4] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 1));
    place = corners[gl_VertexIndex];
    gl_Position = vec4(place * 2 - 1, 0, 1);
}
