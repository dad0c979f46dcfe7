#version 460
// Never ends, and no compiler can know. Some drivers leave a loop after 65536 turns: run
// many workgroups.
layout(local_size_x = 1) in;
layout(set = 3, binding = 0) buffer Words {
    uint words[];
};
void main()
{
    while (words[0] != 1u)
        words[1]++;
}
