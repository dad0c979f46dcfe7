// gv_compile with front-ends of the test's own: recognition, the outer layer, options
// in the provenance, errors, and the same bytes every time.
#include "compiler/builder/targets.h"
#include "compiler/compiler.h"
#include "compiler/frontend.h"
#include "resources/codec.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/formats.h"
#include "vm/verify/verify.h"

#include <unistd.h>

// ---- the front-ends ----

// "TOYC" and then a letter per command: d draws, u uploads what follows it in the
// capture, f ends a frame, w warns, x is unsupported, ! is an error.
static enum gv_match toy_probe(struct gv_cursor head)
{
    const uint8_t *magic = gv_cursor_take(&head, 4);
    return magic && memcmp(magic, "TOYC", 4) == 0 ? GV_MATCH_SURE : GV_MATCH_NO;
}

static void toy_command(struct gv_cursor *input, struct gv_buffer buffer, uint8_t c,
                        struct gv_builder *b)
{
    switch (c) {
    case 'd':
        gv_emit(b, draw, .vertex_count = 3, .instance_count = 1, .first_vertex = 0,
                .first_instance = 0);
        break;
    case 'u':
        gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
                .data = gv_data(input->data + input->pos),
                .size = gv_cursor_left(input));
        break;
    case 'f':
        gv_builder_frame_end(b, 8, 8);
        break;
    case 'w':
        gv_builder_diagnose(b, GV_WARNING, "odd", "an odd command");
        break;
    case 'x':
        gv_builder_diagnose(b, GV_UNSUPPORTED, "unsupported", "command x");
        break;
    }
}

static bool toy_compile(struct gv_cursor input, const struct gv_compile_params *params,
                        struct gv_arena *arena, struct gv_builder *out,
                        struct gv_error *err)
{
    (void)params;
    CHECK(gv_arena_alloc(arena, 100) != NULL);
    gv_cursor_seek(&input, 4);
    struct gv_buffer buffer = gv_emit(out, buffer_create, .size = 1 << 20, .usage = 0);
    for (uint64_t command = 0; gv_cursor_left(&input); command++) {
        size_t at = input.pos;
        uint8_t c = gv_cursor_u8(&input);
        gv_builder_command(out, command, at, "toy");
        if (c == '!')
            return gv_fail(err, GV_ERR_FORMAT, at, "an exclamation mark");
        toy_command(&input, buffer, c, out);
    }
    return true;
}

static bool toy_info(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_describe *out, struct gv_error *err)
{
    (void)params, (void)err;
    gv_describe_number(out, "bytes", input.size);
    gv_describe_text(out, "api", "toy");
    return true;
}

static bool toy_dump(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_text_sink *out, struct gv_error *err)
{
    (void)params, (void)err;
    gv_bytes_put(&out->text, input.data, input.size);
    return true;
}

static enum gv_match shy_probe(struct gv_cursor head)
{
    const uint8_t *magic = gv_cursor_take(&head, 1);
    return magic && *magic == 'T' ? GV_MATCH_MAYBE : GV_MATCH_NO;
}

static enum gv_match twin_probe(struct gv_cursor head)
{
    const uint8_t *magic = gv_cursor_take(&head, 2);
    return magic && memcmp(magic, "TW", 2) == 0 ? GV_MATCH_MAYBE : GV_MATCH_NO;
}

static const char *const toy_options[] = { "toy.size", "toy.shape", NULL };
static const char *const shy_options[] = { "shy.colour", NULL };

static const struct gv_frontend toy = { .name = "toy",
                                        .what = "toy capture",
                                        .options = toy_options,
                                        .probe = toy_probe,
                                        .compile = toy_compile,
                                        .info = toy_info,
                                        .dump = toy_dump };
static const struct gv_frontend shy = { .name = "shy",
                                        .what = "shy capture",
                                        .options = shy_options,
                                        .probe = shy_probe,
                                        .compile = toy_compile,
                                        .info = toy_info,
                                        .dump = toy_dump };
static const struct gv_frontend twin = { .name = "twin",
                                         .what = "twin capture",
                                         .options = NULL,
                                         .probe = twin_probe,
                                         .compile = toy_compile,
                                         .info = toy_info,
                                         .dump = toy_dump };

const struct gv_frontend *const gv_frontends[] = { &toy, &shy, &twin };
const size_t gv_frontend_count = 3;

// ---- recognition ----

static const struct {
    const char *name, *capture, *frontend;
    const char *message; // of a failure
} heads[] = {
    { "sure", "TOYCd", "toy", NULL },
    { "maybe", "Tnothing", "shy", NULL },
    { "tie", "TWo", NULL, "could be both shy capture (shy) and twin capture (twin)" },
    { "unknown", "hello", NULL,
      "not a capture gpuvm knows (toy capture, shy capture, twin capture)" },
    { "empty", "", NULL,
      "not a capture gpuvm knows (toy capture, shy capture, twin capture)" },
};

static void test_probe(void)
{
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        const char *name = NULL, *what = NULL;
        bool found = gv_capture_probe(heads[i].capture, strlen(heads[i].capture), &name,
                                      &what, &err);
        CHECK_ROW(heads[i].name, found == (heads[i].frontend != NULL));
        if (heads[i].frontend)
            CHECK_ROW(heads[i].name, name && what && !strcmp(name, heads[i].frontend));
        else
            CHECK_ROW(heads[i].name, err.status == GV_ERR_FORMAT && err.offset == 0 &&
                                         strcmp(err.message, heads[i].message) == 0);
    }
}

// ---- compiling ----

static bool refuse(void *context, const void *data, size_t size, struct gv_error *err)
{
    (void)context, (void)data, (void)size;
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "the disk is full");
}

struct result {
    bool done;
    struct gv_bytes bytes;
    struct gv_compile_stats stats;
    struct gv_error err;
};

static struct result compile(const void *capture, size_t size,
                             const struct gv_compile_params *params)
{
    struct result r = { .err = GV_ERROR_INIT };
    r.done =
        gv_compile(capture, size, params, gv_test_append, &r.bytes, &r.stats, &r.err);
    return r;
}

static const struct {
    const char *name, *capture;
    bool strict;
    enum gv_status status;
    uint64_t offset;
    const char *message;
    uint64_t frames, unsupported;
} captures[] = {
    { "frames", "TOYCdfdf", false, GV_OK, 0, "", 2, 0 },
    { "tail", "TOYCdfd", false, GV_OK, 0, "", 1, 0 },
    { "nothing", "TOYC", false, GV_OK, 0, "", 0, 0 },
    { "warning", "TOYCwf", true, GV_OK, 0, "", 1, 0 },
    { "unsupported", "TOYCxxf", false, GV_OK, 0, "", 1, 2 },
    { "strict", "TOYCdxf", true, GV_ERR_UNSUPPORTED, 5, "unsupported: command x", 0,
      1 },
    { "error", "TOYCdf!", false, GV_ERR_FORMAT, 6, "an exclamation mark", 0, 0 },
};

static void test_captures(void)
{
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
        const struct gv_compile_params params = { .strict = captures[i].strict };
        struct result r =
            compile(captures[i].capture, strlen(captures[i].capture), &params);
        const char *name = captures[i].name;
        CHECK_ROW(name, r.done == (captures[i].status == GV_OK));
        CHECK_ROW(name, r.err.status == captures[i].status);
        if (!r.done) {
            CHECK_ROW(name, r.err.offset == captures[i].offset);
            CHECK_ROW(name, strcmp(r.err.message, captures[i].message) == 0);
        } else {
            struct gv_payload p;
            struct gv_error err = GV_ERROR_INIT;
            CHECK_ROW(name, r.stats.frames == captures[i].frames);
            CHECK_ROW(name, r.stats.unsupported == captures[i].unsupported);
            CHECK_ROW(name, r.stats.output_bytes == r.bytes.size);
            bool open = gv_payload_open_memory(&p, r.bytes.data, r.bytes.size, 0, &err);
            CHECK_ROW(name, open);
            if (open) {
                CHECK_ROW(name, gv_verify(&p, NULL, &err));
                CHECK_ROW(name, p.complete == (captures[i].unsupported == 0));
                CHECK_ROW(name, p.frame_count == captures[i].frames);
                gv_payload_finish(&p);
            }
        }
        gv_bytes_finish(&r.bytes);
    }
}

static void test_output_refused(void)
{
    const struct gv_compile_params params = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    CHECK(!gv_compile("TOYCdf", 6, &params, refuse, NULL, NULL, &err));
    CHECK(err.status == GV_ERR_OUTPUT && strcmp(err.message, "the disk is full") == 0);
}

// ---- layers, provenance, determinism ----

static struct gv_bytes make_large(void)
{
    struct gv_bytes capture = { 0 };
    uint32_t seed = 3;
    gv_bytes_printf(&capture, "TOYC");
    for (int i = 0; i < 60000; i++) {
        seed = seed * 1664525u + 1013904223u;
        gv_bytes_u8(&capture, seed >> 25 == 0 ? 'u' : seed >> 26 == 1 ? 'f' : 'd');
    }
    return capture;
}

static void test_same_bytes(void)
{
    struct gv_bytes capture = make_large();
    struct result first = { 0 };
    for (int jobs = 1; jobs <= 3; jobs++) {
        const struct gv_compile_params params = { .jobs = jobs };
        struct result r = compile(capture.data, capture.size, &params);
        CHECK(r.done && r.stats.input_bytes == capture.size);
        if (jobs == 1) {
            first = r;
            continue;
        }
        CHECK(r.bytes.size == first.bytes.size &&
              memcmp(r.bytes.data, first.bytes.data, r.bytes.size) == 0);
        gv_bytes_finish(&r.bytes);
    }
    gv_bytes_finish(&first.bytes);
    gv_bytes_finish(&capture);
}

// A layer cut off in the last byte of the capture: recognised, but taken only with
// allow_truncated, and told then.
static void test_cut_layer(const struct gv_bytes *packed)
{
    const struct gv_compile_params whole = { 0 }, cut = { .allow_truncated = true };
    struct gv_describe facts = { 0 };
    struct gv_payload p;
    CHECK(gv_capture_probe(packed->data, packed->size - 1, NULL, NULL, NULL));
    struct result r = compile(packed->data, packed->size - 1, &whole);
    CHECK(!r.done && r.err.status == GV_ERR_FORMAT);
    CHECK(strstr(r.err.message, "ends early"));
    gv_bytes_finish(&r.bytes);
    CHECK(!gv_capture_info(packed->data, packed->size - 1, &whole, &facts, NULL));
    CHECK(gv_capture_info(packed->data, packed->size - 1, &cut, &facts, NULL));
    CHECK(facts.count == 5 && strcmp(facts.facts[0].text, "zstd") == 0);
    CHECK(facts.count == 5 && facts.facts[1].kind == GV_FACT_BOOL &&
          facts.facts[1].number == 1);
    CHECK(facts.count == 5 && facts.facts[2].number == 5);
    gv_describe_finish(&facts);
    r = compile(packed->data, packed->size - 1, &cut);
    CHECK(r.done && r.stats.input_bytes == 5 && r.stats.frames == 0);
    if (r.done && gv_payload_open_memory(&p, r.bytes.data, r.bytes.size, 0, NULL)) {
        CHECK(p.diagnostic_count == 1 &&
              strcmp(p.diagnostics[0].code, "truncated") == 0);
        gv_payload_finish(&p);
    }
    gv_bytes_finish(&r.bytes);
}

static void test_layer(void)
{
    struct gv_bytes packed = { 0 };
    struct gv_codec_state *codec = gv_codec_create();
    const struct gv_compile_params params = { .target = "baseline", .level = 7 };
    CHECK(gv_codec_compress(codec, 3, (struct gv_span){ "TOYCdf", 6 }, &packed, NULL));
    gv_codec_destroy(codec);
    const char *name = NULL;
    CHECK(gv_capture_probe(packed.data, packed.size, &name, NULL, NULL) &&
          strcmp(name, "toy") == 0);
    struct result r = compile(packed.data, packed.size, &params);
    struct gv_payload p;
    CHECK(r.done && r.stats.input_bytes == 6);
    if (r.done && gv_payload_open_memory(&p, r.bytes.data, r.bytes.size, 0, NULL)) {
        static const char *const parts[] = {
            "\"front_end\":\"toy\"", "\"layer\":\"zstd\"",
            "\"bytes\":6",           "\"level\":7,\"target\":\"baseline\"",
            "\"strict\":false",
        };
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            CHECK_ROW(parts[i], strstr(p.provenance, parts[i]));
        gv_payload_finish(&p);
    }
    gv_bytes_finish(&r.bytes);
    test_cut_layer(&packed);
    gv_bytes_finish(&packed);
}

// Options are checked against every front-end's table; the provenance names those of
// the one that compiled.
static void test_options(void)
{
    static const char *const good[] = { "toy.size=1", "shy.colour=red", "toy.size=2",
                                        NULL };
    const struct gv_compile_params params = { .options = good };
    CHECK(strcmp(gv_frontend_option(&params, "toy.size"), "2") == 0);
    CHECK(gv_frontend_option(&params, "toy.shape") == NULL);
    struct result r = compile("TOYCdf", 6, &params);
    struct gv_payload p;
    CHECK(r.done);
    if (r.done && gv_payload_open_memory(&p, r.bytes.data, r.bytes.size, 0, NULL)) {
        CHECK(strstr(p.provenance, "\"front_end\":[\"toy.size=1\",\"toy.size=2\"]"));
        gv_payload_finish(&p);
    }
    gv_bytes_finish(&r.bytes);

    static const char *const bad[] = { "toy.siz=1", "toy.size", "toy.size2=1", "",
                                       "=" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *const list[] = { "toy.size=1", bad[i], NULL };
        struct result refused =
            compile("TOYCdf", 6, &(struct gv_compile_params){ .options = list });
        CHECK_ROW(bad[i], !refused.done && refused.err.status == GV_ERR_USAGE);
        CHECK_ROW(bad[i], strstr(refused.err.message,
                                 "a key of: toy.size, toy.shape, shy.colour"));
        gv_bytes_finish(&refused.bytes);
    }
}

static void test_looking(void)
{
    const struct gv_compile_params params = { 0 };
    struct gv_describe facts = { 0 };
    struct gv_bytes text = { 0 };
    CHECK(gv_capture_info("TOYCdf", 6, &params, &facts, NULL));
    CHECK(facts.count == 2 && strcmp(facts.facts[0].key, "bytes") == 0 &&
          facts.facts[0].number == 6 && strcmp(facts.facts[1].text, "toy") == 0);
    gv_describe_finish(&facts);
    CHECK(gv_capture_dump("TOYCdf", 6, &params, gv_test_append, &text, NULL) &&
          text.size == 6);
    gv_bytes_finish(&text);
}

// ---- targets ----

static const struct {
    const char *name, *text;
    enum gv_status status;
    uint64_t offset;
} target_files[] = {
    { "good", "# mine\nformat R8_UNORM\n\n  feature geometryShader # yes\n", GV_OK, 0 },
    { "no_such_format", "format R8_UNORM\nformat R8_FOO\n", GV_ERR_FORMAT, 16 },
    { "no_such_word", "limit x\n", GV_ERR_FORMAT, 0 },
    { "no_name", "\nfeature\n", GV_ERR_FORMAT, 1 },
    { "two_names", "feature a b", GV_ERR_FORMAT, 0 },
};

static void test_target_files(void)
{
    char path[] = "/tmp/gpuvm-target-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    for (size_t i = 0; i < sizeof target_files / sizeof target_files[0]; i++) {
        FILE *file = fopen(path, "w");
        CHECK(file && fputs(target_files[i].text, file) >= 0 && fclose(file) == 0);
        struct gv_target target;
        struct gv_error err = GV_ERROR_INIT;
        bool read = gv_target_init(&target, path, &err);
        CHECK_ROW(target_files[i].name, err.status == target_files[i].status);
        if (!read)
            CHECK_ROW(target_files[i].name, err.offset == target_files[i].offset);
        else
            CHECK_ROW(target_files[i].name,
                      gv_target_has_format(&target, GV_FORMAT_R8_UNORM) &&
                          !gv_target_has_format(&target, GV_FORMAT_R8G8_UNORM) &&
                          gv_target_has_feature(&target, "geometryShader") &&
                          !gv_target_has_feature(&target, "logicOp"));
        gv_target_finish(&target);
    }
    close(fd);
    remove(path);
}

static void test_targets(void)
{
    struct gv_target desktop, baseline, none;
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_target_init(&desktop, NULL, &err) &&
          gv_target_init(&baseline, "baseline", &err));
    CHECK(gv_target_has_format(&desktop, GV_FORMAT_BC7_UNORM_BLOCK));
    CHECK(!gv_target_has_format(&baseline, GV_FORMAT_BC7_UNORM_BLOCK));
    CHECK(!gv_target_has_format(&desktop, GV_FORMAT_ETC2_R8G8B8_UNORM_BLOCK));
    CHECK(!gv_target_has_format(&desktop, GV_FORMAT_R8G8B8_UNORM));
    CHECK(gv_target_has_format(&baseline, GV_FORMAT_R8G8B8A8_UNORM));
    CHECK(gv_target_has_feature(&desktop, "geometryShader"));
    CHECK(!gv_target_has_feature(&baseline, "geometryShader"));
    CHECK(!gv_target_init(&none, "no/such/file", &err) && err.status == GV_ERR_USAGE);
    gv_target_finish(&desktop);
    gv_target_finish(&baseline);
    gv_target_finish(&none);
    test_target_files();
}

int main(void)
{
    test_probe();
    test_captures();
    test_output_refused();
    test_same_bytes();
    test_layer();
    test_options();
    test_looking();
    test_targets();
    return TEST_RESULT();
}
