#include "runtime/vk/memory/index_bounds.h"

#include "runtime/vk/device/device.h"
#include "vm/calls.h"

#include <string.h>

// Indices looked at together, in loops of a known length: compilers make vectors of
// them.
#define TOGETHER 64

// The greatest of numbers that are one more than they are, so that the greatest number
// of all is 0 and counts for nothing; and whether that was among them. They are
// compared as signed ones, less half of all: the oldest vectors compare no others.
struct most {
    uint32_t next;
    bool top;
};

static void look_at_narrow(const uint8_t *data, struct most *most)
{
    int16_t values[TOGETHER], high = INT16_MIN, low = INT16_MAX;
    memcpy(values, data, sizeof values);
    for (int i = 0; i < TOGETHER; i++) {
        const int16_t v = (int16_t)((uint16_t)(values[i] + 1) ^ 0x8000u);
        if (v > high)
            high = v;
        if (v < low)
            low = v;
    }
    const uint32_t next = (uint16_t)high ^ 0x8000u;
    most->next = next > most->next ? next : most->next;
    most->top = most->top || low == INT16_MIN;
}

static void look_at_wide(const uint8_t *data, struct most *most)
{
    uint32_t values[TOGETHER];
    int32_t high = INT32_MIN, low = INT32_MAX;
    memcpy(values, data, sizeof values);
    for (int i = 0; i < TOGETHER; i++) {
        const int32_t v = (int32_t)((values[i] + 1) ^ 0x80000000u);
        if (v > high)
            high = v;
        if (v < low)
            low = v;
    }
    const uint32_t next = (uint32_t)high ^ 0x80000000u;
    most->next = next > most->next ? next : most->next;
    most->top = most->top || low == INT32_MIN;
}

static void note(struct gv_vk_index_bounds *b, int wide, const struct most *most)
{
    b->top[wide] = b->top[wide] || most->top;
    if (most->next && most->next - 1 > b->most[wide])
        b->most[wide] = most->next - 1;
}

// All indices of one width. What is left of a group is filled up with zeros, which are
// no greater than what there is.
static void note_all(struct gv_vk_index_bounds *b, int wide, const uint8_t *data,
                     uint64_t size)
{
    const uint64_t bytes = wide ? 4 : 2, group = TOGETHER * bytes;
    uint8_t rest[TOGETHER * 4] = { 0 };
    struct most most = { 0 };
    uint64_t at = 0;
    for (; size - at >= group; at += group)
        wide ? look_at_wide(data + at, &most) : look_at_narrow(data + at, &most);
    memcpy(rest, data + at, (size_t)((size - at) / bytes * bytes));
    wide ? look_at_wide(rest, &most) : look_at_narrow(rest, &most);
    note(b, wide, &most);
}

void gv_vk_note_indices(const struct gv_vk_device *device, struct gv_vk_buffer *buffer,
                        uint64_t offset, const uint8_t *data, uint64_t size)
{
    struct gv_vk_index_bounds *b = &buffer->indices;
    if (!device->guards_vertices || !(buffer->usage & GV_BUFFER_USAGE_INDEX))
        return;
    // Halves of words join what was there before: it could be anything.
    const struct most any = { UINT32_MAX, true };
    for (int wide = 0; wide < 2; wide++) {
        if ((offset | size) % (wide ? 4 : 2))
            note(b, wide, &any);
        note_all(b, wide, data, size);
    }
}
