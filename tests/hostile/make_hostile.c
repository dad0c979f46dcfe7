// Writes traces that lie (hostile_rows.def), and a line for each: its name, a tab, what
// is to be told of it.
//   make_hostile FOLDER [EVERY [NAME]]     each EVERY-th; or only the row NAME
#include "tests/hostile/hostile_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_row(const char *folder, const struct hostile_row *row)
{
    char path[4096];
    static struct trace_gl t;
    snprintf(path, sizeof path, "%s/%s.trace", folder, row->name);
    hostile_write(&t, row);
    FILE *file = fopen(path, "wb");
    bool ok = file && !t.w.out.failed &&
              fwrite(t.w.out.data, 1, t.w.out.size, file) == t.w.out.size;
    ok = file && fclose(file) == 0 && ok;
    trace_gl_finish(&t);
    if (!ok)
        perror(path);
    return ok;
}

int main(int argc, char **argv)
{
    const size_t every = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    bool ok = true;
    if (argc < 2 || !every) {
        fprintf(stderr, "usage: make_hostile FOLDER [EVERY [NAME]]\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; ok && i < hostile_row_count; i += every) {
        if (argc > 3 && strcmp(argv[3], hostile_rows[i].name) != 0)
            continue;
        ok = write_row(argv[1], &hostile_rows[i]);
        printf("%s\t%s\n", hostile_rows[i].name, hostile_rows[i].says);
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
