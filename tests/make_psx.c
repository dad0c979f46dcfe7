// Writes PlayStation GPU dumps.
//   make_psx demo FILE           the demo
//   make_psx tour FILE [14]      every packet and command; 14: with the 14-byte magic
//   make_psx random FILE SEED COMMANDS
#include "resources/base/file.h"
#include "tests/psx_writer.h"

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

int main(int argc, char **argv)
{
    struct gv_psx_writer w = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "demo") == 0) {
        gv_psx_write_demo(&w);
    } else if (strcmp(what, "tour") == 0) {
        gv_psx_write_tour(&w, argc > 3 && strcmp(argv[3], "14") == 0);
    } else if (strcmp(what, "random") == 0 && argc > 4) {
        write_random(&w, strtoull(argv[3], NULL, 0), strtoul(argv[4], NULL, 0));
    } else {
        fprintf(stderr, "usage: make_psx demo|tour|random FILE [...]\n");
        return EXIT_FAILURE;
    }
    bool ok = !w.out.failed && gv_file_write(argv[2], w.out.data, w.out.size, &err);
    gv_bytes_finish(&w.out);
    if (!ok)
        fprintf(stderr, "make_psx: %s\n", err.message);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
