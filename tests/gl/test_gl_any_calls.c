// Calls of geometry in any order with any arguments: none crashes, reads past an end or
// runs without end. Under AddressSanitizer it says more.
#include <math.h>

#include "tests/gl/geometry_log.h"
#include "tests/test.h"

#define CALLS 30000

static uint32_t state;

static uint32_t any(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

// Numbers that calls trip over.
static int64_t number(void)
{
    static const int64_t odd[] = { 0,         1,         2,          3,  4,
                                   INT32_MAX, INT32_MIN, UINT32_MAX, -1, INT64_MAX,
                                   INT64_MIN, 255,       65535,      64, 1000000 };
    return any(3) ? (int64_t)any(9) : odd[any(sizeof odd / sizeof *odd)];
}

static int64_t enumerant(void)
{
    static const uint32_t known[] = {
        GL_BYTE,          GL_UNSIGNED_BYTE,
        GL_SHORT,         GL_UNSIGNED_SHORT,
        GL_INT,           GL_UNSIGNED_INT,
        GL_FLOAT,         GL_DOUBLE,
        GL_HALF_FLOAT,    GL_FIXED,
        GL_2_BYTES,       GL_INT_2_10_10_10_REV,
        GL_ARRAY_BUFFER,  GL_ELEMENT_ARRAY_BUFFER,
        GL_VERTEX_ARRAY,  GL_COLOR_ARRAY,
        GL_NORMAL_ARRAY,  GL_EDGE_FLAG_ARRAY,
        GL_COMPILE,       GL_COMPILE_AND_EXECUTE,
        GL_POINT,         GL_LINE,
        GL_FILL,          GL_MAP1_VERTEX_3,
        GL_MAP2_VERTEX_4, GL_MAP2_NORMAL,
        GL_T2F_N3F_V3F,   GL_PRIMITIVE_RESTART_NV,
        GL_RENDER,        GL_SELECT,
        GL_BGRA,          GL_TEXTURE1,
    };
    return any(4) ? known[any(sizeof known / sizeof *known)] : any(12);
}

static struct gv_trace_value leaf(void)
{
    static const double reals[] = { 0, 1, -1, 0.5, 1e30, -1e300, 2147483648.0 };
    struct gv_trace_value v = { .kind = GV_TRACE_SINT };
    switch (any(5)) {
    case 0:
        v.sint = enumerant();
        break;
    case 1:
        v.kind = GV_TRACE_FLOAT;
        v.real = any(20) ? reals[any(sizeof reals / sizeof *reals)] : (double)NAN;
        break;
    default:
        v.sint = number();
        break;
    }
    return v;
}

// Any value, in memory that is gone after the call.
static struct gv_trace_value value(struct gv_trace_value *items, uint8_t *bytes)
{
    struct gv_trace_value v = leaf();
    switch (any(12)) {
    case 0:
        v.kind = GV_TRACE_ARRAY;
        v.count = any(8);
        v.items = items;
        for (uint64_t i = 0; i < v.count; i++)
            items[i] = leaf();
        break;
    case 1:
    case 2:
        v.kind = GV_TRACE_BLOB;
        v.count = any(200);
        v.bytes = bytes;
        for (uint64_t i = 0; i < v.count; i++)
            bytes[i] = (uint8_t)(any(2) ? any(256) : any(4));
        break;
    case 3:
        v.kind = any(2) ? GV_TRACE_NULL : GV_TRACE_ABSENT;
        break;
    case 4:
        v.kind = GV_TRACE_POINTER;
        v.uint = any(3) ? any(300) : (uint64_t)number();
        break;
    default:
        break;
    }
    return v;
}

// The rows that calls are drawn from: those that make shapes more often.
static const char *name(void)
{
    static const char *const often[] = {
        "glBegin",         "glEnd",          "glVertex3f",     "glColor4ub",
        "glNormal3fv",     "glTexCoord2f",   "glNewList",      "glEndList",
        "glCallList",      "glDrawArrays",   "glDrawElements", "glVertexPointer",
        "glColorPointer",  "glBufferData",   "glBindBuffer",   "glEnableClientState",
        "glBufferSubData", "glEvalCoord2f",  "glEvalMesh2",    "glMap2f",
        "glCallLists",     "glArrayElement",
    };
    return any(3) ? often[any(sizeof often / sizeof *often)]
                  : geometry_row(any(geometry_row_count()));
}

static bool one(struct geometry_log *g)
{
    enum { ARGUMENTS = 10 };
    struct gv_trace_value arguments[ARGUMENTS], items[ARGUMENTS][8];
    uint8_t bytes[ARGUMENTS][200];
    struct gv_trace_function function = { .name = name() };
    const bool typed = any(4) != 0;
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        arguments[i] = value(items[i], bytes[i]);
    if (typed) { // that most calls are not refused at once
        arguments[0] = (struct gv_trace_value){ .kind = GV_TRACE_ENUM };
        arguments[0].sint = any(2) ? any(10) : (uint32_t)enumerant();
    }
    const struct gv_trace_call call = {
        .function = &function,
        .arguments = arguments,
        .argument_count = any(ARGUMENTS + 1),
        .result = { .kind = GV_TRACE_POINTER, .uint = any(3) ? 0x1000 : 0 },
    };
    return geometry_run(g, &call);
}

// Out of what a context would seldom leave by chance.
static void leave(struct geometry_log *g)
{
    geometry_call(g, "glEnd", "");
    geometry_call(g, "glEndList", "");
    geometry_call(g, "glRenderMode", "e", GL_RENDER);
}

int main(void)
{
    static struct geometry_log g;
    for (uint32_t seed = 1; seed <= 4; seed++) {
        uint32_t failed = 0, drawn = 0;
        state = seed;
        geometry_begin(&g);
        g.context.state.evaluation.map1 = g.context.state.evaluation.map2 = 0x1FF;
        g.context.state.evaluation.auto_normal = seed % 2;
        g.context.state.lighting.enabled = seed > 2;
        for (uint32_t i = 0; i < CALLS; i++) {
            gv_error_clear(&g.err);
            if (i % 64 == 0)
                leave(&g);
            failed += !one(&g);
            drawn += g.text[0] != 0;
            g.text[0] = 0;
        }
        CHECK(failed < CALLS / 100); // what passes a limit ends a compile
        CHECK(drawn > CALLS / 200);
        geometry_end(&g);
    }
    return TEST_RESULT();
}
