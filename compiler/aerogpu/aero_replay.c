// Walks a capture's records in file order: blobs are kept, submissions and packets are
// executed, Present records end frames.
#include "compiler/aerogpu/aero_replay.h"

#include <string.h>

typedef bool (*handler)(struct gv_aero *a, struct gv_aero_context *x,
                        const struct gv_cmd *c, struct gv_error *err);

static const handler handlers[GV_CMD_OPCODE_LIMIT] = {
#define GV_CMD(name, opcode, min, count_at, element, handler) [opcode] = handler,
#define GV_FIELD(name, field, offset, kind)
#define GV_CMD_END
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
#undef GV_CMD_END
};

// ---- streams ----

static bool unknown_opcode(struct gv_aero *a, const struct gv_cmd *c,
                           struct gv_error *err)
{
    if (a->params->strict)
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err, "unsupported: opcode 0x%x",
                            c->opcode);
    gv_builder_diagnose(a->b, GV_WARNING, "unknown-opcode",
                        "opcode 0x%x is not known and was skipped", c->opcode);
    return true;
}

static bool run_stream(struct gv_aero *a, const uint8_t *data, size_t size,
                       uint64_t offset, uint32_t context_id, struct gv_error *err)
{
    struct gv_cmd_stream s;
    struct gv_cmd c;
    struct gv_error local = GV_ERROR_INIT;
    struct gv_aero_context *x = gv_aero_context(a, context_id, err);
    if (!x || !gv_cmd_stream_open(&s, data, size, offset, err))
        return false;
    a->abi = s.abi;
    while (gv_cmd_stream_next(&s, &c, &local)) {
        gv_builder_command(a->b, a->command++, c.offset,
                           c.info ? c.info->name : "Unknown");
        a->packet = &c; // cppcheck-suppress autoVariables; gone below
        bool ok = c.info ? handlers[c.opcode](a, x, &c, &local)
                         : unknown_opcode(a, &c, &local);
        if (!ok)
            break;
    }
    a->packet = NULL;
    if (local.status == GV_OK)
        return true;
    gv_error_at_command(&local, a->command ? a->command - 1 : 0);
    if (err && err->status == GV_OK)
        *err = local;
    return false;
}

static bool run_submission(struct gv_aero *a, const struct gv_trace_record *record,
                           struct gv_error *err)
{
    struct gv_trace_submission s;
    if (!gv_trace_submission_decode(record, &s, err))
        return false;
    const struct gv_aero_blob *commands = gv_aero_blob_get(
        &a->blobs, s.commands_blob, GV_BLOB_COMMANDS, record->offset, err);
    if (!commands)
        return false;
    a->guest.alloc_table = (struct gv_alloc_table){ 0 };
    if (s.alloc_table_blob) {
        const struct gv_aero_blob *table = gv_aero_blob_get(
            &a->blobs, s.alloc_table_blob, GV_BLOB_ALLOC_TABLE, record->offset, err);
        gv_arena_finish(&a->guest.arena);
        if (!table || !gv_alloc_table_decode(gv_cursor_make(table->data, table->size),
                                             table->offset, &a->guest.arena,
                                             &a->guest.alloc_table, err))
            return false;
    }
    return gv_aero_memory_load(a, &s, err) &&
           run_stream(a, commands->data, commands->size, commands->offset, s.context_id,
                      err);
}

static bool run_packet(struct gv_aero *a, const struct gv_trace_record *record,
                       struct gv_error *err)
{
    uint64_t offset = record->offset + GV_TRACE_RECORD_HEADER;
    gv_aero_writeback_clear(a);
    a->guest.memory_count = 0;
    if (record->size >= 4 && gv_load_u32(record->payload) == GV_CMD_STREAM_MAGIC)
        return run_stream(a, record->payload, record->size, offset, 0, err);
    return gv_aero_appendix_packet(a, record->payload, record->size, offset, err);
}

// ---- frames ----

static void post_export(struct gv_aero *a, struct gv_aero_export *e, const char *name,
                        const struct gv_lower_attachment *t, uint32_t aspect)
{
    uint32_t format = aspect == GV_ASPECT_DEPTH ? GV_FORMAT_D32_SFLOAT : t->format;
    if (!t->image.id)
        return;
    if (!e->made) {
        *e = (struct gv_aero_export){ true, 0, format, t->width, t->height };
        e->index =
            gv_builder_export(a->b, &(struct gv_export){ name, GV_KIND_IMAGE, format,
                                                         t->width, t->height });
    }
    if (e->format == format && e->width == t->width && e->height == t->height)
        gv_emit(a->b, post_image, .export = e->index, .image = t->image,
                .aspect = aspect, .mip = t->mip, .layer = t->layer);
    else
        gv_builder_diagnose(a->b, GV_NOTE, "export-changed",
                            "export %s keeps the target of its first size and format",
                            name);
}

static void end_frame(struct gv_aero *a, bool picture)
{
    gv_lower_transfer(&a->pass);
    if (picture) {
        post_export(a, &a->frames.export_color, "color0", &a->frames.color,
                    GV_ASPECT_COLOR);
        post_export(a, &a->frames.export_depth, "depth", &a->frames.depth,
                    GV_ASPECT_DEPTH);
    }
    gv_builder_frame_end(a->b, picture ? a->frames.width : 0,
                         picture ? a->frames.height : 0);
    a->frames.presented = a->frames.presented && !picture;
}

// Present records left in [at, end): a frame without one shows nothing.
static bool has_present(const struct gv_aero *a, uint64_t at, uint64_t end)
{
    struct gv_trace_record r;
    while (at < end && gv_gpu_trace_record(&a->trace, at, end, &r, NULL)) {
        if (r.type == GV_TRACE_PRESENT)
            return true;
        at = r.next;
    }
    return false;
}

static bool run_present(struct gv_aero *a, const struct gv_trace_record *record,
                        bool *ended, struct gv_error *err)
{
    uint32_t index = gv_load_u32(record->payload);
    if (!a->frames.presented)
        return gv_fail(err, GV_ERR_FORMAT, record->offset,
                       "FrameNotPresented(%u): no PRESENT packet before the record",
                       index);
    if (*ended) {
        gv_builder_diagnose(a->b, GV_WARNING, "extra-present",
                            "a frame's second Present record was ignored");
        return true;
    }
    if (a->frames.kept)
        gv_aero_present_kept(a);
    end_frame(a, true);
    *ended = true;
    return true;
}

static bool keep_blob(struct gv_aero *a, const struct gv_trace_record *record,
                      struct gv_error *err)
{
    struct gv_trace_blob blob;
    return gv_trace_blob_decode(record, &blob, err) &&
           gv_aero_blob_put(&a->blobs, a->arena, &blob, err);
}

static bool run_record(struct gv_aero *a, const struct gv_trace_record *record,
                       bool *ended, struct gv_error *err)
{
    switch ((enum gv_trace_record_type)record->type) {
    case GV_TRACE_BEGIN_FRAME:
        return true;
    case GV_TRACE_PRESENT:
        return run_present(a, record, ended, err);
    case GV_TRACE_PACKET:
        return run_packet(a, record, err);
    case GV_TRACE_BLOB:
        return keep_blob(a, record, err);
    case GV_TRACE_SUBMISSION:
        return run_submission(a, record, err);
    }
    return true;
}

static void report(const struct gv_aero *a, uint64_t done)
{
    if (a->params->progress)
        a->params->progress(a->params->progress_context, done, a->trace.file.size);
}

static bool within_memory(const struct gv_aero *a, struct gv_error *err)
{
    uint64_t limit =
        a->params->memory_limit ? a->params->memory_limit : GV_COMPILE_MEMORY;
    return a->arena->total <= limit ||
           gv_fail(err, GV_ERR_LIMIT, gv_builder_offset(a->b),
                   "the capture needs more than %llu bytes of memory",
                   (unsigned long long)limit);
}

bool gv_aero_run_record(struct gv_aero *a, const struct gv_trace_record *record,
                        bool *ended, struct gv_error *err)
{
    return run_record(a, record, ended, err) && within_memory(a, err) &&
           !gv_builder_failed(a->b, err);
}

void gv_aero_end_frame(struct gv_aero *a)
{
    end_frame(a, false);
}

static bool run_frame(struct gv_aero *a, const struct gv_trace_frame *frame,
                      struct gv_error *err)
{
    bool ended = false;
    uint64_t at = frame->start;
    a->frames.shows = has_present(a, frame->start, frame->end);
    while (at < frame->end) {
        struct gv_trace_record r;
        if (!gv_gpu_trace_record(&a->trace, at, frame->end, &r, err) ||
            !gv_aero_run_record(a, &r, &ended, err))
            return false;
        at = r.next;
        report(a, at);
    }
    if (!ended)
        gv_aero_end_frame(a);
    return true;
}

bool gv_aero_run_outside(struct gv_aero *a, const struct gv_trace_record *record,
                         struct gv_error *err)
{
    if (record->type == GV_TRACE_BLOB)
        return keep_blob(a, record, err);
    gv_builder_diagnose(a->b, GV_WARNING, "outside-frames",
                        "%s records outside frames were ignored",
                        gv_trace_record_name(record->type));
    return true;
}

// Records between frames.
static bool run_gap(struct gv_aero *a, uint64_t at, uint64_t end, struct gv_error *err)
{
    while (at < end) {
        struct gv_trace_record r;
        if (!gv_gpu_trace_record(&a->trace, at, end, &r, err) ||
            !gv_aero_run_outside(a, &r, err))
            return false;
        at = r.next;
    }
    return true;
}

// Hostile tables can name the same records again and again: all frames together may
// not be longer than this many files.
#define MAX_REPLAYS 4u

static bool check_work(const struct gv_aero *a, struct gv_error *err)
{
    uint64_t total = 0, limit = (uint64_t)a->trace.file.size * MAX_REPLAYS;
    for (size_t i = 0; i < a->trace.frame_count; i++) {
        total += a->trace.frames[i].end - a->trace.frames[i].start;
        if (total > limit)
            return gv_fail(err, GV_ERR_LIMIT, a->trace.records_end,
                           "frames overlap to more than %u times the file",
                           MAX_REPLAYS);
    }
    return true;
}

bool gv_aero_replay(struct gv_aero *a, struct gv_error *err)
{
    const struct gv_compile_params *p = a->params;
    size_t count = a->trace.frame_count;
    if (p->frames && p->frame_count && p->frames[p->frame_count - 1] < count)
        count = (size_t)p->frames[p->frame_count - 1] + 1;
    uint64_t at = a->trace.records_begin;
    if (!check_work(a, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct gv_trace_frame *f = &a->trace.frames[i];
        if (f->start > at && !run_gap(a, at, f->start, err))
            return false;
        if (!run_frame(a, f, err))
            return false;
        at = f->end > at ? f->end : at;
    }
    if (count == a->trace.frame_count && !run_gap(a, at, a->trace.records_end, err))
        return false;
    gv_lower_transfer(&a->pass);
    return !gv_builder_failed(a->b, err);
}
