// Large tables of which little may be used: pages of their own, which the kernel zeroes
// when they are touched. A heap that has room would zero them whole.
#ifndef GV_PAGES_H
#define GV_PAGES_H

#include <stddef.h>

// `size` bytes, zeroed, not 0; NULL: there is no memory. To be given back with the same
// size; NULL is taken.
void *gv_pages_take(size_t size);
void gv_pages_give(void *at, size_t size);

#endif
