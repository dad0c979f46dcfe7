#include "vm/verify/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "resources/base/cancel.h"
#include "vm/verify/verify_internal.h"

const struct gv_rule gv_verify_rules[] = {
#define GV_RULE(id, name, what) { name, what },
#include "vm/rules.def"
#undef GV_RULE
    { NULL, NULL },
};

static bool refuse(struct verifier *v, enum gv_status status, uint64_t offset,
                   enum gv_rule_id rule, const char *format, va_list args)
    GV_PRINTF(5, 0);
static bool refuse(struct verifier *v, enum gv_status status, uint64_t offset,
                   enum gv_rule_id rule, const char *format, va_list args)
{
    char text[160];
    vsnprintf(text, sizeof text, format, args);
    return gv_fail(v->err, status, offset, "%s: %s", gv_verify_rules[rule].name, text);
}

bool gv_verify_refuse_at(struct verifier *v, enum gv_rule_id rule, const char *format,
                         ...)
{
    va_list args;
    va_start(args, format);
    uint64_t offset = v->code_offset + v->at;
    refuse(v, GV_ERR_FORMAT, offset, rule, format, args);
    va_end(args);
    return gv_error_at_command(v->err, v->command);
}

bool gv_verify_refuse_table(struct verifier *v, enum gv_status status,
                            enum gv_rule_id rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(v, status, GV_NO_OFFSET, rule, format, args);
    va_end(args);
    return false;
}

bool gv_verify_stack(struct verifier *v)
{
    uint32_t declared = v->payload->limits.stack_cells;
    return v->max_depth == declared ||
           gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_LIMIT_STACK,
                                  "%" PRIu32 " cells declared, %zu needed", declared,
                                  v->max_depth);
}

// What can only be said after all code has been read.
static bool verify_totals(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    if (v->uses != p->schedule_count)
        return gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_SCHEDULE,
                                      "%zu uses, of which the code makes %zu",
                                      p->schedule_count, v->uses);
    return gv_verify_stack(v);
}

// The frame that owns chunk `chunk`, frame_count for the tail.
static uint32_t frame_of(const struct gv_payload *p, uint32_t frame, size_t chunk)
{
    while (frame < p->frame_count && chunk >= p->frames[frame].chunk_end)
        frame++;
    return frame;
}

static bool verify_frame_end(struct verifier *v, size_t chunk)
{
    const struct gv_payload *p = v->payload;
    bool last = v->frame < p->frame_count && chunk + 1 == p->frames[v->frame].chunk_end;
    if (v->frame_ends == (last ? 1 : 0))
        return true;
    return gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_FRAME_END,
                                  "chunk %zu calls frame_end %" PRIu32 " times, not %d",
                                  chunk, v->frame_ends, last ? 1 : 0);
}

// The commands that chunk `chunk` has begun lie in the range of its frame; the tail's,
// among those there are (no frame passes them either: gv_payload_open).
static bool verify_frame_commands(struct verifier *v, size_t chunk)
{
    const struct gv_payload *p = v->payload;
    if (v->first_command == GV_NO_COMMAND)
        return true;
    if (v->frame == p->frame_count)
        return v->command < p->command_count ||
               gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_COMMAND_COUNT,
                                      "chunk %zu begins command %" PRIu64
                                      " of %" PRIu64,
                                      chunk, v->command, p->command_count);
    const struct gv_frame *frame = &p->frames[v->frame];
    if (v->first_command >= frame->command_begin && v->command < frame->command_end)
        return true;
    return gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_FRAME_COMMANDS,
                                  "chunk %zu leaves the commands of frame %" PRIu32,
                                  chunk, v->frame);
}

static bool verify_frame_begin(struct verifier *v, size_t chunk)
{
    const struct gv_payload *p = v->payload;
    v->frame = frame_of(p, v->frame, chunk);
    if (v->frame == p->frame_count || p->frames[v->frame].chunk_begin != chunk ||
        p->frames[v->frame].schedule == v->uses)
        return true;
    return gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_FRAME_SCHEDULE,
                                  "frame %" PRIu32 " begins at use %" PRIu64
                                  ", not at %zu",
                                  v->frame, p->frames[v->frame].schedule, v->uses);
}

static bool go_on(const struct verifier *v)
{
    return !gv_is_cancelled(v->cancel) || gv_fail_cancelled(v->err);
}

static bool verify_code(struct verifier *v)
{
    for (size_t i = 0; i < v->payload->chunk_count; i++)
        if (!go_on(v) || !verify_frame_begin(v, i) || !gv_verify_chunk(v, i) ||
            !verify_frame_end(v, i) || !verify_frame_commands(v, i))
            return false;
    return verify_totals(v);
}

static bool verify_keyframes(struct verifier *v)
{
    for (size_t i = 0; i < v->payload->keyframe_count; i++)
        if (!go_on(v) || !gv_verify_keyframe(v, &v->payload->keyframes[i]))
            return false;
    return true;
}

struct verifier *gv_verifier_create(struct gv_payload *payload,
                                    const struct gv_verify_params *params,
                                    struct gv_error *err)
{
    struct verifier *v = calloc(1, sizeof *v);
    if (!v) {
        gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "no memory for the verifier");
        return NULL;
    }
    v->payload = payload;
    v->memory_limit = params ? params->memory_limit : 0;
    v->pipelines = params ? params->pipelines : NULL;
    v->cancel = params ? params->cancel : NULL;
    v->err = err;
    return v;
}

void gv_verifier_destroy(struct verifier *v)
{
    if (!v)
        return;
    free(v->imports);
    free(v->arg_rows);
    free(v->descs);
    free(v->held);
    free(v->graphics);
    free(v->compute);
    free(v);
}

bool gv_verify(struct gv_payload *payload, const struct gv_verify_params *params,
               struct gv_error *err)
{
    struct verifier *v = gv_verifier_create(payload, params, err);
    bool good = v && gv_verify_imports(v) && gv_verify_tables(v) &&
                gv_verify_watch_pipelines(v) && verify_code(v) && verify_keyframes(v);
    payload->instruction_count = good ? v->instructions : 0;
    gv_verifier_destroy(v);
    return good;
}
