// Writes captures of random OpenGL: make_gl_random FOLDER FIRST LAST writes
// FOLDER/N.trace for each seed.
#include "tests/gl_random/gl_random.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/apitrace/trace_pack.h"

static bool write_seed(const char *folder, uint32_t seed)
{
    static struct gl_random r;
    struct gv_bytes packed = { 0 };
    char path[4096];
    random_capture(&r, seed);
    trace_pack(GV_TRACE_SNAPPY, &r.t.w.out, 1u << 20, &packed);
    trace_gl_finish(&r.t);
    snprintf(path, sizeof path, "%s/%u.trace", folder, seed);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(packed.data, 1, packed.size, file) == packed.size;
    if (file && fclose(file) != 0)
        ok = false;
    gv_bytes_finish(&packed);
    if (!ok)
        perror(path);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: make_gl_random FOLDER FIRST LAST\n");
        return 2;
    }
    const uint32_t first = (uint32_t)strtoul(argv[2], NULL, 10),
                   last = (uint32_t)strtoul(argv[3], NULL, 10);
    for (uint32_t seed = first; seed <= last; seed++)
        if (!write_seed(argv[1], seed))
            return 1;
    return 0;
}
