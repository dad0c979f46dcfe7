#version 460
// The third of the samples that the subpass before this one wrote here.
layout(input_attachment_index = 0, set = 0, binding = 3) uniform subpassInputMS before;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 colour;
void main()
{
    colour = subpassLoad(before, 2) * 0.75 + shade * 0.25;
}
