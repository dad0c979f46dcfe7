// `gpuvm dump` of an AeroGPU capture: one line per record and packet, offsets first.
// Framing errors become lines of their own, so that broken captures can be looked at.
#include "compiler/aerogpu/aero_text.h"

#include <inttypes.h>

#include "compiler/aerogpu/trace/alloc_table.h"
#include "compiler/aerogpu/trace/cmd_stream.h"
#include "compiler/aerogpu/trace/gpu_trace.h"

#define MAX_DUMP_BYTES (512u << 20)

static void dump_error(const struct gv_error *e, const char *indent,
                       struct gv_bytes *out)
{
    gv_bytes_printf(out, "%s@%" PRIu64 " error: %s\n", indent, e->offset, e->message);
}

static void dump_stream(const uint8_t *data, size_t size, uint64_t offset,
                        struct gv_bytes *out)
{
    struct gv_cmd_stream s;
    struct gv_cmd c;
    struct gv_error e = GV_ERROR_INIT;
    if (!gv_cmd_stream_open(&s, data, size, offset, &e)) {
        dump_error(&e, "  ", out);
        return;
    }
    gv_bytes_printf(
        out, "  @%" PRIu64 " ACMD abi=%u.%u size=%zu flags=0x%x trailing=%zu\n", offset,
        s.abi >> 16, s.abi & 0xFFFF, s.size, s.flags, size - s.size);
    while (gv_cmd_stream_next(&s, &c, &e) && out->size < MAX_DUMP_BYTES) {
        gv_bytes_printf(out, "  @%" PRIu64 " [%u] ", c.offset, c.size);
        gv_cmd_print(&c, out);
        gv_bytes_u8(out, '\n');
    }
    if (e.status != GV_OK)
        dump_error(&e, "  ", out);
}

static void dump_table(const struct gv_trace_blob *blob, struct gv_bytes *out)
{
    struct gv_arena arena = { 0 };
    struct gv_alloc_table table;
    struct gv_error e = GV_ERROR_INIT;
    if (!gv_alloc_table_decode(gv_cursor_make(blob->data, blob->size), blob->offset,
                               &arena, &table, &e))
        dump_error(&e, "  ", out);
    else
        for (size_t i = 0; i < table.count; i++)
            gv_bytes_printf(out,
                            "  allocation id=%u gpa=0x%" PRIx64 " size=%" PRIu64
                            " flags=0x%x\n",
                            table.entries[i].alloc_id, table.entries[i].gpa,
                            table.entries[i].size, table.entries[i].flags);
    gv_arena_finish(&arena);
}

static void dump_blob(const struct gv_trace_record *r, struct gv_bytes *out)
{
    struct gv_trace_blob blob;
    struct gv_error e = GV_ERROR_INIT;
    if (!gv_trace_blob_decode(r, &blob, &e)) {
        gv_bytes_u8(out, '\n');
        dump_error(&e, "  ", out);
        return;
    }
    gv_bytes_printf(out, " id=%" PRIu64 " kind=%s size=%u\n", blob.id,
                    gv_trace_blob_kind_name(blob.kind), blob.size);
    if (blob.kind == GV_BLOB_COMMANDS)
        dump_stream(blob.data, blob.size, blob.offset, out);
    else if (blob.kind == GV_BLOB_ALLOC_TABLE)
        dump_table(&blob, out);
}

static void dump_submission(const struct gv_trace_record *r, struct gv_bytes *out)
{
    struct gv_trace_submission s;
    struct gv_error e = GV_ERROR_INIT;
    if (!gv_trace_submission_decode(r, &s, &e)) {
        gv_bytes_u8(out, '\n');
        dump_error(&e, "  ", out);
        return;
    }
    gv_bytes_printf(out,
                    " flags=0x%x context=%u engine=%u fence=%" PRIu64
                    " commands=%" PRIu64 " alloc_table=%" PRIu64 " ranges=%u\n",
                    s.flags, s.context_id, s.engine_id, s.signal_fence, s.commands_blob,
                    s.alloc_table_blob, s.range_count);
    for (uint32_t i = 0; i < s.range_count; i++) {
        const struct gv_trace_range m = gv_trace_submission_range(&s, i);
        gv_bytes_printf(out,
                        "  memory alloc=%u flags=0x%x gpa=0x%" PRIx64 " size=%" PRIu64
                        " blob=%" PRIu64 "\n",
                        m.alloc_id, m.flags, m.gpa, m.size, m.blob);
    }
}

static void dump_appendix(const struct gv_trace_record *r, struct gv_bytes *out)
{
    static const char *const names[] = {
        "?",
        "CREATE_BUFFER",
        "UPLOAD_BUFFER",
        "CREATE_SHADER",
        "CREATE_PIPELINE",
        "SET_PIPELINE",
        "SET_VERTEX_BUFFER",
        "SET_VIEWPORT",
        "CLEAR",
        "DRAW",
        "PRESENT",
    };
    uint32_t opcode = r->size >= 4 ? gv_load_u32(r->payload) : 0;
    gv_bytes_printf(out, " appendix-A %s(%u)",
                    opcode < sizeof names / sizeof names[0] ? names[opcode] : "?",
                    opcode);
    for (uint32_t i = 8; i + 4 <= r->size && i < 64; i += 4)
        gv_bytes_printf(out, " %08x", gv_load_u32(r->payload + i));
    gv_bytes_u8(out, '\n');
}

static void dump_record(const struct gv_trace_record *r, struct gv_bytes *out)
{
    gv_bytes_printf(out, "@%" PRIu64 " %s [%u]", r->offset,
                    gv_trace_record_name(r->type), r->size);
    switch ((enum gv_trace_record_type)r->type) {
    case GV_TRACE_BEGIN_FRAME:
    case GV_TRACE_PRESENT:
        gv_bytes_printf(out, " frame=%u\n", gv_load_u32(r->payload));
        break;
    case GV_TRACE_PACKET:
        if (r->size < 4 || gv_load_u32(r->payload) != GV_CMD_STREAM_MAGIC) {
            dump_appendix(r, out);
            break;
        }
        gv_bytes_u8(out, '\n');
        dump_stream(r->payload, r->size, r->offset + GV_TRACE_RECORD_HEADER, out);
        break;
    case GV_TRACE_BLOB:
        dump_blob(r, out);
        break;
    case GV_TRACE_SUBMISSION:
        dump_submission(r, out);
        break;
    }
}

bool gv_aero_dump(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_text_sink *sink, struct gv_error *err)
{
    struct gv_bytes *out = &sink->text;
    struct gv_arena arena = { 0 };
    struct gv_gpu_trace t;
    bool ok =
        gv_gpu_trace_open(&t, input, params && params->allow_truncated, &arena, err);
    if (ok)
        gv_bytes_printf(out, "trace version=%u abi=0x%08x metadata=%u frames=%zu\n",
                        t.version, t.abi, t.meta_size, t.frame_count);
    for (size_t i = 0; ok && i < t.frame_count; i++)
        gv_bytes_printf(out,
                        "frame %zu index=%u start=%" PRIu64 " present=%" PRIu64
                        " end=%" PRIu64 "\n",
                        i, t.frames[i].index, t.frames[i].start, t.frames[i].present,
                        t.frames[i].end);
    for (uint64_t at = ok ? t.records_begin : 0; ok && at < t.records_end;) {
        struct gv_trace_record r;
        ok = gv_gpu_trace_record(&t, at, t.records_end, &r, err);
        if (ok)
            dump_record(&r, out);
        at = r.next;
        if (out->size >= MAX_DUMP_BYTES)
            ok = gv_fail(err, GV_ERR_LIMIT, at, "the text is over %u bytes",
                         MAX_DUMP_BYTES);
    }
    gv_arena_finish(&arena);
    return ok;
}
