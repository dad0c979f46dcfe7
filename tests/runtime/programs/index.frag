#version 460
// An array of inputs at any index.
layout(set = 0, binding = 0) uniform Where { int where; };
layout(location = 0) in float many[4];
layout(location = 0) out vec4 target;
void main()
{
    target = vec4(many[where], 0.5, vec3(1)[where], 1);
}
