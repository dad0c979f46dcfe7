#include "tools/expect.h"

#include <unistd.h>

#include "tests/test.h"

static const struct {
    const char *name, *text;
    enum gv_status status;
    size_t count;
} cases[] = {
    { "two_lines", "frame\t0\t2x1\tmd5-rgba:00\nframe\t1\tnone\tnone\n", GV_OK, 2 },
    { "no_newline_at_end", "frame\tend\t2x1\txxh3-rgba:00", GV_OK, 1 },
    { "empty_file", "", GV_OK, 0 },
    { "blank_line", "\nframe\t0\tnone\tnone\n", GV_OK, 1 },
    { "other_word", "fram\t0\t2x1\tmd5-rgba:00\n", GV_ERR_USAGE, 0 },
    { "field_missing", "frame\t0\t2x1\n", GV_ERR_USAGE, 0 },
    { "field_too_many", "frame\t0\t2x1\tmd5-rgba:00\tx\n", GV_ERR_USAGE, 0 },
    { "unknown_form", "frame\t0\t2x1\tcrc:00\n", GV_ERR_USAGE, 0 },
    { "mixed_forms", "frame\t0\t2x1\tmd5-rgba:00\nframe\t1\t2x1\tmd5-rgb:00\n",
      GV_ERR_USAGE, 0 },
};

int main(void)
{
    char path[] = "/tmp/gpuvm-expect-XXXXXX";
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fopen(path, "w");
        fputs(cases[i].text, file);
        fclose(file);
        struct gv_error err = GV_ERROR_INIT;
        struct gv_expect expect = { 0 };
        bool ok = gv_expect_read(&expect, path, &err);
        CHECK_ROW(cases[i].name, err.status == cases[i].status);
        CHECK_ROW(cases[i].name, !ok || expect.count == cases[i].count);
        CHECK_ROW(cases[i].name, !ok || !expect.count ||
                                     (gv_expect_meet(&expect, expect.lines[0].frame) &&
                                      !gv_expect_meet(&expect, "77")));
        gv_expect_finish(&expect);
    }
    remove(path);
    return TEST_RESULT();
}
