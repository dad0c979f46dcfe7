// Lines of an expectation file, good and bad.
#include "tools/verdict/expect.h"

#include <unistd.h>

#include "tests/test.h"

#define MD5 "0123456789abcdef0123456789abcdef"
#define MD5_UPPER "0123456789ABCDEF0123456789ABCDEF"
#define SHA1 MD5 "01234567"
#define SHA256 MD5 MD5

static const struct {
    const char *name, *text;
    enum gv_status status;
    size_t count;
    const char *says; // of the error; or the first line's hash
} cases[] = {
    { "two_lines", "frame\t0\t2x1\tmd5-rgba:" MD5 "\nframe\t1\tnone\tnone\n", GV_OK, 2,
      "md5-rgba:" MD5 },
    { "no_newline_at_end", "frame\tend\t2x1\txxh3-rgba:" MD5, GV_OK, 1,
      "xxh3-rgba:" MD5 },
    { "empty_file", "", GV_OK, 0, NULL },
    { "blank_line", "\nframe\t0\tnone\tnone\n", GV_OK, 1, "none" },
    { "line_of_blanks", " \t \nframe\t0\tnone\tnone\n", GV_OK, 1, "none" },
    { "comment", "# of today\n  # and more\nframe\t0\tnone\tnone # x\n", GV_OK, 1,
      "none" },
    { "crlf", "frame\t0\t2x1\tmd5-rgb:" MD5 "\r\n\r\nframe\t1\tnone\tnone\r\n", GV_OK,
      2, "md5-rgb:" MD5 },
    { "blanks_for_tabs", "  frame 0   2x1 md5-rgb:" MD5 "  \n", GV_OK, 1,
      "md5-rgb:" MD5 },
    { "upper_case", "frame\t0\t2x1\tmd5-rgb:" MD5_UPPER "\n", GV_OK, 1,
      "md5-rgb:" MD5 },
    { "byte_order_mark",
      "\xef\xbb\xbf"
      "frame\t0\tnone\tnone\n",
      GV_OK, 1, "none" },
    { "sha256", "frame\t0\t2x1\tsha256-rgba:" SHA256 "\n", GV_OK, 1,
      "sha256-rgba:" SHA256 },
    { "other_word", "fram\t0\t2x1\tmd5-rgba:" MD5 "\n", GV_ERR_USAGE, 0,
      "line 1: not" },
    { "field_missing", "\n\nframe\t0\t2x1\n", GV_ERR_USAGE, 0, "line 3: no hash" },
    { "field_too_many", "frame\t0\t2x1\tmd5-rgba:" MD5 "\tx\n", GV_ERR_USAGE, 0,
      "line 1: more" },
    { "unknown_form", "frame\t0\t2x1\tcrc:00\n", GV_ERR_USAGE, 0, "line 1: no hash" },
    { "mixed_forms",
      "frame\t0\t2x1\tmd5-rgba:" MD5 "\n#\nframe\t1\t2x1\tmd5-rgb:" MD5 "\n", GV_OK, 2,
      "md5-rgba:" MD5 },
    { "any_size", "frame 3 - md5-rgb:" MD5, GV_OK, 1, "md5-rgb:" MD5 },
    { "bare", "frame 3 - " MD5_UPPER, GV_OK, 1, MD5 },
    { "bare_sha1", "frame 3 2x1 " SHA1, GV_OK, 1, SHA1 },
    { "bare_sha256", "frame 3 2x1 " SHA256, GV_OK, 1, SHA256 },
    { "checksum", "checksum: " MD5 " # llvmpipe\n", GV_OK, 1, MD5 },
    { "alone", "  " SHA1 "\n", GV_OK, 1, SHA1 },
    { "the_last", "frame last - " MD5 "\n", GV_OK, 1, MD5 },
    { "checksum_of_none", "checksum:\n", GV_ERR_USAGE, 0, "line 1: not one" },
    { "odd_checksum", "checksum: 0123\n", GV_ERR_USAGE, 0, "line 1: not one" },
    { "two_checksums", MD5 " " MD5, GV_ERR_USAGE, 0, "line 1: not one" },
    { "bare_odd", "frame 3 - 0123", GV_ERR_USAGE, 0, "line 1: no hash" },
    { "bare_no_digit", "frame 3 - " MD5 MD5 "x", GV_ERR_USAGE, 0, "line 1: no hash" },
    { "sha1", "frame 3 2x1 sha1-rgb:" MD5, GV_ERR_USAGE, 0,
      "line 1: sha1-rgb takes 40 digits, not 32" },
    { "digit_missing", "frame\t0\t2x1\tsha256-rgb:" MD5 "\n", GV_ERR_USAGE, 0,
      "line 1: sha256-rgb takes 64 digits, not 32" },
    { "digit_too_many", "frame\t0\t2x1\tmd5-rgb:" MD5 "0\n", GV_ERR_USAGE, 0,
      "line 1: md5-rgb takes 32 digits, not 33" },
    { "far_too_many", "frame\t0\t2x1\tmd5-rgb:" SHA256 SHA256 "\n", GV_ERR_USAGE, 0,
      "line 1: no hash" },
    { "no_digit", "frame\t0\t2x1\tmd5-rgb:g123456789abcdef0123456789abcdef\n",
      GV_ERR_USAGE, 0, "line 1: the hash has what is no hexadecimal digit" },
    { "size_without_hash", "frame\t0\t2x1\tnone\n", GV_ERR_USAGE, 0,
      "line 1: no hash" },
    { "hash_without_size", "frame\t0\tnone\tmd5-rgb:" MD5 "\n", GV_ERR_USAGE, 0,
      "line 1: no size" },
    { "odd_size", "frame\t0\t02x1\tmd5-rgb:" MD5 "\n", GV_ERR_USAGE, 0,
      "line 1: no size" },
    { "odd_frame", "frame\t-1\tnone\tnone\n", GV_ERR_USAGE, 0, "line 1: not one" },
    { "padded_frame", "frame\t007\tnone\tnone\n", GV_ERR_USAGE, 0, "line 1: not one" },
    { "twice",
      "frame\t12\tnone\tnone\nframe\t3\t2x1\tmd5-rgb:" MD5
      "\nframe\tend\tnone\tnone\nframe\t3\tnone\tnone\n",
      GV_OK, 4, "md5-rgb:" MD5 },
};

// Lines stand by frame, those of one frame as in the file.
static void check_order(const char *path)
{
    struct gv_expect expect = { 0 };
    size_t count = 0;
    FILE *file = fopen(path, "w");
    fputs("frame end - " MD5 "\n" MD5 "\nframe 10 - " MD5 "\nframe 9 1x1 " MD5
          "\nframe 10 none none\n",
          file);
    fclose(file);
    CHECK(gv_expect_read(&expect, path, NULL) && expect.count == 5);
    const struct gv_expect_line *ten = gv_expect_lines(&expect, "10", &count);
    CHECK(ten == expect.lines + 1 && count == 2 && ten[0].number == 3);
    CHECK(gv_expect_lines(&expect, "last", &count) && count == 1);
    gv_expect_name_last(&expect, "9");
    CHECK(gv_expect_lines(&expect, "9", &count) == expect.lines && count == 2);
    CHECK(expect.lines[0].number == 2 && !gv_expect_lines(&expect, "last", &count));
    CHECK(gv_expect_lines(&expect, "end", &count) == expect.lines + 4 && count == 1);
    gv_expect_finish(&expect);
}

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
        if (!ok)
            CHECK_ROW(cases[i].name, strstr(err.message, cases[i].says));
        else if (cases[i].says)
            CHECK_ROW(cases[i].name, !strcmp(expect.lines[0].hash, cases[i].says));
        size_t count = 0;
        CHECK_ROW(cases[i].name,
                  !ok || !expect.count ||
                      (gv_expect_lines(&expect, expect.lines[0].frame, &count) ==
                           expect.lines &&
                       count && !gv_expect_lines(&expect, "77", &count)));
        gv_expect_finish(&expect);
    }
    check_order(path);
    remove(path);
    return TEST_RESULT();
}
