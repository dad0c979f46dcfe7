// `info` and `dump` of the tour, against committed text; contexts in words.
//   test_apitrace_text FOLDER
#include "compiler/apitrace/contexts.h"
#include "compiler/compiler.h"
#include "resources/base/file.h"
#include "tests/apitrace/trace_pack.h"
#include "tests/apitrace/trace_tour.h"
#include "tests/helpers.h"
#include "tests/test.h"

static const struct {
    const char *name;
    bool info, verbose, calls;
} rows[] = {
    { "apitrace_tour_info", true, false, false },
    { "apitrace_tour_dump", false, true, false },
    { "apitrace_tour_calls", false, false, true }, // 10 and 26 only ask
};

static bool is_wanted(void *unused, uint64_t number, uint8_t kinds)
{
    (void)unused;
    (void)kinds;
    return (number >= 10 && number <= 14) || number == 26 || number == 28;
}

static const struct gv_call_filter filter = { is_wanted, NULL, 28 };

static void put_info(const struct gv_bytes *file,
                     const struct gv_compile_params *params, struct gv_bytes *text)
{
    struct gv_describe facts = { 0 };
    CHECK(gv_capture_info(file->data, file->size, params, &facts, NULL));
    for (size_t i = 0; i < facts.count; i++)
        if (strncmp(facts.facts[i].key, "not_lowered", 11) == 0)
            continue; // as far as OpenGL has come
        else if (facts.facts[i].text)
            gv_bytes_printf(text, "%s %s\n", facts.facts[i].key, facts.facts[i].text);
        else
            gv_bytes_printf(text, "%s %llu\n", facts.facts[i].key,
                            (unsigned long long)facts.facts[i].number);
    gv_describe_finish(&facts);
}

static void compare(const char *folder, const char *name, const struct gv_bytes *text)
{
    char path[512];
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    bool found = gv_file_open(&file, path, &err);
    CHECK_ROW(name, found);
    if (!found)
        return;
    bool same = text->data && file.size == text->size &&
                !memcmp(file.data, text->data, text->size);
    CHECK_ROW(name, same);
    if (!same)
        fprintf(stderr, "%.*s", (int)text->size, (const char *)text->data);
    gv_file_close(&file);
}

static void test_golden(const char *folder)
{
    struct trace_writer w = { 0 };
    struct gv_bytes file = { 0 };
    trace_write_tour(&w, 6);
    trace_pack(GV_TRACE_RAW, &w.out, w.out.size, &file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct gv_compile_params params = { .verbose = rows[i].verbose,
                                                  .calls =
                                                      rows[i].calls ? &filter : NULL };
        struct gv_bytes text = { 0 };
        if (rows[i].info)
            put_info(&file, &params, &text);
        else
            CHECK(gv_capture_dump(file.data, file.size, &params, gv_test_append, &text,
                                  NULL));
        compare(folder, rows[i].name, &text);
        gv_bytes_finish(&text);
    }
    gv_bytes_finish(&file);
    trace_writer_finish(&w);
}

// What came before an error is printed; the error tells where.
static void test_broken(void)
{
    struct trace_writer w = { 0 };
    const struct gv_compile_params params = { 0 };
    struct gv_bytes text = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    trace_write_tour(&w, 6);
    size_t whole = w.out.size;
    gv_bytes_u8(&w.out, 9);
    CHECK(
        !gv_capture_dump(w.out.data, w.out.size, &params, gv_test_append, &text, &err));
    CHECK(err.status == GV_ERR_FORMAT && err.offset == whole);
    gv_bytes_u8(&text, 0);
    CHECK(strstr((const char *)text.data, "\n27 glXSwapBuffers("));
    CHECK(!strstr((const char *)text.data, "\n28 glXSwapBuffers("));
    gv_bytes_finish(&text);
    trace_writer_finish(&w);
}

// ---- contexts ----

static struct gv_trace_value number(uint64_t n)
{
    return (struct gv_trace_value){ .kind = GV_TRACE_UINT, .uint = n };
}

static const struct {
    const char *function, *words;
    unsigned list; // argument with the attributes
    uint64_t attributes[9];
    uint64_t api, result;
} asks[] = {
    { "glXCreateContext", "OpenGL 1.0", 0, { 0 }, 0, 1 },
    { "glXCreateContext", "none", 0, { 0 }, 0, 0 },
    { "glXCreateContextAttribsARB",
      "OpenGL 3.3 core",
      4,
      { 0x2091, 3, 0x2092, 3, 0x9126, 1, 0 },
      0,
      1 },
    { "glXCreateContextAttribsARB",
      "OpenGL 4.5 compatibility",
      4,
      { 0x2091, 4, 0x2092, 5, 0x9126, 2, 0 },
      0,
      1 },
    { "glXCreateContextAttribsARB",
      "OpenGL 2.1",
      4,
      { 0x2091, 2, 0x2092, 1, 0x9126, 1, 0 },
      0,
      1 },
    { "glXCreateContextAttribsARB",
      "OpenGL ES 3.0",
      4,
      { 0x2091, 3, 0x9126, 4, 0 },
      0,
      1 },
    { "wglCreateContextAttribsARB",
      "OpenGL 3.2 core",
      2,
      { 0x2091, 3, 0x2092, 2, 0x9126, 1, 0 },
      0,
      1 },
    { "eglCreateContext", "OpenGL ES 2.0", 3, { 0x3098, 2, 0x3038 }, 0x30A0, 1 },
    { "eglCreateContext", "OpenGL ES 1.0", 3, { 0x3038, 7, 0x3098, 2 }, 0x30A0, 1 },
    { "eglCreateContext",
      "OpenGL 4.6 core",
      3,
      { 0x3098, 4, 0x30FB, 6, 0x30FD, 1, 0x3038 },
      0x30A2,
      1 },
};

static void note(struct gv_contexts *c, const char *function, unsigned index,
                 const struct gv_trace_value *argument, uint64_t result)
{
    struct gv_trace_function f = { .name = function };
    struct gv_trace_value arguments[5] = { 0 };
    arguments[index] = *argument;
    const struct gv_trace_call call = { .function = &f,
                                        .argument_count = 5,
                                        .arguments = arguments,
                                        .result = number(result) };
    gv_contexts_note(c, &call);
}

static void test_contexts(void)
{
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct gv_contexts c = { 0 };
        struct gv_bytes words = { 0 };
        struct gv_trace_value items[9], api = number(asks[i].api);
        for (size_t j = 0; j < 9; j++)
            items[j] = number(asks[i].attributes[j]);
        const struct gv_trace_value list = { .kind = GV_TRACE_ARRAY,
                                             .count = 9,
                                             .items = items };
        note(&c, "eglBindAPI", 0, &api, 1);
        note(&c, asks[i].function, asks[i].list, &list, asks[i].result);
        gv_contexts_put(&c, &words);
        CHECK_ROW(asks[i].words, strcmp((const char *)words.data, asks[i].words) == 0);
        words.size = 0;
        note(&c, asks[i].function, asks[i].list, &list, asks[i].result);
        gv_contexts_put(&c, &words);
        CHECK_ROW(asks[i].words,
                  !asks[i].result || strstr((const char *)words.data, " (2)"));
        gv_bytes_finish(&words);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return EXIT_FAILURE;
    test_golden(argv[1]);
    test_broken();
    test_contexts();
    return TEST_RESULT();
}
