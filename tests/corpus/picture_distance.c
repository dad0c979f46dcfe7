// How far a picture is from its reference, as RGB:
//   picture_distance REFERENCE.png PICTURE.png [BOTH.png]
// prints "WIDTHxHEIGHT LARGEST ALL OTHERS" and whether it holds: the largest difference
// of a channel, and the shares (per cent) of pixels off by more than 2, of all pixels
// and of those that are not the reference's commonest colour. A picture holds with at
// most 0.5 and 2. BOTH: the reference, the picture and where they differ, side by side.
// Exit code 0: it holds; 1: it does not; 2: no pictures.
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 2
#define MOST_OF_ALL 0.5
#define MOST_OF_OTHERS 2.0

struct picture {
    uint32_t width, height;
    uint8_t *rgb; // owned
};

static bool read_picture(const char *path, struct picture *out)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_file(&image, path)) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        return false;
    }
    // An alpha of the file means nothing: the background it would show is not there.
    image.format = PNG_FORMAT_RGBA;
    uint8_t *rgba = malloc(PNG_IMAGE_SIZE(image));
    out->width = image.width;
    out->height = image.height;
    out->rgb = malloc((size_t)3 * image.width * image.height);
    bool ok = rgba && out->rgb && png_image_finish_read(&image, NULL, rgba, 0, NULL);
    for (size_t i = 0; ok && i < (size_t)image.width * image.height; i++)
        memcpy(out->rgb + 3 * i, rgba + 4 * i, 3);
    free(rgba);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, image.message);
    return ok;
}

static int compare_colors(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static uint32_t color_at(const struct picture *p, size_t i)
{
    const uint8_t *c = p->rgb + 3 * i;
    return (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
}

static uint32_t commonest(const struct picture *p, size_t pixels)
{
    uint32_t *colors = malloc(pixels * sizeof *colors), best = 0;
    size_t most = 0, run = 0;
    if (!colors)
        return 0;
    for (size_t i = 0; i < pixels; i++)
        colors[i] = color_at(p, i);
    qsort(colors, pixels, sizeof *colors, compare_colors);
    for (size_t i = 0; i < pixels; i++) {
        run = i && colors[i] == colors[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            best = colors[i];
        }
    }
    free(colors);
    return best;
}

static int distance(const struct picture *a, const struct picture *b, size_t i)
{
    int most = 0;
    for (size_t c = 0; c < 3; c++) {
        int d = abs(a->rgb[3 * i + c] - b->rgb[3 * i + c]);
        most = d > most ? d : most;
    }
    return most;
}

static void write_both(const char *path, const struct picture *a,
                       const struct picture *b)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = 3 * a->width,
                        .height = a->height,
                        .format = PNG_FORMAT_RGB };
    size_t row = (size_t)3 * a->width;
    uint8_t *out = malloc(3 * row * a->height);
    for (size_t y = 0; out && y < a->height; y++) {
        memcpy(out + y * 3 * row, a->rgb + y * row, row);
        memcpy(out + y * 3 * row + row, b->rgb + y * row, row);
        for (size_t x = 0; x < a->width; x++) {
            int d = distance(a, b, y * a->width + x);
            memset(out + y * 3 * row + 2 * row + 3 * x,
                   d == 0          ? 0
                   : d > TOLERANCE ? 255
                                   : 96,
                   3);
        }
    }
    if (!out || !png_image_write_to_file(&image, path, 0, out, 0, NULL))
        fprintf(stderr, "%s: %s\n", path, image.message);
    free(out);
}

// What is told of two pictures, and the exit code.
static int tell(const struct picture *a, const struct picture *b, const char *both)
{
    if (a->width != b->width || a->height != b->height) {
        printf("%ux%u, not %ux%u: misses\n", b->width, b->height, a->width, a->height);
        return 1;
    }
    size_t pixels = (size_t)a->width * a->height, off = 0, off_others = 0, others = 0;
    uint32_t common = commonest(a, pixels);
    int largest = 0;
    for (size_t i = 0; i < pixels; i++) {
        int d = distance(a, b, i);
        bool other = color_at(a, i) != common;
        largest = d > largest ? d : largest;
        others += other;
        off += d > TOLERANCE;
        off_others += other && d > TOLERANCE;
    }
    double of_all = 100.0 * (double)off / (double)pixels;
    double of_others = others ? 100.0 * (double)off_others / (double)others : 0;
    bool holds = of_all <= MOST_OF_ALL && of_others <= MOST_OF_OTHERS;
    printf("%ux%u %d %.3f %.3f: %s\n", a->width, a->height, largest, of_all, of_others,
           !largest ? "exact"
           : holds  ? "holds"
                    : "misses");
    if (both)
        write_both(both, a, b);
    return holds ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct picture a = { 0 }, b = { 0 };
    int code = 2;
    if (argc > 2 && read_picture(argv[1], &a) && read_picture(argv[2], &b))
        code = tell(&a, &b, argc > 3 ? argv[3] : NULL);
    free(a.rgb);
    free(b.rgb);
    return code;
}
