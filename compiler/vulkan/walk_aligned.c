// Parts of uniform buffers at offsets that not every device takes: bound as parts of a
// mirror of their buffer, which is shifted so that they lie where every device takes
// them.
//
// A mirror of a buffer holds the buffer's bytes `shift` bytes further ahead. A part is
// copied there when it is first bound after its buffer changed.
#include "compiler/vulkan/walk.h"

#include "compiler/lower/lower_buffer.h"

#include <stdlib.h>
#include <string.h>

#define UNIT GV_LOWER_BUFFER_ALIGN     // bytes that are copied or not
#define MOST_BYTES ((uint64_t)1 << 28) // of a buffer that has mirrors

struct gv_cap_mirror {
    struct gv_cap_mirror *next;
    uint32_t shift;
    struct gv_buffer lowered;
    uint64_t version; // of the buffer
    uint64_t units;
    uint8_t copied[]; // [units]
};

static struct gv_cap_mirror *find(struct gv_walk *w, struct gv_cap_buffer *buffer,
                                  uint32_t shift)
{
    struct gv_cap_mirror *m = buffer->mirrors;
    while (m && m->shift != shift)
        m = m->next;
    if (m)
        return m;
    const uint64_t units = buffer->size / UNIT + 1;
    m = calloc(1, sizeof *m + units);
    if (!m)
        return NULL;
    m->shift = shift;
    m->units = units;
    m->lowered = gv_emit(w->b, buffer_create, .size = buffer->size - shift,
                         .usage = GV_BUFFER_USAGE_UNIFORM);
    m->next = buffer->mirrors;
    buffer->mirrors = m;
    return m;
}

static bool is_copied(const struct gv_cap_mirror *m, uint64_t first, uint64_t last)
{
    for (uint64_t i = first; i <= last; i++)
        if (!m->copied[i])
            return false;
    return true;
}

struct gv_buffer gv_walk_aligned(struct gv_walk *w, struct gv_cap_buffer *buffer,
                                 uint64_t *offset, uint64_t size)
{
    const uint32_t shift = (uint32_t)(*offset % UNIT);
    const struct gv_buffer whole = gv_walk_buffer(w, buffer);
    if (!shift || !size || buffer->size > MOST_BYTES)
        return whole;
    gv_walk_begin_making(w);
    struct gv_cap_mirror *m = find(w, buffer, shift);
    if (m) {
        const uint64_t first = (*offset - shift) / UNIT;
        const uint64_t last = (*offset - shift + size - 1) / UNIT;
        if (m->version != buffer->base.version)
            memset(m->copied, 0, m->units);
        m->version = buffer->base.version;
        if (!is_copied(m, first, last)) {
            const uint64_t end = (last + 1) * UNIT + shift;
            const uint64_t to = end < buffer->size ? end : buffer->size;
            gv_emit(w->b, buffer_copy, .dst = m->lowered, .dst_offset = *offset - shift,
                    .src = whole, .src_offset = *offset, .size = to - *offset);
            memset(m->copied + first, 1, last - first + 1);
        }
    }
    gv_walk_end_making(w);
    if (!m)
        return whole;
    *offset -= shift;
    return m->lowered;
}

void gv_walk_drop_mirrors(struct gv_walk *w, struct gv_cap_buffer *buffer)
{
    while (buffer->mirrors) {
        struct gv_cap_mirror *m = buffer->mirrors;
        buffer->mirrors = m->next;
        gv_emit(w->b, buffer_destroy, .buffer = m->lowered);
        free(m);
    }
}
