// The front-end row of apitrace's traces.
#include "compiler/apitrace/apitrace.h"

#include "compiler/apitrace/trace/trace_probe.h"

struct gv_trace_reader *gv_apitrace_open(struct gv_cursor input,
                                         const struct gv_compile_params *params,
                                         bool for_text, struct gv_error *err)
{
    const struct gv_trace_params reading = { .allow_truncated = params->allow_truncated,
                                             .memory_limit = params->memory_limit,
                                             .inflow = params->read
                                                           ? params->read->inflow
                                                           : NULL,
                                             .nameless = !for_text };
    return gv_trace_open(input, &reading, err);
}

bool gv_apitrace_next(struct gv_trace_reader *reader,
                      const struct gv_compile_params *params,
                      const struct gv_trace_call **call, struct gv_error *err)
{
    bool ok = gv_trace_next(reader, call, err);
    gv_input_read_to(params->read, gv_trace_position(reader).file_read);
    return ok;
}

// brotli says nothing of itself; that a trace comes out of it is not chance, but others
// may have better reasons.
static enum gv_match probe(struct gv_cursor head)
{
    if (gv_trace_is_snappy(head.data, head.size) ||
        gv_trace_is_stream(head.data, head.size))
        return GV_MATCH_SURE;
    return gv_trace_is_brotli(head.data, head.size) ? GV_MATCH_MAYBE : GV_MATCH_NO;
}

// gzip and zstd are containers of traces; around a trace in a container of its own they
// are none.
static bool reads_forward(struct gv_cursor head)
{
    return gv_trace_is_stream(head.data, head.size);
}

static const char *const options[] = { GV_APITRACE_VISUAL, GV_APITRACE_WORK, NULL };

const struct gv_frontend gv_frontend_apitrace = {
    .name = "apitrace",
    .what = "apitrace trace",
    .options = options,
    .probe = probe,
    .reads_forward = reads_forward,
    .streams = GV_STREAMS_ONCE,
    .compile = gv_apitrace_compile,
    .info = gv_apitrace_info,
    .dump = gv_apitrace_dump,
    .dumps_calls = true,
};
