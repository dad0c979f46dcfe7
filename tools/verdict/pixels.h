// Pictures read from files, to be compared: PNG and the PNM family.
#ifndef GV_PIXELS_H
#define GV_PIXELS_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

// Zero-initialise. Samples are what the file says: no profile and no gamma is applied.
struct gv_pixels {
    uint32_t width, height; // at least 1 once it is read
    uint8_t *rgba;          // owned; [height][width][4], row 0 at the top
};

// Bounds of a file's picture: they are looked at before memory is taken for it.
#define GV_PIXELS_SIDE 32768u              // of width and of height
#define GV_PIXELS_MOST ((uint64_t)1 << 26) // of all pixels: 256 MiB
#define GV_PIXELS_FILE_MOST \
    ((size_t)257 << 20) // bytes of the file: of one without compression

// Reads a PNG or a PNM (P1 to P7) by its first bytes. GV_ERR_NOT_FOUND, GV_ERR_FORMAT
// with the byte, GV_ERR_UNSUPPORTED (more than 8 bits a sample), GV_ERR_LIMIT.
bool gv_pixels_load(struct gv_pixels *pixels, const char *path, struct gv_error *err);
bool gv_pixels_read(struct gv_pixels *pixels, struct gv_span file,
                    struct gv_error *err);
void gv_pixels_finish(struct gv_pixels *pixels); // fine on a zeroed one

// Whether a file's name ends as those of pictures do, in any case.
bool gv_pixels_named(const char *path);

// For the readers: checks the size, which stands at byte `at`, and takes the memory.
bool gv_pixels_make(struct gv_pixels *pixels, uint64_t width, uint64_t height,
                    uint64_t at, struct gv_error *err);

#endif
