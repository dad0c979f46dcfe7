#define _DEFAULT_SOURCE // strcasecmp
#include "tools/verdict/pixels.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/base/read_some.h"
#include "tools/verdict/png_read.h"
#include "tools/verdict/pnm_read.h"

bool gv_pixels_make(struct gv_pixels *pixels, uint64_t width, uint64_t height,
                    uint64_t at, struct gv_error *err)
{
    if (width == 0 || height == 0)
        return gv_fail(err, GV_ERR_FORMAT, at, "a picture of %" PRIu64 "x%" PRIu64,
                       width, height);
    if (width > GV_PIXELS_SIDE || height > GV_PIXELS_SIDE ||
        width * height > GV_PIXELS_MOST)
        return gv_fail(err, GV_ERR_LIMIT, at,
                       "a picture of %" PRIu64 "x%" PRIu64 " is too large (%u a side, "
                       "%" PRIu64 " pixels)",
                       width, height, GV_PIXELS_SIDE, GV_PIXELS_MOST);
    pixels->rgba = malloc((size_t)(width * height * 4));
    if (!pixels->rgba)
        return gv_out_of_memory(err);
    pixels->width = (uint32_t)width;
    pixels->height = (uint32_t)height;
    return true;
}

#define HEAD 8 // bytes that tell what a file is

static bool is_known(struct gv_span file, struct gv_error *err)
{
    return gv_png_is(file) || gv_pnm_is(file) ||
           gv_fail(err, GV_ERR_FORMAT, 0, "no picture: neither PNG nor PNM (P1 to P7)");
}

bool gv_pixels_read(struct gv_pixels *pixels, struct gv_span file, struct gv_error *err)
{
    *pixels = (struct gv_pixels){ 0 };
    const bool ok =
        is_known(file, err) && (gv_png_is(file) ? gv_png_read(pixels, file, err)
                                                : gv_pnm_read(pixels, file, err));
    if (!ok)
        gv_pixels_finish(pixels);
    return ok;
}

// All of a file, unless its first bytes say that it is none: pipes may have no end.
static bool read_file(struct gv_file *file, int fd, struct gv_error *err)
{
    uint8_t head[HEAD];
    size_t had = 0;
    ssize_t n = 1;
    while (had < HEAD && (n = gv_read_some(fd, head + had, HEAD - had)) > 0)
        had += (size_t)n;
    const struct gv_span span = { head, had };
    if (n < 0)
        return gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET, "cannot be read: %s",
                       strerror(errno));
    return is_known(span, err) &&
           gv_file_read_behind(file, span, fd, GV_PIXELS_FILE_MOST, err);
}

bool gv_pixels_load(struct gv_pixels *pixels, const char *path, struct gv_error *err)
{
    struct gv_file file = { 0 };
    *pixels = (struct gv_pixels){ 0 };
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET, "cannot be opened: %s",
                       strerror(errno));
    const bool ok =
        read_file(&file, fd, err) &&
        gv_pixels_read(pixels, (struct gv_span){ file.data, file.size }, err);
    close(fd);
    gv_file_close(&file);
    return ok;
}

void gv_pixels_finish(struct gv_pixels *pixels)
{
    free(pixels->rgba);
    *pixels = (struct gv_pixels){ 0 };
}

bool gv_pixels_named(const char *path)
{
    static const char *const ends[] = { "png", "ppm", "pgm", "pbm", "pnm", "pam" };
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(end + 1, ends[i]) == 0)
            return true;
    return false;
}
