// Translated compute shaders whose threads work together, on a device: what u0 holds in
// the end, against Direct3D's rules in C. With the argument `vkd3d` it is
// libvkd3d-shader that translates: the words must be the same.
#include "compiler/shader/d3d/dxbc.h"
#include "tests/runtime/runtime_fixture.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/vkd3d_oracle.h"

#define A (1 << DXBC_ENCODING_AERO)
#define O (1 << DXBC_ENCODING_OFFICIAL)
#define V (1 << 2)

#define WORDS 4096u
#define U(n) (5 * GV_DXBC_RESOURCE_BINDINGS + 128 + (n))
#define COUNTER_START 5u

typedef void (*rule)(uint32_t *w); // w: u0, whose word k starts as k

#define THREADS(name, sets, x, y, z, gx, gy, gz, declarations, text, ...) \
    static void rule_##name(uint32_t *w)                                  \
    {                                                                     \
        __VA_ARGS__                                                       \
    }
#include "tests/shader/shader_threads.def"
#undef THREADS

static const struct row {
    const char *name;
    int sets;
    uint32_t threads[3], groups[3];
    const char *declarations, *text;
    rule rule;
} rows[] = {
#define THREADS(name, sets, x, y, z, gx, gy, gz, declarations, text, ...) \
    { #name, sets, { x, y, z }, { gx, gy, gz }, declarations, text, rule_##name },
#include "tests/shader/shader_threads.def"
#undef THREADS
};
#define ROWS (sizeof rows / sizeof *rows)

static bool assemble(const struct row *row, enum dxbc_encoding encoding,
                     struct gv_bytes *out)
{
    char error[160] = "", text[4096];
    const uint32_t *n = row->threads;
    if (encoding == DXBC_ENCODING_AERO)
        snprintf(text, sizeof text, "cs_5_0\nword 0x211f %u %u %u\n%sret\n", n[0], n[1],
                 n[2], row->text);
    else
        snprintf(text, sizeof text,
                 "cs_5_0\ndcl_flags@1\ndcl_uav_raw u0\n%sdcl_temps 8\n"
                 "dcl_thread_group %u, %u, %u\n%sret\n",
                 row->declarations, n[0], n[1], n[2], row->text);
    bool ok = dxbc_assemble(text, encoding, out, error);
    if (!ok)
        fprintf(stderr, "[%s] %s\n", row->name, error);
    return ok;
}

// ---- running ----

static void bind(const struct gv_binding_desc *b, const uint64_t *buffers)
{
    uint64_t buffer = b->binding == U(0)   ? buffers[0]
                      : b->binding == U(1) ? buffers[1]
                                           : buffers[2]; // a counter
    if (b->type == GV_BINDING_STORAGE_TEXEL_BUFFER)
        DO(bind_texel_buffer, num(b->set), num(b->binding), num(0), num(buffer), num(0),
           num(0), num(GV_FORMAT_R32_UINT));
    else
        DO(bind_buffer, num(b->set), num(b->binding), num(0), num(buffer), num(0),
           num(0));
}

static uint64_t make_buffer(const uint32_t *words, size_t count)
{
    uint64_t buffer;
    MAKE(buffer, buffer_create, num(4 * count),
         num(GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_STORAGE_TEXEL));
    DO(buffer_upload, num(buffer), num(0), bytes(words), num(4 * count));
    return buffer;
}

static bool make_pipeline(const struct gv_shader_stage *stage, uint64_t *shader,
                          uint64_t *pipeline)
{
    static struct gv_compute_desc desc;
    struct gv_bytes encoded = { 0 };
    memcpy(desc.interface.bindings, stage->bindings,
           stage->binding_count * sizeof *stage->bindings);
    desc.interface.binding_count = stage->binding_count;
    gv_compute_desc_encode(&desc, &encoded);
    bool ok = try_call(GV_CALL_shader_create, shader,
                       ARGS(bytes(stage->words), num(stage->word_count * 4))) &&
              try_call(GV_CALL_pipeline_create_compute, pipeline,
                       ARGS(bytes(encoded.data), num(encoded.size), num(*shader)));
    gv_bytes_finish(&encoded);
    return ok;
}

static bool run(const struct row *row, const struct gv_shader_stage *stage,
                uint32_t *words)
{
    const uint32_t start[4] = { COUNTER_START };
    uint64_t shader = 0, pipeline = 0, buffers[3];
    if (!make_pipeline(stage, &shader, &pipeline))
        return false;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i;
    buffers[0] = make_buffer(words, WORDS);
    buffers[1] = make_buffer(words, WORDS);
    buffers[2] = make_buffer(start, 4);
    DO(bind_pipeline, num(pipeline));
    for (uint32_t i = 0; i < stage->binding_count; i++)
        bind(&stage->bindings[i], buffers);
    DO(dispatch, num(row->groups[0]), num(row->groups[1]), num(row->groups[2]),
       bytes(""), num(0));
    read_buffer(buffers[0], 0, 4 * WORDS, (uint8_t *)words);
    for (int i = 0; i < 3; i++)
        DO(buffer_destroy, num(buffers[i]));
    DO(pipeline_destroy, num(pipeline));
    DO(shader_destroy, num(shader));
    return true;
}

static bool compare(const struct row *row, const char *kind, const uint32_t *got)
{
    static uint32_t wanted[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        wanted[i] = i;
    row->rule(wanted);
    for (uint32_t i = 0; i < WORDS; i++)
        if (got[i] != wanted[i]) {
            fprintf(stderr, "[%s] %s: word %u: %u, not %u\n", row->name, kind, i,
                    got[i], wanted[i]);
            return false;
        }
    return true;
}

static bool translate(const struct row *row, enum dxbc_encoding encoding,
                      struct gv_arena *arena, struct gv_dxbc_shader *out)
{
    struct gv_bytes blob = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    bool ok = assemble(row, encoding, &blob) &&
              gv_dxbc_translate(blob.data, blob.size, 0, NULL, arena, out, &err);
    if (!ok)
        fprintf(stderr, "[%s] %s\n%s", row->name, err.message,
                out->glsl ? out->glsl : "");
    gv_bytes_finish(&blob);
    return ok;
}

// `spirv`: code to run instead of ours, or NULL.
static bool check(const struct row *row, enum dxbc_encoding encoding, const char *kind,
                  const struct gv_bytes *spirv)
{
    static uint32_t words[WORDS];
    struct gv_arena arena = { 0 };
    struct gv_dxbc_shader s = { 0 };
    bool ok = translate(row, encoding, &arena, &s);
    for (uint32_t i = 0; ok && spirv && i < s.spirv.binding_count; i++)
        s.spirv.bindings[i].type = GV_BINDING_STORAGE_TEXEL_BUFFER;
    if (ok && spirv) {
        s.spirv.words = (const uint32_t *)(const void *)spirv->data;
        s.spirv.word_count = spirv->size / 4;
    }
    if (ok && !run(row, &s.spirv, words)) {
        fprintf(stderr, "[%s] %s: %s\n", row->name, kind, fixture_error.message);
        ok = false;
    }
    ok = ok && compare(row, kind, words);
    if (!ok && s.glsl && getenv("GV_TEST_SHOW"))
        fprintf(stderr, "%s\n", s.glsl);
    gv_arena_finish(&arena);
    return ok;
}

static int ours(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        if (row->sets & A)
            CHECK_ROW(row->name, check(row, DXBC_ENCODING_AERO, "aero", NULL));
        if (row->sets & O)
            CHECK_ROW(row->name, check(row, DXBC_ENCODING_OFFICIAL, "official", NULL));
    }
    fixture_close();
    printf("%zu rows\n", ROWS);
    return TEST_RESULT();
}

static int theirs(void)
{
    static struct gv_bytes spirv[ROWS];
    size_t asked = 0, agreed = 0;
    if (!vkd3d_oracle_present())
        return gv_test_skip("no libvkd3d-shader");
    for (size_t i = 0; i < ROWS; i++) { // children first, then the device's threads
        struct gv_bytes blob = { 0 };
        char error[160] = "";
        bool ok =
            !(rows[i].sets & V) || (assemble(&rows[i], DXBC_ENCODING_OFFICIAL, &blob) &&
                                    vkd3d_oracle_compile(&blob, &spirv[i], error));
        if (!ok)
            fprintf(stderr, "[%s] vkd3d: %s\n", rows[i].name, error);
        CHECK_ROW(rows[i].name, ok);
        gv_bytes_finish(&blob);
    }
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < ROWS; i++) {
        if (!(rows[i].sets & V))
            continue;
        bool ok = spirv[i].size &&
                  check(&rows[i], DXBC_ENCODING_OFFICIAL, "vkd3d", &spirv[i]);
        asked++;
        agreed += ok;
        CHECK_ROW(rows[i].name, ok);
        gv_bytes_finish(&spirv[i]);
    }
    printf("vkd3d-shader agrees on %zu of %zu rows\n", agreed, asked);
    fixture_close();
    return TEST_RESULT();
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? theirs() : ours();
}
