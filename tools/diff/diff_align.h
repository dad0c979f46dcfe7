// Which elements of two lists belong together: the longest common subsequence, by
// numbers that say what they are.
#ifndef GV_DIFF_ALIGN_H
#define GV_DIFF_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_ALIGN_NONE UINT32_MAX

// More differences than these are not told apart: what is left stays without a partner.
#define GV_ALIGN_MOST 2000u

// Fills `match` ([a_count], indices of `b`) for equal elements, in order. False: there
// is no memory.
bool gv_diff_align(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                   uint32_t *match);

#endif
