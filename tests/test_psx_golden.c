// What `gpuvm info` and `gpuvm dump` say of the tour of a dump, compared with
// tests/golden/.
//   test_psx_golden FOLDER [--update]
#include "compiler/compiler.h"
#include "resources/base/file.h"
#include "tests/psx_writer.h"
#include "tests/test.h"

static const struct gv_compile_params params = { 0 };

static void info_text(const struct gv_bytes *dump, struct gv_bytes *text)
{
    struct gv_describe facts = { 0 };
    CHECK(gv_capture_info(dump->data, dump->size, &params, &facts, NULL));
    for (size_t i = 0; i < facts.count; i++) {
        const struct gv_fact *f = &facts.facts[i];
        if (f->text)
            gv_bytes_printf(text, "%s %s\n", f->key, f->text);
        else
            gv_bytes_printf(text, "%s %llu\n", f->key, (unsigned long long)f->number);
    }
    gv_describe_finish(&facts);
}

static void dump_text(const struct gv_bytes *dump, struct gv_bytes *text)
{
    CHECK(gv_capture_dump(dump->data, dump->size, &params, text, NULL));
}

static const struct {
    const char *name;
    bool duckstation;
    void (*make)(const struct gv_bytes *dump, struct gv_bytes *text);
} rows[] = {
    { "psx_tour_info", false, info_text },
    { "psx_tour_14_info", true, info_text },
    { "psx_tour_dump", false, dump_text },
};

static void compare(const char *name, const char *path, const struct gv_bytes *text)
{
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_file_open(&file, path, &err)) {
        fprintf(stderr, "[%s] %s\n", name, err.message);
        gv_test_failures++;
        return;
    }
    CHECK_ROW(name, file.size == text->size &&
                        memcmp(file.data, text->data, text->size) == 0);
    gv_file_close(&file);
}

// Strings end with their packet or at the first zero, whichever comes first.
static const struct {
    const char *name;
    uint32_t words[3];
    uint32_t count;
    const char *expected;
} strings[] = {
    { "no_terminator", { 0x44434241, 0x48474645 }, 2, "ABCDEFGH" },
    { "zero_word", { 0x44434241, 0 }, 2, "ABCD" },
    { "padded", { 0x00434241 }, 1, "ABC" },
    { "garbage_behind", { 0x00424100, 0x44434241 }, 2, "" },
    { "no_words", { 0 }, 0, "" },
};

static void test_strings(void)
{
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        struct gv_psx_writer w = { 0 };
        struct gv_bytes text = { 0 };
        char line[64];
        gv_psx_write_header(&w, false);
        gv_psx_write_packet(&w, 0x10, strings[i].words, strings[i].count);
        gv_psx_write_end(&w);
        info_text(&w.out, &text);
        dump_text(&w.out, &text);
        gv_bytes_u8(&text, 0);
        snprintf(line, sizeof line, "\ngame_id %s\n", strings[i].expected);
        CHECK_ROW(strings[i].name, strstr((const char *)text.data, line));
        snprintf(line, sizeof line, "\n0 @16 game-id: \"%s\"\n", strings[i].expected);
        CHECK_ROW(strings[i].name, strstr((const char *)text.data, line));
        gv_bytes_finish(&text);
        gv_bytes_finish(&w.out);
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "tests/golden";
    test_strings();
    bool update = argc > 2 && !strcmp(argv[2], "--update");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_psx_writer w = { 0 };
        struct gv_bytes text = { 0 };
        char path[4096];
        gv_psx_write_tour(&w, rows[i].duckstation);
        rows[i].make(&w.out, &text);
        snprintf(path, sizeof path, "%s/%s.txt", folder, rows[i].name);
        if (update)
            CHECK_ROW(rows[i].name, gv_file_write(path, text.data, text.size, NULL));
        else
            compare(rows[i].name, path, &text);
        gv_bytes_finish(&text);
        gv_bytes_finish(&w.out);
    }
    return TEST_RESULT();
}
