#version 460
// Reads and writes an array at an index that may be anything. Compiled once for each kind
// of memory: MEMORY_SHARED, MEMORY_PRIVATE, MEMORY_FUNCTION, MEMORY_VECTOR, MEMORY_MATRIX,
// MEMORY_BUFFERS, MEMORY_TEXTURES, MEMORY_SPEC.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform Where { int where, slot; };
layout(set = 3, binding = 0) buffer Data { uint found[]; };

#if defined(MEMORY_SHARED)
shared uint before[16];
shared uint row[16];
shared uint after[16];
#elif defined(MEMORY_SPEC)
layout(constant_id = 0) const int length = 16;
layout(constant_id = 1) const int at = 3;
shared uint row[length];
#elif defined(MEMORY_PRIVATE)
uint before[16];
uint row[16];
uint after[16];
#elif defined(MEMORY_BUFFERS)
layout(set = 3, binding = 1) buffer Many { uint value[4]; } many[2];
layout(set = 0, binding = 1) uniform Read { uvec4 value; } reads[2];
#elif defined(MEMORY_TEXTURES)
layout(set = 2, binding = 0) uniform usampler2D textures[2];
layout(set = 3, binding = 1, r32ui) uniform uimage2D images[2];
#endif

void answer(uint value, uint written, uint around)
{
    barrier();
    if (gl_LocalInvocationIndex != 0u)
        return;
    found[slot * 3] = value;
    found[slot * 3 + 1] = written;
    found[slot * 3 + 2] = around;
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
#if defined(MEMORY_SHARED)
    before[lane] = after[lane] = 5u;
    row[lane] = 7u;
    barrier();
    uint value = row[where], sum = 0u;
    barrier();
    if (lane == 0u) {
        row[where] = 9u;
        atomicAdd(row[where], 1u);
    }
    barrier();
    for (int i = 0; i < 16; i++)
        sum += before[i] + after[i];
    answer(value, row[where], sum);
#elif defined(MEMORY_SPEC)
    row[min(lane, uint(length - 1))] = 7u;
    barrier();
    uint value = row[at] + row[where];
    barrier();
    row[at] = 9u;
    barrier();
    answer(value, row[at], uint(length));
#elif defined(MEMORY_PRIVATE) || defined(MEMORY_FUNCTION)
#if defined(MEMORY_FUNCTION)
    uint before[16];
    uint row[16];
    uint after[16];
#endif
    uint sum = 0u;
    for (int i = 0; i < 16; i++) {
        before[i] = after[i] = 5u;
        row[i] = 7u;
    }
    uint value = row[where];
    row[where] = 10u;
    for (int i = 0; i < 16; i++)
        sum += before[i] + after[i];
    answer(value, row[where], sum);
#elif defined(MEMORY_VECTOR)
    uvec4 v = uvec4(7u);
    uint value = v[where] * uvec3(1u)[where];
    v[where] = 10u;
    answer(value, v[where], 160u);
#elif defined(MEMORY_MATRIX)
    mat4 m = mat4(vec4(7), vec4(7), vec4(7), vec4(7));
    uint value = uint(m[where][where]);
    m[where][where] = 10.0;
    answer(value, uint(m[where][where]), 160u);
#elif defined(MEMORY_BUFFERS)
    uint value = many[where].value[0] + reads[where].value.x;
    answer(value, 10u, 160u);
#elif defined(MEMORY_TEXTURES)
    uint value = texelFetch(textures[where], ivec2(0), 0).x;
    imageStore(images[where], ivec2(0), uvec4(10u));
    answer(value, imageLoad(images[where], ivec2(0)).x, 160u);
#endif
}
