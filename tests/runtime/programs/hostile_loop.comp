#version 460
// Never ends. Some drivers leave a loop after 65536 turns: run many workgroups.
layout(local_size_x = 1) in;
layout(set = 3, binding = 0) volatile buffer Data { uint values[]; };
void main()
{
    while (values[0] != 0xffffffffu)
        values[1] = values[1] + 1;
}
