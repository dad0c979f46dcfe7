#include "vm/stream/stream_verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Frames whose code has come and whose rows have not: a writer is one batch behind.
#define MAX_ENDED ((size_t)65536)

#define REFUSE(rule, ...) \
    gv_verify_refuse_table(s->v, GV_ERR_FORMAT, GV_RULE_##rule, __VA_ARGS__)

// What the code said of a frame.
struct ended {
    uint64_t chunk_end;                   // counted over the whole payload, as rows do
    uint64_t uses;                        // of the schedule before it
    uint64_t first_command, last_command; // begun in it; GV_NO_COMMAND: none
};

struct gv_stream_verifier {
    struct verifier *v;
    struct ended *ended; // [ended_count]: not met with rows yet
    size_t ended_count, ended_capacity;
    size_t rows_met;                // of payload->frames
    struct ended current;           // the frame under way, or the tail
    uint64_t chunks_before, frames; // dropped; rows met
};

struct gv_stream_verifier *gv_stream_verifier_create(struct gv_payload *payload,
                                                     uint64_t memory_limit,
                                                     struct gv_error *err)
{
    const struct gv_verify_params params = { .memory_limit = memory_limit };
    struct gv_stream_verifier *s = calloc(1, sizeof *s);
    if (!s) {
        gv_out_of_memory(err);
        return NULL;
    }
    s->v = gv_verifier_create(payload, &params, err);
    if (!s->v) {
        free(s);
        return NULL;
    }
    s->v->stream = true;
    s->current.first_command = s->current.last_command = GV_NO_COMMAND;
    return s;
}

void gv_stream_verifier_destroy(struct gv_stream_verifier *s)
{
    if (!s)
        return;
    gv_verifier_destroy(s->v);
    free(s->ended);
    free(s);
}

// ---- frames ----

static bool end_frame(struct gv_stream_verifier *s, size_t chunk)
{
    if (s->ended_count == MAX_ENDED)
        return REFUSE(FRAME_CHUNKS, "the rows of %zu frames are missing", MAX_ENDED);
    if (s->ended_count == s->ended_capacity) {
        size_t capacity = s->ended_capacity ? 2 * s->ended_capacity : 16;
        struct ended *grown = realloc(s->ended, capacity * sizeof *grown);
        if (!grown)
            return gv_out_of_memory(s->v->err);
        s->ended = grown;
        s->ended_capacity = capacity;
    }
    s->current.chunk_end = s->chunks_before + chunk + 1;
    s->ended[s->ended_count++] = s->current;
    s->current = (struct ended){ .uses = s->v->payload->uses_run + s->v->uses,
                                 .first_command = GV_NO_COMMAND,
                                 .last_command = GV_NO_COMMAND };
    return true;
}

static bool note_chunk(struct gv_stream_verifier *s, size_t chunk)
{
    const struct verifier *v = s->v;
    if (v->first_command != GV_NO_COMMAND) {
        if (s->current.first_command == GV_NO_COMMAND)
            s->current.first_command = v->first_command;
        s->current.last_command = v->command;
    }
    return !v->frame_ends || end_frame(s, chunk);
}

static bool meet(struct gv_stream_verifier *s, const struct gv_frame *row,
                 const struct ended *e)
{
    if (row->chunk_end != e->chunk_end)
        return REFUSE(FRAME_END,
                      "frame %" PRIu64 " ends at chunk %" PRIu32
                      ", its code at %" PRIu64,
                      s->frames, row->chunk_end, e->chunk_end);
    if (row->schedule != e->uses)
        return REFUSE(FRAME_SCHEDULE,
                      "frame %" PRIu64 " begins at use %" PRIu64 ", not at %" PRIu64,
                      s->frames, row->schedule, e->uses);
    if (e->first_command != GV_NO_COMMAND &&
        (e->first_command < row->command_begin || e->last_command >= row->command_end))
        return REFUSE(FRAME_COMMANDS, "the code of frame %" PRIu64 " leaves its range",
                      s->frames);
    s->frames++;
    return true;
}

// Both are in order: the oldest of each belong together.
static bool meet_all(struct gv_stream_verifier *s)
{
    const struct gv_payload *p = s->v->payload;
    size_t n = 0;
    for (; n < s->ended_count && s->rows_met < p->frame_count; n++, s->rows_met++)
        if (!meet(s, &p->frames[s->rows_met], &s->ended[n]))
            return false;
    s->ended_count -= n;
    if (n)
        memmove(s->ended, s->ended + n, s->ended_count * sizeof *s->ended);
    return true;
}

// ---- batches ----

bool gv_stream_verify(struct gv_stream_verifier *s, struct gv_error *err)
{
    struct verifier *v = s->v;
    v->err = err;
    if (!gv_verify_imports(v) || !gv_verify_tables(v))
        return false;
    for (size_t i = 0; i < v->payload->chunk_count; i++)
        if (!gv_verify_chunk(v, i) || !note_chunk(s, i))
            return false;
    return meet_all(s);
}

void gv_stream_verifier_drop(struct gv_stream_verifier *s)
{
    struct verifier *v = s->v;
    struct gv_payload *p = v->payload;
    s->chunks_before += p->chunk_count;
    p->uses_run += v->uses;
    p->schedule_count -= v->uses;
    p->frame_count -= s->rows_met;
    if (p->schedule_count)
        memmove(p->schedule, p->schedule + v->uses,
                p->schedule_count * sizeof *p->schedule);
    if (p->frame_count)
        memmove(p->frames, p->frames + s->rows_met, p->frame_count * sizeof *p->frames);
    v->uses = 0;
    s->rows_met = 0;
}

bool gv_stream_verify_end(struct gv_stream_verifier *s, struct gv_error *err)
{
    struct verifier *v = s->v;
    const struct gv_payload *p = v->payload;
    v->err = err;
    if (!gv_verify_imports(v) || !gv_verify_tables(v) || !meet_all(s))
        return false;
    if (s->ended_count || s->rows_met != p->frame_count)
        return REFUSE(FRAME_END, "%zu frames without a row, %zu rows without a frame",
                      s->ended_count, p->frame_count - s->rows_met);
    if (p->last_keyframe && p->last_keyframe >= s->frames)
        return REFUSE(FRAME_END, "a keyframe of frame %" PRIu64 " of %" PRIu64,
                      p->last_keyframe, s->frames);
    if (s->current.last_command != GV_NO_COMMAND &&
        s->current.last_command >= p->command_count)
        return REFUSE(COMMAND_COUNT, "the tail begins command %" PRIu64 " of %" PRIu64,
                      s->current.last_command, p->command_count);
    if (v->uses != p->schedule_count)
        return REFUSE(SCHEDULE, "%zu uses that the code does not make",
                      p->schedule_count - v->uses);
    return gv_verify_stack(v);
}
