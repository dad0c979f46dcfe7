#version 450
layout(std140, binding = 1) uniform colors { vec4 base; mat3 turn; vec2 pairs[3]; } given[2];
layout(std430, binding = 2) readonly buffer lengths { float first; vec2 rest[]; } stored;
layout(location = 0) in vec2 place;
layout(location = 1) flat in int number;
layout(location = 0) out vec4 color;
void main()
{
    color = given[0].base * place.x + vec4(given[1].turn * vec3(place, 0.5), 0);
    color.rg += given[1].pairs[2] * stored.rest[stored.rest.length() - 1 - number] * stored.first;
}
