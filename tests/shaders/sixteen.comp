#version 460
// The sum of what sixteen textures have.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D textures[16];
layout(set = 0, binding = 1) buffer Sum {
    vec4 sum;
};
void main()
{
    sum = vec4(0);
    for (int i = 0; i < 16; i++)
        sum += texture(textures[i], vec2(0));
}
