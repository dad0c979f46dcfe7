#version 460
// Two sets: what one holds is added to what the other holds.
layout(set = 0, binding = 2) uniform First
{
    vec4 first;
};
layout(set = 1, binding = 0) uniform Second
{
    vec4 second;
};
layout(constant_id = 3) const float share = 0;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 colour;
void main()
{
    colour = first + second + share * shade;
}
