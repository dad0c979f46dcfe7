// Results as files: names that would be HTML, XML or a formula stay text, lines come
// back as they were, two runs are compared.
//   test_results write FOLDER COUNT    leaves the files of so many results
#include "resources/base/file.h"
#include "tools/results/result_against.h"
#include "tools/results/result_folder.h"
#include "tools/results/result_junit.h"
#include "tools/results/result_lines.h"
#include "tools/results/result_page.h"
#include "tools/results/result_table.h"

#include "tests/test.h"

#include <unistd.h>

// Ends of elements, a comment, quotes, controls, no UTF-8, text from right to left.
static const char hostile[] =
    // NOLINTNEXTLINE(misc-misleading-bidirectional)
    "a\"b'<script>alert(1)</script>&]]>,\n\x1b[31m\xff\xe2\x80\xae</script><!--";

static struct gv_result make(const char *name, enum gv_word word)
{
    return (struct gv_result){ .name = name,
                               .file = name,
                               .note = "",
                               .why = "",
                               .command = "",
                               .golden = "",
                               .word = word,
                               .ns = 1500000000u };
}

static void fill(struct gv_results *results)
{
    const struct gv_result_frame frame = { "3", hostile, "1x1 md5-rgb:0", "missing",
                                           GV_RESULT_ACTUAL | GV_RESULT_DIFF };
    for (int word = 0; word < GV_WORD_COUNT; word++) {
        char name[80];
        snprintf(name, sizeof name, "%d%s", word, hostile);
        struct gv_result r = make(name, (enum gv_word)word);
        r.why = r.command = hostile;
        r.note = word ? "" : "incomplete";
        r.differing = &frame;
        r.differing_count = word == GV_WORD_FAIL;
        r.differing_total = 20 * r.differing_count;
        CHECK(gv_results_add(results, &r));
    }
    results->title = hostile;
    results->device = "a device";
    results->version = "1";
}

static char *text_of(const struct gv_results *results,
                     void (*put)(const struct gv_results *, struct gv_bytes *))
{
    struct gv_bytes out = { 0 };
    put(results, &out);
    gv_bytes_u8(&out, 0);
    CHECK(!out.failed);
    return (char *)out.data;
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    while ((text = strstr(text, word))) {
        text += strlen(word);
        found++;
    }
    return found;
}

static void test_texts(void)
{
    struct gv_results results = { 0 };
    fill(&results);
    char *page = text_of(&results, gv_result_page);
    CHECK(count(page, "<script") == 2 && count(page, "</script>") == 2);
    CHECK(!strchr(page, '\x1b') && !strstr(page, "<!--"));
    CHECK(!strstr(page, "://")); // asks nobody
    free(page);
    char *xml = text_of(&results, gv_result_junit);
    CHECK(!strstr(xml, "<script") && !strchr(xml, '\x1b') && !strstr(xml, "\xff"));
    CHECK(strstr(xml, "tests=\"8\" failures=\"2\" errors=\"3\" time=\"12.000\""));
    CHECK(count(xml, "<skipped") == 2 && strstr(xml, "Pass (incomplete)"));
    free(xml);
    CHECK(gv_results_unexpected(&results) == 5);
    gv_results_finish(&results);
}

static const struct {
    const char *line, *name, *word; // NULL name: refused
} fields[] = {
    { "a", "a", NULL },
    { "a,Fail", "a", "Fail" },
    { "a,Fail,1.0", "a", "Fail" },
    { "\"a,\"\"b\"\"\",Crash", "a,\"b\"", "Crash" },
    { "\"a\"", "a", NULL },
    { "\"a\"x,Crash", NULL, NULL },
    { "\"a\" ,Crash", NULL, NULL },
    { "\"a", NULL, NULL },
};

static void test_table(void)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char line[64], *name, *word;
        snprintf(line, sizeof line, "%s", fields[i].line);
        const bool ok = gv_result_table_fields(line, &name, &word);
        CHECK_ROW(fields[i].line, ok == (fields[i].name != NULL));
        CHECK_ROW(fields[i].line, !ok || strcmp(name, fields[i].name) == 0);
        CHECK_ROW(fields[i].line,
                  !ok || (word ? fields[i].word && strcmp(word, fields[i].word) == 0
                               : !fields[i].word));
    }
    struct gv_results results = { 0 };
    const struct gv_result r = make("a,\"b", GV_WORD_FAIL);
    struct gv_bytes out = { 0 };
    CHECK(gv_results_add(&results, &r));
    gv_result_table(&results, false, &out);
    gv_result_table(&results, true, &out);
    gv_bytes_u8(&out, 0);
    CHECK(strcmp((char *)out.data, "\"a,\"\"b\",Fail,1.500\n\"a,\"\"b\",Fail\n") == 0);
    gv_bytes_finish(&out);
    gv_results_finish(&results);
}

static void test_lines(const char *folder)
{
    struct gv_results results = { 0 }, back = { 0 };
    struct gv_result_lines lines;
    fill(&results);
    CHECK(gv_result_lines_open(&lines, folder, "so", false, NULL, NULL));
    for (size_t i = 0; i < results.count; i++)
        CHECK(gv_result_lines_put(&lines, &results.items[i], NULL));
    CHECK(write(lines.fd, "{\"name\":\"half", 13) == 13);
    gv_result_lines_close(&lines);
    CHECK(!gv_result_lines_open(&lines, folder, "otherwise", true, &back, NULL));
    CHECK(gv_result_lines_open(&lines, folder, "so", true, &back, NULL));
    CHECK(back.count == results.count);
    for (size_t i = 0; i < back.count; i++) {
        CHECK(back.items[i].word == results.items[i].word);
        CHECK(back.items[i].ns == results.items[i].ns);
        CHECK(back.items[i].differing_total == results.items[i].differing_total);
    }
    CHECK(back.items[1].differing_count == 1 &&
          back.items[1].differing[0].pictures == 5);
    const struct gv_result plain = make("plain", GV_WORD_PASS);
    CHECK(gv_result_lines_put(&lines, &plain, NULL));
    gv_result_lines_close(&lines);
    gv_results_finish(&back);
    CHECK(gv_result_lines_read(&back, folder, NULL) && back.count == results.count + 1);
    CHECK(strcmp(back.items[back.count - 1].name, "plain") == 0);
    gv_results_finish(&back);
    gv_results_finish(&results);
}

static void test_against(void)
{
    static const struct {
        const char *name;
        enum gv_word then, now;
        uint64_t then_ms, now_ms;
        enum gv_change change;
    } rows[] = {
        { "same", GV_WORD_PASS, GV_WORD_PASS, 1000, 2000, GV_CHANGE_NONE },
        { "too", GV_WORD_PASS, GV_WORD_PASS, 500, 1000, GV_CHANGE_NONE },
        { "three", GV_WORD_SKIP, GV_WORD_SKIP, 100, 200, GV_CHANGE_NONE },
        { "slow", GV_WORD_PASS, GV_WORD_PASS, 1000, 3100, GV_CHANGE_SLOWER },
        { "little", GV_WORD_PASS, GV_WORD_PASS, 10, 100, GV_CHANGE_NONE },
        { "broken", GV_WORD_PASS, GV_WORD_CRASH, 1000, 2000, GV_CHANGE_FAILS },
        { "mended", GV_WORD_FAIL, GV_WORD_PASS, 1000, 2000, GV_CHANGE_PASSES },
        { "unlisted", GV_WORD_UNEXPECTED_PASS, GV_WORD_PASS, 1000, 2000,
          GV_CHANGE_NONE },
        { "listed", GV_WORD_FAIL, GV_WORD_EXPECTED_FAIL, 1000, 2000, GV_CHANGE_NONE },
        { "skipped", GV_WORD_FAIL, GV_WORD_SKIP, 1000, 2000, GV_CHANGE_NONE },
    };
    struct gv_results then = { 0 }, now = { 0 };
    const size_t rows_count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < rows_count; i++) {
        struct gv_result r = make(rows[i].name, rows[i].then);
        r.ns = rows[i].then_ms * 1000000u;
        CHECK(gv_results_add(&then, &r));
        r.word = rows[i].now;
        r.ns = rows[i].now_ms * 1000000u;
        CHECK(gv_results_add(&now, &r));
    }
    const struct gv_result r = make("first seen", GV_WORD_PASS);
    CHECK(gv_results_add(&now, &r));
    CHECK(gv_result_against(&now, &then, NULL));
    for (size_t i = 0; i < rows_count; i++)
        CHECK_ROW(rows[i].name, now.items[i].change == rows[i].change);
    CHECK(now.items[rows_count].change == GV_CHANGE_NEW);
    gv_results_finish(&then);
    gv_results_finish(&now);
}

// One in ten fails, in some frames.
static int write_folder(const char *folder, const char *number)
{
    struct gv_results results = { .title = "golden",
                                  .device = "a device",
                                  .version = "1" };
    static const char hash[] =
        "64x64 sha256-rgba:"
        "8b6f5679133421bb7f170a856afacb220da9abf01482709e46b54999b9af6ec1";
    const struct gv_result_frame frames[] = {
        { "3", "the hash differs", hash, hash, 7 },
        { "end", "the hash differs", hash, hash, 0 }
    };
    for (unsigned long i = 0, wanted = strtoul(number, NULL, 10); i < wanted; i++) {
        char name[80];
        snprintf(name, sizeof name, "games/level %lu", i);
        struct gv_result r = make(i == 10 ? hostile : name, GV_WORD_PASS);
        if (i % 10 == 0) {
            r.word = GV_WORD_FAIL;
            r.why = "2 frames differ; frame 3: the hash differs";
            r.command =
                "gpuvm run --screenshots 3 --screenshot-dir seen games/level.gvp";
            r.differing = frames;
            r.differing_count = r.differing_total = 2;
        }
        CHECK(gv_results_add(&results, &r));
    }
    CHECK(gv_result_folder_write(&results, folder, NULL));
    gv_results_finish(&results);
    return TEST_RESULT();
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0)
        return write_folder(argv[2], argv[3]);
    char folder[] = "/tmp/gpuvm-results-XXXXXX", path[80];
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    test_texts();
    test_table();
    test_lines(folder);
    test_against();
    snprintf(path, sizeof path, "%s/%s", folder, GV_RESULT_LINES);
    unlink(path);
    rmdir(folder);
    return TEST_RESULT();
}
