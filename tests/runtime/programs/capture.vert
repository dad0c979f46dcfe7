#version 460
layout(xfb_buffer = 0, xfb_stride = 8) out;
layout(xfb_buffer = 1, xfb_stride = 4) out;
layout(location = 0) in vec2 position;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out vec2 doubled;
layout(location = 1, xfb_buffer = 1, xfb_offset = 0) out float index;
void main()
{
    doubled = position * 2.0;
    index = float(gl_VertexIndex);
    gl_Position = vec4(position, 0, 1);
    gl_PointSize = 1.0;
}
