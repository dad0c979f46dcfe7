#version 460
// Signed divisions of the least number by -1, which processors trap on, in every form: of
// values, vectors, constants of the module and of the pipeline; of every width in WIDE.
#ifdef WIDE
#extension GL_EXT_shader_explicit_arithmetic_types : require
#endif
layout(local_size_x = 16) in;
layout(constant_id = 0) const int least = -2147483647 - 1;
layout(constant_id = 1) const int minus = -1;
layout(constant_id = 2) const int seven = -7;
layout(set = 0, binding = 0) uniform Where { int a, b, c; };
layout(set = 3, binding = 0) buffer Data { int v[]; };
void main()
{
    uint i = 0u;
#ifdef WIDE
    int64_t l = int64_t(a) << 32, none = int64_t(a & 0);
    v[i++] = int((l / int64_t(b)) >> 32);
    v[i++] = int(l % int64_t(b));
    v[i++] = int(((none + (1l << 63)) / (none - 1l)) >> 32);
    v[i++] = int(int16_t(a >> 16) / int16_t(b));
    v[i++] = int(int16_t(a >> 16) % int16_t(b));
    v[i++] = int(int8_t(a >> 24) / int8_t(b));
    v[i++] = int(int8_t(a >> 24) % int8_t(b));
    v[i++] = int((int64_t(c) << 32) / int64_t(b) >> 32);
    v[i++] = int(int16_t(-c) % int16_t(3));
#else
    v[i++] = a / b;
    v[i++] = a % b;
    ivec4 r = ivec4(a, a, c, c) / ivec4(b, 1, b, 2);
    v[i++] = r.x + (a - a / b) + r.y - a;
    v[i++] = r.z;
    v[i++] = r.w;
    v[i++] = (ivec2(a, -c) % ivec2(b, 4)).y;
    v[i++] = c / ((b & 0) - 1);
    v[i++] = ((a & 0) + (1 << 31)) / ((b & 0) - 1);
    v[i++] = ((a & 0) + (1 << 31)) % ((b & 0) - 1);
    v[i++] = seven / minus;
    v[i++] = least % minus;
    v[i++] = least / minus < 0 ? 1 : 0; // drivers fold it to one negative or another
#endif
}
