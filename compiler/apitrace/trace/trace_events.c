#include "compiler/apitrace/trace/trace_events.h"

#include "compiler/apitrace/trace/trace_signatures.h"
#include "compiler/apitrace/trace/trace_values.h"

enum event { EVENT_ENTER, EVENT_LEAVE };

enum detail {
    DETAIL_END,
    DETAIL_ARGUMENT,
    DETAIL_RESULT,
    DETAIL_THREAD, // before version 4
    DETAIL_BACKTRACE,
    DETAIL_FLAGS,
};

#define FLAG_FAKE 1u

// So many arguments at least, those that were not told being absent.
static bool reserve_arguments(struct gv_trace_parse *p, struct gv_trace_pending *call,
                              uint32_t count)
{
    if (count <= call->capacity)
        return true;
    struct gv_trace_value *grown = gv_trace_pool_array(p->pool, count, sizeof *grown);
    if (!grown)
        return gv_parse_fail(p, GV_ERR_LIMIT, "the values of calls take over %zu bytes",
                             p->pool->budget->limit);
    if (call->capacity)
        memcpy(grown, call->arguments, call->capacity * sizeof *grown);
    memset(grown + call->capacity, 0, (count - call->capacity) * sizeof *grown);
    call->arguments = grown;
    call->call.arguments = grown;
    call->capacity = count;
    return true;
}

static bool parse_argument(struct gv_trace_parse *p, struct gv_trace_pending *call)
{
    uint64_t index;
    struct gv_trace_value value;
    if (!gv_parse_limited(p, GV_TRACE_MAX_ARGUMENTS - 1, "index of an argument",
                          &index) ||
        !gv_parse_value(p, &value) || !reserve_arguments(p, call, (uint32_t)index + 1))
        return false;
    call->arguments[index] = value;
    if (index >= call->call.argument_count)
        call->call.argument_count = (uint32_t)index + 1;
    return true;
}

static bool parse_result(struct gv_trace_parse *p, struct gv_trace_pending *call)
{
    struct gv_trace_value value; // half a value stands nowhere
    if (!gv_parse_value(p, &value))
        return false;
    call->call.result = value;
    return true;
}

static bool parse_backtrace(struct gv_trace_parse *p, struct gv_trace_pending *call)
{
    uint64_t count;
    if (!gv_parse_count(p, GV_TRACE_MAX_FRAMES, "frames of a back-trace", &count))
        return false;
    struct gv_trace_frame *frames =
        gv_trace_pool_array(p->pool, (size_t)count, sizeof *frames);
    if (!frames)
        return gv_parse_fail(p, GV_ERR_LIMIT, "no memory for a back-trace");
    for (uint64_t i = 0; i < count; i++) {
        const struct gv_trace_frame *frame;
        if (!gv_parse_frame(p, &frame))
            return false;
        frames[i] = *frame;
    }
    call->call.frame_count = (uint32_t)count;
    call->call.frames = frames;
    return true;
}

static bool parse_flags(struct gv_trace_parse *p, struct gv_trace_pending *call)
{
    uint64_t flags;
    if (!gv_parse_uint(p, &flags))
        return false;
    call->call.fake = flags & FLAG_FAKE;
    return true;
}

static bool parse_thread(struct gv_trace_parse *p, uint32_t *thread)
{
    uint64_t number;
    if (!gv_parse_limited(p, UINT32_MAX, "number of a thread", &number))
        return false;
    *thread = (uint32_t)number;
    return true;
}

static bool unknown_detail(struct gv_trace_parse *p,
                           const struct gv_trace_pending *call, uint8_t detail)
{
    p->at--;
    return gv_parse_fail(p, GV_ERR_FORMAT, "unknown detail 0x%02x of call %.64s",
                         detail, call->call.function ? call->call.function->name : "?");
}

static bool parse_details(struct gv_trace_parse *p, struct gv_trace_pending *call)
{
    uint8_t detail;
    for (;;) {
        bool ok = true;
        if (!gv_parse_byte(p, &detail))
            return false;
        if (detail == DETAIL_END)
            return true;
        else if (detail == DETAIL_ARGUMENT)
            ok = parse_argument(p, call);
        else if (detail == DETAIL_RESULT)
            ok = parse_result(p, call);
        else if (detail == DETAIL_THREAD && p->version < 4)
            ok = parse_thread(p, &call->call.thread);
        else if (detail == DETAIL_BACKTRACE && p->version >= 5)
            ok = parse_backtrace(p, call);
        else if (detail == DETAIL_FLAGS && p->version >= 6)
            ok = parse_flags(p, call);
        else
            ok = unknown_detail(p, call, detail);
        if (!ok)
            return false;
    }
}

static bool fill_enter(struct gv_trace_parse *p, struct gv_trace_pending *call)
{
    if (p->version >= 4 && !parse_thread(p, &call->call.thread))
        return false;
    if (!gv_parse_function(p, &call->call.function) ||
        !reserve_arguments(p, call, call->call.function->argument_count))
        return false;
    call->borrows = true;
    return parse_details(p, call);
}

static bool parse_enter(struct gv_trace_parse *p, struct gv_trace_pendings *pendings,
                        uint64_t offset, uint64_t *calls)
{
    if (pendings->count == GV_TRACE_MAX_PENDING)
        return gv_parse_fail(p, GV_ERR_LIMIT, "over %zu calls have not left",
                             GV_TRACE_MAX_PENDING);
    struct gv_trace_pending *call = gv_trace_pending_take(pendings);
    if (!call)
        return gv_out_of_memory(p->err);
    p->pool = &call->pool;
    call->call.number = *calls;
    call->call.offset = offset;
    if (fill_enter(p, call)) {
        if (gv_trace_pending_enter(pendings, call)) {
            ++*calls;
            return true;
        }
        gv_out_of_memory(p->err);
    }
    gv_trace_pending_give_back(pendings, call);
    return false;
}

// A leave of what was never entered is read and forgotten.
static bool parse_stray(struct gv_trace_parse *p, struct gv_trace_pendings *pendings)
{
    struct gv_trace_pending *nobody = gv_trace_pending_take(pendings);
    if (!nobody)
        return gv_out_of_memory(p->err);
    p->pool = &nobody->pool;
    bool ok = parse_details(p, nobody);
    gv_trace_pending_give_back(pendings, nobody);
    return ok;
}

static bool parse_leave(struct gv_trace_parse *p, struct gv_trace_pendings *pendings,
                        struct gv_trace_event *out)
{
    uint64_t number;
    if (!gv_parse_uint(p, &number))
        return false;
    size_t index = gv_trace_pending_find(pendings, number);
    if (index == pendings->count)
        return parse_stray(p, pendings);
    struct gv_trace_pending *call = pendings->list[index];
    p->pool = &call->pool;
    call->borrows = true;
    if (!parse_details(p, call))
        return false;
    out->left = gv_trace_pending_leave(pendings, index);
    return true;
}

bool gv_parse_event(struct gv_trace_parse *p, struct gv_trace_pendings *pendings,
                    uint64_t *calls, struct gv_trace_event *out)
{
    uint8_t kind;
    uint64_t offset = gv_parse_offset(p);
    p->depth = 0;
    p->lack = 0;
    *out = (struct gv_trace_event){ 0 };
    if (!gv_parse_byte(p, &kind))
        return false;
    if (kind == EVENT_ENTER)
        return parse_enter(p, pendings, offset, calls);
    if (kind == EVENT_LEAVE)
        return parse_leave(p, pendings, out);
    p->at--;
    return gv_parse_fail(p, GV_ERR_FORMAT, "unknown event 0x%02x", kind);
}
