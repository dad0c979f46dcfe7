// Whether a shader makes points of other sizes than one pixel, which not every device
// has.
#ifndef GV_POINT_SIZE_H
#define GV_POINT_SIZE_H

#include <stdbool.h>
#include <stddef.h>

// `words`: a SPIR-V module of `size` bytes, which may be damaged. True if something
// else than the constant 1.0 is stored to PointSize.
bool gv_point_size_varies(const void *words, size_t size);

#endif
