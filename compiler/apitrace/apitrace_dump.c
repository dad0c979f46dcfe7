// `gpuvm dump` of a trace: a line for each call.
#include "compiler/apitrace/apitrace.h"
#include "compiler/apitrace/apitrace_text.h"
#include "compiler/apitrace/call_kinds.h"

struct dump {
    const struct gv_compile_params *params;
    uint64_t last; // no call above this one is wanted
    uint64_t low;  // calls up to that one that came
    struct gv_text_sink *out;
};

static void put_properties(const struct gv_trace_header *header, struct gv_bytes *out)
{
    for (size_t i = 0; i < header->property_count; i++) {
        gv_bytes_printf(out, "// %s = ", header->properties[i].name);
        gv_apitrace_put_text(out, header->properties[i].value);
        gv_bytes_u8(out, '\n');
    }
}

static bool wanted(const struct dump *d, const struct gv_trace_call *call)
{
    const struct gv_call_filter *calls = d->params->calls;
    const unsigned kind = gv_call_kind(call->function);
    return (d->params->verbose || !gv_call_only_asks(call)) &&
           (!calls || calls->wants(calls->context, call->number, (uint8_t)kind));
}

// Calls come as they leave: one of a lower number may come late.
static bool dump_calls(struct dump *d, struct gv_trace_reader *reader,
                       struct gv_error *err)
{
    const struct gv_trace_call *call;
    while (d->low <= d->last) {
        if (!gv_apitrace_next(reader, d->params, &call, err)) {
            gv_text_sink_flush(d->out, NULL); // what came before the error
            return false;
        }
        if (!call)
            return true;
        d->low += call->number <= d->last;
        if (wanted(d, call))
            gv_apitrace_put_call(&d->out->text, call);
        if (!gv_text_sink_line(d->out, err))
            return false;
    }
    return true;
}

bool gv_apitrace_dump(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_text_sink *out, struct gv_error *err)
{
    struct dump d = { .params = params, .out = out, .last = UINT64_MAX - 1 };
    if (params->calls && params->calls->last < d.last)
        d.last = params->calls->last;
    struct gv_trace_reader *reader = gv_apitrace_open(input, params, true, err);
    if (reader)
        put_properties(gv_trace_header(reader), &out->text);
    bool ok = reader && dump_calls(&d, reader, err);
    gv_trace_close(reader);
    return ok;
}
