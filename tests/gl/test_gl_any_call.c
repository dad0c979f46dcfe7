// Calls with any arguments at all: nothing crashes, only limits end the compile, and
// state stays within what it may be.
#include <math.h>

#include "tests/gl/state_machine.h"
#include "tests/test.h"

#define ROUNDS 400 // of every function
#define ARGUMENTS 6
#define ITEMS 24

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

// Numbers that name things, and those at ends of ranges.
static int64_t any_integer(void)
{
    static const int64_t ends[] = { 0,         1,         2,         -1,        4,
                                    INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 65536 };
    static const uint32_t ranges[] = { GL_LIGHT0, GL_TEXTURE0, GL_AMBIENT, GL_FOG_INDEX,
                                       0x0B00,    0x8060,      0x8570,     0x0D10,
                                       0x1700,    0x2200,      0x0200,     0x8500 };
    switch (any(3)) {
    case 0:
        return ends[any(sizeof(ends) / sizeof(ends[0]))];
    case 1:
        return any(32);
    default:
        return ranges[any(sizeof(ranges) / sizeof(ranges[0]))] + any(64);
    }
}

static double any_real(void)
{
    static const double ends[] = { 0, 1, -1, 0.5, 1e38, -1e300, 1e-40 };
    const uint32_t i = any(9);
    return i < 7 ? ends[i] : i == 7 ? (double)NAN : (double)INFINITY;
}

static struct gv_trace_value any_number(void)
{
    struct gv_trace_value v = { .kind = GV_TRACE_ABSENT };
    switch (any(8)) {
    case 0:
        break;
    case 1:
        v.kind = GV_TRACE_NULL;
        break;
    case 2:
    case 3:
        v.kind = any(2) ? GV_TRACE_FLOAT : GV_TRACE_DOUBLE;
        v.real = any_real();
        break;
    default:
        v.sint = any_integer();
        v.kind = v.sint < 0 ? GV_TRACE_SINT : any(2) ? GV_TRACE_ENUM : GV_TRACE_POINTER;
    }
    return v;
}

static struct gv_trace_value any_value(struct gv_trace_value *items)
{
    static const uint8_t bytes[64];
    const uint32_t kind = any(6);
    if (kind > 1)
        return any_number();
    struct gv_trace_value v = { .kind = GV_TRACE_BLOB,
                                .count = any(65),
                                .bytes = bytes };
    if (kind == 0)
        return v;
    v.kind = GV_TRACE_ARRAY;
    v.count = any(ITEMS + 1);
    v.items = items;
    for (uint64_t i = 0; i < v.count; i++)
        items[i] = any_number();
    return v;
}

// Enables and the like that other rooms index with.
static bool sound(const struct gv_gl_context *c)
{
    const struct gv_gl_state *s = &c->state;
    bool ok = s->texture.active < GV_GL_IMAGE_UNITS && c->modelview.top < 32 &&
              c->client.unpack.alignment && c->client.pack.alignment &&
              s->line.width > 0 && s->point.size > 0 && s->line.factor - 1 < 256;
    for (uint32_t i = 0; i < GV_GL_PIXEL_MAPS; i++)
        ok = ok && s->pixel.maps[i].size - 1 < GV_GL_MAX_PIXEL_MAP;
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        ok = ok && c->texture[i].top < 10 &&
             !(s->texture.units[i].enabled >> GV_GL_TARGETS);
    return ok && s->viewport.width >= 0 && s->viewport.width <= 16384 &&
           s->scissor.width >= 0 && s->viewport.near >= 0 && s->viewport.far <= 1;
}

static bool any_call(struct state_machine *m, const struct gv_gl_row *row)
{
    static struct gv_trace_value arguments[ARGUMENTS], items[ARGUMENTS][ITEMS];
    struct gv_trace_function function = { .name = row->name };
    struct gv_trace_call call = { .function = &function,
                                  .argument_count = any(ARGUMENTS + 1),
                                  .arguments = arguments };
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        arguments[i] = any_value(items[i]);
    call.result = any_number();
    call.thread = any(3);
    m->thread = call.thread;
    m->gl->sink.call = &call;
    if (!gv_gl_enter_thread(m->gl, call.thread, &m->err))
        return false;
    if (!m->gl->context && !(row->flags & GV_GL_ANYWHERE))
        return true;
    const bool ran = row->run(m->gl, &call, &m->err);
    const bool limited = !ran && m->err.status == GV_ERR_LIMIT;
    gv_error_clear(&m->err);
    return (ran || limited) && (!m->gl->context || sound(m->gl->context));
}

int main(void)
{
    static struct state_machine m;
    state_machine_begin(&m);
    state_machine_context(&m);
    const struct gv_gl_row *row;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; (row = state_machine_row(i)); i++)
            CHECK_ROW(row->name, any_call(&m, row));
    state_machine_end(&m);
    return TEST_RESULT();
}
