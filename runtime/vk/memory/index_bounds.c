#include "runtime/vk/memory/index_bounds.h"

#include "runtime/vk/device/device.h"
#include "vm/calls.h"

#include <string.h>

static void note(struct gv_vk_index_bounds *b, int wide, uint32_t value, uint32_t top)
{
    if (value == top)
        b->top[wide] = true;
    else if (value > b->most[wide])
        b->most[wide] = value;
}

void gv_vk_note_indices(const struct gv_vk_device *device, struct gv_vk_buffer *buffer,
                        uint64_t offset, const uint8_t *data, uint64_t size)
{
    struct gv_vk_index_bounds *b = &buffer->indices;
    if (!device->guards_vertices || !(buffer->usage & GV_BUFFER_USAGE_INDEX))
        return;
    // Halves of words join what was there before: it could be anything.
    for (int wide = 0; wide < 2; wide++)
        if ((offset | size) % (wide ? 4 : 2))
            note(b, wide, UINT32_MAX - 1, UINT32_MAX), b->top[wide] = true;
    for (uint64_t i = 0; i + 2 <= size; i += 2) {
        uint16_t value;
        memcpy(&value, data + i, 2);
        note(b, 0, value, UINT16_MAX);
    }
    for (uint64_t i = 0; i + 4 <= size; i += 4) {
        uint32_t value;
        memcpy(&value, data + i, 4);
        note(b, 1, value, UINT32_MAX);
    }
}
