#version 450
layout(constant_id = 3) const int count = 2;
layout(constant_id = 7) const float scale = 1.0;
layout(constant_id = 9) const bool flipped = false;
layout(constant_id = 11) const uint shade = 1u;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
    float steps[count];
    for (int i = 0; i < count; i++)
        steps[i] = float(i) / float(count);
    vec2 at = flipped ? place.yx : place;
    color = vec4(steps[int(at.x * float(count) * 0.999)], at.y * scale, float(shade) / 8.0, 1);
}
