#version 460
// Bounds the records of indirect draws and dispatches before the device reads them: no
// payload can ask for more work than a direct call could.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Records { uint words[]; };

layout(push_constant) uniform Parameters {
    uint count;          // records
    uint stride;         // words
    uint kind;           // 0 draw, 1 indexed draw, 2 dispatch
    uint max_elements;   // vertices or indices of a record, or groups in x
    uint max_instances;  // or groups in y
    uint max_last;       // indices the index buffer holds, or groups in z
};

void main()
{
    uint record = gl_GlobalInvocationID.x;
    if (record >= count)
        return;
    uint at = record * stride;
    words[at] = min(words[at], max_elements);
    words[at + 1] = min(words[at + 1], max_instances);
    if (kind == 2) {
        // In all no more than 32 bits count: a group in x and y is one of 65535 each.
        uint layer = max(words[at] * words[at + 1], 1u);
        words[at + 2] = min(words[at + 2], min(max_last, 0xffffffffu / layer));
        return;
    }
    if (kind == 1) {
        uint first = min(words[at + 2], max_last);
        words[at + 2] = first;
        words[at] = min(words[at], max_last - first);
    }
}
