#include "compiler/apitrace/trace/trace_snappy.h"

#include "resources/base/cursor.h"

#include <snappy-c.h>
#include <string.h>

bool gv_snappy_stated(const uint8_t *packed, size_t size, size_t *unpacked)
{
    return snappy_uncompressed_length((const char *)packed, size, unpacked) ==
           SNAPPY_OK;
}

bool gv_snappy_unpack(const uint8_t *packed, size_t size, uint8_t *out, size_t unpacked)
{
    size_t room = unpacked;
    return snappy_uncompress((const char *)packed, size, (char *)out, &room) ==
               SNAPPY_OK &&
           room == unpacked;
}

// ---- what the library does not do: a chunk that is cut ----

// "format_description.txt" of snappy, section 2: one element.
struct element {
    bool literal;
    size_t length, distance;
};

static size_t little_endian(struct gv_cursor *c, unsigned bytes)
{
    size_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (size_t)gv_cursor_u8(c) << (8 * i);
    return value;
}

static struct element take_element(struct gv_cursor *c)
{
    uint8_t tag = gv_cursor_u8(c);
    size_t high = tag >> 2;
    switch (tag & 3) {
    case 0:
        return (struct element){
            .literal = true,
            .length = high < 60 ? high + 1 : little_endian(c, (unsigned)high - 59) + 1
        };
    case 1:
        return (struct element){ .length = 4 + (high & 7),
                                 .distance =
                                     (size_t)(tag >> 5) << 8 | gv_cursor_u8(c) };
    default:
        return (struct element){ .length = high + 1,
                                 .distance = little_endian(c, (tag & 3) == 3 ? 4 : 2) };
    }
}

// A copy may overlap what it makes.
static void repeat(uint8_t *to, size_t distance, size_t length)
{
    const uint8_t *from = to - distance;
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
}

size_t gv_snappy_salvage(const uint8_t *packed, size_t size, uint8_t *out, size_t room)
{
    struct gv_cursor c = gv_cursor_make(packed, size);
    size_t made = 0;
    gv_cursor_uleb(&c);
    while (!c.bad && gv_cursor_left(&c) && made < room) {
        struct element e = take_element(&c);
        if (c.bad || (!e.literal && (e.distance == 0 || e.distance > made)))
            break;
        size_t length = e.length < room - made ? e.length : room - made;
        if (!e.literal) {
            repeat(out + made, e.distance, length);
        } else {
            if (length > gv_cursor_left(&c))
                length = gv_cursor_left(&c);
            memcpy(out + made, gv_cursor_take(&c, length), length);
        }
        made += length;
    }
    return made;
}
