#version 460
// Colour by sample: runs once for each.
layout(location = 0) out vec4 target;
void main()
{
    target = gl_SampleID < 2 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
}
