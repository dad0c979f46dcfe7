#include "tools/keyframe/bake.h"

#include <inttypes.h>
#include <stdlib.h>

#include "compiler/compiler.h"
#include "tools/base/json_check.h"
#include "tools/base/json_read.h"
#include "tools/base/report.h"
#include "tools/keyframe/bake_contents.h"
#include "tools/keyframe/bake_spool.h"
#include "tools/run/run_walk.h"
#include "tools/set_file.h"
#include "vm/keyframe/keyframe_make.h"

struct baker {
    struct gv_bake *bake;
    struct gv_run_walk *walk;
    struct gv_append *append;
    struct gv_bake_contents contents;
    struct gv_cut *cuts; // owned
    size_t count;
};

// ---- which frames ----

static bool choose_every(const struct gv_bake *bake, uint64_t frames,
                         struct gv_selection *out, struct gv_error *err)
{
    const uint64_t count = frames ? (frames - 1) / bake->every : 0;
    *out = (struct gv_selection){ .count = (size_t)count };
    out->numbers = malloc((out->count + 1) * sizeof *out->numbers);
    for (size_t i = 0; out->numbers && i < out->count; i++)
        out->numbers[i] = (i + 1) * bake->every;
    return out->numbers || gv_out_of_memory(err);
}

static bool choose_at(const struct gv_bake *bake, uint64_t frames,
                      struct gv_selection *out, struct gv_error *err)
{
    struct gv_set set;
    if (!gv_set_read(&set, bake->at, err))
        return false;
    bool ok = gv_set_resolve(&set, frames, "frame", out, err);
    gv_set_finish(&set);
    return ok && ((!out->end && (!out->count || out->numbers[0] != 0)) ||
                  gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                          "--at: nothing comes before frame 0, and `end` is no frame"));
}

// Those that have one keep it.
static void leave_out(struct gv_selection *frames, const struct gv_payload *payload)
{
    size_t n = 0;
    for (size_t i = 0; i < frames->count; i++) {
        const uint64_t frame = frames->numbers[i];
        const size_t k = gv_payload_keyframe(payload, frame);
        if (k < payload->keyframe_count && payload->keyframes[k].frame == frame)
            gv_say("frame %" PRIu64 " has a keyframe already", frame);
        else
            frames->numbers[n++] = frame;
    }
    frames->count = n;
}

static bool plan(struct gv_run_job *job, const struct gv_payload *payload,
                 struct gv_error *err)
{
    struct gv_bake *bake = (struct gv_bake *)job;
    if (payload->thin && !bake->store)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "a thin payload needs a --store that is a folder or a pack, "
                       "where contents go");
    bool ok = (bake->every ? choose_every : choose_at)(bake, payload->frame_count,
                                                       &bake->frames, err);
    if (ok)
        leave_out(&bake->frames, payload);
    return ok;
}

static bool cut(struct baker *b, struct gv_error *err)
{
    const struct gv_run_session *s = b->walk->session;
    const struct gv_cut_params params = { .frames = b->bake->frames.numbers,
                                          .frame_count = b->bake->frames.count,
                                          .memory_limit = s->memory_limit,
                                          .exports = b->bake->exports };
    b->count = params.frame_count;
    b->cuts = calloc(b->count + 1, sizeof *b->cuts);
    b->bake->rows = calloc(b->count + 1, sizeof *b->bake->rows);
    return ((b->cuts && b->bake->rows) || gv_out_of_memory(err)) &&
           gv_cuts_make(b->cuts, s->payload, &params, err);
}

// ---- one keyframe ----

// A frame that was named must have one; of every so many the others do.
static bool refuse(const struct baker *b, const struct gv_cut *c, const char *why,
                   struct gv_error *err)
{
    if (!b->bake->every)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: a keyframe at frame %" PRIu64 ": %s", c->frame,
                       why);
    gv_say("%s: no keyframe at frame %" PRIu64 ": %s", b->walk->session->options->file,
           c->frame, why);
    return true;
}

static const struct gv_bytes *
read_piece(void *context, const struct gv_cut_piece *piece, struct gv_error *err)
{
    return gv_bake_contents_read(context, piece, err);
}

// The payload says which front-end made it.
static bool is_exact(const struct gv_payload *p)
{
    char name[32];
    return gv_json_is_object(p->provenance) &&
           gv_json_copy(gv_json_member(p->provenance, "front_end"), name,
                        sizeof name) &&
           gv_contents_are_exact(name);
}

// With the device in front of the frame.
static bool take(struct baker *b, struct gv_cut *c, struct gv_error *err)
{
    const struct gv_run_session *s = b->walk->session;
    const struct gv_keyframe_params params = {
        .payload = s->payload,
        .append = b->append,
        .read = read_piece,
        .context = &b->contents,
        .device = s->replay.device.name,
        .driver = s->replay.device.driver,
        .exact = is_exact(s->payload),
        .exports = b->bake->exports,
    };
    struct gv_error mine = GV_ERROR_INIT;
    uint64_t before, after, stored;
    gv_append_count(b->append, &before, &stored);
    bool made = gv_keyframe_make(&params, c, &mine);
    gv_append_count(b->append, &after, &stored);
    gv_bake_contents_forget(&b->contents);
    if (made)
        b->bake->rows[b->bake->row_count++] =
            (struct gv_bake_row){ c->frame, after - before };
    if (made || mine.status == GV_ERR_FORMAT || mine.status == GV_ERR_UNSUPPORTED)
        return made || refuse(b, c, mine.message, err);
    return gv_fail(err, mine.status, mine.offset, "%s", mine.message);
}

static bool run_to(struct gv_run_walk *w, uint64_t frame, struct gv_error *err)
{
    const struct gv_replay *r = &w->session->replay;
    while (r->next < frame && !w->ended)
        if (!gv_run_walk_on(w, NULL, err))
            return false;
    return r->next == frame ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "the code ends before the frame");
}

static bool bake_one(struct baker *b, struct gv_cutter *cutter, struct gv_cut *c,
                     struct gv_error *err)
{
    if (!c->refused &&
        (!run_to(b->walk, c->frame, err) || !gv_cutter_keep(cutter, c, err)))
        return false;
    bool ok = c->refused ? refuse(b, c, c->refused, err) : take(b, c, err);
    gv_cut_finish(c);
    return ok;
}

static bool bake_all(struct baker *b, struct gv_error *err)
{
    const struct gv_run_session *s = b->walk->session;
    struct gv_cutter *cutter = gv_cutter_create(s->payload, s->memory_limit, err);
    bool ok = cutter != NULL;
    for (size_t i = 0; ok && i < b->count; i++)
        ok = bake_one(b, cutter, &b->cuts[i], err);
    gv_cutter_destroy(cutter);
    return ok;
}

// ---- the whole ----

static bool write_all(struct baker *b, struct gv_error *err)
{
    const struct gv_run_session *s = b->walk->session;
    const struct gv_append_params params = { .write = gv_output_file_write,
                                             .context = &b->bake->out,
                                             .take = gv_bake_spool_put,
                                             .taker = b->bake->spool };
    b->append = gv_append_create(s->payload, &params, err);
    return b->append &&
           gv_append_know(b->append, b->walk->sources, b->walk->source_count, err) &&
           bake_all(b, err) && gv_append_close(b->append, err) &&
           gv_output_file_close(&b->bake->out, err);
}

static bool run(struct gv_run_job *job, struct gv_run_walk *walk, struct gv_error *err)
{
    struct baker b = {
        .bake = (struct gv_bake *)job,
        .walk = walk,
        .contents = { .runtime = walk->session->replay.runtime,
                      .vm = walk->session->replay.vm,
                      .payload = walk->session->payload },
    };
    bool ok = cut(&b, err) && write_all(&b, err);
    gv_append_destroy(b.append);
    gv_cuts_finish(b.cuts, b.count);
    gv_bake_contents_finish(&b.contents);
    return ok;
}

// ---- around it ----

static bool open_output(struct gv_run_job *job, struct gv_error *err)
{
    struct gv_bake *bake = (struct gv_bake *)job;
    return gv_output_file_init(&bake->out, job->output, err) &&
           gv_output_file_open(&bake->out, err) &&
           (!bake->store || gv_bake_spool_open(&bake->spool, err));
}

static bool keep(struct gv_run_job *job, struct gv_error *err)
{
    struct gv_bake *bake = (struct gv_bake *)job;
    return (!bake->store || gv_bake_spool_store(bake->spool, bake->store, err)) &&
           gv_output_file_keep(&bake->out, err);
}

static void finish(struct gv_run_job *job)
{
    struct gv_bake *bake = (struct gv_bake *)job;
    gv_output_file_finish(&bake->out);
    if (bake->spool)
        fclose(bake->spool);
    gv_selection_finish(&bake->frames);
    free(bake->rows);
}

static void report(const struct gv_run_job *job, struct gv_json *json)
{
    const struct gv_bake *bake = (const struct gv_bake *)job;
    if (json) {
        gv_json_text(json, "output", job->output);
        gv_json_array(json, "keyframes");
    }
    for (size_t i = 0; i < bake->row_count; i++) {
        const struct gv_bake_row *row = &bake->rows[i];
        if (json) {
            gv_json_begin(json, NULL);
            gv_json_number(json, "frame", row->frame);
            gv_json_number(json, "bytes", row->bytes);
            gv_json_end(json);
        } else if (bake->out.path) { // a payload on standard output is all there is
            printf("keyframe\t%" PRIu64 "\t%" PRIu64 "\n", row->frame, row->bytes);
        }
    }
    if (json)
        gv_json_array_end(json);
}

void gv_bake_init(struct gv_bake *bake)
{
    bake->job.open = open_output;
    bake->job.plan = plan;
    bake->job.run = run;
    bake->job.keep = keep;
    bake->job.finish = finish;
    bake->job.report = report;
}
