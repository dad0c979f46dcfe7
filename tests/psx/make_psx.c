// Writes PlayStation GPU dumps.
//   make_psx demo FILE [FRAMES]  the demo; so many frames of it
//   make_psx tour FILE [14]      every packet and command; 14: with the 14-byte magic
//   make_psx random FILE SEED COMMANDS
//   make_psx still FILE FRAMES   one picture, for so many frames
//   make_psx tiles FILE FRAMES   tiles and sprites, never cleared
//   make_psx split FILE FROM N   the dump FROM in GP0 packets of at most N words
#include "resources/base/file.h"
#include "tests/psx/psx_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_random(struct gv_psx_writer *w, uint64_t seed, unsigned long commands)
{
    w->random = seed;
    gv_psx_write_header(w, false);
    gv_psx_write_defaults(w);
    for (unsigned long i = 0; i < commands; i++) {
        gv_psx_write_random(w);
        if (i % 100 == 99)
            gv_psx_write_vsync(w);
    }
    gv_psx_write_vsync(w);
    gv_psx_write_end(w);
}

static void write_still(struct gv_psx_writer *w, unsigned long frames)
{
    w->random = 1;
    gv_psx_write_header(w, false);
    gv_psx_write_defaults(w);
    for (int i = 0; i < 20; i++)
        gv_psx_write_random(w);
    for (unsigned long i = 0; i < frames; i++)
        gv_psx_write_vsync(w);
    gv_psx_write_end(w);
}

static bool write_split(struct gv_psx_writer *w, const char *from, const char *words,
                        struct gv_error *err)
{
    struct gv_file file;
    uint32_t n = (uint32_t)strtoul(words, NULL, 0);
    if (!gv_file_open(&file, from, err))
        return false;
    gv_psx_resplit(file.data, file.size, n ? n : 1, &w->out);
    gv_file_close(&file);
    return true;
}

int main(int argc, char **argv)
{
    struct gv_psx_writer w = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const char *what = argc > 2 ? argv[1] : "";
    bool ok = true;
    if (strcmp(what, "demo") == 0) {
        if (argc > 3)
            gv_psx_write_long_demo(&w, atoi(argv[3]));
        else
            gv_psx_write_demo(&w);
    } else if (strcmp(what, "tour") == 0) {
        gv_psx_write_tour(&w, argc > 3 && strcmp(argv[3], "14") == 0);
    } else if (strcmp(what, "random") == 0 && argc > 4) {
        write_random(&w, strtoull(argv[3], NULL, 0), strtoul(argv[4], NULL, 0));
    } else if (strcmp(what, "still") == 0 && argc > 3) {
        write_still(&w, strtoul(argv[3], NULL, 0));
    } else if (strcmp(what, "tiles") == 0 && argc > 3) {
        gv_psx_write_tiles(&w, atoi(argv[3]));
    } else if (strcmp(what, "split") == 0 && argc > 4) {
        ok = write_split(&w, argv[3], argv[4], &err);
    } else {
        fprintf(stderr,
                "usage: make_psx demo|tour|random|still|tiles|split FILE [...]\n");
        return EXIT_FAILURE;
    }
    ok = ok && !w.out.failed && gv_file_write(argv[2], w.out.data, w.out.size, &err);
    gv_bytes_finish(&w.out);
    if (!ok)
        fprintf(stderr, "make_psx: %s\n", err.message);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
