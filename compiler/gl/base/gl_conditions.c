#include "compiler/gl/base/gl_conditions.h"

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_names.h"

#define MOST_QUERIES 65536u

// An occlusion query.
struct query {
    struct gv_named named;
    bool known; // the result is, from the trace or since nothing was drawn
    bool passed;
    uint32_t target;         // of the last time that it began
    bool counted;            // the device has counted since it began
    bool precise;            // ... and each sample
    struct gv_query device;  // none until something is counted
    struct gv_buffer buffer; // a word, for conditions; none until one asks
    uint64_t frame;          // in which the device last reset, ended or copied it
};

struct gv_gl_querying {
    struct gv_id_map names;
    struct query *active;
    uint32_t target;         // of the active one
    bool running;            // the device counts
    struct query *condition; // NULL: the device decides nothing
    bool rendering; // between glBeginConditionalRender and glEndConditionalRender
    bool dropping;  // ... and nothing is to be drawn
};

static struct gv_gl_querying *querying(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                       struct gv_error *err)
{
    if (c->querying)
        return c->querying;
    c->querying = gv_arena_alloc(sink->arena, sizeof *c->querying);
    if (!c->querying) {
        gv_out_of_memory(err);
        return NULL;
    }
    c->querying->names = (struct gv_id_map){ .arena = sink->arena,
                                             .object_bytes = sizeof(struct query),
                                             .serials = &sink->serials,
                                             .limit = MOST_QUERIES };
    return c->querying;
}

// ---- for who draws ----

bool gv_gl_may_render(const struct gv_gl_context *c)
{
    const struct gv_gl_querying *x = c->querying;
    return !x || !x->dropping;
}

bool gv_gl_is_conditional(const struct gv_gl_context *c)
{
    const struct gv_gl_querying *x = c->querying;
    return x && x->condition;
}

// What was drawn so far goes out; the pass may stay open.
static void flush(struct gv_lower_pass *pass)
{
    if (pass->open && pass->ends)
        pass->ends(pass->owner);
}

static void reset(struct gv_lower_pass *pass, struct query *q)
{
    struct gv_builder *ahead =
        q->device.id && q->frame < pass->frame ? gv_lower_ahead(pass) : NULL;
    struct gv_builder *b = ahead ? ahead : gv_lower_transfer(pass);
    if (!q->device.id)
        q->device =
            gv_emit(b, query_create, .type = GV_QUERY_TYPE_OCCLUSION, .count = 1);
    gv_emit(b, query_reset, .query = q->device, .first = 0, .count = 1);
    if (ahead)
        gv_lower_ahead_end(pass);
    q->frame = pass->frame;
}

void gv_gl_count_draw(struct gv_gl *gl)
{
    struct gv_gl_querying *x = gl->context->querying;
    if (gl->deciding && gl->deciding != x)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(QUERY_DECIDES));
    if (gl->counting && gl->counting != x)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(QUERY_COUNTS));
    if (!x || !x->active || x->running || gl->counting)
        return;
    gl->counting = x;
    flush(&gl->sink.pass);
    reset(&gl->sink.pass, x->active);
    // Not every device can, and conditions do not ask how many.
    x->active->precise =
        x->target == GL_SAMPLES_PASSED &&
        (gl->counts_asked || *gv_gl_buffer_binding(gl->context, GL_QUERY_BUFFER));
    gv_emit(gl->sink.b, query_begin, .query = x->active->device, .slot = 0,
            .precise = x->active->precise);
    x->running = x->active->counted = true;
}

// ---- queries ----

static bool counts_samples(uint32_t target)
{
    return target == GL_SAMPLES_PASSED || target == GL_ANY_SAMPLES_PASSED ||
           target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE;
}

static struct query *find(const struct gv_gl_querying *x, uint32_t name)
{
    return (struct query *)gv_id_find(&x->names, name);
}

static bool begin(struct gv_gl_context *c, struct gv_gl_sink *sink, uint32_t target,
                  uint32_t name, struct gv_error *err)
{
    struct gv_gl_querying *x = querying(c, sink, err);
    if (!x)
        return false;
    if (!name || x->active)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    struct query *q =
        (struct query *)gv_gl_name_make(&x->names, name, "occlusion queries", err);
    if (!q)
        return false;
    q->known = q->counted = q->passed = false;
    q->target = target;
    x->active = q;
    x->target = target;
    return true;
}

static void end(struct gv_gl *gl, struct gv_gl_querying *x)
{
    if (x->running) {
        gl->counting = NULL;
        flush(&gl->sink.pass);
        gv_emit(gl->sink.b, query_end, .query = x->active->device, .slot = 0);
        x->active->frame = gl->sink.pass.frame;
    }
    x->active->known = !x->running && !gl->counting; // then nothing was drawn
    x->active = NULL;
    x->running = false;
}

// Queries of other kinds have no consequences.
static bool gl_BeginQuery(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    const uint32_t target = gv_gl_uint(call, 0);
    return !counts_samples(target) ||
           begin(gl->context, &gl->sink, target, gv_gl_uint(call, 1), err);
}

static bool gl_BeginQueryIndexed(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    const uint32_t target = gv_gl_uint(call, 0);
    return !counts_samples(target) ||
           begin(gl->context, &gl->sink, target, gv_gl_uint(call, 2), err);
}

static bool gl_EndQuery(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    struct gv_gl_querying *x = gl->context->querying;
    const uint32_t target = gv_gl_uint(call, 0);
    if (!counts_samples(target))
        return true;
    if (!x || !x->active || x->target != target)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    end(gl, x);
    return true;
}

static bool gl_BeginOcclusionQueryNV(struct gv_gl *gl, const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    return begin(gl->context, &gl->sink, GL_SAMPLES_PASSED, gv_gl_uint(call, 0), err);
}

static bool gl_EndOcclusionQueryNV(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    (void)call;
    (void)err;
    if (!gl->context->querying || !gl->context->querying->active)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    end(gl, gl->context->querying);
    return true;
}

static bool set_DeleteQueries(struct gv_gl_context *c, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call)
{
    struct gv_gl_querying *x = c->querying;
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; x && names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(&names->items[i]);
        struct query *q = find(x, name);
        if (!q || q == x->active || q == x->condition) // in use
            continue;
        if (q->device.id)
            gv_emit(gv_lower_transfer(&sink->pass), query_destroy, .query = q->device);
        if (q->buffer.id)
            gv_emit(gv_lower_transfer(&sink->pass), buffer_destroy,
                    .buffer = q->buffer);
        struct gv_named *object = gv_id_remove(&x->names, name);
        if (gv_id_release(object))
            gv_id_reuse(&x->names, object);
    }
    return true;
}
GV_GL_SETTER(DeleteQueries)

// ---- results ----

bool gv_gl_query_counted(struct gv_gl *gl, uint32_t name, struct gv_gl_query_count *out)
{
    const struct gv_gl_querying *x = gl->context->querying;
    struct query *q = x ? find(x, name) : NULL;
    gl->counts_asked = true;
    if (!q)
        return false;
    q->frame = gl->sink.pass.frame; // the caller copies it: no reset goes ahead of that
    *out = (struct gv_gl_query_count){ .target = q->target,
                                       .active = q == x->active,
                                       .precise = q->precise,
                                       .device = q->counted ? q->device
                                                            : (struct gv_query){ 0 } };
    return true;
}

void gv_gl_query_told(struct gv_gl_context *c, uint32_t name, bool passed)
{
    const struct gv_gl_querying *x = c->querying;
    struct query *q = x ? find(x, name) : NULL;
    if (!q || q == x->active)
        return;
    q->known = true;
    q->passed = passed;
}

// ---- conditions ----

// The device decides by what it has counted.
static void ask(struct gv_gl *gl, struct gv_gl_querying *x, struct query *q,
                bool inverted)
{
    if (gl->deciding) {
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(CONDITIONS));
        return;
    }
    struct gv_builder *b = gv_lower_transfer(&gl->sink.pass);
    if (!q->buffer.id)
        q->buffer =
            gv_emit(b, buffer_create, .size = 4, .usage = GV_BUFFER_USAGE_CONDITIONAL);
    gv_emit(b, query_copy, .query = q->device, .first = 0, .count = 1,
            .buffer = q->buffer, .offset = 0, .stride = 4,
            .flags = GV_QUERY_RESULT_WAIT);
    q->frame = gl->sink.pass.frame;
    gv_emit(b, condition_begin, .buffer = q->buffer, .offset = 0, .inverted = inverted);
    x->condition = q;
    gl->deciding = x;
}

// (query, mode): all modes wait, which GL leaves open.
static bool gl_BeginConditionalRender(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    struct gv_gl_querying *x = querying(gl->context, &gl->sink, err);
    const uint32_t mode = gv_gl_uint(call, 1);
    const bool inverted = mode - GL_QUERY_WAIT_INVERTED < 4;
    if (!x)
        return false;
    if (!inverted && mode - GL_QUERY_WAIT >= 4)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct query *q = find(x, gv_gl_uint(call, 0));
    if (x->rendering || !q || q == x->active)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    x->rendering = true;
    if (q->known)
        x->dropping = q->passed == inverted;
    else if (q->counted)
        ask(gl, x, q, inverted);
    return true;
}

static void end_condition(struct gv_gl *gl, struct gv_gl_querying *x)
{
    if (x->condition) {
        flush(&gl->sink.pass);
        gv_emit0(gl->sink.b, condition_end);
        gl->deciding = NULL;
    }
    x->condition = NULL;
    x->rendering = x->dropping = false;
}

static bool gl_EndConditionalRender(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    (void)call;
    (void)err;
    struct gv_gl_querying *x = gl->context->querying;
    if (!x || !x->rendering)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    end_condition(gl, x);
    return true;
}

void gv_gl_conditions_leave(struct gv_gl *gl, const struct gv_gl_context *c)
{
    if (c->querying && c->querying->active)
        end(gl, c->querying);
    if (c->querying && c->querying->rendering)
        end_condition(gl, c->querying);
}

const struct gv_gl_row gv_gl_condition_rows[] = {
    { "glBeginQuery", gl_BeginQuery, 0 },
    { "glEndQuery", gl_EndQuery, 0 },
    { "glBeginQueryIndexed", gl_BeginQueryIndexed, 0 },
    { "glEndQueryIndexed", gl_EndQuery, 0 },
    { "glBeginOcclusionQueryNV", gl_BeginOcclusionQueryNV, 0 },
    { "glEndOcclusionQueryNV", gl_EndOcclusionQueryNV, 0 },
    { "glDeleteQueries", gl_DeleteQueries, 0 },
    { "glDeleteOcclusionQueriesNV", gl_DeleteQueries, 0 },
    { "glBeginConditionalRender", gl_BeginConditionalRender, GV_GL_LISTED },
    { "glEndConditionalRender", gl_EndConditionalRender, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
