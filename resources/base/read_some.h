// Reading what has come: read(2) may be interrupted, and what others have made of a
// pipe or terminal (node, ssh, expect) may not block.
#ifndef GV_READ_SOME_H
#define GV_READ_SOME_H

#include <stddef.h>
#include <sys/types.h>

// Waits until there is something: bytes read, 0 at the end, -1 with `errno`.
ssize_t gv_read_some(int fd, void *to, size_t size);

#endif
