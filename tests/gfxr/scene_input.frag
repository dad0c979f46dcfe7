#version 460
// What the subpass before this one wrote here, red and green exchanged.
layout(input_attachment_index = 0, set = 0, binding = 3) uniform subpassInput before;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 colour;
void main()
{
    colour = subpassLoad(before).yxzw * 0.75 + shade * 0.25;
}
