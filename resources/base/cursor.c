#include "resources/base/cursor.h"

#include <string.h>

struct gv_cursor gv_cursor_make(const void *data, size_t size)
{
    return (struct gv_cursor){ .data = data, .size = size };
}

struct gv_cursor gv_cursor_slice(const struct gv_cursor *c, size_t offset, size_t n)
{
    if (offset > c->size || n > c->size - offset)
        return (struct gv_cursor){ .bad = true };
    if (n == 0)
        return (struct gv_cursor){ 0 };
    return gv_cursor_make(c->data + offset, n);
}

size_t gv_cursor_left(const struct gv_cursor *c)
{
    return c->size - c->pos;
}

const uint8_t *gv_cursor_take(struct gv_cursor *c, size_t n)
{
    static const uint8_t nothing[1];
    if (c->bad || n > c->size - c->pos) { // pos <= size: the subtraction cannot wrap
        c->bad = true;
        return NULL;
    }
    const uint8_t *bytes = c->data ? c->data + c->pos : nothing;
    c->pos += n;
    return bytes;
}

void gv_cursor_seek(struct gv_cursor *c, size_t pos)
{
    if (pos > c->size)
        c->bad = true;
    else
        c->pos = pos;
}

uint16_t gv_load_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t gv_load_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

uint64_t gv_load_u64(const uint8_t *p)
{
    return (uint64_t)gv_load_u32(p) | (uint64_t)gv_load_u32(p + 4) << 32;
}

uint8_t gv_cursor_u8(struct gv_cursor *c)
{
    const uint8_t *p = gv_cursor_take(c, 1);
    return p ? p[0] : 0;
}

uint16_t gv_cursor_u16(struct gv_cursor *c)
{
    const uint8_t *p = gv_cursor_take(c, 2);
    return p ? gv_load_u16(p) : 0;
}

uint32_t gv_cursor_u32(struct gv_cursor *c)
{
    const uint8_t *p = gv_cursor_take(c, 4);
    return p ? gv_load_u32(p) : 0;
}

uint64_t gv_cursor_u64(struct gv_cursor *c)
{
    const uint8_t *p = gv_cursor_take(c, 8);
    return p ? gv_load_u64(p) : 0;
}

float gv_cursor_f32(struct gv_cursor *c)
{
    uint32_t bits = gv_cursor_u32(c);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t gv_cursor_uleb(struct gv_cursor *c)
{
    if (!c->bad && c->pos < c->size && c->data[c->pos] < 0x80)
        return c->data[c->pos++]; // most are short
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte = gv_cursor_u8(c);
        if (c->bad)
            return 0;
        bool last = !(byte & 0x80);
        bool overflow = shift == 63 && byte > 1;
        bool padded = last && byte == 0 && shift > 0;
        if (overflow || padded)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (last)
            return value;
    }
    c->bad = true;
    return 0;
}

int64_t gv_cursor_sleb(struct gv_cursor *c)
{
    uint64_t value = 0;
    uint8_t previous = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte = gv_cursor_u8(c);
        if (c->bad)
            return 0;
        bool last = !(byte & 0x80);
        // The tenth byte holds only the sign bit.
        bool overflow = shift == 63 && byte != 0 && byte != 0x7f;
        bool sign_only = byte == 0 || byte == 0x7f;
        bool padded = last && shift > 0 && sign_only && ((byte ^ previous) & 0x40) == 0;
        if (overflow || padded)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (last) {
            if (shift + 7 < 64 && (byte & 0x40))
                value |= ~(uint64_t)0 << (shift + 7);
            return (int64_t)value;
        }
        previous = byte;
    }
    c->bad = true;
    return 0;
}

uint32_t gv_cursor_count(struct gv_cursor *c, size_t element_size)
{
    uint32_t count = gv_cursor_u32(c);
    if (count > gv_cursor_left(c) / element_size)
        c->bad = true;
    return c->bad ? 0 : count;
}
