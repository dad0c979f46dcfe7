// Writes a small capture, a seed of fuzz_gfxr, or a long capture of so many frames.
//   make_gfxr small FILE none|lz4|zlib|zstd
//   make_gfxr seed FILE none|lz4|zlib|zstd
//   make_gfxr FRAMES FILE none|lz4|zlib|zstd
#include "tests/gfxrfile/gfxr_long.h"
#include "tests/gfxrfile/gfxr_small.h"

#include <stdlib.h>
#include <string.h>

static bool write_small(FILE *file, enum gfxr_codec codec, bool seed)
{
    struct gfxr_writer w;
    const size_t skipped = seed ? 4 : 0; // the magic
    gfxr_write_small(&w, codec, 1);
    if (seed)
        fputc(0, file);
    const size_t size = w.out.size - skipped;
    const bool ok = fwrite(w.out.data + skipped, 1, size, file) == size;
    gfxr_finish(&w);
    return ok;
}

static bool write_what(const char *what, FILE *file, enum gfxr_codec codec)
{
    const bool seed = strcmp(what, "seed") == 0;
    if (seed || strcmp(what, "small") == 0)
        return write_small(file, codec, seed);
    return gfxr_write_long(file, codec, (unsigned)strtoul(what, NULL, 10));
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "none", "lz4", "zlib", "zstd" };
    for (enum gfxr_codec codec = GFXR_NONE; argc == 4 && codec <= GFXR_ZSTD; codec++) {
        FILE *file = strcmp(argv[3], names[codec]) == 0 ? fopen(argv[2], "wb") : NULL;
        if (!file)
            continue;
        const bool ok = write_what(argv[1], file, codec);
        return fclose(file) == 0 && ok ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    fprintf(stderr, "usage: make_gfxr small|seed|FRAMES FILE none|lz4|zlib|zstd\n");
    return 2;
}
