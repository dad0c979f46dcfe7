#version 460
// Samples at a place the uniform says, with explicit level of detail.
layout(set = 1, binding = 0) uniform Where { vec4 at; float lod; };
layout(set = 2, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 target;
void main()
{
    target = textureLod(image, at.xy, lod);
}
