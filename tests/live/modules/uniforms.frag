#version 450
struct pair { ivec2 a; bool b; };
struct parts {
    vec4 whole;
    float each[2];
    mat2 turn;
    pair inner[2];
};
layout(location = 2) uniform parts given;          // 2, 3..4, 5, 6..9
layout(location = 10) uniform vec3 rows[2][2];     // 10..13
layout(location = 14) uniform float told = 0.25;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
    color = given.whole + vec4(rows[1][0] * place.x + rows[0][1] * place.y, 0);
    color.rg += given.turn * vec2(given.each[0], given.each[1]) * place;
    color.b += float(given.inner[1].a.y) / 16.0 + (given.inner[0].b ? told : 0.0);
}
