#version 460
// Adds up the parts of one query slot: 64-bit numbers as pairs of words, low first.
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) buffer Values { uvec2 values[]; };

layout(push_constant) uniform Parameters {
    uint parts;   // rows
    uint numbers; // per row; the sum goes to the row after the last
    uint narrow;  // 1: write 32-bit sums, saturated
};

void main()
{
    uint n = gl_GlobalInvocationID.x;
    if (n >= numbers)
        return;
    uvec2 sum = uvec2(0);
    for (uint i = 0; i < parts; i++) {
        uvec2 v = values[i * numbers + n];
        uint carry;
        sum.x = uaddCarry(sum.x, v.x, carry);
        sum.y += v.y + carry;
    }
    if (narrow == 0) {
        values[parts * numbers + n] = sum;
        return;
    }
    uint low = sum.y != 0 ? 0xffffffffu : sum.x;
    uint at = parts * numbers + n / 2;
    if ((n & 1) == 0)
        values[at].x = low;
    else
        values[at].y = low;
}
