// The time that passes, whatever is set.
#ifndef GV_NOW_H
#define GV_NOW_H

#include <stdint.h>

// The monotonic clock in nanoseconds.
uint64_t gv_now_ns(void);

#endif
