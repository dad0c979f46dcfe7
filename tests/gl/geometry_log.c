#include "tests/gl/geometry_log.h"

#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_evaluator.h"
#include "compiler/gl/geometry/gl_geometry_parts.h"
#include "compiler/gl/geometry/gl_immediate.h"
#include "compiler/gl/geometry/gl_list.h"
#include "compiler/gl/geometry/gl_list_build.h"
#include "tests/test.h"

static struct geometry_log *logged; // where draws go

static const struct gv_gl_row *const tables[] = {
    gv_gl_buffer_rows,
    gv_gl_buffer_point_rows,
    gv_gl_vertex_rows,
    gv_gl_list_rows,
    gv_gl_rect_rows,
    gv_gl_feedback_rows,
    gv_gl_array_rows,
    gv_gl_array_enable_rows,
    gv_gl_array_format_rows,
    gv_gl_array_interleaved_rows,
    gv_gl_array_indirect_rows,
    gv_gl_array_draw_rows,
    gv_gl_map_rows,
    gv_gl_vertex_array_rows,
    gv_gl_evaluator_rows,
};

// ---- text ----

static void put(const char *format, double value)
{
    const size_t used = strlen(logged->text);
    snprintf(logged->text + used, sizeof logged->text - used, format, value);
}

static void put_text(const char *text)
{
    const size_t used = strlen(logged->text);
    snprintf(logged->text + used, sizeof logged->text - used, "%s", text);
}

static void put_values(const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put(i ? " %.4g" : "%.4g", (double)values[i]);
}

// Integers of a slot with a letter: 5i, 5u.
static void put_words(const float *values, uint32_t count, uint8_t kind)
{
    for (uint32_t i = 0; i < count; i++) {
        int32_t word;
        memcpy(&word, &values[i], sizeof word);
        put_text(i ? " " : "");
        if (kind == GV_GL_INTS)
            put("%.10gi", word);
        else
            put("%.10gu", (uint32_t)word);
    }
}

static void put_slot(const struct gv_gl_geometry *g, uint32_t slot, size_t at)
{
    const float *values = g->slots[slot] + at;
    if (g->kinds[slot] == GV_GL_FLOATS)
        put_values(values, g->sizes[slot]);
    else
        put_words(values, g->sizes[slot], g->kinds[slot]);
}

static void put_current(const struct gv_gl_geometry *g)
{
    static const float white[4] = { 1, 1, 1, 1 }, up[3] = { 0, 0, 1 };
    const struct gv_gl_current *c = &logged->gl.context->state.current;
    if (!g->slots[GV_GL_COLOR] && memcmp(c->slots[GV_GL_COLOR], white, sizeof white)) {
        put_text(" [c ");
        put_values(c->slots[GV_GL_COLOR], 4);
        put_text("]");
    }
    if (!g->slots[GV_GL_NORMAL] && memcmp(c->slots[GV_GL_NORMAL], up, sizeof up)) {
        put_text(" [n ");
        put_values(c->slots[GV_GL_NORMAL], 3);
        put_text("]");
    }
    if (logged->gl.context->state.lighting.color_material)
        put(" [follows %g]",
            logged->gl.context->state.lighting.color_material_mode - GL_AMBIENT);
    if (logged->gl.context->state.lighting.enabled)
        put(" [d %.4g]",
            (double)logged->gl.context->state.lighting.material[0].diffuse[0]);
}

static const char *slot_name(uint32_t slot)
{
    static const char *const names[] = { "",   "n ", "c ", "s ", "f ",
                                         "i ", "z ", "w ", "t " };
    return slot <= GV_GL_TEXCOORD ? names[slot] : slot < GV_GL_GENERIC ? "u " : "g ";
}

// What steps by instance, and what programs can ask for besides.
static void put_instances(const struct gv_gl_geometry *g)
{
    for (uint32_t s = 0; s < GV_GL_SLOTS; s++) {
        if (!(g->instanced >> s & 1))
            continue;
        put_text(" {");
        put_text(slot_name(s));
        for (uint32_t i = 0; i < g->instances; i++) {
            put_text(i ? ", " : "");
            put_slot(g, s, (size_t)4 * i);
        }
        put_text("}");
    }
    if (!logged->gl.context->program)
        return;
    if (g->base_vertex)
        put(" vertex%+.10g", g->base_vertex);
    if (g->base_instance)
        put(" instance%+.10g", g->base_instance);
    if (g->draw)
        put(" draw %g", g->draw);
}

static void put_vertex(const struct gv_gl_geometry *g, uint32_t v)
{
    if (logged->gl.context->program)
        put(" #%.10g", g->ids ? g->ids[v] : g->first_id + v);
    for (uint32_t s = 0; s < GV_GL_SLOTS; s++) {
        if (!g->slots[s] || g->instanced >> s & 1)
            continue;
        put_text(s ? "; " : " (");
        put_text(slot_name(s));
        put_slot(g, s, (size_t)g->strides[s] * v);
    }
    if (g->edges)
        put_text(g->edges[v] ? "; edge" : "; no edge");
    put_text(")");
}

bool gv_gl_draw(struct gv_gl *gl, const struct gv_gl_geometry *g, struct gv_error *err)
{
    static const char *const modes[] = {
        "points",
        "lines",
        "loop",
        "line strip",
        "triangles",
        "strip",
        "fan",
        "quads",
        "quad strip",
        "polygon",
        "adjacent lines",
        "adjacent line strip",
        "adjacent triangles",
        "adjacent strip",
        "patches",
    };
    (void)gl, (void)err;
    gv_gl_geometry_make(g);
    put_text(logged->text[0] ? " | " : "");
    put_text(modes[g->mode]);
    put_text(g->other_diagonal ? "/" : "");
    if (g->instances > 1)
        put(" x%g", g->instances);
    put_current(g);
    put_instances(g);
    const uint32_t count = g->indices ? g->index_count : g->vertex_count;
    for (uint32_t i = 0; i < count; i++) {
        if (g->indices && g->restarts && g->indices[i] == g->restart)
            put_text(" -");
        else
            put_vertex(g, g->indices ? g->indices[i] : i);
    }
    return true;
}

// ---- calls ----

// Materials are other rooms': here the front diffuse property is enough.
static bool gl_Materialfv(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    struct gv_gl_material *m = gl->context->state.lighting.material;
    gv_gl_floats(call, 2, m[0].diffuse, 4);
    memcpy(m[1].diffuse, m[0].diffuse, sizeof m[0].diffuse);
    return true;
}

static const struct gv_gl_row material_rows[] = {
    { "glMaterialfv", gl_Materialfv, GV_GL_INSIDE | GV_GL_LISTED },
    { NULL, NULL, 0 },
};

#define MOST_ROWS 1024u
static const struct gv_gl_row *rows[MOST_ROWS];
static uint32_t row_count;

static void add_rows(const struct gv_gl_row *row)
{
    for (; row->name && row_count < MOST_ROWS; row++)
        rows[row_count++] = row;
}

static void gather_rows(void)
{
    row_count = 0;
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        add_rows(tables[i]);
    add_rows(material_rows);
}

uint32_t geometry_row_count(void)
{
    return row_count;
}

const char *geometry_row(uint32_t index)
{
    return rows[index]->name;
}

static const struct gv_gl_row *row_of(const char *name)
{
    for (uint32_t i = 0; i < row_count; i++)
        if (!strcmp(rows[i]->name, name))
            return rows[i];
    return NULL;
}

static bool run_row(struct gv_gl *gl, const struct gv_gl_row *row,
                    const struct gv_trace_call *call, struct gv_error *err)
{
    if (!row->run)
        return true;
    if (!(row->flags & GV_GL_INSIDE)) {
        if (gl->context->inside_begin)
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        if (!gv_gl_flush(gl, err))
            return false;
    }
    return row->run(gl, call, err);
}

bool geometry_run(struct geometry_log *g, const struct gv_trace_call *call)
{
    const struct gv_gl_row *row = row_of(call->function->name);
    bool runs = true;
    g->gl.sink.call = call;
    if (!row || (row->flags & GV_GL_LISTED &&
                 !gv_gl_list_take(&g->gl, row, call, &runs, &g->err)))
        return false;
    return !runs || run_row(&g->gl, row, call, &g->err);
}

bool geometry_call(struct geometry_log *g, const char *name, const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    make_call(&g->made, name, kinds, list);
    va_end(list);
    return geometry_run(g, &g->made.call);
}

const char *geometry_drawn(struct geometry_log *g)
{
    static char text[sizeof g->text];
    CHECK(gv_gl_flush(&g->gl, &g->err));
    memcpy(text, g->text, sizeof text);
    g->text[0] = 0;
    return text;
}

void geometry_begin(struct geometry_log *g)
{
    memset(g, 0, sizeof *g);
    gather_rows();
    probe_begin(&g->probe, false, 1);
    gv_gl_context_init(&g->context);
    g->gl.sink.arena = &g->arena;
    g->gl.sink.b = g->probe.builder;
    g->gl.sink.pass.b = g->probe.builder;
    g->gl.context = &g->context;
    CHECK(gv_gl_buffers_create(&g->gl.objects, &g->gl.sink, &g->err));
    CHECK(gv_gl_geometry_create(&g->gl, &g->err));
    g->gl.lists->run = run_row;
    logged = g;
}

void geometry_end(struct geometry_log *g)
{
    gv_gl_geometry_destroy(&g->gl);
    gv_gl_buffers_destroy(&g->gl.objects);
    gv_arena_finish(&g->arena);
    probe_finish(&g->probe);
}

int geometry_tests(geometry_test *const tests[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        static struct geometry_log g;
        geometry_begin(&g);
        tests[i](&g);
        geometry_end(&g);
    }
    return TEST_RESULT();
}
