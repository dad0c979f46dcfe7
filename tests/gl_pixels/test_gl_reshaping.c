// Stages between vertices and fragments: geometry and tessellation shaders, primitives
// with adjacency, patches, restarts; and GL_RASTERIZER_DISCARD.
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define PIXELS "vec4 at(vec2 p) { return vec4(p / 16.0 - 1.0, 0.0, 1.0); }\n"
#define PAINT \
    "#version 400 compatibility\nin vec4 paint; void main() { gl_FragColor = paint; }"
#define CORNER                     \
    "#version 400 compatibility\n" \
    "void main() { gl_Position = vec4(gl_Vertex.xy / 16.0 - 1.0, 0.0, 1.0); }"

static void use(struct scene *s, int program, const char *geometry)
{
    call(s, "glCreateProgram", "=i", program);
    attach_shader(s, program, program + 1, GL_VERTEX_SHADER, CORNER);
    attach_shader(s, program, program + 2, GL_GEOMETRY_SHADER, geometry);
    attach_shader(s, program, program + 3, GL_FRAGMENT_SHADER, PAINT);
    call(s, "glLinkProgram", "i", program);
    call(s, "glUseProgram", "i", program);
}

static void primitive(struct scene *s, uint32_t mode, const double *at, int count)
{
    call(s, "glBegin", "e", mode);
    for (int i = 0; i < count; i++)
        call(s, "glVertex2f", "ff", at[2 * i], at[2 * i + 1]);
    call(s, "glEnd", "");
}

// Vertices alone: neither what is drawn nor clears reach the target.
static void discard(struct scene *s)
{
    color(s, RED);
    quad(s, 0, 0, 8, 8);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    clear_to(s, BLUE);
    quad(s, 8, 0, 16, 8);
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    color(s, GREEN);
    quad(s, 16, 0, 24, 8);
}

// Each point becomes a square of 8, coloured by its number in the draw.
static void squares(struct scene *s)
{
    static const double points[] = { 0, 0, 8, 0, 16, 0 };
    use(s, 10,
        "#version 150 compatibility\n"
        "layout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
        "out vec4 paint;\n"
        "void main() { for (int i = 0; i < 4; i++) {\n"
        "  paint = vec4(gl_PrimitiveIDIn == 0, gl_PrimitiveIDIn == 1,\n"
        "               gl_PrimitiveIDIn == 2, 1);\n"
        "  gl_Position = gl_in[0].gl_Position + vec4(i % 2, i / 2, 0, 0) * 0.5;\n"
        "  EmitVertex(); } }");
    primitive(s, GL_POINTS, points, 3);
    primitive(s, GL_LINES, points, 2); // not what it takes
    primitive(s, GL_POINTS, (const double[]){ 24, 0 }, 1);
}

// What stands beside a line says the colour; without a geometry shader nobody sees it.
static void adjacent(struct scene *s)
{
    static const double line[] = { 1, 0, 0, 0, 8, 8, 0, 0 };
    static const double strip[] = { 0, 0, 8, 0, 16, 8, 24, 0, 0, 1 };
    use(s, 10,
        "#version 150 compatibility\n"
        "layout(lines_adjacency) in; layout(triangle_strip, max_vertices = 4) out;\n"
        "out vec4 paint;\n"
        "void main() { vec2 a = gl_in[1].gl_Position.xy, b = gl_in[2].gl_Position.xy;\n"
        "  vec2 p = gl_in[0].gl_Position.xy + 1.0;\n"
        "  for (int i = 0; i < 4; i++) {\n"
        "    paint = vec4(p.x > 0.01, gl_in[3].gl_Position.y > -0.99, 1, 1);\n"
        "    gl_Position = vec4(i % 2 == 0 ? a.x : b.x, i < 2 ? -1.0 : -0.5, 0, 1);\n"
        "    EmitVertex(); } }");
    primitive(s, GL_LINES_ADJACENCY, line, 4);
    primitive(s, GL_LINE_STRIP_ADJACENCY, strip, 5);
    call(s, "glCreateProgram", "=i", 20);
    attach_shader(s, 20, 21, GL_VERTEX_SHADER, CORNER);
    attach_shader(s, 20, 22, GL_FRAGMENT_SHADER,
                  "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
    call(s, "glLinkProgram", "i", 20);
    call(s, "glUseProgram", "i", 20);
    primitive(s, GL_TRIANGLES_ADJACENCY,
              (const double[]){ 24, 0, 0, 31, 32, 0, 0, 31, 24, 8, 0, 31 }, 6);
}

// The order of a strip's triangles and of their neighbours (table 10.1): each triangle
// paints a square whose place is the number of a vertex, by what it sees of it.
static void triangles(struct scene *s)
{
    double strip[20];
    for (int i = 0; i < 10; i++) {
        strip[2 * i] = i;
        strip[2 * i + 1] = 16;
    }
    use(s, 10,
        "#version 150 compatibility\n"
        "layout(triangles_adjacency) in; layout(triangle_strip, max_vertices = 4) "
        "out;\n"
        "out vec4 paint;\n"
        "float n(int i) { return floor((gl_in[i].gl_Position.x + 1.0) * 16.0 + 0.5); "
        "}\n"
        "void main() {\n"
        "  vec3 v = vec3(n(0), n(2), n(4)), a = vec3(n(1), n(3), n(5));\n"
        "  vec3 want = vec3(4, 2, 6), by = vec3(0, 5, 8); float k = 1.0;\n"
        "  if (gl_PrimitiveIDIn == 0) {\n"
        "    want = vec3(0, 2, 4), by = vec3(1, 6, 3), k = 0.0; }\n"
        "  if (gl_PrimitiveIDIn == 2) {\n"
        "    want = vec3(4, 6, 8), by = vec3(2, 9, 7), k = 2.0; }\n"
        "  for (int i = 0; i < 4; i++) {\n"
        "    paint = vec4(0, v == want, a == by, 1);\n"
        "    gl_Position = vec4(vec2(k + i % 2, i / 2) * 0.5 - 1.0, 0, 1);\n"
        "    EmitVertex(); } }");
    primitive(s, GL_TRIANGLE_STRIP_ADJACENCY, strip, 10);
}

#define CONTROL                                                                    \
    "#version 400 compatibility\nlayout(vertices = 4) out; in vec4 tint[];\n"      \
    "out vec4 tints[];\nvoid main() { gl_TessLevelOuter[gl_InvocationID] = 4.0;\n" \
    "  gl_TessLevelInner[gl_InvocationID % 2] = 4.0;\n"                            \
    "  tints[gl_InvocationID] = tint[gl_InvocationID];\n"                          \
    "  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }"

static void link_patches(struct scene *s, const char *control, const char *evaluation)
{
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(
        s, 10, 11, GL_VERTEX_SHADER,
        "#version 400 compatibility\nout vec4 tint; void main() { tint = gl_Color;\n"
        "gl_Position = vec4(gl_Vertex.xy / 16.0 - 1.0, 0.0, 1.0); }");
    if (control)
        attach_shader(s, 10, 12, GL_TESS_CONTROL_SHADER, control);
    attach_shader(s, 10, 13, GL_TESS_EVALUATION_SHADER, evaluation);
    attach_shader(s, 10, 14, GL_FRAGMENT_SHADER, PAINT);
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
}

// A patch of four corners, red where the domain's first coordinate is small and bright
// where its second is: its origin is the lower left of GL.
static void patches(struct scene *s)
{
    static const double corners[] = { 0, 0, 16, 0, 0, 16, 16, 16, 3, 3 };
    link_patches(
        s, CONTROL,
        "#version 400 compatibility\nlayout(quads, ccw) in; in vec4 tints[];\n"
        "out vec4 paint; void main() { vec2 t = gl_TessCoord.xy;\n"
        "  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position,\n"
        "    t.x), mix(gl_in[2].gl_Position, gl_in[3].gl_Position, t.x), t.y);\n"
        "  paint = tints[0] * vec4(t.x < 0.5, t.y > 0.5, 1, 1); }");
    call(s, "glEnable", "e", GL_CULL_FACE);
    call(s, "glPatchParameteri", "ei", GL_PATCH_VERTICES, 4);
    color(s, WHITE);
    primitive(s, GL_PATCHES, corners, 5); // one vertex over
    primitive(s, GL_TRIANGLES, corners, 3);
}

// Nobody controls: default levels, whatever stands between, by name or by location.
static void uncontrolled(struct scene *s)
{
    static const double corners[] = { 0, 0, 16, 0, 0, 16 };
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(
        s, 10, 11, GL_VERTEX_SHADER,
        "#version 430 compatibility\nlayout(location = 3) out vec4 tint;\n"
        "out Pack { vec2 a[2]; float b; } pack; out float third[2]; void main() {\n"
        "  tint = gl_Color; pack.a[0] = vec2(0.0); pack.a[1] = gl_Vertex.xy / 16.0 - "
        "1.0;\n"
        "  pack.b = 1.0; third[0] = 0.0; third[1] = 1.0; gl_Position = vec4(9.0); }");
    attach_shader(
        s, 10, 13, GL_TESS_EVALUATION_SHADER,
        "#version 430 compatibility\nlayout(triangles, point_mode) in;\n"
        "layout(location = 3) in vec4 color[]; in Pack { vec2 a[2]; float b; } "
        "pack[];\n"
        "in float third[][2]; out vec4 paint; void main() {\n"
        "  vec3 t = gl_TessCoord; gl_PointSize = 3.0; paint = color[1] * third[2][1];\n"
        "  gl_Position = vec4(t.x * pack[0].a[1] + t.y * pack[1].a[1] +\n"
        "    t.z * pack[2].a[1], 0.0, pack[0].b); }");
    attach_shader(s, 10, 14, GL_FRAGMENT_SHADER, PAINT);
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glEnable", "e", GL_PROGRAM_POINT_SIZE);
    call(s, "glPatchParameterfv", "eF", GL_PATCH_DEFAULT_OUTER_LEVEL,
         FLOATS(2, 1, 1, 1));
    color(s, GREEN);
    primitive(s, GL_PATCHES, corners, 3);
}

#define FOUR(a, b, c, d)                         \
    {                                            \
        { 4, 4, a }, { 12, 4, b }, { 20, 4, c }, \
        {                                        \
            28, 4, d                             \
        }                                        \
    }
enum { YELLOW = 0xFFFF00, CYAN = 0x00FFFF, MAGENTA = 0xFF00FF };

static const struct draw_row rows[] = {
    { "discard", discard, SIDE, FOUR(RED, BLACK, GREEN, BLACK), 1, 2 },
    { "squares", squares, SIDE, FOUR(RED, GREEN, BLUE, RED), 1, 2 },
    { "adjacent",
      adjacent,
      SIDE,
      { { 4, 4, MAGENTA }, { 12, 4, BLUE }, { 20, 4, WHITE }, { 26, 2, GREEN } },
      1,
      2 },
    { "triangles", triangles, SIDE, FOUR(CYAN, CYAN, CYAN, BLACK), 1, 1 },
    { "patches",
      patches,
      SIDE,
      { { 3, 3, MAGENTA }, { 13, 3, BLUE }, { 3, 13, WHITE }, { 13, 13, CYAN } },
      1,
      1 },
    { "uncontrolled",
      uncontrolled,
      SIDE,
      { { 0, 0, GREEN },
        { 15, 0, GREEN },
        { 0, 15, GREEN },
        { 8, 8, GREEN },
        { 5, 5, GREEN }, // an inner level of 1 counts as one above it
        { 8, 1, BLACK },
        { 1, 8, BLACK } },
      1,
      1 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
