// Decimal numbers in text.
#ifndef GV_DECIMAL_H
#define GV_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

// Reads the digits at `*at` and steps over them. False: there are none, or more than
// 64 bits hold, which are stepped over.
bool gv_take_decimal(const char **at, uint64_t *out);

#endif
