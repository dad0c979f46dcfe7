// Numbers and elements out of decoded values.
#include "compiler/apitrace/trace/trace_call.h"

static const struct gv_trace_value absent;

const struct gv_trace_value *gv_trace_argument(const struct gv_trace_call *call,
                                               uint32_t index)
{
    return index < call->argument_count ? &call->arguments[index] : &absent;
}

const struct gv_trace_value *gv_trace_item(const struct gv_trace_value *v,
                                           uint64_t index)
{
    if (v->kind == GV_TRACE_ARRAY || v->kind == GV_TRACE_STRUCT)
        return index < v->count ? &v->items[index] : &absent;
    return index == 0 ? v : &absent;
}

static int64_t from_real(double real)
{
    if (!(real > -9.2e18))
        return real < 0 ? INT64_MIN : 0;
    return real < 9.2e18 ? (int64_t)real : INT64_MAX;
}

int64_t gv_trace_sint(const struct gv_trace_value *v)
{
    switch (v->kind) {
    case GV_TRACE_BOOL:
    case GV_TRACE_SINT:
    case GV_TRACE_UINT:
    case GV_TRACE_ENUM:
    case GV_TRACE_BITMASK:
    case GV_TRACE_POINTER:
        return v->sint;
    case GV_TRACE_FLOAT:
    case GV_TRACE_DOUBLE:
        return from_real(v->real);
    case GV_TRACE_PAIR:
        return gv_trace_sint(&v->items[1]);
    default:
        return 0;
    }
}

uint64_t gv_trace_uint(const struct gv_trace_value *v)
{
    return (uint64_t)gv_trace_sint(v);
}

double gv_trace_real(const struct gv_trace_value *v)
{
    switch (v->kind) {
    case GV_TRACE_FLOAT:
    case GV_TRACE_DOUBLE:
        return v->real;
    case GV_TRACE_UINT:
    case GV_TRACE_POINTER:
        return (double)v->uint;
    case GV_TRACE_PAIR:
        return gv_trace_real(&v->items[1]);
    default:
        return (double)gv_trace_sint(v);
    }
}
