#version 450
struct layer {
    sampler2D base;
    float weight;
    sampler2D more[2];
};
layout(location = 3) uniform layer layers[2];          // 3, 4, 5..6; 7, 8, 9..10
layout(location = 11) uniform sampler2D grid[2][2];    // 11..14
layout(binding = 1) uniform sampler2D bound;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
    color = texture(layers[0].base, place) * layers[0].weight;
    color += texture(layers[1].more[1], place) * layers[1].weight;
    color += texture(grid[1][0], place.yx) * 0.25 + texture(bound, place) * 0.125;
}
