// What blocks of BC6H and BC7 share: partitions of two subsets, weights, bits.
#ifndef GV_BPTC_BLOCK_H
#define GV_BPTC_BLOCK_H

#include <stdint.h>

// Which of two subsets a texel is in: bit N is texel N's ("Partition table for 2-subset
// BPTC").
extern const uint16_t gv_bptc_partitions2[64];

// The texels whose indices lack their highest bit, after texel 0 ("BPTC anchor index
// values").
extern const uint8_t gv_bptc_anchors2[64];

// Interpolation weights of 64ths, by bits of the index.
extern const uint8_t gv_bptc_weights[5][16];

// 128 bits, lowest first.
struct gv_bptc_bits {
    uint64_t low, high;
};

// The next `count` bits, at most 32.
uint32_t gv_bptc_take(struct gv_bptc_bits *b, uint32_t count);

#endif
