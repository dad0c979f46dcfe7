// Golden files: what is taken, what is refused and by which line, and which frames a
// line accepts.
#include "tools/check/golden.h"
#include "tools/check/golden_devices.h"

#include "tests/test.h"

#define MD5 "0ee0646c1c77d8131cc8f4ee65c7673b"
#define SHA1 "0ee0646c1c77d8131cc8f4ee65c7673b00000000"

static const struct {
    const char *name, *text;
    size_t lines;      // of frames
    const char *wrong; // part of the message; NULL: it is fine
} cases[] = {
    { "nothing", "", 0, NULL },
    { "a comment", "# of today\n\n \t\r\n", 0, NULL },
    { "a line", "frame\t0\t2x1\tmd5-rgb:" MD5 "\n", 1, NULL },
    { "any size", "frame 0 - md5-rgb:" MD5 "\n", 1, NULL },
    { "Mesa's", "frame 0 - " MD5 "\n", 1, NULL },
    { "FifoCI's", "frame 0 - " SHA1 " # of a master\n", 1, NULL },
    { "two for a frame", "frame 0 - " MD5 "\nframe 0 - " SHA1 "\n", 2, NULL },
    { "no picture", "frame 0 none none\n", 1, NULL },
    { "the end",
      "\xef\xbb\xbf"
      "frame end 2x1 md5-rgb:" MD5,
      1, NULL },
    { "words", "tolerance gl\nmask a/b.png\nknown-fail see #12\nframes 0-3,end\n", 0,
      NULL },
    { "another word", "\nframes 1\nfrom 0\n", 0, "x.tsv: line 3: none of" },
    { "no number", "frame x - " MD5 "\n", 0, "line 1: no frame" },
    { "leading zero", "frame 01 - " MD5 "\n", 0, "no frame" },
    { "no size", "frame 0 2x " MD5 "\n", 0, "no size" },
    { "a size alone", "frame 0 2x1 none\n", 0, "a size without a hash" },
    { "no hash", "frame 0 2x1\n", 0, "no hash" },
    { "an unknown form", "frame 0 2x1 crc32:00\n", 0, "a form of hash" },
    { "a short hash", "frame 0 2x1 md5-rgb:00\n", 0, "wrong length" },
    { "short digits", "frame 0 2x1 0123\n", 0, "neither MD5 nor SHA-1" },
    { "no digit", "frame 0 2x1 md5-rgb:0ee0646c1c77d8131cc8f4ee65c7673g\n", 0,
      "hexadecimal" },
    { "more", "frame 0 2x1 " MD5 " yes\n", 0, "more than a frame's line has" },
    { "no tolerance", "tolerance much\n", 0, "line 1: " },
    { "an empty tolerance", "tolerance\n", 0, "tolerance: exact" },
    { "no reason", "known-fail\n", 0, "a reason" },
    { "a mask elsewhere", "mask ../../secret.png\n", 0, "in this folder" },
    { "an absolute mask", "mask /etc/passwd\n", 0, "in this folder" },
    { "a set of a file", "frames @/etc/passwd\n", 0, "without @FILE" },
};

static void test_parse(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_golden golden = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        const bool ok = gv_golden_parse(&golden, "x.tsv", cases[i].text,
                                        strlen(cases[i].text), &err);
        CHECK_ROW(cases[i].name, ok == !cases[i].wrong);
        CHECK_ROW(cases[i].name, !ok || golden.count == cases[i].lines);
        CHECK_ROW(cases[i].name, ok || (err.status == GV_ERR_USAGE &&
                                        strstr(err.message, cases[i].wrong)));
        gv_golden_finish(&golden);
    }
    struct gv_golden golden = { 0 };
    CHECK(!gv_golden_parse(&golden, "x", "known-fail a\0b\n", 15, NULL));
    gv_golden_finish(&golden);
}

// Lines of a frame stand together, by frames, in the order of the file.
static void test_find(void)
{
    static const char text[] = "frame end - " MD5 "\nframe 10 - " SHA1
                               "\nframe 9 - " MD5 "\nframe 10 none none\n";
    struct gv_golden golden = { 0 };
    size_t count;
    CHECK(gv_golden_parse(&golden, "x", text, sizeof text - 1, NULL));
    const struct gv_golden_line *lines = gv_golden_find(&golden, "10", &count);
    CHECK(lines && count == 2 && lines[0].number == 2 && lines[1].number == 4);
    CHECK(gv_golden_find(&golden, "end", &count) == golden.lines + 3 && count == 1);
    CHECK(!gv_golden_find(&golden, "1", &count) && count == 0);
    gv_golden_finish(&golden);
}

static const struct {
    const char *name, *line, *size, *hash;
    enum gv_hash_form form;
    bool accepted;
} accepted[] = {
    { "same", "frame 0 2x1 md5-rgb:" MD5, "2x1", "md5-rgb:" MD5, GV_HASH_MD5_RGB,
      true },
    { "upper case", "frame 0 2x1 md5-rgb:0EE0646C1C77D8131CC8F4EE65C7673B", "2x1",
      "md5-rgb:" MD5, GV_HASH_MD5_RGB, true },
    { "another size", "frame 0 2x2 md5-rgb:" MD5, "2x1", "md5-rgb:" MD5,
      GV_HASH_MD5_RGB, false },
    { "any size", "frame 0 - md5-rgb:" MD5, "2x1", "md5-rgb:" MD5, GV_HASH_MD5_RGB,
      true },
    { "another form", "frame 0 - md5-rgba:" MD5, "2x1", "md5-rgb:" MD5, GV_HASH_MD5_RGB,
      false },
    { "bare", "frame 0 - " MD5, "2x1", "md5-rgb:" MD5, GV_HASH_MD5_RGB, true },
    { "bare, with alpha", "frame 0 - " MD5, "2x1", "md5-rgba:" MD5, GV_HASH_MD5_RGBA,
      true },
    { "bare of another kind", "frame 0 - " MD5, "2x1", "xxh3-rgba:" MD5,
      GV_HASH_XXH3_RGBA, false },
    { "none", "frame 0 none none", "none", "none", GV_HASH_MD5_RGB, true },
    { "some", "frame 0 none none", "2x1", "md5-rgb:" MD5, GV_HASH_MD5_RGB, false },
    { "none for some", "frame 0 2x1 " MD5, "none", "none", GV_HASH_MD5_RGB, false },
};

static void test_accepts(void)
{
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        struct gv_golden golden = { 0 };
        CHECK_ROW(accepted[i].name,
                  gv_golden_parse(&golden, "x", accepted[i].line,
                                  strlen(accepted[i].line), NULL) &&
                      golden.count == 1 &&
                      gv_golden_accepts(golden.lines, accepted[i].size,
                                        accepted[i].form,
                                        accepted[i].hash) == accepted[i].accepted);
        gv_golden_finish(&golden);
    }
}

int main(void)
{
    test_parse();
    test_find();
    test_accepts();
    return TEST_RESULT();
}
