// Pictures as files: PNG, PPM and bare rows. PNG's chunks are made here, so that
// libdeflate can fill them: libpng knows zlib alone, which takes more processor time
// than the replay.
#ifndef GV_PICTURE_FILE_H
#define GV_PICTURE_FILE_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "tools/base/deflate.h"

enum gv_picture_format { GV_PICTURE_PNG, GV_PICTURE_PPM, GV_PICTURE_RAW };

// "png", "ppm" or "raw".
bool gv_picture_format_find(const char *name, enum gv_picture_format *format);
// By the end of a file's name, in any case. False: it is not one of a picture.
bool gv_picture_format_of_path(const char *path, enum gv_picture_format *format);
const char *gv_picture_format_name(enum gv_picture_format format);

// Memory that making pictures uses again and again. Zero-initialise. For one thread.
struct gv_picture_encoder {
    struct gv_deflate *deflate; // owned; made when first needed
    struct gv_bytes rows;       // as PNG filters them
    struct gv_bytes bytes;      // the last file
};
void gv_picture_encoder_finish(struct gv_picture_encoder *e);

// Makes the whole file of `rgba[height][width][4]`, row 0 at the top: `*data`, `*size`,
// borrowed from the encoder (or `rgba` itself) until its next picture. Sizes are at
// least
// 1. PPM drops alpha. Same picture, same bytes. GV_ERR_MEMORY, GV_ERR_OUTPUT (more than
// a PNG can hold).
bool gv_picture_encode(struct gv_picture_encoder *e, enum gv_picture_format format,
                       const uint8_t *rgba, uint32_t width, uint32_t height,
                       const uint8_t **data, size_t *size, struct gv_error *err);

#define GV_PICTURE_MAX_SIDE 16384 // pixels, of a picture made from an export

#endif
