// Small traces that ask for much: what becomes of them is in proportion, and a limit
// names the call that went beyond it.
#include "compiler/compiler.h"
#include "compiler/gl/base/gl_enums.h"
#include "tests/apitrace/trace_gl.h"
#include "tests/helpers.h"
#include "tests/test.h"

#define MIB ((uint64_t)1 << 20)
#define MANY INT32_MAX

// ---- what is asked for ----

static void list(struct trace_gl *t, int name, int calls)
{
    trace_gl_call(t, "glNewList", "ii", name, GL_COMPILE);
    if (name == 1)
        trace_gl_shape(t, GL_TRIANGLES, 3000);
    else
        for (int i = 0; i < calls; i++)
            trace_gl_call(t, "glCallList", "i", name - 1);
    trace_gl_call(t, "glEndList", "");
}

static void called_often(struct trace_gl *t)
{
    static uint8_t names[20000];
    memset(names, 1, sizeof names);
    list(t, 1, 0);
    trace_gl_call(t, "glCallLists", "iib", (int)sizeof names, GL_UNSIGNED_BYTE,
                  (unsigned)sizeof names, names);
}

static void called_twice_each(struct trace_gl *t)
{
    for (int i = 1; i <= 64; i++)
        list(t, i, 2);
    trace_gl_call(t, "glCallList", "i", 64);
}

// Nothing is drawn, but all lists run.
static void called_for_selection(struct trace_gl *t)
{
    trace_gl_call(t, "glSelectBuffer", "ip", 64, UINT64_C(0x5000));
    trace_gl_call(t, "glRenderMode", "i", GL_SELECT);
    called_twice_each(t);
    for (int i = 0; i < 10; i++)
        trace_gl_call(t, "glCallList", "i", 64);
}

static void mesh(struct trace_gl *t)
{
    const float points[] = { -1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0 };
    trace_gl_call(t, "glMap2f", "iffiiffiib", GL_MAP2_VERTEX_3, 0.0, 1.0, 3, 2, 0.0,
                  1.0, 6, 2, (unsigned)sizeof points, points);
    trace_gl_call(t, "glEnable", "i", GL_MAP2_VERTEX_3);
    trace_gl_call(t, "glMapGrid2f", "iffiff", 1000, 0.0, 1.0, 1000, 0.0, 1.0);
    for (int i = 0; i < 60; i++)
        trace_gl_call(t, "glEvalMesh2", "iiiii", GL_FILL, 0, 1000, 0, 1000);
}

static void positions(struct trace_gl *t, unsigned vertices)
{
    struct gv_bytes bytes = { 0 };
    uint32_t random = 1;
    for (unsigned i = 0; i < 3 * vertices; i++)
        gv_bytes_f32(&bytes, (float)gv_test_random(&random) * 0x1p-23f - 1);
    trace_gl_call(t, "glEnableClientState", "i", GL_VERTEX_ARRAY);
    trace_gl_call(t, "glVertexPointer", "iiib", 3, GL_FLOAT, 0, (unsigned)bytes.size,
                  bytes.data);
    gv_bytes_finish(&bytes);
}

static void instances(struct trace_gl *t)
{
    positions(t, 12000);
    for (int i = 0; i < 5000; i++)
        trace_gl_call(t, "glDrawArraysInstanced", "iiii", GL_TRIANGLES, 0, MANY, MANY);
}

static void stepping_instances(struct trace_gl *t)
{
    positions(t, 3000);
    trace_gl_call(t, "glEnableVertexAttribArray", "i", 3);
    trace_gl_call(t, "glVertexAttribPointer", "iiiiib", 3, 4, GL_FLOAT, 0, 16, 16u,
                  "0123456789abcdef");
    trace_gl_call(t, "glVertexAttribDivisor", "ii", 3, 1);
    trace_gl_call(t, "glDrawArraysInstanced", "iiii", GL_TRIANGLES, 0, MANY, 65536);
}

static void several(struct trace_gl *t)
{
    static int firsts[2000], counts[2000];
    positions(t, 3000);
    for (int i = 0; i < 2000; i++) {
        firsts[i] = i % 3;
        counts[i] = MANY;
    }
    trace_gl_call(t, "glMultiDrawArrays", "iaai", GL_TRIANGLES, 2000u, firsts, 2000u,
                  counts, 2000);
}

// Each draw has a state of its own, and all but a vertex in common with the next.
static void overlapping(struct trace_gl *t)
{
    positions(t, 12000);
    for (int i = 0; i < 500; i++) {
        trace_gl_call(t, i % 2 ? "glEnable" : "glDisable", "i", GL_DEPTH_TEST);
        trace_gl_call(t, "glDrawArrays", "iii", GL_TRIANGLES, i, 12000 - 500);
    }
}

static void bits(struct trace_gl *t, int side)
{
    struct gv_bytes bytes = { 0 };
    for (int i = 0; i < side / 8 * side; i++)
        gv_bytes_u8(&bytes, 0xaa);
    trace_gl_call(t, "glBitmap", "iiffffb", side, side, 0.0, 0.0, 0.0, 0.0,
                  (unsigned)bytes.size, bytes.data);
    gv_bytes_finish(&bytes);
}

static void bitmap(struct trace_gl *t)
{
    bits(t, 2048);
}

static void bitmaps(struct trace_gl *t)
{
    trace_gl_call(t, "glNewList", "ii", 1, GL_COMPILE);
    bits(t, 512);
    trace_gl_call(t, "glEndList", "");
    for (int i = 0; i < 1000; i++)
        trace_gl_call(t, "glCallList", "i", 1);
}

// All rows are the same one.
static void pixels_of_one_row(struct trace_gl *t)
{
    static const uint8_t row[2048 * 5];
    trace_gl_call(t, "glPixelStorei", "ii", GL_UNPACK_ROW_LENGTH, 1);
    for (int i = 0; i < 10; i++)
        trace_gl_call(t, "glDrawPixels", "iiiib", 2048, 2048, GL_LUMINANCE,
                      GL_UNSIGNED_BYTE, (unsigned)sizeof row, row);
}

static void pixels_in_a_list(struct trace_gl *t)
{
    static const uint8_t texels[256 * 256];
    trace_gl_call(t, "glNewList", "ii", 1, GL_COMPILE);
    trace_gl_call(t, "glTexImage2D", "iiiiiiiib", GL_TEXTURE_2D, 0, GL_RGBA8, 256, 256,
                  0, GL_LUMINANCE, GL_UNSIGNED_BYTE, (unsigned)sizeof texels, texels);
    trace_gl_call(t, "glEndList", "");
    for (int i = 0; i < 1000; i++)
        trace_gl_call(t, "glCallList", "i", 1);
}

static void copied_buffers(struct trace_gl *t)
{
    for (int i = 1; i <= 2; i++) {
        trace_gl_call(t, "glBindBuffer", "ii", i == 1 ? 0x8F36 : 0x8F37, i);
        trace_gl_call(t, "glBufferData", "iini", i == 1 ? 0x8F36 : 0x8F37, 1 << 24,
                      GL_STATIC_DRAW);
    }
    for (int i = 0; i < 200; i++)
        trace_gl_call(t, "glCopyBufferSubData", "iiiii", 0x8F36, 0x8F37, 0, 0, 1 << 24);
}

static void triangle(struct trace_gl *t)
{
    trace_gl_shape(t, GL_TRIANGLES, 3);
}

static void far_viewports(struct trace_gl *t)
{
    static const int at[] = { INT32_MIN, -40000, -16500, 0, 16300, INT32_MAX };
    for (int i = 0; i < 36; i++) {
        trace_gl_call(t, "glViewport", "iiii", at[i / 6], at[i % 6], 100, 100);
        triangle(t);
    }
}

static void texture(struct trace_gl *t, int target, int side, int depth)
{
    trace_gl_call(t, "glEnable", "i", target);
    trace_gl_call(t, "glTexParameteri", "iii", target, GL_TEXTURE_MIN_FILTER,
                  GL_NEAREST);
    if (depth == 1)
        trace_gl_call(t, "glTexImage2D", "iiiiiiiin", target, 0, GL_RGBA8, side, side,
                      0, GL_RGBA, GL_UNSIGNED_BYTE);
    else
        trace_gl_call(t, "glTexImage3D", "iiiiiiiiin", target, 0, GL_RGBA8, side, side,
                      depth, 0, GL_RGBA, GL_UNSIGNED_BYTE);
    triangle(t);
}

static void huge_texture(struct trace_gl *t)
{
    texture(t, GL_TEXTURE_3D, 2048, 2048);
}

static void large_textures(struct trace_gl *t)
{
    for (int i = 1; i <= 5; i++) {
        trace_gl_call(t, "glBindTexture", "ii", GL_TEXTURE_2D, i);
        texture(t, GL_TEXTURE_2D, 16384, 1);
    }
}

// The base level is none that it has: its last one counts.
static void mips_of_storage(struct trace_gl *t)
{
    trace_gl_call(t, "glTexStorage2D", "iiiii", GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    trace_gl_call(t, "glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 5);
    trace_gl_call(t, "glTexParameteri", "iii", GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
    trace_gl_call(t, "glGenerateMipmap", "i", GL_TEXTURE_2D);
    trace_gl_call(t, "glEnable", "i", GL_TEXTURE_2D);
    triangle(t);
}

static void program(struct trace_gl *t, const char *vertex, const char *fragment)
{
    trace_gl_call(t, "glCreateProgram", "=i", 1);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? fragment : vertex;
        trace_gl_call(t, "glCreateShader", "i=i",
                      i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, 2 + i);
        trace_gl_call(t, "glShaderSource", "iib", 2 + i, 1, (unsigned)strlen(text),
                      text);
        trace_gl_call(t, "glCompileShader", "i", 2 + i);
        trace_gl_call(t, "glAttachShader", "ii", 1, 2 + i);
    }
    trace_gl_call(t, "glLinkProgram", "i", 1);
    trace_gl_call(t, "glUseProgram", "i", 1);
}

// All of them are placed anew after each number that is told.
static void uniforms(struct trace_gl *t)
{
    program(t,
            "uniform struct { float a, b, c, d, e, f, g, h; } s[6000];\n"
            "void main() { gl_Position = vec4(s[int(gl_Vertex.x)].h); }",
            "void main() { gl_FragColor = vec4(1.0); }");
    for (int i = 0; i < 20000; i++) {
        char name[32];
        const int size = snprintf(name, sizeof name, "s[%d].%c", i % 6000, 'a' + i % 8);
        trace_gl_call(t, "glGetUniformLocation", "ib=i", 1, (unsigned)size, name, i);
        trace_gl_call(t, "glUniform1f", "if", i, 1.0);
    }
}

// One program for all of them.
static void sizes_of_points(struct trace_gl *t)
{
    program(t, "void main() { gl_Position = ftransform(); }",
            "void main() { gl_FragColor = vec4(1.0); }");
    for (int i = 0; i < 3000; i++) {
        trace_gl_call(t, "glPointSize", "f", 1.0 + i / 64.0);
        trace_gl_shape(t, GL_POINTS, 1);
    }
}

// Text that says little.
static void comment(struct gv_bytes *out, size_t size)
{
    gv_bytes_printf(out, "void main() { gl_Position = ftransform(); } //");
    memset(gv_bytes_grow(out, size), 'x', size);
    gv_bytes_u8(out, 0);
}

// A few bytes of the trace have all texts read again.
static void linked_often(struct trace_gl *t)
{
    struct gv_bytes text = { 0 };
    comment(&text, 200000);
    program(t, (const char *)text.data, "void main() { gl_FragColor = vec4(1.0); }");
    for (int i = 0; i < 6000; i++)
        trace_gl_call(t, "glLinkProgram", "i", 1);
    gv_bytes_finish(&text);
}

// ---- what comes of it ----

static const struct {
    const char *name;
    void (*write)(struct trace_gl *t);
    uint64_t memory; // bytes; 0: as ever
    enum gv_status status;
    const char *message;     // in it
    uint64_t resource_bytes; // at most
    const char *said;        // the code of a diagnostic; NULL: none is asked for
} cases[] = {
    { "list called often", called_often, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "list called twice each", called_twice_each, 0, GV_ERR_LIMIT, "gl.work", 0,
      NULL },
    { "lists while selecting", called_for_selection, 0, GV_ERR_LIMIT, "gl.work", 0,
      NULL },
    { "mesh", mesh, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "instances", instances, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "instances that step", stepping_instances, 0, GV_OK, NULL, MIB, NULL },
    { "uniforms", uniforms, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "linked often", linked_often, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "sizes of points", sizes_of_points, 0, GV_OK, NULL, MIB, NULL },
    { "several draws", several, 0, GV_OK, NULL, MIB, NULL },
    { "overlapping draws", overlapping, 0, GV_OK, NULL, 6 * MIB, NULL },
    { "bitmap", bitmap, 0, GV_OK, NULL, 200 * MIB, NULL },
    { "bitmap, little memory", bitmap, 16 * MIB, GV_ERR_LIMIT, "--mem-mb", 0, NULL },
    { "bitmaps in a list", bitmaps, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "pixels of one row", pixels_of_one_row, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "texture in a list", pixels_in_a_list, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "buffers copied", copied_buffers, 0, GV_ERR_LIMIT, "gl.work", 0, NULL },
    { "far viewports", far_viewports, 0, GV_OK, NULL, MIB, NULL },
    { "mips of storage", mips_of_storage, 0, GV_OK, NULL, MIB, NULL },
    { "huge texture", huge_texture, 0, GV_OK, NULL, MIB, "gl-error" },
    { "large textures", large_textures, 0, GV_OK, NULL, MIB, "beyond-memory" },
};

// Of one compile.
struct outcome {
    struct gv_compile_stats stats;
    struct gv_error err;
    const char *wanted; // a diagnostic's code
    bool said;
    uint64_t most_limit; // the largest limit of a device that the payload requires
};

static void hear(void *context, const struct gv_diagnostic *list, size_t count)
{
    struct outcome *o = context;
    for (size_t i = 0; i < count; i++)
        o->said = o->said || (o->wanted && strcmp(list[i].code, o->wanted) == 0);
}

static void look(const struct gv_bytes *bytes, struct outcome *o)
{
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, bytes->data, bytes->size, 0, &o->err))
        return;
    for (size_t i = 0; i < payload.requirement_count; i++) {
        const struct gv_requirement *r = &payload.requirements[i];
        if (r->kind == GV_REQUIRE_LIMIT && r->value > o->most_limit)
            o->most_limit = r->value;
    }
    gv_payload_finish(&payload);
}

static bool compile(struct trace_gl *t, uint64_t memory, struct outcome *o)
{
    static const char *const options[] = { "gl.work=1", NULL };
    const struct gv_compile_params params = { .level = 1,
                                              .jobs = 1,
                                              .options = options,
                                              .memory_limit = memory,
                                              .diagnosed = hear,
                                              .diagnosed_context = o };
    struct gv_bytes payload = { 0 };
    trace_gl_swap(t);
    const bool ok = gv_compile(t->w.out.data, t->w.out.size, &params, gv_test_append,
                               &payload, &o->stats, &o->err);
    if (ok)
        look(&payload, o);
    gv_bytes_finish(&payload);
    return ok;
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *name = cases[i].name, *message = cases[i].message;
        struct trace_gl t;
        struct outcome o = { .err = GV_ERROR_INIT, .wanted = cases[i].said };
        trace_gl_begin(&t);
        cases[i].write(&t);
        const bool ok = compile(&t, cases[i].memory, &o);
        CHECK_ROW(name, ok == (cases[i].status == GV_OK));
        CHECK_ROW(name, o.err.status == cases[i].status);
        CHECK_ROW(name, !message || strstr(o.err.message, message));
        CHECK_ROW(name,
                  ok || (o.err.offset < t.w.out.size && o.err.command < t.w.calls));
        CHECK_ROW(name, !ok || o.stats.resource_bytes <= cases[i].resource_bytes);
        CHECK_ROW(name, !o.wanted || o.said);
        CHECK_ROW(name, o.most_limit <= 16384);
        trace_gl_finish(&t);
    }
    return TEST_RESULT();
}
