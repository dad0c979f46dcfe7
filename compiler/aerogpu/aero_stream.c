#include "compiler/aerogpu/aero_stream.h"

#include "compiler/aerogpu/aero_replay.h"
#include "compiler/frames_wanted.h"
#include "resources/base/cut_hint.h"

// Where a frame begins, and how far a table of contents must reach at least for the
// same records to be of it.
struct seen {
    uint64_t start, work_end;
};

struct stream {
    struct gv_aero *a;
    struct gv_cursor input; // what has come
    uint64_t at;            // of the next record
    struct seen *frames;    // [GV_MAX_TRACE_FRAMES], in the arena
    size_t frame_count;
    bool ended; // the picture of the last frame is out
};

// ---- what comes ----

static bool want(struct stream *s, uint64_t upto)
{
    const bool there = gv_input_read_want(s->a->params->read, &s->input, upto);
    s->a->trace.file.size = s->input.size;
    return there;
}

static bool cut(const struct stream *s, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FORMAT, s->input.size,
                   "Io: the trace ends without its table of contents" GV_CUT_HINT);
}

// Whether a whole record is at `at`; false also where the table of contents begins.
static bool await_record(struct stream *s, uint64_t at)
{
    if (!want(s, at + GV_TRACE_RECORD_HEADER) || gv_gpu_trace_is_toc(&s->a->trace, at))
        return false;
    return want(s, at + GV_TRACE_RECORD_HEADER +
                       gv_load_u32(s->input.data + (size_t)at + 4));
}

// Whether the frame whose BeginFrame record is read has a Present record, which is
// waited for.
static bool await_present(struct stream *s, uint64_t at)
{
    while (await_record(s, at)) {
        const uint8_t *record = s->input.data + (size_t)at;
        if (record[0] == GV_TRACE_PRESENT || record[0] == GV_TRACE_BEGIN_FRAME)
            return record[0] == GV_TRACE_PRESENT;
        at += GV_TRACE_RECORD_HEADER + (uint64_t)gv_load_u32(record + 4);
    }
    return false;
}

// ---- frames ----

static void end_frame(struct stream *s)
{
    if (s->frame_count && !s->ended)
        gv_aero_end_frame(s->a);
}

static bool begin_frame(struct stream *s, const struct gv_trace_record *record,
                        struct gv_error *err)
{
    if (s->frame_count == GV_MAX_TRACE_FRAMES)
        return gv_fail(err, GV_ERR_LIMIT, record->offset, "more than %u frames",
                       GV_MAX_TRACE_FRAMES);
    s->frames[s->frame_count++] = (struct seen){ record->offset, record->next };
    s->a->frames.shows = await_present(s, record->next);
    s->ended = false;
    return true;
}

static bool run_record(struct stream *s, const struct gv_trace_record *record,
                       struct gv_error *err)
{
    if (!s->frame_count)
        return gv_aero_run_outside(s->a, record, err);
    if (record->type != GV_TRACE_BLOB)
        s->frames[s->frame_count - 1].work_end = record->next;
    return gv_aero_run_record(s->a, record, &s->ended, err);
}

// `*more` is false behind the last frame that is wanted.
static bool run_next(struct stream *s, bool *more, struct gv_error *err)
{
    struct gv_trace_record record;
    if (!gv_gpu_trace_record(&s->a->trace, s->at, s->input.size, &record, err))
        return false;
    if (record.type == GV_TRACE_BEGIN_FRAME) {
        end_frame(s);
        *more = gv_frames_wanted(s->a->params, s->frame_count);
        return !*more || (begin_frame(s, &record, err) && run_record(s, &record, err));
    }
    return run_record(s, &record, err);
}

// ---- the end ----

// Records in frames are executed, between them only blobs count: the table must not
// have put any elsewhere than they were taken for.
static bool check_toc(const struct stream *s, struct gv_error *err)
{
    const struct gv_gpu_trace *t = &s->a->trace;
    bool same = t->frame_count == s->frame_count && t->records_end == s->at;
    for (size_t i = 0; same && i < s->frame_count; i++) {
        const uint64_t next =
            i + 1 < s->frame_count ? s->frames[i + 1].start : t->records_end;
        same = t->frames[i].start == s->frames[i].start &&
               t->frames[i].end >= s->frames[i].work_end && t->frames[i].end <= next;
    }
    return same || gv_fail(err, GV_ERR_UNSUPPORTED, t->records_end,
                           "unsupported: a table of contents with another order than "
                           "its records, in a trace that is not read whole");
}

static bool run_end(struct stream *s, struct gv_error *err)
{
    struct gv_aero *a = s->a;
    const bool toc = want(s, s->at + GV_TRACE_RECORD_HEADER) &&
                     gv_gpu_trace_is_toc(&a->trace, s->at);
    if (!toc && !a->params->allow_truncated)
        return cut(s, err);
    end_frame(s);
    if (!toc)
        return true;
    want(s, UINT64_MAX);
    gv_input_read_to(a->params->read, s->input.size);
    return gv_gpu_trace_end(&a->trace, s->input, a->params->allow_truncated, a->arena,
                            err) &&
           (a->trace.truncated || check_toc(s, err));
}

static bool open_stream(struct stream *s, struct gv_error *err)
{
    struct gv_aero *a = s->a;
    if (want(s, GV_TRACE_HEADER_SIZE))
        want(s, gv_gpu_trace_begin_bytes(s->input.data));
    s->frames = gv_arena_array(a->arena, GV_MAX_TRACE_FRAMES, sizeof *s->frames);
    if (!s->frames)
        return gv_out_of_memory(err);
    return gv_gpu_trace_begin(&a->trace, s->input, err);
}

bool gv_aero_stream(struct gv_aero *a, struct gv_cursor input, struct gv_error *err)
{
    struct stream s = { .a = a, .input = input };
    bool more = true;
    if (!open_stream(&s, err))
        return false;
    s.at = a->trace.records_begin;
    while (await_record(&s, s.at)) {
        const uint64_t next =
            s.at + GV_TRACE_RECORD_HEADER + gv_load_u32(input.data + (size_t)s.at + 4);
        if (!run_next(&s, &more, err))
            return false;
        if (!more)
            break;
        s.at = next;
        gv_input_read_to(a->params->read, next);
    }
    if (more && !run_end(&s, err))
        return false;
    gv_lower_transfer(&a->pass);
    return !gv_builder_failed(a->b, err);
}
