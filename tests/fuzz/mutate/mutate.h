// Making bad inputs out of good ones, the same from the same seed: each mutator knows
// its format well enough that what it makes gets past the first checks. Sizes and
// hashes over what was changed are made right again.
#ifndef GV_TESTS_MUTATE_H
#define GV_TESTS_MUTATE_H

#include "resources/base/bytes.h"

#include <stdint.h>

// A source of numbers: splitmix64.
struct gv_dice {
    uint64_t state;
};

uint64_t gv_dice_next(struct gv_dice *d);
uint64_t gv_dice_below(struct gv_dice *d, uint64_t n); // n > 0
// A number at which programs err: 0, -1, powers of two and their neighbours, small
// ones.
uint64_t gv_dice_odd(struct gv_dice *d);

// What is changed. `other` is a second good input of the same kind, for parts of it.
struct gv_seed {
    const char *name;
    const uint8_t *data;
    size_t size;
};

// Each appends a mutant of `seed` to `out`.
typedef void (*gv_mutate_fn)(struct gv_dice *d, const struct gv_seed *seed,
                             const struct gv_seed *other, struct gv_bytes *out);

// Any bytes: bits, words, ranges cut out, doubled, filled, taken from `other`.
void gv_mutate_bytes(struct gv_dice *d, const struct gv_seed *seed,
                     const struct gv_seed *other, struct gv_bytes *out);
// A payload: contents of segments, blocks and groups, stored anew with all their
// hashes.
void gv_mutate_payload(struct gv_dice *d, const struct gv_seed *seed,
                       const struct gv_seed *other, struct gv_bytes *out);
// The text form: lines and words.
void gv_mutate_text(struct gv_dice *d, const struct gv_seed *seed,
                    const struct gv_seed *other, struct gv_bytes *out);
// An AeroGPU trace: words of packets, order of records; shaders are signed again.
void gv_mutate_aerogpu(struct gv_dice *d, const struct gv_seed *seed,
                       const struct gv_seed *other, struct gv_bytes *out);
// A PlayStation dump: its packets and their words.
void gv_mutate_psx(struct gv_dice *d, const struct gv_seed *seed,
                   const struct gv_seed *other, struct gv_bytes *out);

// An apitrace trace: its calls and their values, numbers made right.
void gv_mutate_trace(struct gv_dice *d, const struct gv_seed *seed,
                     const struct gv_seed *other, struct gv_bytes *out);

// A PNG or PNM: any bytes, half the time with checksums of chunks made right, or rows
// that are packed again.
void gv_mutate_picture(struct gv_dice *d, const struct gv_seed *seed,
                       const struct gv_seed *other, struct gv_bytes *out);

// One change of any kind within `size` bytes that keeps their number.
void gv_mutate_in_place(struct gv_dice *d, uint8_t *data, size_t size);

#endif
