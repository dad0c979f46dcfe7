// What `gpuvm info` and `gpuvm dump` say of the tour of a dump, compared with
// tests/golden/.
//   test_psx_golden FOLDER [--update]
#include "compiler/compiler.h"
#include "resources/base/file.h"
#include "tests/helpers.h"
#include "tests/psx/psx_writer.h"
#include "tests/test.h"
#include "vm/payload/payload.h"

static const struct gv_compile_params params = { .allow_truncated = true };

static void info_text(const struct gv_bytes *dump, struct gv_bytes *text)
{
    struct gv_describe facts = { 0 };
    CHECK(gv_capture_info(dump->data, dump->size, &params, &facts, NULL));
    for (size_t i = 0; i < facts.count; i++) {
        const struct gv_fact *f = &facts.facts[i];
        if (f->kind == GV_FACT_BOOL)
            gv_bytes_printf(text, "%s %s\n", f->key, f->number ? "yes" : "no");
        else if (f->text)
            gv_bytes_printf(text, "%s %s\n", f->key, f->text);
        else
            gv_bytes_printf(text, "%s %llu\n", f->key, (unsigned long long)f->number);
    }
    gv_describe_finish(&facts);
}

static void dump_text(const struct gv_bytes *dump, struct gv_bytes *text)
{
    CHECK(gv_capture_dump(dump->data, dump->size, &params, gv_test_append, text, NULL));
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
        snprintf(line, sizeof line, "\n1 @16 game-id: \"%s\"\n", strings[i].expected);
        CHECK_ROW(strings[i].name, strstr((const char *)text.data, line));
        gv_bytes_finish(&text);
        gv_bytes_finish(&w.out);
    }
}

// What compiling warns of, as lines "CODE COMMAND OFFSET xCOUNT".
static void compile_warnings(const struct gv_bytes *dump, struct gv_bytes *text)
{
    struct gv_bytes out = { 0 };
    struct gv_payload payload = { 0 };
    CHECK(
        gv_compile(dump->data, dump->size, &params, gv_test_append, &out, NULL, NULL));
    CHECK(gv_payload_open_memory(&payload, out.data, out.size, 0, NULL));
    for (size_t i = 0; i < payload.diagnostic_count; i++) {
        const struct gv_diagnostic *d = &payload.diagnostics[i];
        gv_bytes_printf(text, "%s %llu %llu x%llu\n", d->code,
                        (unsigned long long)d->command, (unsigned long long)d->offset,
                        (unsigned long long)d->count);
    }
    gv_bytes_u8(text, 0);
    gv_payload_finish(&payload);
    gv_bytes_finish(&out);
}

static void write_long_vsync(struct gv_psx_writer *w)
{
    gv_psx_write_packet(w, 0x02, (const uint32_t[3]){ 7, 0, 0 }, 3);
}

static void write_reads(struct gv_psx_writer *w)
{
    gv_psx_write_packet(w, 0x04, NULL, 0);
    gv_psx_write_packet(w, 0x04, (const uint32_t[1]){ 100 }, 1);
}

// A texture drawn over and sampled again, twice.
static void write_stale_texels(struct gv_psx_writer *w)
{
    static const uint32_t words[] = { 0xe1000100, 0xe407ffff, 0x7c000000, 0x00000200, 0,
                                      0x68000000, 0,          0x7c000000, 0x00000200, 0,
                                      0x7c000000, 0x00000200, 0 };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        gv_psx_write_gp0(w, words[i]);
}

static void write_old_fill(struct gv_psx_writer *w)
{
    gv_psx_write_packet(w, 0x06, (const uint32_t[1]){ 1 }, 1);
    gv_psx_write_gp0(w, 0x02000000);
    gv_psx_write_gp0(w, 15);
    gv_psx_write_gp0(w, 1 | 1 << 16);
}

// What compiling warns of, where, info counts; dump tells of what packets show.
static const struct {
    const char *name;
    void (*write)(struct gv_psx_writer *w); // two packets at most, after one of 4 bytes
    size_t cut;                             // bytes off the end
    const char *warnings, *info, *dump;
} oddities[] = {
    { "long_vsync", write_long_vsync, 0, "vsync-length 2 20 x1\n", "\nwarnings 1\n",
      "\n2 @20 vsync at cycle 7, ends frame 0\n# @20 vsync-length: " },
    { "cut_off", write_long_vsync, 1, "truncated 2 20 x1\n", "\nwarnings 1\n",
      "\n# @20 truncated: " },
    { "reads", write_reads, 0, "no-count 2 20 x1\nread-too-long 3 24 x1\n",
      "\nwarnings 2\n", "\n2 @20 readback\n# @20 no-count: " },
    { "stale_texels", write_stale_texels, 0, "texture-cache 2 20 x2\n",
      "\nwarnings 2\n", "\n2 @20 gp0, 13 words\n" },
    { "old_fill", write_old_fill, 0, "old-gpu-fill 3 28 x1\n", "\nwarnings 1\n",
      "\n3 @28 gp0, 3 words\n" },
};

static void test_oddities(void)
{
    for (size_t i = 0; i < sizeof oddities / sizeof oddities[0]; i++) {
        const char *name = oddities[i].name;
        struct gv_psx_writer w = { 0 };
        struct gv_bytes warnings = { 0 }, info = { 0 }, dump = { 0 };
        gv_psx_write_header(&w, false);
        gv_psx_write_packet(&w, 0x20, NULL, 0);
        oddities[i].write(&w);
        gv_psx_write_end(&w);
        w.out.size -= oddities[i].cut;
        compile_warnings(&w.out, &warnings);
        info_text(&w.out, &info);
        dump_text(&w.out, &dump);
        gv_bytes_u8(&info, 0);
        gv_bytes_u8(&dump, 0);
        bool same = strcmp((const char *)warnings.data, oddities[i].warnings) == 0;
        CHECK_ROW(name, same);
        if (!same)
            fprintf(stderr, "  got: %s", (const char *)warnings.data);
        CHECK_ROW(name, strstr((const char *)info.data, oddities[i].info));
        bool told = strstr((const char *)dump.data, oddities[i].dump);
        CHECK_ROW(name, told);
        if (!told)
            fprintf(stderr, "  got: %s", (const char *)dump.data);
        gv_bytes_finish(&warnings);
        gv_bytes_finish(&info);
        gv_bytes_finish(&dump);
        gv_bytes_finish(&w.out);
    }
}

// The first of two facts of a kind is the one that is told.
static void test_repeated_facts(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_bytes text = { 0 };
    gv_psx_write_header(&w, false);
    gv_psx_write_text(&w, 0x10, "first");
    gv_psx_write_text(&w, 0x10, "second");
    gv_psx_write_text(&w, 0x11, "PAL");
    gv_psx_write_text(&w, 0x11, "NTSC");
    info_text(&w.out, &text);
    gv_bytes_u8(&text, 0);
    const char *got = (const char *)text.data;
    CHECK(strstr(got, "\ngame_id first\n") && strstr(got, "\nvideo_format PAL\n"));
    CHECK(!strstr(got, "second") && !strstr(got, "NTSC"));
    gv_bytes_finish(&text);
    gv_bytes_finish(&w.out);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "tests/golden";
    test_strings();
    test_oddities();
    test_repeated_facts();
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
