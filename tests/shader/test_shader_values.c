// Translated compute shaders on a device: their results against Direct3D's rules in C
// (shader_values.def), in both encodings. With the argument `vkd3d` it is
// libvkd3d-shader that translates: its results must be the same.
#include "compiler/shader/d3d/dxbc.h"
#include "tests/runtime/runtime_fixture.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/shader_rules.h"
#include "tests/shader/vkd3d_oracle.h"

#define A (1 << DXBC_ENCODING_AERO)
#define O (1 << DXBC_ENCODING_OFFICIAL)
#define V (1 << 2)
#define D (1 << 3)
#define BITS (-1)

#define ITEMS 256
#define ITEM_BYTES 128 // r0 to r3 in, r4 to r7 out
#define SCRATCH_WORDS (ITEMS * 16)
#define CONSTANT_WORDS 16
#define U0 (5 * GV_DXBC_RESOURCE_BINDINGS + 128)

enum inputs { FLOATS, SMALL, INTS, HALVES };

struct item {
    struct vector in[4], out[4];
};
_Static_assert(sizeof(struct item) == ITEM_BYTES, "as the shaders address them");

typedef void (*rule)(uint32_t n, const struct vector *in, struct vector *out);

#define EACH(name, sets, inputs, tolerance, text, ...)                               \
    static void rule_##name(uint32_t n, const struct vector *in, struct vector *out) \
    {                                                                                \
        (void)n;                                                                     \
        for (int k = 0; k < 4; k++) {                                                \
            const union word *a = &in[0].v[k], *b = &in[1].v[k];                     \
            const union word *c = &in[2].v[k], *d = &in[3].v[k];                     \
            union word *x = &out[0].v[k], *y = &out[1].v[k];                         \
            (void)a, (void)b, (void)c, (void)d, (void)x, (void)y;                    \
            __VA_ARGS__;                                                             \
        }                                                                            \
    }
#define WHOLE(name, sets, inputs, tolerance, declarations, text, ...)                \
    static void rule_##name(uint32_t n, const struct vector *in, struct vector *out) \
    {                                                                                \
        (void)n, (void)in, (void)out;                                                \
        __VA_ARGS__                                                                  \
    }
#include "tests/shader/shader_values.def"
#undef EACH
#undef WHOLE

static const struct row {
    const char *name;
    int sets;
    enum inputs inputs;
    double tolerance;
    const char *declarations, *text;
    rule rule;
} rows[] = {
#define EACH(name, sets, inputs, tolerance, text, ...) \
    { #name, sets, inputs, tolerance, "", text, rule_##name },
#define WHOLE(name, sets, inputs, tolerance, declarations, text, ...) \
    { #name, sets, inputs, tolerance, declarations, text, rule_##name },
#include "tests/shader/shader_values.def"
#undef EACH
#undef WHOLE
};
#define ROWS (sizeof rows / sizeof *rows)

// ---- inputs ----

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static union word input(enum inputs inputs, uint32_t random)
{
    static const float floats[] = {
        0.0f,         -0.0f,         1.0f,         -1.0f,        0.5f,        -0.5f,
        1.5f,         2.5f,          -1.5f,        -2.5f,        0.33333334f, 1e10f,
        -1e10f,       3e9f,          5e9f,         INFINITY,     -INFINITY,   NAN,
        2147483648.f, -2147483648.f, 4294967296.f, 2147483520.f, 65504.0f,    1e-10f,
        255.0f,       0.99999994f,   16777217.0f
    };
    static const uint32_t ints[] = { 0,           1,           2,          3,
                                     5,           7,           31,         32,
                                     33,          0xffffffff,  0xfffffffe, 0xffffff9c,
                                     0x80000000u, 0x80000001u, 0x7fffffff, 0x7ffffffe,
                                     0xffff,      0x10000,     100,        0x12345678,
                                     0xdeadbeef,  0x01000000,  0x55555555 };
    switch (inputs) {
    case FLOATS:
        return (union word){ .f = floats[random % (sizeof floats / sizeof *floats)] };
    case SMALL:
        return (union word){ .f = (float)(int32_t)(random % 16384 - 8192) / 1024 };
    case INTS:
        return (union word){ .u = ints[random % (sizeof ints / sizeof *ints)] };
    case HALVES: // numbers whose halves and floats are both normal
        return (union word){ .u = 0x0400 + random % 0x7800 + (random >> 16 & 0x8000) };
    }
    return (union word){ .u = 0 };
}

static void fill(const struct row *row, struct item *items)
{
    memset(items, 0, sizeof *items * ITEMS);
    for (uint32_t n = 0; n < ITEMS; n++)
        for (uint32_t k = 0; k < 16; k++)
            items[n].in[k / 4].v[k % 4] = input(row->inputs, mix(n * 16 + k + 1));
}

// ---- shaders ----

static bool assemble(const struct row *row, enum dxbc_encoding encoding,
                     struct gv_bytes *out)
{
    static const char *const heads[] = {
        [DXBC_ENCODING_AERO] = "word 0x211f 1 1 1\n",
        [DXBC_ENCODING_OFFICIAL] = "dcl_flags@1\ndcl_uav_raw u0\n",
    };
    static const char *const tails[] = {
        [DXBC_ENCODING_AERO] = "",
        [DXBC_ENCODING_OFFICIAL] = "dcl_input vThreadGroupID.x\ndcl_temps 16\n"
                                   "dcl_thread_group 1, 1, 1\n",
    };
    static const char *const official_store = "store_raw u0.xyzw, ";
    static const char *const aero_store = "store_raw u0, ";
    bool aero = encoding == DXBC_ENCODING_AERO;
    const char *store = aero ? aero_store : official_store;
    // Declarations are official ones unless the row has tokens for Aero alone.
    bool declared = !aero || row->sets == A;
    char error[160] = "", text[4096];
    snprintf(text, sizeof text,
             "cs_5_0\n%s%s%s"
             "ishl r15.x, vThreadGroupID.x, l(7)\n"
             "iadd r14, r15.x, l(16, 32, 48, 64)\niadd r13, r15.x, l(80, 96, 112, 0)\n"
             "ld_raw r0, r15.x, u0\nld_raw r1, r14.x, u0\nld_raw r2, r14.y, u0\n"
             "ld_raw r3, r14.z, u0\n"
             "mov r4, l(0)\nmov r5, l(0)\nmov r6, l(0)\nmov r7, l(0)\n%s"
             "%sr14.w, r4\n%sr13.x, r5\n%sr13.y, r6\n%sr13.z, r7\nret\n",
             heads[encoding], declared ? row->declarations : "", tails[encoding],
             row->text, store, store, store, store);
    bool ok = dxbc_assemble(text, encoding, out, error);
    if (!ok)
        fprintf(stderr, "[%s] %s\n", row->name, error);
    return ok;
}

static uint64_t items_buffer, scratch_buffer, constant_buffer;

static void bind(const struct gv_binding_desc *b)
{
    uint64_t buffer = b->set == 0            ? constant_buffer
                      : b->binding == U0 + 1 ? scratch_buffer
                                             : items_buffer;
    if (b->type == GV_BINDING_STORAGE_TEXEL_BUFFER)
        DO(bind_texel_buffer, num(b->set), num(b->binding), num(0), num(buffer), num(0),
           num(0), num(GV_FORMAT_R32_UINT));
    else
        DO(bind_buffer, num(b->set), num(b->binding), num(0), num(buffer), num(0),
           num(0));
}

static void make_buffers(const struct item *items)
{
    static uint32_t scratch[SCRATCH_WORDS];
    uint32_t constants[CONSTANT_WORDS];
    for (uint32_t i = 0; i < SCRATCH_WORDS; i++)
        scratch[i] = i;
    for (uint32_t i = 0; i < CONSTANT_WORDS; i++)
        constants[i] = 1000 + i;
    MAKE(items_buffer, buffer_create, num(sizeof *items * ITEMS),
         num(GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_STORAGE_TEXEL));
    MAKE(scratch_buffer, buffer_create, num(sizeof scratch),
         num(GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_STORAGE_TEXEL));
    MAKE(constant_buffer, buffer_create, num(sizeof constants),
         num(GV_BUFFER_USAGE_UNIFORM));
    DO(buffer_upload, num(items_buffer), num(0), bytes(items),
       num(sizeof *items * ITEMS));
    DO(buffer_upload, num(scratch_buffer), num(0), bytes(scratch), num(sizeof scratch));
    DO(buffer_upload, num(constant_buffer), num(0), bytes(constants),
       num(sizeof constants));
}

static void destroy_buffers(void)
{
    DO(buffer_destroy, num(items_buffer));
    DO(buffer_destroy, num(scratch_buffer));
    DO(buffer_destroy, num(constant_buffer));
}

// Runs the SPIR-V over `items` in place. False: it was refused.
static bool run(const void *spirv, size_t size, const struct gv_binding_desc *bindings,
                uint32_t count, struct item *items)
{
    static struct gv_compute_desc desc;
    struct gv_bytes encoded = { 0 };
    uint64_t shader = 0, pipeline = 0;
    memcpy(desc.interface.bindings, bindings, count * sizeof *bindings);
    desc.interface.binding_count = count;
    gv_compute_desc_encode(&desc, &encoded);
    bool ok = try_call(GV_CALL_shader_create, &shader, ARGS(bytes(spirv), num(size))) &&
              try_call(GV_CALL_pipeline_create_compute, &pipeline,
                       ARGS(bytes(encoded.data), num(encoded.size), num(shader)));
    gv_bytes_finish(&encoded);
    if (!ok)
        return false;
    make_buffers(items);
    DO(bind_pipeline, num(pipeline));
    for (uint32_t i = 0; i < count; i++)
        bind(&bindings[i]);
    DO(dispatch, num(ITEMS), num(1), num(1), bytes(""), num(0));
    read_buffer(items_buffer, 0, sizeof *items * ITEMS, (uint8_t *)items);
    destroy_buffers();
    DO(pipeline_destroy, num(pipeline));
    DO(shader_destroy, num(shader));
    return true;
}

// ---- comparing ----

static bool same(union word got, union word wanted, double tolerance)
{
    if (wanted.u == ANY || got.u == wanted.u)
        return true;
    if (tolerance < 0)
        return false;
    double g = (double)got.f, w = (double)wanted.f;
    if (isnan(g) || isnan(w))
        return isnan(g) && isnan(w);
    if (fabs(w) < 1.2e-38) // flushed or not
        return fabs(g) < 1.2e-38 + tolerance;
    return g == w || fabs(g - w) <= tolerance * fmax(1, fabs(w));
}

// Tells of the first difference.
static bool compare(const struct row *row, const char *kind, const struct item *items)
{
    for (uint32_t n = 0; n < ITEMS; n++) {
        struct vector wanted[4] = { 0 };
        row->rule(n, items[n].in, wanted);
        for (uint32_t k = 0; k < 16; k++) {
            union word got = items[n].out[k / 4].v[k % 4], w = wanted[k / 4].v[k % 4];
            if (same(got, w, row->tolerance))
                continue;
            const struct vector *in = items[n].in;
            fprintf(stderr,
                    "[%s] %s: item %u, r%u.%c: 0x%08x (%g), not 0x%08x (%g), of "
                    "0x%08x 0x%08x 0x%08x 0x%08x\n",
                    row->name, kind, n, 4 + k / 4, "xyzw"[k % 4], got.u, (double)got.f,
                    w.u, (double)w.f, in[0].v[k % 4].u, in[1].v[k % 4].u,
                    in[2].v[k % 4].u, in[3].v[k % 4].u);
            return false;
        }
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
        fprintf(stderr, "[%s] %s\n", row->name, err.message);
    gv_bytes_finish(&blob);
    return ok;
}

static bool check(const struct row *row, enum dxbc_encoding encoding, const char *kind)
{
    static struct item items[ITEMS];
    struct gv_arena arena = { 0 };
    struct gv_dxbc_shader s = { 0 };
    fill(row, items);
    bool ok = translate(row, encoding, &arena, &s);
    bool ran = ok && run(s.spirv.words, s.spirv.word_count * 4, s.spirv.bindings,
                         s.spirv.binding_count, items);
    bool excused =
        ok && !ran && row->sets & D && strstr(fixture_error.message, "shaderFloat64");
    if (ok && !ran && !excused)
        fprintf(stderr, "[%s] %s: %s\n", row->name, kind, fixture_error.message);
    ok = excused || (ran && compare(row, kind, items));
    if (!ok && s.glsl && getenv("GV_TEST_SHOW"))
        fprintf(stderr, "%s\n", s.glsl);
    gv_arena_finish(&arena);
    return ok;
}

static int ours(void)
{
    size_t count = 0;
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].sets & A)
            CHECK_ROW(rows[i].name, check(&rows[i], DXBC_ENCODING_AERO, "aero"));
        if (rows[i].sets & O)
            CHECK_ROW(rows[i].name,
                      check(&rows[i], DXBC_ENCODING_OFFICIAL, "official"));
        count += (rows[i].sets & A ? 1u : 0u) + (rows[i].sets & O ? 1u : 0u);
    }
    fixture_close();
    printf("%zu rows, %zu shaders of %d items each\n", ROWS, count, ITEMS);
    return TEST_RESULT();
}

// ---- the second opinion ----

static bool check_vkd3d(const struct row *row, const struct gv_bytes *spirv)
{
    static struct item items[ITEMS];
    struct gv_arena arena = { 0 };
    struct gv_dxbc_shader s = { 0 };
    fill(row, items);
    // The bindings are the same ones, but for the buffers' type.
    bool ok = translate(row, DXBC_ENCODING_OFFICIAL, &arena, &s);
    for (uint32_t i = 0; i < s.spirv.binding_count; i++)
        if (s.spirv.bindings[i].type == GV_BINDING_STORAGE_BUFFER)
            s.spirv.bindings[i].type = GV_BINDING_STORAGE_TEXEL_BUFFER;
    if (ok && !run(spirv->data, spirv->size, s.spirv.bindings, s.spirv.binding_count,
                   items)) {
        fprintf(stderr, "[%s] vkd3d: %s\n", row->name, fixture_error.message);
        ok = false;
    }
    ok = ok && compare(row, "vkd3d", items);
    gv_arena_finish(&arena);
    return ok;
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
        if (rows[i].sets & V) {
            bool ok = assemble(&rows[i], DXBC_ENCODING_OFFICIAL, &blob) &&
                      vkd3d_oracle_compile(&blob, &spirv[i], error);
            if (!ok)
                fprintf(stderr, "[%s] vkd3d: %s\n", rows[i].name, error);
            CHECK_ROW(rows[i].name, ok);
        }
        gv_bytes_finish(&blob);
    }
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < ROWS; i++) {
        bool ok = spirv[i].size && check_vkd3d(&rows[i], &spirv[i]);
        asked += rows[i].sets & V ? 1u : 0u;
        agreed += ok;
        CHECK_ROW(rows[i].name, ok || !(rows[i].sets & V));
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
