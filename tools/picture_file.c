#include "tools/picture_file.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/bytes.h"
#include "resources/base/file.h"

static const char *const format_names[] = { "png", "ppm", "raw" };

bool gv_picture_format_find(const char *name, enum gv_picture_format *format)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, format_names[i]) != 0)
            continue;
        *format = (enum gv_picture_format)i;
        return true;
    }
    return false;
}

const char *gv_picture_format_name(enum gv_picture_format format)
{
    return format_names[format];
}

static bool write_png(const char *path, const uint8_t *rgba, uint32_t width,
                      uint32_t height, struct gv_error *err)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = width,
        .height = height,
        .format = PNG_FORMAT_RGBA,
        .flags = PNG_IMAGE_FLAG_FAST,
    };
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(size);
    if (!bytes)
        return gv_out_of_memory(err);
    bool ok = png_image_write_to_memory(&image, bytes, &size, 0, rgba, 0, NULL) != 0;
    ok = ok ? gv_file_write(path, bytes, size, err)
            : gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %s: %.64s", path,
                      image.message);
    free(bytes);
    return ok;
}

static bool write_ppm(const char *path, const uint8_t *rgba, uint32_t width,
                      uint32_t height, struct gv_error *err)
{
    struct gv_bytes out = { 0 };
    size_t texels = (size_t)width * height;
    gv_bytes_printf(&out, "P6\n%u %u\n255\n", width, height);
    uint8_t *rgb = gv_bytes_grow(&out, 3 * texels);
    for (size_t i = 0; rgb && i < texels; i++)
        memcpy(rgb + 3 * i, rgba + 4 * i, 3);
    bool ok =
        rgb ? gv_file_write(path, out.data, out.size, err) : gv_out_of_memory(err);
    gv_bytes_finish(&out);
    return ok;
}

bool gv_picture_write(const char *path, enum gv_picture_format format,
                      const uint8_t *rgba, uint32_t width, uint32_t height,
                      struct gv_error *err)
{
    switch (format) {
    case GV_PICTURE_PNG:
        return write_png(path, rgba, width, height, err);
    case GV_PICTURE_PPM:
        return write_ppm(path, rgba, width, height, err);
    case GV_PICTURE_RAW:
        return gv_file_write(path, rgba, (size_t)width * height * 4, err);
    }
    return false;
}
