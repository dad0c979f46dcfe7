// picture_distance itself: what it says of pictures made here, at its limits.
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

#define SIDE 20    // 400 pixels
#define COMMON 340 // of which so many have the commonest colour

struct change {
    const char *name;
    int first, count; // pixels, in rows from above
    int by;           // of their green
    const char *said;
    int code;
};

static const struct change changes[] = {
    { "equal", 0, 0, 0, "20x20 0 0.000 0.000: exact", 0 },
    { "all by 2", 0, 400, 2, "20x20 2 0.000 0.000: holds", 0 },
    { "two of all", 0, 2, 3, "20x20 3 0.500 0.000: holds", 0 },
    { "three of all", 0, 3, 3, "20x20 3 0.750 0.000: misses", 1 },
    { "one of others", 399, 1, 90, "20x20 90 0.250 1.667: holds", 0 },
    { "two of others", 398, 2, 90, "20x20 90 0.500 3.333: misses", 1 },
    { "all", 0, 400, 100, "20x20 100 100.000 100.000: misses", 1 },
};

static bool write_picture(const char *path, uint32_t height, const struct change *c)
{
    static uint8_t rgb[SIDE * SIDE * 3];
    for (int i = 0; i < SIDE * SIDE; i++) {
        rgb[3 * i] = (uint8_t)(i < COMMON ? 50 : i - COMMON + 100);
        rgb[3 * i + 1] = 20;
        rgb[3 * i + 2] = 200;
    }
    for (int i = 0; c && i < c->count; i++)
        rgb[3 * (c->first + i) + 1] = (uint8_t)(20 + c->by);
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = SIDE,
                        .height = height,
                        .format = PNG_FORMAT_RGB };
    return png_image_write_to_file(&image, path, 0, rgb, 0, NULL);
}

// What the program prints of two files, without the newline; its exit code.
static int compare(const char *program, const char *reference, const char *picture,
                   char said[200])
{
    char command[1000];
    snprintf(command, sizeof command, "%s %s %s 2>&1", program, reference, picture);
    FILE *out = popen(command, "r"); // NOLINT(bugprone-command-processor): our own
    if (!out)
        return -1;
    said[fread(said, 1, 199, out)] = 0;
    said[strcspn(said, "\n")] = 0;
    const int status = pclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/gpuvm-distance-XXXXXX", reference[100], picture[100],
         said[200];
    if (argc < 2 || !mkdtemp(folder))
        return EXIT_FAILURE;
    snprintf(reference, sizeof reference, "%s/reference.png", folder);
    snprintf(picture, sizeof picture, "%s/picture.png", folder);
    CHECK(write_picture(reference, SIDE, NULL));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *c = &changes[i];
        CHECK_ROW(c->name, write_picture(picture, SIDE, c));
        const int code = compare(argv[1], reference, picture, said);
        CHECK_ROW(said, code == c->code && !strcmp(said, c->said));
    }
    CHECK(write_picture(picture, SIDE - 1, NULL));
    CHECK(compare(argv[1], reference, picture, said) == 1);
    CHECK(!strcmp(said, "20x19, not 20x20: misses"));
    unlink(picture);
    CHECK(compare(argv[1], reference, picture, said) == 2);
    unlink(reference);
    rmdir(folder);
    return TEST_RESULT();
}
