#version 460
// One of three textures, which a constant chooses.
layout(set = 2, binding = 5) uniform sampler2D textures[3];
layout(constant_id = 0) const int which = 0;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 colour;
void main()
{
    colour = texture(textures[which], gl_FragCoord.xy / 64) * shade;
}
