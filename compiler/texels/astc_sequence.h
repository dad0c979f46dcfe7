// Sequences of small integers as ASTC packs them: each of some bits and, shared by five
// or three of them, a digit to the base of three or five (Khronos Data Format
// Specification 1.3, sections 23.11 to 23.13, 23.18).
#ifndef GV_ASTC_SEQUENCE_H
#define GV_ASTC_SEQUENCE_H

#include <stdint.h>

// Ranges of values by their numbers: 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48,
// 64, 80, 96, 128, 160, 192, 256 of them.
#define GV_ASTC_RANGES 21u
#define GV_ASTC_RANGE_6 4u // the least that colours may have

// 128 bits, the lowest first.
struct gv_astc_bits {
    uint64_t low, high;
};

// `count` (0 to 32) bits from bit `at` on; beyond the block they are 0.
uint32_t gv_astc_take(const struct gv_astc_bits *b, uint32_t at, uint32_t count);

// Bits that `count` values of a range take.
uint32_t gv_astc_sequence_bits(uint32_t range, uint32_t count);

// Values from bit `at` on, none from bit `end` on, spread to 0 to 255 or, as weights
// (of the first twelve ranges), to 0 to 64.
struct gv_astc_sequence {
    uint32_t at, end, range, count;
};
void gv_astc_colors(const struct gv_astc_bits *b, const struct gv_astc_sequence *s,
                    uint8_t *out);
void gv_astc_weights(const struct gv_astc_bits *b, const struct gv_astc_sequence *s,
                     uint8_t *out);

#endif
