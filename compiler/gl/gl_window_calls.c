#include "compiler/gl/gl_window_calls.h"

#include "compiler/gl/gl_visual.h"

bool gv_gl_failed(const struct gv_trace_call *call)
{
    return call->result.kind != GV_TRACE_ABSENT && gv_trace_uint(&call->result) == 0;
}

int64_t gv_gl_pair_value(const struct gv_trace_value *list, int64_t key,
                         int64_t otherwise)
{
    if (list->kind != GV_TRACE_ARRAY)
        return otherwise;
    for (uint64_t i = 0; i + 1 < list->count; i += 2)
        if (gv_trace_sint(&list->items[i]) == key)
            return gv_trace_sint(&list->items[i + 1]);
    return otherwise;
}

// 10 * major + minor of what attribute lists hold; 10 for what no version is.
static uint32_t version_of(int64_t major, int64_t minor)
{
    const bool known = major >= 1 && major <= 9 && minor >= 0 && minor <= 9;
    return known ? (uint32_t)(10 * major + minor) : 10;
}

uint64_t gv_gl_handle(const struct gv_trace_call *call, uint32_t argument)
{
    return gv_trace_uint(gv_trace_argument(call, argument));
}

// ---- contexts ----

bool gv_gl_create_listed_context(struct gv_gl *gl, const struct gv_trace_call *call,
                                 const struct gv_gl_context_keys *keys,
                                 enum gv_gl_family family, struct gv_error *err)
{
    const struct gv_trace_value *list = gv_trace_argument(call, keys->list);
    const int64_t major = gv_gl_pair_value(list, keys->major, 1),
                  minor = gv_gl_pair_value(list, keys->minor, 0),
                  profile = gv_gl_pair_value(list, keys->profile, keys->core);
    const struct gv_gl_context_kind kind = {
        .family = profile & keys->es ? GV_GL_ES : family,
        .version = version_of(major, minor),
        .core = profile & keys->core,
        .visual = keys->config ? gv_gl_visual_of_config(gl, call, keys->config)
                               : (struct gv_gl_visual){ 0 },
        .share = gv_gl_handle(call, keys->share),
    };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

bool gv_gl_create_visual_context(struct gv_gl *gl, const struct gv_trace_call *call,
                                 const struct gv_gl_context_source *source,
                                 struct gv_error *err)
{
    const struct gv_gl_context_kind kind = { .family = GV_GL_DESKTOP,
                                             .version = 10,
                                             .visual = source->visual,
                                             .share = source->share };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

bool gv_gl_create_legacy_context(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    const struct gv_gl_context_source source = { 0 };
    return gv_gl_create_visual_context(gl, call, &source, err);
}

// ---- current ----

bool gv_gl_make_current_one(struct gv_gl *gl, const struct gv_trace_call *call,
                            uint32_t first, struct gv_error *err)
{
    const struct gv_gl_current_names names = {
        .draw = gv_gl_handle(call, first),
        .read = gv_gl_handle(call, first),
        .context = gv_gl_handle(call, first + 1),
    };
    return gv_gl_failed(call) || gv_gl_make_current(gl, names, err);
}

bool gv_gl_make_current_two(struct gv_gl *gl, const struct gv_trace_call *call,
                            uint32_t first, struct gv_error *err)
{
    const struct gv_gl_current_names names = {
        .draw = gv_gl_handle(call, first),
        .read = gv_gl_handle(call, first + 1),
        .context = gv_gl_handle(call, first + 2),
    };
    return gv_gl_failed(call) || gv_gl_make_current(gl, names, err);
}
