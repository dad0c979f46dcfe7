// ARB programs on a device: what each instruction computes, against the specifications'
// rules in C (arb_values.def). The statements run in a compute shader, whose inputs are
// their attributes.
#include "compiler/shader/arb/arb.h"
#include "compiler/shader/glsl/glsl.h"
#include "tests/shader/values_kernel.h"

#include <math.h>

#define ITEMS 64
#define KILLED (-12345.0f)

struct item {
    float a[4], b[4], c[4], r[4];
};

enum stages { VERTEX, FRAGMENT, BOTH };

// The element that an index which may lie outside means.
static size_t inside(float index)
{
    float whole = floorf(index);
    return whole < 0 ? 0 : whole > 3 ? 3 : (size_t)whole;
}

static float clamped(float v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

#define VALUE(name, stages, text, tolerance, ...)                                     \
    static void rule_##name(const float *a, const float *b, const float *c, float *r) \
    {                                                                                 \
        (void)a, (void)b, (void)c;                                                    \
        __VA_ARGS__;                                                                  \
    }
#include "tests/shader/arb_values.def"
#undef VALUE

static const struct row {
    const char *name;
    enum stages stages;
    const char *text;
    float tolerance; // of what is larger than 1, relative
    void (*rule)(const float *a, const float *b, const float *c, float *r);
} rows[] = {
#define VALUE(name, stages, text, tolerance, ...) \
    { #name, stages, text, tolerance, rule_##name },
#include "tests/shader/arb_values.def"
#undef VALUE
};

// ---- text ----

// Rows tell what they are: source's number but for constants.
static void parameters(const struct gv_arb_program *program, struct gv_bytes *out)
{
    if (!program->parameter_count)
        return;
    gv_bytes_printf(out, "const vec4 p[%u] = vec4[](", program->parameter_count);
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        const struct gv_arb_parameter *p = &program->parameters[i];
        if (p->source == GV_ARB_CONSTANT)
            gv_bytes_printf(out, "%svec4(%g, %g, %g, %g)", i ? ", " : "",
                            (double)p->value[0], (double)p->value[1],
                            (double)p->value[2], (double)p->value[3]);
        else
            gv_bytes_printf(out, "%svec4(%u, %u, %u, %u)", i ? ", " : "", p->source,
                            p->index, p->side, p->part);
    }
    gv_bytes_printf(out, ");\n");
}

static void textures(const struct gv_arb_program *program, struct gv_bytes *out)
{
    for (uint32_t u = 0; u < GV_ARB_IMAGE_UNITS; u++) {
        uint8_t calls = program->images[u].calls;
        if (calls & GV_ARB_TEX)
            gv_bytes_printf(out, "vec4 tex%u(vec4 at) { return at + %u.0; }\n", u, u);
        if (calls & GV_ARB_TXP)
            gv_bytes_printf(out, "vec4 txp%u(vec4 at) { return at * 100.0; }\n", u);
        if (calls & GV_ARB_TXB)
            gv_bytes_printf(out, "vec4 txb%u(vec4 at) { return at * -10.0; }\n", u);
    }
}

static void shader(const struct gv_arb_program *program, struct gv_bytes *out)
{
    const bool fragment = program->stage == GV_STAGE_FRAGMENT;
    gv_bytes_printf(out, "#version 460\n"
                         "layout(local_size_x = 1) in;\n"
                         "struct Item { vec4 a, b, c, r; };\n"
                         "layout(set = 3, binding = 0, std430) buffer Items {\n"
                         "    Item items[];\n"
                         "};\n"
                         "bool killed = false;\n"
                         "#define discard killed = true\n");
    parameters(program, out);
    textures(program, out);
    gv_bytes_printf(out, "%s", program->functions);
    gv_bytes_printf(out, "void main()\n{\n    uint id = gl_WorkGroupID.x;\n");
    // Attributes: 25 is generic.
    gv_bytes_printf(out,
                    "    vec4 in_0 = items[id].a, in_1 = items[id].b, %s = "
                    "items[id].c, %s = vec4(9.0);\n",
                    fragment ? "in_8" : "in_25", fragment ? "out_0" : "out_8");
    gv_bytes_printf(out, "%s    items[id].r = killed ? vec4(%g) : %s;\n}\n",
                    program->body, (double)KILLED, fragment ? "out_0" : "out_8");
    gv_bytes_u8(out, 0);
}

// ---- running ----

static bool translate(const struct row *row, bool fragment, struct gv_arena *arena,
                      struct gv_shader_stage *out)
{
    static char text[4096];
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arb_program program;
    struct gv_bytes glsl = { 0 };
    int size = snprintf(
        text, sizeof text,
        fragment ? "!!ARBfp1.0\nATTRIB a = fragment.color; ATTRIB b = "
                   "fragment.color.secondary; ATTRIB c = fragment.texcoord[0];\n"
                   "TEMP r; %s\nMOV result.color, r; END"
                 : "!!ARBvp1.0\nATTRIB a = vertex.position; ATTRIB b = vertex.normal;\n"
                   "ATTRIB c = vertex.attrib[9];\n"
                   "TEMP r; %s\nMOV result.texcoord[0], r; END",
        row->text);
    bool ok = gv_arb_translate(text, (size_t)size, arena, &program, &err);
    if (ok) {
        shader(&program, &glsl);
        const struct gv_glsl_text one = { GV_STAGE_COMPUTE, (const char *)glsl.data };
        if (getenv("GV_TEST_SHOW"))
            fprintf(stderr, "%s\n", one.text);
        ok = gv_glsl_compile(&one, 1, 0, arena, out, &err);
    }
    if (!ok)
        fprintf(stderr, "[%s] %s\n%s\n", row->name, err.message,
                glsl.data ? (const char *)glsl.data : text);
    gv_bytes_finish(&glsl);
    return ok;
}

static void compute(const struct kernel *run, struct item *items)
{
    const size_t size = ITEMS * sizeof *items;
    uint64_t buffer = 0;
    MAKE(buffer, buffer_create, num(size), num(GV_BUFFER_USAGE_STORAGE));
    DO(buffer_upload, num(buffer), num(0), bytes(items), num(size));
    DO(bind_buffer, num(3), num(0), num(0), num(buffer), num(0), num(0));
    DO(dispatch, num(ITEMS), num(1), num(1), bytes(""), num(0));
    read_buffer(buffer, 0, size, (uint8_t *)items);
    DO(buffer_destroy, num(buffer));
    DO(pipeline_destroy, num(run->pipeline));
    DO(shader_destroy, num(run->shader));
}

// Numbers of both signs, none of them 0.
static void fill(struct item *items)
{
    uint32_t seed = 1;
    for (size_t n = 0; n < ITEMS; n++)
        for (int i = 0; i < 4; i++) {
            float *const to[] = { &items[n].a[i], &items[n].b[i], &items[n].c[i] };
            for (int k = 0; k < 3; k++) {
                seed = seed * 1664525 + 1013904223;
                *to[k] = ((float)(seed >> 20) - 2047.5f) / 512.0f;
            }
            items[n].r[i] = 0;
        }
}

static bool near_enough(float got, float wanted, float tolerance)
{
    float size = fabsf(wanted) > 1 ? fabsf(wanted) : 1;
    return fabsf(got - wanted) <= tolerance * size;
}

static bool check_row(const struct row *row, bool fragment)
{
    static struct item items[ITEMS];
    struct gv_arena arena = { 0 };
    struct kernel run = { 0 };
    fill(items);
    bool ok = translate(row, fragment, &arena, &run.stage);
    if (ok) {
        make_kernel(&run);
        compute(&run, items);
    }
    for (size_t n = 0; ok && n < ITEMS; n++) {
        float wanted[4];
        row->rule(items[n].a, items[n].b, items[n].c, wanted);
        for (int i = 0; i < 4 && ok; i++) {
            ok = near_enough(items[n].r[i], wanted[i], row->tolerance);
            if (!ok)
                fprintf(stderr, "[%s] item %zu component %d: %.9g, not %.9g\n",
                        row->name, n, i, (double)items[n].r[i], (double)wanted[i]);
        }
    }
    gv_arena_finish(&arena);
    return ok;
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int fragment = 0; fragment < 2; fragment++)
            if (rows[i].stages == BOTH || (rows[i].stages == FRAGMENT) == fragment)
                CHECK_ROW(rows[i].name, check_row(&rows[i], fragment));
    fixture_close();
    printf("%zu rows of %d items\n", sizeof rows / sizeof *rows, ITEMS);
    return TEST_RESULT();
}
