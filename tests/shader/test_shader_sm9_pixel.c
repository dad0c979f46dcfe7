// Pixel shaders 1.x on a device: one pixel is drawn with four texture coordinates, two
// colours and four textures; its colour is what Direct3D's rules, in C, say.
#include "compiler/shader/d3d/dxbc.h"
#include "tests/shader/shader_draw.h"
#include "tests/shader/sm9_tokens.h"

#include <math.h>

// Set constants; colours and coordinates are those from c16 on. Texels' centres are at
// odd eighths.
static const float c[4][4] = { { 0.25f, -2, 3, 0.5f },
                               { 1.5f, 0.5f, -0.75f, 2 },
                               { 0.5f, 0.25f, 0.125f, -0.5f },
                               { 0, 0.75f, -0.25f, 1 } };
static const float v[2][4] = { { 0.25f, 0.5f, 0.75f, 1 },
                               { 0.125f, 0.75f, 0.5f, 0.25f } };
static const float t[4][4] = { { 0.125f, 0.375f, 0.5f, 2 },
                               { 0.625f, 0.125f, 0.25f, 0.5f },
                               { 0.375f, 0.875f, -0.5f, 1 },
                               { 0.875f, 0.625f, 0.75f, 0.5f } };

struct pixel {
    float out[4], depth;
};

static float clamped(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static float at(const float *constant, int i) // as these models see it
{
    return clamped(constant[i], -1, 1);
}

// Component i of the texel of texture n at (u, v).
static float tex(int n, float x, float y, int i)
{
    int column = (int)floorf(x * 4) & 3, row = (int)floorf(y * 4) & 3;
    const float texel[4] = { (float)column / 4, (float)row / 4, (float)(n + 1) / 8,
                             (float)(column + 1) / 8 };
    return texel[i];
}

static float dot3(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void sampled(int n, float x, float y, float out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = tex(n, x, y, i);
}

// The face that a direction meets, as the cubes' texels tell: +x -x +y -y +z -z.
static float face(const float *d)
{
    float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
    if (x >= y && x >= z)
        return d[0] > 0 ? 1 : 2;
    if (y >= z)
        return d[1] > 0 ? 3 : 4;
    return d[2] > 0 ? 5 : 6;
}

// The normal that rows t1 to t3 make of an expanded texel.
static void turn(const float texel[4], float out[3])
{
    const float n[3] = { texel[0] * 2 - 1, texel[1] * 2 - 1, texel[2] * 2 - 1 };
    for (int k = 0; k < 3; k++)
        out[k] = dot3(t[k + 1], n);
}

// Of texture 0 at t0: the flat one, and the cube, whose texels are the face's number.
static void turned(float out[3])
{
    float texel[4];
    sampled(0, t[0][0], t[0][1], texel);
    turn(texel, out);
}

static void turned_cube(float out[3])
{
    const float number = face(t[0]), texel[4] = { number, number, number, number };
    turn(texel, out);
}

#define EYE                       \
    {                             \
        t[1][3], t[2][3], t[3][3] \
    }

static float reflected_face(const float *normal, const float *eye)
{
    float d[3], ratio = 2 * dot3(normal, eye) / dot3(normal, normal);
    for (int i = 0; i < 3; i++)
        d[i] = ratio * normal[i] - eye[i];
    return face(d);
}

typedef void (*rule)(struct pixel *p);

// Code in front of a rule: X gives one component, i; Y the whole pixel.
#define EACH(name, model, cubes, expression, ...) \
    static void rule_##name(struct pixel *p)      \
    {                                             \
        for (int i = 0; i < 4; i++)               \
            p->out[i] = (expression);             \
    }
#define WHOLE(name, model, cubes, code, ...) \
    static void rule_##name(struct pixel *p) \
    {                                        \
        (void)p;                             \
        code                                 \
    }
#include "tests/shader/sm9_pixel.def"
#undef EACH
#undef WHOLE

static const struct row {
    const char *name;
    uint32_t model; // 1 to 4: 1.1 to 1.4
    bool cubes;
    uint32_t tokens[48];
    rule rule;
} rows[] = {
#define EACH(name, model, cubes, expression, ...) \
    { #name, model, cubes, { __VA_ARGS__, END }, rule_##name },
#define WHOLE(name, model, cubes, code, ...) \
    { #name, model, cubes, { __VA_ARGS__, END }, rule_##name },
#include "tests/shader/sm9_pixel.def"
#undef EACH
#undef WHOLE
};
#define ROWS (sizeof rows / sizeof *rows)

// oPos = v0, oD0 and oD1 = c16 and c17, oT0 to oT3 = c18 to c21.
static const uint32_t vertex[] = { 0xfffe0200u, OP(31, 2),    0x80000000u, DST(V, 0),
                                   OP(1, 2),    DST(RAST, 0), SRC(V, 0),   OP(1, 2),
                                   DST(OD, 0),  SRC(C, 16),   OP(1, 2),    DST(OD, 1),
                                   SRC(C, 17),  OP(1, 2),     DST(OT, 0),  SRC(C, 18),
                                   OP(1, 2),    DST(OT, 1),   SRC(C, 19),  OP(1, 2),
                                   DST(OT, 2),  SRC(C, 20),   OP(1, 2),    DST(OT, 3),
                                   SRC(C, 21),  END };

static bool translate(const struct row *row, const uint32_t *tokens,
                      struct gv_arena *arena, struct gv_dxbc_shader *out)
{
    struct gv_dxbc_options options = { 0 };
    struct gv_bytes blob = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    size_t count = 0;
    if (row->cubes)
        memset(options.dimensions, GV_DXBC_TEXTURE_CUBE, sizeof options.dimensions);
    if (tokens != vertex)
        gv_bytes_u32(&blob, 0xffff0100u + row->model);
    while (tokens[count] != END)
        gv_bytes_u32(&blob, tokens[count++]);
    gv_bytes_u32(&blob, END);
    bool ok = gv_dxbc_translate(blob.data, blob.size, 0, &options, arena, out, &err);
    if (!ok)
        fprintf(stderr, "[%s] at %llu: %s\n%s", row->name,
                (unsigned long long)err.offset, err.message,
                out->glsl ? out->glsl : "");
    gv_bytes_finish(&blob);
    return ok;
}

static bool close(float got, float wanted)
{
    return fabsf(got - wanted) <= 1e-5f * fmaxf(1, fabsf(wanted));
}

static bool compare(const struct row *row, const struct draw_result *result)
{
    struct pixel p = { { DRAW_NOTHING, DRAW_NOTHING, DRAW_NOTHING, DRAW_NOTHING },
                       NAN };
    const float *got = result->targets[0][0][0];
    row->rule(&p);
    bool ok = isnan(p.depth) || close(result->depth[0][0], p.depth);
    for (int i = 0; i < 4; i++)
        ok = ok && close(got[i], p.out[i]);
    if (!ok)
        fprintf(stderr, "[%s] %g %g %g %g at %g, not %g %g %g %g at %g\n", row->name,
                (double)got[0], (double)got[1], (double)got[2], (double)got[3],
                (double)result->depth[0][0], (double)p.out[0], (double)p.out[1],
                (double)p.out[2], (double)p.out[3], (double)p.depth);
    return ok;
}

static void fill(float constants[DRAW_CONSTANTS][4], float textures[4][4][4][4],
                 float cube[6][4])
{
    memcpy(constants, c, sizeof c);
    memcpy(constants[16], v, sizeof v);
    memcpy(constants[18], t, sizeof t);
    for (int n = 0; n < 4; n++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                for (int i = 0; i < 4; i++)
                    textures[n][y][x][i] =
                        tex(n, ((float)x + 0.5f) / 4, ((float)y + 0.5f) / 4, i);
    for (int n = 0; n < 6; n++)
        for (int i = 0; i < 4; i++)
            cube[n][i] = (float)(n + 1);
}

static bool check(const struct row *row)
{
    static const struct draw_vertex corners[3] = { { { { -1, -1, 0, 1 }, { 0 } } },
                                                   { { { -1, 3, 0, 1 }, { 0 } } },
                                                   { { { 3, -1, 0, 1 }, { 0 } } } };
    static float constants[DRAW_CONSTANTS][4], textures[4][4][4][4], cube[6][4];
    static struct draw_result result;
    struct gv_arena arena = { 0 };
    struct gv_dxbc_shader vs = { 0 }, ps = { 0 };
    fill(constants, textures, cube);
    bool ok =
        translate(row, vertex, &arena, &vs) && translate(row, row->tokens, &arena, &ps);
    struct draw d = { .topology = GV_TOPOLOGY_TRIANGLE_LIST,
                      .vertices = corners,
                      .vertex_count = 3,
                      .side = 1,
                      .targets = 1,
                      .cube = row->cubes,
                      .constants = { constants } };
    d.stages[DRAW_VERTEX] = &vs.spirv;
    d.stages[DRAW_PIXEL] = &ps.spirv;
    for (int n = 0; n < 4; n++)
        d.textures[n] = row->cubes ? cube[0] : textures[n][0][0];
    if (ok && !draw_run(&d, &result)) {
        fprintf(stderr, "[%s] %s\n", row->name, fixture_error.message);
        ok = false;
    }
    ok = ok && compare(row, &result);
    if (!ok && getenv("GV_TEST_SHOW"))
        fprintf(stderr, "%s", ps.glsl ? ps.glsl : "");
    gv_arena_finish(&arena);
    return ok;
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (size_t i = 0; i < ROWS; i++)
        CHECK_ROW(rows[i].name, check(&rows[i]));
    fixture_close();
    printf("%zu rows\n", ROWS);
    return TEST_RESULT();
}
