#version 460
// Memory that nothing has written: FILL leaves numbers in all of it, else it is added up.
layout(local_size_x = 16) in;
layout(set = 3, binding = 0) buffer Data { uint found[]; };
#define SHARED 4096
#define OWN 270 // over 1 KiB: smaller variables get an initial value
struct Part { uvec4 a[3]; mat2 m; uint many[OWN]; };
shared uint shared_row[SHARED];
shared Part shared_parts[2];
#ifndef OF_FUNCTION
uint row[OWN];
Part part;
#endif

uint look(uint at)
{
#ifdef OF_FUNCTION
    uint row[OWN];
    Part part;
#endif
#ifdef FILL
    for (uint i = 0u; i < OWN; i++)
        row[(i + at) % OWN] = part.many[(i + at) % OWN] = 0xdeadbeefu;
#endif
    uint sum = part.a[at % 3u].x | uint(part.m[at & 1u].y);
    for (uint i = 0u; i < OWN; i++)
        sum |= row[(i + at) % OWN] | part.many[(i + at) % OWN];
    return sum;
}

void main()
{
    uint lane = gl_LocalInvocationIndex, at = found[lane];
#ifdef FILL
    for (uint i = lane; i < SHARED; i += 16u)
        shared_row[i] = shared_parts[i & 1u].many[i % OWN] = 0xdeadbeefu;
    barrier();
#endif
    uint sum = look(at);
    for (uint i = 0u; i < SHARED; i++)
        sum |= shared_row[(i + at) % SHARED] | shared_parts[i & 1u].many[i % OWN];
    found[lane] = sum & 0xffff0000u;
}
