// Writing all of it: write(2) may take less at once.
#ifndef GV_WRITE_ALL_H
#define GV_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

// False with `errno`. May be called by a signal's handler.
bool gv_write_all(int fd, const void *data, size_t size);

#endif
