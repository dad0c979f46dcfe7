// Words of a SET, and which frames, commands and calls they select.
#include "tools/set_file.h"

#include "tests/test.h"
#include "tools/select/selection.h"
#include "vm/command_kinds.h"

// `numbers`: the numbers selected of `total`, with `!` after those asked for by number.
static const struct {
    const char *name, *text;
    uint64_t total;
    enum gv_status parse, resolve;
    const char *numbers;
    bool end;
} cases[] = {
    { "one", "3", 5, GV_OK, GV_OK, "3!", false },
    { "range", "1-3", 5, GV_OK, GV_OK, "1! 2! 3!", false },
    { "range_step", "0-4/2", 5, GV_OK, GV_OK, "0! 2! 4!", false },
    { "open", "3-", 5, GV_OK, GV_OK, "3 4", false },
    { "open_step", "1-/2", 6, GV_OK, GV_OK, "1 3 5", false },
    { "star", "*", 3, GV_OK, GV_OK, "0 1 2", false },
    { "all_step", "all/2", 5, GV_OK, GV_OK, "0 2 4", false },
    { "all_of_none", "all", 0, GV_OK, GV_OK, "", false },
    { "last", "last", 7, GV_OK, GV_OK, "6!", false },
    { "last_of_none", "last", 0, GV_OK, GV_ERR_USAGE, "", false },
    { "end_alone", "end", 0, GV_OK, GV_OK, "", true },
    { "sorted_once", "4,1,4,0-1,end", 5, GV_OK, GV_OK, "0! 1! 4!", true },
    { "named_wins", "all,1", 3, GV_OK, GV_OK, "0 1! 2", false },
    { "past_the_end", "5", 5, GV_OK, GV_ERR_USAGE, "", false },
    { "range_past_the_end", "3-5", 5, GV_OK, GV_ERR_USAGE, "", false },
    { "open_past_the_end", "5-", 5, GV_OK, GV_ERR_USAGE, "", false },
    { "huge", "18446744073709551615", 5, GV_OK, GV_ERR_USAGE, "", false },
    { "too_huge", "18446744073709551616", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "absurd_count", "0-99999999999", 100000000000, GV_OK, GV_ERR_USAGE, "", false },
    { "empty", "", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "commas_only", ",,", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "word", "first", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "backwards", "3-1", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "step_zero", "0-4/0", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "sign", "+3", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "kind_alone_and_more", "framed", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "kind_and_step", "*/frame/10", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "no_step", "*/", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "place", "f12.d40", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "trailing", "3x", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "blank", " 1 2, 3", 5, GV_OK, GV_OK, "1! 2! 3!", false },
    { "kind_of_nothing", "*/draw", 5, GV_OK, GV_ERR_USAGE, "", false },
    { "kind_and_more", "*/draws", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "folder", "@/", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "endless", "@/dev/zero", 5, GV_ERR_USAGE, GV_OK, "", false },
    { "no_file", "@/nonexistent/set", 5, GV_ERR_NOT_FOUND, GV_OK, "", false },
};

static void print(const struct gv_selection *s, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < s->count && at < size; i++)
        at +=
            (size_t)snprintf(text + at, size - at, "%s%llu%s", i ? " " : "",
                             (unsigned long long)s->numbers[i], s->named[i] ? "!" : "");
}

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_set set;
        bool ok = gv_set_read(&set, cases[i].text, &err);
        CHECK_ROW(cases[i].name, ok == (cases[i].parse == GV_OK));
        CHECK_ROW(cases[i].name, err.status == cases[i].parse);
        if (!ok)
            continue;
        struct gv_selection s;
        ok = gv_set_resolve(&set, cases[i].total, "frame", &s, &err);
        CHECK_ROW(cases[i].name, err.status == cases[i].resolve);
        if (ok) {
            char text[256];
            print(&s, text, sizeof text);
            CHECK_ROW(cases[i].name, strcmp(text, cases[i].numbers) == 0);
            CHECK_ROW(cases[i].name, s.end == cases[i].end);
        }
        gv_selection_finish(&s);
        gv_set_finish(&set);
    }
}

static void test_file(void)
{
    char path[] = "/tmp/gpuvm-set-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("# two words\n0-1,\n 4 # and one\n", file);
    fclose(file);
    char text[64], numbers[64];
    snprintf(text, sizeof text, "@%s,2", path);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_set set;
    struct gv_selection s = { 0 };
    CHECK(gv_set_read(&set, text, &err));
    CHECK(gv_set_resolve(&set, 5, "frame", &s, &err));
    print(&s, numbers, sizeof numbers);
    CHECK(strcmp(numbers, "0! 1! 2! 4!") == 0);
    CHECK(gv_selection_find(&s, 4) == 3 && gv_selection_find(&s, 3) == -1);
    gv_selection_finish(&s);
    gv_set_finish(&set);

    file = fopen(path, "w");
    fprintf(file, "@%s\n", path); // names itself
    fclose(file);
    CHECK(!gv_set_read(&set, text, &err) && err.status == GV_ERR_USAGE);
    remove(path);
}

// Kinds of commands 0 to 9: those from 2 to 8 draw, 5 and 9 end frames.
static void test_kinds(void)
{
    static const struct {
        const char *text, *numbers;
    } rows[] = { { "draw", "2 3 4 6 7 8" },   { "draw/2", "2 4 7" },
                 { "frame", "5 9" },          { "frame/3", "5" },
                 { "*/draw", "2 3 4 6 7 8" }, { "3-7/draw", "3 4 6 7" } };
    struct gv_set_member members[8];
    for (uint64_t i = 0; i < 8; i++) {
        bool ends = i == 3 || i == 7;
        members[i] =
            (struct gv_set_member){ i + 2, ends ? GV_COMMAND_FRAME : GV_COMMAND_DRAW };
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_set set;
        struct gv_selection s = { 0 };
        char text[256];
        CHECK_ROW(rows[i].text, gv_set_read(&set, rows[i].text, &err));
        set.members = members;
        set.member_count = 8;
        CHECK_ROW(rows[i].text, gv_set_resolve(&set, 10, "command", &s, &err));
        print(&s, text, sizeof text);
        CHECK_ROW(rows[i].text, strcmp(text, rows[i].numbers) == 0);
        gv_selection_finish(&s);
        gv_set_finish(&set);
    }
}

// Calls 0 to 9 as they come, of whatever number there will be.
static void test_singly(void)
{
    enum { D = GV_COMMAND_DRAW, F = GV_COMMAND_FRAME | GV_COMMAND_TARGET };
    static const uint8_t kinds[10] = {
        [1] = GV_COMMAND_TARGET, [2] = D, [4] = D, [5] = F, [6] = D, [8] = F
    };
    static const struct {
        const char *text, *numbers;
        uint64_t last; // none above can be selected
    } rows[] = {
        { "4", "4", 4 },
        { "5 2 , 0", "025", 5 },
        { "0-9/3", "0369", 9 },
        { "1-9/3", "147", 9 },
        { "2/3", "2", 2 },
        { "7-", "789", UINT64_MAX },
        { "*", "0123456789", UINT64_MAX },
        { "all/4", "048", UINT64_MAX },
        { "*/frame", "58", UINT64_MAX },
        { "frame", "58", UINT64_MAX },
        { "draw", "246", UINT64_MAX },
        { "3-/render", "46", UINT64_MAX },
        { "*/fbo", "158", UINT64_MAX },
        { "rendertarget", "158", UINT64_MAX },
        { "0-4/frame", "", 4 },
        { "frame,0", "058", UINT64_MAX },
        { "3-3\n9", "39", 9 },
        { "last", NULL, 0 },
        { "0,end", NULL, 0 },
        { "draw/2", NULL, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_set set;
        char found[11] = "";
        size_t count = 0;
        uint64_t total;
        bool named;
        CHECK_ROW(rows[i].text, gv_set_read(&set, rows[i].text, &err));
        CHECK_ROW(rows[i].text, gv_set_is_told_singly(&set) == !!rows[i].numbers);
        for (uint64_t n = 0; rows[i].numbers && n < sizeof kinds; n++)
            if (gv_set_has(&set, n, kinds[n], &named))
                found[count++] = (char)('0' + n);
        CHECK_ROW(rows[i].text, !rows[i].numbers || !strcmp(found, rows[i].numbers));
        if (rows[i].numbers)
            CHECK_ROW(rows[i].text,
                      (gv_set_bound(&set, &total) ? total - 1 : UINT64_MAX) ==
                          rows[i].last);
        gv_set_finish(&set);
    }
}

// No file is opened but by the reader that was given.
static bool from_memory(void *context, const char *path, struct gv_bytes *text,
                        struct gv_error *err)
{
    gv_bytes_printf(text, "%s", (const char *)context);
    return strcmp(path, "words") == 0 || gv_fail(err, GV_ERR_NOT_FOUND, 0, "no file");
}

static void test_reader(void)
{
    static char words[] = "7 # seven";
    const struct gv_set_reader reader = { from_memory, words };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_set set;
    uint64_t total;
    CHECK(gv_set_parse(&set, "@words,3", &reader, &err));
    CHECK(set.count == 2 && gv_set_bound(&set, &total) && total == 8);
    gv_set_finish(&set);
    CHECK(!gv_set_parse(&set, "@others", &reader, &err));
    CHECK(err.status == GV_ERR_NOT_FOUND && set.count == 0);
}

int main(void)
{
    test_cases();
    test_singly();
    test_reader();
    test_kinds();
    test_file();
    return TEST_RESULT();
}
