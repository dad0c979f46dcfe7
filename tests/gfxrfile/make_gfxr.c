// Writes a small capture, or a seed of fuzz_gfxr.
//   make_gfxr small FILE none|lz4|zlib|zstd
//   make_gfxr seed FILE none|lz4|zlib|zstd
#include "tests/gfxrfile/gfxr_small.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const names[] = { "none", "lz4", "zlib", "zstd" };
    for (enum gfxr_codec codec = GFXR_NONE; argc == 4 && codec <= GFXR_ZSTD; codec++) {
        struct gfxr_writer w;
        FILE *file = strcmp(argv[3], names[codec]) == 0 ? fopen(argv[2], "wb") : NULL;
        if (!file)
            continue;
        const size_t skipped = strcmp(argv[1], "seed") == 0 ? 4 : 0; // the magic
        gfxr_write_small(&w, codec, 1);
        if (skipped)
            fputc(0, file);
        const size_t size = w.out.size - skipped;
        const bool ok = fwrite(w.out.data + skipped, 1, size, file) == size;
        gfxr_finish(&w);
        return fclose(file) == 0 && ok ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    fprintf(stderr, "usage: make_gfxr small|seed FILE none|lz4|zlib|zstd\n");
    return 2;
}
