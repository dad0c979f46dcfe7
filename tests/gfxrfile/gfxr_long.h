// A capture of any length, as a recorder writes it that does not watch pages: in each
// frame all of a mapped buffer, of which few bytes changed, a submission, a present.
#ifndef GFXR_LONG_H
#define GFXR_LONG_H

#include "tests/gfxrfile/gfxr_writer.h"

#include <stdio.h>

#define GFXR_LONG_BUFFER ((size_t)1 << 20) // bytes, which is what a frame writes

// False where the file does not take it.
bool gfxr_write_long(FILE *file, enum gfxr_codec codec, unsigned frames);

#endif
