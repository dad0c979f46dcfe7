// Fixtures of appendix A with WGSL shaders: expected pixels are what the same rules
// give in C.
#include "tests/aerogpu/aerogpu_minimal.h"

#define POSITION_COLOR                                                                \
    "struct VsIn { @location(0) position: vec2<f32>, @location(1) color: vec4<f32>, " \
    "}\n"                                                                             \
    "struct VsOut { @builtin(position) position: vec4<f32>,\n"                        \
    "               @location(0) color: vec4<f32>, }\n"

#define PASS_VERTEX                                                          \
    POSITION_COLOR "@vertex fn vs_main(input: VsIn) -> VsOut {\n"            \
                   "  var out: VsOut;\n"                                     \
                   "  out.position = vec4<f32>(input.position, 0.0, 1.0);\n" \
                   "  out.color = input.color;\n"                            \
                   "  return out;\n}\n"

// The fragment stage computes a u32 of the pixel's place: its low bytes are the colour.
#define BYTES_FRAGMENT(code)                                                      \
    "fn value(x: u32, y: u32) -> u32 {\n" code "}\n"                              \
    "@fragment fn fs_main(@builtin(position) p: vec4f) -> @location(0) vec4f {\n" \
    "  let n = value(u32(p.x), u32(p.y));\n"                                      \
    "  let bytes = vec4u(n, n >> 8u, n >> 16u, n >> 24u) & vec4u(255u);\n"        \
    "  return vec4f(bytes) / 255.0;\n}\n"

static void begin(struct aero_scene *f, const char *vs, const char *fs)
{
    const struct aero_minimal_stage v = { .wgsl = vs, .stub = true };
    const struct aero_minimal_stage s = { .wgsl = fs, .stub = true };
    aero_minimal_begin(f, &v, &s);
}

// Both stages in one module, drawn over all in one colour.
static void whole(struct aero_scene *f, const char *module, float r, float g, float b,
                  float a)
{
    begin(f, module, module);
    aero_minimal_fill(f, r, g, b, a);
}

static const uint32_t places[][2] = { { 0, 0 },   { 63, 0 }, { 0, 63 }, { 63, 63 },
                                      { 31, 32 }, { 5, 17 }, { 40, 9 }, { 23, 58 } };

static void expect_value(struct aero_scene *f,
                         uint32_t (*value)(uint32_t x, uint32_t y))
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t n = value(places[i][0], places[i][1]);
        aero_expect(f, places[i][0], places[i][1], (int)(n & 255), (int)(n >> 8 & 255),
                    (int)(n >> 16 & 255), (int)(n >> 24));
    }
}

static void passthrough(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin(f, PASS_VERTEX,
          "@fragment\nfn fs_main(@location(0) color: vec4<f32>) -> "
          "@location(0) vec4<f32> {\n  return color;\n}\n");
    aero_minimal_fill(f, 1, 0, 51.0f / 255, 102.0f / 255);
    aero_expect_all(f, 255, 0, 51, 102);
    aero_minimal_end(f);
}

static void branches(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    whole(f,
          PASS_VERTEX
          "@fragment fn fs_main(@builtin(position) p: vec4f, @location(0) c: vec4f)\n"
          "    -> @location(0) vec4f {\n"
          "  if p.y < 32.0 && p.x < 32.0 { return c; }\n"
          "  else if p.y < 32.0 { return c.gbra; }\n"
          "  var q = vec4f(0, 0, 0, 1);\n"
          "  switch u32(p.x) / 16u { case 0u: { q.b = 1.0; } case 2u, 3u: { q = "
          "q.aaar; }\n"
          "    default: { q.g = 1.0; } }\n"
          "  return q;\n}\n",
          1, 0, 0, 1);
    aero_expect(f, 0, 0, 255, 0, 0, 255);
    aero_expect(f, 31, 31, 255, 0, 0, 255);
    aero_expect(f, 32, 31, 0, 0, 255, 255);
    aero_expect(f, 15, 32, 0, 0, 255, 255);
    aero_expect(f, 16, 63, 0, 255, 0, 255);
    aero_expect(f, 32, 63, 255, 255, 255, 0);
    aero_minimal_end(f);
}

static uint32_t collatz(uint32_t x, uint32_t y)
{
    uint32_t n = x * 64 + y + 1, steps = 0, high = 0;
    for (; n != 1; steps++) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        high = n > high ? n : high;
    }
    return steps | high << 8;
}

static void loops(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    whole(f,
          PASS_VERTEX BYTES_FRAGMENT(
              "  var n = x * 64u + y + 1u; var steps = 0u; var high = 0u;\n"
              "  loop {\n"
              "    if n == 1u { break; }\n"
              "    let before = n;\n"
              "    if n % 2u == 0u { n /= 2u; continue; }\n"
              "    n = 3u * n + 1u;\n"
              "    continuing { steps += 1u; high = max(high, select(n, n, before > "
              "n)); }\n"
              "  }\n"
              "  return steps | (high << 8u);\n"),
          0, 0, 0, 0);
    expect_value(f, collatz);
    aero_minimal_end(f);
}

static uint32_t integers_rule(uint32_t x, uint32_t y)
{
    int32_t a = (int32_t)x - 32, b = (int32_t)y - 32;
    int32_t q = b ? a / b : a, r = b ? a % b : 0;
    uint32_t h = (x * 0x9e3779b9u) ^ (y << (x & 31));
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return ((uint32_t)q & 255) | ((uint32_t)(r >> 1) & 255) << 8 | (h & 0xffff0000u);
}

static void integers(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    whole(f,
          PASS_VERTEX BYTES_FRAGMENT(
              "  let a = i32(x) - 32; let b = i32(y) - 32;\n"
              "  var h = (x * 0x9e3779b9u) ^ (y << x);\n"
              "  h ^= h >> 15u; h *= 0x2c1b3c6du;\n"
              "  return (u32(a / b) & 255u) | ((u32((a % b) >> 1u) & 255u) << 8u)\n"
              "         | (h & 0xffff0000u);\n"),
          0, 0, 0, 0);
    expect_value(f, integers_rule);
    aero_minimal_end(f);
}

static uint32_t structs_rule(uint32_t x, uint32_t y)
{
    static const uint32_t table[4] = { 3, 1, 4, 15 };
    uint32_t sum = 0, count[3] = { 0, 0, 0 };
    for (uint32_t i = 0; i < 4; i++) {
        sum += table[i] * (i % 2 ? x : y);
        count[(x + i) % 3] += table[i];
    }
    return (sum & 255) | count[0] << 8 | count[1] << 16 | count[2] << 24;
}

static void structs(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    whole(f,
          PASS_VERTEX
          "struct Counts { n: array<u32, 3> }\n"
          "struct State { sum: u32, counts: Counts, place: vec2u }\n"
          "const table = array(3u, 1u, 4u, 15u);\n"
          "fn step(s: ptr<function, State>, i: u32) {\n"
          "  (*s).sum += table[i] * select(s.place.y, s.place.x, i % 2u == 1u);\n"
          "  s.counts.n[(s.place.x + i) % 3u] += table[i];\n}\n" BYTES_FRAGMENT(
              "  var s = State(); s.place = vec2(x, y);\n"
              "  for (var i = 0u; i < 4u; i++) { step(&s, i); }\n"
              "  let c = s.counts;\n"
              "  return (s.sum & 255u) | (c.n[0] << 8u) | (c.n[1] << 16u)\n"
              "         | (c.n[2] << 24u);\n"),
          0, 0, 0, 0);
    expect_value(f, structs_rule);
    aero_minimal_end(f);
}

static void vertex_index(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    begin(f,
          "struct Out { @builtin(position) p: vec4f, @location(3) @interpolate(flat) "
          "n: u32 }\n"
          "@vertex fn vs_main(@builtin(vertex_index) i: u32) -> Out {\n"
          "  let corners = array(vec2f(-1, -1), vec2f(1, -1), vec2f(1, 1), vec2f(-1, "
          "-1),\n"
          "                      vec2f(1, 1), vec2f(-1, 1));\n"
          "  return Out(vec4(corners[i % 6u] * vec2(0.5, 1.0) + vec2(f32(i / 6u) - "
          "0.5, 0.0),\n"
          "                  0.5, 1.0), i / 3u);\n}\n",
          "@fragment fn fs_main(@location(3) @interpolate(flat) n: u32)\n"
          "    -> @location(0) vec4f { return vec4f(f32(n) * 51.0 / 255.0, 0, 0, 1); "
          "}\n");
    aero_minimal_fill(f, 0, 0, 0, 0);
    aero_minimal_draw(f, 6, 6);
    // Two triangles to the left, two to the right; lower right half, upper left half.
    aero_expect(f, 30, 60, 0, 0, 0, 255);
    aero_expect(f, 2, 2, 51, 0, 0, 255);
    aero_expect(f, 62, 60, 102, 0, 0, 255);
    aero_expect(f, 34, 2, 153, 0, 0, 255);
    aero_minimal_end(f);
}

static void discards(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    whole(f,
          PASS_VERTEX
          "fn cut(p: vec4f) { if (u32(p.x) ^ u32(p.y)) % 2u == 1u { discard; } }\n"
          "@fragment fn fs_main(v: VsOut) -> @location(0) vec4f {\n"
          "  cut(v.position);\n  return v.color + abs(dpdx(v.position));\n}\n",
          0, 1, 0, 1);
    aero_expect(f, 0, 0, 255, 255, 0, 255);
    aero_expect(f, 1, 0, 0, 0, 0, 0);
    aero_expect(f, 0, 1, 0, 0, 0, 0);
    aero_expect(f, 33, 33, 255, 255, 0, 255);
    aero_minimal_end(f);
}

// Matrices are made of columns; m[1] is the second one.
static void matrices(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    whole(f,
          POSITION_COLOR
          "const turn = mat2x2f(0, 1, -1, 0);\n"
          "@vertex fn vs_main(input: VsIn) -> VsOut {\n"
          "  let p = turn * input.position;\n"
          "  return VsOut(vec4(p * 0.5 + vec2(-0.5, 0.5), 0, 1), input.color);\n}\n"
          "@fragment fn fs_main(v: VsOut) -> @location(0) vec4f {\n"
          "  let m = mat4x4f(vec4f(0), v.color, vec4f(1), vec4f(2));\n"
          "  return m[1] * m[2][3] + (m * vec4f(0, 0, 0, 0)) + vec4f(0, turn[0][1], 0, "
          "0);\n"
          "}\n",
          0, 0, 1, 1);
    aero_expect(f, 0, 0, 0, 255, 255, 255);
    aero_expect(f, 31, 31, 0, 255, 255, 255);
    aero_expect(f, 32, 31, 0, 0, 0, 0);
    aero_expect(f, 31, 32, 0, 0, 0, 0);
    aero_minimal_end(f);
}

// GLSL comes first where both are there.
static void glsl_first(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    const struct aero_minimal_stage vs = {
        .glsl = "#version 300 es\nlayout(location=0) in vec2 p;\n"
                "void main() { gl_Position = vec4(p, 0.0, 1.0); }\n",
        .wgsl = "this is not WGSL",
    };
    const struct aero_minimal_stage fs = {
        .glsl = "#version 300 es\nprecision highp float;\nout vec4 o;\n"
                "void main() { o = vec4(0, 1, 0, 1); }\n",
        .wgsl = "neither is this",
    };
    aero_minimal_begin(f, &vs, &fs);
    aero_minimal_fill(f, 0, 0, 0, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_minimal_end(f);
}

const struct aero_fixture aero_fixtures_wgsl[] = {
    { "wgsl_passthrough", "appendix A: WGSL where GLSL is absent and DXBC a stub",
      passthrough, 0 },
    { "wgsl_branches",
      "WGSL: if chains, switch without fall-through, rows from the top", branches, 0 },
    { "wgsl_loops", "WGSL: continue leads to continuing, which sees the body's names",
      loops, 0 },
    { "wgsl_integers", "WGSL: x / 0 = x, x % 0 = 0, truncation, shifts modulo 32",
      integers, 0 },
    { "wgsl_structs", "WGSL: structures by value, pointer parameters, arrays in both",
      structs, 0 },
    { "wgsl_vertex_index", "WGSL: vertex_index counts from the first vertex; flat u32",
      vertex_index, 0 },
    { "wgsl_discard", "WGSL: discard demotes; derivatives go on", discards, 0 },
    { "wgsl_matrices", "WGSL: matrices are columns", matrices, 0 },
    { "wgsl_after_glsl", "appendix A: GLSL comes first", glsl_first, 0 },
    { NULL, NULL, NULL, 0 },
};
