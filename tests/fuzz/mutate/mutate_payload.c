// Changes to payloads: code, parts and their order, with hashes made right again.
#include "tests/fuzz/mutate/mutate.h"
#include "tests/fuzz/mutate/payload_parts.h"

#include "vm/decode.h"

#include <string.h>

static const uint8_t codes[] = {
#define GV_OP(name, code, form, operand, implied, pops, pushes, effect) (code),
#include "vm/ops.def"
#undef GV_OP
};

// An instruction of a code block, or an operand, made another of the same size: the
// tables that say where chunks are stay right.
static void change_code(struct gv_dice *d, uint8_t *code, size_t size)
{
    struct gv_instruction in;
    size_t at = 0, length = 0;
    for (uint64_t steps = gv_dice_below(d, 400); at < size; at += length) {
        length = gv_decode(code + at, size - at, &in);
        if (!length || steps-- == 0)
            break;
    }
    if (!length || at >= size)
        return;
    switch (gv_dice_below(d, 4)) {
    case 0: // another number or call
        code[at] = (uint8_t)(code[at] >= GV_OP_CALL_0
                                 ? (code[at] & 0xc0) | gv_dice_below(d, 64)
                                 : codes[gv_dice_below(d, sizeof codes)]);
        break;
    case 1: // another operand
        if (length > 1)
            code[at + 1] =
                (uint8_t)((code[at + 1] & 0x80) | (gv_dice_below(d, 128) & 0x7f));
        break;
    case 2: // as another instruction has it
        memmove(code + at, code + gv_dice_below(d, at + 1), length);
        break;
    default:
        gv_mutate_in_place(d, code + at, length);
        break;
    }
}

static void change_part(struct gv_dice *d, struct payload_part *part)
{
    uint8_t *data = part->content.data;
    size_t size = part->content.size, fixed = part->fixed < size ? part->fixed : 0;
    uint64_t cut = 0;
    if (size == 0)
        return;
    switch (gv_dice_below(d, 24)) {
    case 0: // its end
        cut = gv_dice_below(d, size);
        part->content.size -= cut > 16 ? cut % 16 : cut;
        return;
    case 1:
        gv_bytes_u8(&part->content, (uint8_t)gv_dice_next(d));
        return;
    case 2: // how it is cut
        if (fixed) {
            gv_mutate_in_place(d, data, fixed);
            return;
        }
        break;
    default:
        break;
    }
    for (uint64_t n = gv_dice_below(d, 3) + 1; n > 0; n--) {
        if (part->kind == GV_SEGMENT_CODE)
            change_code(d, data + fixed, size - fixed);
        else
            gv_mutate_in_place(d, data + fixed, size - fixed);
    }
}

// Segments in another order, twice, not at all, of another kind.
static void change_order(struct gv_dice *d, struct payload_parts *parts)
{
    size_t i = gv_dice_below(d, parts->count), k = gv_dice_below(d, parts->count);
    struct payload_part part = parts->items[i];
    switch (gv_dice_below(d, 4)) {
    case 0:
        parts->items[i] = parts->items[k];
        parts->items[k] = part;
        break;
    case 1:
        parts->items[i].kind = (uint16_t)gv_dice_below(d, GV_SEGMENT_COUNT + 2);
        break;
    case 2:
        parts->items[i].flags ^= (uint16_t)(1u << gv_dice_below(d, 16));
        break;
    default:
        gv_bytes_finish(&part.content);
        memmove(parts->items + i, parts->items + i + 1,
                (parts->count - i - 1) * sizeof part);
        parts->count--;
        break;
    }
}

void gv_mutate_payload(struct gv_dice *d, const struct gv_seed *seed,
                       const struct gv_seed *other, struct gv_bytes *out)
{
    static struct payload_parts parts;
    uint64_t how = gv_dice_below(d, 32);
    parts.keeps_groups = gv_dice_below(d, 4) == 0;
    if (how == 0 || !payload_parts_split(&parts, seed->data, seed->size)) {
        payload_parts_finish(&parts);
        gv_mutate_bytes(d, seed, other, out);
        return;
    }
    if (how == 1)
        gv_mutate_in_place(d, parts.header, 48);
    else if (how == 2)
        gv_mutate_in_place(d, parts.trailer, 40);
    else if (how == 3)
        change_order(d, &parts);
    else
        for (uint64_t n = gv_dice_below(d, 3) + 1; n > 0; n--)
            change_part(d, &parts.items[gv_dice_below(d, parts.count)]);
    payload_parts_join(&parts, out);
    payload_parts_finish(&parts);
}
