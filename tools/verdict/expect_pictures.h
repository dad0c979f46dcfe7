// Pictures of a folder to be compared with, in place of hashes.
#ifndef GV_EXPECT_PICTURES_H
#define GV_EXPECT_PICTURES_H

#include "tools/verdict/expect.h"

#define GV_EXPECT_WHY 160 // bytes of text: a verdict's

// A program without pointers to these is without readers of pictures.
struct gv_expect_pictures {
    // A line for each picture of the folder whose name is `prefix`, the number of a
    // frame or "end", and an end of a picture's (pixels.h). `tolerance` is looked at.
    // GV_ERR_USAGE, GV_ERR_SYSTEM.
    bool (*read)(struct gv_expect *expect, const char *folder, const char *prefix,
                 const char *tolerance, struct gv_error *err);
    // Whether `rgba[height][width][4]` is as a line of these expects it; else why not.
    bool (*judge)(const struct gv_expect_line *line, const char *tolerance,
                  const uint8_t *rgba, uint32_t width, uint32_t height, bool *pass,
                  char why[GV_EXPECT_WHY], struct gv_error *err);
};

extern const struct gv_expect_pictures gv_expect_pictures;

#endif
