// WGSL on a device: compute shaders' results against WGSL's rules in C
// (wgsl_values.def), layouts of buffers, textures.
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/wgsl/wgsl.h"
#include "tests/shader/shader_rules.h"
#include "tests/shader/values_kernel.h"

#define ITEMS 400
#define COMMA ,

struct item {
    uint32_t a, b, r;
};

#define VALUE(name, module, body, ...)                  \
    static uint32_t rule_##name(uint32_t a, uint32_t b) \
    {                                                   \
        union word wa = { .u = a }, wb = { .u = b };    \
        int32_t i = wa.i, j = wb.i;                     \
        float x = wa.f, y = wb.f;                       \
        uint32_t r = 0;                                 \
        (void)i, (void)j, (void)x, (void)y;             \
        __VA_ARGS__;                                    \
        return r;                                       \
    }
#include "tests/shader/wgsl_values.def"
#undef VALUE

static const struct row {
    const char *name, *module, *body;
    uint32_t (*rule)(uint32_t a, uint32_t b);
} rows[] = {
#define VALUE(name, module, body, ...) { #name, module, body, rule_##name },
#include "tests/shader/wgsl_values.def"
#undef VALUE
};

// ---- running ----

static bool make(struct kernel *run, const char *text, struct gv_arena *arena)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_wgsl_shader shader;
    const struct gv_wgsl_params params = { .text = text,
                                           .size = strlen(text),
                                           .stage = GV_STAGE_COMPUTE };
    if (!gv_wgsl_translate(&params, arena, &shader, &err)) {
        fprintf(stderr, "at %lld: %s\n%s\n", (long long)err.offset, err.message, text);
        return false;
    }
    const struct gv_glsl_text glsl = { GV_STAGE_COMPUTE, shader.glsl };
    if (getenv("GV_TEST_SHOW"))
        fprintf(stderr, "%s\n", shader.glsl);
    if (!gv_glsl_compile(&glsl, 1, 0, arena, &run->stage, &err)) {
        fprintf(stderr, "%s\n%s\n", err.message, shader.glsl);
        return false;
    }
    make_kernel(run);
    return true;
}

static void finish(const struct kernel *run)
{
    DO(pipeline_destroy, num(run->pipeline));
    DO(shader_destroy, num(run->shader));
}

static uint64_t make_buffer(uint32_t usage, const void *data, size_t size)
{
    uint64_t buffer = 0;
    MAKE(buffer, buffer_create, num(size), num(usage));
    DO(buffer_upload, num(buffer), num(0), bytes(data), num(size));
    return buffer;
}

// ---- values ----

static const uint32_t words[] = {
    0,          1,          2,          3,          4,          5,          7,
    9,          31,         32,         33,         100,        0xffffffff, 0xfffffffe,
    0xffffff9c, 0x80000000, 0x80000001, 0x7fffffff, 0x12345678, 0x3f800000, 0xc0200000,
    0x4f000000, 0xcf000000, 0x4f800000, 0x7f800000, 0xff800000,
};

static void fill(struct item *items)
{
    const size_t count = sizeof words / sizeof *words;
    for (size_t n = 0; n < ITEMS; n++)
        items[n] = (struct item){ words[n % count],
                                  words[(n / count * 7 + n * 3) % count], 0 };
}

static bool check_row(const struct row *row)
{
    static struct item items[ITEMS];
    static char text[8192];
    struct gv_arena arena = { 0 };
    struct kernel run = { 0 };
    snprintf(text, sizeof text,
             "struct Item { a: u32, b: u32, r: u32 }\n"
             "@group(1) @binding(3) var<storage, read_write> items: array<Item>;\n%s\n"
             "fn f(a: u32, b: u32) -> u32 { %s }\n"
             "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {\n"
             "  items[id.x].r = f(items[id.x].a, items[id.x].b); }\n",
             row->module, row->body);
    fill(items);
    bool ok = make(&run, text, &arena);
    if (ok) {
        uint64_t buffer = make_buffer(GV_BUFFER_USAGE_STORAGE, items, sizeof items);
        DO(bind_buffer, num(3), num(GV_WGSL_BINDING(1, 3)), num(0), num(buffer), num(0),
           num(0));
        DO(dispatch, num(ITEMS), num(1), num(1), bytes(""), num(0));
        read_buffer(buffer, 0, sizeof items, (uint8_t *)items);
        DO(buffer_destroy, num(buffer));
        finish(&run);
    }
    for (size_t n = 0; ok && n < ITEMS; n++) {
        uint32_t wanted = row->rule(items[n].a, items[n].b);
        ok = wanted == ANY || items[n].r == wanted;
        if (!ok)
            fprintf(stderr, "[%s] of 0x%08x 0x%08x: 0x%08x, not 0x%08x\n", row->name,
                    items[n].a, items[n].b, items[n].r, wanted);
    }
    gv_arena_finish(&arena);
    return ok;
}

// ---- layouts: members stand where WGSL's rules put them ----

static const char layouts[] =
    "struct Inner { v: vec3f, s: f32, t: vec2f }\n"                  // 0, 12, 16; 32
    "struct U { a: f32, b: vec2f, c: vec3f, d: f32, m: mat3x3f,\n"   // 0 8 16 28 32
    "  i: Inner, n: array<vec4f, 2>, o: array<Inner, 2>, z: u32 }\n" // 80 112 144 208
    "struct S { a: f32, m: mat2x2f, b: array<f32, 3>, v: array<vec3f, 2>,\n" // 0 8 24
                                                                             // 48
    "  i: Inner, r: array<vec2u> }\n"                                        // 80 112
    "@group(0) @binding(0) var<uniform> u: U;\n"
    "@group(0) @binding(1) var<storage> s: S;\n"
    "@group(0) @binding(2) var<storage, read_write> o: array<f32>;\n"
    "@compute @workgroup_size(1) fn main() {\n"
    "  let w = u; o[0] = u.a; o[1] = u.b.y; o[2] = w.c.z; o[3] = u.d; o[4] = "
    "u.m[2].y;\n"
    "  o[5] = u.i.s; o[6] = w.i.t.x; o[7] = u.n[1].w; o[8] = w.o[1].t.y;\n"
    "  o[9] = bitcast<f32>(u.z); o[10] = s.a; o[11] = s.m[1].y; o[12] = s.b[2];\n"
    "  o[13] = s.v[1].z; o[14] = s.i.t.y; o[15] = bitcast<f32>(s.r[1].x);\n"
    "  o[16] = f32(arrayLength(&s.r)); }\n";

static void test_layouts(void)
{
    // The words that o[0] to o[15] are read from.
    static const uint32_t from[16] = { 0,  3,  6, 7, 17, 23, 24, 35,
                                       49, 52, 0, 5, 8,  18, 25, 30 };
    float data[64], out[17];
    struct gv_arena arena = { 0 };
    struct kernel run = { 0 };
    for (size_t i = 0; i < 64; i++)
        data[i] = (float)i + 1000;
    bool ok = make(&run, layouts, &arena);
    CHECK(ok);
    if (ok) {
        uint64_t u = make_buffer(GV_BUFFER_USAGE_UNIFORM, data, sizeof data);
        uint64_t s = make_buffer(GV_BUFFER_USAGE_STORAGE, data, 128);
        uint64_t o = make_buffer(GV_BUFFER_USAGE_STORAGE, data, sizeof out);
        DO(bind_buffer, num(0), num(0), num(0), num(u), num(0), num(0));
        DO(bind_buffer, num(3), num(1), num(0), num(s), num(0), num(0));
        DO(bind_buffer, num(3), num(2), num(0), num(o), num(0), num(0));
        DO(dispatch, num(1), num(1), num(1), bytes(""), num(0));
        read_buffer(o, 0, sizeof out, (uint8_t *)out);
        for (size_t i = 0; i < 16; i++) {
            if (out[i] != data[from[i]])
                fprintf(stderr, "o[%zu]: %g, not %g\n", i, (double)out[i],
                        (double)data[from[i]]);
            CHECK(out[i] == data[from[i]]);
        }
        CHECK(out[16] == 2);
        DO(buffer_destroy, num(u));
        DO(buffer_destroy, num(s));
        DO(buffer_destroy, num(o));
        finish(&run);
    }
    gv_arena_finish(&arena);
}

// ---- textures ----

static const char textures[] =
    "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: "
    "sampler;\n"
    "@group(2) @binding(2) var<storage, read_write> o: array<vec4f>;\n"
    "fn at(t: texture_2d<f32>, x: i32, y: i32) -> vec4f {\n"
    "  return textureLoad(t, vec2(x, y), 0); }\n"
    "@compute @workgroup_size(1) fn main() {\n"
    "  o[0] = at(t, 1, 0); o[1] = at(t, 0, 1); o[2] = at(t, 9, -3);\n"
    "  o[3] = textureSampleLevel(t, s, vec2f(0.875, 0.75), 0.0);\n"
    "  o[4] = textureSampleLevel(t, s, vec2f(0.125, 0.25), 0.0, vec2i(2, 1));\n"
    "  o[5] = vec4f(vec2f(textureDimensions(t)), f32(textureNumLevels(t)), 0);\n"
    "  o[6] = textureSampleGrad(t, s, vec2f(0.625, 0.25), vec2f(0.1), vec2f()); }\n";

static void make_sampler(uint64_t *sampler)
{
    struct gv_bytes encoded = { 0 };
    const struct gv_sampler_desc desc = { .max_lod = 1000 };
    gv_sampler_desc_encode(&desc, &encoded);
    MAKE(*sampler, sampler_create, bytes(encoded.data), num(encoded.size));
    gv_bytes_finish(&encoded);
}

static void test_textures(void)
{
    // 4x2 texels; red is 16 x, green is 16 y.
    static const uint8_t wanted[7][2] = { { 16, 0 },  { 0, 16 }, { 48, 0 }, { 48, 16 },
                                          { 32, 16 }, { 0, 0 },  { 32, 0 } };
    uint8_t texels[2][4][4] = { { { 0 } } };
    float out[7][4];
    uint64_t sampler = 0;
    struct gv_arena arena = { 0 };
    struct kernel run = { 0 };
    for (size_t i = 0; i < 8; i++) {
        texels[i / 4][i % 4][0] = (uint8_t)(16 * (i % 4));
        texels[i / 4][i % 4][1] = (uint8_t)(16 * (i / 4));
    }
    bool ok = make(&run, textures, &arena);
    CHECK(ok);
    if (!ok)
        return;
    uint64_t image = make_image(GV_FORMAT_R8G8B8A8_UNORM, 4, 2, GV_IMAGE_USAGE_SAMPLED);
    uint64_t o = make_buffer(GV_BUFFER_USAGE_STORAGE, out, sizeof out);
    make_sampler(&sampler);
    DO(image_upload, num(image), num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(0),
       num(0), num(0), num(4), num(2), num(1), num(16), num(2), bytes(texels),
       num(sizeof texels));
    DO(bind_texture, num(2), num(0), num(0), num(image), num(GV_VIEW_TYPE_2D), num(0),
       num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(0), num(1), num(0));
    DO(bind_sampler, num(2), num(1), num(0), num(sampler));
    DO(bind_buffer, num(3), num(GV_WGSL_BINDING(2, 2)), num(0), num(o), num(0), num(0));
    DO(dispatch, num(1), num(1), num(1), bytes(""), num(0));
    read_buffer(o, 0, sizeof out, (uint8_t *)out);
    for (size_t i = 0; i < 7; i++)
        for (size_t k = 0; k < 2 && i != 5; k++)
            CHECK(fabsf(out[i][k] - (float)wanted[i][k] / 255) < 1e-6f);
    CHECK(out[5][0] == 4 && out[5][1] == 2 && out[5][2] == 1);
    finish(&run);
    DO(buffer_destroy, num(o));
    DO(image_destroy, num(image));
    DO(sampler_destroy, num(sampler));
    gv_arena_finish(&arena);
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_ROW(rows[i].name, check_row(&rows[i]));
    test_layouts();
    test_textures();
    fixture_close();
    printf("%zu rows of %d items\n", sizeof rows / sizeof *rows, ITEMS);
    return TEST_RESULT();
}
