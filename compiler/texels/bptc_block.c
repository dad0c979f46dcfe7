// Khronos Data Format Specification 1.3, chapter 20 "BPTC Compressed Texture Image
// Formats": tables of both formats.
#include "compiler/texels/bptc_block.h"

const uint16_t gv_bptc_partitions2[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec,
    0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce,
    0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0,
    0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
    0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4,
    0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718,
    0xccf0, 0x0fcc, 0x7744, 0xee22,
};

const uint8_t gv_bptc_anchors2[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
};

const uint8_t gv_bptc_weights[5][16] = {
    [2] = { 0, 21, 43, 64 },
    [3] = { 0, 9, 18, 27, 37, 46, 55, 64 },
    [4] = { 0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64 },
};

uint32_t gv_bptc_take(struct gv_bptc_bits *b, uint32_t count)
{
    uint32_t value = (uint32_t)(b->low & ((UINT64_C(1) << count) - 1));
    if (count) {
        b->low = b->low >> count | b->high << (64 - count);
        b->high >>= count;
    }
    return value;
}
