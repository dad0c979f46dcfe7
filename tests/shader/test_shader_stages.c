// Translated shaders of every graphics stage on a device: each pixel against Direct3D's
// rules in C (shader_stages.def). With the argument `vkd3d` it is libvkd3d-shader that
// translates: the pixels must be the same.
#include "compiler/shader/d3d/dxbc.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/shader_draw.h"
#include "tests/shader/vkd3d_oracle.h"

#include <math.h>

#define A (1 << DXBC_ENCODING_AERO)
#define O (1 << DXBC_ENCODING_OFFICIAL)
#define V (1 << 2)
#define LESS (1 << 3)

#define SIDE 16
#define TOLERANCE 2e-5f

// ---- what rules are written with ----

static void put(float out[4], float x, float y, float z, float w)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

// The square of `x` in 0..1 as it is interpolated between n equal parts.
static float grid(float x, int n)
{
    float k = floorf(x * (float)n), t = x * (float)n - k;
    return (k * k * (1 - t) + (k + 1) * (k + 1) * t) / (float)(n * n);
}

static float ndc(int pixel)
{
    return (float)(2 * pixel + 1) / SIDE - 1;
}

// Differences over the pair of pixels that a pixel is in.
static float ddx_square(int px)
{
    int first = px & ~1;
    return ndc(first + 1) * ndc(first + 1) - ndc(first) * ndc(first);
}

static float ddy_square(int py)
{
    return ddx_square(py); // y falls where rows rise: squares do not tell
}

// The texel of texture n, repeated.
static float number(int x, int y)
{
    return (float)((x & 3) + 4 * (y & 3) + 1);
}

static void texel(float out[4], int n, int x, int y)
{
    put(out, (float)(x & 3), (float)(y & 3), (float)(n + 1), number(x, y));
}

typedef void (*rule)(int px, int py, float nx, float ny, float (*out)[4], float *depth);

#define STAGES(name, sets, topology, points, vertices, vs, hs, ds, gs, ps, ...) \
    static void rule_##name(int px, int py, float nx, float ny, float(*out)[4], \
                            float *depth)                                       \
    {                                                                           \
        (void)px, (void)py, (void)nx, (void)ny, (void)out, (void)depth;         \
        __VA_ARGS__                                                             \
    }
#include "tests/shader/shader_stages.def"
#undef STAGES

// ---- vertices ----

#define COLORED(n)               \
    {                            \
        {                        \
            { 0, 0, 0, 1 },      \
            {                    \
                n, 0.5f, 0.5f, 1 \
            }                    \
        }                        \
    }
static const struct draw_vertex whole[] = {
    { { { -1, -1, 0, 1 }, { -1, -1, 0.25f, 1 } } },
    { { { -1, 3, 0, 1 }, { -1, 3, 0.25f, 1 } } },
    { { { 3, -1, 0, 1 }, { 3, -1, 0.25f, 1 } } }
};
static const struct draw_vertex two_points[] = {
    { { { -0.5f, -0.5f, 0, 1 }, { 1, 0, 0, 1 } } },
    { { { 0.5f, 0.5f, 0, 1 }, { 0, 1, 0, 1 } } }
};
static const struct draw_vertex one_point[] = { { { { 0, 0, 0, 1 },
                                                    { 1, 0, 0, 1 } } } };
static const struct draw_vertex four_colors[] = { COLORED(1), COLORED(2), COLORED(3),
                                                  COLORED(4) };
static const struct draw_vertex six_colors[] = { COLORED(1), COLORED(2), COLORED(3),
                                                 COLORED(4), COLORED(5), COLORED(6) };
static const struct draw_vertex four_triangles[12] = { COLORED(0) };
// `whole` in colours; a triangle inside the target whose corners differ in w.
static const struct draw_vertex three_colors[] = {
    { { { -1, -1, 0, 1 }, { 1, 0.5f, 0.5f, 1 } } },
    { { { -1, 3, 0, 1 }, { 2, 0.5f, 0.5f, 1 } } },
    { { { 3, -1, 0, 1 }, { 3, 0.5f, 0.5f, 1 } } }
};
static const struct draw_vertex deep[] = {
    { { { -1, -1, 0.375f, 1 }, { 1, 0, 0, 1 } } },
    { { { -2, 1.625f, 0.75f, 2 }, { 0, 1, 0, 1 } } },
    { { { 3.25f, -4, 1.5f, 4 }, { 0, 0, 1, 1 } } }
};
static const struct draw_vertex corners[] = {
    { { { -1, 1, 0, 1 }, { 1, 0.5f, 0.5f, 1 } } },
    { { { 1, 1, 0, 1 }, { 2, 0.5f, 0.5f, 1 } } },
    { { { -1, -1, 0, 1 }, { 3, 0.5f, 0.5f, 1 } } },
    { { { 1, -1, 0, 1 }, { 4, 0.5f, 0.5f, 1 } } }
};
static const struct draw_vertex two_patches[] = {
    { { { -1, 1, 0, 1 }, { 1, 0.5f, 0.5f, 1 } } },
    { { { 0, 1, 0, 1 }, { 2, 0.5f, 0.5f, 1 } } },
    { { { -1, -1, 0, 1 }, { 10, 0.5f, 0.5f, 1 } } },
    { { { 0, -1, 0, 1 }, { 4, 0.5f, 0.5f, 1 } } },
    { { { 0, 1, 0, 1 }, { 5, 0.5f, 0.5f, 1 } } },
    { { { 1, 1, 0, 1 }, { 6, 0.5f, 0.5f, 1 } } },
    { { { 0, -1, 0, 1 }, { 50, 0.5f, 0.5f, 1 } } },
    { { { 1, -1, 0, 1 }, { 8, 0.5f, 0.5f, 1 } } }
};
// The left half clockwise, the right one not.
static const struct draw_vertex two_windings[] = {
    { { { -1, -1, 0, 1 }, { 0 } } }, { { { -1, 3, 0, 1 }, { 0 } } },
    { { { 0, -1, 0, 1 }, { 0 } } },  { { { 0, -1, 0, 1 }, { 0 } } },
    { { { -1, 3, 0, 1 }, { 0 } } },  { { { 0, 3, 0, 1 }, { 0 } } },
    { { { 0, -1, 0, 1 }, { 0 } } },  { { { 4, -1, 0, 1 }, { 0 } } },
    { { { 0, 3, 0, 1 }, { 0 } } },   { { { 0, 3, 0, 1 }, { 0 } } },
    { { { 4, -1, 0, 1 }, { 0 } } },  { { { 4, 3, 0, 1 }, { 0 } } }
};

// ---- rows ----

static const struct row {
    const char *name;
    int sets;
    uint32_t topology, points;
    const struct draw_vertex *vertices;
    size_t vertex_count;
    const char *vs, *hs, *ds, *gs, *ps;
    rule rule;
} rows[] = {
#define STAGES(name, sets, topology, points, vertices, vs, hs, ds, gs, ps, ...) \
    { #name,  sets,     GV_TOPOLOGY_##topology,                                 \
      points, vertices, sizeof vertices / sizeof *vertices,                     \
      vs,     hs,       ds,                                                     \
      gs,     ps,       rule_##name },
#include "tests/shader/shader_stages.def"
#undef STAGES
};
#define ROWS (sizeof rows / sizeof *rows)

static const char plain_vertex[] =
    "vs_5_0\nin POSITION 0 v0\nin COLOR 0 v1\nout SV_Position 0 o0 sv=1\nout COLOR 0 "
    "o1\n"
    "dcl_flags@1\ndcl_input v0\ndcl_input v1\ndcl_output_siv o0, 1\ndcl_output o1\n"
    "mov o0, v0\nmov o1, v1\nret\n";
static const char plain_pixel[] =
    "ps_5_0\nin SV_Position 0 v0 sv=1\nin COLOR 0 v1\nout SV_Target 0 o0\ndcl_flags@1\n"
    "dcl_input_ps@2 v1\ndcl_output o0\nmov o0, v1\nret\n";
static const char plain_vertex_aero[] =
    "vs_5_0\nin POSITION 0 v0\nin COLOR 0 v1\nout SV_Position 0 o0\nout COLOR 0 o1\n"
    "mov o0, v0\nmov o1, v1\nret\n";
static const char plain_pixel_aero[] =
    "ps_5_0\nin SV_Position 0 v0\nin COLOR 0 v1\nout SV_Target 0 o0\nmov o0, v1\nret\n";

static const char *stage_text(const struct row *row, enum dxbc_encoding encoding, int s)
{
    const char *const own[] = { row->vs, row->hs, row->ds, row->gs, row->ps };
    bool aero = encoding == DXBC_ENCODING_AERO;
    if (own[s])
        return own[s];
    if (s == DRAW_VERTEX)
        return aero ? plain_vertex_aero : plain_vertex;
    if (s == DRAW_PIXEL)
        return aero ? plain_pixel_aero : plain_pixel;
    return NULL;
}

static bool assemble(const struct row *row, const char *text,
                     enum dxbc_encoding encoding, struct gv_bytes *out)
{
    char error[160] = "";
    bool ok = dxbc_assemble(text, encoding, out, error);
    if (!ok)
        fprintf(stderr, "[%s] %s\n", row->name, error);
    return ok;
}

// ---- comparing ----

static bool close(float got, float wanted)
{
    return got == wanted || fabsf(got - wanted) <= TOLERANCE * fmaxf(1, fabsf(wanted));
}

static bool same_texel(const struct row *row, const char *kind, int px, int py,
                       uint32_t target, const float got[4], const float wanted[4])
{
    for (int i = 0; i < 4; i++)
        if (!close(got[i], wanted[i])) {
            fprintf(stderr,
                    "[%s] %s: target %u at (%d,%d): %g %g %g %g, not %g %g %g %g\n",
                    row->name, kind, target, px, py, (double)got[0], (double)got[1],
                    (double)got[2], (double)got[3], (double)wanted[0],
                    (double)wanted[1], (double)wanted[2], (double)wanted[3]);
            return false;
        }
    return true;
}

// Tells of the first pixel that differs.
static bool compare(const struct row *row, const char *kind,
                    const struct draw_result *got)
{
    for (int py = 0; py < SIDE; py++)
        for (int px = 0; px < SIDE; px++) {
            float wanted[DRAW_TARGETS][4], depth = NAN;
            for (uint32_t t = 0; t < DRAW_TARGETS; t++)
                put(wanted[t], DRAW_NOTHING, DRAW_NOTHING, DRAW_NOTHING, DRAW_NOTHING);
            row->rule(px, py, ndc(px), -ndc(py), wanted, &depth);
            for (uint32_t t = 0; t < DRAW_TARGETS; t++)
                if (!same_texel(row, kind, px, py, t, got->targets[t][py][px],
                                wanted[t]))
                    return false;
            if (!isnan(depth) && !close(got->depth[py][px], depth)) {
                fprintf(stderr, "[%s] %s: depth at (%d,%d): %g, not %g\n", row->name,
                        kind, px, py, (double)got->depth[py][px], (double)depth);
                return false;
            }
        }
    return true;
}

static const float *textures(int n)
{
    static float texels[DRAW_TEXTURES][4][4][4];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            texel(texels[n][y][x], n, x, y);
    return texels[n][0][0];
}

static struct draw describe(const struct row *row)
{
    return (struct draw){ .textures = { textures(0), textures(1), textures(2),
                                        textures(3) },
                          .topology = row->topology,
                          .patch_points = row->points,
                          .vertices = row->vertices,
                          .vertex_count = (uint32_t)row->vertex_count,
                          .side = SIDE,
                          .depth_less = row->sets & LESS };
}

static bool draw_and_compare(const struct row *row, const char *kind, struct draw *d)
{
    static struct draw_result result;
    if (!draw_run(d, &result)) {
        fprintf(stderr, "[%s] %s: %s\n", row->name, kind, fixture_error.message);
        return false;
    }
    return compare(row, kind, &result);
}

// ---- ours ----

static bool translate(const struct row *row, enum dxbc_encoding encoding, int stage,
                      const struct gv_dxbc_shader *hull, struct gv_arena *arena,
                      struct gv_dxbc_shader *out)
{
    struct gv_bytes blob = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_dxbc_options options = {
        .partitioning = hull ? hull->partitioning : 0,
        .output_primitive = hull ? hull->output_primitive : 0,
    };
    bool ok = assemble(row, stage_text(row, encoding, stage), encoding, &blob) &&
              gv_dxbc_translate(blob.data, blob.size, 0, &options, arena, out, &err);
    if (!ok)
        fprintf(stderr, "[%s] stage %d: %s\n%s", row->name, stage, err.message,
                out->glsl ? out->glsl : "");
    gv_bytes_finish(&blob);
    return ok;
}

static bool check(const struct row *row, enum dxbc_encoding encoding, const char *kind)
{
    static struct gv_dxbc_shader shaders[DRAW_STAGES];
    struct gv_arena arena = { 0 };
    struct draw d = describe(row);
    bool ok = true;
    for (int s = 0; s < DRAW_STAGES && ok; s++) {
        if (!stage_text(row, encoding, s))
            continue;
        ok = translate(row, encoding, s, s == DRAW_DOMAIN ? &shaders[DRAW_HULL] : NULL,
                       &arena, &shaders[s]);
        d.stages[s] = &shaders[s].spirv;
    }
    d.targets = shaders[DRAW_PIXEL].targets;
    ok = ok && draw_and_compare(row, kind, &d);
    for (int s = 0; s < DRAW_STAGES && !ok && getenv("GV_TEST_SHOW"); s++)
        if (d.stages[s] && shaders[s].glsl)
            fprintf(stderr, "%s\n", shaders[s].glsl);
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
    printf("%zu rows, %zu pictures\n", ROWS, count);
    return TEST_RESULT();
}

// ---- the second opinion ----

static bool compile(const struct row *row, struct gv_bytes spirv[DRAW_STAGES])
{
    bool ok = true;
    for (int s = 0; s < DRAW_STAGES && ok; s++) {
        struct gv_bytes blob = { 0 };
        char error[160] = "";
        const char *text = stage_text(row, DXBC_ENCODING_OFFICIAL, s);
        if (!text)
            continue;
        ok = assemble(row, text, DXBC_ENCODING_OFFICIAL, &blob) &&
             vkd3d_oracle_compile(&blob, &spirv[s], error);
        if (!ok)
            fprintf(stderr, "[%s] vkd3d: stage %d: %s\n", row->name, s, error);
        gv_bytes_finish(&blob);
    }
    return ok;
}

static bool check_vkd3d(const struct row *row, const struct gv_bytes spirv[DRAW_STAGES])
{
    static struct gv_dxbc_shader shaders[DRAW_STAGES];
    struct gv_arena arena = { 0 };
    struct draw d = describe(row);
    bool ok = true;
    // Ours, for what they declare; the code is theirs.
    for (int s = 0; s < DRAW_STAGES && ok; s++) {
        if (!spirv[s].size)
            continue;
        ok = translate(row, DXBC_ENCODING_OFFICIAL, s, NULL, &arena, &shaders[s]);
        shaders[s].spirv.words = (const uint32_t *)(const void *)spirv[s].data;
        shaders[s].spirv.word_count = spirv[s].size / 4;
        d.stages[s] = &shaders[s].spirv;
    }
    d.targets = shaders[DRAW_PIXEL].targets;
    ok = ok && draw_and_compare(row, "vkd3d", &d);
    gv_arena_finish(&arena);
    return ok;
}

static int theirs(void)
{
    static struct gv_bytes spirv[ROWS][DRAW_STAGES];
    size_t asked = 0, agreed = 0;
    if (!vkd3d_oracle_present())
        return gv_test_skip("no libvkd3d-shader");
    for (size_t i = 0; i < ROWS; i++) // children first, then the device's threads
        if (rows[i].sets & V)
            CHECK_ROW(rows[i].name, compile(&rows[i], spirv[i]));
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < ROWS; i++) {
        if (!(rows[i].sets & V))
            continue;
        bool ok = spirv[i][DRAW_PIXEL].size && check_vkd3d(&rows[i], spirv[i]);
        asked++;
        agreed += ok;
        CHECK_ROW(rows[i].name, ok);
        for (int s = 0; s < DRAW_STAGES; s++)
            gv_bytes_finish(&spirv[i][s]);
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
