#version 460
// A triangle over all of the target, placed by a texel.
layout(set = 2, binding = 0) uniform sampler2D image;
layout(location = 0) out vec2 at;
void main()
{
    at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 + textureLod(image, vec2(0), 0).xy;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
