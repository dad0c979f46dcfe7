#version 460
layout(set = 2, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
void main()
{
    target = texture(image, uv);
}
