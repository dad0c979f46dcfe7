// Changes to captures: packets and words, with hashes and sums made right again.
#include "tests/fuzz/mutate/mutate.h"
#include "tests/shader/dxbc_assembler.h"

#include "resources/base/cursor.h"

#include <stdbool.h>
#include <string.h>

static uint32_t word_at(const uint8_t *data)
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
           (uint32_t)data[3] << 24;
}

static void put_word(uint8_t *data, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        data[i] = (uint8_t)(v >> (8 * i));
}

// ---- AeroGPU ----

#define AERO_HEADER 32u
#define AERO_RECORD 8u

// Containers of shaders carry a checksum over all else.
static void sign_shaders(uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 32 <= size; at++) {
        const uint8_t *found = memchr(data + at, 'D', size - at - 31);
        if (!found)
            return;
        at = (size_t)(found - data);
        uint32_t length = word_at(data + at + 24);
        if (memcmp(data + at, "DXBC", 4) == 0 && length >= 32 && length <= size - at)
            dxbc_sign(data + at, length);
    }
}

// Words of packets: handles, sizes, opcodes; whole records stay where they are.
static void change_words(struct gv_dice *d, uint8_t *data, size_t size)
{
    size_t at = gv_dice_below(d, size / 4) * 4, from = gv_dice_below(d, size / 4) * 4;
    switch (gv_dice_below(d, 4)) {
    case 0:
        put_word(data + at, (uint32_t)gv_dice_odd(d));
        break;
    case 1:
        put_word(data + at, word_at(data + from));
        break;
    case 2:
        put_word(data + at, word_at(data + at) + (uint32_t)gv_dice_below(d, 9) - 4);
        break;
    default:
        gv_mutate_in_place(d, data, size);
        break;
    }
}

// Two records that follow each other change places: the table of contents stays right.
static void swap_records(struct gv_dice *d, uint8_t *data, size_t size)
{
    struct gv_bytes first = { 0 };
    size_t at = AERO_HEADER + word_at(data + 24), sizes[2] = { 0, 0 };
    for (uint64_t steps = gv_dice_below(d, 64) + 2; steps > 0 && at <= size; steps--) {
        if (size - at < AERO_RECORD)
            return;
        sizes[0] = sizes[1];
        sizes[1] = AERO_RECORD + (size_t)word_at(data + at + 4);
        at += sizes[1];
    }
    if (at > size || sizes[0] == 0)
        return;
    uint8_t *begin = data + at - sizes[1] - sizes[0];
    gv_bytes_put(&first, begin, sizes[0]);
    memmove(begin, begin + sizes[0], sizes[1]);
    if (!first.failed)
        memcpy(begin + sizes[1], first.data, sizes[0]);
    gv_bytes_finish(&first);
}

void gv_mutate_aerogpu(struct gv_dice *d, const struct gv_seed *seed,
                       const struct gv_seed *other, struct gv_bytes *out)
{
    if (seed->size < 128 || gv_dice_below(d, 16) == 0) {
        gv_mutate_bytes(d, seed, other, out);
        return;
    }
    gv_bytes_put(out, seed->data, seed->size);
    if (out->failed)
        return;
    if (gv_dice_below(d, 6) == 0)
        swap_records(d, out->data, out->size);
    for (uint64_t n = gv_dice_below(d, 4) + 1; n > 0; n--)
        change_words(d, out->data, out->size);
    sign_shaders(out->data, out->size);
}

// ---- PlayStation ----

#define PSX_HEADER 16u

// Words that the GPU takes for commands, or for whatever they fall into.
static void change_packet(struct gv_dice *d, struct gv_bytes *out, size_t begin)
{
    size_t words = (out->size - begin) / 4;
    if (words == 0)
        return;
    uint8_t *word = out->data + begin + gv_dice_below(d, words) * 4;
    switch (gv_dice_below(d, 4)) {
    case 0: // another command, the same colour
        word[3] = (uint8_t)gv_dice_next(d);
        break;
    case 1: // another place
        put_word(word, (uint32_t)gv_dice_next(d) & 0x07ff07ffu);
        break;
    case 2:
        put_word(word, (uint32_t)gv_dice_odd(d));
        break;
    default:
        gv_mutate_in_place(d, out->data + begin, words * 4);
        break;
    }
}

// A packet: as it is, changed, twice, cut, left out, or before one of the other dump.
static void put_packet(struct gv_dice *d, const uint8_t *packet, size_t size,
                       bool change, struct gv_bytes *out)
{
    uint64_t how = change ? gv_dice_below(d, 10) : 9;
    if (how == 0)
        return;
    size_t begin = out->size;
    gv_bytes_put(out, packet, size);
    if (how == 1)
        gv_bytes_put(out, packet, size);
    if (how == 2 && size > 8)
        out->size -= 4;
    if (how == 3)
        gv_bytes_u32(out, (uint32_t)gv_dice_next(d));
    if (out->failed)
        return;
    uint32_t type = word_at(out->data + begin) & 0xff000000u;
    if (how == 4)
        type = (uint32_t)gv_dice_below(d, 0x14) << 24;
    if (how != 1)
        put_word(out->data + begin, type | (uint32_t)((out->size - begin) / 4 - 1));
    if (how > 4 && how < 9)
        change_packet(d, out, begin + 4);
}

void gv_mutate_psx(struct gv_dice *d, const struct gv_seed *seed,
                   const struct gv_seed *other, struct gv_bytes *out)
{
    if (seed->size < PSX_HEADER || gv_dice_below(d, 16) == 0) {
        gv_mutate_bytes(d, seed, other, out);
        return;
    }
    struct gv_cursor c = { .data = seed->data, .size = seed->size };
    size_t packets = 0;
    gv_bytes_put(out, gv_cursor_take(&c, PSX_HEADER), PSX_HEADER);
    for (; c.pos + 4 <= c.size && !c.bad; packets++)
        gv_cursor_take(&c, (size_t)(gv_cursor_u32(&c) & 0xffffff) * 4);
    if (packets == 0)
        return;
    uint64_t changed[4];
    for (size_t i = 0; i < 4; i++)
        changed[i] = gv_dice_below(d, packets);
    c = (struct gv_cursor){ .data = seed->data, .size = seed->size, .pos = PSX_HEADER };
    for (size_t i = 0; i < packets && !c.bad; i++) {
        size_t at = c.pos;
        gv_cursor_take(&c, (size_t)(gv_cursor_u32(&c) & 0xffffff) * 4);
        bool change =
            i == changed[0] || i == changed[1] || i == changed[2] || i == changed[3];
        if (!c.bad)
            put_packet(d, seed->data + at, c.pos - at, change, out);
    }
}
