// Medium precision on a device: values of a compute shader against half floats in C, in
// the order of steps that Mesa's llvmpipe shows.
#include <math.h>

#include "compiler/shader/glsl/glsl.h"
#include "tests/shader/values_kernel.h"

#define ITEMS 300

struct item {
    float a[4], b[4];
    float r, unused[3];
};

#define LEAST_EXPONENT (-13) // of a normal half, as frexp counts

// The nearest half.
static float h(double x)
{
    int exponent;
    frexp(x, &exponent);
    const int last = (exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent) - 11;
    const double near = ldexp(nearbyint(ldexp(x, -last)), last);
    return fabs(near) > 65504 ? copysignf(INFINITY, (float)x) : (float)near;
}

static float times(double a, double b)
{
    return h((double)h(a) * (double)h(b));
}

static float plus(double a, double b)
{
    return h((double)h(a) + (double)h(b));
}

static float dot(const float *a, const float *b, int count)
{
    float sum = times(a[count - 1], b[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = plus(sum, times(a[i], b[i]));
    return sum;
}

static float length(const float *a, int count)
{
    return h(sqrt((double)dot(a, a, count)));
}

static float distance(const float *a, const float *b)
{
    const float d[3] = { plus(a[0], -b[0]), plus(a[1], -b[1]), plus(a[2], -b[2]) };
    return length(d, 3);
}

static float reflected(const float *a, const float *b)
{
    const float d = dot(b, a, 3);
    return plus(a[0], -times(b[0], plus(d, d)));
}

static float refracted(const float *a, const float *b, float eta)
{
    const float d = dot(b, a, 3);
    const float k = plus(1, -times(eta, times(eta, plus(1, -times(d, d)))));
    const float along = plus(times(eta, d), h(sqrt(k < 0 ? 0 : (double)k)));
    return k < 0 ? 0 : plus(times(a[0], eta), -times(b[0], along));
}

static float smoothed(float x)
{
    float t = times(plus(x, 1), 0.5);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return times(t, times(t, plus(3, -times(2, t))));
}

#define RULE(name, code, value)                              \
    static float rule_##name(const float *a, const float *b) \
    {                                                        \
        (void)a, (void)b;                                    \
        return value;                                        \
    }
#define RULES                                                                          \
    /* one step of values as they are, constants aside, is taken in full */            \
    RULE(alone, "a.x * b.x", a[0] * b[0])                                              \
    RULE(alone_again, "v = a.xy * b.xy; r = v.x", a[0] * b[0])                         \
    RULE(constant, "a.x * 0.3", times(a[0], 0.3))                                      \
    RULE(negative, "a.x + -b.x", plus(a[0], -b[0]))                                    \
    RULE(difference, "a.x - b.x", plus(a[0], -b[0]))                                   \
    RULE(chain, "a.x * b.x + b.y", plus(times(a[0], b[0]), b[1]))                      \
    RULE(variable, "v = a.xy * b.xy; v += b.zw; r = v.x",                              \
         plus(times(a[0], b[0]), b[2]))                                                \
    RULE(branch, "v = a.xy; if (b.x < 9.0) v = b.xy; r = v.y", h(b[1]))                \
    RULE(loop, "v = a.xy; for (int i = 0; i < 3; i++) v *= b.xy; r = v.x",             \
         times(times(times(a[0], b[0]), b[0]), b[0]))                                  \
    RULE(high, "w = a.x * b.x; r = w + b.y", a[0] * b[0] + b[1])                       \
    RULE(compared, "a.x * 2.0 > 0.3 ? 1.0 : 0.0", times(a[0], 2) > h(0.3) ? 1 : 0)     \
    RULE(dot4, "dot(a, b)", dot(a, b, 4))                                              \
    RULE(dot2, "dot(a.xy, b.xy)", dot(a, b, 2))                                        \
    RULE(length3, "length(a.xyz)", length(a, 3))                                       \
    RULE(distance3, "distance(a.xyz, b.xyz)", distance(a, b))                          \
    RULE(normal, "normalize(a.xyz).x", times(a[0], h(1 / (double)length(a, 3))))       \
    RULE(mixed, "mix(a.x, b.x, a.y)", plus(a[0], times(a[1], plus(b[0], -a[0]))))      \
    RULE(reflect3, "reflect(a.xyz, b.xyz).x", reflected(a, b))                         \
    RULE(refract3, "refract(a.xyz, b.xyz, 0.3).x", refracted(a, b, 0.3f))              \
    RULE(refract_out, "refract(a.xyz, b.xyz, 1.7).x", refracted(a, b, 1.7f))           \
    RULE(smooth, "smoothstep(-1.0, 1.0, a.x)", smoothed(a[0]))                         \
    RULE(columns, "(mat3(a.xyz, b.xyz, a.wzy) * vec3(b.w, a.w, b.x)).x",               \
         plus(plus(times(a[0], b[3]), times(b[0], a[3])), times(a[3], b[0])))          \
    RULE(moved, "(mat3(a.xyz, b.xyz, a.wzy) * vec3(b.w, a.w, 1.0)).x",                 \
         plus(plus(times(a[0], b[3]), a[3]), times(b[0], a[3])))                       \
    RULE(moved2, "(mat4(a, b, a.wzyx, b.wzyx) * vec4(b.w, a.w, 0.0, 1.0)).x",          \
         plus(plus(times(a[0], b[3]), b[3]), times(b[0], a[3])))                       \
    /* what zeros are added to is taken as it is */                                    \
    RULE(zeros, "v = a.xy + vec2(0.0, 0.25); r = v.x", a[0])                           \
    RULE(no_zeros, "v = vec2(0.0, 0.25) + a.xy; r = v.y", plus(a[1], 0.25))            \
    RULE(less_zeros, "v = a.xy - vec2(0.0, 0.25); r = v.x", a[0])                      \
    RULE(zeros_on, "v = a.xy + vec2(0.0, 0.25); r = v.x * 0.3", times(a[0], 0.3))      \
    RULE(zeros_of, "v = a.xy * b.xy * 0.3 + vec2(0.0, 0.25); r = v.x",                 \
         times(times(a[0], 0.3), b[0]))                                                \
    RULE(beyond, "min((a.x * 60000.0) * (b.x * 9.0), 1.0)",                            \
         fminf(times(times(a[0], 60000), times(b[0], 9)), 1))                          \
    /* what is constant decides on a mix's steps */                                    \
    RULE(mixed_const, "mix(a.x, b.x, 0.3)",                                            \
         plus(times(a[0], plus(1, -0.3)), times(b[0], 0.3)))                           \
    RULE(mixed_from_1, "mix(1.0, b.x, a.y)", plus(plus(1, -a[1]), times(b[0], a[1])))  \
    RULE(mixed_from_0, "mix(0.0, b.x, a.y) + b.y", plus(times(b[0], a[1]), b[1]))      \
    RULE(mixed_to_1, "mix(a.x, 1.0, a.y)", plus(times(a[0], plus(1, -a[1])), h(a[1]))) \
    /* constants join, and come before what is a product */                            \
    RULE(products, "a.x * 0.3 * 0.7", times(a[0], times(0.3, 0.7)))                    \
    RULE(product, "a.x * b.x * 0.7", times(times(a[0], 0.7), b[0]))                    \
    RULE(product_twice, "v.x = a.x * b.x; r = v.x * 0.7 + v.x * b.y",                  \
         plus(times(times(a[0], b[0]), 0.7), times(times(a[0], b[0]), b[1])))          \
    RULE(sum, "a.x * b.x + a.y * b.y + a.z",                                           \
         plus(plus(times(a[0], b[0]), a[2]), times(a[1], b[1])))                       \
    RULE(sum_again, "a.z + (a.x * b.x - a.y * b.y)",                                   \
         plus(plus(times(a[0], b[0]), a[2]), -times(a[1], b[1])))                      \
    RULE(less, "a.x * b.x + a.y * b.y - a.z",                                          \
         plus(plus(times(a[0], b[0]), -a[2]), times(a[1], b[1])))                      \
    RULE(sum_const, "a.x * b.x + a.y + 0.7", plus(plus(a[1], 0.7), times(a[0], b[0]))) \
    RULE(sum_of_3, "a.x * b.x + a.y * b.y + a.z * b.z",                                \
         plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2])))          \
    RULE(exponent, "exp(a.x * 0.3)", h(exp2((double)times(a[0], times(0.3, 1.4427))))) \
    RULE(unit, "dot(normalize(a.xyz), vec3(0.3, 0.7, 0.2))",                           \
         times(h(1 / (double)length(a, 3)),                                            \
               dot(a, (const float[]){ h(0.3), h(0.7), h(0.2) }, 3)))                  \
    RULE(crossed, "cross(a.xyz, b.xyz).x",                                             \
         plus(times(a[1], b[2]), -times(a[2], b[1])))                                  \
    RULE(rows, "(a.xyz * mat3(b.xyz, a.wzy, b.wzy)).x", dot(a, b, 3))                  \
    RULE(root, "inversesqrt(a.x * a.x + 1.0)",                                         \
         h(1 / (double)h(sqrt((double)plus(times(a[0], a[0]), 1)))))                   \
    RULE(number, "v = vec2(a.x, 0.3); r = v.y", h(0.3))                                \
    /* the last finite ones, and those that are not normal */                          \
    RULE(last, "w = 65504.0 + a.x * 32.0; r = w * 0.5 > 32768.0 ? 1.0 : 0.0",          \
         times(plus(65504, times(a[0], 32)), 0.5) > 32768 ? 1 : 0)                     \
    RULE(tiny, "w = a.x * 0.00006103515625; r = w * 4096.0",                           \
         (float)(times(a[0], 0x1p-14) * 4096))
RULES
#undef RULE

static const struct row {
    const char *name, *code;
    float (*rule)(const float *a, const float *b);
} rows[] = {
#define RULE(name, code, value) { #name, code, rule_##name },
    RULES
#undef RULE
};

// ---- running ----

static bool make(struct kernel *k, const char *code, struct gv_arena *arena)
{
    char text[2048];
    struct gv_error err = GV_ERROR_INIT;
    snprintf(
        text, sizeof text,
        "#version 460\nlayout(local_size_x = 1) in;\n"
        "struct Item { mediump vec4 a, b; float r; };\n"
        "layout(set = 3, binding = 0, std430) buffer Items { Item items[]; };\n"
        "void main() { mediump vec4 a = items[gl_WorkGroupID.x].a;\n"
        "  mediump vec4 b = items[gl_WorkGroupID.x].b; mediump vec2 v; float w, r;\n"
        "  %s%s; items[gl_WorkGroupID.x].r = r; }\n",
        strstr(code, "r = ") ? "" : "r = ", code);
    const struct gv_glsl_text glsl = { GV_STAGE_COMPUTE, text };
    if (!gv_glsl_compile(&glsl, 1, 0, arena, &k->stage, &err)) {
        fprintf(stderr, "%s\n%s\n", err.message, text);
        return false;
    }
    make_kernel(k);
    return true;
}

static void fill(struct item *items)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < ITEMS; i++)
        for (size_t k = 0; k < 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            (k < 4 ? items[i].a : items[i].b)[k % 4] =
                (float)(seed >> 8) / (float)(1 << 23) - 1;
        }
}

// Steps of division and roots may be off by the last bit of a half.
static bool is_near(float got, float wanted)
{
    return got == wanted || fabsf(got - wanted) <= fabsf(wanted) / 1024;
}

static bool check_row(const struct row *row)
{
    static struct item items[ITEMS];
    struct gv_arena arena = { 0 };
    struct kernel k = { 0 };
    size_t off = 0, wrong = 0;
    fill(items);
    if (!make(&k, row->code, &arena))
        return false;
    uint64_t buffer = 0;
    MAKE(buffer, buffer_create, num(sizeof items), num(GV_BUFFER_USAGE_STORAGE));
    DO(buffer_upload, num(buffer), num(0), bytes(items), num(sizeof items));
    DO(bind_buffer, num(3), num(0), num(0), num(buffer), num(0), num(0));
    DO(dispatch, num(ITEMS), num(1), num(1), bytes(""), num(0));
    read_buffer(buffer, 0, sizeof items, (uint8_t *)items);
    DO(buffer_destroy, num(buffer));
    DO(pipeline_destroy, num(k.pipeline));
    DO(shader_destroy, num(k.shader));
    for (size_t i = 0; i < ITEMS; i++) {
        const float wanted = row->rule(items[i].a, items[i].b);
        off += items[i].r != wanted;
        wrong += !is_near(items[i].r, wanted);
        if (!is_near(items[i].r, wanted) && wrong == 1)
            fprintf(stderr, "[%s] item %zu: %.9g, not %.9g\n", row->name, i,
                    (double)items[i].r, (double)wanted);
    }
    if (off)
        printf("%s: %zu of %d off, %zu by more than a bit\n", row->name, off, ITEMS,
               wrong);
    gv_arena_finish(&arena);
    return !wrong && off <= ITEMS / 50;
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_ROW(rows[i].name, check_row(&rows[i]));
    fixture_close();
    printf("%zu rows of %d items\n", sizeof rows / sizeof *rows, ITEMS);
    return TEST_RESULT();
}
