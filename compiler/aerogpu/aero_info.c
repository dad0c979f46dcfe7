// `gpuvm info` of an AeroGPU capture: counts of its records and packets.
#include "compiler/aerogpu/aero_text.h"

#include <stdio.h>

#include "compiler/aerogpu/trace/cmd_stream.h"
#include "compiler/aerogpu/trace/gpu_trace.h"

struct counts {
    uint64_t blobs, blob_bytes, submissions, packets, memory_ranges;
    uint64_t commands, draws, dispatches, unknown;
};

static void count_stream(struct counts *n, const uint8_t *data, size_t size)
{
    struct gv_cmd_stream s;
    struct gv_cmd c;
    if (!gv_cmd_stream_open(&s, data, size, 0, NULL))
        return;
    while (gv_cmd_stream_next(&s, &c, NULL)) {
        n->commands++;
        n->draws += c.opcode == GV_CMD_DRAW || c.opcode == GV_CMD_DRAW_INDEXED;
        n->dispatches += c.opcode == GV_CMD_DISPATCH;
        n->unknown += !c.info;
    }
}

static void count_minimal(struct counts *n, const struct gv_trace_record *r)
{
    n->commands++;
    n->draws += r->size >= 4 && gv_load_u32(r->payload) == GV_TRACE_APPENDIX_A_DRAW;
}

static bool count_record(struct counts *n, const struct gv_trace_record *r,
                         struct gv_error *err)
{
    struct gv_trace_blob blob;
    struct gv_trace_submission s;
    switch ((enum gv_trace_record_type)r->type) {
    case GV_TRACE_BLOB:
        if (!gv_trace_blob_decode(r, &blob, err))
            return false;
        n->blobs++;
        n->blob_bytes += blob.size;
        if (blob.kind == GV_BLOB_COMMANDS)
            count_stream(n, blob.data, blob.size);
        return true;
    case GV_TRACE_SUBMISSION:
        if (!gv_trace_submission_decode(r, &s, err))
            return false;
        n->submissions++;
        n->memory_ranges += s.range_count;
        return true;
    case GV_TRACE_PACKET:
        n->packets++;
        if (r->size >= 4 && gv_load_u32(r->payload) == GV_CMD_STREAM_MAGIC)
            count_stream(n, r->payload, r->size);
        else
            count_minimal(n, r);
        return true;
    case GV_TRACE_BEGIN_FRAME:
    case GV_TRACE_PRESENT:
        return true;
    }
    return true;
}

static void describe(const struct gv_gpu_trace *t, const struct counts *n,
                     struct gv_describe *out)
{
    char abi[32];
    if (t->abi == GV_TRACE_ABI_APPENDIX_A)
        snprintf(abi, sizeof abi, "appendix A");
    else
        snprintf(abi, sizeof abi, "A3A0 %u.%u", t->abi >> 16, t->abi & 0xFFFF);
    gv_describe_text(out, "api", "AeroGPU");
    gv_describe_number(out, "container_version", t->version);
    gv_describe_text(out, "abi", abi);
    gv_describe_number(out, "frames", t->frame_count);
    gv_describe_number(out, "submissions", n->submissions);
    gv_describe_number(out, "packets", n->packets);
    gv_describe_number(out, "commands", n->commands);
    gv_describe_number(out, "draws", n->draws);
    gv_describe_number(out, "dispatches", n->dispatches);
    gv_describe_number(out, "unknown_commands", n->unknown);
    gv_describe_number(out, "memory_ranges", n->memory_ranges);
    gv_describe_number(out, "blobs", n->blobs);
    gv_describe_number(out, "blob_bytes", n->blob_bytes);
    if (t->truncated)
        gv_describe_bool(out, "truncated", true);
}

bool gv_aero_info(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_describe *out, struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    struct gv_gpu_trace t;
    struct counts n = { 0 };
    bool ok =
        gv_gpu_trace_open(&t, input, params && params->allow_truncated, &arena, err);
    for (uint64_t at = ok ? t.records_begin : 0; ok && at < t.records_end;) {
        struct gv_trace_record r;
        ok = gv_gpu_trace_record(&t, at, t.records_end, &r, err) &&
             count_record(&n, &r, err);
        at = r.next;
    }
    if (ok)
        describe(&t, &n, out);
    gv_arena_finish(&arena);
    return ok;
}
