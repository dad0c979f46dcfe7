#version 460
// A colour of floats that stand four bytes apart, as only std430 has them.
layout(push_constant, std430) uniform Pushed
{
    float gain;
    float parts[3];
};
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 colour;
void main()
{
    colour = vec4(parts[0], parts[1], parts[2], 1) * gain + 0.2 * shade;
}
