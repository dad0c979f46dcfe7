#version 460
// A texel of a level, from the level before it.
layout(set = 0, binding = 0) uniform sampler2D level;
layout(location = 0) noperspective in vec2 place;
layout(location = 0) out vec4 texel;

void main()
{
    texel = texture(level, place);
}
